"""Safe Code: the book's game and every ruling; the clue language is tested elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from strongroom.contract import AnyState, Move, NotLegal, NotUnderstood, Question, Seat
from strongroom.games.safe_code.clues import Clue, SafeCodeRule
from strongroom.games.safe_code.rules import Number, Opened
from strongroom.plugins.registry import load
from strongroom.testing.perft import after

NAME = "safe-code"

ONE = ("18", "The number is even.", "It is divisible by 3.", "It is less than 20.")
TWO = ("7", "The number is a prime.", "It is less than 10.", "The number is odd.")


def game(*turns: str) -> AnyState:
    return after(NAME, *ONE, *TWO, *turns)


def clue(sentence: str) -> Move:
    return load(NAME).move(sentence)


def play(state: AnyState, text: str) -> AnyState:
    return state.play(state.game.move(text))


def typed(state: AnyState, *lines: str) -> AnyState:
    """The state after the actor has answered the questions with these lines."""
    assert isinstance(state.actor, Seat)
    words, view = state.game.words, state.view(state.actor)
    question: Any = words.question(view)
    for line in lines:
        question = words.answer(line, view, question)
    return state.play(question)


def test_the_books_sample_game() -> None:
    state = game()
    for seat, turn, answer in [
        (Seat.ONE, "clue", "The number is a prime."),
        (Seat.TWO, "clue", "The number is even."),
        (Seat.ONE, "13", False),
        (Seat.TWO, "16", False),
        (Seat.ONE, "clue", "It is less than 10."),
        (Seat.TWO, "clue", "It is divisible by 3."),
        (Seat.ONE, "7", True),
    ]:
        assert state.outcome is None
        assert state.actor is seat
        state = play(state, turn)
        assert state.log[-1].answer == (clue(answer) if isinstance(answer, str) else answer)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.ONE, Opened.CRACKED)
    assert (state.actor, state.moves) == (None, ())


def test_the_books_sample_set_up_as_a_person_types_it() -> None:
    state = after(NAME)
    for lines in [
        *("18", "The number is **even**.", "It is **divisible by 3**."),
        *("The number is **less than 20**.", "7", "The number is a **prime**."),
        *("It is **less than 10**.", "The number is **odd**."),
    ]:
        state = typed(state, lines)
    assert state == game()


def test_the_books_command_line_example_in_words() -> None:
    state = game()
    menu = "Choose an action:\n1. Request a clue\n2. Make a guess"
    for seat, lines, said in [
        (Seat.ONE, ["1"], 'Player 2\'s Clue: "The number is a prime."'),
        (Seat.TWO, ["2", "16"], 'Player 1 says: "Incorrect."'),
        (
            Seat.ONE,
            ["2", "7"],
            'Player 2 says: "Correct!"\nCongratulations, Player 1! You have cracked the safe.',
        ),
    ]:
        view = state.view(seat)
        question = state.game.words.question(view)
        assert question.heading == f"[Player {seat.value}'s Turn]\n{menu}"
        assert question.prompt == "Enter 1 or 2: "
        if len(lines) > 1:
            following = state.game.words.answer(lines[0], view, question)
            assert isinstance(following, Question)
            assert (following.heading, following.prompt) == ("", "Enter your guess (1-30): ")
            assert following.given == (lines[0],)
        state = typed(state, *lines)
        assert state.game.words.say(state.view(None)) == said


# --- set-up ---------------------------------------------------------------------------------------


def test_each_player_prepares_a_code_and_three_clues_player_1_first() -> None:
    state = after(NAME)
    actors = []
    for text in (*ONE, *TWO):
        actors.append(state.actor)
        assert state.setting_up
        state = play(state, text)
    assert actors == [Seat.ONE] * 4 + [Seat.TWO] * 4
    assert (state.actor, state.setting_up, state.log[:]) == (Seat.ONE, False, ())


def test_the_questions_of_the_set_up_count_the_clues() -> None:
    state = after(NAME)
    asked = []
    for text in ONE:
        asked.append(state.game.words.question(state.view(Seat.ONE)).prompt)
        state = play(state, text)
    assert asked == [
        "Player 1, choose your safe code (1-30): ",
        "Player 1, write clue 1 of 3: ",
        "Player 1, write clue 2 of 3: ",
        "Player 1, write clue 3 of 3: ",
    ]


def test_the_opponent_is_told_only_that_steps_were_made() -> None:
    views = [after(NAME, *ONE[:written]).view(Seat.TWO) for written in range(4)]
    assert [view.number for view in views] == [0, 1, 2, 3]
    assert len({repr(view._replace(number=0)) for view in views}) == 1


def test_a_false_clue_is_refused_with_the_truth() -> None:
    state = after(NAME, "18")
    with pytest.raises(NotLegal, match="18 is not a prime"):
        play(state, "The number is a prime.")
    assert state.game.move("The number is a prime.") not in state.moves


def test_a_sentence_that_is_not_understood_is_refused_with_examples() -> None:
    state = after(NAME, "18")
    with pytest.raises(NotUnderstood) as refusal:
        state.game.words.parse("It's my favorite number.", state.view(Seat.ONE))
    assert "The number is even." in refusal.value.accepted


@pytest.mark.parametrize("text", ["It is at least 1.", "It is less than 31", "multiple of 1"])
def test_a_clue_that_rules_out_no_number_is_refused(text: str) -> None:
    state = after(NAME, "18")
    with pytest.raises(NotLegal, match="rules out no number from 1 to 30"):
        state.game.words.parse(text, state.view(Seat.ONE))


@pytest.mark.parametrize(
    "same",
    ["The number is even.", "It is divisible by 2.", "It leaves remainder 0 when divided by 2."],
)
def test_the_three_clues_must_differ_in_meaning(same: str) -> None:
    state = after(NAME, "18", "The number is even.")
    with pytest.raises(NotLegal, match="says the same"):
        play(state, same)


def test_the_two_players_may_write_the_same_clues() -> None:
    state = after(NAME, *ONE, *ONE)
    assert not state.setting_up


def test_a_clue_before_the_code_and_a_code_after_it_are_refused() -> None:
    with pytest.raises(NotLegal, match="First choose your code"):
        play(after(NAME), "The number is even.")
    with pytest.raises(NotLegal, match="now write a clue"):
        play(after(NAME, "18"), "18")


def test_a_clue_that_the_language_cannot_say_is_refused_even_when_it_is_built_by_hand() -> None:
    with pytest.raises(NotLegal):
        after(NAME, "18").play(Clue("greater", (0,)))


@pytest.mark.parametrize("code", range(1, 31))
def test_every_code_has_three_clues_to_write(code: int) -> None:
    state = after(NAME, str(code))
    for _ in range(3):
        state = state.play(state.moves[0])
    assert state.actor is Seat.TWO


# --- turns ----------------------------------------------------------------------------------------


def test_clues_come_in_the_order_written() -> None:
    state = game(*["clue"] * 6)
    given = [event.answer for event in state.log]
    assert given[0::2] == [clue(sentence) for sentence in TWO[1:]]
    assert given[1::2] == [clue(sentence) for sentence in ONE[1:]]


def test_everybody_sees_who_asked_and_the_clue_given_and_no_other_clue() -> None:
    state = game("clue")
    for seat in (Seat.ONE, Seat.TWO, None):
        (event,) = state.view(seat).history
        assert (event.actor, event.answer) == (Seat.ONE, clue(TWO[1]))
    for seat in (Seat.ONE, None):
        assert TWO[2] not in str(state.view(seat).to_json())


def test_the_fourth_clue_request_is_refused() -> None:
    state = game(*["clue"] * 6)
    with pytest.raises(NotLegal) as refusal:
        play(state, "clue")
    assert refusal.value.reason == "All three clues have been given."
    assert refusal.value.accepted == "Make a guess."
    assert [str(move) for move in state.moves] == [str(number) for number in range(1, 31)]


def test_one_players_requests_do_not_use_up_the_others() -> None:
    state = game("clue", "1", "clue", "1", "clue")
    assert str(state.moves[-1]) == "clue"
    assert play(state, "clue").log[-1].answer == clue(ONE[1])


def test_a_request_and_a_wrong_guess_each_end_the_turn() -> None:
    assert game("clue").actor is Seat.TWO
    assert game("8").actor is Seat.TWO


def test_a_guess_may_be_repeated() -> None:
    assert game("8", "8", "8", "8").log[-1].answer is False


def test_the_second_player_wins_too_and_nothing_follows() -> None:
    over = game("8", "18")
    assert over.outcome is not None
    assert over.outcome.winner is Seat.TWO
    with pytest.raises(NotLegal, match="over"):
        play(over, "7")


@pytest.mark.parametrize("text", ["0", "31", "100"])
def test_a_guess_outside_1_to_30_is_refused(text: str) -> None:
    state = game()
    with pytest.raises(NotUnderstood, match=f"Codes run from 1 to 30; you typed {text}"):
        state.game.words.parse(text, state.view(Seat.ONE))
    with pytest.raises(NotUnderstood):
        Number(int(text))


def test_a_clue_is_not_a_turn() -> None:
    with pytest.raises(NotLegal, match="not a turn"):
        play(game(), "The number is even.")


@pytest.mark.parametrize("lines", [["1"], ["clue"], ["CLUE"], [" ask for a clue "], ["c"], ["1."]])
def test_a_clue_is_requested_by_the_menu_or_by_its_word(lines: list[str]) -> None:
    assert str(typed(game(), *lines).log[-1].move) == "clue"


@pytest.mark.parametrize(
    "lines", [["2", "16"], ["guess 16"], ["16"], ["guess", " 16 "], ["2)", "16"], ["2", "guess 16"]]
)
def test_a_guess_is_made_by_the_menu_or_at_once(lines: list[str]) -> None:
    assert str(typed(game(), *lines).log[-1].move) == "16"


@pytest.mark.parametrize("line", ["", "three", "perhaps 16", "1.5", "١٦"])
def test_anything_else_at_the_menu_is_refused_with_what_is_accepted_there(line: str) -> None:
    state = game()
    with pytest.raises(NotUnderstood) as refusal:
        typed(state, line)
    assert refusal.value.accepted == state.game.words.question(state.view(Seat.ONE)).accepted


@pytest.mark.parametrize(
    ("text", "at_the_menu", "by_itself"),
    [
        ("1", "clue", "1"),
        ("guess 1", "1", "1"),
        ("guess 2", "2", "2"),
        ("16", "16", "16"),
        ("clue", "clue", "clue"),
        ("ask for a clue", "clue", "clue"),
    ],
)
def test_a_menu_gives_its_own_numbers_a_meaning_and_changes_no_other(
    text: str, at_the_menu: str, by_itself: str
) -> None:
    state = game()
    words, view = state.game.words, state.view(Seat.ONE)
    assert str(words.answer(text, view, words.question(view))) == at_the_menu
    assert str(words.parse(text, view)) == by_itself


def test_every_turn_can_be_named_at_the_menu() -> None:
    state = game()
    words, view = state.game.words, state.view(Seat.ONE)
    for move in state.moves:
        text = str(move) if str(move) == "clue" else f"guess {move}"
        assert words.answer(text, view, words.question(view)) == words.parse(text, view) == move


@pytest.mark.parametrize(
    ("state", "text", "rule"),
    [
        (after(NAME, "18"), "The number is odd.", SafeCodeRule.TRUE_CLUES),
        (
            after(NAME, "18", "The number is even."),
            "It is divisible by 2.",
            SafeCodeRule.DIFFERENT_CLUES,
        ),
        (game(*["clue"] * 6), "clue", SafeCodeRule.NO_FOURTH_CLUE),
    ],
)
def test_a_refusal_names_the_rule_that_forbids_the_move(
    state: AnyState, text: str, rule: SafeCodeRule
) -> None:
    with pytest.raises(NotLegal) as refusal:
        play(state, text)
    assert refusal.value.rule is rule


# --- random picks ---


@pytest.mark.parametrize("code", range(1, 31))
def test_the_clues_picked_for_a_code_are_plain_and_give_little_away(code: int) -> None:
    state = after(NAME, str(code))
    for _ in range(3):
        picks = state.game.words.picks(state.view(Seat.ONE))
        assert set(picks) <= set(state.moves)
        assert len({pick.kind for pick in picks if isinstance(pick, Clue)}) >= 3
        for pick in picks:
            assert isinstance(pick, Clue)
            assert len(pick.meaning) >= 26
            assert " not " not in str(pick) or pick.kind == "different"
        state = state.play(picks[0])


def test_any_code_may_be_picked() -> None:
    state = after(NAME)
    assert state.game.words.picks(state.view(Seat.ONE)) == state.moves
