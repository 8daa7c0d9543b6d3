"""The ledger: one numbered row for each turn, the newest visible, and each turn read once."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from strongroom.contract import Event, Game, Ledger, Seat, Turn
from strongroom.games.quantum_duel.words import QuantumDuelWords
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.terminal.screen.ledger import fitted, rows
from tests.tries import tries

NAMES = {Seat.ONE: "Ada", Seat.TWO: "Bob"}


def turns(count: int) -> list[Turn]:
    return [Turn((Seat.ONE, Seat.TWO)[n % 2], f"move {n + 1}", f"r{n + 1}") for n in range(count)]


def texts(drawn: list[Text]) -> list[str]:
    return [row.plain.rstrip() for row in drawn]


def played(game: Game, steps: int, seed: int = 1) -> Match:
    match, rng = Match.start(game, draw=draws(seed)), Random(seed)
    while len(match.record.steps) < steps and isinstance(match.actor, Seat):
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
    return match


# --- reading on -----------------------------------------------------------------------------------


class Counting(QuantumDuelWords):
    """Counts how many events were read."""

    noted = 0

    def turn(self, events: list[Event]) -> Turn:  # type: ignore[override]
        Counting.noted += 1
        return super().turn(events)


def test_every_event_is_read_once_however_often_the_record_is_drawn() -> None:
    game = load("quantum-duel")
    ledger = Ledger(Counting(game))  # type: ignore[arg-type]
    match, rng = Match.start(game, draw=draws(1)), Random(1)
    while len(match.record.steps) < 200 and isinstance(match.actor, Seat):
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
        ledger.read(match.view(None).history)
        ledger.read(match.view(None).history)
    assert Counting.noted == len(match.view(None).history)


@pytest.mark.parametrize("name", GAMES)
def test_turns_are_the_same_whether_read_bit_by_bit_or_at_once(name: str) -> None:
    game = load(name)
    on, at_once = Ledger(game.words), Ledger(game.words)
    match, rng = Match.start(game, draw=draws(3)), Random(3)
    while len(match.record.steps) < 60 and isinstance(match.actor, Seat):
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
        on.read(match.view(None).history)
    at_once.read(match.view(None).history)
    assert on.turns == at_once.turns
    assert len(on.turns) == match.view(None).turns
    assert [turn.seat for turn in on.turns[:2]] == [Seat.ONE, Seat.TWO][: len(on.turns)]


def test_a_shorter_history_is_another_match() -> None:
    game = load("quantum-duel")
    ledger = Ledger(game.words)
    ledger.read(played(game, 20).view(None).history)
    fresh = Match.start(game)
    fresh, _ = fresh.step(Seat.ONE, game.move("5"))
    ledger.read(fresh.view(None).history)
    (turn,) = ledger.turns
    assert "5" in turn.text


# --- drawn ----------------------------------------------------------------------------------------


@tries(2)
@given(
    name=st.text("ab漢", min_size=1, max_size=24),
    count=st.integers(0, 60),
    width=st.integers(0, 120),
    height=st.integers(-1, 40),
    scrolled=st.integers(0, 80),
    result=st.sampled_from(["", "Safe"]),
    words=st.lists(st.sampled_from(["challenged,", "heads:", "5", "漢字", "x" * 40]), max_size=6),
)
def test_the_ledger_fits_any_size(
    name: str, count: int, width: int, height: int, scrolled: int, result: str, words: list[str]
) -> None:
    record = [
        Turn(turn.seat, " ".join([turn.text, *words]), turn.result, " ".join(words[:4]))
        for turn in turns(count)
    ]
    drawn = rows(record, {**NAMES, Seat.ONE: name}, result, width, height, scrolled=scrolled)
    assert len(drawn) <= max(0, height)
    assert all(row.cell_len <= width for row in drawn)


def test_the_newest_turns_are_visible_and_older_ones_after_scrolling() -> None:
    drawn = texts(rows(turns(30), NAMES, "Safe", 40, 10))
    assert re.fullmatch(r" # +Ada +Bob +Safe", drawn[0])
    assert drawn[1].strip() == "⋮ 22 earlier"
    assert re.fullmatch(r"23 +move 23 +r23", drawn[2])
    assert re.fullmatch(r"30 +move 30 +r30", drawn[-1])
    assert len(drawn) == 10
    drawn = texts(rows(turns(30), NAMES, "Safe", 40, 10, scrolled=25))
    assert re.fullmatch(r"5 +move 5 +r5", drawn[-1].strip())
    assert re.fullmatch(r"1 +move 1 +r1", drawn[1].strip())
    head, one, two = texts(rows(turns(2), NAMES, "", 40, 9))
    assert (one.index("move 1"), two.index("move 2")) == (head.index("Ada"), head.index("Bob"))
    head, newest = texts(rows(turns(30), NAMES, "Safe", 20, 2))
    assert "Safe" not in head, "without room the result disappears"
    assert newest.split() == ["30", "move", "30"]


def test_a_long_turn_wraps_to_a_second_line_and_a_mark_has_its_own() -> None:
    turn = Turn(Seat.ONE, "5 challenged, heads: stands", mark="the board is full")
    drawn = texts(rows([turn], NAMES, "", 50, 9))
    assert drawn[1].split() == ["1", "5", "challenged,", "heads:"]
    assert drawn[2].strip() == "stands"
    assert drawn[3].strip() == "── the board is full ──"
    ascii_only = texts(rows([turn], NAMES, "", 50, 9, unicode=False))
    assert "".join(ascii_only).isascii()


def test_the_turn_that_won_stands_out() -> None:
    def styles(lit: bool) -> str:
        return " ".join(
            str(span.style) for span in rows(turns(2), NAMES, "", 40, 9, lit=lit)[-1].spans
        )

    assert "reverse" in styles(lit=True)
    assert "reverse" not in styles(lit=False)


def test_a_name_is_cut_only_as_a_last_resort() -> None:
    assert fitted("Ada", 5) == "Ada  "
    assert fitted("Adaline", 5) == "Adal…"
