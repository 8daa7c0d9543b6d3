"""The lobby: games are made, found and joined here, before and after they are played."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson

from strongroom import tokens
from strongroom.coins import BOT_SEED, fresh_seed
from strongroom.contract import YOU, Json, Refusal, Seat, shown
from strongroom.players import stand_in
from strongroom.record import Record
from strongroom.server.aside import Aside, Latest
from strongroom.server.catalog import bots
from strongroom.server.deal import Chair, Clock, Deal, played
from strongroom.server.hub import Hub
from strongroom.server.store import Kept
from strongroom.server.table import WITHDRAWN_TEXT, Table
from strongroom.sitter import LONGEST_NAME, Sitter, check_names_differ

MOST_KEPT: Final = 16
"""So many finished games are kept at hand, of those last asked for."""


class NotGranted(Exception):
    """A request that is not granted: the HTTP status, a code, a sentence."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(status, code, text)
        self.status = status
        self.code = code
        self.text = text


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game that somebody wants to make and sit down at."""

    deal: Deal
    opponent: str
    """`link`, `lobby`, or the name of a bot."""
    seat: str
    """`1`, `2` or `toss`."""
    name: str
    token: str
    invitation: str | None
    """What opens the other seat, of a game by link."""
    watch: bool
    address: str
    """Whose limit of open games it counts for."""


class Lobby:
    """Makes games and lets people sit down at them."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.store = hub.store
        self._making: Counter[tuple[str, str]] = Counter()
        """How many requests are just making a game, by their address and their token's digest."""
        self._aside = Aside("finished")
        self._records = Latest[Record](MOST_KEPT)
        self._texts = Latest[str](MOST_KEPT)
        self._frames = Latest[bytes](MOST_KEPT)

    async def create(self, wanted: Wanted) -> tuple[Json, Seat]:
        """Make a game and sit down; with the same token again, the same game."""
        digest = tokens.digest(wanted.token)
        if (found := await self.store.with_token(digest)) is not None:
            return self.hub.info_of(found[0]), found[1]
        async with self._room_for_one_more(wanted.address, digest):
            kept, seat = self._made(wanted, digest)
            if not await self.store.create(kept):  # the same request, at the same time
                found = await self.store.with_token(digest)
                assert found is not None
                return self.hub.info_of(found[0]), found[1]
        self.hub.metrics.games.labels(kept.deal.game.name).inc()
        return self.hub.info_of(kept), seat

    @asynccontextmanager
    async def _room_for_one_more(self, address: str, digest: str) -> AsyncIterator[None]:
        """Within this a game may be made from an address; those count too that are being made."""
        request = Counter([(address, digest)])
        self._making += request
        # Whoever comes later counts this one; who asks twice makes one game.
        making = sum(each[0] == address for each in self._making)
        try:
            unfinished = await self.store.open_games_of(address)
            if (
                unfinished + making > self.hub.settings.limits.games
                and await self.store.with_token(digest) is None
            ):
                text = "Too many unfinished games were made from here. Finish some first."
                raise NotGranted(429, "too-many-games", text)
            yield
        finally:
            self._making -= request

    def _made(self, wanted: Wanted, digest: str) -> tuple[Kept, Seat]:
        """The game that somebody wants, and the seat that is theirs in it."""
        opponent, invitation = wanted.opponent, wanted.invitation
        ours = Seat(int(wanted.seat)) if wanted.seat != "toss" else secrets.choice(list(Seat))
        mine = Chair(ours, self._name(wanted.name), token=digest)
        other = self._opponent(wanted.deal, ours.other, opponent)
        if other.name is not None:
            check_names_differ(mine.sitter, other.sitter)
        if opponent == "link" and invitation is None:
            raise NotGranted(422, "bad-invitation", "A game by link needs an invitation.")
        now = self.hub.time.now()
        one, two = sorted((mine, other), key=lambda chair: chair.seat.value)
        kept = Kept(
            id=tokens.fresh(),
            deal=wanted.deal,
            server_seed=fresh_seed(),
            created=now,
            chairs=(one, two),
            invitation=tokens.digest(invitation) if opponent == "link" and invitation else None,
            waits=opponent == "lobby",
            watch=wanted.watch,
            started=now if other.is_bot else None,
            address=wanted.address,
        )
        return kept, ours

    def _opponent(self, deal: Deal, seat: Seat, opponent: str) -> Chair:
        if opponent in ("link", "lobby"):
            return Chair(seat, None)
        if opponent not in bots():
            there_are = f"There are: {', '.join(bots())}."
            raise Refusal(f"There is no bot {shown(opponent)}.", there_are)
        name, _ = stand_in(opponent, deal.game)
        return Chair(seat, name.capitalize(), name, seed=BOT_SEED)

    async def join(
        self, id: str, name: str, token: str, invitation: str | None
    ) -> tuple[Json, Seat]:
        """Sit down at a game that waits; with the same token again, at the same seat."""
        kept = await self.kept(id)
        if (seat := kept.seat_of(token)) is not None:
            return self.hub.info_of(kept), seat
        if kept.is_withdrawn:
            raise NotGranted(410, "withdrawn", WITHDRAWN_TEXT)
        if not kept.is_open:
            raise NotGranted(409, "taken", "Both seats of this game are taken.")
        if not kept.waits and (invitation is None or tokens.digest(invitation) != kept.invitation):
            text = "This game needs an invitation, and this is not the one."
            raise NotGranted(403, "bad-invitation", text)
        digest = tokens.digest(token)
        if (found := await self.store.with_token(digest)) is not None:
            if found[0].id == id:  # the same request, at the same time
                return self.hub.info_of(found[0]), found[1]
            text = "This token opens a seat of another game. Make a new one."
            raise NotGranted(409, "taken", text)
        free, host = sorted(kept.chairs, key=lambda chair: chair.name is not None)
        sitter = Chair(free.seat, self._name(name, host.name), token=digest)
        if not await self.store.sit_down(id, sitter, self.hub.time.now()):
            return await self.join(id, name, token, invitation)  # it is not free any more
        await self.hub.refresh([id])
        return self.hub.info_of(await self.kept(id)), sitter.seat

    def _name(self, name: str, other: str | None = None) -> str:
        """The name somebody wants, with a number behind it if the other has the same."""
        wanted = " ".join(name.split())
        if wanted.casefold() == YOU.casefold():
            raise Refusal(f"{shown(wanted)} is what everybody is called. Choose another name.")
        Sitter(wanted)
        return wanted if wanted != other else _numbered(wanted)

    async def withdraw(self, id: str, token: str | None) -> Json:
        """Take a game back at which the other has never been; asked again, it is the same."""
        kept, seat = await self._seated(id, token)
        while not kept.is_withdrawn:
            other = kept.chairs[seat.other.index]
            if other.seed is not None:
                raise NotGranted(409, "begun", "The other player has been here: it is a game now.")
            if other.name is not None and (
                text := await self.hub.not_yet(kept, other.seat, "taken back")
            ):
                raise NotGranted(409, "not-yet", text)
            if await self.store.withdraw(kept, self.hub.time.now()):
                await self.hub.refresh([id])
            kept = await self.kept(id)
        return self.hub.info_of(kept)

    async def rematch(self, id: str, token: str | None, new: str) -> tuple[Json, Seat]:
        """Let the same two play again with the seats swapped; both land in the same game."""
        kept, seat = await self._seated(id, token)
        digest = tokens.digest(new)
        if (found := await self.store.with_token(digest)) is not None:
            return self.hub.info_of(found[0]), found[1]
        record = await self.record(kept)
        while kept.rematch is None:  # it may be taken back as soon as it is made
            await self._make_rematch(kept, record)
            kept = await self.kept(id)
        if await self.store.give_token(kept.rematch, seat.other, digest):
            await self.hub.refresh([id, kept.rematch])
            return self.hub.info_of(await self.kept(kept.rematch)), seat.other
        if (found := await self.store.with_token(digest)) is not None:
            return self.hub.info_of(found[0]), found[1]  # the same request, at the same time
        raise NotGranted(409, "taken", "You are in the new game already, in another window.")

    async def _make_rematch(self, kept: Kept, record: Record) -> None:
        outcome = record.outcome
        assert outcome is not None
        points = [
            score + outcome.points(seat) for seat, score in zip(Seat, kept.deal.score, strict=True)
        ]
        one, two = (
            Chair(
                chair.seat.other, chair.name, chair.player, seed=BOT_SEED if chair.is_bot else None
            )
            for chair in reversed(kept.chairs)
        )
        now = self.hub.time.now()
        new = Kept(  # which counts for nobody's limit: it takes a finished game to make one
            id=tokens.fresh(),
            deal=replace(kept.deal, score=(points[1], points[0])),
            server_seed=fresh_seed(),
            created=now,
            chairs=(one, two),
            watch=kept.watch,
            started=now,
        )
        await self.store.create(new, rematch_of=kept.id)

    # --- finished games ---

    async def kept(self, id: str) -> Kept:
        """The game with this id."""
        kept = await self.store.game(id) if tokens.is_token(id) else None
        if kept is None:
            raise NotGranted(404, "unknown-game", "There is no such game, or not any more.")
        return kept

    async def finished(self, id: str, token: str | None) -> Record:
        """The record of a finished game, for whoever may see it."""
        kept = await self.kept(id)
        if not kept.watch:
            kept, _ = await self._seated(id, token)
        return await self.record(kept)

    async def record(self, kept: Kept) -> Record:
        """The record of a finished game."""
        if kept.result is None:
            raise NotGranted(409, "not-over", "The game is not over.")
        return await self._records.of(kept.id, lambda: self._read(kept))

    async def _read(self, kept: Kept) -> Record:
        table = await self._aside.do(Table, kept, await self.store.journal(kept.id))
        return table.playing.record

    async def text(self, id: str, token: str | None) -> tuple[str, Record]:
        """A finished game's record as it is saved, and as it is."""
        record = await self.finished(id, token)
        return await self._texts.of(id, lambda: self._aside.do(record.dumps)), record

    async def replay(self, id: str, token: str | None, viewer: Seat | None) -> bytes:
        """The frames of a finished game as JSON, as a seat or a spectator was sent them."""
        record, kept = await self.finished(id, token), await self.kept(id)
        frames = await self._frames.of(
            (id, viewer), lambda: self._aside.do(_frames, kept, record, viewer)
        )
        now = record.steps[-1].time if record.steps else 0.0
        welcome = Table(kept).welcome((viewer, True), self.hub.info_of(kept), now)
        return b'{"welcome":%b,"frames":%b}' % (orjson.dumps(welcome), frames)

    async def _seated(self, id: str, token: str | None) -> tuple[Kept, Seat]:
        kept = await self.kept(id)
        seat = None if token is None else kept.seat_of(token)
        if seat is None:
            raise NotGranted(401, "bad-token", "This is for who sat at the game.")
        return kept, seat


def _frames(kept: Kept, record: Record, viewer: Seat | None) -> bytes:
    table, kind, frames = Table(kept), (viewer, True), []
    now = record.steps[-1].time if record.steps else 0.0
    for entry in record.entries:
        table.follow_entry(entry)
        frames.append(table.frame(kind, now))
    return orjson.dumps(frames)


def _numbered(name: str) -> str:
    """Another name than this one, with a number behind it, however long this one is.

    >>> _numbered("Ada"), _numbered("Twenty-four characters -")
    ('Ada (2)', 'Twenty-four characte (2)')
    >>> _numbered("Nineteen characters and"), _numbered("Twenty-four characte (2)")
    ('Nineteen characters (2)', 'Twenty-four characte (3)')
    """
    begin = name[: LONGEST_NAME - len(" (2)")].rstrip()
    return next(each for number in (2, 3) if (each := f"{begin} ({number})") != name)


def dealt(game: str, options: dict[str, Any], aids: bool, clock: Clock | None) -> Deal:
    """What is to be played, checked."""
    return Deal(played(game, **options), aids, clock)
