"""Records: who sat down and every step of a match, written to text, read back and replayed.

The text is a journal, one JSON object per line: first who plays what, then an entry for every step,
hint, switch of the aids and end. A journal is append-only, so an interrupted write can only cut off
its end.

A record is checked against the rules when it is read. That finds accidents and clumsy edits, but
not an edit after which everything still fits.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, NamedTuple, NoReturn

from strongroom.contract import (
    NAMES,
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
    quote,
    shown_value,
)
from strongroom.contract.codec import (
    as_it_is,
    from_json,
    json_form,
    number_from,
    read_object,
    to_json,
    write_object,
)
from strongroom.contract.rules import parts, require_list
from strongroom.plugins.registry import load
from strongroom.referee.bout import UNDECIDED, Bout
from strongroom.referee.randomness import Coins, Token, is_token
from strongroom.text.quoting import is_visible
from strongroom.version import __version__

SCHEMA: Final = 2
"""The version of the form of records that are written and read."""
WITHOUT_AIDS: Final = "This game is played without hints and notebook."
"""What whoever asks for a hint is told in a match without aids."""
LONGEST_DETAIL: Final = 200
"""The most characters in the reason for a forfeit."""
LATEST: Final = 10**12
"""The upper limit of a step's time, in seconds since 1970."""


# --- who sits down -------------------------------------------------------------------------------


LONGEST_NAME: Final = 24
"""The most characters in a sitter's name."""
LONGEST_PLAYER: Final = 200
"""The most characters in what says what kind of player a sitter is."""
SEEN: Final = "Use letters, digits and visible signs."
PERSON: Final = "person"
"""The kind of player of a person, as opposed to a bot's name."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: a name, and what kind of player it is."""

    name: str
    """What the sitter is called."""
    player: str = PERSON
    """A person, or the name of a bot."""

    def __post_init__(self) -> None:
        for text, longest in ((self.name, LONGEST_NAME), (self.player, LONGEST_PLAYER)):
            if not isinstance(text, str) or not 1 <= len(text) <= longest:
                raise Refusal(f"A name has 1 to {longest} printable characters.")
            if not text.isprintable() or text != " ".join(text.split()):
                raise Refusal(f"{quote(text)} is not a name: it contains odd characters or blanks.")
            if not is_visible(text):
                raise Refusal(f"{quote(text)} is not a name: part of it is invisible.", SEEN)

    @property
    def is_person(self) -> bool:
        """Whether the sitter is a person, and no bot."""
        return self.player == PERSON

    @property
    def is_nameless(self) -> bool:
        """Whether the sitter has only the name of a seat."""
        return self.name in NAMES.values()

    @property
    def description(self) -> str:
        """The name, and a bot's kind where the name does not say it.

        >>> Sitter("Master", "master").description, Sitter("Max", "master").description
        ('Master', 'Max (master)')
        """
        plain = self.is_person or self.name.casefold() == self.player.casefold()
        return self.name if plain else f"{self.name} ({self.player})"


def check_names_differ(one: Sitter, two: Sitter) -> None:
    """Refuse two sitters with the same name."""
    if one.name == two.name:
        raise Refusal("The two names must differ.")


def called_by_seat(one: Sitter, two: Sitter) -> tuple[Sitter, Sitter]:
    """The sitters of both seats; one without a name of their own is named after the seat.

    >>> [sitter.name for sitter in called_by_seat(Sitter("Player 2"), Sitter("Ada"))]
    ['Player 1', 'Ada']
    """
    first, second = (
        replace(sitter, name=NAMES[seat]) if sitter.is_nameless else sitter
        for seat, sitter in zip(Seat, (one, two), strict=True)
    )
    return first, second


SITTERS: Final = (Sitter(NAMES[Seat.ONE]), Sitter(NAMES[Seat.TWO]))
"""Two people without names."""


# --- what was played -----------------------------------------------------------------------------


@json_form("step=number seat=actor move answer time keeper? commitment? nonce?")
@dataclass(frozen=True, slots=True)
class Step:
    """One move as it was made; a private one is sent without the move to all but its keeper."""

    number: int
    """From 1, without gaps; private steps and chance are included."""
    actor: Actor
    """Who made the move."""
    move: Move | None
    """The move; None for those who may not know it."""
    answer: Annotated[Answer, as_it_is] = None
    """What the referee told both players about it; None if the move is private."""
    keeper: Seat | None = None
    """Who alone may know the move, until the match is over."""
    nonce: Token | None = None
    """For a private move, 32 hexadecimal digits, random unless a seed was given."""
    commitment: str | None = None
    """A digest of nonce and move that can be shown to everyone before the move is."""
    time: Annotated[float, number_from(0, LATEST)] = field(default=0.0, compare=False)
    """When it was made, in seconds since 1970."""

    def seen_by(self, viewer: Seat | None) -> Step:
        """This step as a seat or a spectator sees it; without move and nonce if not for them.

        >>> Step(1, Seat.ONE, None, keeper=Seat.ONE, nonce="00").seen_by(Seat.TWO).nonce is None
        True
        """
        if self.keeper is None or self.keeper is viewer:
            return self
        return replace(self, move=None, nonce=None)

    def to_json(self, game: Game) -> Json:
        """The step as JSON data."""
        data: Json = write_object(self)
        if self.move and not self.keeper:
            data["answer"] = game.answer_to_json(self.answer)
        return data

    @classmethod
    def from_json(cls, game: Game, data: Any) -> Step:
        """The step whose `to_json` gave this data, which must include the move; or a refusal."""
        step = read_object(cls, data, game)
        move = game.move(data["move"])
        if step.keeper is None:
            # A missing answer is left to the replay, which says whether the step was private.
            given = step.answer
            known = None if given is None else game.answer_from_json(move, given)
            return replace(step, answer=known)
        if step.answer is not None:
            raise Refusal("A private move has no answer.")
        if step.nonce is None:
            raise Refusal("A part is missing: nonce.")
        if step.commitment != commit(step.nonce, move):
            raise Refusal("The commitment does not fit the private move.")
        return step


def commit(nonce: str, move: Move | str) -> str:
    """A digest of a private move that reveals nothing about it without the nonce.

    It is meant for players who do not share a disk: whoever was shown the digest before can check
    the move and the nonce afterwards. A local file contains both as well, so it binds nobody.
    """
    return hashlib.sha256(f"{nonce} {move}".encode()).hexdigest()


@json_form("hint=seat")
@dataclass(frozen=True, slots=True)
class Hint:
    """A seat asked what to play, and was told."""

    seat: Seat


@json_form("aids=on")
@dataclass(frozen=True, slots=True)
class AidsSwitched:
    """The players switched hints and notebook on or off."""

    on: bool


class _End(NamedTuple):
    """An outcome as a line of the journal."""

    end: Outcome


Entry = Step | Hint | AidsSwitched | Outcome
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
    """After how many turns of both players together the match is undecided; None for no limit."""
    id: str
    """Distinguishes this match from every other, even from one with the same moves."""
    aids: bool = False
    """Whether hints, and a notebook of what was still possible, were on when the match began."""
    score: tuple[float, float] = (0.0, 0.0)
    """The points of each seat's player from earlier matches of this sitting."""
    coins: Coins | None = None
    """The seeds that chance was bound to, for others to check; None if it was not."""
    entries: History[Entry] = History()
    """All lines of the journal after the first. The fields below follow from them and are kept
    as well, so that the cost of a step does not grow with the match. Only `then` adds to them."""
    steps: History[Step] = History()
    """The steps among them."""
    hints: tuple[int, int] = (0, 0)
    """How often each seat asked for a hint."""
    outcome: Outcome | None = None
    """How the match ended, or None while it goes on."""

    def then(self, entry: Entry) -> Record:
        """This record with one more entry, at a cost that does not grow with its length."""
        steps, hints, outcome = self.steps, self.hints, self.outcome
        if isinstance(entry, Step):
            steps = steps.then(entry)
        elif isinstance(entry, Hint):
            one, two = hints
            hints = (one + 1, two) if entry.seat is Seat.ONE else (one, two + 1)
        elif isinstance(entry, Outcome):
            outcome = entry
        entries = self.entries.then(entry)
        return Record(
            *(self.game, self.sitters, self.turn_limit, self.id, self.aids, self.score),
            *(self.coins, entries, steps, hints, outcome),
        )

    @property
    def aids_now(self) -> bool:
        """Whether hints and notebook are on after the last entry."""
        switched = [entry.on for entry in self.entries if isinstance(entry, AidsSwitched)]
        return switched[-1] if switched else self.aids

    # --- replaying ---

    def replay(self) -> AnyState:
        """The state that the steps lead to, or a refusal at the first one that does not fit."""
        (last,) = deque(self.states(), maxlen=1)  # keeps only one of them at a time
        return last

    def states(self) -> Iterator[AnyState]:
        """Every state on the way, from the start to the end."""
        for state in self._replay():
            yield state
        self._check_outcome(state)

    def turns(self) -> dict[int, int]:
        """The number of each step's turn, by the step's number, as the running record counts them.

        Private steps, which are the set-up, are not in the running record.
        """
        found: dict[int, int] = {}
        turn = 0
        for step in self.steps:
            if step.keeper is None and step.move is not None:
                event = Event(step.actor, step.move, step.answer)
                turn += not turn or self.game.words.opens_turn(event)
                found[step.number] = turn
        return found

    def _replay(self) -> Iterator[AnyState]:
        state: AnyState = self.game.start()
        yield state
        for step in self.steps:
            state = self.after(state, step)
            yield state

    def after(self, state: AnyState, step: Step) -> AnyState:
        """The state that a step leads to, or a refusal if it does not fit."""
        if self.due(state) is UNDECIDED:
            _refuse_damaged(step, "is past the turn limit.")
        if step.actor is not state.actor:
            _refuse_damaged(step, "is out of turn.")
        if step.keeper is not state.keeper:
            _refuse_damaged(step, "is private and should not be, or the reverse.")
        assert step.move is not None
        try:
            after = state.play(step.move)
        except Refusal as refusal:
            _refuse_damaged(step, f"does not fit: {refusal.reason}")
        if step.keeper is None and after.log[-1].answer != step.answer:
            _refuse_damaged(step, "has another answer by the rules.")
        return after

    def due(self, end: AnyState) -> Outcome | None:
        """The outcome that the steps themselves lead to, if any."""
        return Bout(end, self.turn_limit).outcome

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
        return data if self.coins is None else data | {"coins": to_json(self.coins)}

    def entry_to_json(self, entry: Entry) -> Json:
        """One further line of the journal."""
        if isinstance(entry, Step):
            return entry.to_json(self.game)
        return write_object(_End(entry) if isinstance(entry, Outcome) else entry)

    def lines(self) -> Iterator[str]:
        """The journal line by line, each with its newline."""
        yield line_of(self.header())
        for entry in self.entries:
            yield line_of(self.entry_to_json(entry))

    def dumps(self) -> str:
        """The whole journal as text."""
        return "".join(self.lines())

    @classmethod
    def loads(cls, text: str, game: Game | None = None) -> Record:
        """The record in this text, replayed and checked; or a refusal that says what is wrong.

        Its game is the one registered under its name, unless `game` is given.
        """
        return cls.from_text(text, game).check()

    @classmethod
    def from_text(cls, text: str, game: Game | None = None) -> Record:
        """The record in this text, not replayed; refused only if it lacks the form of a record."""
        first, *rest = objects(text)
        try:
            record = cls._begin(first, game)
        except Refusal as refusal:
            raise DamagedRecord(f"Line 1: {refusal}") from None
        for number, data in enumerate(rest, 2):
            try:
                record = record.then(record.entry_from_json(data))
            except Refusal as refusal:
                raise DamagedRecord(f"Line {number}: {refusal}") from None
        return record

    def check(self) -> Record:
        """This record, replayed, with the end that its steps lead to; or a refusal."""
        (last,) = deque(self._replay(), maxlen=1)
        due = self.due(last)
        # The steps end the match, so a truncated last line can only have held this outcome.
        record = self.then(due) if self.outcome is None and due is not None else self
        record._check_outcome(last)
        return record

    @classmethod
    def _begin(cls, data: Any, given: Game | None) -> Record:
        if not isinstance(data, dict):
            raise Refusal("This is not a record: a record begins with a JSON object.")
        schema = data.get("schema")
        if type(schema) is not int or schema != SCHEMA:
            told = f"The record has schema {shown_value(schema)}; this version reads {SCHEMA}."
            earlier = "That one was never released." if type(schema) is int and schema == 1 else ""
            raise Refusal(told, earlier)
        name, options, seats, limit, mark = parts(
            data, "game", "options", "seats", "turn_limit", "id"
        )
        if not isinstance(options, dict) or len(require_list(seats)) != 2:
            raise Refusal("Options must be a JSON object, and seats a list of two.")
        if limit is not None and (type(limit) is not int or limit < 1):
            raise Refusal(f"turn_limit is {shown_value(limit)}.")
        if not is_token(mark):
            raise Refusal("An id is 32 hexadecimal digits.")
        one, two = (Sitter(*parts(each, "name", "player")) for each in seats)
        check_names_differ(one, two)
        game = given or load(name, **options)
        if (game.name, game.options.to_json()) != (name, options):
            raise Refusal(f"This is a record of {quote(str(name))}, with other options or rules.")
        aids, score = data.get("aids", False), data.get("score", [0, 0])
        if type(aids) is not bool or not _is_score(score):
            raise Refusal("aids must be true or false, and score two numbers.")
        coins = from_json(Coins, data["coins"]) if "coins" in data else None
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
            return from_json(Hint, data)
        if "aids" in data:
            return from_json(AidsSwitched, data)
        outcome = from_json(_End, data, self.game).end
        if not (outcome.detail.isprintable() and len(outcome.detail) <= LONGEST_DETAIL):
            raise Refusal("The reason for a forfeit must be short and printable.")
        return outcome


def _is_score(score: Any) -> bool:
    return (
        isinstance(score, list)
        and len(score) == 2
        and all(type(points) in (int, float) and 0 <= points < LATEST for points in score)
    )


def _refuse_damaged(step: Step, trouble: str) -> NoReturn:
    raise DamagedRecord(f"Step {step.number} ({step.move}) {trouble}")


# --- its text ------------------------------------------------------------------------------------


class DamagedRecord(Refusal):
    """A text that cannot be what was written, with what is wrong and where."""


def line_of(data: Json) -> str:
    """A line of a journal."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def objects(text: str) -> list[Any]:
    """The JSON objects of a journal's lines, without a truncated last one."""
    if text.startswith(("{\n", "{\r\n")) and _is_one_object(text):
        raise DamagedRecord("It has an earlier, unreleased format that can no longer be read.")
    whole, newline, last = text.rpartition("\n")
    lines = whole.split("\n") if newline else []
    objects = [_object(line, number) for number, line in enumerate(lines, 1)]
    if last:
        _check_cut(last, len(objects) + 1)
        try:
            objects.append(_object(last, len(objects) + 1))
        except DamagedRecord:
            if not objects:
                raise
    if not objects:
        raise DamagedRecord("It is empty.")
    return objects


def _is_one_object(text: str) -> bool:
    """Whether a text is one object over many lines, the earlier form of a record."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _check_cut(last: str, number: int) -> None:
    """Refuse text after the object in an unterminated last line: truncation never adds any."""
    try:
        _, end = json.JSONDecoder().raw_decode(last)
    except (ValueError, RecursionError):
        return  # it is truncated, or not JSON at all
    if last[end:].strip("\0"):  # a machine that crashes while writing leaves zeros
        raise DamagedRecord(f"Line {number} ends with {quote(last[end:])}, not with a new line.")


def _object(line: str, number: int) -> Any:
    try:
        data = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"Line {number} is not JSON: {quote(str(error), 80)}.") from None
    if not isinstance(data, dict):
        raise DamagedRecord(f"Line {number} is not a JSON object.")
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
