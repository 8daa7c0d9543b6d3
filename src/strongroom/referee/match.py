"""The referee, as a value: a match, and the match after each step.

It does no I/O and notifies nobody. The caller stores the steps first, then announces them.
"""

from __future__ import annotations

from strongroom.contract import (
    CHANCE,
    Actor,
    AnyState,
    Ending,
    Game,
    Move,
    NotLegal,
    Outcome,
    Seat,
    View,
)
from strongroom.referee.bout import Bout
from strongroom.referee.randomness import Coins, Draw, Nonce, draw_by, draws, nonces
from strongroom.referee.record import (
    LONGEST_DETAIL,
    SITTERS,
    AidsSwitched,
    Entry,
    Hint,
    Record,
    Sitter,
    Step,
    check_names_differ,
    commit,
)
from strongroom.text.quoting import printable


class Match:
    """A game between two sitters at one moment: it checks moves and draws for chance.

    A value, like a state, because one is made for every step. Its record is written when somebody
    asks for it, as many games are played for their results alone.
    """

    __slots__ = ("_at", "_before", "_new", "_nonce", "_record", "bout", "draw", "outcome")

    def __init__(self, bout: Bout, record: Record, draw: Draw, nonce: Nonce) -> None:
        self.bout = bout
        """The game as it stands."""
        self.outcome = record.outcome
        """How the match ended, or None while it goes on."""
        self.draw = draw
        """Decides what is up to chance."""
        self._nonce = nonce
        """Makes the nonces of private moves."""
        self._record: Record | None = record
        self._before: Match | None = None
        """Until the record is written, the match without the latest entry."""
        self._new: Entry | None = None
        """That entry, unless it is a step."""
        self._at = 0.0
        """When that step was made."""

    @classmethod
    def start(
        cls,
        game: Game,
        sitters: tuple[Sitter, Sitter] = SITTERS,
        turn_limit: int | None = None,
        draw: Draw | None = None,
        nonce: Nonce | None = None,
        aids: bool = False,
        score: tuple[float, float] = (0.0, 0.0),
        coins: Coins | None = None,
    ) -> Match:
        """A match before its first step, with these sources of chance and nonces.

        The first nonce is the match's id. Any coins given decide chance, unless `draw` is given.
        """
        check_names_differ(*sitters)
        nonce = nonce or nonces()
        record = Record(game, sitters, turn_limit, nonce(0), aids, score, coins)
        bout = Bout.start(game, turn_limit)
        return cls(bout, record, draw or _chance(record), nonce)

    @classmethod
    def resume(cls, record: Record, draw: Draw | None = None, nonce: Nonce | None = None) -> Match:
        """The unfinished match of a record, ready to continue."""
        bout = Bout(record.replay(), record.turn_limit)
        return cls(bout, record, draw or _chance(record), nonce or nonces())

    @property
    def game(self) -> Game:
        """What is played."""
        game: Game = self.bout.state.game
        return game

    @property
    def state(self) -> AnyState:
        """The complete state of the game, for the referee only."""
        return self.bout.state

    @property
    def actor(self) -> Actor | None:
        """Who is to move; None once the match is over."""
        return None if self.outcome is not None else self.bout.state.actor

    @property
    def record(self) -> Record:
        """What was played so far."""
        match, unwritten = self, list[Match]()
        while match._record is None:
            unwritten.append(match)
            assert match._before is not None
            match = match._before
        record = match._record
        for each in reversed(unwritten):
            record = record.then(each._entry())
            if each.outcome is not None and record.outcome is None:
                record = record.then(each.outcome)
            each._record, each._before = record, None
        return record

    def since(self, earlier: Match) -> tuple[Step, ...]:
        """The steps that were made since an earlier moment of this match."""
        return self.record.steps[len(earlier.record.steps) :]

    def view(self, seat: Seat | None) -> View:
        """What that seat may know of the match."""
        return self.bout.state.view(seat, self.outcome)

    def step(self, seat: Seat, move: Move, at: float = 0.0) -> Match:
        """The match after a seat's move and the chance moves that follow it.

        A refusal leaves everything as it was; `at` is the time recorded in the steps.
        """
        self._check_going_on()
        state = self.bout.state
        if state.actor is not seat:
            if not isinstance(seat, Seat):
                raise NotLegal("Only a seat can move.")
            chance = state.actor is CHANCE
            raise NotLegal("Chance decides now." if chance else "It is the other player's turn.")
        if not isinstance(move, Move):
            raise NotLegal("That is not a move at all.")
        actions = state.game.actions
        try:
            # The game's own move is played, whatever a player's equal one pretends to be.
            move = actions[actions.index(move)]
        except ValueError:
            raise NotLegal(f"That is not a move of {state.game.name}.") from None
        match = self._after(move, at)
        return match.settle(at) if match.bout.state.actor is CHANCE else match

    def settle(self, at: float = 0.0) -> Match:
        """The match after all pending chance moves; only the beginning of a match may need it."""
        match = self
        while match.actor is CHANCE:
            match = match._after(match.bout.draw_chance(match.draw), at)
        return match

    def with_hint(self, seat: Seat) -> Match:
        """The match after a seat took a hint."""
        return self._then(Hint(seat))

    def switch_aids(self, on: bool) -> Match:
        """The match after the players switched hints and notebook on or off."""
        return self._then(AidsSwitched(on))

    def resign(self, seat: Seat) -> Match:
        """The match after a seat resigned."""
        return self._then(Outcome(seat.other, Ending.RESIGNED))

    def forfeit(self, seat: Seat, why: str = "") -> Match:
        """The match after a seat lost outside the rules, as by time; the record says why."""
        detail = printable(why[:LONGEST_DETAIL])
        return self._then(Outcome(seat.other, Ending.FORFEITED, detail))

    def follow(self, entry: Entry) -> Match:
        """The match after an entry that was made elsewhere; or a refusal."""
        bout, record = self.bout, self.record
        if isinstance(entry, Step):
            bout = Bout(record.after(bout.state, entry), bout.turn_limit)
        return Match(bout, record.then(entry), self.draw, self._nonce)

    def _after(self, move: Move, at: float) -> Match:
        state, limit = self.bout
        bout = Bout(state.play(move), limit)
        return self._next(bout, bout.outcome, None, at)

    def _then(self, entry: Entry) -> Match:
        self._check_going_on()
        return self._next(self.bout, entry if isinstance(entry, Outcome) else None, entry)

    def _next(
        self, bout: Bout, outcome: Outcome | None, new: Entry | None, at: float = 0.0
    ) -> Match:
        match = Match.__new__(Match)
        match.bout, match.outcome, match.draw, match._nonce = bout, outcome, self.draw, self._nonce
        match._record, match._before, match._new, match._at = None, self, new, at
        return match

    def _entry(self) -> Entry:
        """The latest entry of the record, which is being written."""
        if self._new is not None:
            return self._new
        assert self._before is not None
        before, after = self._before.bout.state, self.bout.state
        number, actor, keeper = after.number, before.actor, before.keeper
        assert actor is not None
        if keeper is None:
            latest = after.past[1]
            return Step(number, actor, latest.move, latest.answer, time=self._at)
        move, nonce = after.secrets[keeper.index][-1], self._nonce(number)
        return Step(number, actor, move, None, keeper, nonce, commit(nonce, move), self._at)

    def _check_going_on(self) -> None:
        if self.outcome is not None:
            raise NotLegal("The match is over.")


def _chance(record: Record) -> Draw:
    """The source of chance for a match that was given none."""
    return draws() if record.coins is None else draw_by(record.coins, record.id)
