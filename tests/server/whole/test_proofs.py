"""A share of the proofs in `proofs/`, which are also commands of their own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import cast

import pytest
from canaries import Canaries, Tally, code_spellings, spellings
from crash import crash
from flood import FEWEST, GROWTH, flood
from fuzz import fuzz
from leak import HIDING, Turn, Watched, compare
from serving import Server, served

from strongroom.contract import Seat
from tests.server.local import LocalServer

pytestmark = pytest.mark.proof
MOST_USED = 0.7
"""The most of a core that a server may use while it is flooded and played on."""


@pytest.mark.parametrize(
    ("database", "processes"),
    [("sqlite", 1), ("sqlite", 3), ("postgres", 3)],
    indirect=["database"],
)
def test_killing_the_server_never_loses_or_doubles_an_acknowledged_move(
    tmp_path: Path, database: str, processes: int
) -> None:
    url = database.removeprefix("sqlite:///")
    tally = asyncio.run(crash(url, tmp_path, processes, kills=6, games=6, seed=processes))
    assert tally.wrong == []
    assert tally.kills >= 6
    assert tally.acknowledged


def test_garbage_frames_are_answered_and_change_nothing(tmp_path: Path) -> None:
    tally = asyncio.run(fuzz(tmp_path, frames=3000, seed=1))
    assert tally.wrong == []
    assert tally.frames >= 3000


def test_a_flood_from_one_address_gets_only_its_share_and_others_play_on(tmp_path: Path) -> None:
    spells, _ = asyncio.run(flood(tmp_path, ("stale", "deaf", "mixture"), rounds=1, seconds=6.0))
    for spell in spells:
        assert len(spell.attacked) >= FEWEST, spell
        assert max(spell.used) < MOST_USED, spell
        assert spell.grown < GROWTH, spell


def test_no_canary_is_found_where_it_may_not_be_seen(tmp_path: Path) -> None:
    database, tally = tmp_path / "games.db", Tally()
    with served(str(database), tmp_path / "log", "--fast") as server:
        Canaries(server, database, tally).run()
    assert tally.wrong == []
    assert tally.searched > 100_000


@pytest.mark.parametrize("hider", Seat)
@pytest.mark.parametrize("name", HIDING)
def test_no_frame_depends_on_what_is_hidden(shared: LocalServer, name: str, hider: Seat) -> None:
    tally = Tally()
    compare(cast("Server", shared), name, hider, Random(name), tally)
    assert tally.wrong == []
    assert tally.frames > 10


def test_the_comparison_would_find_a_leaked_secret(shared: LocalServer) -> None:
    heard = []
    for which in range(2):
        game = Watched(cast("Server", shared), "safe-cracker", Seat.ONE)
        game.do(Turn(Seat.ONE, ("1-2-3", "3-2-1")), which)
        heard.append((game.heard(Seat.ONE), game.heard(Seat.TWO)))
        game.close()
    (own, others), (own_again, others_again) = heard
    assert own != own_again
    assert others == others_again


def test_a_canary_is_found_in_any_spelling() -> None:
    token = "0123456789abcdef" * 2
    assert b"ASNFZ4mrze8BI0VniavN7w" in set(spellings(token))
    assert token.upper().encode() in set(spellings(token))
    assert {b"8-3-9", b"8,3,9", b'"839"'} <= set(code_spellings("8-3-9"))
