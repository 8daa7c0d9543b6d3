"""Safecracker Duel: the book's game and every ruling."""

from __future__ import annotations

import pytest

from strongroom.contract import (
    Ambiguous,
    AnyState,
    NotLegal,
    NotUnderstood,
    Question,
    Refusal,
    Seat,
)
from strongroom.games.safecracker_duel.rules import Change, SafecrackerDuelRule, Shown
from strongroom.testing.perft import after

NAME = "safecracker-duel"
MATCHED, HANDED = Shown.MATCHED, Shown.HANDED


def duel(one: str, two: str, *turns: str, **options: bool) -> AnyState:
    return after(NAME, one, two, *turns, **options)


def ended(state: AnyState) -> tuple[Seat | None, object]:
    assert state.outcome is not None
    return state.outcome.winner, state.outcome.reason


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


def test_the_books_command_line_example_in_words() -> None:
    state = duel("3-4-2", "5-1-3", "1 3", "3 3")
    game = state.game
    for seat, lines, updated in [
        (Seat.ONE, ["2", "4"], "Updated Safe Combination: 3-4-3"),
        (Seat.TWO, ["1", "5"], "Updated Safe Combination: 5-4-3"),
        (Seat.ONE, ["3", "2"], "Updated Safe Combination: 5-4-2"),
    ]:
        view = state.view(seat)
        question = game.words.question(view)
        assert question.heading == f"Player {seat.value}'s Turn:"
        assert question.prompt == "Enter position to change (1-3): "
        following = game.words.answer(lines[0], view, question)
        assert isinstance(following, Question)
        assert (following.heading, following.prompt) == ("", "Enter new digit (1-5): ")
        change = game.words.answer(lines[1], view, following)
        assert isinstance(change, Change)
        state = state.play(change)
        assert game.words.say(state.view(seat)) == updated


# --- set-up ---------------------------------------------------------------------------------------


def test_player_1_chooses_a_code_first_then_player_2() -> None:
    state = after(NAME)
    assert (state.actor, len(state.moves)) == (Seat.ONE, 125)
    state = play(state, "3-4-2")
    assert (state.actor, len(state.moves)) == (Seat.TWO, 125)
    state = play(state, "5-1-3")
    assert (state.actor, state.log[:]) == (Seat.ONE, ())


def test_the_codes_are_hidden_until_the_end_and_then_public() -> None:
    state = duel("3-1-2", "5-1-3", "1 3", "2 2", "2 1", "1 5")
    assert state.outcome is None
    for seat, seen in [(Seat.ONE, ["3-1-2"]), (Seat.TWO, ["5-1-3"]), (None, [])]:
        assert [str(code) for code in state.view(seat).secret] == seen
        assert state.view(seat).secrets is None
    over = play(state, "3 3")
    assert over.outcome is not None
    assert over.view(None).secrets == over.secrets


def test_nobody_wins_before_a_move() -> None:
    state = duel("1-1-1", "1-1-1")
    assert (state.outcome, state.actor) == (None, Seat.ONE)


# --- a turn ---------------------------------------------------------------------------------------


def refused(state: AnyState, turn: str) -> NotLegal:
    with pytest.raises(NotLegal) as refusal:
        play(state, turn)
    assert state.game.move(turn) not in state.moves
    return refusal.value


def test_a_turn_must_leave_the_safe_different() -> None:
    state = duel("3-4-2", "5-1-3", "1 3")
    refusal = refused(state, "1 3")
    assert "Position 1 already shows 3" in refusal.reason
    assert "No passing" in refusal.accepted
    assert refusal.rule is SafecrackerDuelRule.NO_PASSING
    assert len(state.moves) == 3 * 4


def test_a_digit_may_jump_any_distance() -> None:
    boards = [str(duel("3-4-2", "5-1-3", f"2 {digit}").board) for digit in (2, 3, 4, 5)]
    assert boards == ["1-2-1", "1-3-1", "1-4-1", "1-5-1"]


def test_allow_same_digit_lets_a_digit_be_replaced_by_itself() -> None:
    state = duel("3-4-2", "5-1-3", allow_same_digit=True)
    assert len(state.moves) == 3 * 5
    passed = play(state, "2 1")
    assert (str(passed.board), passed.actor) == ("1-1-1", Seat.TWO)


# --- winning --------------------------------------------------------------------------------------


WINS = {
    "one's own code": ("3-4-2 5-1-3", "1 3, 3 3, 3 2, 1 5, 1 3, 2 2, 2 4", Seat.ONE, MATCHED),
    "by player 2": ("3-4-2 5-1-3", "1 3, 3 3, 2 4, 1 5, 3 2, 2 1, 3 1, 3 3", Seat.TWO, MATCHED),
    "whoever moved": ("3-4-2 3-4-5", "1 3, 3 3, 2 4, 3 2", Seat.ONE, HANDED),
    "equal codes, the mover": ("3-4-2 3-4-2", "1 3, 2 4, 3 2", Seat.ONE, MATCHED),
    "equal codes, the other": ("3-4-2 3-4-2", "1 3, 2 2, 2 4, 3 2", Seat.TWO, MATCHED),
    "on the second turn": ("1-1-4 5-5-5", "3 3, 3 2, 3 4", Seat.ONE, MATCHED),
    "handed over on the first turn": ("5-5-5 1-1-4", "3 4", Seat.TWO, HANDED),
    "handed over by the second": ("2-1-4 5-5-5", "1 2, 3 4", Seat.ONE, HANDED),
    "back at 1-1-1": ("1-1-1 5-5-5", "1 2, 1 3, 1 1", Seat.ONE, MATCHED),
}


@pytest.mark.parametrize(("codes", "turns", "winner", "reason"), WINS.values(), ids=WINS)
def test_a_player_whose_code_the_safe_shows_after_any_turn_wins(
    codes: str, turns: str, winner: Seat, reason: Shown
) -> None:
    *before, last = turns.split(", ")
    state = duel(*codes.split(), *before)
    assert state.outcome is None
    over = play(state, last)
    assert ended(over) == (winner, reason)
    assert (over.actor, over.moves) == (None, ())


# --- the first-turn limitation --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "turn"),
    [
        pytest.param(duel("1-1-4", "5-5-5"), "3 4", id="player 1"),
        pytest.param(duel("5-5-5", "2-1-4", "1 2"), "3 4", id="player 2"),
        pytest.param(duel("1-1-4", "1-1-4"), "3 4", id="equal codes"),
        pytest.param(duel("1-1-1", "5-5-5", allow_same_digit=True), "1 1", id="passing at 1-1-1"),
    ],
)
def test_nobody_may_show_their_own_code_on_their_first_turn(state: AnyState, turn: str) -> None:
    refusal = refused(state, turn)
    assert "your own code" in refusal.reason
    assert "first turn" in refusal.accepted
    assert refusal.rule is SafecrackerDuelRule.FIRST_TURN_LIMITATION
    assert len(state.moves) == (11 if turn == "3 4" else 12)


def test_a_first_turn_is_private_because_a_refusal_would_reveal_the_code() -> None:
    state = duel("1-1-4", "2-1-4")
    private = [state.private]
    for turn in ("1 2", "2 3", "2 1"):
        state = play(state, turn)
        private.append(state.private)
    assert private == [True, True, False, False]


def test_the_opponent_cannot_tell_a_limited_first_turn_from_a_free_one() -> None:
    limited, free = duel("1-1-4", "5-5-5"), duel("3-3-3", "5-5-5")
    assert limited.view(Seat.TWO) == free.view(Seat.TWO)
    assert limited.view(None) == free.view(None)


# --- typing a turn --------------------------------------------------------------------------------


def test_position_and_digit_are_accepted_on_one_line_in_many_forms() -> None:
    state = duel("3-4-2", "5-1-3")
    for text in ("2 4", "24", "2-4", "2,4", " 2  4 ", "2 - 4", "2, 4"):
        assert str(state.game.words.parse(text, state.view(Seat.ONE))) == "2 4"


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("2", Ambiguous, "Position 2: which new digit?"),
        ("4 1", NotUnderstood, "Positions run from 1 to 3; you typed 4."),
        ("4", NotUnderstood, "Positions run from 1 to 3; you typed 4."),
        ("0", NotUnderstood, "Positions run from 1 to 3; you typed 0."),
        ("2 7", NotUnderstood, "Digits run from 1 to 5; you typed 7."),
        ("2 0", NotUnderstood, "Digits run from 1 to 5; you typed 0."),
        ("2 4 1", NotUnderstood, "A turn changes exactly one digit; you typed more."),
        ("left", NotUnderstood, "I do not understand 'left' as a turn."),
        ("", NotUnderstood, "I do not understand '' as a turn."),
    ],
)
def test_a_line_that_is_not_a_turn_is_refused_with_the_reason(
    text: str, kind: type[Refusal], reason: str
) -> None:
    state = duel("3-4-2", "5-1-3")
    with pytest.raises(kind) as refusal:
        state.game.words.parse(text, state.view(Seat.ONE))
    assert refusal.value.reason == reason
    assert refusal.value.accepted == state.game.words.question(state.view(Seat.ONE)).accepted


@pytest.mark.parametrize("line", ["7", "0", "2 4", "left", "-", "y" * 300])
def test_a_line_that_is_not_a_digit_is_refused_with_what_the_second_question_accepts(
    line: str,
) -> None:
    state = duel("3-4-2", "5-1-3")
    words, view = state.game.words, state.view(Seat.ONE)
    digit = words.answer("3", view, words.question(view))
    assert isinstance(digit, Question)
    with pytest.raises(NotUnderstood, match="is not a digit from 1 to 5") as refusal:
        words.answer(line, view, digit)
    assert refusal.value.accepted == digit.accepted == "Type the new digit, 1 to 5."


def test_a_code_is_not_a_turn_and_a_turn_is_not_a_code() -> None:
    with pytest.raises(NotLegal):
        play(duel("3-4-2", "5-1-3"), "3-4-2")
    with pytest.raises(NotLegal):
        play(after(NAME), "2 4")
