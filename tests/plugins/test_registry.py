"""The registry: the five games, and games that other packages add."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random
from typing import Any

import pytest

from strongroom.contract import Game, Refusal, UnknownName
from strongroom.players import called, player, stand_in
from strongroom.plugins import registry
from strongroom.plugins.registry import GAMES, find, find_entry, is_registered, load, names, summary
from strongroom.testing.conformance import check_game
from tests.plugins.packages import add_package

FIVE = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"]
CODE = '''
from strongroom_bluff.game import BluffWords


class Shouted(BluffWords):
    title = "BLUFF"


class Thumb:
    """holds up a thumb, always"""

    def __init__(self, game, rng):
        self.card = game.move("1")

    def choose(self, view):
        return self.card


HANDS = 2
'''
POINTS = """\
[console_scripts]
bluff = strongroom_bluff.game:main
[strongroom.games]
bluff = strongroom_bluff.game:Bluff
quantum-duel = strongroom_bluff.game:Bluff
[strongroom.players]
thumb = guests:Thumb
[strongroom.words]
bluff.shouted = guests:Shouted
"""


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with a package that adds a game, a bot and a set of words."""
    assert names("game") == FIVE
    monkeypatch.syspath_prepend(add_package(tmp_path, "guests", POINTS, CODE))
    monkeypatch.delitem(sys.modules, "guests", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", FIVE)
def test_a_game_is_loaded_by_its_name_and_has_a_line_that_fits_into_the_menu(name: str) -> None:
    assert isinstance(load(name), Game)
    assert load(name).name == name
    assert len(summary("game", name)) > 20
    assert len("  1. ") + max(map(len, GAMES)) + len("  ") + len(summary("game", name)) <= 80


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
        ("safe", "'safe' could be safecracker-duel or safe-cracker or safe-code."),
        ("chess", "There is no game 'chess'. Choose from: safecracker-duel, safe-cracker"),
        ("quantm-duel", "There is no game 'quantm-duel'. Did you mean quantum-duel?"),
        ("", "There is no game ''"),
        ("duel", "There is no game 'duel'"),
    ],
)
def test_a_text_that_names_no_game_or_several_is_refused(text: str, words: str) -> None:
    with pytest.raises(UnknownName) as refusal:
        find(text)
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize("name", ["chess", None, 7, ["quantum-duel"], "\x1b[2J", "x" * 10**6])
def test_an_invalid_name_is_refused_with_the_known_ones_and_quoted_harmlessly(name: Any) -> None:
    with pytest.raises(
        UnknownName, match=r"There is no game .* (Choose from: safec|Did you mean q)"
    ) as refusal:
        load(name)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 300


def test_a_built_in_game_that_does_not_load_is_not_blamed_on_another_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "quantum-duel", ("strongroom.games.gone:Gone", "Gone."))
    damaged = r"strongroom itself is damaged: its game quantum-duel.* Reinstall strongroom\.$"
    with pytest.raises(Refusal, match=damaged):
        load("quantum-duel")


# --- other packages -------------------------------------------------------------------------------


@pytest.mark.usefixtures("added")
def test_a_game_from_another_package_is_listed_after_the_five_and_replaces_none() -> None:
    assert names("game") == [*FIVE, "bluff"]
    assert (
        summary("game", "bluff") == "Claim one of five cards, and make the other judge it wrongly."
    )
    assert load("bluff").rules_page.startswith("# Bluff\n")
    assert type(load("quantum-duel")).__name__ == "QuantumDuel"


@pytest.mark.usefixtures("added")
def test_a_bot_from_another_package_is_listed_seated_and_introduced() -> None:
    assert names("player")[-1] == "thumb"
    assert summary("player", "thumb") == "holds up a thumb, always"
    game = load("bluff")
    assert player("thumb", game, Random(1)).choose(game.start().view(None)) == game.move("1")


@pytest.mark.usefixtures("added")
def test_a_set_of_words_from_another_package_speaks_for_its_game() -> None:
    game = load("bluff")
    other = game.in_words(registry.words_of(game, "shouted"))
    check_game(other, 1)
    assert (game == other, game.title, other.title) == (True, "Bluff", "BLUFF")


def test_a_game_is_found_by_its_exact_name_even_with_an_underscore(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    point = EntryPoint("odds_even", "nowhere:Nothing", "strongroom.games")
    monkeypatch.setattr(registry, "_added", lambda kind: {"odds_even": point})
    assert find("odds_even") == "odds_even"


@pytest.mark.parametrize(
    ("info", "target"),
    [
        ("hands-1.dist-info", "strongroom_bluff.game:Bluff [extra]"),
        ("hands-1.dist-info", "strongroom_bluff.game : Bluff"),
        ("hands.egg-info", "strongroom_bluff.game:Bluff"),
        ("hands-1-py3.11.egg-info", "strongroom_bluff.game:Bluff[extra]"),
    ],
)
def test_an_entry_point_is_found_and_read_as_installers_write_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, info: str, target: str
) -> None:
    add_package(tmp_path, info, f"[strongroom.games]\nhands = {target}\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert names("game") == [*FIVE, "hands"]
    assert find_entry("game", "hands").__name__ == "Bluff"


@pytest.mark.parametrize("damage", ["\xff", "[strongroom.games]\nno target\n"])
def test_a_package_with_damaged_metadata_takes_no_other_away(added: Path, damage: str) -> None:
    add_package(added, "damaged", damage)
    registry._installed.cache_clear()
    assert names("game") == [*FIVE, "bluff"]


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        *(("player", f"guests{rest}") for rest in ("", ":HANDS", " too:Thumb", ":Nobody")),
        *((kind, "guests:Thumb") for kind in ("game", "words")),
        *((kind, "no_such_module:Game") for kind in ("game", "player")),
    ],
)
def test_an_entry_that_is_not_what_its_group_says_is_refused_and_takes_no_other_away(
    added: Path, kind: str, target: str
) -> None:
    add_package(added, "fist", f"[{registry.GROUPS[kind]}]\nfist = {target}\n")
    registry._installed.cache_clear()
    why = f"The {kind} 'fist' is installed, but its package does not load: "
    with pytest.raises(UnknownName, match=why):
        find_entry(kind, "fist")
    assert summary(kind, "fist").startswith(why)
    assert "bluff" in names("game")


@pytest.mark.usefixtures("added")
def test_other_packages_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[object] = []

    def read(path: object) -> Iterator[metadata.Distribution]:
        reads.append(path)
        return iter(())

    monkeypatch.setattr(metadata, "distributions", read)
    for kind in registry.GROUPS:
        names(kind)
    assert not is_registered("game", "bluff")
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
