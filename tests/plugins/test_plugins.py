"""The five games, what other packages add, and libraries that only some of strongroom needs."""

from __future__ import annotations

import pickle
import re
import sys
import tomllib
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from strongroom.contract import Game, Refusal, Seat, UnknownName
from strongroom.players import player, seat_name, stand_in
from strongroom.players.random import RandomPlayer
from strongroom.plugins import registry
from strongroom.plugins.extras import MissingExtra, extra
from strongroom.plugins.installed import EXTRAS, State, examine
from strongroom.plugins.registry import GAMES, PLAYERS, find, find_entry, load, names, summary
from strongroom.puzzles.symmetry import symmetry_of
from strongroom.testing.conformance import check_game
from tests.plugins.packages import add_package

ROOT = Path(__file__).parents[2]
FIVE = ["safe-cracker", "digit-deductions", "quantum-duel", "safe-code", "safecracker-duel"]
CODE = '''
from strongroom.puzzles.symmetry import Symmetry
from strongroom_bluff.game import BluffWords


class Ranks(Symmetry):
    pass


class Shouted(BluffWords):
    title = "BLUFF"


class First:
    """makes the first move, always"""

    def __init__(self, game, rng):
        self.game = game

    def choose(self, view):
        return view.moves[0]


def last(game, rng):
    """makes the last move"""
    bot = First(game, rng)
    bot.choose = lambda view: view.moves[-1]
    return bot


HANDS = 2
'''
POINTS = """\
[console_scripts]
bluff = strongroom_bluff.game:main
[strongroom.games]
bluff = strongroom_bluff.game:Bluff
quantum-duel = strongroom_bluff.game:Bluff
[strongroom.players]
first = guests:First
last = guests:last
random = guests:First
[strongroom.words]
bluff.shouted = guests:Shouted
[strongroom.symmetries]
bluff = guests:Ranks
"""


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with a package that adds a game, a bot and a set of words."""
    assert names("game") == FIVE
    monkeypatch.syspath_prepend(add_package(tmp_path, "guests", POINTS, CODE))
    monkeypatch.delitem(sys.modules, "guests", raising=False)
    return tmp_path


def test_a_game_is_loaded_by_its_name_and_has_a_line_that_fits_into_the_menu() -> None:
    for name in FIVE:
        assert isinstance(load(name), Game)
        assert load(name).name == name
        assert len(summary("game", name)) > 20
        assert len("  1. ") + max(map(len, GAMES)) + len("  ") + len(summary("game", name)) <= 80


def test_a_game_is_found_by_what_a_person_types() -> None:
    typed = {
        "quantum": "quantum-duel",
        "Quantum Duel": "quantum-duel",
        "SAFE_CODE": "safe-code",
        "safe code": "safe-code",
        "safecracker": "safecracker-duel",
        "d": "digit-deductions",
        "  safe-cracker ": "safe-cracker",
    }
    assert {text: find(text) for text in typed} == typed
    refused = {
        "safe": "'safe' could be safe-cracker or safe-code or safecracker-duel.",
        "chess": "There is no game 'chess'. Choose from: safe-cracker, digit-deductions",
        "quantm-duel": "There is no game 'quantm-duel'. Did you mean quantum-duel?",
        "": "There is no game ''",
    }
    for text, words in refused.items():
        with pytest.raises(UnknownName, match=f"^{re.escape(words)}"):
            find(text)
    odd: list[Any] = ["chess", None, 7, ["quantum-duel"], "\x1b[2J", "x" * 10**6]
    for name in odd:
        told = "There is no game .* (Choose from: safe-c|Did you mean q)"
        with pytest.raises(UnknownName, match=told) as refusal:
            load(name)
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 300
    for player_name, words in (
        ("nobody", r"There is no player 'nobody'\. Choose from: .*random"),
        ("grandmaster", r"'grandmaster'\. Did you mean master\?"),
    ):
        with pytest.raises(UnknownName, match=words):
            player(player_name, load("quantum-duel"), Random(1))


def test_a_built_in_game_that_does_not_load_is_not_blamed_on_another_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "quantum-duel", ("strongroom.games.gone:Gone", "Gone."))
    damaged = r"strongroom itself is damaged: its game quantum-duel.* Reinstall strongroom\.$"
    with pytest.raises(Refusal, match=damaged):
        load("quantum-duel")
    point = EntryPoint("odds_even", "nowhere:Nothing", "strongroom.games")
    monkeypatch.setattr(registry, "_entry_points", lambda kind: {"odds_even": point})
    assert find("odds_even") == "odds_even", "its exact name, even with an underscore"


@pytest.mark.usefixtures("added")
def test_a_game_from_another_package_is_listed_after_the_five_and_replaces_none() -> None:
    assert names("game") == [*FIVE, "bluff"]
    claim = "Claim one of five cards, and make the other judge it wrongly."
    assert summary("game", "bluff") == claim
    game = load("bluff")
    assert game.rules_page.startswith("# Bluff\n")
    assert type(load("quantum-duel")).__name__ == "QuantumDuel"
    other = game.in_words(registry.words_of(game, "shouted"))
    check_game(other, 1)
    assert (game == other, game.title, other.title) == (True, "Bluff", "BLUFF")
    symmetries = [symmetry_of.__wrapped__(each) for each in (game, load("safe-code"))]
    assert [type(each).__name__ for each in symmetries] == ["Ranks", "Symmetry"]


@pytest.mark.usefixtures("added")
def test_bots_from_another_package_are_listed_seated_and_introduced_and_replace_none() -> None:
    assert names("player") == [*PLAYERS, "first", "last"]
    assert summary("player", "first") == "makes the first move, always"
    game = load("digit-deductions")
    for name, texts in (("first", {"1-1"}), ("last", {"9-9"})):
        bot = player(name, game, Random(1))
        assert {str(bot.choose(game.start().view(Seat.ONE))) for _ in range(3)} == texts
    assert isinstance(player("random", game, Random(1)), RandomPlayer)


@pytest.mark.parametrize(
    ("info", "target"),
    [
        ("hands-1.dist-info", "strongroom_bluff.game : Bluff"),
        ("hands.egg-info", "strongroom_bluff.game:Bluff"),
        ("hands-1-py3.11.egg-info", "strongroom_bluff.game:Bluff[extra]"),
    ],
)
def test_an_entry_point_is_found_and_read_as_installers_write_it_whatever_stands_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, info: str, target: str
) -> None:
    add_package(tmp_path, info, f"[strongroom.games]\nhands = {target}\n")
    for number, damage in enumerate(("\xff", "[strongroom.games]\nno target\n")):
        add_package(tmp_path, f"damaged{number}", damage)
    later = add_package(tmp_path / "later", "fists", "[strongroom.games]\nhands = fists:Fists\n")
    monkeypatch.syspath_prepend(later)
    monkeypatch.syspath_prepend(tmp_path)
    assert names("game") == [*FIVE, "hands"]
    assert find_entry("game", "hands").__name__ == "Bluff"
    with pytest.raises(UnknownName, match="does not load: 'TypeError: its name is bluff'"):
        load("hands")
    with pytest.raises(AssertionError, match="is registered as 'hands', but its name is 'bluff'"):
        check_game(find_entry("game", "hands")(), 1)


def test_an_entry_that_is_not_what_its_group_says_is_refused_and_takes_no_other_away(
    added: Path,
) -> None:
    wrong = [
        *(("player", f"guests{rest}") for rest in ("", ":HANDS", " too:First", ":Nobody")),
        *((kind, "guests:First") for kind in ("game", "words")),
        *((kind, "no_such_module:Game") for kind in ("game", "player")),
    ]
    for number, (kind, target) in enumerate(wrong):
        points = f"[{registry.GROUPS[kind]}]\nfist{number} = {target}\n"
        add_package(added, f"package{number}", points)
    registry._plugins_on.cache_clear()
    for number, (kind, _) in enumerate(wrong):
        name = f"fist{number}"
        why = f"The {kind} '{name}' is installed, but its package does not load: "
        with pytest.raises(UnknownName, match=why):
            find_entry(kind, name)
        assert summary(kind, name).startswith(why)
    assert "bluff" in names("game")


def test_a_game_against_master_reads_nothing_of_other_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(kind: str) -> None:
        raise AssertionError(f"The entry points of every {kind} are read.")

    monkeypatch.setattr(registry, "_entry_points", read)
    for name in FIVE:
        game = load(find(name))
        assert stand_in("master", game) == ("master", "")
        assert seat_name("master") == "Master"
        player("master", game, Random(1))


def test_a_library_that_lacks_a_name_is_missing_and_a_mistake_of_our_own_is_not_called_so() -> None:
    with pytest.raises(MissingExtra, match="It needs the extra arena"), extra("arena", "It"):
        from json import no_such_name  # type: ignore[attr-defined] # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"strongroom\.no_such_module"), extra("arena"):
        import strongroom.no_such_module  # type: ignore[import-not-found] # noqa: F401
    with pytest.raises(MissingExtra, match="extra inner"), extra("outer"), extra("inner"):
        import no_such_library  # type: ignore[import-not-found] # noqa: F401
    refusal = MissingExtra("Solving needs the extra theory.", "Install it.")
    again = pickle.loads(pickle.dumps(refusal))
    assert (type(again), str(again)) == (MissingExtra, str(refusal)), "between processes"


def test_every_extra_but_those_for_developers_is_examined_and_tried_by_what_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for_developers = {"batches", "bench", "dev", "docs", "doors", "test"}
    assert set(EXTRAS) == set(project["optional-dependencies"]) - for_developers
    assert all(extra.needs for extra in examine())
    source = "".join(each.read_text() for each in (ROOT / "src").rglob("*.py"))
    assert {*re.findall(r'with extra\("([\w-]+)"', source)} <= {*EXTRAS}
    ours = [extra.module for extra in EXTRAS.values() if extra.module.startswith("strongroom.")]
    assert [module for module in ours if find_spec(module) is None] == []


def test_a_version_outside_the_declared_ones_does_not_open_a_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = {"15.9": False, "16.0rc1": True, "17.10.2": True, "18.0": False, "100": False}
    for version, opens in within.items():
        folder = add_package(tmp_path / version, "websockets", Version=version)
        add_package(folder, "segno", Version="1.6")
        monkeypatch.syspath_prepend(folder)
        (network,) = examine(["network"])
        assert {need.name: need.installed for need in network.needs}["websockets"] == version
        assert network.state is (State.OPEN if opens else State.OUTSIDE)


def test_what_a_door_needs_for_its_page_is_examined_though_it_is_not_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(add_package(tmp_path, "inspect_ai", Version="0.3.285"))
    for version, state in {"2.54.0": State.OUTSIDE, "3.4.0": State.OPEN}.items():
        monkeypatch.syspath_prepend(add_package(tmp_path / version, "openai", Version=version))
        (door,) = examine(["inspect"])
        assert door.state is state
        assert (door.needs[-1].name, door.needs[-1].installed) == ("openai", version)
        if state is State.OUTSIDE:
            assert door.install == "pip install 'openai>=3.4'"


def test_metadata_without_modules_is_a_broken_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_package(tmp_path, "openai", Version="9.0")
    (tmp_path / "openai-1.dist-info" / "top_level.txt").write_text("nowhere_to_be_found")
    monkeypatch.syspath_prepend(tmp_path)
    (models,) = examine(["models"])
    assert models.state is State.BROKEN
    assert models.trouble == "the files of openai are gone"
    monkeypatch.setitem(EXTRAS, "undeclared", EXTRAS["network"])
    (undeclared,) = examine(["undeclared"])
    assert undeclared.state is State.BROKEN
    assert undeclared.install == "pip install --force-reinstall strongroom"
