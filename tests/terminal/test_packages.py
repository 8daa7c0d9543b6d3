"""Players, words and games from other packages at the table: odd or broken ones cost one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.plugins import registry
from strongroom.terminal import setup
from tests.plugins.packages import add_package

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

CODE = '''
import sys

from strongroom.games.quantum_duel.words import QuantumDuelWords


class Talks:
    """Says what it thinks."""

    def __init__(self, game, rng):
        print("I sit down")

    def choose(self, view):
        print("I think")
        return view.moves[0]


class Crashes(Talks):
    """Crashes when it is asked."""

    def choose(self, view):
        raise ZeroDivisionError("no\\x1b[2Jnumber")


class Cheats(Talks):
    """Plays what is not allowed."""

    def choose(self, view):
        return view.history[-1].move


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


class Planets(QuantumDuelWords):
    """The same game among planets."""

    title = "Planet Duel"

    def won(self, outcome):
        return "aligned four planets"
'''
POINTS = """\
[strongroom.players]
talks = guests:Talks
crashes = guests:Crashes
cheats = guests:Cheats
exits = guests:Exits
exits-at-once = guests:ExitsAtOnce
breaks = guests:Breaks
exits-at-import = guests_who_exit:Nobody
not-there = guests:NotThere
50%s = guests:Talks
two words = guests:Talks
$(touch x)'"; = guests:Talks

[strongroom.games]
exits = guests_who_exit:Nothing
no-game = guests:Talks
$(touch${IFS}ran) = guests:Talks

[strongroom.words]
quantum-duel.planets = guests:Planets
quantum-duel.exits = guests_who_exit:Words
quantum-duel.no-words = guests:Talks
"""
DUEL = ("play", "quantum-duel")
ODD_NAMES = ("50%", "two words", "touch")


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of another package, which can be imported."""
    folder = add_package(tmp_path / "packages", "guests", POINTS, CODE)
    (folder / "guests_who_exit.py").write_text("import sys; sys.exit(0)\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "guests", raising=False)
    setup._bots.cache_clear()  # a program finds the same packages all the time
    yield folder
    setup._bots.cache_clear()


@pytest.fixture
def elsewhere(packages: Path) -> dict[str, str]:
    """An environment in which a new process imports it too."""
    source = Path(registry.__file__).parents[2]
    return {"PYTHONPATH": f"{packages}{os.pathsep}{source}"}


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("crashes", "it failed: ZeroDivisionError: no?[2Jnumber"),
        ("exits", "it failed: SystemExit: bye"),
        ("cheats", "its move was refused. Cell 3 is already observed."),
    ],
)
def test_the_reason_of_a_forfeit_is_shown_at_the_end_in_the_event_and_in_the_record(
    strongroom: Strongroom, player: str, why: str
) -> None:
    told = why.replace("its ", "it's ", 1).replace("it", player.title(), 1)
    arguments = [*DUEL, "--vs", player, "--save"]
    ran = strongroom(*arguments, "a.json", lines=["3"])
    assert ran.code == 0
    ending = f"You won, because {told}"
    assert f"Game over: {ending}" in ran.lines
    assert f"Game over: {ending}" in strongroom("replay", "a.json").lines
    end = strongroom(*arguments, "b.json", "--json", lines=["3"]).events[-1]
    assert (end["winner"], end["reason"], end["detail"]) == (1, "forfeited", why)
    assert end["words"] == ending


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("play quantum-duel --vs exits-at-once", "The player 'exits-at-once' cannot play: "),
        (
            "play quantum-duel --vs exits-at-import",
            "The player 'exits-at-import' is installed, but",
        ),
        (
            "play quantum-duel --vs not-there",
            "The player 'not-there' is installed, but its package",
        ),
        ("play quantum-duel --words exits", "The words 'quantum-duel.exits' is installed, but"),
        ("play quantum-duel --words no-words", "The words 'quantum-duel.no-words' is installed"),
        ("play quantum-duel --words klingon", "There is no set of words 'quantum-duel.klingon'."),
        ("play exits", "The game 'exits' is installed, but its package does not load: "),
        ("play no-game", "The game 'no-game' is installed, but its package does not load: "),
        ("tournament quantum-duel --players random breaks", "The player 'breaks' cannot play: "),
    ],
)
def test_an_unusable_package_is_one_line_before_anything_is_saved(
    strongroom: Strongroom, games: Path, typed: str, told: str
) -> None:
    ran = strongroom(*typed.split())
    assert ran.code == 2
    assert ran.err.startswith(f"strongroom: {told}")
    assert ran.err.count("\n") == 1
    assert not games.exists()


def test_a_package_that_exits_takes_no_other_game_from_the_list_or_the_menu(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("games")
    assert "does not load: 'SystemExit: 0'" in ran.out
    assert [name for name in registry.GAMES if name not in ran.out] == []
    assert "Which game?" in strongroom(lines=["quit"]).out


def test_the_menu_offers_players_of_other_packages(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["5", "crashes", "1", "Ada", "3"])
    assert "crashes: Crashes when it is asked." in ran.out
    assert "Game over: Ada won, because Crashes failed: " in ran.out


def test_output_of_a_player_does_not_mix_with_events(strongroom: Strongroom) -> None:
    ran = strongroom(*DUEL, "--vs", "talks", "--json", lines=["3"])
    assert [event["event"] for event in ran.events][:3] == ["start", "ask", "move"]
    assert ran.err.splitlines()[:2] == ["I sit down", "I think"]


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_output_of_a_player_does_not_appear_on_the_page(
    sit_down: SitDown, elsewhere: dict[str, str], face: list[str]
) -> None:
    terminal = sit_down(*DUEL, "--vs", "talks", "--fast", *face, env=elsewhere)
    terminal.answers("want to observe: ", "3")
    terminal.answers("want to observe: ", "quit")
    assert terminal.ends() == 4
    assert "I think" not in terminal.text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        *((f"{command} --help", "cheats") for command in ("play", "tournament")),
        *((f"completion {shell}", "cheats") for shell in ("bash", "zsh", "fish")),
        ("games --names", "no-game"),
    ],
)
def test_names_that_a_shell_could_run_or_split_are_left_out(
    strongroom: Strongroom, typed: str, kept: str
) -> None:
    ran = strongroom(*typed.split())
    assert ran.code == 0
    assert kept in ran.out
    assert not [name for name in ODD_NAMES if name in ran.out]


def test_another_set_of_words_speaks_at_the_same_game(strongroom: Strongroom) -> None:
    lines = ["1", "7", "2", "no", "6", "no", "3", "no", "5", "no", "4", "no"]
    words = ["--words", "planets"]
    ran = strongroom(*DUEL, *words, "--save", "a.json", lines=lines)
    assert ran.lines[0] == "Welcome to Planet Duel!"
    assert "Game over: Player 1 aligned four planets." in ran.lines
    chain = "Game over: Player 1 made an unbroken chain of 4."
    assert chain in strongroom("replay", "a.json").lines
    assert "Player 1 aligned four planets" in strongroom("replay", "a.json", *words).out


def test_a_broken_game_of_our_own_is_not_blamed_on_another_package(
    strongroom: Strongroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = ("strongroom.games.nowhere:Game", "It does not load.")
    monkeypatch.setitem(registry.GAMES, "safe-code", broken)
    ran = strongroom("rules", "safe-code")
    assert ran.code == 2
    assert ran.err.startswith("strongroom: strongroom itself is damaged: its game safe-code")
    assert ran.err.count("\n") == 1
