"""Broken or odd packages of others: each costs one line and affects nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.plugins import registry

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

MODULE = '''
import os, sys


class Talks:
    """Says what it thinks."""

    def __init__(self, game, rng):
        print("I sit down")

    def choose(self, view):
        print("I think")
        return view.moves[0]


class Exits(Talks):
    """Leaves when it is asked."""

    def choose(self, view):
        sys.exit("bye")


class ExitsAtOnce(Talks):
    """Leaves before the game."""

    def __init__(self, game, rng):
        sys.exit(0)


class Unspeakable(Exception):
    def __str__(self):
        raise self


class Breaks(Talks):
    """Cannot even say what is wrong."""

    def __init__(self, game, rng):
        raise Unspeakable


class Kills(Talks):
    """Takes the process with it."""

    def choose(self, view):
        os._exit(7)
'''

POINTS = """\
[strongroom.players]
talks = odd_guests:Talks
exits = odd_guests:Exits
exits-at-once = odd_guests:ExitsAtOnce
breaks = odd_guests:Breaks
kills = odd_guests:Kills
exits-at-import = odd_exit:Nobody
50%s = odd_guests:Talks
two words = odd_guests:Talks

[strongroom.games]
exits = odd_exit:Nothing
no-game = odd_guests:Talks
$(touch${IFS}ran) = odd_guests:Talks

[strongroom.words]
quantum-duel.exits = odd_exit:Words
quantum-duel.no-words = odd_guests:Talks
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment in which odd packages are installed."""
    folder = tmp_path / "packages"
    (folder / "odd-1.dist-info").mkdir(parents=True)
    (folder / "odd-1.dist-info" / "entry_points.txt").write_text(POINTS)
    (folder / "odd_guests.py").write_text(MODULE)
    (folder / "odd_exit.py").write_text("import sys; sys.exit(0)\n")
    source = Path(registry.__file__).parents[2]
    return {"PYTHONPATH": f"{folder}{os.pathsep}{source}"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "quantum-duel", "--vs", "exits-at-once"],
        ["play", "quantum-duel", "--vs", "exits-at-import"],
        ["play", "quantum-duel", "--vs", "breaks"],
        ["play", "quantum-duel", "--words", "exits"],
        ["play", "quantum-duel", "--words", "no-words"],
        ["play", "exits"],
        ["play", "no-game"],
        ["rules", "no-game"],
        ["tournament", "quantum-duel", "--games", "2", "--players", "random", "exits-at-once"],
        ["tournament", "quantum-duel", "--games", "2", "--players", "random", "breaks"],
        ["tournament", "quantum-duel", "--games", "2", "--players", "random", "kills"],
    ],
)
def test_an_unusable_package_is_one_line_and_a_failure(
    strongroom: Strongroom, env: dict[str, str], arguments: list[str]
) -> None:
    ran = strongroom(*arguments, env=env)
    assert ran.code == 2
    assert ran.err.startswith("strongroom: ")
    assert ran.err.count("\n") == 1


def test_a_player_that_exits_forfeits(strongroom: Strongroom, env: dict[str, str]) -> None:
    ran = strongroom("play", "quantum-duel", "--vs", "exits", lines=["3"], env=env)
    assert ran.code == 0
    assert "You won, because Exits failed: SystemExit: bye" in ran.out


def test_a_package_that_exits_takes_no_other_game_from_the_list_or_the_menu(
    strongroom: Strongroom, env: dict[str, str]
) -> None:
    ran = strongroom("games", env=env)
    assert "does not load: 'SystemExit: 0'" in ran.out
    assert [name for name in registry.GAMES if name not in ran.out] == []
    assert "Which game?" in strongroom(lines=["quit"], env=env).out


def test_output_of_a_player_does_not_mix_with_events(
    strongroom: Strongroom, env: dict[str, str]
) -> None:
    ran = strongroom("play", "quantum-duel", "--vs", "talks", "--json", lines=["3"], env=env)
    assert [event["event"] for event in ran.events][:3] == ["start", "ask", "move"]
    assert ran.err.splitlines()[:2] == ["I sit down", "I think"]


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_output_of_a_player_does_not_appear_on_the_page(
    sit_down: SitDown, env: dict[str, str], face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", "--vs", "talks", "--fast", *face, env=env)
    terminal.answers("want to observe: ", "3")
    terminal.answers("want to observe: ", "quit")
    assert terminal.ends() == 4
    assert "I think" not in terminal.text


@pytest.mark.parametrize("command", ["play", "tournament"])
def test_odd_names_are_left_out_and_do_not_spoil_the_help(
    strongroom: Strongroom, env: dict[str, str], command: str
) -> None:
    ran = strongroom(command, "--help", env=env)
    assert ran.code == 0
    assert "exits-at-once" in ran.out
    assert "50%" not in ran.out
    assert "two words" not in ran.out


def test_shell_completion_never_runs_the_name_of_a_game(
    env: dict[str, str], tmp_path: Path, strongroom: Strongroom
) -> None:
    (tmp_path / "script").write_text(strongroom("completion", "bash", env=env).out)
    tab = (
        f'strongroom() {{ "{sys.executable}" -m strongroom "$@"; }}; source ./script;'
        'COMP_WORDS=(strongroom play ""); COMP_CWORD=2; _strongroom; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", tab], cwd=tmp_path, env=os.environ | env, capture_output=True, text=True
    )
    assert "no-game" in done.stdout
    assert not (tmp_path / "ran").exists()
