"""Writes that share a commit, on both databases."""

from __future__ import annotations

import asyncio
import signal
from itertools import islice

import pytest

from strongroom.referee.tokens import fresh
from strongroom.server.store import DatabaseTrouble, Store
from strongroom.server.store.database import MOST_TOGETHER, Insert, Statement
from tests.server.stores import (
    ONE,
    another_process,
    append,
    game,
    numbers,
    outcome,
    statement,
    within_a_store,
)

ROW = {"game": fresh(), "number": 1, "last": 1, "request": fresh(), "lines": "secret"}

WRITER = """
import asyncio, os, sys
from strongroom.server.store import Store, StoredRequest, open_database

async def write_on(store, game):
    number = 0
    while True:
        number += 1
        request = StoredRequest(number, number, f"{number:032x}", "line" * 50)
        assert await store.append(game, request, None, 0.0) == 1
        os.write(1, f"{game} {number}\\n".encode())

async def main():
    store = Store(open_database(sys.argv[1]))
    await store.database.open()
    await asyncio.gather(*(write_on(store, f"{sys.argv[2]}-{game}") for game in range(20)))

asyncio.run(main())
"""


def test_more_writes_than_fit_into_a_commit_are_all_written(database: str) -> None:
    games = [fresh() for _ in range(MOST_TOGETHER + 100)]

    async def work(store: Store) -> None:
        written = [append(store, game, 1) for game in games]
        assert [await each for each in written] == [1] * len(games)
        assert await numbers(store) == sorted((game, 1) for game in games)

    within_a_store(database, work)


def test_of_simultaneous_writes_with_the_same_number_the_first_is_kept(database: str) -> None:
    one, other, id = fresh(), fresh(), fresh()

    async def work(store: Store) -> None:
        together = [
            append(store, one, 1, id),
            append(store, one, 1),
            append(store, other, 1),
            append(store, one, 2, id),
            append(store, one, 2),
            append(store, one, 1, id),
        ]
        assert [await each for each in together] == [1, 0, 1, 0, 1, 0]
        assert await numbers(store) == sorted([(one, 1), (one, 2), (other, 1)])
        assert (await store.journal(one))[0].id == id

    within_a_store(database, work)


def test_a_number_that_was_taken_before_does_not_affect_the_other_writes(database: str) -> None:
    one, *others = games = sorted(fresh() for _ in range(5))

    async def work(store: Store) -> None:
        assert await append(store, one, 1) == 1
        together = [append(store, game, 1) for game in games]
        assert [await each for each in together] == [0, 1, 1, 1, 1]
        assert await numbers(store) == [(game, 1) for game in games]
        assert [await append(store, game, 2) for game in others] == [1] * len(others)

    within_a_store(database, work)


def test_a_write_whose_id_is_taken_does_not_take_the_number_from_the_next(database: str) -> None:
    one, id = fresh(), fresh()

    async def work(store: Store) -> None:
        await append(store, one, 1, id)
        repeated, new = append(store, one, 2, id), append(store, one, 2)
        assert (await repeated, await new) == (0, 1)

    within_a_store(database, work)


@pytest.mark.parametrize(
    "write",
    [
        Insert("journal", ROW | {"lines": None}),
        Insert("journal", ROW | {"lines": "a lone surrogate \ud800"}),
        Insert("journal", ROW | {"lines": object()}),
        Insert("journal", ROW | {"number": 2**70}),
        Statement(Insert("journal", ROW).sql, {}),
    ],
    ids=["missing", "no text", "no value", "too large", "no values"],
)
def test_a_write_at_fault_does_not_harm_its_neighbours(
    database: str, write: Statement | Insert
) -> None:
    games = [fresh() for _ in range(9)]

    async def work(store: Store) -> None:
        before = [append(store, game, 1) for game in games[:6]]
        wrong = store.database.write(write, about=str(ROW["game"]))
        after = [append(store, game, 1) for game in games[6:]]
        assert [await each for each in (*before, *after)] == [1] * len(games)
        with pytest.raises(DatabaseTrouble, match="refused a write") as trouble:
            await wrong
        assert "secret" not in str(trouble.value)
        assert await numbers(store) == sorted((game, 1) for game in games)
        assert await append(store, games[0], 2) == 1

    within_a_store(database, work)


def test_a_unit_that_fails_in_the_middle_leaves_nothing(database: str) -> None:
    one, stored = fresh(), game()

    async def work(store: Store) -> None:
        await store.create(stored)
        await append(store, one, 1)
        insert = Insert("journal", ROW | {"game": one, "number": 2, "last": 2})
        wrong = statement("UPDATE games SET deal = NULL WHERE id = :id", id=stored.id)
        neighbour = append(store, stored.id, 1)
        unit = store.database.write(insert, wrong, about=one)
        assert await neighbour == 1
        assert "refused" in str(await outcome(unit))
        assert await numbers(store) == sorted([(one, 1), (stored.id, 1)])

    within_a_store(database, work)


def test_a_unit_whose_first_statement_touches_nothing_leaves_no_trace(database: str) -> None:
    stored = game()
    nothing = statement("UPDATE seats SET name = :name WHERE game = :game", name="x", game=fresh())
    more = statement("UPDATE games SET ended = :now WHERE id = :id", now=1.0, id=stored.id)

    async def work(store: Store) -> None:
        await store.create(stored)
        assert await store.database.write(nothing, more, about=stored.id) == 0
        assert await store.game(stored.id) == stored

    within_a_store(database, work)


def test_a_unit_is_whole_before_the_next_write_about_its_game(database: str) -> None:
    stored = game()

    async def work(store: Store) -> None:
        written = (
            store.create(stored),
            store.arrive(stored.id, ONE, "tab", "process"),
            store.database.write(
                statement("UPDATE games SET watch = :no WHERE id = :id", no=False, id=stored.id),
                statement("UPDATE games SET address = 'first' WHERE id = :id", id=stored.id),
                about=stored.id,
            ),
            store.database.write(
                statement("UPDATE games SET address = 'last' WHERE id = :id", id=stored.id),
                about=stored.id,
            ),
        )
        assert [await each for each in written] == [1, 1, 1, 1]
        found = await store.game(stored.id)
        assert found is not None
        assert found.seats[0].connection == "tab"
        assert (found.watch, found.address) == (False, "last")

    within_a_store(database, work)


def test_a_row_is_visible_to_the_next_write_about_its_game(database: str) -> None:
    one, other = fresh(), fresh()

    async def work(store: Store) -> None:
        forget = statement("DELETE FROM journal WHERE game = :game", game=one)
        written = (
            append(store, one, 1),
            append(store, other, 1),
            store.database.write(forget, about=one),
        )
        assert [await each for each in written] == [1, 1, 1]
        assert await numbers(store) == [(other, 1)]

    within_a_store(database, work)


def test_a_cancelled_write_does_not_disturb_the_others(database: str) -> None:
    one, other = fresh(), fresh()

    async def work(store: Store) -> None:
        left, waited_for = append(store, one, 1), append(store, other, 1)
        left.cancel()
        assert await waited_for == 1
        assert await append(store, other, 2) == 1

    within_a_store(database, work)


def test_closing_writes_what_waits_and_refuses_what_follows(database: str) -> None:
    one = fresh()

    async def work(store: Store) -> list[asyncio.Future[int]]:
        return [append(store, one, number) for number in range(1, 51)]

    async def then(store: Store) -> None:
        assert await numbers(store) == [(one, number) for number in range(1, 51)]
        await store.database.close()
        assert await outcome(append(store, one, 51)) == "The database is closed."

    assert [each.result() for each in within_a_store(database, work)] == [1] * 50
    within_a_store(database, then)


def test_acknowledged_writes_survive_kill_9(database: str) -> None:
    acknowledged: list[tuple[str, int]] = []
    for run in range(3):
        with another_process(WRITER, database, f"run{run}") as writer:
            assert writer.stdout is not None
            acknowledged += [_entry(line) for line in islice(writer.stdout, 400)]
            writer.send_signal(signal.SIGKILL)
            acknowledged += [_entry(line) for line in writer.stdout if line.endswith("\n")]

    async def work(store: Store) -> None:
        stored = await numbers(store)
        assert len(acknowledged) >= 1200
        assert len(stored) == len(set(stored))
        assert set(acknowledged) <= set(stored)
        for name in {name for name, _ in stored}:
            entries = [number for each, number in stored if each == name]
            assert entries == list(range(1, len(entries) + 1))

    within_a_store(database, work)


def _entry(line: str) -> tuple[str, int]:
    name, number = line.split()
    return name, int(number)
