"""Frozen values as JSON data, and back: the one codec for everything that is stored or sent.

A dataclass or named tuple is an object of its fields in their order, an enum its value, a tuple a
list, a mapping an object. A class that is written differently is decorated with `json_form`, which
lists the parts of its object, each in one word:

    name          the field or property of that name
    key=name      the same under another key
    name?         left out while it is None; may be missing when it is read
    *name         its own parts among the others, not under a key

A class that is no such object has two methods, `to_json(self)` and the class method
`from_json(cls, data, game)`: a move, for one, is its text, which only its game can read.

What is read must have the type of its field. `Annotated` narrows it to what is `Accepted`, or gives
a `Reader` for this field alone. Unknown parts are ignored. A refusal names the part and what is
accepted there.

>>> @json_form("value=points name?")
... @dataclass(frozen=True)
... class Rating:
...     points: Annotated[float, number_from(0, 100)]
...     name: str | None = None
>>> to_json(Rating(1.5)), from_json(Rating, {"value": 2})
({'value': 1.5}, Rating(points=2.0, name=None))
>>> from_json(tuple[Rating, ...], [{"value": 500}])
Traceback (most recent call last):
strongroom.contract.codec.Misplaced: [0].value: '500' should be a number from 0 to 100.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from itertools import repeat
from operator import attrgetter
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from strongroom.contract.refusal import Refusal, harmless, quote, shown_value

T = TypeVar("T")
Reader = Callable[[Any, Any], Any]
"""Reads a value from JSON data, and from its game if it depends on one."""

PLAIN: Final = {str: "a text", int: "a whole number", bool: "true or false", NoneType: "null"}
"""The types that are the same in JSON, and what a refusal calls them."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A condition on the value of a field, for `Annotated`."""

    text: str
    """What is accepted, as a refusal says it."""
    holds: Callable[[Any], bool]


def json_form(parts: str) -> Callable[[T], T]:
    """Say of a class which parts its values have in JSON."""

    def decorate(kind: Any) -> Any:
        kind.json_form = parts
        return kind

    return decorate


def number_from(low: float, high: float) -> Accepted:
    """The condition that a number lies between two bounds or is one of them."""
    return Accepted(f"a number from {low} to {high}", lambda number: low <= number <= high)


class Misfit(Refusal):
    """A refusal of JSON data that is not what it should be."""

    def __init__(self, data: Any, kind: str) -> None:
        self.kind = kind
        quoted = quote(data) if isinstance(data, str) else shown_value(data)
        super().__init__(f"{quoted} should be {kind}.")


class Misplaced(Refusal):
    """A refusal of a part of JSON data; it begins with the place, such as `seats[0].name`."""

    def __init__(self, key: str | int, refusal: Refusal) -> None:
        self.place = f"[{key}]" if isinstance(key, int) else harmless(key)
        self.refusal: Refusal = refusal
        if isinstance(refusal, Misplaced):
            self.place += f".{refusal.place}".replace(".[", "[", 1)
            self.refusal = refusal.refusal
        super().__init__(f"{self.place}: {self.refusal.reason}", self.refusal.accepted)


# --- the parts of an object ----------------------------------------------------------------------


def _is_object(kind: Any) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields")


def _fields(kind: Any) -> list[str]:
    return [each.name for each in fields(kind)] if is_dataclass(kind) else [*kind._fields]


def _parts(kind: Any) -> list[tuple[str, str, bool]]:
    """Key and name of each part, and whether it can be left out; the key is empty after a `*`."""
    parts = []
    for word in getattr(kind, "json_form", " ".join(_fields(kind))).split():
        key, _, name = word.rstrip("?").rpartition("=")
        bare = name.removeprefix("*")
        parts.append(("" if name != bare else key or name, bare, word[-1] == "?"))
    return parts


# --- writing -------------------------------------------------------------------------------------


def to_json(value: Any) -> Any:
    """A value as JSON data."""
    return _WRITERS[type(value)](value)


def write_object(value: Any) -> dict[str, Any]:
    """The parts of a value, even if its class has a `to_json` of its own."""
    kind: Any = type(value)
    return _object_writer(kind)(value)


class _Writers(dict[type, Callable[[Any], Any]]):
    """For each class, what writes its values."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = writer = _writer(kind)
        return writer


_WRITERS: Final = _Writers()


def _writer(kind: Any) -> Callable[[Any], Any]:
    if hasattr(kind, "to_json"):
        return lambda value: value.to_json()
    if issubclass(kind, Enum):
        return attrgetter("value")
    if issubclass(kind, (float, *PLAIN)):
        return as_it_is
    if _is_object(kind):
        return _object_writer(kind)
    if issubclass(kind, Mapping):
        return lambda value: {str(to_json(key)): to_json(each) for key, each in value.items()}
    if issubclass(kind, Sequence):
        return lambda value: [*map(to_json, value)]
    raise TypeError(f"{kind.__name__} has no form in JSON.")


@cache
def _object_writer(kind: Any) -> Callable[[Any], dict[str, Any]]:
    parts = [(key, attrgetter(name), optional) for key, name, optional in _parts(kind)]

    def write(value: Any) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key, get, optional in parts:
            part = get(value)
            if not key:
                data |= to_json(part)
            elif part is not None or not optional:
                data[key] = _WRITERS[type(part)](part)
        return data

    return write


# --- reading -------------------------------------------------------------------------------------


@overload
def from_json(kind: type[T], data: Any, game: Any = None) -> T: ...
@overload
def from_json(kind: Any, data: Any, game: Any = None) -> Any: ...
def from_json(kind: Any, data: Any, game: Any = None) -> Any:
    """The value of a type from JSON data, or a refusal; what depends on a game is read by it."""
    return _reader(kind)(data, game)


def read_object(kind: type[T], data: Any, game: Any = None) -> T:
    """The value of a class from its parts, even if the class has a `from_json` of its own."""
    return kind(**_fields_reader(cast("Any", kind))(data, game, False))


def read_fields(kind: Any, data: Any, game: Any = None) -> dict[str, Any]:
    """The fields of a class by name, as far as JSON data has them."""
    return _fields_reader(kind)(data, game, True)


def as_it_is(data: Any, game: Any = None) -> Any:
    """Read a part as the JSON data that it is."""
    return data


@cache
def _reader(kind: Any) -> Reader:
    """The reader of an annotation."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    kinds = inner if origin in (Union, UnionType) else (kind,)
    if kind is Any:
        return as_it_is
    if all(each in PLAIN for each in kinds):
        return _plain_reader(kinds)
    if len(kinds) > 1:
        return _union_reader(kinds)
    if kind is float:
        return _read_number
    if origin is Annotated:
        given = inner[1]
        return _narrowed_reader(_reader(inner[0]), given) if isinstance(given, Accepted) else given
    if hasattr(origin, "from_json"):
        return lambda data, game: origin.from_json(data, game)
    if issubclass(origin, Enum):
        return _enum_reader(origin)
    if _is_object(origin):
        return partial(read_object, origin)
    if issubclass(origin, Mapping):
        key, value = inner
        return _mapping_reader(_read_index if key is int else _reader(key), _reader(value))
    if issubclass(origin, Sequence):
        made = list if origin is list else tuple
        if origin is tuple and inner[-1] is not Ellipsis:
            return _list_reader(made, [*map(_reader, inner)], len(inner))
        return _list_reader(made, repeat(_reader(inner[0])))
    raise TypeError(f"{kind} is not read from JSON.")


def _plain_reader(kinds: tuple[Any, ...]) -> Reader:
    def read(data: Any, game: Any) -> Any:
        if type(data) not in kinds:
            raise Misfit(data, " or ".join(PLAIN[kind] for kind in kinds))
        return data

    return read


def _union_reader(kinds: Iterable[Any]) -> Reader:
    readers, optional = [*map(_reader, kinds)], NoneType in kinds

    def read(data: Any, game: Any) -> Any:
        if data is None and optional:
            return None
        accepted = []
        for reader in readers:
            try:
                return reader(data, game)
            except Misfit as misfit:  # a refusal of a part of the data is passed on
                accepted.append(misfit.kind)
        raise Misfit(data, " or ".join(accepted))

    return read


def _read_number(data: Any, game: Any) -> float:
    if type(data) not in (int, float) or not abs(data) <= sys.float_info.max:
        raise Misfit(data, "a number")
    return float(data)


def _read_index(data: Any, game: Any) -> int:
    """A whole number as the key of an object, which is always a text."""
    if not (isinstance(data, str) and data.isascii() and data.isdigit() and len(data) < 20):
        raise Misfit(data, "a whole number")
    return int(data)


def _narrowed_reader(read_any: Reader, accepted: Accepted) -> Reader:
    def read(data: Any, game: Any) -> Any:
        value = read_any(data, game)
        if not accepted.holds(value):
            raise Misfit(data, accepted.text)
        return value

    return read


def _enum_reader(kind: type[Enum]) -> Reader:
    def read(data: Any, game: Any) -> Enum:
        for each in kind:
            if type(data) is type(each.value) and data == each.value:
                return each
        raise Misfit(data, " or ".join(str(each.value) for each in kind))

    return read


@cache
def _fields_reader(kind: Any) -> Callable[[Any, Any, bool], dict[str, Any]]:
    hints, names = get_type_hints(kind, include_extras=True), _fields(kind)
    parts = [
        (key, name, _reader(hints[name]), optional)
        for key, name, optional in _parts(kind)
        if name in names
    ]

    def read(data: Any, game: Any, some: bool) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise Misfit(data, "a JSON object")
        found = {}
        for key, name, reader, optional in parts:
            if not key:
                if not some:
                    found[name] = reader(data, game)
            elif key in data:
                try:
                    found[name] = reader(data[key], game)
                except Refusal as refusal:
                    raise Misplaced(key, refusal) from None
            elif not (optional or some):
                raise Refusal(f"A part is missing: {key}.")
        return found

    return read


def _mapping_reader(read_key: Reader, read_value: Reader) -> Reader:
    def read(data: Any, game: Any) -> dict[Any, Any]:
        if not isinstance(data, dict):
            raise Misfit(data, "a JSON object")
        key, found = "", {}
        try:
            for key, value in data.items():
                found[read_key(key, game)] = read_value(value, game)
        except Refusal as refusal:
            raise Misplaced(key, refusal) from None
        return found

    return read


def _list_reader(made: Any, readers: Iterable[Reader], length: int | None = None) -> Reader:
    def read(data: Any, game: Any) -> Any:
        if not isinstance(data, list) or length not in (None, len(data)):
            raise Misfit(data, "a JSON list" + (f" of {length}" if length else ""))
        found: list[Any] = []
        try:
            for reader, each in zip(readers, data, strict=False):
                found.append(reader(each, game))
        except Refusal as refusal:
            raise Misplaced(len(found), refusal) from None
        return made(found)

    return read
