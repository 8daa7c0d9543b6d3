"""Other packages: their players, words and games at the table, and what `doctor` says of them."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from strongroom.plugins import registry
from strongroom.plugins.installed import EXTRAS
from strongroom.terminal import setup
from strongroom.version import __version__
from tests.plugins.packages import add_package
from tests.terminal.conftest import SitDown, Strongroom

CODE = '''
import sys

from strongroom.contract import Drawing, Question, Tile, Turn
from strongroom.games.quantum_duel.words import QuantumDuelWords

EVIL = "\\x1b]0;owned\\x07\\x9b2J"

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

    def win_text(self, outcome):
        return "aligned four planets"

class Evil(QuantumDuelWords):
    """Acts on the screen wherever it can."""

    title = goal = result_name = EVIL
    symbols = EVIL, EVIL

    def question(self, view, names):
        return Question(EVIL + "cell: ", EVIL, EVIL)

    def announce(self, view, names):
        return EVIL

    narrate = announce
    welcome = picture = board_shown = lambda self, view: EVIL

    def drawing(self, view, seat, names, left):
        return Drawing(((Tile(EVIL, EVIL),),), framed=True)

    def count(self, seat, names, left):
        return EVIL

    def turn(self, events):
        return Turn(None, EVIL, EVIL, EVIL)

    def notes(self, view, names):
        return [EVIL]

class Fails(QuantumDuelWords):
    """Cannot say what happened."""

    def announce(self, view, names):
        raise RuntimeError(EVIL)

    narrate = announce

class Leaves(Fails):
    """Leaves instead of saying what happened."""

    def announce(self, view, names):
        sys.exit(0)

    narrate = announce
'''
POINTS = """\
[strongroom.players]
talks = guests:Talks
crashes = guests:Crashes
cheats = guests:Cheats
exits = guests:Exits
breaks = guests:Breaks
exits-at-import = guests_who_exit:Nobody
50%s = guests:Talks
two words = guests:Talks
$(touch x)'"; = guests:Talks

[strongroom.games]
bluff = strongroom_bluff.game:Bluff
exits = guests_who_exit:Nothing
no-game = guests:Talks
$(touch${IFS}ran) = guests:Talks

[strongroom.words]
quantum-duel.planets = guests:Planets
quantum-duel.evil = guests:Evil
quantum-duel.fails = guests:Fails
quantum-duel.leaves = guests:Leaves
"""
DUEL = ("play", "quantum-duel")
ODD_NAMES = ("50%", "two words", "touch")
CONTROLS = (b"\x1b]0;", b"\x07", "\x9b".encode())
UNUSABLE = {
    "play quantum-duel --vs breaks": "The player 'breaks' cannot play: ",
    "play quantum-duel --vs exits-at-import": "The player 'exits-at-import' is installed, but",
    "play quantum-duel --words klingon": "There is no set of words 'quantum-duel.klingon'.",
    "play no-game": "The game 'no-game' is installed, but its package does not load: ",
    "tournament quantum-duel --players random breaks": "The player 'breaks' cannot play: ",
    "tournament bluff --players random master": "Nobody has solved bluff yet. --players can be: ",
}


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


def test_the_reason_of_a_forfeit_is_shown_in_every_form(strongroom: Strongroom) -> None:
    for player, why in {
        "crashes": "it failed: ZeroDivisionError: no?[2Jnumber",
        "exits": "it failed: SystemExit: bye",
        "cheats": "its move was refused. Cell 3 is already observed.",
    }.items():
        told = why.replace("its ", "it's ", 1).replace("it", player.title(), 1)
        arguments = [*DUEL, "--vs", player, "--save"]
        ran = strongroom(*arguments, f"{player}.json", lines=["3"], code=0)
        ending = f"You won, because {told}"
        assert f"Game over: {ending}" in ran.lines
        assert f"Game over: {ending}" in strongroom("replay", f"{player}.json").lines
        end = strongroom(*arguments, f"{player}.events", "--json", lines=["3"]).events[-1]
        assert (end["winner"], end["reason"], end["detail"]) == (1, "forfeited", why)
        assert end["words"] == ending


def test_an_unusable_package_or_player_is_one_line_before_anything_is_saved(
    strongroom: Strongroom, games: Path, subtests: pytest.Subtests
) -> None:
    for typed, told in UNUSABLE.items():
        with subtests.test(typed):
            assert strongroom(*typed.split()).refusal.startswith(told)
            assert not games.exists()
    can_play = strongroom("exploit", "bluff", "--players", "master").err.rpartition(" can be: ")[2]
    assert {*can_play.rstrip(".\n").split(", ")} >= {"expert", "casual", "random", "talks"}
    assert not {"master", "breaks"} & {*can_play[:-2].split(", ")}


def test_a_package_that_exits_takes_no_other_game_or_player_away(strongroom: Strongroom) -> None:
    ran = strongroom("games")
    assert "does not load: 'SystemExit: 0'" in ran.out
    assert [name for name in registry.GAMES if name not in ran.out] == []
    assert "Which game?" in strongroom(lines=["quit"]).out
    ran = strongroom(lines=["quantum", "crashes", "1", "Ada", "3"])
    assert "crashes: Crashes when it is asked." in ran.out
    assert "Game over: Ada won, because Crashes failed: " in ran.out


def test_output_of_a_player_does_not_mix_with_events(strongroom: Strongroom) -> None:
    ran = strongroom(*DUEL, "--vs", "talks", "--json", lines=["3"])
    assert [event["event"] for event in ran.events][:3] == ["start", "ask", "move"]
    assert ran.err.splitlines()[:2] == ["I sit down", "I think"]


def test_names_that_a_shell_could_run_or_split_are_left_out(strongroom: Strongroom) -> None:
    scripts = (f"completion {shell}" for shell in ("bash", "zsh", "fish"))
    helped = ("play --help", "tournament --help", *scripts)
    for typed, kept in (*((each, "cheats") for each in helped), ("games --names", "no-game")):
        ran = strongroom(*typed.split(), code=0)
        assert kept in ran.out
        assert [name for name in ODD_NAMES if name in ran.out] == [], typed


def test_another_set_of_words_speaks_at_the_same_game(strongroom: Strongroom) -> None:
    lines = ["1", "7", "2", "no", "6", "no", "3", "no", "5", "no", "4", "no"]
    words = ["--words", "planets"]
    ran = strongroom(*DUEL, *words, "--save", "a.json", lines=lines)
    assert ran.lines[0] == "Welcome to Planet Duel!"
    assert "Game over: Player 1 aligned four planets." in ran.lines
    chain = "Game over: Player 1 made an unbroken chain of 4."
    assert chain in strongroom("replay", "a.json").lines
    assert "Player 1 aligned four planets" in strongroom("replay", "a.json", *words).out


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_no_words_control_the_screen_and_no_player_writes_on_it(
    sit_down: SitDown, strongroom: Strongroom, elsewhere: dict[str, str], face: list[str]
) -> None:
    terminal = sit_down(*DUEL, "--words", "evil", "--vs", "talks", *face, env=elsewhere)
    for line in ("3", "help", "history", "quit"):
        terminal.answers("cell: ", line)
    assert terminal.ends() == 4
    assert [each for each in CONTROLS if each in terminal.raw] == []
    assert "I think" not in terminal.text
    ran = strongroom(*DUEL, "--words", "evil", lines=["3", "help"])
    assert [each for each in CONTROLS if each in ran.raw + ran.raw_err] == []


def test_words_that_fail_cost_a_line_and_no_move_and_the_full_error_is_there_for_debugging(
    sit_down: SitDown, strongroom: Strongroom, elsewhere: dict[str, str]
) -> None:
    terminal = sit_down(*DUEL, "--words", "fails", env=elsewhere)
    terminal.answers("want to observe: ", "3")
    assert terminal.ends() == 1
    told = " ".join(terminal.text.split())
    assert "strongroom: Something broke: " in told
    assert "What was played is saved: strongroom list" in told
    assert not terminal.screen.on_second_screen
    assert [each for each in CONTROLS if each in terminal.raw] == []
    assert "3" in strongroom("resume", lines=["history"]).out
    ran = strongroom(*DUEL, "--words", "leaves", lines=["3"], code=1)
    assert ran.err.startswith("strongroom: Something broke: SystemExit: 0. What was played is sav")
    developing = {**elsewhere, "PYTHONDEVMODE": "1"}
    terminal = sit_down(*DUEL, "--words", "fails", "--plain", env=developing)
    terminal.answers("want to observe: ", "3")
    terminal.sees("Traceback", "guests.py", "RuntimeError")


def test_every_extra_has_its_versions_or_how_to_install_it(strongroom: Strongroom) -> None:
    ran = strongroom("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == f"strongroom {__version__}, Python {platform.python_version()}"
    rows = {line.split()[1]: line for line in ran.lines[3:]}
    assert list(rows) == list(EXTRAS)
    assert f"websockets {version('websockets')}" in rows["network"]
    assert all("pip install" in line for line in rows.values() if line.startswith("–"))
    (found,) = json.loads(strongroom("doctor", "network", "--json").out)["extras"]
    assert (found["extra"], found["state"], found["install"]) == ("network", "open", None)
    need = {"name": "websockets", "wanted": "<18,>=16", "installed": version("websockets")}
    assert need in found["needs"]


def test_at_80_columns_every_command_to_install_is_on_one_line(sit_down: SitDown) -> None:
    for columns in (30, 80):
        terminal = sit_down("doctor", columns=columns)
        assert terminal.ends() == 0
        assert version("websockets") in terminal.everything
    missing = [line for line in terminal.everything.splitlines() if line.startswith("–")]
    assert [line for line in missing if not line.endswith(f"[{line.split()[1]}]'")] == []


def test_trying_finds_what_does_not_import_and_an_old_version_fails_even_if_nobody_asked_for_it(
    strongroom: Strongroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "raise RuntimeError('no \\x1b[31mchip\\x07 for this wheel')\n"
    add_package(tmp_path / "bare", "openai", code=code, Version="2.1")
    monkeypatch.syspath_prepend(tmp_path / "bare")
    assert strongroom("doctor", "models").code == 0
    path = os.pathsep.join([str(tmp_path / "bare"), os.environ.get("PYTHONPATH", "")])
    ran = strongroom("doctor", "network", "models", "--try", env={"PYTHONPATH": path}, code=1)
    usable, row = ran.lines[3:]
    assert usable.startswith("✓  network")
    assert row.startswith("✗  models")
    assert "importing openai fails: RuntimeError: no ?[31mchip? for this wheel" in row
    assert row.endswith("try: pip install --force-reinstall 'openai>=2.0'")
    monkeypatch.syspath_prepend(add_package(tmp_path / "old", "textarena", Version="0.1"))
    (row,) = [line for line in strongroom("doctor", code=1).lines if "textarena 0.1" in line]
    assert row.startswith("✗")
    assert "textarena 0.1 is not >=0.7; pip install 'strongroom[textarena]'" in row
