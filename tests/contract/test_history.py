"""Histories: values that can be extended at a constant cost."""

from __future__ import annotations

import pickle
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import History


def made(items: list[int]) -> History[int]:
    history: History[int] = History()
    for item in items:
        history = history.then(item)
    return history


@given(st.lists(st.integers()))
def test_a_history_reads_like_the_tuple_of_its_items(items: list[int]) -> None:
    history = made(items)
    assert tuple(history) == tuple(items)
    assert tuple(reversed(history)) == tuple(reversed(items))
    assert len(history) == len(items)
    assert [history[i] for i in range(-len(items), len(items))] == items + items
    for part in (slice(None), slice(1, 3), slice(-2, None), slice(5, 2), slice(None, None, -1)):
        assert history[part] == tuple(items[part])
    assert history == made(items) == History(*items)
    assert hash(history) == hash(made(items))


def test_branches_of_one_history_stay_separate() -> None:
    trunk = made([1, 2])
    branches = [trunk.then(item) for item in (3, 4, 5)]
    twigs = [branch.then(9) for branch in branches]
    assert [tuple(each) for each in branches] == [(1, 2, 3), (1, 2, 4), (1, 2, 5)]
    assert [tuple(each) for each in twigs] == [(1, 2, 3, 9), (1, 2, 4, 9), (1, 2, 5, 9)]
    assert tuple(trunk) == (1, 2)
    for place in (2, -3):
        with pytest.raises(IndexError):
            trunk[place]


def test_a_history_begins_with_every_earlier_one_and_with_equal_ones() -> None:
    items = [1, 2, 3, 4]
    histories = [made(items[:n]) for n in range(5)]
    for n, one in enumerate(histories):
        for m, other in enumerate(histories):
            assert one.begins_with(other) == (m <= n)
    assert not made([1, 2, 3]).begins_with(made([1, 3]))
    assert made([1, 2]) not in (made([1, 2, 3]), made([1, 3]), (1, 2))
    assert repr(made([1, 2])) == "History(1, 2)"


class Reads:
    """An item that counts how often it is compared."""

    count = 0

    def __eq__(self, other: object) -> bool:
        Reads.count += 1
        return self is other

    __hash__ = object.__hash__


def test_comparing_histories_does_not_read_what_they_share() -> None:
    trunk: History[Reads] = History(*(Reads() for _ in range(1000)))
    last = Reads()
    assert trunk.then(last) == trunk.then(last)
    assert trunk.then(Reads()) != trunk.then(last)
    assert trunk.then(last).begins_with(trunk)
    assert Reads.count <= 2


def test_a_history_of_a_hundred_thousand_items_can_be_compared_pickled_and_dropped() -> None:
    long, other = made(list(range(100_000))), made(list(range(100_000)))
    assert long == other
    assert long != other.then(1)
    assert hash(long) == hash(other)
    assert pickle.loads(pickle.dumps(long)) == long
    assert long[-2:] == (99_998, 99_999)
    del long, other


def test_threads_that_extend_one_history_at_once_each_get_their_own() -> None:
    trunk, found = made([0]), dict[int, tuple[int, ...]]()

    def go_on(item: int) -> None:
        history = trunk
        for _ in range(1000):
            history = history.then(item)
        found[item] = tuple(history)

    threads = [Thread(target=go_on, args=(item,)) for item in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {item: (0, *[item] * 1000) for item in (1, 2, 3)}
