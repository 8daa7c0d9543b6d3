"""The table: frames add up to the referee's view and a newcomer's, and each costs the same."""

from __future__ import annotations

import gc
import secrets
import sys
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import orjson
import pytest

from strongroom.contract import NAMES, REPEATS, Candidates, Game, Json, Seat, View
from strongroom.minds.dialogue import Dialogue
from strongroom.plugins.registry import GAMES
from strongroom.referee import wire
from strongroom.server.clocks import Pauses, TimeControl
from strongroom.server.messages import ReadRequest
from strongroom.server.store import StoredRequest
from strongroom.server.table import Audience, HostedGame
from strongroom.testing.perft import after
from tests.server.stores import another_process, begun

VIEWERS = (None, *Seat)
MOST = 60
"""How many entries of a game are compared."""
ENDLESS = ("digit-deductions", "safe-cracker", "safecracker-duel")
"""The games that careful moves never end."""


def step(table: HostedGame, random: Random, ends: bool = True) -> StoredRequest:
    """Make a random move, with `ends` one that may end the game."""
    actor = table.actor
    assert isinstance(actor, Seat)
    while True:
        move = random.choice(table.playing.view(actor).moves)
        proposal = table.proposal(table.playing.step(actor, move, 1.0), secrets.token_hex(16))
        if ends or proposal.match.outcome is None:
            table.advance(proposal)
            return proposal.request


def sent(frame: Json) -> Json:
    arrived: Json = orjson.loads(orjson.dumps(frame))
    return arrived


def come(table: HostedGame, viewer: Seat | None) -> Json:
    """The welcome of a newcomer who wants words."""
    return sent(table.welcome((viewer, True), {}, 1.0))


def tell(table: HostedGame) -> dict[Seat | None, Json]:
    """The frames of the latest entries for everybody."""
    return {viewer: table.frame((viewer, True), 1.0) for viewer in VIEWERS}


class Reader:
    """A viewer with words who folds every frame onto the welcome."""

    def __init__(self, table: HostedGame, viewer: Seat | None) -> None:
        welcome = come(table, viewer)
        self.viewer, self.number = viewer, welcome["number"]
        self.view, self.words = welcome["view"], welcome["words"]
        self.folded = View.from_json(table.stored.deal.game, welcome["view"])

    def hear(self, frame: Json) -> None:
        frame = sent(frame)
        new = frame["entries"][self.number + 1 - frame["number"] :]
        events = [
            {name: entry[name] for name in ("seat", "move", "answer")}
            for entry in new
            if "step" in entry and "keeper" not in entry
        ]
        self.number = frame["number"] + len(frame["entries"]) - 1
        history = [*self.view["history"], *events]
        self.view = {**self.view, **frame["view"], "history": history}  # as the page does
        self.folded = wire.fold(self.folded, {**frame, "entries": new})
        self.words = wire.fold_words(self.words, frame["words"])

    def compare(self, other: HostedGame) -> None:
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
def test_the_frames_of_a_game_add_up_to_what_newcomers_are_told_in_any_case(game: str) -> None:
    for seed in range(3):
        random, table, stored = Random(seed), HostedGame(begun(game)), list[StoredRequest]()
        is_steady, other = seed < 1, HostedGame(table.stored)
        readers = [Reader(table, viewer) for viewer in VIEWERS]
        while isinstance(table.actor, Seat) and table.number < MOST:
            if is_steady and table.number % 2:
                table = HostedGame(table.stored, stored)  # whose first frame is not its first entry
            stored.append(step(table, random))
            other.follow(stored[-1:])
            for viewer in VIEWERS:
                assert other.playing.view(viewer) == table.playing.view(viewer)
            if is_steady:
                for reader in readers:
                    wordless = sent(table.frame((reader.viewer, False), 1.0))
                    assert wire.fold(reader.folded, wordless) == table.playing.view(reader.viewer)
                    reader.hear(table.frame((reader.viewer, True), 1.0))
            elif random.random() < 0.1:
                table = HostedGame(table.stored, stored)  # the server was started anew
                for reader in readers:
                    reader.hear(table.since(reader.number, (reader.viewer, True), 1.0))
            else:
                early = random.choice(VIEWERS)
                come(table, early)  # somebody arrives before the others are told
                for reader in readers:
                    missed = table.since(max(0, reader.number - 3), (reader.viewer, True), 1.0)
                    frame = table.frame((reader.viewer, True), 1.0)
                    reader.hear(frame)
                    if random.random() < 0.3:
                        reader.hear(missed)
            if not is_steady and random.random() < 0.2:
                at = random.randrange(len(readers))
                readers[at] = Reader(table, readers[at].viewer)
            for reader in readers:
                reader.compare(other)
                assert reader.folded == table.playing.view(reader.viewer)


def test_a_frame_carries_only_new_words_and_the_texts_of_moves_only_once() -> None:
    table = HostedGame(begun("digit-deductions"))
    for viewer in VIEWERS:
        come(table, viewer)
    for number, text in enumerate(("4-7", "9-1", "1-1", "2-2", "1-1", "2-2"), 1):
        actor = table.actor
        assert isinstance(actor, Seat)
        move = table.stored.deal.game.move(text)
        table.advance(table.proposal(table.playing.step(actor, move, 1.0), secrets.token_hex(16)))
        frames = tell(table)
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


def test_every_viewer_and_player_in_text_is_told_once_that_a_position_repeats() -> None:
    table = HostedGame(begun("safecracker-duel"))
    for viewer in VIEWERS:
        come(table, viewer)
    dialogue, told = Dialogue(table.stored.deal.game), []
    for number, text in enumerate(("5-5-5", "4-4-4", *("1 2", "1 1") * 5), 1):
        actor = table.actor
        assert isinstance(actor, Seat)
        told += [number] if REPEATS in dialogue.ask(table.playing.view(actor)) else []
        move = table.stored.deal.game.move(text)
        table.advance(table.proposal(table.playing.step(actor, move, 1.0), secrets.token_hex(16)))
        for viewer, frame in tell(table).items():
            said = frame["words"].get("said", "")
            assert said.startswith(REPEATS) == (number == 8)
            assert number < 3 or said.endswith(f"The safe shows {table.playing.view(None).board}.")
            again = Reader(table, viewer)
            assert (REPEATS in str(again.words)) == (number == 8)
    assert told == [9, 10], "whoever is asked next, or the one after"


def effort(work: Callable[..., object], *arguments: Any) -> int:
    """The executed lines of Python, which do not depend on the load of the machine."""
    lines, before = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    sys.settrace(trace)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("game", ENDLESS)
def test_announcing_a_move_costs_no_more_late_in_a_game_than_early(game: str) -> None:
    random, table = Random(1), HostedGame(begun(game))
    for viewer in VIEWERS:
        come(table, viewer)
    efforts = []
    for number in (40, 400):
        while table.number < number:
            step(table, random, ends=False)
            tell(table)
        most = 0
        for _ in range(10):
            step(table, random, ends=False)
            most = max(most, effort(tell, table))
        efforts.append(most)
    early, late = efforts
    assert late <= early * 1.1
    assert effort(table.since, table.number - 1, (Seat.ONE, True), 1.0) <= early
    if game == "digit-deductions":  # whoever missed little is told little
        frame = table.since(table.number - 1, (Seat.ONE, True), 1.0)
        assert len(frame["entries"]) == 1
        # The row of that entry, and the one before.
        assert frame["words"]["turns"]["from"] == table.number - 4
        assert len(frame["words"]["turns"]["rows"]) == 2
        assert table.since(table.number, (Seat.ONE, True), 1.0)["words"]["turns"]["rows"] == []


def shown(name: str, *moves: str, left: Any = None, **options: int) -> Json:
    """What Player 1 is shown after these moves; `left`: what of the candidates is left."""
    state = after(name, *moves, **options)
    game = state.game
    candidates = left and left(game, game.candidates(Seat.ONE))
    return Audience(game, Seat.ONE, NAMES).show(state.view(Seat.ONE), candidates)


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("safe-code", (), "Only you see it, until the game is over."),
        ("safe-code", ("18",), "Player 2 sees it when they ask for it."),
        ("digit-deductions", ("3-7",), ""),  # whoever chooses nothing is told of no secrecy
        ("digit-deductions", ("3-7", "6-8"), ""),
    ],
)
def test_who_chooses_is_told_who_will_see_it(game: str, moves: tuple[str, ...], told: str) -> None:
    assert shown(game, *moves)["secrecy"] == told


def test_what_is_left_comes_with_all_that_could_be_hidden_unless_it_is_too_much() -> None:
    def after_an_answer(game: Game, candidates: Candidates) -> Candidates:
        event = {"seat": 1, "move": "1 3", "answer": [3, 1, 1]}
        return candidates.after(game.event_from_json(event))

    told = shown("safecracker-duel", "3-4-2", "5-1-3", left=after_an_answer)
    assert len(told["codes"]) == 5**3
    assert set(told["codes"]) - set(told["left"]) == {"3-1-1"}
    codes = ("1-1-1-1", "1-1-1-2")
    told = shown("safe-cracker", *codes, left=lambda _, every: every, length=4, digits=4)
    assert told["left"] is told["codes"] is None
    assert "256" in told["count"]


@pytest.mark.parametrize("game", GAMES)
def test_a_move_is_read_back_and_not_made(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random, table = Random(game), HostedGame(begun(game))
    while isinstance(actor := table.actor, Seat) and table.number < 30:
        before, move = table.match, random.choice(table.playing.view(actor).moves)
        told = table.read(actor, ReadRequest(secrets.token_hex(16), table.number + 1, str(move)))
        assert told["move"] == str(move)
        assert table.match is before
        # Reading plays nothing, so its duration cannot depend on the other's secret.
        monkeypatch.setattr(type(table.playing.state), "play", None)
        assert table.read(actor, ReadRequest(secrets.token_hex(16), table.number + 1, str(move)))
        monkeypatch.undo()
        table.advance(table.proposal(table.playing.step(actor, move, 1.0), secrets.token_hex(16)))


def test_a_pause_that_is_not_stored_yet_is_not_forgotten_for_one_that_is() -> None:
    table = HostedGame(begun("digit-deductions", TimeControl(minutes=5, increment=0)))
    table.pause(Seat.ONE, (10.0, 30.0))
    table.take_pauses({Seat.ONE: Pauses([(40.0, 50.0)])})
    began = 1.0
    assert table.time_left(61.0) == 300.0 - (61.0 - began - 20.0 - 10.0)


def circles_after(game: str) -> int:
    """The number of objects that only the garbage collector frees after a game."""

    def play(table: HostedGame) -> None:
        random = Random(game)
        while isinstance(table.actor, Seat) and table.number < 30:
            step(table, random)
            tell(table)

    play(HostedGame(begun(game)))  # the first game fills caches
    table = HostedGame(begun(game))
    while gc.collect():  # freeing may leave more garbage behind
        pass
    gc.disable()
    try:
        play(table)
        del table
        return gc.collect()
    finally:
        gc.enable()


@pytest.mark.proof
def test_playing_leaves_no_reference_cycles() -> None:
    """The server hardly ever collects them.

    The games run in a subprocess, so that garbage of other tests and threads is not counted.
    """
    with another_process(
        "import sys; from tests.server.test_table import circles_after;"
        "print([(game, circles_after(game)) for game in sys.argv[1:]])",
        *GAMES,
    ) as counting:
        counted, complained = counting.communicate()
    assert not complained
    assert counted.strip() == str([(game, 0) for game in GAMES])
