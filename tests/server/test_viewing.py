"""Viewing: frames add up to what a newcomer is told, and each costs the same."""

from __future__ import annotations

import secrets
import sys
from random import Random
from types import FrameType
from typing import Any

import orjson
import pytest

from strongroom.contract import Json, Seat, View
from strongroom.plugins.registry import GAMES
from strongroom.referee import wire
from strongroom.server.store import StoredRequest
from strongroom.server.table import Table
from tests.server.stores import begun

VIEWERS = (None, *Seat)
MOST = 60
"""How many entries of a game are compared."""
ENDLESS = ("digit-deductions", "safe-cracker", "safecracker-duel")
"""The games that careful moves never end."""


def step(table: Table, random: Random, ends: bool = True) -> StoredRequest:
    """Make a random move, with `ends` one that may end the game."""
    actor = table.actor
    assert isinstance(actor, Seat)
    while True:
        move = random.choice(table.playing.view(actor).moves)
        proposal = table.made(actor, move, secrets.token_hex(16), 1.0)
        if ends or proposal.match.outcome is None:
            table.advance(proposal)
            return proposal.request


def sent(frame: Json) -> Json:
    """A frame as it arrives."""
    arrived: Json = orjson.loads(orjson.dumps(frame))
    return arrived


def come(table: Table, viewer: Seat | None) -> Json:
    """The welcome of a newcomer who wants words."""
    return sent(table.welcome((viewer, True), {}, 1.0))


def put_together(view: Json, frame: Json) -> Json:
    """Fold a frame of the next entries onto a view in JSON, as the page does."""
    events = [
        {name: entry[name] for name in ("seat", "move", "answer")}
        for entry in frame["entries"]
        if "step" in entry and "keeper" not in entry
    ]
    return {**view, **frame["view"], "history": [*view["history"], *events]}


class Reader:
    """A viewer with words who folds every frame onto the welcome."""

    def __init__(self, table: Table, viewer: Seat | None) -> None:
        welcome = come(table, viewer)
        self.viewer, self.number = viewer, welcome["number"]
        self.view, self.words = welcome["view"], welcome["words"]
        self.folded = View.from_json(table.stored.deal.game, welcome["view"])

    def hear(self, frame: Json) -> None:
        """Fold a frame."""
        frame = sent(frame)
        new = frame["entries"][self.number + 1 - frame["number"] :]
        self.number = frame["number"] + len(frame["entries"]) - 1
        self.view = put_together(self.view, {**frame, "entries": new})
        self.folded = wire.fold(self.folded, {**frame, "entries": new})
        self.words = wire.fold_words(self.words, frame["words"])

    def compare(self, other: Table) -> None:
        """Compare what was folded with what a newcomer is told at another process."""
        welcome, view = come(other, self.viewer), self.view
        if not welcome["view"]["legal"]:
            view = {**view, "moves": []}  # without legal moves the texts mean nothing
        assert view == welcome["view"]
        assert self.folded == View.from_json(other.stored.deal.game, welcome["view"])
        assert self.number == welcome["number"]
        said = self.words["said"]
        if welcome["view"]["history"]:
            # A newcomer is told only of the last of several steps that came at once.
            assert said.endswith(welcome["words"]["said"])
        assert self.words == {**welcome["words"], "said": said}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_the_frames_of_a_game_add_up_to_what_a_newcomer_is_told(game: str, seed: int) -> None:
    random, table = Random(seed), Table(begun(game))
    other = Table(table.stored)
    readers = [Reader(table, viewer) for viewer in VIEWERS]
    while isinstance(table.actor, Seat) and table.number < MOST:
        other.follow([step(table, random)])
        for reader in readers:
            reader.hear(table.frame((reader.viewer, True), 1.0))
            reader.compare(other)


@pytest.mark.parametrize("game", GAMES)
def test_so_do_they_whoever_comes_loses_the_line_or_is_told_something_again(game: str) -> None:
    random, table, stored = Random(1), Table(begun(game)), list[StoredRequest]()
    other = Table(table.stored)
    readers = [Reader(table, viewer) for viewer in VIEWERS]
    while isinstance(table.actor, Seat) and table.number < MOST:
        stored.append(step(table, random))
        other.follow(stored[-1:])
        if random.random() < 0.1:
            table = Table(table.stored, stored)  # the server was started anew
            for reader in readers:
                reader.hear(table.missed(reader.number, (reader.viewer, True), 1.0))
        else:
            early = random.choice(VIEWERS)
            come(table, early)  # somebody arrives before the others are told
            for reader in readers:
                missed = table.missed(max(0, reader.number - 3), (reader.viewer, True), 1.0)
                frame = table.frame((reader.viewer, True), 1.0)
                reader.hear(frame)
                if random.random() < 0.3:
                    reader.hear(missed)
        if random.random() < 0.2:
            at = random.randrange(len(readers))
            readers[at] = Reader(table, readers[at].viewer)
        for reader in readers:
            reader.compare(other)


def test_a_frame_carries_only_new_words_and_the_texts_of_moves_only_once() -> None:
    table = Table(begun("digit-deductions"))
    for viewer in VIEWERS:
        come(table, viewer)
    for number, text in enumerate(("4-7", "9-1", "1-1", "2-2", "1-1", "2-2"), 1):
        actor = table.actor
        assert isinstance(actor, Seat)
        move = table.stored.deal.game.move(text)
        table.advance(table.made(actor, move, secrets.token_hex(16), 1.0))
        frames = {viewer: table.frame((viewer, True), 1.0) for viewer in VIEWERS}
        if number == 1:
            assert len(frames[Seat.TWO]["view"]["moves"]) == 81
        elif number > 2:
            assert not any("moves" in frame["view"] for frame in frames.values())
        if number == 5:  # Ada repeats her first guess
            assert set(frames[Seat.ONE]["words"]) == {"said", "heading", "accepted", "turns"}
            assert frames[Seat.TWO]["words"]["said"] == "Ada guesses 1-1. Feedback: 8."
            rows = [{"seat": 1, "text": "1-1: 8", "result": "", "mark": ""}]
            assert all(
                frame["words"]["turns"] == {"from": 2, "rows": rows} for frame in frames.values()
            )


def test_a_viewer_who_missed_little_of_a_long_game_is_told_little() -> None:
    random, table = Random(1), Table(begun("digit-deductions"))
    while table.number < 300:
        step(table, random, ends=False)
    frame = table.missed(299, (Seat.ONE, True), 1.0)
    assert len(frame["entries"]) == 1
    assert frame["words"]["turns"]["from"] == 296  # the row of that entry, and the one before
    assert len(frame["words"]["turns"]["rows"]) == 2
    assert table.missed(300, (Seat.ONE, True), 1.0)["words"]["turns"]["rows"] == []


class Effort:
    """Counts executed lines of Python, which do not depend on the load of the machine."""

    def __init__(self) -> None:
        self.lines = 0

    def __enter__(self) -> Effort:
        self._before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *trouble: object) -> None:
        sys.settrace(self._before)

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        self.lines += event == "line"
        return self._trace


def effort(table: Table, random: Random) -> int:
    """The most lines that it takes to tell everybody of a move, among ten moves."""
    most = 0
    for _ in range(10):
        step(table, random, ends=False)
        with Effort() as effort:
            for viewer in VIEWERS:
                table.frame((viewer, True), 1.0)
        most = max(most, effort.lines)
    return most


@pytest.mark.parametrize("game", ENDLESS)
def test_announcing_a_move_costs_no_more_late_in_a_game_than_early(game: str) -> None:
    random, table = Random(1), Table(begun(game))
    for viewer in VIEWERS:
        come(table, viewer)
    while table.number < 40:
        step(table, random, ends=False)
        for viewer in VIEWERS:
            table.frame((viewer, True), 1.0)
    early = effort(table, random)
    while table.number < 400:
        step(table, random, ends=False)
        for viewer in VIEWERS:
            table.frame((viewer, True), 1.0)
    assert effort(table, random) <= early * 1.1
    with Effort() as again:
        table.missed(table.number - 1, (Seat.ONE, True), 1.0)
    assert again.lines <= early
