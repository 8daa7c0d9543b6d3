"""Quantum Duel: the book's game and every ruling."""

from __future__ import annotations

import pytest

from strongroom.contract import CHANCE, AnyState, NotLegal, NotUnderstood, Seat
from strongroom.games.quantum_duel.rules import (
    CLEARED,
    Chained,
    Coin,
    Observe,
    QuantumDuelRule,
    Reply,
)
from strongroom.testing.perft import after

NAME = "quantum-duel"

INITIAL = "[ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ]\n  1     2     3     4     5     6     7"


def duel(moves: str = "") -> AnyState:
    return after(NAME, *moves.split())


def play(state: AnyState, moves: str) -> AnyState:
    for text in moves.split():
        state = state.play(state.game.move(text))
    return state


def cells(state: AnyState) -> str:
    """The board with one letter for each cell."""
    return "".join({None: "_", Seat.ONE: "X", Seat.TWO: "O"}[seat] for seat in state.board)


def texts(state: AnyState) -> list[str]:
    return [str(move) for move in state.moves]


def test_the_books_example_game() -> None:
    state = duel()
    for seat, moves, board in [
        (Seat.ONE, "3", "__X____"),
        (Seat.TWO, "5", "__X_O__"),
        (Seat.ONE, "4 yes heads", "__XXO__"),
        (Seat.TWO, "6 yes tails", "__XXO__"),
        (Seat.ONE, "2 yes heads", "_XXXO__"),
        (Seat.TWO, "6 yes heads", "_XXXOO_"),
        (Seat.ONE, "1 yes heads", "XXXXOO_"),
    ]:
        assert state.outcome is None
        assert state.actor is seat
        state = play(state, moves)
        assert cells(state) == board
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.ONE, Chained.CHAINED)
    assert (state.actor, state.moves, state.turns) == (None, (), 7)


def test_the_books_command_line_example_in_words() -> None:
    state = duel()
    game = state.game
    assert game.words.say(state.view(None)) == "Welcome to Quantum Duel!"
    assert game.words.board_shown(state.view(None)) == f"Initial Board:\n{INITIAL}"
    prompt = "Enter the cell number you want to observe: "
    question = game.words.question(state.view(Seat.ONE))
    assert (question.heading, question.prompt) == ("Player 1 (X), it's your turn.", prompt)
    state = play(state, "3")
    board = INITIAL.replace("[ _ ] [ _ ] [ _ ]", "[ _ ] [ _ ] [ X ]", 1)
    assert game.words.say(state.view(None)) == "\nYou have observed cell 3."
    assert game.words.board_shown(state.view(None)) == f"Current Board:\n{board}"
    question = game.words.question(state.view(Seat.TWO))
    assert (question.heading, question.prompt) == ("Player 2 (O), it's your turn.", prompt)
    state = play(state, "5 4")
    assert game.words.say(state.view(None)) == "\nCell 4 is adjacent to your symbol at cell 3."
    question = game.words.question(state.view(Seat.TWO))
    assert question.heading == ""
    assert question.prompt == "Player 2, do you want to challenge? (yes/no): "
    state = play(state, "yes")
    assert game.words.say(state.view(None)) == "\nChallenge initiated!\nFlipping a coin..."
    state = play(state, "heads")
    board = "[ _ ] [ _ ] [ X ] [ X ] [ O ] [ _ ] [ _ ]\n  1     2     3     4     5     6     7"
    said = game.words.say(state.view(None))
    assert said == "Result: Heads\n\nObservation successful! Cell 4 is now yours."
    assert game.words.board_shown(state.view(None)) == f"Current Board:\n{board}"


# --- when a placement can be challenged -----------------------------------------------------------


def test_a_placement_next_to_ones_own_symbol_may_be_challenged() -> None:
    for cell in ("2", "4"):
        state = duel(f"3 7 {cell}")
        assert state.actor is Seat.TWO
        assert texts(state) == ["yes", "no"]


def test_a_placement_next_to_only_the_opponents_symbol_cannot_be_challenged() -> None:
    state = duel("3 4")
    assert (state.actor, cells(state)) == (Seat.ONE, "__XO___")


def test_a_placement_two_cells_away_cannot_be_challenged() -> None:
    assert duel("3 7 5").actor is Seat.TWO
    assert texts(duel("3 7 5")) == ["1", "2", "4", "6"]


def test_a_placement_between_two_of_ones_own_symbols_names_both() -> None:
    state = duel("3 7 5 1 4")
    said = state.game.words.say(state.view(None))
    assert said == "\nCell 4 is adjacent to your symbols at cells 3 and 5."


def test_the_ends_of_the_board_are_not_next_to_each_other() -> None:
    state = duel("1 4 7")
    assert (state.actor, cells(state)) == (Seat.TWO, "X__O__X")


def test_a_placement_that_failed_leaves_nothing_to_be_next_to() -> None:
    state = duel("1 7 2 yes tails 5 3")
    assert (state.actor, cells(state)) == (Seat.TWO, "X_X_O_O")


def test_only_the_opponent_decides_whether_to_challenge() -> None:
    state = duel("3 7 4")
    assert [str(move) for move in state.view(Seat.TWO).moves] == ["yes", "no"]
    assert state.view(Seat.ONE).moves == ()
    with pytest.raises(NotLegal, match="not a reply"):
        play(state, "5")


def test_a_placement_that_is_not_challenged_stands() -> None:
    state = duel("3 7 4 no")
    assert (cells(state), state.actor) == ("__XX__O", Seat.TWO)
    assert "You have observed cell 4." in state.game.words.say(state.view(None))


# --- the coin -------------------------------------------------------------------------------------


def test_the_coin_is_a_fair_chance_move() -> None:
    state = duel("3 7 4 yes")
    assert state.actor is CHANCE
    assert dict(zip(texts(state), state.odds, strict=True)) == {"heads": 0.5, "tails": 0.5}
    assert all(state.view(seat).moves == () for seat in (Seat.ONE, Seat.TWO, None))
    with pytest.raises(NotLegal, match="not a side of a coin"):
        play(state, "5")


def test_only_a_coin_has_odds() -> None:
    for moves in ("", "3 7 4"):
        with pytest.raises(NotLegal):
            _ = duel(moves).odds


@pytest.mark.parametrize(("coin", "board"), [("heads", "__XX__O"), ("tails", "__X___O")])
def test_on_heads_the_symbol_stays_and_on_tails_it_goes_and_either_ends_the_turn(
    coin: str, board: str
) -> None:
    state = duel(f"3 7 4 yes {coin}")
    assert (cells(state), state.actor, state.turns) == (board, Seat.TWO, 3)


def test_tails_is_told_in_words() -> None:
    state = duel("3 7 4 yes tails")
    said = state.game.words.say(state.view(None))
    assert said.startswith("Result: Tails\n\nObservation failed! Cell 4 is unobserved again.")


def test_a_cell_that_is_unobserved_again_can_be_taken_by_either() -> None:
    state = duel("3 7 4 yes tails")
    assert "4" in texts(state)
    assert cells(play(state, "4")) == "__XO__O"


# --- winning --------------------------------------------------------------------------------------

THREE = "3 7 2 no 6 no 4 no"  # _XXX_OO, Player 2 to move


def test_the_placement_that_completes_four_can_be_challenged() -> None:
    state = play(duel(THREE), "1 5")
    assert state.outcome is None
    assert texts(state) == ["yes", "no"]


def test_a_chain_counts_only_once_the_placement_stands() -> None:
    state = play(duel(THREE), "1 5 yes")
    assert state.outcome is None
    failed, stands = play(state, "tails"), play(state, "heads")
    assert (failed.outcome, cells(failed), failed.actor) == (None, "OXXX_OO", Seat.TWO)
    assert stands.outcome is not None
    assert stands.outcome.winner is Seat.ONE


def test_a_chain_that_is_not_challenged_wins_for_the_observer_and_not_for_the_replier() -> None:
    over = play(duel(THREE), "1 5 no")
    assert over.outcome is not None
    assert over.outcome.winner is Seat.ONE


def test_player_2_wins_with_four_os() -> None:
    over = duel("1 4 7 5 no 2 yes tails 6 no 2 yes tails 3 no")
    assert (cells(over), over.outcome and over.outcome.winner) == ("X_OOOOX", Seat.TWO)


def test_four_symbols_with_a_gap_are_not_a_chain() -> None:
    state = duel("1 7 2 no 6 yes tails 4 6 yes tails 5 no")
    assert (cells(state), state.outcome) == ("XX_XX_O", None)


def test_a_chain_of_more_than_four_wins_as_well() -> None:
    over = duel("1 7 2 no 6 yes tails 4 6 yes tails 5 no 6 yes tails 3 no")
    assert (cells(over), over.outcome and over.outcome.winner) == ("XXXXX_O", Seat.ONE)


# --- the full board -------------------------------------------------------------------------------


def test_a_full_board_without_a_chain_is_cleared_and_the_next_player_goes_on() -> None:
    state = duel("1 2 3 4 5 6")
    assert cells(state) == "XOXOXO_"
    cleared = play(state, "7")
    assert (cells(cleared), cleared.actor, cleared.outcome) == ("_______", Seat.TWO, None)
    assert cleared.log[-1].answer is CLEARED
    assert texts(cleared) == list("1234567")
    assert "all cells are cleared" in cleared.game.words.say(cleared.view(None))


def test_the_last_cell_can_be_challenged_before_the_board_counts_as_full() -> None:
    state = duel("1 2 3 4 6 5 no 7")
    assert (cells(state), state.actor) == ("XOXOOXX", Seat.TWO)
    assert cells(play(state, "yes tails")) == "XOXOOX_"
    assert cells(play(state, "yes heads")) == "_______"


def test_after_a_clearing_nothing_of_the_old_board_counts() -> None:
    state = duel("1 2 3 4 5 6 7 2 1")
    assert (cells(state), state.actor) == ("XO_____", Seat.TWO)


def test_a_full_board_with_a_chain_is_a_win_and_is_not_cleared() -> None:
    over = duel("3 1 2 no 7 4 no 6 no 5 no")
    assert (cells(over), over.outcome and over.outcome.winner) == ("OXXXXOO", Seat.ONE)


# --- refusals -------------------------------------------------------------------------------------


def test_an_observed_cell_is_refused_with_what_is_free() -> None:
    with pytest.raises(NotLegal) as refusal:
        play(duel("3"), "3")
    assert refusal.value.reason == "Cell 3 is already observed."
    assert refusal.value.accepted == "Unobserved: 1, 2, 4, 5, 6, 7."


def test_a_reply_where_none_is_due_is_refused() -> None:
    for text in ("yes", "heads"):
        with pytest.raises(NotLegal, match="not a cell"):
            play(duel("3"), text)


@pytest.mark.parametrize("cell", [0, 8, -1])
def test_a_cell_outside_the_board_cannot_even_be_named(cell: int) -> None:
    with pytest.raises(NotUnderstood, match=f"A cell must be from 1 to 7, not '{cell}'"):
        Observe(cell)


@pytest.mark.parametrize("text", ["4", " 4 ", "cell 4", "Cell 4", "04"])
def test_a_cell_is_typed_as_its_number(text: str) -> None:
    state = duel("3")
    assert state.game.words.parse(text, state.view(Seat.TWO)) == Observe(4)


@pytest.mark.parametrize("text", ["", "four", "4.5", "4 5", "yes", "-1", "٤"])
def test_a_line_that_names_no_cell_is_refused_with_the_free_cells(text: str) -> None:
    state = duel("3")
    with pytest.raises(NotUnderstood) as refusal:
        state.game.words.parse(text, state.view(Seat.TWO))
    assert refusal.value.accepted.endswith("1, 2, 4, 5, 6, 7.")


@pytest.mark.parametrize(
    ("text", "challenge"),
    [("yes", True), ("y", True), ("Y", True), (" YES ", True), ("no", False), ("N", False)],
)
def test_a_challenge_is_answered_by_yes_or_no_in_any_case(text: str, challenge: bool) -> None:
    state = duel("3 7 4")
    assert state.game.words.parse(text, state.view(Seat.TWO)) == Reply(challenge)


@pytest.mark.parametrize("text", ["", "4", "maybe", "yes no"])
def test_a_challenge_answered_by_anything_else_is_refused(text: str) -> None:
    state = duel("3 7 4")
    with pytest.raises(NotUnderstood, match="neither yes nor no"):
        state.game.words.parse(text, state.view(Seat.TWO))


def test_a_game_that_is_over_accepts_no_move() -> None:
    with pytest.raises(NotLegal, match="over"):
        play(duel(THREE), "1 5 no 1")


def test_a_coin_is_written_heads_or_tails() -> None:
    assert [str(Coin(heads)) for heads in (True, False)] == ["heads", "tails"]


def test_a_refusal_names_the_rule_that_forbids_the_move() -> None:
    with pytest.raises(NotLegal) as refusal:
        play(duel(), "3 3")
    assert refusal.value.rule is QuantumDuelRule.UNOBSERVED_CELL
