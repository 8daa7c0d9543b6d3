"""Who can sit down at which game is known before anything is asked or played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import strongroom_bluff
from strongroom_bluff.game import Bluff

from strongroom import registry
from strongroom.registry import load
from strongroom.terminal.arguments import opponents_for

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom

POINTS = "[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which the game of another package, without its theory, is installed."""
    folder = tmp_path / "packages"
    (folder / "bluff-1.dist-info").mkdir(parents=True)
    (folder / "bluff-1.dist-info" / "entry_points.txt").write_text(POINTS)
    return folder


@pytest.fixture
def env(installed: Path) -> dict[str, str]:
    code = Path(strongroom_bluff.__file__).parents[1]
    paths = [installed, code, os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(map(str, paths))}


@pytest.mark.parametrize("name", registry.GAMES)
def test_everybody_sits_down_at_the_five_games(name: str) -> None:
    assert opponents_for(load(name)) == ["person", "master", "expert", "casual", "random"]


def test_who_needs_a_table_does_not_sit_down_where_there_is_none() -> None:
    game = load("safe-cracker", attempts=9)
    assert opponents_for(game) == ["person", "expert", "casual", "random"]


def test_who_does_not_know_an_added_game_does_not_sit_down_at_it() -> None:
    assert opponents_for(Bluff()) == ["person", "random"]


@pytest.mark.parametrize("player", ["master", "expert", "casual"])
def test_play_names_those_who_can(
    strongroom: Strongroom, env: dict[str, str], games: Path, player: str
) -> None:
    ran = strongroom("play", "bluff", "--vs", player, env=env)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(" --vs can be: random.\n")
    assert ran.err.count("\n") == 1
    assert not games.exists()


def test_a_tournament_names_those_who_can_before_it_begins(
    strongroom: Strongroom, env: dict[str, str]
) -> None:
    ran = strongroom("tournament", "bluff", "--players", "random", "expert", env=env)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "strongroom: expert does not know bluff. --players can be: random.\n"
