"""The lobby: creating, finding and joining games, and access to finished ones."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import islice
from random import SystemRandom
from typing import Final

import orjson

from strongroom.accounts.analysis import analyze
from strongroom.contract import YOU, Json, Refusal, Seat, quote
from strongroom.referee.randomness import BOT_SEED, fresh_seed, fresh_token, hash_of, is_token
from strongroom.referee.record import Record, Sitter, check_names_differ, commit, line_of
from strongroom.server.background import SingleFlightCache, WorkerThread
from strongroom.server.catalog import PEOPLE
from strongroom.server.clocks import TimeControl
from strongroom.server.hub import Hub
from strongroom.server.messages import NewGame, Position
from strongroom.server.store import Deal, StoredGame, StoredRequest, StoredSeat, load_shared
from strongroom.server.table import WITHDRAWN_TEXT, HostedGame

FORSAKEN: Final = 10
"""How many times as many unfinished games an address may have, with those that nobody is at."""
FOREIGN_TOKEN: Final = "This token belongs to another seat. Choose a new one."


@dataclass(eq=False)
class NotGranted(Exception):
    """A refused request: the HTTP status, a code, a sentence."""

    status: int
    code: str
    text: str


class Lobby:
    """Creates games and lets people sit down at them."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.store = hub.store
        self._making: Counter[tuple[str, str]] = Counter()
        """How many requests are creating a game now, by their address and their token's digest."""
        self._writer, self._analyst = WorkerThread("finished"), WorkerThread("analysis")
        settings = hub.settings
        kept, sought = settings.cached_records, settings.most_slow_work
        self._records = SingleFlightCache[Record](kept, sought)
        self._texts = SingleFlightCache[str](kept, sought)
        self._frames = SingleFlightCache[bytes](kept, sought)
        self._analyses = SingleFlightCache[Json](settings.cached_analyses, sought)

    async def create(
        self, wanted: NewGame, address: str, token: str | None = None
    ) -> tuple[Json, Seat]:
        """Create a game and sit down; repeated with the same token, it returns the same game.

        It counts towards the address's limit of open games. `token` opens the finished game from
        which it goes on.
        """
        deal, digest = _deal_of(wanted), hash_of(wanted.token)
        if (found := await self.store.with_token(digest)) is not None:
            return self.hub.rooms.info_of(found[0]), found[1]
        async with self._room_for_one_more(address, digest):
            begun = None
            if wanted.position is not None:
                wanted, deal, begun = await self._go_on(wanted, wanted.position, token)
            stored, seat = self._new_game(wanted, deal, address, digest)
            if not await self.store.create(
                stored, begun=begun
            ):  # the same request, at the same time
                found = await self.store.with_token(digest)
                assert found is not None
                return self.hub.rooms.info_of(found[0]), found[1]
        self.hub.metrics.games.labels(stored.deal.game.name).inc()
        return self.hub.rooms.info_of(stored), seat

    @asynccontextmanager
    async def _room_for_one_more(self, address: str, digest: str) -> AsyncIterator[None]:
        """Count the request as a game while inside; refuse it if the address then has too many."""
        request = Counter([(address, digest)])
        self._making += request
        # Later requests count this one; a repeated request makes one game.
        making = sum(each[0] == address for each in self._making)
        try:
            unfinished, counted = await self.store.open_games_of(address)
            most = self.hub.settings.limits.games
            if (
                counted + making > most or unfinished + making > FORSAKEN * most
            ) and await self.store.with_token(digest) is None:
                text = "Your address has too many unfinished games. Finish or resign some first."
                raise NotGranted(429, "too-many-games", text)
            yield
        finally:
            self._making -= request

    async def _go_on(
        self, wanted: NewGame, position: Position, token: str | None
    ) -> tuple[NewGame, Deal, StoredRequest | None]:
        """A request for a game from a position: its seat, its deal, and the steps before it."""
        if wanted.opponent in PEOPLE:
            raise NotGranted(422, "bad-position", "Only a bot plays on from a position.")
        stored, seat = await self._own_game(position.game, token)
        record = await self.read_record(stored)
        begun = await self._writer.do(take_over, record, seat, position.step)
        deal = Deal(record.game, taken=begun and begun.last)
        return wanted.model_copy(update={"seat": str(seat.value)}), deal, begun

    def _new_game(
        self, wanted: NewGame, deal: Deal, address: str, digest: str
    ) -> tuple[StoredGame, Seat]:
        """The requested game, and the requester's seat in it."""
        opponent, invitation = wanted.opponent, wanted.invitation
        ours = Seat(int(wanted.seat)) if wanted.seat != "toss" else secrets.choice(list(Seat))
        mine = StoredSeat(ours, self._name(wanted.name), token=digest)
        other = StoredSeat(ours.other, None)
        if opponent not in PEOPLE:
            other = self.hub.bots.seat(opponent, deal.game, ours.other)
        if other.name is not None:
            check_names_differ(mine.sitter, other.sitter)
        if opponent == "link" and invitation is None:
            raise NotGranted(422, "bad-invitation", "A game by link needs an invitation.")
        now = self.hub.time.now()
        one, two = sorted((mine, other), key=lambda each: each.seat.value)
        stored = StoredGame(
            id=fresh_token(),
            deal=deal,
            server_seed=fresh_seed(),
            created=now,
            seats=(one, two),
            invitation=hash_of(invitation) if opponent == "link" and invitation else None,
            waits=opponent == "lobby",
            watch=wanted.watch,
            started=now if other.is_bot else None,
            address=address,
        )
        return stored, ours

    async def join(
        self, id: str, name: str, token: str, invitation: str | None
    ) -> tuple[Json, Seat]:
        """Sit down at a waiting game; repeated with the same token, it returns the same seat."""
        stored = await self.find(id)
        if (seat := stored.seat_of(token)) is not None:
            return self.hub.rooms.info_of(stored), seat
        if stored.is_withdrawn:
            raise NotGranted(410, "withdrawn", WITHDRAWN_TEXT)
        if not stored.is_open:
            raise NotGranted(409, "taken", "Both seats of this game are taken.")
        if not stored.waits and (invitation is None or hash_of(invitation) != stored.invitation):
            text = "This game requires a valid invitation."
            raise NotGranted(403, "bad-invitation", text)
        digest = hash_of(token)
        if (found := await self.store.with_token(digest)) is not None:
            if found[0].id == id:  # the same request, at the same time
                return self.hub.rooms.info_of(found[0]), found[1]
            raise NotGranted(409, "taken", FOREIGN_TOKEN)
        free, host = sorted(stored.seats, key=lambda each: each.name is not None)
        sitter = StoredSeat(free.seat, self._name(name, host.name), token=digest)
        if not await self.store.sit_down(id, sitter, self.hub.time.now()):
            return await self.join(id, name, token, invitation)  # it is not free any more
        await self.hub.rooms.refresh([id])
        return self.hub.rooms.info_of(await self.find(id)), sitter.seat

    def _name(self, name: str, other: str | None = None) -> str:
        """The requested name, if nobody else at the table has it."""
        wanted = " ".join(name.split())
        if wanted.casefold() == YOU.casefold():
            raise Refusal(f"Nobody can be called {quote(wanted)}. Choose another name.")
        Sitter(wanted)
        if other is not None and wanted.casefold() == other.casefold():
            raise Refusal(f"The other player is called {quote(other)} too. Choose another name.")
        return wanted

    async def withdraw(self, id: str, token: str | None) -> Json:
        """Withdraw a game to which the opponent has never come; repeating it changes nothing."""
        stored, seat = await self._own_game(id, token)
        while not stored.is_withdrawn:
            other = stored.seats[seat.other.index]
            if other.seed is not None and not other.is_bot:
                raise NotGranted(409, "begun", "The other player has been here; the game is on.")
            if (other.name is not None and not other.is_bot) and (
                text := await self.hub.not_yet(stored, other.seat, "taken back")
            ):
                raise NotGranted(409, "not-yet", text)
            if await self.store.withdraw(stored, self.hub.time.now()):
                await self.hub.rooms.refresh([id])
            stored = await self.find(id)
        return self.hub.rooms.info_of(stored)

    async def resign(self, id: str, token: str | None) -> Json:
        """Resign a game, or withdraw it before it begins; repeating it changes nothing."""
        stored, seat = await self._own_game(id, token)
        while stored.ended is None:
            async with self.hub.rooms.visit(id) as room:
                match = room.table.match
                if match is not None and match.outcome is None:
                    proposal = room.table.proposal(match.resign(seat), fresh_token())
                    await self.hub.rooms.commit(room, proposal)
            if match is None:
                return await self.withdraw(id, token)
            stored = await self.find(id)
        return self.hub.rooms.info_of(stored)

    async def rematch(self, id: str, token: str | None, new: str) -> tuple[Json, Seat]:
        """Start a rematch with the seats swapped; both players end up in the same game."""
        stored, seat = await self._own_game(id, token)
        digest = hash_of(new)
        if (found := await self.store.with_token(digest)) is not None:
            return self._own_again(seat, *found)
        record = await self.read_record(stored)
        while stored.rematch is None:  # it may be withdrawn as soon as it is created
            await self._make_rematch(stored, record)
            stored = await self.find(id)
        if await self.store.give_token(stored.rematch, seat.other, digest):
            await self.hub.rooms.refresh([id, stored.rematch])
            return self.hub.rooms.info_of(await self.find(stored.rematch)), seat.other
        if (found := await self.store.with_token(digest)) is not None:
            return self._own_again(seat, *found)  # the same request, at the same time
        raise NotGranted(409, "taken", "You have already joined the new game in another window.")

    def _own_again(self, seat: Seat, rematch: StoredGame, taken: Seat) -> tuple[Json, Seat]:
        """The seat that a player of `seat` has already taken; not the opponent's."""
        if taken is not seat.other:
            raise NotGranted(409, "taken", FOREIGN_TOKEN)
        return self.hub.rooms.info_of(rematch), taken

    async def _make_rematch(self, stored: StoredGame, record: Record) -> None:
        outcome = record.outcome
        assert outcome is not None
        points = [
            score + outcome.points(seat)
            for seat, score in zip(Seat, stored.deal.score, strict=True)
        ]
        one, two = (
            StoredSeat(
                each.seat.other, each.name, each.player, seed=BOT_SEED if each.is_bot else None
            )
            for each in reversed(stored.seats)
        )
        now = self.hub.time.now()
        new = StoredGame(  # counts towards nobody's limit: it takes a finished game to make one
            id=fresh_token(),
            deal=replace(stored.deal, score=(points[1], points[0]), taken=None),
            server_seed=fresh_seed(),
            created=now,
            seats=(one, two),
            watch=stored.watch,
            started=now,
        )
        await self.store.create(new, rematch_of=stored.id)

    async def standing(self, id: str, token: str | None) -> Json:
        """A game as it stands, as a player or a spectator is welcomed to it."""
        stored = await self.find(id)
        seat = None if token is None else stored.seat_of(token)
        if seat is None and not stored.watch:
            stored, seat = await self._own_game(id, token)
        async with self.hub.rooms.visit(id) as room:
            info, now = self.hub.rooms.info(room), self.hub.time.now()
            return room.table.welcome((seat, True), info, now)

    # --- finished games ---

    async def find(self, id: str) -> StoredGame:
        """The game with this id."""
        stored = await self.store.game(id) if is_token(id) else None
        if stored is None:
            raise NotGranted(404, "unknown-game", "This game does not exist, or is no longer kept.")
        return stored

    async def finished_record(self, id: str, token: str | None) -> Record:
        """The record of a finished game, if the caller may see it."""
        stored = await self.find(id)
        if not stored.watch:
            stored, _ = await self._own_game(id, token)
        return await self.read_record(stored)

    async def read_record(self, stored: StoredGame) -> Record:
        """The record of a finished game."""
        if stored.result is None:
            raise NotGranted(409, "not-over", "The game is not over.")
        return await self._records.of(stored.id, lambda: self._read(stored))

    async def _read(self, stored: StoredGame) -> Record:
        table = await self._writer.do(HostedGame, stored, await self.store.journal(stored.id))
        return table.playing.record

    async def record_text(self, id: str, token: str | None) -> tuple[str, Record]:
        """A finished game's record, as text to save and as a value."""
        record = await self.finished_record(id, token)
        return await self._texts.of(id, lambda: self._writer.do(record.dumps)), record

    async def analysis(self, id: str, token: str | None) -> Json:
        """What each move of a finished game cost, as JSON data."""
        record, most = await self.finished_record(id, token), self.hub.settings.longest_analysis
        try:
            if len(record.steps) > most:
                why = f"Only games of up to {most} moves are analyzed here."
                raise Refusal(why, "Save the record and run strongroom analyze.")
            return await self._analyses.of(
                record.id, lambda: self._analyst.do(lambda: analyze(record).to_json())
            )
        except Refusal as refusal:
            raise NotGranted(404, "no-theory", str(refusal)) from None

    async def replay(self, id: str, token: str | None, viewer: Seat | None) -> bytes:
        """The frames of a finished game as JSON, as a seat or a spectator was sent them."""
        record, stored = await self.finished_record(id, token), await self.find(id)
        frames = await self._frames.of(
            (id, viewer), lambda: self._writer.do(replay_frames, stored, record, viewer)
        )
        now = record.steps[-1].time if record.steps else 0.0
        welcome = HostedGame(stored).welcome((viewer, True), self.hub.rooms.info_of(stored), now)
        return b'{"welcome":%b,"frames":%b}' % (orjson.dumps(welcome), frames)

    async def _own_game(self, id: str, token: str | None) -> tuple[StoredGame, Seat]:
        stored = await self.find(id)
        seat = None if token is None else stored.seat_of(token)
        if seat is None:
            raise NotGranted(401, "bad-token", "Only the game's players may do this.")
        return stored, seat


def replay_frames(stored: StoredGame, record: Record, viewer: Seat | None) -> bytes:
    """The frames of a finished game as JSON, an entry each, as one viewer was sent them."""
    table, variant, frames = HostedGame(stored), (viewer, True), []
    now = record.steps[-1].time if record.steps else 0.0
    for entry in record.entries:
        table.follow_entry(entry)
        frames.append(table.frame(variant, now))
    return orjson.dumps(frames)


def take_over(record: Record, seat: Seat, number: int) -> StoredRequest | None:
    """The steps before one of a player's, as the entries of a new game; None if it is the first.

    What the other player hid is drawn from all that fits what this one knew, so that nothing of
    it is revealed, and the new game is open.
    """
    state = next(islice(record.states(), number - 1, None), None)
    if state is None or state.actor is not seat:
        raise Refusal(f"Step {number} is not yours.")
    drawn = iter(record.game.sample(state.view(seat), SystemRandom()).secrets[seat.other.index])
    lines = []
    for step in record.steps[: number - 1]:
        if step.keeper is seat.other:
            move, nonce = next(drawn), fresh_token()
            step = replace(step, move=move, nonce=nonce, commitment=commit(nonce, move))
        lines.append(line_of(record.entry_to_json(step)))
    return StoredRequest(1, len(lines), None, "".join(lines)) if lines else None


def _deal_of(wanted: NewGame) -> Deal:
    """The deal for a request, validated."""
    clock = wanted.clock
    control = None if clock is None else TimeControl(clock.minutes, clock.increment)
    against_a_bot = wanted.opponent not in PEOPLE
    aids = against_a_bot if wanted.aids is None else wanted.aids
    return Deal(load_shared(wanted.game, **wanted.options), aids, control)
