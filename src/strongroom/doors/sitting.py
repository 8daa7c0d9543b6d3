"""One seat of a game against one of our players, asked from outside, by moves or in text.

The doors to frameworks with a single agent stand on this; the same seed and moves give the same
game in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from strongroom.contract import (
    CHANCE,
    AnyState,
    Ending,
    Game,
    Move,
    NotLegal,
    Outcome,
    Refusal,
    Seat,
    View,
    names_for,
    shown,
)
from strongroom.minds.dialogue import NO_LEGAL_ANSWER, PLAIN, TRIES, Dialogue, Style
from strongroom.players import CERTIFIED, Player, Resigns, player
from strongroom.plugins.foreign import FAILURES, told
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, moves_to
from strongroom.referee.match import Match
from strongroom.referee.randomness import Seed, draws, fresh_token, nonces, stream
from strongroom.referee.record import LONGEST_DETAIL, SITTERS, Record
from strongroom.referee.table import tell_end
from strongroom.text.quoting import printable

Reward = Literal["result", "cost"]
REWARDS: Final[tuple[Reward, ...]] = ("result", "cost")
"""What a move is rewarded with: the result of the game at its end, or minus what the move cost."""
RESULTS = {1.0: "You won.", -1.0: "You lost.", 0.0: "Nobody won."}
"""The end of a game in one sentence, by its result."""


class Sitting:
    """A seat at a game that is being played; it is always this seat's turn, or the game is over.

    >>> from strongroom import load
    >>> sitting = Sitting(load("quantum-duel"), "master", seed=1)
    >>> sitting.play(sitting.game.move("4"))
    >>> sitting.is_over, sitting.costs
    (False, [0.0])
    """

    def __init__(
        self,
        game: Game,
        opponent: str | Player = CERTIFIED,
        seat: Seat = Seat.ONE,
        seed: Seed = None,
        turn_limit: int | None = TURN_LIMIT,
    ) -> None:
        self.game, self.seat = game, seat
        self.seed: Seed = fresh_token() if seed is None else seed
        """What chance, nonces and the opponent are drawn from, so that the record tells this game.

        Without a seed, one that nobody can guess.
        """
        self.opponent = (
            player(opponent, game, stream(self.seed, "opponent"))
            if isinstance(opponent, str)
            else opponent
        )
        self.certified = opponent == CERTIFIED
        """Whether every move has an exact cost."""
        self.forfeited: Outcome | None = None
        """How the game ended if it was not by its rules."""
        self.decided: list[tuple[View, Move | None]] = []
        """The view and the move of each decision of this seat; None for giving up."""
        self.turn_limit = turn_limit
        """After how many turns of both players the game is undecided; None for no limit."""
        self._costs: list[float] = []
        self._draw = draws(self.seed)
        self._state: AnyState = game.start()
        self._go_on()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.view.outcome

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.view.outcome is not None

    @property
    def result(self) -> float:
        """1 for a win, -1 for a loss, 0 if nobody won or has won yet."""
        return (self.outcome or UNDECIDED).reward(self.seat)

    def play(self, move: Move) -> None:
        """Make a move, and let chance and the opponent go on; a refusal changes nothing."""
        before = self.view
        if before.outcome is not None:
            raise NotLegal("The game is over.")
        self._state = self._state.play(move)
        self.decided.append((before, move))
        self._go_on()

    def give_up(self, why: str) -> None:
        """Lose the game outside its rules, for example by an action that is not legal."""
        if not self.is_over:
            self.decided.append((self.view, None))
            self.forfeited = forfeit(self.seat.other, why)
            self._set_state(self._state, self.forfeited)

    def leave(self) -> None:
        """Leave the game unfinished: nobody wins it, and nothing can be played any more."""
        if not self.is_over:
            self._set_state(self._state, UNDECIDED)

    def _go_on(self) -> None:
        """Let chance and the opponent move until it is this seat's turn or the game is over."""
        state, seat, limit = self._state, self.seat, self.turn_limit
        ended: Outcome | None = None
        while (actor := state.actor) is not None:
            if limit is not None and state.turns >= limit:
                ended = UNDECIDED
                break
            if actor is seat:
                break
            if actor is CHANCE:
                state = state.play(self._draw(state.number + 1, state.moves, state.odds))
                continue
            try:
                state = state.play(self.opponent.choose(state.view(actor)))
            except Resigns:
                ended = self.forfeited = Outcome(seat, Ending.RESIGNED)
                break
            except FAILURES as failure:
                ended = self.forfeited = forfeit(seat, told(failure))
                break
        self._set_state(state, ended)

    def _set_state(self, state: AnyState, ended: Outcome | None) -> None:
        """Set the state in which the seat is asked, or the game is over."""
        self._state = state
        self.view: View = state.view(self.seat, ended)
        """What this seat knows now."""
        if self.view.outcome is not None:
            tell_end(self.opponent, state.view(self.seat.other, self.view.outcome))

    # --- what it was worth ---

    @property
    def costs(self) -> list[float]:
        """What each decision so far cost in win probability, exactly; only against master."""
        if not self.certified:
            raise no_exact_costs()
        from strongroom.theory.shelf import solution_of  # those who ask for no costs do without

        worth = solution_of(self.game).worth
        for view, move in self.decided[len(self._costs) :]:
            value, moves = worth.weighed(view, self.turn_limit)
            self._costs.append(value - (0.0 if move is None else moves[move]))
        return [*self._costs]

    def cost(self, number: int = -1) -> float:
        """What one decision cost in win probability; by default the latest."""
        return self.costs[number]

    @property
    def record(self) -> Record:
        """What was played so far, as any other game's record."""
        moves, nonce = [*moves_to(self._state)], nonces(self.seed)
        match = Match.start(self.game, SITTERS, self.turn_limit, self._draw, nonce).settle()
        while (number := len(match.record.steps)) < len(moves):
            assert isinstance(match.actor, Seat)
            match = match.step(match.actor, moves[number])
        ended = self.forfeited
        if ended is None or ended.winner is None:
            return match.record
        if ended.reason is Ending.RESIGNED:
            return match.resign(ended.winner.other).record
        return match.forfeit(ended.winner.other, ended.detail).record


class TextSitting(Sitting):
    """A seat that is asked in text and answers in text.

    >>> from strongroom import load
    >>> sitting = TextSitting(load("quantum-duel"), "master", seed=1)
    >>> sitting.answer("The middle. <move>9</move>")
    >>> sitting.question.partition(".")[0]
    'Cells run from 1 to 7; you typed 9'
    >>> sitting.answer("<move>4</move>")
    >>> sitting.illegal, len(sitting.decided)
    (1, 1)
    """

    def __init__(
        self,
        game: Game,
        opponent: str | Player = CERTIFIED,
        seat: Seat = Seat.ONE,
        seed: Seed = None,
        style: Style = PLAIN,
        in_json: bool = False,
        turn_limit: int | None = TURN_LIMIT,
    ) -> None:
        super().__init__(game, opponent, seat, seed, turn_limit)
        self.dialogue = Dialogue(game, style, in_json)
        self.illegal = 0
        """How many answers were no legal moves."""
        self._refused = ""
        self._tries = 0

    @property
    def opening(self) -> str:
        """What the seat is told before the first question: the rules, and how to answer."""
        return self.dialogue.opening

    @property
    def question(self) -> str:
        """The text for the seat: what it knows and is asked, or why its answer was refused.

        Once the game is over, how it ended.
        """
        if self.is_over:
            return self.closing
        return self._refused or self.dialogue.ask(self.view)

    @property
    def closing(self) -> str:
        """How the finished game ended for this seat."""
        told = RESULTS[self.result]
        if self.forfeited is not None:
            return f"{told} {self.forfeited.detail}".strip()
        closing = self.dialogue.words.closing(self.view, names_for(self.view))
        return f"{closing}\n{told}".strip()

    def answer(self, text: str, cut_off: bool = False) -> None:
        """Make the move of an answer; one that is refused can be repeated a few times."""
        if self.is_over:
            raise NotLegal("The game is over.")
        view = self.view
        try:
            move = self.dialogue.read(text, view, cut_off)
        except Refusal as refusal:
            self.illegal += 1
            self._tries += 1
            self._refused = self.dialogue.again(refusal, view)
            if self._tries >= TRIES:
                self.give_up(NO_LEGAL_ANSWER)
            return
        self.play(move)

    def play(self, move: Move) -> None:
        """Make a move; the count of refused answers begins again."""
        super().play(move)
        self._refused, self._tries = "", 0


def forfeit(winner: Seat, why: str) -> Outcome:
    """The outcome of a game that was lost outside its rules, with the reason for the record."""
    return Outcome(winner, Ending.FORFEITED, printable(why[:LONGEST_DETAIL]))


def no_exact_costs() -> Refusal:
    """The refusal of costs against another player than the certified one."""
    told = "Only against master does every move have an exact cost."
    return Refusal(told, "Choose the opponent master, or the reward result.")


def legal_move_in(text: str, view: View, dialogue: Dialogue, cut_off: bool) -> str:
    """The move that an answer in text marks, as text; empty if it marks no legal one."""
    try:
        return str(dialogue.read(text, view, cut_off))
    except Refusal:
        return ""


def check_reward(reward: str, opponent: object) -> None:
    """Refuse to reward moves by costs that are not exact."""
    if reward == "cost" and opponent != CERTIFIED:
        raise no_exact_costs()


def check_choice(name: str, given: object, choices: Sequence[str]) -> None:
    """Refuse a setting that is none of the choices.

    >>> check_choice("reward", "money", ("result", "cost"))
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: There is no reward 'money'. Choose from: result, cost.
    """
    if given not in choices:
        told = f"There is no {name.replace('_', ' ')} {shown(str(given))}."
        raise Refusal(told, f"Choose from: {', '.join(choices)}.")
