"""Canaries: long secrets, and a search for them in every place where they must not be."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playing import fresh
from serving import FIGURES, PATIENCE, Server
from talking import Duel, Talk, duel


@dataclass
class Tally:
    """What was searched, and what went wrong."""

    pairs: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    frames: int = 0
    searched: int = 0
    """The number of bytes searched for canaries."""
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        pairs = ", ".join(f"{name} {count}" for name, count in self.pairs.items())
        return (
            f"pairs of games: {pairs}; {self.steps} steps of them gave {self.frames} equal frames; "
            f"canaries searched for in {self.searched} bytes"
        )


def spellings(secret: str) -> Iterator[bytes]:
    """A token, nonce or seed in every plausible encoding."""
    raw = bytes.fromhex(secret)
    for text in (secret, secret.upper(), str(int(secret, 16)), secret[::-1]):
        yield text.encode()
    for data in (raw, secret.encode()):
        yield base64.b64encode(data).rstrip(b"=")
        yield base64.urlsafe_b64encode(data).rstrip(b"=")
    yield raw
    yield secret.encode("utf-16-le")


def code_spellings(code: str) -> Iterator[bytes]:
    """A secret code in every plausible spelling."""
    digits = code.split("-")
    for between in ("-", ", ", ",", " ", "/", '","', "', '"):
        yield between.join(digits).encode()
    yield f'"{"".join(digits)}"'.encode()


class Canaries:
    """A game with long secrets, and a search of every place where they must not appear."""

    def __init__(self, server: Server, database: Path, tally: Tally) -> None:
        self._server = server
        self._database = database
        self._tally = tally
        self._hexes: dict[str, str] = {}
        self._codes: dict[str, str] = {}

    def run(self) -> None:
        """Play the game with players and spectators connected; search during and after it."""
        options = {"digits": 9, "length": 6}
        game = duel(self._server.address, "safe-cracker", options=options)
        self._hexes |= {"token of seat 1": game.tokens[0], "token of seat 2": game.tokens[1]}
        one, two = game.both(words=True)
        with one, two, game.watch(words=True) as watcher, game.watch() as other:
            watcher.hear("welcome")
            other.hear("welcome")
            talks = {"seat 1": one, "seat 2": two, "a spectator": watcher, "another": other}
            codes = {"seat 1": "8-3-9-1-7-2", "seat 2": "6-9-2-4-8-5"}
            for who, mover in (("seat 1", one), ("seat 2", two)):
                while not mover.is_to_move:
                    mover.hear("entries")
                made = mover.move(codes[who])
                self._hexes[f"nonce of {who}"] = made["entries"][0]["nonce"]
                self._codes[f"secret of {who}"] = codes[who]
            self._hexes["server's seed"] = self._stored("SELECT server_seed FROM games")[0]
            for guess in ("1-2-3-4-5-6", "7-7-7-7-7-7", "1-1-1-1-1-1", "2-2-2-2-2-2"):
                for mover in (one, two):
                    while not mover.is_to_move:
                        mover.hear("entries")
                    mover.ask("nonsense")
                    mover.hear("refused")
                    mover.move(guess)
            for talk in talks.values():
                talk.hear_until_quiet()
            for who, talk in talks.items():
                self._search(f"frames to {who}", "\n".join(talk.texts).encode(), own=who)
            self._search_in_public(game)
            self._search_in_the_database()
            one.say("resign", id=fresh())
            for talk in talks.values():
                talk.hear("entries")
        self._search_after_the_end(game)

    def _search(self, place: str, data: bytes, own: str = "") -> None:
        """Search for every secret, except those that belong to `own`; tokens always count."""
        self._tally.searched += len(data)
        sought = [(name, spellings(value)) for name, value in self._hexes.items()]
        sought += [(name, code_spellings(value)) for name, value in self._codes.items()]
        for name, spelled in sought:
            if own and name.endswith(own) and not name.startswith("token"):
                continue
            if any(spelling in data for spelling in spelled):
                self._tally.wrong.append(f"the {name} is in {place}")

    def _search_in_public(self, game: Duel) -> None:
        """Search what strangers can request, error responses, the log and the metrics."""
        address, id, token = self._server.address, game.id, game.tokens[0]
        with httpx.Client(base_url=address, timeout=PATIENCE) as stranger:
            answers = [
                stranger.get(f"/api/games/{id}"),
                *(
                    stranger.get(f"/api/games?show={show}")
                    for show in ("waiting", "playing", "over")
                ),
                *(
                    stranger.get(f"/api/games/{id}/{part}")
                    for part in ("record", "replay", "analysis")
                ),
                stranger.get(
                    f"/api/games/{id}/record", headers={"Authorization": f"Bearer {token}"}
                ),
                stranger.post(f"/api/games/{id}/join", json={"name": "Eve", "token": fresh()}),
                stranger.post(f"/api/games/{id}/rematch", json={"token": fresh()}),
                stranger.post(f"/api/games/{id}/withdraw"),
                stranger.post("/api/games", json={"token": token, "name": 7, "game": token}),
                stranger.post("/api/games", content=f'{{"token": "{token}'.encode()),
                stranger.get(f"/api/games/{token}"),
                stranger.get(f"/api/rules/{token}"),
                stranger.get(f"/ws?token={token}"),
                stranger.get(f"/nowhere/{token}"),
                stranger.get("/metrics"),
                stranger.get("/metrics", headers=FIGURES),
                stranger.get("/readyz"),
            ]
        for answer in answers:
            head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
            place = f"the answer to {answer.request.method} {answer.request.url.path[:12]}"
            self._search(place, head.encode() + answer.content)
        with Talk(address, game=id, token="0" * 32) as talk:
            talk.hear_close()
            self._search("an error of the WebSocket", "\n".join(talk.texts).encode())
        self._search("the log", self._server.log.encode())

    def _search_in_the_database(self) -> None:
        """Search all but the journal and the server's seed; for tokens, every byte of the files."""
        for row in (
            *self._stored_rows("SELECT id, deal, invitation, address FROM games"),
            *self._stored_rows("SELECT * FROM seats"),
            *self._stored_rows("SELECT game, number, last, request FROM journal"),
            *self._stored_rows("SELECT * FROM processes"),
        ):
            self._search("the database's public parts", repr(row).encode())
        tokens = {name: value for name, value in self._hexes.items() if name.startswith("token")}
        hexes, codes, self._hexes, self._codes = self._hexes, self._codes, tokens, {}
        for file in self._database.parent.glob(f"{self._database.name}*"):
            self._search(f"the file {file.name}", file.read_bytes())
        self._hexes, self._codes = hexes, codes

    def _search_after_the_end(self, game: Duel) -> None:
        """Search for tokens, which stay hidden; the record now reveals the secrets."""
        self._hexes = {name: value for name, value in self._hexes.items() if "token" in name}
        self._codes = {}
        for part in ("", "/record", "/replay", "/replay?seat=1"):
            self._search(part, self._get(f"/api/games/{game.id}{part}").encode())
        self._search("the log", self._server.log.encode())
        record = self._get(f"/api/games/{game.id}/record")
        if json.loads(record.splitlines()[1])["move"] != "8-3-9-1-7-2":
            self._tally.wrong.append("the record does not tell the secrets")

    def _stored_rows(self, sql: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)) as database:
            return database.execute(sql).fetchall()

    def _stored(self, sql: str) -> list[str]:
        return [str(row[0]) for row in self._stored_rows(sql)]

    def _get(self, path: str) -> str:
        return httpx.get(self._server.address + path, timeout=PATIENCE).text
