"""The catalog: every game that loads, from this package or another, and who plays it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from strongroom_bluff.game import Bluff

from strongroom import load
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.server.catalog import bots_for, games
from strongroom.server.files import BOARDS, PageFiles

POINTS = """\
[strongroom.games]
bluff = strongroom_bluff.game:Bluff
broken = no_such_module:Game
"""


@pytest.fixture(autouse=True)
def _others_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that adds Bluff without its theory, and a game that does not load."""
    (tmp_path / "others-1.dist-info").mkdir()
    (tmp_path / "others-1.dist-info" / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    games.cache_clear()
    yield
    games.cache_clear()


def test_a_game_that_does_not_load_is_left_out_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert list(games()) == [*GAMES, "bluff"]
    (logged,) = caplog.records
    assert logged.__dict__["parts"]["text"] == "The game broken does not load."


def test_the_catalog_tells_which_board_draws_a_game_and_whether_secrets_can_be_counted() -> None:
    boards = {name: game["board"] for name, game in games().items()}
    assert boards == {**{name: name for name in GAMES}, "bluff": "generic"}
    assert set(GAMES) == BOARDS
    assert [name for name, game in games().items() if not game["aids"]] == ["quantum-duel", "bluff"]


def test_only_bots_that_know_a_game_play_it() -> None:
    assert bots_for(Bluff()) == ["random"]
    # Where nothing is certified, expert stands in for master.
    for game in (*map(load, GAMES), load("safe-cracker", attempts=9)):
        assert bots_for(game) == list(PLAYERS)


def test_the_words_of_a_game_are_no_markup_on_its_card() -> None:
    odd = {"name": "odd", "title": "<b>Odd</b>", "summary": 'A "game" & more $title'}
    page = PageFiles([odd])._index("http://duels.example/").plain.decode()
    assert "<h2>&lt;b&gt;Odd&lt;/b&gt;</h2>" in page
    assert "<p>A &quot;game&quot; &amp; more $title</p>" in page
