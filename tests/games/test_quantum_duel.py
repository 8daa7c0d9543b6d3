"""Quantum Duel: the book's game and every ruling."""

from __future__ import annotations

import pytest

from strongroom.contract import CHANCE, AnyState, NotLegal, NotUnderstood, Outcome, Seat
from strongroom.games.quantum_duel.rules import (
    CLEARED,
    Coin,
    Observe,
    QuantumDuelReason,
    QuantumDuelRule,
    Reply,
)
from strongroom.testing.perft import after


def duel(moves: str = "") -> AnyState:
    return after("quantum-duel", *moves.split())


def play(state: AnyState, text: str) -> AnyState:
    return state.play(state.game.move(text))


def cells(state: AnyState) -> str:
    return "".join({None: "_", Seat.ONE: "X", Seat.TWO: "O"}[seat] for seat in state.board)


def texts(state: AnyState) -> list[str]:
    return [str(move) for move in state.moves]


def test_the_books_example_game() -> None:
    turns = ["3", "5", "4 yes heads", "6 yes tails", "2 yes heads", "6 yes heads", "1 yes heads"]
    boards = ["__X____", "__X_O__", "__XXO__", "__XXO__", "_XXXO__", "_XXXOO_", "XXXXOO_"]
    for number, board in enumerate(boards):
        before = duel(" ".join(turns[:number]))
        assert (before.outcome, before.actor) == (None, Seat.TWO if number % 2 else Seat.ONE)
        assert cells(duel(" ".join(turns[: number + 1]))) == board
    over = duel(" ".join(turns))
    assert over.outcome == Outcome(Seat.ONE, QuantumDuelReason.CHAINED)
    assert (over.actor, over.moves, over.turns) == (None, (), 7)


def test_only_a_placement_next_to_ones_own_symbol_may_be_challenged_and_only_by_the_opponent() -> (
    None
):
    for moves in ("3 7 2", "3 7 4"):
        state = duel(moves)
        assert (state.actor, texts(state)) == (Seat.TWO, ["yes", "no"])
    with pytest.raises(NotLegal, match="not a reply"):
        play(state, "5")
    for why, moves, board in (
        ("next to only the opponent's symbol", "3 4", "__XO___"),
        ("two cells away", "3 7 5", "__X_X_O"),
        ("the ends of the board are not adjacent", "1 4 7", "X__O__X"),
        ("one that failed leaves nothing", "1 7 2 yes tails 5 3", "X_X_O_O"),
    ):
        state = duel(moves)
        free = [str(cell) for cell, symbol in enumerate(board, 1) if symbol == "_"]
        assert (cells(state), texts(state)) == (board, free), why
        assert state.actor is (Seat.ONE if moves == "3 4" else Seat.TWO), why


def test_the_coin_is_a_fair_chance_move() -> None:
    state = duel("3 7 4 yes")
    assert state.actor is CHANCE
    assert dict(zip(texts(state), state.odds, strict=True)) == {"heads": 0.5, "tails": 0.5}
    assert [str(Coin(heads)) for heads in (True, False)] == ["heads", "tails"]
    for moves, near in (("3 7 4", "symbol at cell 3"), ("3 7 5 1 4", "symbols at cells 3 and 5")):
        said = state.game.words.say(duel(moves).view(None))
        assert said.endswith(f"Cell 4 is adjacent to your {near}.")
    with pytest.raises(NotLegal, match="not a side of a coin"):
        play(state, "5")
    for moves in ("", "3 7 4"):
        with pytest.raises(NotLegal, match="chance"):
            _ = duel(moves).odds


def test_unchallenged_or_on_heads_the_symbol_stays_and_on_tails_the_cell_is_free_again() -> None:
    for rest, board, said in (
        ("no", "__XX__O", "You have observed cell 4."),
        ("yes heads", "__XX__O", "Result: Heads\n\nObservation successful! Cell 4 is now yours."),
        ("yes tails", "__X___O", "Tails\n\nObservation failed! Cell 4 is unobserved again."),
    ):
        state = duel(f"3 7 4 {rest}")
        assert (cells(state), state.actor, state.turns) == (board, Seat.TWO, 3)
        assert said in state.game.words.say(state.view(None))
    assert cells(play(state, "4")) == "__XO__O", "either may take it"


def test_four_adjacent_symbols_of_a_player_win_once_the_placement_stands() -> None:
    three = "3 7 2 no 6 no 4 no"  # _XXX_OO, Player 2 to move
    four_os = "1 4 7 5 no 2 yes tails 6 no 2 yes tails 3 no"
    apart = "1 7 2 no 6 yes tails 4 6 yes tails 5 no"
    for why, moves, board, winner in (
        ("challenged in vain", f"{three} 1 5 yes heads", "OXXXXOO", Seat.ONE),
        ("observer, not replier", f"{three} 1 5 no", "OXXXXOO", Seat.ONE),
        ("four Os", four_os, "X_OOOOX", Seat.TWO),
        ("a gap", apart, "XX_XX_O", None),
        ("more than four", f"{apart} 6 yes tails 3 no", "XXXXX_O", Seat.ONE),
        ("full, not cleared", "3 1 2 no 7 4 no 6 no 5 no", "OXXXXOO", Seat.ONE),
    ):
        state = duel(moves)
        assert (cells(state), state.outcome and state.outcome.winner) == (board, winner), why
    assert texts(duel(f"{three} 1 5")) == ["yes", "no"]
    for moves in ("1 5", "1 5 yes"):
        assert duel(f"{three} {moves}").outcome is None
    failed = duel(f"{three} 1 5 yes tails")
    assert (failed.outcome, cells(failed), failed.actor) == (None, "OXXX_OO", Seat.TWO)


def test_a_full_board_without_a_chain_is_cleared_and_the_next_player_goes_on() -> None:
    assert cells(duel("1 2 3 4 5 6")) == "XOXOXO_"
    cleared = duel("1 2 3 4 5 6 7")
    assert (cells(cleared), cleared.actor, cleared.outcome) == ("_______", Seat.TWO, None)
    assert cleared.log[-1].answer is CLEARED
    assert texts(cleared) == list("1234567")
    assert "all cells are cleared" in cleared.game.words.say(cleared.view(None))
    later = duel("1 2 3 4 5 6 7 2 1")
    assert (cells(later), later.actor) == ("XO_____", Seat.TWO), "nothing of the old board counts"
    last = duel("1 2 3 4 6 5 no 7")
    assert (cells(last), last.actor) == ("XOXOOXX", Seat.TWO), "not full before the challenge"
    assert cells(play(play(last, "yes"), "tails")) == "XOXOOX_"
    assert cells(play(play(last, "yes"), "heads")) == "_______"


def test_an_observed_cell_a_reply_where_none_is_due_and_a_cell_off_the_board_are_refused() -> None:
    with pytest.raises(NotLegal) as refusal:
        duel("3 3")
    assert str(refusal.value) == "Cell 3 is already observed. Unobserved: 1, 2, 4, 5, 6, 7."
    assert refusal.value.rule is QuantumDuelRule.UNOBSERVED_CELL
    for text in ("yes", "heads"):
        with pytest.raises(NotLegal, match="not a cell"):
            duel(f"3 {text}")
    for cell in (0, 8, -1):
        with pytest.raises(NotUnderstood, match=f"A cell must be from 1 to 7, not '{cell}'"):
            Observe(cell)


def test_a_cell_is_typed_as_its_number_and_a_challenge_answered_by_yes_or_no() -> None:
    words = duel().game.words
    view, challenged = (duel(moves).view(Seat.TWO) for moves in ("3", "3 7 4"))
    for text in ("4", " 4 ", "cell 4", "Cell 4", "04"):
        assert words.parse(text, view) == Observe(4)
    for text in ("yes", "y", "Y", " YES ", "no", "N"):
        assert words.parse(text, challenged) == Reply("y" in text.lower())
    for text in ("", "four", "4.5", "4 5", "yes", "-1", "٤"):
        with pytest.raises(NotUnderstood) as refusal:
            words.parse(text, view)
        assert refusal.value.accepted.endswith("1, 2, 4, 5, 6, 7.")
    for text in ("", "4", "maybe", "yes no"):
        with pytest.raises(NotUnderstood, match="neither yes nor no"):
            words.parse(text, challenged)
