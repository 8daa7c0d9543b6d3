"""Puzzles: positions, as one seat sees them, in which one move is right and a tempting one not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from strongroom.contract import Game, Json, Move, Names, View, names_for
from strongroom.minds.dialogue import PLAIN, Dialogue, Style
from strongroom.puzzles.ladder import RIGHT, likeliest
from strongroom.report.text import in_points
from strongroom.theory.hints import alternatives
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import BEST

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
        return ", ".join([self.game.title, *self.game.options.changed()])

    @property
    def difficulty(self) -> int:
        """How difficult it is, from 1 to 5: one lamp, and one more for each who misses it."""
        return 1 + len(self.missed)

    @cached_property
    def costs(self) -> dict[Move, float]:
        """What each legal move costs: how much less it wins than the best one."""
        best = max(self.worth.values())
        return {move: max(0.0, best - worth) for move, worth in self.worth.items()}

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
    def known(self) -> tuple[str, ...]:
        """What the player knows, line by line: its own secret, the record, what is left."""
        return (*self.dialogue().known(self.view), *self.odds_text)

    @property
    def nudge(self) -> str:
        """A hint that does not give the move away."""
        reason, other = (
            solution_of(self.game).effect(self.view, move).reason
            for move in (self.best[0], self.tempting)
        )
        hints = [] if reason in (BEST, other) else [f"What speaks for the right move: {reason}."]
        if len(self.worth) > 2:  # of two moves, the wrong one gives the right one away
            move = self.game.words.spoken(self.tempting)
            hints.append(
                f"{self.tempted.capitalize()} may choose {move}, and {self._lost()} by it."
            )
        elif not hints:
            hints = [f"{self.tempted.capitalize()} may get it wrong, and {self._lost()} by it."]
        return " ".join(hints)

    @property
    def answer(self) -> str:
        """What is right and why, and what is wrong with the tempting move."""
        first, *others = map(self.game.words.spoken, self.best)
        if len(others) > FEW:
            right = f"{first} is right, and so are {len(others)} others that come to the same"
        else:
            either = alternatives([first, *others])
            right = f"{either} is right" if not others else f"{either}: each is right"
        wrong = self.why(self.tempting)
        return (
            f"{right[:1].upper()}{right[1:]}. {self.why(self.best[0])} "
            f"{self.tempted.capitalize()} may choose {self.game.words.spoken(self.tempting)}, and "
            f"{self._lost()} by it: {wrong[:1].lower()}{wrong[1:]}"
        )

    def why(self, move: Move) -> str:
        """What a move does, in a sentence of the theory."""
        return solution_of(self.game).effect(self.view, move).why

    def _lost(self) -> str:
        return f"loses {in_points(self.costs[self.tempting])}"

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
            "known": [*self.known],
            "odds": self.odds and {str(move): chance for move, chance in self.odds.items()},
            "moves": [
                {
                    "move": str(move),
                    "said": words.spoken(move),
                    "worth": worth,
                    "cost": self.costs[move],
                    "why": self.why(move),
                }
                for move, worth in self.worth.items()
            ],
            "best": [str(move) for move in self.best],
            "tempting": {
                "move": str(self.tempting),
                "said": words.spoken(self.tempting),
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
