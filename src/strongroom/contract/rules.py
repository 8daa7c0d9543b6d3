"""Rules: a rule book with its options chosen, independent of states and words."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, NoReturn, Self

from strongroom.contract.actions import Actions, Answers, Phase
from strongroom.contract.candidates import Candidates
from strongroom.contract.codec import read_object
from strongroom.contract.history import History, HistoryFold
from strongroom.contract.moves import (
    Answer,
    Event,
    Json,
    Move,
    Reason,
    Seat,
    numbers_of,
)
from strongroom.contract.refusal import (
    BadOption,
    NotUnderstood,
    Refusal,
    harmless,
    quote,
    shown_value,
)
from strongroom.text.spelling import did_you_mean

# --- options -------------------------------------------------------------------------------------


YES_OR_NO = {
    **dict.fromkeys(("yes", "y", "true", "on", "1"), True),
    **dict.fromkeys(("no", "n", "false", "off", "0"), False),
}


def option_text(value: bool | int | None) -> str:
    """The value of an option, as it is typed.

    >>> option_text(True), option_text(None), option_text(4)
    ('yes', 'none', '4')
    """
    if value is None:
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def option(default: int | None, why: str, low: int = 0, high: int = 1) -> Any:
    """An option's field: its default, what it is for, and its range (a bool needs none)."""
    return field(default=default, metadata={"why": why, "low": low, "high": high})


@dataclass(frozen=True)
class Options:
    """The choices that a game leaves open; each value is checked when the options are made."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value, default = getattr(self, each.name), each.default
            if value is None and default is None:
                continue
            if isinstance(default, bool):
                if not isinstance(value, bool):
                    raise BadOption(f"{each.name} must be yes or no; you gave {_printable(value)}.")
                continue
            low, high = each.metadata["low"], each.metadata["high"]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                none = ", or none" if default is None else ""
                allowed = f"{each.name} must be a number from {low} to {high}{none}"
                raise BadOption(f"{allowed}; you gave {_printable(value)}.")

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The options with these values, or a refusal that names the existing options."""
        known = [each.name for each in fields(cls)]
        for name in values:
            if name not in known:
                there_are = f"Choose from: {', '.join(known)}." if known else "This game has none."
                meant = did_you_mean(name, known) or there_are
                raise BadOption(f"There is no option {quote(name)}.", meant)
        return cls(**values)

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """The options as typed at a command line: `4`, `none`, `yes`, `no`."""
        yes_or_no = {each.name for each in fields(cls) if isinstance(each.default, bool)}
        values: dict[str, Any] = {}
        for name, text in texts.items():
            word = text.strip().lower()
            if name in yes_or_no:
                values[name] = YES_OR_NO.get(word, word)
            elif word in ("none", "off", "unlimited"):
                values[name] = None
            else:
                values[name] = int(word) if re.fullmatch("-?[0-9]{1,9}", word) else word
        return cls.from_values(values)

    def to_json(self) -> dict[str, Any]:
        """The options by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def changes(self) -> list[str]:
        """The values that are not the defaults, as they are typed: `digits=4`."""
        usual = type(self)().to_json()
        return [f"{k}={v}" for k, v in self.to_json().items() if v != usual[k]]

    def changes_in_words(self) -> list[str]:
        """The same as a person says them: `digits 4`, `allow same digit`."""
        said = [each.replace("_", " ").replace("=", " ") for each in self.changes()]
        return [each.removesuffix(" True") for each in said]


def _printable(value: object) -> str:
    """A value as quoted in a refusal; Python itself refuses to print the very longest numbers."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return "one with more than 20 digits"
    return harmless(str(value))


# --- the rule book -------------------------------------------------------------------------------


def require_attributes(kind: type, **needed: str) -> None:
    """Refuse a class whose author has left out an attribute, and say what the attribute is.

    >>> require_attributes(Rules, name="the name of its entry point")
    Traceback (most recent call last):
    ...
    TypeError: Rules has no attribute name: set it to the name of its entry point.
    """
    for name, what in needed.items():
        if not hasattr(kind, name):
            raise TypeError(f"{kind.__name__} has no attribute {name}: set it to {what}.")


class Rules(ABC):
    """A rule book with its options chosen: a value, equal to any other with the same options."""

    options: Options
    """The options chosen."""
    name: ClassVar[str]
    """The name under which it is registered."""
    options_type: ClassVar[type[Options]] = Options
    """The type of its options."""
    reasons: ClassVar[type[Reason]]
    """The reasons for which this game can end."""
    secrets_each: ClassVar[int] = 0
    """How many secrets each player has after the set-up, chosen or dealt by chance."""
    longest_turn: ClassVar[int] = 1
    """The most moves in a turn, including the opponent's replies and the moves of chance."""

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

    def to_json(self) -> Json:
        """The name of the game and its options, the parts by which JSON data names it."""
        return {"game": self.name, "options": self.options.to_json()}

    @classmethod
    def from_json(cls, data: Any, game: Rules) -> Rules:
        """This game, if data names it; or a refusal."""
        if parts(data, "game", "options") != [*game.to_json().values()]:
            raise Refusal(f"The game is not {game!r}.")
        return game

    def __repr__(self) -> str:
        chosen = "".join(f", {k}={v!r}" for k, v in self.options.to_json().items())
        return f"load({self.name!r}{chosen})"

    @cached_property
    @abstractmethod
    def actions(self) -> Actions:
        """Every move of the game, numbered; those of chance stand last."""

    @cached_property
    def answers(self) -> Answers:
        """Every answer that the referee can give, numbered; by default, no move is answered."""
        return Answers([None])

    @property
    def most_turns(self) -> int | None:
        """The most turns in a game, both players' together; None if the rules set no limit."""
        return None

    def longest_game(self, turn_limit: int | None = None) -> int | None:
        """The most moves in a game, including those of the set-up and of chance; None if unbounded.

        A turn limit, with which the referee ends a match undecided, bounds any game.
        """
        limits = [limit for limit in (self.most_turns, turn_limit) if limit is not None]
        return 2 * self.secrets_each + self.longest_turn * min(limits) if limits else None

    def candidates(self, seat: Seat) -> Candidates | None:
        """What a seat's opponent can hide, before the first turn; None if nothing is counted."""
        return None

    def secret_of(self, candidate: tuple[int, ...]) -> Move:
        """The secret that a candidate stands for: by default, the one made of just these numbers.

        If secrets are not made of numbers, it is the one whose text is the numbers with dashes.

        >>> from strongroom import load
        >>> str(load("safe-cracker").secret_of((3, 1, 2)))
        '3-1-2'
        """
        return self._by_numbers.get(candidate) or self.move("-".join(map(str, candidate)))

    @cached_property
    def _by_numbers(self) -> dict[tuple[int, ...], Move]:
        """The moves of the set-up that are made of numbers alone, however they are written."""
        found: dict[tuple[int, ...], Move] = {}
        for block in self.actions.blocks:
            for move in block.moves if Phase.SET_UP in block.phase else ():
                if numbers := numbers_of(move):
                    found.setdefault(numbers, move)
        return found

    # --- text and JSON: every move has one text, every value one JSON form ---

    @cached_property
    def _by_text(self) -> dict[str, Move]:
        return {str(move): move for move in self.actions}

    def move(self, text: str) -> Move:
        """The move with exactly this canonical text."""
        found = self._by_text.get(text) if isinstance(text, str) else None
        return found if found is not None else self.no_move(text)

    def no_move(self, text: Any) -> NoReturn:
        """Refuse something that is not the text of a move of this game."""
        quoted = quote(text) if isinstance(text, str) else shown_value(text)
        raise NotUnderstood(f"{quoted} is not a move of {self.name}.")

    def moves(self, texts: Any) -> tuple[Move, ...]:
        """The moves with these texts."""
        return tuple(map(self.move, require_list(texts)))

    def board_to_json(self, board: Any) -> Any:
        """The board as JSON data; by default there is none."""
        return board

    def board_from_json(self, data: Any) -> Any:
        """The board from its JSON form."""
        if data is not None:
            raise Refusal(f"{shown_value(data)} is not a board of {self.name}.")
        return data

    def answer_to_json(self, answer: Answer) -> Any:
        """The referee's answer as JSON data: a move's text, an enum's value, a number."""
        if isinstance(answer, Move):
            return str(answer)
        return answer.value if isinstance(answer, Enum) else answer

    @cached_property
    def _by_json(self) -> dict[str, Answer]:
        return {repr(self.answer_to_json(answer)): answer for answer in self.answers}

    def answer_from_json(self, move: Move, data: Any) -> Answer:
        """The answer to a move from its JSON form, or a refusal."""
        try:
            return self._by_json[repr(data)]  # unlike the data itself, tells 1 from true
        except (KeyError, ValueError, RecursionError):
            raise Refusal(f"{shown_value(data)} is not an answer of {self.name}.") from None

    def event_to_json(self, event: Event) -> Json:
        """A public event as JSON data."""
        answer = self.answer_to_json(event.answer)
        return {"seat": event.actor.value, "move": str(event.move), "answer": answer}

    def event_from_json(self, data: Any) -> Event:
        """A public event from its JSON form."""
        event = read_object(Event, data, self)
        return event._replace(answer=self.answer_from_json(event.move, event.answer))


class CandidateTracker:
    """What each seat's opponent can still hide; only the new part of a history is read."""

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._folds: dict[Seat, HistoryFold[Event, Candidates]] = {}

    def left_for(self, seat: Seat, history: History[Event]) -> Candidates | None:
        """What is left for a seat after the public history; None if nothing is counted."""
        if seat not in self._folds:
            start = self._game.candidates(seat)
            if start is None:
                return None
            self._folds[seat] = HistoryFold(start, type(start).after)
        return self._folds[seat].after(history)


def parts(data: Any, *names: str) -> list[Any]:
    """The named parts of a JSON object, or a refusal if the data is none or lacks a part."""
    if not isinstance(data, dict):
        raise Refusal(f"{shown_value(data)} should be a JSON object.")
    missing = [name for name in names if name not in data]
    if missing:
        raise Refusal(f"A part is missing: {missing[0]}.")
    return [data[name] for name in names]


def require_list(data: Any) -> Sequence[Any]:
    """The same data if it is a JSON list; otherwise a refusal."""
    if not isinstance(data, list):
        raise Refusal(f"{shown_value(data)} should be a JSON list.")
    return data
