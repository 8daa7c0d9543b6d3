"""The registry: the five games, and games that other packages add."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest

from strongroom.contract import Game, Refusal, UnknownName
from strongroom.players import called, player, stand_in
from strongroom.plugins import registry
from strongroom.plugins.registry import (
    GAMES,
    find,
    find_entry,
    is_registered,
    load,
    names,
    summary,
)

FIVE = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"]


def test_the_five_games_are_listed_in_the_order_of_the_design() -> None:
    assert names("game")[:5] == FIVE


@pytest.mark.parametrize("name", FIVE)
def test_a_game_is_loaded_by_its_name_and_has_a_one_line_summary(name: str) -> None:
    assert isinstance(load(name), Game)
    assert load(name).name == name
    assert 20 < len(summary("game", name)) < 80


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName) as refusal:
        load("chess")
    assert str(refusal.value).startswith("There is no game 'chess'. Choose from: safecracker-duel,")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("quantum", "quantum-duel"),
        ("Quantum Duel", "quantum-duel"),
        ("SAFE_CODE", "safe-code"),
        ("safe code", "safe-code"),
        ("safecracker", "safecracker-duel"),
        ("d", "digit-deductions"),
        ("  safe-cracker ", "safe-cracker"),
    ],
)
def test_a_game_is_found_by_what_a_person_types(text: str, name: str) -> None:
    assert find(text) == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("safe", "could be safecracker-duel or safe-cracker or safe-code"),
        ("chess", "There is no game 'chess'. Choose from: "),
        ("", "There is no game ''"),
        ("duel", "There is no game 'duel'"),
    ],
)
def test_a_text_that_names_no_game_or_several_is_refused(text: str, words: str) -> None:
    with pytest.raises(UnknownName) as refusal:
        find(text)
    assert words in str(refusal.value)


# --- a game from another package ------------------------------------------------------------------

FINGERS = '''
"""Fingers, a game that another package adds, with a bot, a theory and other words."""

from dataclasses import dataclass
from functools import cached_property

from strongroom import contract
from strongroom.contract import NAMES, Event, Move, Outcome, Phase


@dataclass(frozen=True, slots=True)
class Fingers(Move):
    count: int

    def __str__(self) -> str:
        return str(self.count)


HANDS = tuple(map(Fingers, range(1, 6)))


class Guessed(contract.Reason):
    GUESSED = "guessed"


class FingersGame(contract.Game):
    """Guess how many fingers the other holds up."""

    name = "fingers"
    reasons = Guessed
    secrets_each = 1

    def start(self):
        return FingersState.first(self, None)

    @cached_property
    def actions(self):
        return contract.Actions(contract.Block(HANDS, Phase.SET_UP | Phase.TURN))

    @cached_property
    def answers(self):
        return contract.Answers([0, 1])


class FingersState(contract.State):
    __slots__ = ()

    @property
    def moves(self):
        return () if self.actor is None else HANDS

    def play(self, move):
        if self.actor is None or move not in HANDS:
            raise contract.NotLegal("Not now.", "Type a number from 1 to 5.")
        if self.setting_up:
            return self.keep(move)
        right = self.secrets[self.actor.other.index] == (move,)
        outcome = Outcome(self.actor, Guessed.GUESSED) if right else None
        return self.after(
            Event(self.actor, move, int(right)), None, None if right else self.actor.other, outcome
        )


class FingersWords(contract.Words):
    title = "Fingers"

    def question(self, view, names=NAMES):
        return contract.Question("How many fingers? ", "Type a number from 1 to 5.")

    def understand(self, text, view):
        return self.game.move(text)

    def welcome(self, view):
        return "Welcome to Fingers!"

    def announce(self, view, names=NAMES):
        return "Yes." if view.history[-1].answer else "No."

    def won(self, outcome):
        return "guessed the fingers"


class ShoutedWords(FingersWords):
    title = "FINGERS"


FingersGame.words_type = FingersWords


class ThumbPlayer:
    """holds up a thumb, always"""

    def __init__(self, game, rng):
        pass

    def choose(self, view):
        return HANDS[0]
'''

FINGERS_POINTS = """\
[console_scripts]
fingers = fingers_game:main

[strongroom.games]
fingers = fingers_game:FingersGame
quantum-duel = fingers_game:FingersGame

[strongroom.players]
thumb = fingers_game:ThumbPlayer

[strongroom.words]
fingers.shouted = fingers_game:ShoutedWords
"""

BROKEN_POINTS = """\
[strongroom.games]
broken = no_such_module:Game
"""


def wheel(folder: Path, name: str, entry_points: str, files: dict[str, str]) -> Path:
    """A wheel with these entry points, as any build tool would make it."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    info = f"{name}-1.0.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": entry_points,
    }
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        record = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
        archive.writestr(f"{info}/RECORD", record)
    return path


def install(package: Path, folder: Path) -> Path:
    """Install the package into a folder with pip, and return the folder."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*pip, *offline, str(package)], check=True)
    return folder


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package that adds a game."""
    files = {"fingers_game.py": FINGERS, "fingers_game.md": "# Fingers\n\nGuess how many.\n"}
    package = wheel(tmp_path_factory.mktemp("wheel"), "fingers_game", FINGERS_POINTS, files)
    return install(package, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package whose game does not load."""
    package = wheel(tmp_path_factory.mktemp("wheel"), "broken_game", BROKEN_POINTS, {})
    return install(package, tmp_path_factory.mktemp("broken"))


def python(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package and this project on its path."""
    source = Path(__file__).parent.parent / "src"
    path = os.pathsep.join([str(installed), str(source)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def printed(installed: Path, code: str) -> str:
    done = python(installed, "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_installed_game_is_listed_after_the_five(installed: Path) -> None:
    code = "from strongroom.plugins.registry import names; print(*names('game'))"
    assert printed(installed, code).split() == [*FIVE, "fingers"]


def test_an_installed_game_is_loaded_with_its_summary_and_rules(installed: Path) -> None:
    code = (
        "from strongroom import load; from strongroom.plugins.registry import summary;"
        "print(load('fingers'), summary('game', 'fingers'), load('fingers').rules_page.split()[1])"
    )
    expected = "load('fingers') Guess how many fingers the other holds up. Fingers"
    assert printed(installed, code) == expected


def test_an_installed_game_passes_the_checks_of_every_game(installed: Path) -> None:
    code = (
        "from strongroom import load; from strongroom.testing.conformance import check_game;"
        "check_game(load('fingers'), 1); print('passed')"
    )
    assert printed(installed, code) == "passed"


def test_an_installed_game_is_shown_at_the_command_line(installed: Path) -> None:
    done = python(installed, "-m", "strongroom", "games")
    assert done.returncode == 0, done.stderr
    assert "fingers" in done.stdout
    assert "Guess how many fingers the other holds up." in done.stdout


def test_an_installed_game_cannot_take_the_name_of_one_of_the_five(installed: Path) -> None:
    code = "from strongroom import load; print(type(load('quantum-duel')).__name__)"
    assert printed(installed, code) == "QuantumDuel"


def test_an_installed_game_that_does_not_load_is_refused_with_the_reason(broken: Path) -> None:
    code = (
        "from strongroom import load\nfrom strongroom.contract import UnknownName\n"
        "try: load('broken')\nexcept UnknownName as refusal: print(refusal)"
    )
    assert "'broken' is installed, but its package does not load" in printed(broken, code)


def test_an_installed_game_that_does_not_load_leaves_the_five_playable(broken: Path) -> None:
    done = python(broken, "-m", "strongroom", "games")
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in FIVE)


def test_a_game_is_found_anywhere_on_the_path(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "fingers" not in names("game")
    monkeypatch.syspath_prepend(installed)
    assert "fingers" in names("game")
    assert find_entry("game", "fingers").__name__ == "FingersGame"


def test_a_game_is_found_by_its_exact_name_even_with_an_underscore(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("odds_even", "nowhere:Nothing", "strongroom.games")
    monkeypatch.setattr(registry, "_added", lambda kind: {"odds_even": point})
    assert find("odds_even") == "odds_even"


def left_behind(folder: Path, name: str, points: bytes) -> None:
    """Leave the entry points of a package in a folder, as an installer would."""
    (folder / name).mkdir()
    (folder / name / "entry_points.txt").write_bytes(points)


@pytest.mark.parametrize(
    ("info", "target"),
    [
        ("hands-1.dist-info", "fingers_game:FingersGame [extra]"),
        ("hands-1.dist-info", "fingers_game : FingersGame"),
        ("hands.egg-info", "fingers_game:FingersGame"),
        ("hands-1-py3.11.egg-info", "fingers_game:FingersGame[extra]"),
    ],
)
def test_an_entry_point_is_found_and_read_as_installers_write_it(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, info: str, target: str
) -> None:
    left_behind(tmp_path, info, f"[strongroom.games]\nhands = {target}\n".encode())
    monkeypatch.syspath_prepend(installed)
    monkeypatch.syspath_prepend(tmp_path)
    assert "hands" in names("game")
    assert find_entry("game", "hands").__name__ == "FingersGame"


@pytest.mark.parametrize("damage", [b"\xff", b"[strongroom.games]\nno target\n"])
def test_a_package_with_damaged_metadata_takes_no_other_away(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    left_behind(tmp_path, "damaged-1.dist-info", damage)
    monkeypatch.syspath_prepend(installed)
    monkeypatch.syspath_prepend(tmp_path)
    assert names("game") == [*FIVE, "fingers"]


@pytest.mark.parametrize("target", ["fingers_game", "fingers_game:HANDS", "fingers game:Thumb"])
def test_an_entry_that_is_nothing_to_call_is_refused(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    left_behind(tmp_path, "fist-1.dist-info", f"[strongroom.players]\nfist = {target}\n".encode())
    monkeypatch.syspath_prepend(installed)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UnknownName, match="'fist' is installed, but its package does not load"):
        find_entry("player", "fist")


def test_other_packages_are_read_once(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(installed)
    reads: list[object] = []

    def read(path: object) -> Iterator[metadata.Distribution]:
        reads.append(path)
        return iter(())

    monkeypatch.setattr(metadata, "distributions", read)
    for kind in registry.GROUPS:
        names(kind)
    assert not is_registered("game", "fingers")
    assert len(reads) == 1


def test_a_game_against_master_reads_nothing_of_other_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(kind: str) -> None:
        raise AssertionError(f"The entry points of every {kind} are read.")

    monkeypatch.setattr(registry, "_added", read)
    for name in FIVE:
        game = load(find(name))
        assert stand_in("master", game) == ("master", "")
        assert called("master") == "Master"
        player("master", game, Random(1))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_and_its_line_fit_into_the_menu_on_80_columns(name: str) -> None:
    widest = max(map(len, GAMES))
    assert len("  1. ") + widest + len("  ") + len(summary("game", name)) <= 80


def test_an_installed_bot_is_listed_seated_and_introduced(installed: Path) -> None:
    code = (
        "from random import Random; from strongroom import load;"
        "from strongroom.plugins import registry;"
        "from strongroom.players import player; game = load('fingers');"
        "print(registry.names('player')[-1], registry.summary('player', 'thumb'),"
        "player('thumb', game, Random(1)).choose(None))"
    )
    assert printed(installed, code) == "thumb holds up a thumb, always 1"


def test_an_installed_set_of_words_speaks_for_its_game(installed: Path) -> None:
    code = (
        "from strongroom import load; from strongroom.plugins import registry;"
        "from strongroom.testing.conformance import check_game;"
        "game = load('fingers'); other = game.in_words(registry.words_of(game, 'shouted'));"
        "check_game(other, 1); print(game == other, game.title, other.title)"
    )
    assert printed(installed, code) == "True Fingers FINGERS"


def test_a_game_is_checked_before_it_is_registered(installed: Path) -> None:
    code = (
        "import strongroom.plugins.registry as registry; registry._added = lambda kind: {};"
        "from fingers_game import FingersGame;"
        "from strongroom.testing.conformance import check_game;"
        "check_game(FingersGame(), 1); print('fingers' in registry.names('game'))"
    )
    assert printed(installed, code) == "False"


def test_a_built_in_game_that_does_not_load_is_not_blamed_on_another_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "quantum-duel", ("strongroom.games.gone:Gone", "Gone."))
    with pytest.raises(Refusal, match="strongroom itself is damaged: its game quantum-duel"):
        load("quantum-duel")


@pytest.mark.parametrize("name", [None, 7, ["quantum-duel"], "\x1b[2J", "x" * 10**6])
def test_an_invalid_name_is_refused_and_quoted_harmlessly(name: Any) -> None:
    with pytest.raises(UnknownName) as refusal:
        load(name)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 300
