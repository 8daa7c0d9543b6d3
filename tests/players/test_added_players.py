"""Bots that other packages add through the entry points `strongroom.players`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest

from strongroom.contract import Ending, Seat, UnknownName
from strongroom.players import player
from strongroom.players.drive import Drive
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import GAMES, PLAYERS, load, names, summary
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws

BOTS = '''
"""Two bots that another package adds."""


class First:
    """Makes the first move that it may."""

    def __init__(self, game, rng):
        self.game = game

    def choose(self, view):
        return view.moves[0]


def last(game, rng):
    """Makes the last move that it may."""
    bot = First(game, rng)
    bot.choose = lambda view: view.moves[-1]
    return bot
'''

POINTS = """\
[strongroom.players]
first = added_bots:First
last = added_bots:last
random = added_bots:First
lost = no_such_module:Bot
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed a package that adds bots."""
    info = "added_bots-1.0.dist-info"
    files = {
        "added_bots.py": BOTS,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: added_bots\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": POINTS,
    }
    record = "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD"))
    wheel = tmp_path_factory.mktemp("wheel") / "added_bots-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        for file, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(file, text)
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--target", str(folder), str(wheel)]
    subprocess.run([*pip, *offline], check=True)
    return folder


@pytest.fixture(autouse=True)
def _on_the_path(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(installed)


def test_added_bots_are_listed_after_our_own_and_introduced_by_their_documentation() -> None:
    assert names("player") == [*PLAYERS, "first", "last", "lost"]
    assert summary("player", "first") == "Makes the first move that it may."


def test_added_bots_play_a_match() -> None:
    game = load("digit-deductions")
    bots = {Seat.ONE: player("first", game, Random(1)), Seat.TWO: player("last", game, Random(2))}
    match = Drive(Match.start(game, turn_limit=4), bots).run()
    assert [str(step.move) for step in match.record.steps][:4] == ["1-1", "9-9", "1-1", "9-9"]


def test_the_bot_in_the_documentation_plays_every_game_to_its_end() -> None:
    page = Path(__file__).parents[2] / "docs" / "players.md"
    example, *_ = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    for game in map(load, GAMES):
        bots = {seat: names["FirstMove"](game, Random(1)) for seat in Seat}
        outcome = Drive(Match.start(game, turn_limit=20, draw=draws(1)), bots).run().outcome
        assert outcome is not None
        assert outcome.reason is not Ending.FORFEITED


def test_an_added_bot_cannot_take_the_name_of_one_of_our_own() -> None:
    assert isinstance(player("random", load("quantum-duel"), Random(1)), RandomPlayer)


def test_an_added_bot_that_does_not_load_is_refused_without_harm_to_others() -> None:
    with pytest.raises(UnknownName, match="'lost' is installed, but its package does not load"):
        player("lost", load("quantum-duel"), Random(1))
    assert "does not load" in summary("player", "lost")
