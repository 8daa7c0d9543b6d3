"""Safecracker Duel: the book's game and every ruling."""

from __future__ import annotations

from functools import partial

import pytest

from strongroom.contract import (
    Ambiguous,
    AnyState,
    NotLegal,
    NotUnderstood,
    Outcome,
    Question,
    Refusal,
    Seat,
)
from strongroom.games.safecracker_duel.rules import SafecrackerDuelReason, SafecrackerDuelRule
from strongroom.plugins.registry import load
from strongroom.testing.perft import after

NAME = "safecracker-duel"
MATCHED, HANDED = SafecrackerDuelReason.MATCHED, SafecrackerDuelReason.HANDED
duel = partial(after, NAME)


def play(state: AnyState, text: str) -> AnyState:
    return state.play(state.game.move(text))


def test_the_books_example_game() -> None:
    turns = ["1 3", "3 3", "2 4", "1 5", "3 2", "2 1"]
    safes = ["3-1-2", "3-1-3", "3-4-3", "5-4-3", "5-4-2", "5-1-2"]
    state = duel("3-4-2", "5-1-3", *turns, *turns, *turns[:4])
    shown = ["3-1-1", *safes[1:], *safes, *safes[:4]]
    assert [str(event.answer) for event in state.log] == shown
    assert [event.actor for event in state.log] == [Seat.ONE, Seat.TWO] * 8
    assert str(duel("3-4-2", "5-1-3").board) == "1-1-1"
    assert (str(state.board), state.outcome) == ("5-4-3", None), "the book's game goes on"


def test_player_1_chooses_a_code_first_then_player_2_and_nobody_wins_before_a_move() -> None:
    for number, texts in enumerate(((), ("3-4-2",))):
        state = after(NAME, *texts)
        assert (state.actor, len(state.moves)) == ([*Seat][number], 125)
    for codes in (("3-4-2", "5-1-3"), ("1-1-1", "1-1-1")):
        state = duel(*codes)
        assert (state.actor, state.log[:], state.outcome) == (Seat.ONE, (), None)


def refused(state: AnyState, turn: str) -> NotLegal:
    with pytest.raises(NotLegal) as refusal:
        play(state, turn)
    assert state.game.move(turn) not in state.moves
    return refusal.value


def test_a_turn_must_leave_the_safe_different_and_a_digit_may_jump_any_distance() -> None:
    state = duel("3-4-2", "5-1-3", "1 3")
    refusal = refused(state, "1 3")
    assert "Position 1 already shows 3" in refusal.reason
    assert "No passing" in refusal.accepted
    assert refusal.rule is SafecrackerDuelRule.NO_PASSING
    assert len(state.moves) == 3 * 4
    boards = [str(duel("3-4-2", "5-1-3", f"2 {digit}").board) for digit in (2, 3, 4, 5)]
    assert boards == ["1-2-1", "1-3-1", "1-4-1", "1-5-1"]
    free = duel("3-4-2", "5-1-3", allow_same_digit=True)
    assert len(free.moves) == 3 * 5
    assert (str(play(free, "2 1").board), play(free, "2 1").actor) == ("1-1-1", Seat.TWO)
    for where, move in ((state, "3-4-2"), (after(NAME), "2 4")):
        with pytest.raises(NotLegal):
            play(where, move)


def test_a_player_whose_code_the_safe_shows_after_any_turn_wins() -> None:
    for why, codes, turns, winner, reason in (
        ("own code", "3-4-2 5-1-3", "1 3, 3 3, 3 2, 1 5, 1 3, 2 2, 2 4", Seat.ONE, MATCHED),
        ("player 2", "3-4-2 5-1-3", "1 3, 3 3, 2 4, 1 5, 3 2, 2 1, 3 1, 3 3", Seat.TWO, MATCHED),
        ("whoever moved", "3-4-2 3-4-5", "1 3, 3 3, 2 4, 3 2", Seat.ONE, HANDED),
        ("equal codes, the mover", "3-4-2 3-4-2", "1 3, 2 4, 3 2", Seat.ONE, MATCHED),
        ("equal codes, the other", "3-4-2 3-4-2", "1 3, 2 2, 2 4, 3 2", Seat.TWO, MATCHED),
        ("on the second turn", "1-1-4 5-5-5", "3 3, 3 2, 3 4", Seat.ONE, MATCHED),
        ("handed over on the first turn", "5-5-5 1-1-4", "3 4", Seat.TWO, HANDED),
        ("handed over by the second", "2-1-4 5-5-5", "1 2, 3 4", Seat.ONE, HANDED),
        ("back at 1-1-1", "1-1-1 5-5-5", "1 2, 1 3, 1 1", Seat.ONE, MATCHED),
    ):
        *before, last = turns.split(", ")
        state = duel(*codes.split(), *before)
        assert state.outcome is None, why
        assert play(state, last).outcome == Outcome(winner, reason), why


def test_nobody_may_show_their_own_code_on_their_first_turn() -> None:
    for state, turn, left in (
        (duel("1-1-4", "5-5-5"), "3 4", 11),
        (duel("5-5-5", "2-1-4", "1 2"), "3 4", 11),
        (duel("1-1-4", "1-1-4"), "3 4", 11),
        (duel("1-1-1", "5-5-5", allow_same_digit=True), "1 1", 12),
    ):
        refusal = refused(state, turn)
        assert "your own code" in refusal.reason
        assert "first turn" in refusal.accepted
        assert refusal.rule is SafecrackerDuelRule.FIRST_TURN_LIMITATION
        assert len(state.moves) == left


def test_a_first_turn_is_private_because_a_refusal_would_reveal_the_code() -> None:
    turns = ("1 2", "2 3", "2 1")
    states = [duel("1-1-4", "2-1-4", *turns[:made]) for made in range(4)]
    assert [state.private for state in states] == [True, True, False, False]
    limited, free = duel("1-1-4", "5-5-5"), duel("3-3-3", "5-5-5")
    for viewer in (Seat.TWO, None):
        assert limited.view(viewer) == free.view(viewer), "nobody else can tell a limited turn"


def test_position_and_digit_are_accepted_on_one_line_in_many_forms_and_no_other() -> None:
    words, view = load(NAME).words, duel("3-4-2", "5-1-3").view(Seat.ONE)
    for text in ("2 4", "24", "2-4", "2,4", " 2  4 ", "2 - 4", "2, 4"):
        assert str(words.parse(text, view)) == "2 4"
    for text, reason in (
        ("2", "Position 2: which new digit?"),
        ("4 1", "Positions run from 1 to 3; you typed 4."),
        ("4", "Positions run from 1 to 3; you typed 4."),
        ("0", "Positions run from 1 to 3; you typed 0."),
        ("2 7", "Digits run from 1 to 5; you typed 7."),
        ("2 0", "Digits run from 1 to 5; you typed 0."),
        ("2 4 1", "A turn changes exactly one digit; you typed more."),
        ("left", "I do not understand 'left' as a turn."),
        ("", "I do not understand '' as a turn."),
    ):
        kind: type[Refusal] = Ambiguous if text == "2" else NotUnderstood
        with pytest.raises(kind) as refusal:
            words.parse(text, view)
        assert refusal.value.reason == reason
        assert refusal.value.accepted == words.question(view).accepted


def test_a_line_that_is_not_a_digit_is_refused_with_what_the_second_question_accepts() -> None:
    words, view = load(NAME).words, duel("3-4-2", "5-1-3").view(Seat.ONE)
    digit = words.answer("3", view, words.question(view))
    assert isinstance(digit, Question)
    for line in ("7", "0", "2 4", "left", "-", "y" * 300):
        with pytest.raises(NotUnderstood, match="is not a digit from 1 to 5") as refusal:
            words.answer(line, view, digit)
        assert refusal.value.accepted == digit.accepted == "Type the new digit, 1 to 5."
