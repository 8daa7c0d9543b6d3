"""What holds at every door: the same game everywhere, and no seat learns more than its view."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from strongroom.agents.sitting import Sitting
from strongroom.contract import Move, Seat
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.registry import GAMES, PLAYERS, load
from strongroom.referee.bout import moves_to
from strongroom.terminal.arguments import COMMANDS
from tests.docs.pages import DOCS, coded, rows
from tests.doors.everywhere import ALL, DOORS, HIDER, Hider, Terms
from tests.doors.missing import MISSING

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
PLAYED: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in GAMES]
PLAYED += [("safe-cracker", {"digits": 4, "attempts": 3}), *([] if MISSING else [("bluff", {})])]
"""Games with their options; the last is a game of another package, where all doors know it."""
HIDING = [name for name in GAMES if load(name).secrets_each]
MOST_COMPARED = 7
"""How many decisions of two games are compared at most."""

pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),  # Inspect's own
]


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what frameworks store about their user out of the user's home."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hider(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hider]]:
    """An opponent that can be sat down everywhere, and hides what the test says."""
    monkeypatch.setitem(PLAYERS, HIDER, (f"{Hider.__module__}:Hider", "hides as it is told"))
    yield Hider
    Hider.hides = 0


def sitting(terms: Terms) -> Sitting:
    """The seat without any framework."""
    return Sitting(terms.rules, *terms[1:4])


def test_every_door_is_driven() -> None:
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    (doors,) = extras["doors"]
    assert doors == f"strongroom[{','.join(sorted(ALL))}]"


@pytest.mark.parametrize("number", range(len(PLAYED)))
@pytest.mark.parametrize("door", DOORS)
def test_the_same_seed_and_moves_give_the_same_game(door: str, number: int) -> None:
    game, options = PLAYED[number]
    seat = [*Seat][(number + [*DOORS].index(door)) % 2]
    terms = Terms(game, "random", seat, 11, tuple(options.items()))
    reference, rng = sitting(terms), Random(7)
    while not reference.over:
        reference.play(rng.choice(reference.view.moves))
    own = [move for _, move in reference.decided if move is not None]
    played = DOORS[door](terms, own)
    state = reference.record.replay()
    assert played.moves == [*map(str, moves_to(state))]
    assert played.events == [*state.log]
    assert played.outcome == reference.outcome
    assert played.result == reference.result
    assert len(played.told) == len(own) + 1


@pytest.mark.parametrize("seat", Seat, ids=str)
@pytest.mark.parametrize("game", HIDING)
@pytest.mark.parametrize("door", DOORS)
def test_a_seat_is_told_the_same_whatever_it_may_not_know(
    door: str, game: str, seat: Seat, hider: type[Hider]
) -> None:
    terms, rng = Terms(game, HIDER, seat, 5), Random(3)
    twins = []
    for hides in (0, -1):
        hider.hides = hides
        twins.append(sitting(terms))
    own: list[Move] = []
    alike = 0
    while twins[0].view == twins[1].view and not twins[0].over and alike < MOST_COMPARED:
        alike += 1
        own.append(rng.choice(twins[0].view.moves))
        for hides, twin in zip((0, -1), twins, strict=True):
            hider.hides = hides
            twin.play(own[-1])
    own.pop()
    told = []
    for hides in (0, -1):
        hider.hides = hides
        told.append(DOORS[door](terms, own).told[:alike])
    one, two = (each.record.replay().secrets[seat.other.index] for each in twins)
    assert one != two
    assert len(told[0]) == alike > load(game).secrets_each
    assert told[0] == told[1]


LIBRARIES = {
    "gymnasium": "gymnasium",
    "inspect": "inspect_ai",
    "mcp": "mcp",
    "verifiers": "verifiers",
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "textarena": "textarena",
    "openenv": "openenv.core.env_server.types",
}
"""What each door imports first."""


@pytest.mark.parametrize("door", DOORS)
def test_without_its_library_a_door_says_in_a_line_what_to_install(
    door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = f"strongroom.agents.{door}"
    for name in [each for each in sys.modules if each.startswith(prefix)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, LIBRARIES[door], None)
    told = rf"^{prefix}\w* needs the extra .*pip install 'strongroom\[{door}\]'$"
    with pytest.raises(MissingExtra, match=told):
        import_module(prefix)


# --- the page about all doors ---


TABLE = {
    coded(extra)[0]: (framework, coded(line)[0])
    for framework, extra, _, line in rows(
        "doors/index.md", "framework", "extra", "who plays", "how it begins"
    )
}
COMMAND_LINES = {"inspect", "mcp"}


def test_every_door_is_on_the_page_with_a_page_of_its_own_and_a_line_that_opens_it() -> None:
    assert list(TABLE) == sorted(ALL)
    for extra, (framework, line) in TABLE.items():
        assert framework.endswith(f"({extra}.md)")
        assert (DOCS / "doors" / f"{extra}.md").exists()
        if extra in {*DOORS} - COMMAND_LINES:
            exec(line, {})
    assert TABLE["mcp"][1].split() == ["strongroom", *{"mcp"} & COMMANDS.keys()]
    points = tomllib.loads(PROJECT.read_text())["project"]["entry-points"]
    assert "strongroom" in points["inspect_ai"]
    assert TABLE["inspect"][1] == "inspect eval strongroom/play"
