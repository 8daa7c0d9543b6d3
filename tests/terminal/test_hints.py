"""Hints while they are computed: the screen says so, and Ctrl-C cancels the hint, not the game."""

from __future__ import annotations

import contextlib
import io
import select
import signal
import time
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from strongroom.contract import Seat, View
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.remote.connection import RemoteConnection
from strongroom.terminal.faces import face as plain
from strongroom.terminal.faces import page
from strongroom.terminal.faces.face import Face
from strongroom.terminal.table.local_table import LocalTable
from strongroom.terminal.table.person import CANCELLED, SEEKING, Person
from strongroom.terminal.table.remote_table import RemoteTable
from strongroom.theory import hints
from strongroom.theory.hints import Advised
from tests.terminal.screen.paper import Paper
from tests.terminal.test_prompts import NoJournal, Typed

GAME = load("quantum-duel")


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C while a hint is computed."""

    def advise(view: View) -> Advised:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("Ctrl-C is heard before the hint is there.")

    monkeypatch.setattr(hints, "advise", advise)


def sit_down(face: Face) -> tuple[LocalTable, Person, View]:
    """One person at the first turn of a game with hints."""
    match = Match.start(GAME, draw=draws(1))
    assert isinstance(match.actor, Seat)
    face.here, face.aids = frozenset({match.actor}), True
    table = LocalTable(match, face)
    table.journal = NoJournal()
    return table, Person(table, face, Random(1)), match.view(match.actor)


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_cancels_a_hint_and_the_game_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    table, person, view = sit_down(Face(Typed(["hint", "4"], interactive=True), GAME.words))
    assert person.choose(view) == GAME.move("4")
    assert CANCELLED in capsys.readouterr().out
    assert table.match.record.hints == (0, 0)


@pytest.mark.usefixtures("interrupted")
def test_the_page_says_that_a_hint_is_looked_for_until_it_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page, "Display", Paper)
    face = page.PageFace(GAME.words, fast=True)
    face.display = paper = Paper("hint", "4")
    table, person, view = sit_down(face)
    assert person.choose(view) == GAME.move("4")
    assert any(SEEKING in each for each in paper.pages)
    assert CANCELLED in paper.page
    assert SEEKING not in paper.page
    assert table.match.record.hints == (0, 0)


@pytest.mark.usefixtures("interrupted")
def test_ctrl_c_at_a_hint_ends_a_script() -> None:
    _, person, view = sit_down(Face(Typed(["hint", "4"]), GAME.words))
    with pytest.raises(KeyboardInterrupt):
        person.choose(view)


def test_a_plain_terminal_says_that_a_hint_is_looked_for_if_it_takes_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, advise = io.StringIO(), hints.advise

    def advise_late(view: View) -> Advised:
        deadline = time.monotonic() + 60
        while SEEKING not in told.getvalue() and time.monotonic() < deadline:
            time.sleep(0.001)
        return advise(view)

    monkeypatch.setattr(hints, "advise", advise_late)
    monkeypatch.setattr(plain, "NOTICED", 0.0)
    table, person, view = sit_down(Face(Typed(["hint", "4"], interactive=True), GAME.words))
    with contextlib.redirect_stderr(told):
        assert person.choose(view) == GAME.move("4")
    assert told.getvalue() == f"{SEEKING}\n"
    assert table.match.record.hints == (1, 0)


def test_ctrl_c_cancels_a_hint_that_a_server_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Connection(RemoteConnection):
        """Says which requests it would repeat after it was lost."""

        @property
        def asked(self) -> list[str]:
            return [str(each["type"]) for each in self._asked.values()]

    view = Match.start(GAME, draw=draws(1)).view(Seat.ONE)
    place: Any = SimpleNamespace(seat=Seat.ONE, number=0, view=view, is_over=False)
    connection = Connection("ws://localhost", dict)
    face = Face(Typed(["hint"], interactive=True), GAME.words)
    table = RemoteTable(place, connection, face)

    def interrupt(*_: object) -> None:
        assert connection.asked == ["hint"]
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(select, "select", interrupt)
    with pytest.raises(KeyboardInterrupt):
        table.hint(view)
    assert connection.asked == []
    assert table.inbox.request is None
