"""Aids and advice in plain lines fit whoever sits at the keyboard."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.store import seats

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom


def test_between_two_people_aids_are_off_until_both_agree(
    sit_down: SitDown, tmp_path: Path
) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "Ada", "Bo", "--plain")
    terminal.sees("observe: ")
    for line, told in (
        ("hint", "This game is played without hints and notebook. To switch them on: aids"),
        ("aids", "Bo is asked for it before the next turn there, as both have to agree."),
        ("hint", "This game is played without hints and notebook"),
        ("4", "Ada wants hints and notebook on for both. Do you agree? (yes/no): "),
        ("maybe", "'maybe' is neither yes nor no"),
        ("no", "Both have to agree: hints and notebook stay off."),
        ("aids", "Ada is asked for it before the next turn there"),
        ("2", "Bo wants hints and notebook on for both. Do you agree? (yes/no): "),
        ("yes", "Hints and notebook are on"),
        ("hint", "looking: "),
    ):
        terminal.types(line)
        terminal.shows(re.escape(told.strip()))
    kept = tmp_path / "config" / "strongroom" / "preferences.json"
    assert not kept.exists() or "aids" not in kept.read_text()


def test_resume_points_to_join_if_only_a_game_on_a_server_is_open(
    strongroom: Strongroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    link = Link("https://duels.example", LinkKind.PLAY, "a" * 32, "1" * 32)
    seats.keep(seats.KeptSeat(link, "Safe Code"))
    ran = strongroom("resume")
    assert ran.code == 2
    assert ran.err == (
        "strongroom: No unfinished game is saved here. "
        "Safe Code on a server goes on with: strongroom join\n"
    )
