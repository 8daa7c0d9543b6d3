"""The catalog: every game that loads, from this package or another, and who plays it."""

from __future__ import annotations

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


def test_every_game_that_loads_is_in_the_catalog_with_its_board_and_who_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # Another package adds Bluff without its theory, and a game that does not load.
    (tmp_path / "others-1.dist-info").mkdir()
    (tmp_path / "others-1.dist-info" / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    games.cache_clear()
    found = games()
    games.cache_clear()
    assert list(found) == [*GAMES, "bluff"]
    (logged,) = caplog.records
    assert logged.__dict__["parts"]["text"] == "The game broken does not load."
    boards = {name: game["board"] for name, game in found.items()}
    assert boards == {**{name: name for name in GAMES}, "bluff": "generic"}
    assert set(GAMES) == BOARDS
    assert [name for name, game in found.items() if not game["aids"]] == ["quantum-duel", "bluff"]
    assert bots_for(Bluff()) == ["random"]
    # Where nothing is certified, expert stands in for master.
    for game in (*map(load, GAMES), load("safe-cracker", attempts=9)):
        assert bots_for(game) == list(PLAYERS)


def test_the_words_of_a_game_are_no_markup_on_its_card() -> None:
    odd = {"name": "odd", "title": "<b>Odd</b>", "summary": 'A "game" & more $title'}
    page = PageFiles([odd])._index("http://duels.example/").plain.decode()
    assert "<h2>&lt;b&gt;Odd&lt;/b&gt;</h2>" in page
    assert "<p>A &quot;game&quot; &amp; more $title</p>" in page
