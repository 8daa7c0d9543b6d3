"""Safe Code: the book's game and every ruling; the clue language is tested elsewhere."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from strongroom.contract import Ambiguous, AnyState, NotLegal, NotUnderstood, Outcome, Seat
from strongroom.games.safe_code.clues import Clue, SafeCodeRule
from strongroom.games.safe_code.rules import Number, SafeCodeReason
from strongroom.plugins.registry import load
from strongroom.testing.perft import after

NAME = "safe-code"

ONE = ("18", "The number is even.", "It is divisible by 3.", "It is less than 20.")
TWO = ("7", "The number is a prime.", "It is less than 10.", "The number is odd.")
game, clue = partial(after, NAME, *ONE, *TWO), load(NAME).move


def answered(state: AnyState, *lines: str) -> Any:
    """What the actor's lines are taken for: a move, or the next question."""
    assert isinstance(state.actor, Seat)
    words, view = state.game.words, state.view(state.actor)
    answer: Any = words.question(view)
    for line in lines:
        answer = words.answer(line, view, answer)
    return answer


def test_the_books_sample_game() -> None:
    turns = ["clue", "clue", "13", "16", "clue", "clue", "7"]
    state = game(*turns)
    assert [event.actor for event in state.log] == [*[Seat.ONE, Seat.TWO] * 3, Seat.ONE]
    prime, even, less, divisible = map(clue, (TWO[1], ONE[1], TWO[2], ONE[2]))
    answers = [prime, even, False, False, less, divisible, True]
    assert [event.answer for event in state.log] == answers
    assert game(*turns[:-1]).outcome is None
    assert state.outcome == Outcome(Seat.ONE, SafeCodeReason.CRACKED)


def test_the_books_sample_set_up_as_a_person_types_it() -> None:
    state = after(NAME)
    for line in [
        *("18", "The number is **even**.", "It is **divisible by 3**."),
        *("The number is **less than 20**.", "7", "The number is a **prime**."),
        *("It is **less than 10**.", "The number is **odd**."),
    ]:
        state = state.play(answered(state, line))
    assert state == game()


def test_a_sample_has_each_clue_that_was_given() -> None:
    view = game(*["clue"] * 5).view(Seat.ONE)
    for number in (1, 2, 3):
        state = after(NAME, *ONE, *TWO[:number])
        assert state.game.sample_secret(state, view, Random(1)) == clue(TWO[number])


def test_each_player_prepares_a_code_and_three_clues_player_1_first() -> None:
    for number, seat in enumerate([*[Seat.ONE] * 4, *[Seat.TWO] * 4]):
        state = after(NAME, *(*ONE, *TWO)[:number])
        assert (state.actor, state.setting_up) == (seat, True)
        ask = ["choose your safe code (1-30)", *(f"write clue {n} of 3" for n in (1, 2, 3))]
        assert answered(state).prompt == f"Player {seat.value}, {ask[number % 4]}: "
    assert (game().actor, game().setting_up, game().log[:]) == (Seat.ONE, False, ())


def test_a_clue_must_be_true_and_differ_in_meaning_and_follow_the_code() -> None:
    true, different = SafeCodeRule.TRUE_CLUES, SafeCodeRule.DIFFERENT_CLUES
    for written, text, reason, rule in (
        (1, "The number is a prime.", "18 is not a prime.", true),
        (1, "The number is odd.", "18 is even.", true),
        (2, "The number is even.", "says the same", different),
        (2, "It is divisible by 2.", "says the same", different),
        (2, "It leaves remainder 0 when divided by 2.", "same", different),
        (0, "The number is even.", "First choose your code", None),
        (1, "18", "now write a clue", None),
        (8, "The number is even.", "not a turn", None),
    ):
        state = after(NAME, *(*ONE, *TWO)[:written])
        assert clue(text) not in state.moves
        with pytest.raises(NotLegal, match=reason) as refusal:
            state.play(clue(text))
        assert refusal.value.rule is rule
    assert not after(NAME, *ONE, *ONE).setting_up, "both may write the same clues"


def test_a_clue_that_rules_out_no_number_or_is_not_understood_is_refused() -> None:
    for text in ("It is at least 1.", "It is less than 31", "multiple of 1"):
        with pytest.raises(NotLegal, match="rules out no number from 1 to 30"):
            answered(after(NAME, "18"), text)
    with pytest.raises(NotLegal):
        after(NAME, "18").play(Clue("greater", (0,)))
    with pytest.raises(NotUnderstood, match="The number is even"):
        answered(after(NAME, "18"), "It's my favorite number.")


def test_any_code_may_be_picked_and_for_each_clues_that_are_plain_and_give_little_away() -> None:
    start = after(NAME)
    assert start.game.words.picks(start.view(Seat.ONE)) == start.moves
    for code in start.moves:
        state = start.play(code)
        for _ in range(3):
            picks = state.game.words.picks(state.view(Seat.ONE))
            clues = [pick for pick in picks if isinstance(pick, Clue)]
            assert set(picks) == set(clues) <= set(state.moves)
            assert len({pick.kind for pick in clues}) >= 5
            for pick in clues:
                assert 26 <= len(pick.meaning) < 30
            state = state.play(picks[0])
        assert state.actor is Seat.TWO


def test_everybody_sees_who_asked_and_the_clue_given_and_nothing_of_the_set_up() -> None:
    views = [after(NAME, *ONE[:written]).view(Seat.TWO) for written in range(4)]
    assert [view.number for view in views] == [0, 1, 2, 3]
    assert len({repr(view._replace(number=0)) for view in views}) == 1
    state = game("clue")
    for seat in (Seat.ONE, Seat.TWO, None):
        (event,) = state.view(seat).history
        assert (event.actor, event.answer) == (Seat.ONE, clue(TWO[1]))
    for seat in (Seat.ONE, None):
        assert TWO[2] not in str(state.view(seat).to_json())


def test_clues_come_in_the_order_written_and_the_fourth_request_is_refused() -> None:
    asked = game(*["clue"] * 6)
    given = [event.answer for event in asked.log]
    assert given[0::2] == [clue(sentence) for sentence in TWO[1:]]
    assert given[1::2] == [clue(sentence) for sentence in ONE[1:]]
    assert [str(move) for move in asked.moves] == [str(number) for number in range(1, 31)]
    with pytest.raises(NotLegal) as refusal:
        game(*["clue"] * 7)
    assert str(refusal.value) == "All three clues have been given. Make a guess."
    assert refusal.value.rule is SafeCodeRule.NO_FOURTH_CLUE
    state = game("clue", "1", "clue", "1", "clue")
    assert str(state.moves[-1]) == "clue", "one player's requests do not use up the other's"
    assert state.play(state.moves[-1]).log[-1].answer == clue(ONE[1])


def test_a_request_and_a_wrong_guess_each_end_the_turn_and_a_guess_may_be_repeated() -> None:
    assert game("clue").actor is game("8").actor is Seat.TWO
    assert game("8", "8", "8", "8").log[-1].answer is False
    second = Outcome(Seat.TWO, SafeCodeReason.CRACKED)
    assert game("8", "18").outcome == second, "the second player wins too"


def test_a_clue_and_a_guess_are_chosen_from_the_menu_or_at_once() -> None:
    lines: dict[tuple[str, ...], str] = {
        **{(line,): "clue" for line in ("1", "clue", "CLUE", " ask for a clue ", "c", "1.")},
        **{("2", line): "16" for line in ("16", "guess 16")},
        **{(line,): "16" for line in ("guess 16", "16")},
        ("guess", " 16 "): "16",
        ("2)", "16"): "16",
        ("guess 1",): "1",
        ("guess 2",): "2",
    }
    assert {typed: str(answered(game(), *typed)) for typed in lines} == lines
    for line in ("", "three", "perhaps 16", "1.5", "١٦"):
        with pytest.raises(NotUnderstood) as refusal:
            answered(game(), line)
        assert refusal.value.accepted == answered(game()).accepted
    for text in ("3", "9", "02"):
        with pytest.raises(Ambiguous, match=f"{text}. is neither 1 nor 2"):
            answered(game(), text)
    for text in ("0", "31", "100"):
        with pytest.raises(NotUnderstood, match=f"Codes run from 1 to 30; you typed {text}"):
            answered(game(), text)
        with pytest.raises(NotUnderstood):
            Number(int(text))
    words, view = game().game.words, game().view(Seat.ONE)
    assert [str(words.parse(text, view)) for text in ("1", "16", "clue")] == ["1", "16", "clue"]
