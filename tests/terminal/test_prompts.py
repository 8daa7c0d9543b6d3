"""Every prompt: any text is a move or a refusal, a choice or a question asked again; hints."""

from __future__ import annotations

import contextlib
import io
import json
import select
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Game, Refusal, Seat, View
from strongroom.players import Resigns
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.faces import face as plain
from strongroom.terminal.faces import page
from strongroom.terminal.faces.face import Face, JsonFace, Looks
from strongroom.terminal.lines import InputEnded, LineSource
from strongroom.terminal.screen.keys import Key, Pressed
from strongroom.terminal.setup import HELP, GoesBack, Item, Questions, Setup, WantsNothing
from strongroom.terminal.setup_page import SetupPage
from strongroom.terminal.store import games, preferences
from strongroom.terminal.store.files import CannotSave
from strongroom.terminal.table.local import LocalTable, Wishes
from strongroom.terminal.table.person import CANCELLED, COMMANDS, SEEKING, Person, Quits
from strongroom.terminal.table.remote import RemoteTable
from strongroom.theory import hints
from strongroom.theory.hints import Advised
from tests.terminal.screen.at_page import Paper
from tests.tries import tries

GAMES: tuple[Game, ...] = (
    load("safecracker-duel"),
    load("safecracker-duel", allow_same_digit=True),
    load("safe-cracker"),
    load("safe-cracker", digits=9, length=3, attempts=2),
    load("safe-code"),
    load("digit-deductions"),
    load("quantum-duel"),
)

BY_NAME = pytest.mark.parametrize("game", GAMES, ids=repr)


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_written() -> Iterator[None]:
    """Keep saved copies and remembered choices from being written."""

    def refuse(*_: object) -> None:
        raise CannotSave("Cannot save: this is a test.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "save_copy", refuse)
        patch.setattr(games.Journal, "update", refuse)
        patch.setattr(games, "summaries", lambda: iter(()))
        patch.setattr(preferences, "recall", dict)
        patch.setattr(preferences, "remember", lambda **_: None)
        patch.setattr(page, "Display", Paper)
        yield


NO_JOURNAL = games.Journal(Path("nowhere.json"))
"""Saves nothing, and says so."""


class Typed(LineSource):
    """Lines that were typed in advance, and the prompts they answered."""

    def __init__(self, lines: Iterable[str], interactive: bool = False) -> None:
        self.interactive = interactive
        self._lines = iter(lines)
        self.prompts: list[str] = []

    def read(self, prompt: str, unseen: bool = False) -> str:
        self.prompts.append(prompt)
        for line in self._lines:
            return line
        raise InputEnded

    def wait_for(self, other: int) -> None:
        pass


MUTATIONS = (
    lambda text, at, extra: text[:at] + extra + text[at:],
    lambda text, at, extra: text[:at] + text[at + 1 :],
    lambda text, at, extra: text[:at] + extra + text[at + 1 :],
    lambda text, at, extra: text[:at] + text[at:] * 2,
    lambda text, at, extra: text.replace("-", extra),
    lambda text, at, extra: text.upper(),
    lambda text, at, extra: f"  {text}\t",
)

WORDS = (
    *COMMANDS,
    "?", "r", "", "y", "n", "yes", "no", "1", "2", "clue", "guess", "guess 7", "-1", "0",
    "00000000012", "9" * 400, "divisible by 0", "a multiple of zero", "remainder 0 divided by 0",
    "between 9 and 3", "not not even", "mod 0 = 0", "[/b]", "%s", "{0}", "\ud800", "save \x00",
    "save ~no-such-person/x", "save /", "save .", "digit sum is -1", "is 1/2", "> 1e9", "٣", "²",
)  # fmt: skip


def texts(game: Game) -> st.SearchStrategy[str]:
    """Arbitrary texts, in particular those that are almost a move."""
    valid = st.sampled_from(game.actions).map(str)
    mutated = st.builds(
        lambda text, mutate, at, extra: mutate(text, at % (len(text) + 1), extra),
        valid,
        st.sampled_from(MUTATIONS),
        st.integers(0, 60),
        st.text(max_size=3),
    )
    digits = st.text("0123456789 -.,;:/_=>", max_size=12)
    anything = st.one_of(st.text(), mutated, valid, digits, st.sampled_from(WORDS))
    # A hint takes a while in every example; it is tested elsewhere.
    return anything.filter(lambda text: text.strip().lower() not in ("h", "hi", "hin", "hint"))


def somewhere(game: Game, seed: int, depth: int) -> Match:
    """A match after `depth` random moves, or just before its end."""
    match = Match.start(game, draw=draws(seed))
    rng = Random(seed)
    for _ in range(depth):
        assert isinstance(match.actor, Seat)
        later = match.step(match.actor, rng.choice(match.state.moves))
        if later.outcome is not None:
            break
        match = later
    return match


PLACES = {"seed": st.integers(0, 10_000), "depth": st.integers(0, 20)}
SIZES = st.tuples(st.integers(30, 120), st.integers(10, 50))


@BY_NAME
@tries(0.4)
@given(data=st.data(), drawn=st.booleans(), shared=st.booleans(), keys=st.booleans(), **PLACES)
def test_any_text_is_a_legal_move_or_refused_in_a_short_answer_that_changes_nothing(
    game: Game, data: st.DataObject, drawn: bool, shared: bool, keys: bool, seed: int, depth: int
) -> None:
    match = somewhere(game, seed, depth)
    seat = match.actor
    assert isinstance(seat, Seat)
    view = match.view(seat)
    lines = data.draw(st.lists(texts(game), max_size=6))
    face: Face
    if drawn:  # the paper checks that every page fits
        face = page.PageFace(game.words, Looks(fast=True))
        face.display = Paper(*lines, size=data.draw(SIZES), unicode=data.draw(st.booleans()))
    else:
        face = Face(Typed(lines, interactive=keys), game.words)
    face.here = frozenset(Seat) if shared else frozenset({seat})
    refuse = face.refuse

    def checked(view: View, refusal: Refusal) -> None:
        assert refusal.reason
        assert len(refusal.reason) < 300, "a reason is short, whatever was typed"
        refuse(view, refusal)

    table = LocalTable(Wishes(match.game), face, match, NO_JOURNAL)
    move = None
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(InputEnded, Quits, Resigns),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(face, "refuse", checked)
        move = Person(table, Random(1)).choose(view)
    assert table.match is match, "only the referee changes the match"
    if move is not None and move in view.moves:
        later = match.step(seat, move)
        assert len(later.record.steps) > len(match.record.steps)
    elif move is not None:
        assert move in game.actions
        with pytest.raises(Refusal, match=r"."):
            match.step(seat, move)
    assert match.view(seat) == view


@BY_NAME
@tries(0.12)
@given(data=st.data(), seed=st.integers(0, 10_000))
def test_a_script_of_any_lines_is_a_stream_of_events(
    game: Game, data: st.DataObject, seed: int
) -> None:
    """Plays a whole table as `--json` does: each line of the output is one event."""
    lines = Typed(data.draw(st.lists(texts(game), max_size=12)))
    match = Match.start(game, draw=draws(seed))
    table = LocalTable(Wishes(game), JsonFace(lines, game.words), match, NO_JOURNAL)
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
        contextlib.suppress(InputEnded, Quits),
    ):
        table.play()
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert events[0]["event"] == "start"
    moves = [event for event in events if event["event"] == "move"]
    record = table.match.record
    assert len(moves) == sum(step.keeper is None for step in record.steps)
    record.replay()


@tries(0.4)
@given(
    st.lists(
        st.one_of(st.sampled_from(Key), st.characters(), st.sampled_from("123456789bqrk?/")),
        max_size=40,
    ),
    SIZES,
)
def test_the_set_up_page_accepts_any_keys(pressed: list[Pressed], size: tuple[int, int]) -> None:
    paper = Paper(size=size)
    paper.press(pressed)
    made: Any = None
    with contextlib.suppress(InputEnded, WantsNothing):
        made = SetupPage(Looks(), paper).read()
    assert made is None or isinstance(made, Wishes)
    assert paper.pages


ITEMS = (
    Item("q", "quantum-duel", "Four in a chain."),
    Item("c", "safe-code"),
    Item("d", "safecracker-duel"),
    Item("r", "random"),
)


def asker(*lines: str) -> Questions:
    return Questions(Typed(lines), Looks(), Setup())


def chosen(*lines: str, usual: str = "c") -> str:
    return asker(*lines).choose("Which?", ITEMS, usual)


def test_a_number_or_the_beginning_of_a_name_chooses(capsys: pytest.CaptureFixture[str]) -> None:
    values = {"1": "q", " 3 ": "d", "quan": "q", "SAFE-CODE": "c", "safec": "d", "": "c", "d": "d"}
    assert {line: chosen(line) for line in values} == values
    lines = Typed([""])
    Questions(lines, Looks(), Setup()).choose("Which?", ITEMS, "d")
    assert lines.prompts == ["Enter 1 to 4 (Enter: 3; back, help, rules, quit): "]
    capsys.readouterr()
    assert chosen("", usual="gone") == "q"
    listed = ["Which?", "  1. quantum-duel: Four in a chain.", "  2. safe-code"]
    assert capsys.readouterr().out.splitlines()[:3] == listed


def test_anything_else_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    for line, told in (
        ("safe", "'safe' is none of these. "),
        *((each, f"'{each}' is none of these. Type a number from 1 to 4.") for each in "05٣"),
        ("quantom-duel", "Did you mean quantum-duel?"),
        ("\x1b[2J", "Type a number from 1 to 4."),
    ):
        assert chosen(line, "2") == "c"
        out = capsys.readouterr().out
        assert told in out
        assert "\x1b" not in out
    asking = asker()
    asking.say("The title\n")
    asking.say("Something to know.")
    assert capsys.readouterr().out == "The title\n\nSomething to know.\n"
    assert chosen("?", "rules", "1") == "q"
    assert f"{HELP}\nChoose a game first, or: strongroom rules GAME\n" in capsys.readouterr().out


def test_back_goes_back_and_quit_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    for word, leaves in (
        *(("back", GoesBack), ("B", GoesBack), ("nothing of that kind", InputEnded)),
        *((word, WantsNothing) for word in ("quit", "exit", "Q")),
    ):
        with pytest.raises(leaves):
            chosen(word)
    for word, leaves in (("Back", GoesBack), ("quit", WantsNothing), ("exit", WantsNothing)):
        with pytest.raises(leaves):
            asker(word).line("Name: ", "Ada")
    for line, name in ((" Bob ", "Bob"), ("", "Ada"), ("B", "B"), ("q", "q"), ("H", "H")):
        assert asker(line).line("Name: ", "Ada") == name
    capsys.readouterr()
    assert asker("help", "Bob").line("Name: ", "Ada") == "Bob"
    assert capsys.readouterr().out == f"{HELP}\n"


GAME = load("quantum-duel")


def sit_down(face: Face) -> tuple[LocalTable, Person, View]:
    match = Match.start(GAME, draw=draws(1))
    assert isinstance(match.actor, Seat)
    face.here, face.aids = frozenset({match.actor}), True
    table = LocalTable(Wishes(match.game), face, match, NO_JOURNAL)
    return table, Person(table, Random(1)), match.view(match.actor)


def test_ctrl_c_cancels_a_hint_at_a_keyboard_and_on_a_page_and_ends_a_script(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(view: View) -> Advised:
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("Ctrl-C is heard before the hint is there.")

    monkeypatch.setattr(hints, "advise", interrupted)
    table, person, view = sit_down(Face(Typed(["hint", "4"], interactive=True), GAME.words))
    assert person.choose(view) == GAME.move("4")
    assert CANCELLED in capsys.readouterr().out
    assert table.match.record.hints == (0, 0)
    _, person, view = sit_down(Face(Typed(["hint", "4"]), GAME.words))
    with pytest.raises(KeyboardInterrupt):
        person.choose(view)
    face = page.PageFace(GAME.words, Looks(fast=True))
    face.display = paper = Paper("hint", "4")
    table, person, view = sit_down(face)
    assert person.choose(view) == GAME.move("4")
    assert any(SEEKING in each for each in paper.pages), "until it is cancelled"
    assert CANCELLED in paper.page
    assert SEEKING not in paper.page
    assert table.match.record.hints == (0, 0)


def test_a_plain_terminal_says_that_a_hint_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
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
    view = Match.start(GAME, draw=draws(1)).view(Seat.ONE)
    info: Any = SimpleNamespace(game=GAME, coins=SimpleNamespace(hash=""))
    face = Face(Typed(["hint"], interactive=True), GAME.words)
    table = RemoteTable(face, Link("http://localhost", LinkKind.WATCH, ""), info, None)
    table.place.seat, table.place.view = Seat.ONE, view

    def would_repeat() -> list[str]:
        return [str(each["type"]) for each in table.inbox.connection._asked.values()]

    def interrupt(*_: object) -> None:
        assert would_repeat() == ["hint"]
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(select, "select", interrupt)
    with pytest.raises(KeyboardInterrupt):
        table.hint(view)
    assert would_repeat() == []
    assert table.inbox.request is None
