"""The standings of a tournament at the terminal: what they say, and that they fit."""

from __future__ import annotations

import re

import pytest
from rich.console import Group

from strongroom.arena.standings import Standings
from strongroom.arena.tournament import Played, Schedule
from strongroom.plugins.registry import load
from strongroom.terminal.faces.standings import LiveStandings, report
from strongroom.terminal.text_tables import rendered


def won_by_the_first(*names: str) -> Standings:
    """A tournament in which whoever is named first wins every game."""
    schedule = Schedule((load("safe-code"),), names, 2)
    played = (
        Played(each, min(each.pair, key=names.index), "cracked", "", 5, ())
        for each in schedule.pairings
    )
    return Standings(schedule, played)


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("unicode", [True, False])
def test_every_line_fits(width: int, unicode: bool) -> None:
    standings = won_by_the_first("master", f"engine:./{'long-' * 30}name", "random")
    shown = [line.plain for line in report(standings, width, unicode)]
    assert max(map(len, shown)) <= width
    assert unicode or "\n".join(shown).isascii()


def test_each_player_has_its_score_with_the_interval_and_its_rating() -> None:
    shown = [line.plain for line in report(won_by_the_first("master", "random"), 80)]
    (row,) = (line for line in shown if "under" in line)
    assert re.split(" {2,}", row) == ["random", "0.000 (0.000 to 0.658)", "under 216", "–"]


def test_many_players_leave_room_for_the_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "12")
    monkeypatch.setenv("COLUMNS", "80")
    live = LiveStandings(won_by_the_first(*(f"engine:./{number}" for number in range(30))))
    for title in ("Safe Code", "Quantum Duel"):
        live.wait_for(title)
    shown = [line.plain for line in rendered(Group(*live.get_renderables()), 80)]
    assert len(shown) <= 12
    assert shown[1].startswith("engine:./0 ")
    assert shown[-1].startswith("Quantum Duel")
