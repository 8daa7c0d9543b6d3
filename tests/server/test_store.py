"""The store, on both databases."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest

from strongroom.contract import Refusal, Seat
from strongroom.referee.tokens import digest, fresh
from strongroom.server.store import (
    ALIVE,
    MOST_LISTED,
    Store,
    StoredRequest,
    StoredSeat,
    open_database,
)
from tests.server.stores import (
    ENDED,
    LINE,
    ONE,
    TWO,
    append,
    game,
    numbers,
    statement,
    within_a_store,
)


def test_a_game_that_is_kept_is_read_as_it_was(database: str) -> None:
    expert = StoredSeat(TWO, "Žofie 🎲", "expert", digest(fresh()))
    stored = game(
        invitation=digest(fresh()),
        waits=False,
        watch=False,
        seats=(StoredSeat(ONE, None, seed=fresh()), expert),
    )

    async def work(store: Store) -> None:
        assert await store.create(stored) == 1
        assert await store.game(stored.id) == stored
        assert await store.game(fresh()) is None
        assert stored.is_open

    within_a_store(database, work)


def test_what_is_kept_is_there_when_the_server_comes_again(database: str) -> None:
    stored, id = game(), fresh()

    async def first(store: Store) -> None:
        await store.create(stored)
        await append(store, stored.id, 1, id)

    async def then(store: Store) -> None:
        assert await store.game(stored.id) == stored
        assert await store.journal(stored.id) == [StoredRequest(1, 1, id, LINE)]

    within_a_store(database, first)
    within_a_store(database, then)


def test_a_token_opens_its_seat_alone(database: str) -> None:
    stored = game()

    async def work(store: Store) -> None:
        await store.create(stored)
        assert stored.seats[0].token is not None
        assert await store.with_token(stored.seats[0].token) == (stored, ONE)
        assert await store.with_token(digest(fresh())) is None

    within_a_store(database, work)


def test_a_token_creates_one_game_however_often_it_is_sent(database: str) -> None:
    first = game()
    again = replace(first, id=fresh())

    async def work(store: Store) -> None:
        assert await store.create(first) == 1
        assert await store.create(again) == 0
        assert await store.game(again.id) is None
        assert await store.database.read("SELECT count(*) FROM seats") == [(2,)]
        assert await store.database.read("SELECT count(*) FROM games") == [(1,)]

    within_a_store(database, work)


def test_two_requests_for_a_rematch_create_one_game(database: str) -> None:
    old, mine, yours = game(), game(waits=False), game(waits=False)

    async def work(store: Store) -> None:
        await store.create(old)
        made = store.create(mine, rematch_of=old.id), store.create(yours, rematch_of=old.id)
        assert [await each for each in made] == [1, 0]
        found = await store.game(old.id)
        assert found is not None
        assert found.rematch == mine.id
        assert await store.game(yours.id) is None

    within_a_store(database, work)


def test_one_of_many_gets_a_free_seat_and_the_game_starts(database: str) -> None:
    stored = game()

    async def work(store: Store) -> None:
        await store.create(stored)
        asked = [
            store.sit_down(stored.id, StoredSeat(TWO, name, token=digest(fresh())), 1000.0 + number)
            for number, name in enumerate(("Bea", "Cyd", "Dov"))
        ]
        assert [await each for each in asked] == [1, 0, 0]
        found = await store.game(stored.id)
        assert found is not None
        assert found.seats[1].name == "Bea"
        assert (found.started, found.waits, found.is_open) == (1000.0, False, False)

    within_a_store(database, work)


def test_a_token_sent_to_two_games_at_once_gets_a_seat_in_one(database: str) -> None:
    games, token = [game(), game()], fresh()

    async def work(store: Store) -> None:
        for stored in games:
            await store.create(stored)
        sitter = StoredSeat(TWO, "Bob", token=token)
        written = [store.sit_down(stored.id, sitter, 1.0) for stored in games]
        assert sorted([await each for each in written]) == [0, 1]
        found = await store.with_token(token)
        assert found is not None

    within_a_store(database, work)


def test_the_first_seed_and_the_first_token_of_a_seat_count(database: str) -> None:
    stored, seed, token = game(), fresh(), digest(fresh())

    async def work(store: Store) -> None:
        await store.create(stored)
        assert await store.give_seed(stored.id, TWO, seed) == 1
        assert await store.give_seed(stored.id, TWO, fresh()) == 0
        assert await store.give_token(stored.id, TWO, token) == 1
        assert await store.give_token(stored.id, TWO, digest(fresh())) == 0
        found = await store.game(stored.id)
        assert found is not None
        assert (found.seats[1].seed, found.seats[1].token) == (seed, token)

    within_a_store(database, work)


def test_a_connection_that_was_taken_over_does_not_leave_for_the_next(database: str) -> None:
    stored = game()

    async def stored_seat(store: Store, seat: Seat = ONE) -> StoredSeat:
        found = await store.game(stored.id)
        assert found is not None
        return found.seats[seat.index]

    async def work(store: Store) -> None:
        await store.create(stored)
        await store.arrive(stored.id, ONE, "tab 1", "process")
        await store.arrive(stored.id, ONE, "tab 2", "process")
        assert await store.leave(stored.id, ONE, "tab 1", 5.0) == 0
        assert (await stored_seat(store)).connection == "tab 2"
        assert await store.leave(stored.id, ONE, "tab 2", 6.0) == 1
        assert (await stored_seat(store)).left_at == 6.0
        assert (await stored_seat(store)).connection is None
        await store.arrive(stored.id, ONE, "tab 3", "process")
        assert (await stored_seat(store)).left_at is None
        assert (await stored_seat(store, TWO)).connection is None

    within_a_store(database, work)


def test_a_journal_is_read_from_where_one_has_it(database: str) -> None:
    stored = game()
    requests = [
        StoredRequest(1, 3, fresh(), LINE * 3),
        StoredRequest(4, 4, None, LINE),
        StoredRequest(5, 5, None, "é"),
    ]

    async def work(store: Store) -> None:
        for request in requests:
            assert await store.append(stored.id, request, None, 0.0) == 1
        assert await store.journal(stored.id) == requests
        assert await store.journal(stored.id, after=2) == requests
        assert await store.journal(stored.id, after=3) == requests[1:]
        assert await store.journal(stored.id, after=5) == []
        assert await store.lengths([stored.id, fresh()]) == {stored.id: 5}

    within_a_store(database, work)


def test_each_number_and_each_request_id_is_stored_once(database: str) -> None:
    one, other, id = fresh(), fresh(), fresh()

    async def work(store: Store) -> None:
        assert await append(store, one, 1, id) == 1
        assert await append(store, one, 1) == 0
        assert await append(store, one, 2, id) == 0
        assert await append(store, other, 1, id) == 1
        assert await numbers(store) == sorted([(one, 1), (other, 1)])

    within_a_store(database, work)


def test_the_last_entry_ends_the_game_and_a_repeated_one_does_not(database: str) -> None:
    stored, other = game(), game()

    async def ended(store: Store, id: str) -> float | None:
        found = await store.game(id)
        assert found is not None
        return found.ended

    async def work(store: Store) -> None:
        await store.create(stored)
        await store.create(other)
        await append(store, stored.id, 1)
        assert await store.append(stored.id, StoredRequest(1, 1, fresh(), LINE), ENDED, 77.0) == 0
        assert await ended(store, stored.id) is None
        assert await store.append(stored.id, StoredRequest(2, 2, fresh(), LINE), ENDED, 88.0) == 1
        assert await ended(store, stored.id) == 88.0
        assert await ended(store, other.id) is None

    within_a_store(database, work)


def test_games_are_listed_as_waiting_playing_or_over(database: str) -> None:
    waiting, private = game(created=3.0), game(waits=False, created=2.0)
    both = tuple(StoredSeat(seat, "Ada", token=digest(fresh()), seed=fresh()) for seat in Seat)
    playing = game(waits=False, started=4.0, created=1.0, seats=both)
    unanswered = game(waits=False, started=4.0)  # a rematch that one of the two has asked for
    unwatched = game(waits=False, watch=False, started=4.0)
    over, elsewhere = game(waits=False, started=5.0), game(address="192.0.2.2")

    async def work(store: Store) -> None:
        for each in (waiting, private, playing, unanswered, unwatched, over, elsewhere):
            await store.create(each)
        await store.append(over.id, StoredRequest(1, 1, fresh(), LINE), ENDED, 6.0)
        assert [each.id for each in await store.waiting()] == [elsewhere.id, waiting.id]
        assert await store.playing() == [playing]
        assert await store.over() == [replace(over, ended=6.0, result=2)]
        assert await store.open_games_of("192.0.2.1") == 5
        assert await store.open_games_of("192.0.2.2") == 1
        assert await store.open_games_of("192.0.2.3") == 0
        assert await store.games([waiting.id, private.id, fresh()]) == [waiting, private]

    within_a_store(database, work)


def test_a_game_that_is_taken_back_is_listed_nowhere_and_nobody_sits_down(database: str) -> None:
    stored, long_ago = game(), game(created=1.0)

    async def work(store: Store) -> None:
        for each in (stored, long_ago):
            await store.create(each)
            assert await store.withdraw(each, 7.0) == 1
        assert await store.withdraw(stored, 8.0) == 0
        bob = StoredSeat(TWO, "Bob", token=digest(fresh()))
        assert await store.sit_down(stored.id, bob, 9.0) == 0
        found = await store.game(stored.id)
        assert found == replace(stored, ended=7.0, waits=False)
        assert found.is_withdrawn
        assert [*await store.waiting(), *await store.playing(), *await store.over()] == []
        assert await store.open_games_of(stored.address) == 0
        assert await store.expire(50, None) == [long_ago.id]

    within_a_store(database, work)


def test_who_has_come_meanwhile_keeps_a_game_from_being_taken_back(database: str) -> None:
    stored = game()

    async def work(store: Store) -> None:
        await store.create(stored)
        bob = StoredSeat(TWO, "Bob", token=digest(fresh()))
        assert await store.sit_down(stored.id, bob, 9.0) == 1
        assert await store.withdraw(stored, 10.0) == 0
        joined = await store.game(stored.id)
        assert joined is not None
        await store.give_seed(stored.id, TWO, fresh())
        assert await store.withdraw(joined, 10.0) == 0

    within_a_store(database, work)


def test_a_withdrawn_rematch_can_be_asked_for_again(database: str) -> None:
    first, second, third = game(), game(), game()

    async def work(store: Store) -> None:
        await store.create(first)
        await store.create(second, rematch_of=first.id)
        assert await store.withdraw(second, 7.0) == 1
        assert await store.create(third, rematch_of=first.id) == 1

    within_a_store(database, work)


def test_reading_no_games_gives_empty_results(database: str) -> None:
    async def work(store: Store) -> None:
        assert await store.games([]) == []
        assert await store.lengths([]) == {}

    within_a_store(database, work)


def test_lists_are_limited_but_games_asked_for_by_id_all_come(database: str) -> None:
    games = [game(created=float(number)) for number in range(MOST_LISTED + 5)]

    async def work(store: Store) -> None:
        await asyncio.gather(*(store.create(each) for each in games))
        assert len(await store.games([each.id for each in games])) == len(games)
        assert [each.id for each in await store.waiting()] == [
            each.id for each in reversed(games[5:])
        ]

    within_a_store(database, work)


def test_the_time_between_two_server_runs_is_a_pause(database: str) -> None:
    async def work(store: Store) -> None:
        for process in ("first", "beside it"):
            await store.begin(process)
            assert list(await store.pauses()) == []
        assert set(await store.beats()) == {"first", "beside it"}
        long_ago = time.time() - 10 * ALIVE
        await store.database.write(statement("UPDATE processes SET beat = :then", then=long_ago))
        await store.begin("after a break")
        ((began, ended),) = await store.pauses()
        assert began == long_ago
        assert time.time() - ended < 10 * ALIVE
        await store.begin("first")
        assert list(await store.pauses()) == [(began, ended)]

    within_a_store(database, work)


def test_games_that_nobody_touches_expire(database: str) -> None:
    now = time.time()
    forgotten, fresh_one = game(created=now - 100), game()
    sat_at, just_left, left_long_ago = (game(created=now - 100) for _ in range(3))
    done, done_long_ago = game(created=now - 100), game(created=now - 100)

    async def work(store: Store) -> None:
        for each in (forgotten, fresh_one, sat_at, just_left, left_long_ago, done, done_long_ago):
            await store.create(each)
            await append(store, each.id, 1)
        await store.begin("process")
        for each in (sat_at, just_left, left_long_ago):
            await store.arrive(each.id, ONE, "tab", "process")
        await store.leave(just_left.id, ONE, "tab", now - 10)
        await store.leave(left_long_ago.id, ONE, "tab", now - 90)
        await store.append(done.id, StoredRequest(2, 2, fresh(), LINE), ENDED, now - 10)
        await store.append(done_long_ago.id, StoredRequest(2, 2, fresh(), LINE), ENDED, now - 90)

        assert set(await store.expire(50, None)) == {forgotten.id, left_long_ago.id}
        assert await store.expire(50, None) == []
        assert set(await store.expire(50, 50)) == {done_long_ago.id}
        left = {fresh_one.id, sat_at.id, just_left.id, done.id}
        for table in ("seats", "journal"):
            rows = await store.database.read(f"SELECT DISTINCT game FROM {table}")
            assert {row[0] for row in rows} == left

    within_a_store(database, work)


def test_a_player_at_a_process_that_died_does_not_keep_a_game_from_expiring(database: str) -> None:
    now = time.time()
    stored = game(created=now - 1000)

    async def work(store: Store) -> None:
        await store.create(stored)
        await store.begin("killed")
        await store.arrive(stored.id, ONE, "tab", "killed")
        assert await store.expire(50, None) == []
        await store.database.write(statement("UPDATE processes SET beat = :then", then=now - 60))
        assert await store.expire(50, None) == [stored.id]

    within_a_store(database, work)


def test_an_unknown_kind_of_database_is_refused() -> None:
    with pytest.raises(Refusal, match="There is no database 'mysql'"):
        open_database("mysql://ada:secret@example.org/games")


@pytest.mark.parametrize("begin", ["postgres:", "postgresql:/", "PostgreSQL://", "Postgres:"])
def test_a_mistyped_address_is_not_taken_for_a_file_and_its_password_is_not_repeated(
    begin: str,
) -> None:
    with pytest.raises(Refusal) as refusal:
        open_database(f"{begin}ada:secret@example.org/games")
    assert "secret" not in str(refusal.value)
