"""Histories: immutable sequences extended in constant time, and values folded over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, Self, TypeVar, overload

T = TypeVar("T")
V = TypeVar("V")

Link = tuple[Any, Any, int]
"""A chain of items: the earlier link, the latest item, and the number of items."""
NOTHING: Final[Link] = (None, None, 0)


class History(Sequence[T], Generic[T]):
    """An immutable sequence, linked from the latest item back to the first.

    Adding an item costs one link and shares all earlier items; several histories can continue the
    same one. Reading near the end is fast; iterating walks the whole chain once.

    >>> one = History("a")
    >>> one.then("b"), one.then("c"), one
    (History('a', 'b'), History('a', 'c'), History('a'))
    """

    __slots__ = ("_link",)

    def __init__(self, *items: T) -> None:
        self._link = link_items(items)

    @classmethod
    def of(cls, link: Link) -> Self:
        """The history that ends with this link."""
        history = cls.__new__(cls)
        history._link = link
        return history

    def then(self, item: T) -> History[T]:
        """This history with one more item."""
        return History.of((self._link, item, self._link[2] + 1))

    def begins_with(self, earlier: History[T]) -> bool:
        """Whether this history starts with all of an earlier one.

        If it continues that one, the cost is the number of items added since.

        >>> one = History("a")
        >>> two, other = one.then("b"), one.then("c")
        >>> two.begins_with(one), one.begins_with(two), other.begins_with(two)
        (True, False, False)
        """
        link = self._link
        while link[2] > earlier._link[2]:
            link = link[0]
        return _alike(link, earlier._link)

    def since(self, earlier: History[T]) -> list[T] | None:
        """What was added to an earlier history, latest first; None if this one does not begin so.

        >>> History("a", "b", "c").since(History("a")), History("b").since(History("a"))
        (['c', 'b'], None)
        """
        link, start, added = self._link, earlier._link, []
        while link[2] > start[2]:
            added.append(link[1])
            link = link[0]
        return added if link is start or _alike(link, start) else None

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
        return History, tuple(self)  # flat: nested links would be too deep for pickle


class HistoryFold(Generic[T, V]):
    """Folds a history into a value; a caller that follows a game pays for each item once.

    A history that does not continue the last one is read from its beginning.

    >>> count = HistoryFold(0, lambda number, item: number + 1)
    >>> count.after(History("a", "b"))
    2
    """

    def __init__(self, start: V, step: Callable[[V, T], V]) -> None:
        self._start, self._step = start, step
        # One reference for both, so that concurrent callers cannot mix them up.
        self._last: tuple[History[T], V] = (History(), start)

    def after(self, history: History[T]) -> V:
        """The value after a whole history."""
        read, value = self._last
        if not history.begins_with(read):
            read, value = History(), self._start
        for item in history[len(read) :]:
            value = self._step(value, item)
        self._last = (history, value)
        return value


def link_items(items: Iterable[object]) -> Link:
    """The items as a chain."""
    link = NOTHING
    for number, item in enumerate(items, 1):
        link = (link, item, number)
    return link


def _between(link: Link, start: int, stop: int) -> list[Any]:
    """The items from start up to stop; the cost is the distance of start from the end."""
    items = []
    while link[2] > start:
        if link[2] <= stop:
            items.append(link[1])
        link = link[0]
    items.reverse()
    return items


def _alike(one: Link, other: Link) -> bool:
    """Whether two chains hold equal items; links that they share are not compared."""
    if one[2] != other[2]:
        return False
    while one is not other and one[2]:
        if one[1] != other[1]:
            return False
        one, other = one[0], other[0]
    return True
