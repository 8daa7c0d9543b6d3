"""Players and words from other packages at the table, and what happens when they fail."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.plugins import registry
from strongroom.terminal.main import main

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom

MODULE = '''
from strongroom.games.quantum_duel.words import QuantumDuelWords


class Crashes:
    """Crashes when it is asked."""

    def __init__(self, game, rng):
        pass

    def choose(self, view):
        raise ZeroDivisionError("no\\x1b[2Jnumber")


class Cheats(Crashes):
    """Plays what is not allowed."""

    def choose(self, view):
        return view.history[-1].move


class NeverSits(Crashes):
    """Breaks before the game begins."""

    def __init__(self, game, rng):
        raise KeyError("chair")


class Planets(QuantumDuelWords):
    """The same game among planets."""

    title = "Planet Duel"

    def won(self, outcome):
        return "aligned four planets"
'''

POINTS = """\
[strongroom.players]
crashes = guests:Crashes
cheats = guests:Cheats
never-sits = guests:NeverSits
not-there = guests:NotThere

[strongroom.words]
quantum-duel.planets = guests:Planets
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment in which another package is installed."""
    folder = tmp_path / "packages"
    (folder / "guests-1.dist-info").mkdir(parents=True)
    (folder / "guests-1.dist-info" / "entry_points.txt").write_text(POINTS)
    (folder / "guests.py").write_text(MODULE)
    return {"PYTHONPATH": f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


@pytest.mark.parametrize(
    ("player", "why", "told"),
    [
        (
            "crashes",
            "it failed: ZeroDivisionError: no?[2Jnumber",
            "Crashes failed: ZeroDivisionError: no?[2Jnumber",
        ),
        (
            "cheats",
            "its move was refused. Cell 3 is already observed.",
            "Cheats's move was refused. Cell 3 is already observed.",
        ),
    ],
)
def test_the_reason_of_a_forfeit_is_shown_at_the_end_in_the_event_and_in_the_record(
    strongroom: Strongroom, env: dict[str, str], player: str, why: str, told: str
) -> None:
    arguments = ["play", "quantum-duel", "--vs", player, "--save"]
    ran = strongroom(*arguments, "a.json", lines=["3"], env=env)
    assert ran.code == 0
    assert f"Game over: You won, because {told}" in ran.lines
    replayed = strongroom("replay", "a.json", env=env)
    assert f"Game over: You won, because {told}" in replayed.lines
    end = strongroom(*arguments, "b.json", "--json", lines=["3"], env=env).events[-1]
    assert (end["winner"], end["reason"], end["detail"]) == (1, "forfeited", why)
    assert end["words"] == f"You won, because {told}"


@pytest.mark.parametrize(
    ("player", "says"),
    [
        ("never-sits", "The player 'never-sits' cannot play: "),
        ("not-there", "The player 'not-there' is installed, but its package does not load: "),
    ],
)
def test_a_player_that_cannot_be_created_is_one_line_before_anything_is_saved(
    strongroom: Strongroom, env: dict[str, str], games: Path, player: str, says: str
) -> None:
    ran = strongroom("play", "quantum-duel", "--vs", player, env=env)
    assert ran.code == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1
    assert not games.exists()


def test_the_menu_offers_players_of_other_packages(
    strongroom: Strongroom, env: dict[str, str]
) -> None:
    ran = strongroom(lines=["5", "crashes", "1", "Ada", "3"], env=env)
    assert "  7. crashes: Crashes when it is asked." in ran.lines
    assert "Game over: Ada won, because Crashes failed: " in ran.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_name_that_a_shell_could_run_is_not_completed(
    strongroom: Strongroom, env: dict[str, str], tmp_path: Path, shell: str
) -> None:
    points = tmp_path / "packages" / "guests-1.dist-info" / "entry_points.txt"
    points.write_text(f"{POINTS}\n[strongroom.players]\n$(touch x)'\"; = guests:Crashes\n")
    ran = strongroom("completion", shell, env=env)
    assert "never-sits" in ran.out
    assert "touch" not in ran.out


def test_another_set_of_words_speaks_at_the_same_game(
    strongroom: Strongroom, env: dict[str, str]
) -> None:
    lines = ["1", "7", "2", "no", "6", "no", "3", "no", "5", "no", "4", "no"]
    words = ["--words", "planets"]
    ran = strongroom("play", "quantum-duel", *words, "--save", "a.json", lines=lines, env=env)
    assert ran.lines[0] == "Welcome to Planet Duel!"
    assert "Game over: Player 1 aligned four planets." in ran.lines
    assert (
        "Game over: Player 1 made an unbroken chain of 4." in strongroom("replay", "a.json").lines
    )
    assert "Player 1 aligned four planets" in strongroom("replay", "a.json", *words, env=env).out


def test_unknown_words_are_refused_in_a_line(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", "--words", "klingon")
    assert ran.code == 2
    assert "There is no set of words 'quantum-duel.klingon'." in ran.err
    assert ran.err.count("\n") == 1


def test_a_broken_game_of_our_own_is_not_blamed_on_another_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = ("strongroom.games.nowhere:Game", "It does not load.")
    monkeypatch.setitem(registry.GAMES, "safe-code", broken)
    assert main(["rules", "safe-code"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("strongroom: strongroom itself is damaged: its game safe-code")
    assert error.endswith("Reinstall strongroom.\n")
    assert error.count("\n") == 1
