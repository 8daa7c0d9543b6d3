"""What was played: a record holds every move of a match, goes to JSON and back, and replays."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from strongroom import __version__
from strongroom.game import CHANCE, Actor, Game, Json, Move, Outcome, Refusal, Seat, State
from strongroom.registry import load

SCHEMA = 1

# Endings that are facts about a match, not rules of a game.
RESIGNED = "won by the opponent's resignation"
FORFEITED = "won by the opponent's forfeit"
UNDECIDED = "undecided at the turn limit"


class DamagedRecord(Refusal):
    """A record that cannot be what was played: what is wrong in it, and where."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits in a seat: a name, and what kind of player it is."""

    name: str
    player: str = "person"


@dataclass(frozen=True, slots=True)
class Played:
    """One move as it was played; a private one carries the nonce of its commitment."""

    actor: Actor
    move: Move
    time: float = field(default=0.0, compare=False)
    nonce: str | None = None

    @property
    def commitment(self) -> str | None:
        """The digest that could be shown at once, and binds the player to a private move."""
        if self.nonce is None:
            return None
        return hashlib.sha256(f"{self.nonce} {self.move}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Record:
    """A match from the first move to the last one played so far."""

    game: Game
    sitters: tuple[Sitter, Sitter]
    moves: tuple[Played, ...] = ()
    outcome: Outcome | None = None
    turn_limit: int | None = None
    hints: tuple[int, int] = (0, 0)
    """How often each seat asked for a hint."""

    def replay(self) -> State[Any, Any, Any]:
        """The state that the moves lead to, or a refusal at the first move that does not fit."""
        return self.states()[-1]

    def states(self) -> list[State[Any, Any, Any]]:
        """Every state on the way, from the start to the end."""
        states = [self.game.start()]
        for number, played in enumerate(self.moves, 1):
            state = states[-1]
            if self.turn_limit is not None and state.turns >= self.turn_limit:
                raise DamagedRecord(f"Move {number} ({played.move}) is past the turn limit.")
            if played.actor is not state.actor:
                raise DamagedRecord(f"Move {number} ({played.move}) is out of turn.")
            try:
                states.append(state.play(played.move))
            except Refusal as refusal:
                reason = f"Move {number} ({played.move}) does not fit: {refusal.reason}"
                raise DamagedRecord(reason) from None
        self._check_outcome(states[-1])
        return states

    def _check_outcome(self, end: State[Any, Any, Any]) -> None:
        if end.outcome == self.outcome:
            return
        if end.outcome is None and self.outcome is not None:
            won = self.outcome.winner is not None
            if self.outcome.reason in (RESIGNED, FORFEITED) and won:
                return
            limit_reached = self.turn_limit is not None and end.turns >= self.turn_limit
            if self.outcome.reason == UNDECIDED and not won and limit_reached:
                return
        raise DamagedRecord("The outcome is not the one that the moves lead to.")

    def to_json(self) -> Json:
        """The record as JSON data."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "seats": [{"name": each.name, "player": each.player} for each in self.sitters],
            "turn_limit": self.turn_limit,
            "hints": list(self.hints),
            "moves": [
                {
                    "seat": played.actor.value,
                    "move": str(played.move),
                    "time": played.time,
                    "nonce": played.nonce,
                }
                for played in self.moves
            ],
            "commitments": [
                played.commitment for played in self.moves if played.commitment is not None
            ],
            "outcome": self.outcome and self.outcome.to_json(),
        }

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """The record in this JSON data, replayed and checked, or a refusal."""
        if not isinstance(data, dict):
            raise DamagedRecord("This is not a record: a record is a JSON object.")
        if data.get("schema") != SCHEMA:
            raise DamagedRecord(
                f"The record has schema {data.get('schema')!r}; this version reads {SCHEMA}."
            )
        try:
            record = cls._read(data)
        except Refusal as refusal:
            raise DamagedRecord(str(refusal)) from None
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DamagedRecord(f"A part is missing or malformed: {error!r}.") from None
        committed = [each.commitment for each in record.moves if each.commitment is not None]
        if committed != data.get("commitments"):
            raise DamagedRecord("The commitments do not fit the private moves.")
        for number, (state, played) in enumerate(
            zip(record.states(), record.moves, strict=False), 1
        ):
            if state.setting_up != (played.nonce is not None):
                raise DamagedRecord(f"Move {number} is private without a nonce, or the reverse.")
        return record

    @classmethod
    def _read(cls, data: Json) -> Record:
        game = load(data["game"], **data["options"])
        one, two = (Sitter(str(each["name"]), str(each["player"])) for each in data["seats"])
        limit = data["turn_limit"]
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise DamagedRecord(f"turn_limit is {limit!r}.")
        moves = []
        for number, each in enumerate(data["moves"], 1):
            actor: Actor = CHANCE if each["seat"] == CHANCE.value else Seat(each["seat"])
            try:
                move = game.move(each["move"])
            except Refusal as refusal:
                raise DamagedRecord(f"Move {number}: {refusal.reason}") from None
            nonce = each["nonce"]
            moves.append(
                Played(actor, move, float(each["time"]), None if nonce is None else str(nonce))
            )
        outcome = None if data["outcome"] is None else Outcome.from_json(data["outcome"])
        first, second = (int(count) for count in data["hints"])
        return cls(game, (one, two), tuple(moves), outcome, limit, (first, second))

    def dumps(self) -> str:
        """The record as JSON text."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def loads(cls, text: str) -> Record:
        """The record in this text, or a refusal that says what is wrong."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DamagedRecord(f"This is not a record: {error}.") from None
        return cls.from_json(data)
