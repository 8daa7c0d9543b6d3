"""Puzzles: positions, as one seat sees them, in which one move is right and a tempting one not.

They are admitted and graded by a ladder of players, from one-line rules to a search. Each rung is
a mixture of moves in a view. It misses a position if its move is right there at most half of the
time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from random import Random
from typing import Final

from strongroom.contract import Game, Json, Move, Names, Refusal, View, names_for
from strongroom.contract.words import NUMBER_WORDS
from strongroom.games.codes import Code
from strongroom.games.guessing import GuessingGame
from strongroom.games.quantum_duel.rules import CELLS, Observe, Reply
from strongroom.games.safecracker_duel.rules import Change
from strongroom.minds.dialogue import PLAIN, Dialogue, Style
from strongroom.players import CERTIFIED, player
from strongroom.players.ideas import Mixture, PlayerByIdeas, Uniform, safe_before
from strongroom.report.text import in_points
from strongroom.theory.hints import alternatives
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import BEST, TIE
from strongroom.theory.worth import costs_of

Rung = Callable[[View], Mixture | None]
"""The probability of each move in a view; None where the player has nothing to say."""
RIGHT: Final = 1e-9
"""A move that costs no more than this is right."""
MISSES: Final = 0.5
"""A player misses a position if it is right there at most this often."""
EQUAL: Final = 1e-9
"""Odds that differ by less are equal."""


def _among(moves: Sequence[Move]) -> Mixture | None:
    """Any of these moves; None if there is none."""
    return Uniform(moves) if moves else None


# --- one-line rules -----------------------------------------------------------------------------


def _any_move(view: View) -> Mixture | None:
    return Uniform(view.moves)


def _any_that_fits(view: View) -> Mixture | None:
    return _among([*_odds(view)])


def _likeliest(view: View) -> Mixture | None:
    odds = _odds(view)
    return _among([*(likeliest(odds) or odds)] if odds else [])


def likeliest(chances: Mapping[Move, float]) -> set[Move]:
    """The secrets that are likelier than others; empty if all are equally likely."""
    most, least = max(chances.values()), min(chances.values())
    if most - least < EQUAL:
        return set()
    return {move for move, chance in chances.items() if chance > most - EQUAL}


def _odds(view: View) -> Mapping[Move, float]:
    """How likely each secret is; empty where nothing is hidden or the odds are not known."""
    assert isinstance(view.game, Game)
    return solution_of(view.game).worth.odds(view) or {}


def _replies(view: View, challenge: bool) -> Mixture | None:
    return _among([move for move in view.moves if move == Reply(challenge)])


def _cells(view: View) -> list[Observe]:
    return [move for move in view.moves if isinstance(move, Observe)]


def _nearest_the_middle(view: View) -> Mixture | None:
    away = {move: abs(2 * move.cell - CELLS - 1) for move in _cells(view)}
    return _among([move for move, far in away.items() if far == min(away.values())])


def _beside(view: View, own: bool, wanted: bool = True) -> Mixture | None:
    """Any cell with a symbol of one player in a neighbouring cell, or any without."""
    assert view.seat is not None
    owner = view.seat if own else view.seat.other

    def is_beside(move: Observe) -> bool:
        near = [cell for cell in (move.cell - 1, move.cell + 1) if 1 <= cell <= CELLS]
        return any(view.board[cell - 1] is owner for cell in near)

    return _among([move for move in _cells(view) if is_beside(move) is wanted])


def _turns(view: View) -> list[Change]:
    return [move for move in view.moves if isinstance(move, Change)]


def _towards_own_code(view: View) -> Mixture | None:
    digits = [each.digits for each in view.secret if isinstance(each, Code)]
    return _among([move for move in _turns(view) if digits[0][move.position - 1] == move.digit])


def _undoes_the_last_turn(view: View) -> Mixture | None:
    turns = _turns(view) if view.history else []
    return _among([move for move in turns if move.applied_to(view.board) == safe_before(view)])


EVERYWHERE: Final[Mapping[str, Rung]] = {
    "any legal move": _any_move,
    "any secret that fits": _any_that_fits,
    "the likeliest secret": _likeliest,
}
"""The one-line rules of every game."""
OF_GAMES: Final[Mapping[str, Mapping[str, Rung]]] = {
    "quantum-duel": {
        "the cell nearest the middle": _nearest_the_middle,
        "a cell beside your own": partial(_beside, own=True),
        "a cell beside the opponent's": partial(_beside, own=False),
        "a cell away from your own": partial(_beside, own=True, wanted=False),
    },
    "safecracker-duel": {
        "towards your own code": _towards_own_code,
        "undo the last turn": _undoes_the_last_turn,
    },
}
"""The further one-line rules of a game, by its name."""
CONSTANT: Final[Mapping[str, Rung]] = {
    "always challenge": partial(_replies, challenge=True),
    "never challenge": partial(_replies, challenge=False),
}
"""The answers to a yes/no question. One of them is right, so no position has both miss it."""


def asks_yes_or_no(view: View) -> bool:
    """Whether the question has the same two answers in every position."""
    return any(rule(view) for rule in CONSTANT.values())


def rules_of(game: Game) -> Mapping[str, Rung]:
    """The one-line rules that have to miss every puzzle of a game, by name."""
    return {**EVERYWHERE, **OF_GAMES.get(game.name, {})}


# --- players ------------------------------------------------------------------------------------


def bot(name: str, view: View) -> Mixture:
    """A bot's mixture of moves."""
    assert isinstance(view.game, Game)
    seated = player(name, view.game, Random(name))
    assert isinstance(seated, PlayerByIdeas)
    return {move: float(chance) for move, chance in seated.policy(view).items()}


def _certified_mixture(view: View) -> Mixture:
    assert isinstance(view.game, Game)
    return {move: float(p) for move, p in solution_of(view.game).policy(view).items()}


def _search(view: View, turns: int) -> Mixture | None:
    """The best moves if the game, still open after so many turns, counts as half a win."""
    assert isinstance(view.game, Game)
    worth = solution_of(view.game).worth
    try:
        values = worth.move_values(view, turns)
    except Refusal:
        return None  # nothing is known of this game with a limit
    most = max(values.values())
    return _among([move for move, value in values.items() if value > most - TIE])


CASUAL: Final = "casual"
"""The bot that has to miss every puzzle, like the one-line rules."""
LADDER: Final[Mapping[str, Rung]] = {
    "expert": partial(bot, "expert"),
    "a search of 3 turns": partial(_search, turns=3),
    "a search of 4 turns": partial(_search, turns=4),
    CERTIFIED: _certified_mixture,
}
"""The players by whom a puzzle is graded: each that misses it adds a lamp to the first one."""


# --- who misses ---------------------------------------------------------------------------------


def share_right(rung: Rung, view: View, costs: Mapping[Move, float]) -> float:
    """How often a player is right in a position; 0 where it has nothing to say."""
    mixture = rung(view) or {}
    return sum(chance for move, chance in mixture.items() if costs[move] <= RIGHT)


def misses(rung: Rung, view: View, costs: Mapping[Move, float]) -> bool:
    """Whether a player is right at most half of the time."""
    return share_right(rung, view, costs) <= MISSES + RIGHT


def shares(positions: Sequence[tuple[View, Mapping[Move, float]]]) -> dict[str, float]:
    """What share of some positions each rung of the ladder solves, on average over its choices.

    Rungs that have nothing to say about any of them are left out.
    """
    further = {name: rung for rungs in OF_GAMES.values() for name, rung in rungs.items()}
    casual = {CASUAL: partial(bot, CASUAL)}
    rungs: dict[str, Rung] = {**EVERYWHERE, **further, **CONSTANT, **casual, **LADDER}
    return {
        name: sum(share_right(rung, *each) for each in positions) / len(positions)
        for name, rung in rungs.items()
        if any(rung(view) for view, _ in positions)
    }


# --- the puzzle -----------------------------------------------------------------------------------


BASELINE: Final = "what a best response wins"
"""What costs are measured by in every puzzle; a game without such a measure has no puzzles."""
OPPONENT: Final = "Master"
"""What the certified player is called, against whom every puzzle is played."""
FEW: Final = 3
"""Up to this many right moves beside the first are named in an answer."""
LISTED: Final = 30
"""Up to this many codes or numbers that can still be hidden are listed."""
SMALL: Final = 0.01
"""Odds below this are not given more exactly."""


@dataclass(frozen=True)
class Losses:
    """What a bot does in a position."""

    player: str
    moves: Mapping[Move, float]
    """The probability of each move."""
    cost: float
    """What it loses there on average."""
    solved: float
    """How often it finds a right move."""


@dataclass(frozen=True)
class Puzzle:
    """A position with a certified answer: what each move costs against the certified player."""

    view: View
    worth: Mapping[Move, float]
    """What each legal move wins if a best response follows it."""
    bots: tuple[Losses, ...]
    """What the bots lose here, weakest first."""
    tempting: Move
    """The wrong move by which one of these bots loses most on average."""
    tempted: str
    """The bot that makes it."""
    missed: tuple[str, ...]
    """The players of the ladder who miss it, beside one-line rules and the casual bot."""
    day: date | None = None
    """The day whose puzzle it is, if it is that of a day."""

    @property
    def game(self) -> Game:
        """The game."""
        assert isinstance(self.view.game, Game)
        return self.view.game

    @property
    def title(self) -> str:
        """The game, and in what it differs from the usual one."""
        return ", ".join([self.game.title, *self.game.options.changes_in_words()])

    @property
    def difficulty(self) -> int:
        """How difficult it is, from 1 to 5: one lamp, and one more for each who misses it."""
        return 1 + len(self.missed)

    @cached_property
    def costs(self) -> dict[Move, float]:
        """What each legal move costs: how much less it wins than the best one."""
        return costs_of(self.worth)

    @cached_property
    def best(self) -> tuple[Move, ...]:
        """The right moves: one, or the same one under several names."""
        return tuple(move for move, cost in self.costs.items() if cost <= RIGHT)

    @property
    def names(self) -> Names:
        """What the players are called: the one whose view it is, "You"."""
        return names_for(self.view, OPPONENT)

    def dialogue(self, style: Style = PLAIN) -> Dialogue:
        """How the puzzle is put in text."""
        return Dialogue(self.game, style, opponent=OPPONENT)

    @property
    def question(self) -> str:
        """What is asked, as a title."""
        return self.game.words.puzzle(self.view)

    @cached_property
    def odds(self) -> Mapping[Move, float] | None:
        """How likely each secret is that master may hide; None if that is not told."""
        return solution_of(self.game).worth.odds(self.view)

    @property
    def odds_text(self) -> tuple[str, ...]:
        """What may be hidden and how likely it is, in a line; none where that is not told."""
        return (
            (describe_odds(self.odds),)
            if self.odds is not None and len(self.odds) <= LISTED
            else ()
        )

    @property
    def known_lines(self) -> tuple[str, ...]:
        """What the player knows, line by line: its own secret, the record, what is left."""
        return (*self.game.words.known_lines(self.view, OPPONENT), *self.odds_text)

    @property
    def nudge(self) -> str:
        """A hint that does not give the move away."""
        reason, other = (
            solution_of(self.game).effect(self.view, move).reason
            for move in (self.best[0], self.tempting)
        )
        if reason not in (BEST, other):
            return f"What speaks for the right move: {reason}."
        wins, tempts = (self._times_won(move) for move in (self.best[0], self.tempting))
        if len(self.worth) == 2:  # of two moves, the wrong one gives the right one away
            return f"The right answer wins {wins} times in 100, the other one {tempts}."
        tempting = self.game.words.mention(self.tempting)
        return f"The right move wins {wins} times in 100, {tempting} only {tempts}."

    @property
    def right(self) -> str:
        """Which moves are right, in a sentence."""
        first, *others = map(self.game.words.mention, self.best)
        if len(others) > FEW:
            right = f"{first} is right, and so are {len(others)} others that come to the same"
        else:
            either = alternatives([first, *others])
            right = f"{either} is right" if not others else f"{either}: each is right"
        return f"{right[:1].upper()}{right[1:]}."

    @property
    def answer(self) -> str:
        """What is right and why, and what is wrong with the tempting move."""
        wrong = self.why(self.tempting)
        return (
            f"{self.right} {self.why(self.best[0])} "
            f"{self.tempted.capitalize()} may prefer {self.game.words.mention(self.tempting)}, "
            f"which costs {in_points(self.costs[self.tempting])}: {wrong[:1].lower()}{wrong[1:]}"
        )

    def contrast(self, move: Move) -> str:
        """How the right move is better than a wrong one; for a right one, than the tempting one."""
        is_right = self.costs[move] <= RIGHT
        right, wrong = (move, self.tempting) if is_right else (self.best[0], move)
        one, other = map(self.game.words.mention, (right, wrong))
        left = len(self.odds or ())
        most, more = self._most_left(right), self._most_left(wrong)
        if 0 < most < more <= len(NUMBER_WORDS) - 1 and left < len(NUMBER_WORDS):
            some, others, all_left = (NUMBER_WORDS[each] for each in (most, more, left))
            return (
                f"After {one}, no answer leaves more than {some} of the {all_left}; "
                f"after {other}, {others} may be left."
            )
        wins = f"{one} wins {self._times_won(right)} times in 100"
        return f"{wins[:1].upper()}{wins[1:]}, {other} only {self._times_won(wrong)}."

    def _most_left(self, guess: Move) -> int:
        """How many secrets an answer to a guess leaves at most; 0 where nothing is guessed."""
        game = self.game
        if not (self.odds and isinstance(guess, Code) and isinstance(game, GuessingGame)):
            return 0
        codes = [each.digits for each in self.odds if isinstance(each, Code)]
        answers = [sum(map(game.digit_feedback, code, guess.digits)) for code in codes]
        return max(Counter(answers).values())

    def _times_won(self, move: Move) -> str:
        """Of 100 games, how many a move wins."""
        return f"{100 * self.worth[move]:.0f}"

    def why(self, move: Move) -> str:
        """What a move does, in a sentence of the theory."""
        return solution_of(self.game).effect(self.view, move).why

    def to_json(self) -> Json:
        """All that a page or a program needs, as JSON data."""
        words = self.game.words
        return {
            "game": self.game.name,
            "title": self.title,
            "options": self.game.options.to_json(),
            "day": self.day and self.day.isoformat(),
            "question": self.question,
            "lamps": self.difficulty,
            "missed": [*self.missed],
            "baseline": BASELINE,
            "view": self.view.to_json(),
            "known": [*self.known_lines],
            "odds": self.odds and {str(move): chance for move, chance in self.odds.items()},
            "moves": [
                {
                    "move": str(move),
                    "said": words.mention(move),
                    "worth": worth,
                    "cost": self.costs[move],
                    "why": self.why(move),
                    "contrast": self.contrast(move),
                }
                for move, worth in self.worth.items()
            ],
            "best": [str(move) for move in self.best],
            "tempting": {
                "move": str(self.tempting),
                "said": words.mention(self.tempting),
                "player": self.tempted,
                "cost": self.costs[self.tempting],
            },
            "bots": {each.player: {"cost": each.cost, "solved": each.solved} for each in self.bots},
            "nudge": self.nudge,
            "answer": self.answer,
        }


def describe_odds(chances: Mapping[Move, float]) -> str:
    """What may be hidden and how likely each is, in a sentence; a single candidate is not named."""
    if len(chances) == 1:
        return "Only one is still possible."
    if not likeliest(chances):
        return f"Still possible: {', '.join(map(str, chances))}, each as likely."
    ranked = sorted(chances, key=lambda move: -round(chances[move], 9))
    return f"Still possible: {', '.join(f'{move} ({_share(chances[move])})' for move in ranked)}."


def _share(chance: float) -> str:
    return f"{chance:.0%}" if chance >= SMALL else f"under {SMALL:.0%}"
