"""What was played: a record holds every step of a match, goes to text and back, and replays.

Its text is a journal: one JSON object a line, first who plays what, then an entry for every step,
hint and end. A journal only ever grows, so whatever breaks a writer off can only cut its end.

What is read is checked against the rules. That finds accidents and clumsy edits; whoever edits a
file so that all of it still fits is not found out.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, NoReturn

from strongroom.coins import Coins
from strongroom.contract import (
    Actor,
    Answer,
    AnyState,
    Ending,
    Event,
    Game,
    History,
    Json,
    Move,
    Outcome,
    Refusal,
    Seat,
    shown,
    shown_value,
)
from strongroom.contract.rules import listed, parts
from strongroom.contract.seat import actor_of, seat_of
from strongroom.journal import DamagedRecord as DamagedRecord
from strongroom.journal import line_of as line_of
from strongroom.journal import objects
from strongroom.registry import load
from strongroom.sitter import Sitter, check_names_differ
from strongroom.tokens import is_token
from strongroom.version import __version__

SCHEMA: Final = 2
"""The form of record that is written and read."""
LONGEST_DETAIL: Final = 200
"""How many characters the reason of a forfeit may have."""
LATEST: Final = 10**12
"""No step was made later than so many seconds after 1970, nor at a time that is no number."""


@dataclass(frozen=True, slots=True)
class Step:
    """One move as it was made; a hidden one reaches all but its keeper without the move."""

    number: int
    """From 1, without a gap, hidden steps and chance included."""
    actor: Actor
    """Who made the move."""
    move: Move | None
    """The move; None for those who may not know it."""
    answer: Answer = None
    """What the referee told both players of it; nothing, if the move is private."""
    keeper: Seat | None = None
    """Who alone may know the move, until the match is over."""
    nonce: str | None = None
    """Of a private move, 32 hexadecimal digits, random unless a seed was given."""
    commitment: str | None = None
    """A digest of nonce and move that can be shown to everyone before the move is."""
    time: float = field(default=0.0, compare=False)
    """When it was made, in seconds since 1970."""

    def seen_by(self, viewer: Seat | None) -> Step:
        """What a seat or a spectator gets of this step; an empty one if it is not for their eyes.

        >>> Step(1, Seat.ONE, None, keeper=Seat.ONE, nonce="00").seen_by(Seat.TWO).nonce is None
        True
        """
        if self.keeper is None or self.keeper is viewer:
            return self
        return replace(self, move=None, nonce=None)

    def to_json(self, game: Game) -> Json:
        """The step as JSON data."""
        data: Json = {
            "step": self.number,
            "seat": self.actor.value,
            "move": None if self.move is None else str(self.move),
            "answer": None if self.keeper or not self.move else game.answer_to_json(self.answer),
            "time": self.time,
        }
        if self.keeper is not None:
            data |= {"keeper": self.keeper.value, "commitment": self.commitment}
        return data if self.nonce is None else data | {"nonce": self.nonce}

    @classmethod
    def from_json(cls, game: Game, data: Any) -> Step:
        """The step whose `to_json` gave this data, its move known; or a refusal."""
        number, actor, text, answer, time = parts(data, "step", "seat", "move", "answer", "time")
        if type(time) not in (int, float) or not 0 <= time < LATEST:
            raise Refusal(f"{shown_value(time)} is no time.")
        move = game.move(text)
        if "keeper" not in data:
            answered = game.answer_from_json(move, answer)
            return cls(number, actor_of(actor), move, answered, time=float(time))
        if answer is not None:
            raise Refusal("A private move has no answer.")
        keeper, nonce, commitment = parts(data, "keeper", "nonce", "commitment")
        if not is_token(nonce):
            raise Refusal("A nonce is 32 hexadecimal digits.")
        if commitment != commit(nonce, move):
            raise Refusal("The commitment does not fit the private move.")
        seat = seat_of(keeper)
        return cls(number, actor_of(actor), move, None, seat, nonce, commitment, float(time))


def commit(nonce: str, move: Move | str) -> str:
    """A digest of a private move that tells nothing of it to whoever has not got the nonce.

    It is meant for players who do not share a disk: whoever was shown the digest before can check
    the move and the nonce afterwards. In a local file both stand beside it, so it binds nobody.
    """
    return hashlib.sha256(f"{nonce} {move}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Hint:
    """A seat asked what to play, and was told."""

    seat: Seat


Entry = Step | Hint | Outcome
"""A line of the journal after the first."""


class Record(NamedTuple):
    """A match from the first step to the last one made so far.

    A named tuple, like a match, because one is made for every step.
    """

    game: Game
    """What was played."""
    sitters: tuple[Sitter, Sitter]
    """Who sat in each seat."""
    turn_limit: int | None
    """After how many turns of both together the match is undecided; None: never."""
    id: str
    """Tells this match from every other, also from one that went just the same."""
    aids: bool = False
    """Whether the players were shown what was left to reckon with."""
    score: tuple[float, float] = (0.0, 0.0)
    """What each seat's player had won in this sitting before."""
    coins: Coins | None = None
    """What chance was bound to, where others can check it; None: to nothing."""
    entries: History[Entry] = History()
    """All lines of the journal after the first; what follows from them is kept beside them, so that
    a step costs the same however long the match has been. Only `then` adds to any of it."""
    steps: History[Step] = History()
    """The steps among them."""
    hints: tuple[int, int] = (0, 0)
    """How often each seat asked for a hint."""
    outcome: Outcome | None = None
    """How the match ended, or None while it goes on."""

    def then(self, entry: Entry) -> Record:
        """This record and one entry more, at a cost that does not grow with it."""
        steps, hints, outcome = self.steps, self.hints, self.outcome
        if isinstance(entry, Step):
            steps = steps.then(entry)
        elif isinstance(entry, Hint):
            one, two = hints
            hints = (one + 1, two) if entry.seat is Seat.ONE else (one, two + 1)
        else:
            outcome = entry
        entries = self.entries.then(entry)
        return Record(
            *(self.game, self.sitters, self.turn_limit, self.id, self.aids, self.score),
            *(self.coins, entries, steps, hints, outcome),
        )

    # --- replaying ---

    def replay(self) -> AnyState:
        """The state that the steps lead to, or a refusal at the first one that does not fit."""
        (last,) = deque(self.states(), maxlen=1)  # no more than one of them at a time
        return last

    def states(self) -> Iterator[AnyState]:
        """Every state on the way, from the start to the end."""
        for state in self._replayed():
            yield state
        self._check_outcome(state)

    def turns(self) -> dict[int, int]:
        """For the number of each step the number of its turn, as the running record counts them.

        Of steps made in private, which are the set-up, the running record has nothing.
        """
        found: dict[int, int] = {}
        turn = 0
        for step in self.steps:
            if step.keeper is None and step.move is not None:
                event = Event(step.actor, step.move, step.answer)
                turn += not turn or self.game.words.opens_turn(event)
                found[step.number] = turn
        return found

    def _replayed(self) -> Iterator[AnyState]:
        state: AnyState = self.game.start()
        yield state
        for step in self.steps:
            state = self.after(state, step)
            yield state

    def after(self, state: AnyState, step: Step) -> AnyState:
        """The state that a step leads to, or a refusal if it does not fit."""
        if self.turn_limit is not None and state.turns >= self.turn_limit:
            _damaged(step, "is past the turn limit.")
        if step.actor is not state.actor:
            _damaged(step, "is out of turn.")
        if step.keeper is not state.keeper:
            _damaged(step, "is private and should not be, or the reverse.")
        assert step.move is not None
        try:
            after = state.play(step.move)
        except Refusal as refusal:
            _damaged(step, f"does not fit: {refusal.reason}")
        if step.keeper is None and after.log[-1].answer != step.answer:
            _damaged(step, "was answered otherwise by the rules.")
        return after

    def due(self, end: AnyState) -> Outcome | None:
        """The outcome that the steps themselves lead to, if they do."""
        if end.outcome is None and self.turn_limit is not None and end.turns >= self.turn_limit:
            return Outcome(None, Ending.UNDECIDED)
        return end.outcome

    def _check_outcome(self, end: AnyState) -> None:
        due, found = self.due(end), self.outcome
        if found == due:
            return
        broken_off = found and found.reason in (Ending.RESIGNED, Ending.FORFEITED) and found.winner
        if due is not None or not broken_off:
            raise DamagedRecord("The outcome is not the one that the moves lead to.")

    # --- the journal ---

    def header(self) -> Json:
        """The first line of the journal."""
        data: Json = {
            "schema": SCHEMA,
            "version": __version__,
            "id": self.id,
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "seats": [{"name": each.name, "player": each.player} for each in self.sitters],
            "turn_limit": self.turn_limit,
            "aids": self.aids,
            "score": list(self.score),
        }
        return data if self.coins is None else data | {"coins": self.coins.to_json()}

    def entry_to_json(self, entry: Entry) -> Json:
        """One further line of the journal."""
        if isinstance(entry, Step):
            return entry.to_json(self.game)
        if isinstance(entry, Hint):
            return {"hint": entry.seat.value}
        return {"end": self.game.outcome_to_json(entry)}

    def lines(self) -> Iterator[str]:
        """The journal line by line, each with its end."""
        yield line_of(self.header())
        for entry in self.entries:
            yield line_of(self.entry_to_json(entry))

    def dumps(self) -> str:
        """The whole journal as text."""
        return "".join(self.lines())

    @classmethod
    def loads(cls, text: str, game: Game | None = None) -> Record:
        """The record in this text, replayed and checked; or a refusal that says what is wrong.

        Its game is the one registered under its name, or the one that is given.
        """
        return cls.written(text, game).checked()

    @classmethod
    def written(cls, text: str, game: Game | None = None) -> Record:
        """The record in this text, not replayed; a refusal only of what no record looks like."""
        first, *rest = objects(text)
        try:
            record = cls._begun(first, game)
        except Refusal as refusal:
            raise DamagedRecord(f"Line 1: {refusal}") from None
        for number, data in enumerate(rest, 2):
            try:
                record = record.then(record.entry_from_json(data))
            except Refusal as refusal:
                raise DamagedRecord(f"Line {number}: {refusal}") from None
        return record

    def checked(self) -> Record:
        """This record, replayed, with the end that its steps lead to; or a refusal."""
        (last,) = deque(self._replayed(), maxlen=1)
        due = self.due(last)
        # Whatever cut the last line cut no more than this.
        record = self.then(due) if self.outcome is None and due is not None else self
        record._check_outcome(last)
        return record

    @classmethod
    def _begun(cls, data: Any, given: Game | None) -> Record:
        if not isinstance(data, dict):
            raise Refusal("This is not a record: a record begins with a JSON object.")
        schema = data.get("schema")
        if type(schema) is not int or schema != SCHEMA:
            told = f"The record has schema {shown_value(schema)}; this version reads {SCHEMA}."
            earlier = "That form was never released." if type(schema) is int and schema == 1 else ""
            raise Refusal(told, earlier)
        name, options, seats, limit, mark = parts(
            data, "game", "options", "seats", "turn_limit", "id"
        )
        if not isinstance(options, dict) or len(listed(seats)) != 2:
            raise Refusal("Options are a JSON object, seats a list of two.")
        if limit is not None and (type(limit) is not int or limit < 1):
            raise Refusal(f"turn_limit is {shown_value(limit)}.")
        if not is_token(mark):
            raise Refusal("An id is 32 hexadecimal digits.")
        one, two = (Sitter(*parts(each, "name", "player")) for each in seats)
        check_names_differ(one, two)
        game = given or load(name, **options)
        if (game.name, game.options.to_json()) != (name, options):
            raise Refusal(f"This is a record of {shown(str(name))}, with other options or rules.")
        aids, score = data.get("aids", False), data.get("score", [0, 0])
        if type(aids) is not bool or not _is_score(score):
            raise Refusal("aids is true or false, score two numbers of points.")
        coins = Coins.from_json(data["coins"]) if "coins" in data else None
        points = float(score[0]), float(score[1])
        return cls(game, (one, two), limit, mark, aids, points, coins)

    def entry_from_json(self, data: Any) -> Entry:
        """The next entry, from its line of the journal; or a refusal."""
        if self.outcome is not None:
            raise Refusal("Something follows the end.")
        if "step" in data:
            step = Step.from_json(self.game, data)
            if type(step.number) is not int or step.number != len(self.steps) + 1:
                raise Refusal(f"Step {len(self.steps) + 1} is missing.")
            return step
        if "hint" in data:
            return Hint(seat_of(data["hint"]))
        outcome = self.game.outcome_from_json(*parts(data, "end"))
        if not (outcome.detail.isprintable() and len(outcome.detail) <= LONGEST_DETAIL):
            raise Refusal("The reason of a forfeit is short and printable.")
        return outcome


def _is_score(score: Any) -> bool:
    return (
        isinstance(score, list)
        and len(score) == 2
        and all(type(points) in (int, float) and 0 <= points < LATEST for points in score)
    )


def _damaged(step: Step, trouble: str) -> NoReturn:
    raise DamagedRecord(f"Step {step.number} ({step.move}) {trouble}")
