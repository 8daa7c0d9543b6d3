"""Which players can play which game is known before anything is asked or played."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
import strongroom_bluff
from strongroom_bluff.game import Bluff

from strongroom.plugins import registry
from strongroom.plugins.registry import load
from strongroom.referee.sitter import Sitter, called_by_seat
from strongroom.terminal.arguments import bots_for, seated
from tests.terminal.conftest import Strongroom


def test_bots_that_cannot_play_a_game_are_not_offered() -> None:
    for name in registry.GAMES:
        assert bots_for(load(name)) == ["master", "expert", "casual", "random"]
    without_a_table = load("safe-cracker", attempts=9)
    assert bots_for(without_a_table) == ["expert", "casual", "random"]
    assert bots_for(Bluff()) == ["random"], "the others do not know an added game"


def test_a_command_names_the_players_that_can_play_an_added_game(
    strongroom: Strongroom, games: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "packages"
    (folder / "bluff-1.dist-info").mkdir(parents=True)
    points = "[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n"  # without its theory
    (folder / "bluff-1.dist-info" / "entry_points.txt").write_text(points)
    code = Path(strongroom_bluff.__file__).parents[1]
    paths = [folder, code, os.environ.get("PYTHONPATH", "")]
    env = {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    ran = strongroom("play", "bluff", "--vs", "master", env=env)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(" --vs can be: random.\n")
    assert ran.err.count("\n") == 1
    assert not games.exists()
    ran = strongroom("tournament", "bluff", "--players", "random", "expert", env=env)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "strongroom: expert cannot play bluff. --players can be: random.\n"


# --- players without names ------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["1", "2", "toss"])
def test_without_names_the_players_are_called_after_their_seats(seat: str) -> None:
    for seed in range(4):
        sitters, _ = seated("person", seat, None, Random(seed))
        assert [sitter.name for sitter in sitters] == ["Player 1", "Player 2"]


def test_a_toss_between_unnamed_people_says_who_begins() -> None:
    told = {seated("person", "toss", None, Random(seed))[1] for seed in range(20)}
    assert told == {
        "Whoever started this game won the toss and begins.",
        "Whoever did not start this game won the toss and begins.",
    }
    assert seated("person", "1", None, Random(1))[1] == ""


def test_a_chosen_name_is_kept_in_either_seat() -> None:
    ada, nameless = Sitter("Ada"), Sitter("Player 2")
    assert called_by_seat(ada, nameless) == (ada, nameless)
    assert called_by_seat(nameless, ada) == (Sitter("Player 1"), ada)
