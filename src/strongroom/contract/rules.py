"""Rules: a rule book with its options chosen, before anything is played or said."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, NoReturn

from strongroom.contract.actions import Actions
from strongroom.contract.candidates import Candidates
from strongroom.contract.move import Answer, Event, Json, Move
from strongroom.contract.options import Options
from strongroom.contract.outcome import Ending, Outcome, Reason
from strongroom.contract.refusal import BadOption, NotUnderstood, Refusal, shown, shown_value
from strongroom.contract.seat import Seat, actor_of, seat_of


class Rules(ABC):
    """A rule book with its options chosen: a value, equal to any other with the same options."""

    options: Options
    """The options chosen."""
    name: ClassVar[str]
    """The name under which it is registered."""
    options_type: ClassVar[type[Options]] = Options
    """What can be chosen."""
    reasons: ClassVar[type[Reason]]
    """Why this game can end."""
    secrets_each: ClassVar[int] = 0
    """How many private things each player has after the set-up: chosen, or dealt by chance."""

    def __init__(self, options: Options | None = None) -> None:
        chosen = self.options_type() if options is None else options
        if type(chosen) is not self.options_type:
            raise BadOption(f"These are not options of {self.name}.")
        object.__setattr__(self, "options", chosen)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A game never changes; {name} cannot be set.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A game never changes; {name} cannot be taken away.")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.name, self.options))

    def __repr__(self) -> str:
        chosen = "".join(f", {k}={v!r}" for k, v in self.options.to_json().items())
        return f"load({self.name!r}{chosen})"

    @cached_property
    @abstractmethod
    def actions(self) -> Actions:
        """Every move the game has, numbered."""

    def candidates(self, seat: Seat) -> Candidates | None:
        """What a seat's opponent can hide, before the first turn; None: nothing is counted."""
        return None

    # --- text and JSON: every move has one text, every value one JSON form ---

    @cached_property
    def _by_text(self) -> dict[str, Move]:
        return {str(move): move for move in self.actions}

    def move(self, text: str) -> Move:
        """The move with exactly this canonical text."""
        found = self._by_text.get(text) if isinstance(text, str) else None
        return found if found is not None else self.no_move(text)

    def no_move(self, text: Any) -> NoReturn:
        """Refuse what is no text of a move of this game."""
        quoted = shown(text) if isinstance(text, str) else shown_value(text)
        raise NotUnderstood(f"{quoted} is no move of {self.name}.")

    def moves(self, texts: Any) -> tuple[Move, ...]:
        """The moves with these texts."""
        return tuple(map(self.move, listed(texts)))

    def board_to_json(self, board: Any) -> Any:
        """What lies on the table, as JSON data; by default there is nothing."""
        return board

    def board_from_json(self, data: Any) -> Any:
        """The board whose JSON form this is."""
        if data is not None:
            raise Refusal(f"{shown_value(data)} is no board of {self.name}.")
        return data

    def answer_to_json(self, answer: Answer) -> Any:
        """What the referee said, as JSON data: a move's text, an enum's value, a number."""
        if isinstance(answer, Move):
            return str(answer)
        return answer.value if isinstance(answer, Enum) else answer

    def answer_from_json(self, move: Move, data: Any) -> Answer:
        """The answer to a move whose JSON form this is; by default a number or nothing."""
        if data is not None and type(data) is not int:
            raise Refusal(f"{shown_value(data)} is no answer of {self.name}.")
        return data

    def event_to_json(self, event: Event) -> Json:
        """A public event as JSON data."""
        answer = self.answer_to_json(event.answer)
        return {"seat": event.actor.value, "move": str(event.move), "answer": answer}

    def event_from_json(self, data: Any) -> Event:
        """The event whose JSON form this is."""
        actor, text, answer = parts(data, "seat", "move", "answer")
        move = self.move(text)
        return Event(actor_of(actor), move, self.answer_from_json(move, answer))

    def outcome_to_json(self, outcome: Outcome) -> Json:
        """An outcome as JSON data."""
        winner = outcome.winner and outcome.winner.value
        return {"winner": winner, "reason": outcome.reason.value, "detail": outcome.detail}

    def outcome_from_json(self, data: Any) -> Outcome:
        """The outcome whose JSON form this is."""
        winner, code, detail = parts(data, "winner", "reason", "detail")
        for reason in (*self.reasons, *Ending):
            if reason.value == code and isinstance(detail, str):
                return Outcome(None if winner is None else seat_of(winner), reason, detail)
        raise Refusal(f"{shown_value(code)} is no way in which {self.name} ends.")


def parts(data: Any, *names: str) -> list[Any]:
    """The named parts of a JSON object, or a refusal if there is no such object."""
    if not isinstance(data, dict):
        raise Refusal(f"{shown_value(data)} should be a JSON object.")
    missing = [name for name in names if name not in data]
    if missing:
        raise Refusal(f"A part is missing: {missing[0]}.")
    return [data[name] for name in names]


def listed(data: Any) -> Sequence[Any]:
    """A JSON list, or a refusal."""
    if not isinstance(data, list):
        raise Refusal(f"{shown_value(data)} should be a JSON list.")
    return data
