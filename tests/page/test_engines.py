"""An engine on the page: chosen by its name, and played like any other bot."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.agents.engines import written
from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.plays import plays

SLOW_FOX = "hello['name'] = 'Slow Fox 2'"


@pytest.fixture
def fox_house(tmp_path: Path) -> Iterator[House]:
    """A server with an engine."""
    command = shlex.join(written(tmp_path / "secret_command.py", SLOW_FOX))
    house = House(tmp_path, "--bot", f"engine:{command}").opens()
    yield house
    house.closes()


def test_an_engine_is_chosen_by_name_and_plays(fox_house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada")
    ada.makes_a_game(fox_house.address, "Quantum Duel", "Slow Fox 2")
    plays(ada, "quantum-duel", "4")
    expect(ada.player(2)).to_contain_text("Slow Fox 2")
    expect(ada.board).to_contain_text("O")
    assert not [frame for frame in ada.frames if "secret_command" in frame]
