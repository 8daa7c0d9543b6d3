"""Histories: sequences that never change, and that go on at a cost that never grows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Generic, Self, TypeVar, overload

T = TypeVar("T")

Link = tuple[Any, Any, int]
"""A chain of items: what came earlier, the latest item, and how many there are."""
NOTHING: Final[Link] = (None, None, 0)


class History(Sequence[T], Generic[T]):
    """All that happened, in order, linked from the latest item back to the first.

    To go on costs one link, from wherever and in however many directions, and shares everything
    earlier. Near its end it is read at once; whoever wants all of it walks through it once.

    >>> one = History("a")
    >>> one.then("b"), one.then("c"), one
    (History('a', 'b'), History('a', 'c'), History('a'))
    """

    __slots__ = ("_link",)

    def __init__(self, *items: T) -> None:
        self._link = linked(items)

    @classmethod
    def of(cls, link: Link) -> Self:
        """The history that ends with a link."""
        history = cls.__new__(cls)
        history._link = link
        return history

    def then(self, item: T) -> History[T]:
        """This history and one item more."""
        return History.of((self._link, item, self._link[2] + 1))

    def begins_with(self, earlier: History[T]) -> bool:
        """Whether all of an earlier history comes first in this one.

        It costs what has come since, if this one went on from it.

        >>> one = History("a")
        >>> two, other = one.then("b"), one.then("c")
        >>> two.begins_with(one), one.begins_with(two), other.begins_with(two)
        (True, False, False)
        """
        link = self._link
        while link[2] > earlier._link[2]:
            link = link[0]
        return _alike(link, earlier._link)

    def __len__(self) -> int:
        return self._link[2]

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...

    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if place == -1 and self._link[2]:
            last: T = self._link[1]
            return last
        if isinstance(place, slice):
            start, stop, step = place.indices(self._link[2])
            if step != 1:
                return tuple(self)[place]
            return tuple(_between(self._link, start, stop))
        place = range(len(self))[place]
        items: list[T] = _between(self._link, place, place + 1)
        return items[0]

    def __iter__(self) -> Iterator[T]:
        return iter(_between(self._link, 0, len(self)))

    def __reversed__(self) -> Iterator[T]:
        link = self._link
        while link[2]:
            yield link[1]
            link = link[0]

    def __eq__(self, other: object) -> bool:
        return _alike(self._link, other._link) if isinstance(other, History) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"History({', '.join(map(repr, self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        return History, tuple(self)  # as long as it may be, nothing is nested


def linked(items: Iterable[object]) -> Link:
    """The items as a chain."""
    link = NOTHING
    for number, item in enumerate(items, 1):
        link = (link, item, number)
    return link


def _between(link: Link, start: int, stop: int) -> list[Any]:
    """The items from one place up to another; it costs as much as start is from the end."""
    items = []
    while link[2] > start:
        if link[2] <= stop:
            items.append(link[1])
        link = link[0]
    items.reverse()
    return items


def _alike(one: Link, other: Link) -> bool:
    """Whether two chains hold equal items; what they share is not looked at."""
    if one[2] != other[2]:
        return False
    while one is not other and one[2]:
        if one[1] != other[1]:
            return False
        one, other = one[0], other[0]
    return True
