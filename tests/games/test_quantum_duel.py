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

INITIAL = "[ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ]\n  1     2     3     4     5     6     7"


def duel(moves: str = "") -> AnyState:
    return after("quantum-duel", *moves.split())


def play(state: AnyState, text: str) -> AnyState:
    return state.play(state.game.move(text))


def cells(state: AnyState) -> str:
    """The board with one letter for each cell."""
    return "".join({None: "_", Seat.ONE: "X", Seat.TWO: "O"}[seat] for seat in state.board)


def texts(state: AnyState) -> list[str]:
    return [str(move) for move in state.moves]


def winner(state: AnyState) -> Seat | None:
    return None if state.outcome is None else state.outcome.winner


def test_the_books_example_game() -> None:
    turns = ["3", "5", "4 yes heads", "6 yes tails", "2 yes heads", "6 yes heads", "1 yes heads"]
    boards = ["__X____", "__X_O__", "__XXO__", "__XXO__", "_XXXO__", "_XXXOO_", "XXXXOO_"]
    for number, board in enumerate(boards):
        before = duel(" ".join(turns[:number]))
        assert (before.outcome, before.actor) == (None, Seat.TWO if number % 2 else Seat.ONE)
        assert cells(duel(" ".join(turns[: number + 1]))) == board
    over = duel(" ".join(turns))
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (Seat.ONE, Chained.CHAINED)
    assert (over.actor, over.moves, over.turns) == (None, (), 7)


OBSERVE = "Enter the cell number you want to observe: "
CHALLENGE = "Player 2, do you want to challenge? (yes/no): "


def test_the_books_command_line_example_in_words() -> None:
    one, two = (
        ("Player 1 (X), it's your turn.", OBSERVE),
        ("Player 2 (O), it's your turn.", OBSERVE),
    )
    for moves, said, board, asked in [
        ("", "Welcome to Quantum Duel!", "_______", one),
        ("3", "\nYou have observed cell 3.", "__X____", two),
        ("3 5", "\nYou have observed cell 5.", "__X_O__", one),
        ("3 5 4", "\nCell 4 is adjacent to your symbol at cell 3.", "", ("", CHALLENGE)),
        ("3 5 4 yes", "\nChallenge initiated!\nFlipping a coin...", "", ()),
        (
            "3 5 4 yes heads",
            "Result: Heads\n\nObservation successful! Cell 4 is now yours.",
            "__XXO__",
            two,
        ),
    ]:
        state = duel(moves)
        words, view = state.game.words, state.view(None)
        assert words.say(view) == said
        if board:
            drawn = INITIAL.replace("_", "{}").format(*board)
            which = "Current" if moves else "Initial"
            assert words.board_shown(view) == f"{which} Board:\n{drawn}"
        if asked:
            assert (words.question(view).heading, words.question(view).prompt) == asked


# --- when a placement can be challenged -----------------------------------------------------------


@pytest.mark.parametrize("moves", ["3 7 2", "3 7 4"])
def test_a_placement_next_to_ones_own_symbol_may_be_challenged(moves: str) -> None:
    assert (duel(moves).actor, texts(duel(moves))) == (Seat.TWO, ["yes", "no"])


@pytest.mark.parametrize(
    ("moves", "board"),
    [
        pytest.param("3 4", "__XO___", id="next to only the opponent's symbol"),
        pytest.param("3 7 5", "__X_X_O", id="two cells away"),
        pytest.param("1 4 7", "X__O__X", id="the ends of the board are not adjacent"),
        pytest.param("1 7 2 yes tails 5 3", "X_X_O_O", id="one that failed leaves nothing"),
    ],
)
def test_any_other_placement_cannot_be_challenged(moves: str, board: str) -> None:
    state = duel(moves)
    assert cells(state) == board
    free = [str(cell) for cell, symbol in enumerate(board, 1) if symbol == "_"]
    assert (state.actor, texts(state)) == (Seat.ONE if moves == "3 4" else Seat.TWO, free)


def test_a_placement_between_two_of_ones_own_symbols_names_both() -> None:
    state = duel("3 7 5 1 4")
    said = state.game.words.say(state.view(None))
    assert said == "\nCell 4 is adjacent to your symbols at cells 3 and 5."


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
    assert [str(Coin(heads)) for heads in (True, False)] == ["heads", "tails"]
    assert all(state.view(seat).moves == () for seat in (Seat.ONE, Seat.TWO, None))
    with pytest.raises(NotLegal, match="not a side of a coin"):
        play(state, "5")
    for moves in ("", "3 7 4"):
        with pytest.raises(NotLegal):
            _ = duel(moves).odds


@pytest.mark.parametrize(("coin", "board"), [("heads", "__XX__O"), ("tails", "__X___O")])
def test_on_heads_the_symbol_stays_and_on_tails_it_goes_and_either_ends_the_turn(
    coin: str, board: str
) -> None:
    state = duel(f"3 7 4 yes {coin}")
    assert (cells(state), state.actor, state.turns) == (board, Seat.TWO, 3)


def test_a_cell_that_is_unobserved_again_can_be_taken_by_either() -> None:
    state = duel("3 7 4 yes tails")
    said = state.game.words.say(state.view(None))
    assert said.startswith("Result: Tails\n\nObservation failed! Cell 4 is unobserved again.")
    assert cells(play(state, "4")) == "__XO__O"


# --- winning --------------------------------------------------------------------------------------

THREE = "3 7 2 no 6 no 4 no"  # _XXX_OO, Player 2 to move


def test_the_placement_that_completes_four_can_be_challenged_and_counts_once_it_stands() -> None:
    assert texts(duel(f"{THREE} 1 5")) == ["yes", "no"]
    for moves in ("1 5", "1 5 yes"):
        assert duel(f"{THREE} {moves}").outcome is None
    failed = duel(f"{THREE} 1 5 yes tails")
    assert (failed.outcome, cells(failed), failed.actor) == (None, "OXXX_OO", Seat.TWO)


FOUR_OS = "1 4 7 5 no 2 yes tails 6 no 2 yes tails 3 no"
APART = "1 7 2 no 6 yes tails 4 6 yes tails 5 no"
WINS = {
    "challenged in vain": (f"{THREE} 1 5 yes heads", "OXXXXOO", Seat.ONE),
    "observer, not replier": (f"{THREE} 1 5 no", "OXXXXOO", Seat.ONE),
    "four Os": (FOUR_OS, "X_OOOOX", Seat.TWO),
    "a gap": (APART, "XX_XX_O", None),
    "more than four": (f"{APART} 6 yes tails 3 no", "XXXXX_O", Seat.ONE),
    "full, not cleared": ("3 1 2 no 7 4 no 6 no 5 no", "OXXXXOO", Seat.ONE),
}


@pytest.mark.parametrize(("moves", "board", "wins"), WINS.values(), ids=WINS)
def test_four_adjacent_symbols_of_a_player_win(moves: str, board: str, wins: Seat | None) -> None:
    assert (cells(duel(moves)), winner(duel(moves))) == (board, wins)


# --- the full board -------------------------------------------------------------------------------


def test_a_full_board_without_a_chain_is_cleared_and_the_next_player_goes_on() -> None:
    assert cells(duel("1 2 3 4 5 6")) == "XOXOXO_"
    cleared = duel("1 2 3 4 5 6 7")
    assert (cells(cleared), cleared.actor, cleared.outcome) == ("_______", Seat.TWO, None)
    assert cleared.log[-1].answer is CLEARED
    assert texts(cleared) == list("1234567")
    assert "all cells are cleared" in cleared.game.words.say(cleared.view(None))
    later = duel("1 2 3 4 5 6 7 2 1")
    assert (cells(later), later.actor) == ("XO_____", Seat.TWO), "nothing of the old board counts"


def test_the_last_cell_can_be_challenged_before_the_board_counts_as_full() -> None:
    state = duel("1 2 3 4 6 5 no 7")
    assert (cells(state), state.actor) == ("XOXOOXX", Seat.TWO)
    assert cells(play(play(state, "yes"), "tails")) == "XOXOOX_"
    assert cells(play(play(state, "yes"), "heads")) == "_______"


# --- refusals -------------------------------------------------------------------------------------


def test_an_observed_cell_is_refused_with_what_is_free_and_the_rule() -> None:
    with pytest.raises(NotLegal) as refusal:
        duel("3 3")
    assert str(refusal.value) == "Cell 3 is already observed. Unobserved: 1, 2, 4, 5, 6, 7."
    assert refusal.value.rule is QuantumDuelRule.UNOBSERVED_CELL


@pytest.mark.parametrize("text", ["yes", "heads"])
def test_a_reply_where_none_is_due_is_refused(text: str) -> None:
    with pytest.raises(NotLegal, match="not a cell"):
        duel(f"3 {text}")


@pytest.mark.parametrize("cell", [0, 8, -1])
def test_a_cell_outside_the_board_cannot_even_be_named(cell: int) -> None:
    with pytest.raises(NotUnderstood, match=f"A cell must be from 1 to 7, not '{cell}'"):
        Observe(cell)


def test_a_cell_is_typed_as_its_number_and_a_challenge_answered_by_yes_or_no() -> None:
    words, view, challenged = (
        duel().game.words,
        duel("3").view(Seat.TWO),
        duel("3 7 4").view(Seat.TWO),
    )
    for text in ("4", " 4 ", "cell 4", "Cell 4", "04"):
        assert words.parse(text, view) == Observe(4)
    for text in ("yes", "y", "Y", " YES "):
        assert words.parse(text, challenged) == Reply(True)
    for text in ("no", "N"):
        assert words.parse(text, challenged) == Reply(False)


@pytest.mark.parametrize("text", ["", "four", "4.5", "4 5", "yes", "-1", "٤"])
def test_a_line_that_names_no_cell_is_refused_with_the_free_cells(text: str) -> None:
    with pytest.raises(NotUnderstood) as refusal:
        duel().game.words.parse(text, duel("3").view(Seat.TWO))
    assert refusal.value.accepted.endswith("1, 2, 4, 5, 6, 7.")


@pytest.mark.parametrize("text", ["", "4", "maybe", "yes no"])
def test_a_challenge_answered_by_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstood, match="neither yes nor no"):
        duel().game.words.parse(text, duel("3 7 4").view(Seat.TWO))
