"""Quantum Duel solved: what every position is worth, and moves that hold it against anybody.

A position is the board, who acts, and the contested cell, if any. The game has cycles, so a
move of the right value is not enough: a player who is ahead must also get on with it. Hence the
certificate has two parts, both exact: no move of the opponent lowers the value, and the opponent
cannot keep the player for ever where the value is better than that of endless play.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.game import Game, Move, Seat, View
from strongroom.games.quantum_duel import (
    CHAINS,
    SYMBOLS,
    Observe,
    QuantumDuel,
    QuantumDuelState,
    Reply,
    adjacent,
    with_cell,
)
from strongroom.theory import Report
from strongroom.theory.quantum_duel_proof import (
    ENDLESS,
    check,
    explore,
    guaranteed,
    key_of,
    solve_exactly,
    tempting,
)

Table = dict[str, NDArray[Any]]

# --- the table ----------------------------------------------------------------------------------


def solve(game: Game, report: Report) -> Table:
    """Compute the value of every position and the moves to make there."""
    report(0.0, "walking through all positions")
    graph = explore(game)
    solved: dict[str, list[Fraction]] = {}
    for done, (name, endless) in enumerate(
        (("value", ENDLESS), ("one_forces", Fraction(0)), ("two_allows", Fraction(1)))
    ):
        report(0.1 + done / 4, f"{graph.size} positions, endless play counted {endless}")
        solved[name] = solve_exactly(graph, endless)
    report(0.85, "choosing among moves of equal value")
    holding = [tempting(graph, solved["value"], seat) for seat in Seat]
    order = np.argsort(graph.keys)
    table: Table = {"keys": np.array(graph.keys, dtype=np.int32)[order]}
    masks = [sum(1 << m for rows in holding for m in rows[i]) for i in range(graph.size)]
    table["moves"] = np.array(masks, dtype=np.uint8)[order]
    for name, values in solved.items():
        pairs = [value.as_integer_ratio() for value in values[: graph.size]]
        table[name] = np.array(pairs, dtype=np.int16)[order]
    report(1.0, "done")
    return table


def certify(game: Game, table: Table, report: Report) -> tuple[Fraction, Fraction]:
    """Prove from the rules what both shipped strategies guarantee; complain if they do not."""
    report(0.0, "walking through all positions")
    graph = explore(game)
    if not np.array_equal(np.sort(graph.keys), table["keys"]):
        raise ValueError("the table of quantum-duel has other positions than the game")
    rows = [_row(table, key) for key in graph.keys]
    values = {
        name: [*(_fraction(table, name, row) for row in rows), Fraction(1), Fraction(0)]
        for name in ("value", "one_forces", "two_allows")
    }
    played = [
        tuple(m for m in range(len(graph.after[i])) if table["moves"][row] >> m & 1)
        for i, row in enumerate(rows)
    ]
    report(0.3, "letting each side try everything against the other's strategy")
    for seat in Seat:
        idle = any(not played[i] for i, actor in enumerate(graph.actors) if actor is seat)
        if idle or not guaranteed(graph, values["value"], seat, played, ENDLESS):
            raise ValueError(f"the table of quantum-duel does not hold its values for {seat}")
    report(0.7, "checking what each side can force")
    check(graph, values["one_forces"], Fraction(0))
    check(graph, values["two_allows"], Fraction(1))
    report(1.0, "done")
    start = values["value"][0]
    return start, start


def _row(table: Table, key: int) -> int:
    row = int(np.searchsorted(table["keys"], key))
    if row == len(table["keys"]) or table["keys"][row] != key:
        raise ValueError("no such position in the table of quantum-duel")
    return row


def _fraction(table: Table, name: str, row: int) -> Fraction:
    numerator, denominator = table[name][row]
    return Fraction(int(numerator), int(denominator))


# --- at the table -------------------------------------------------------------------------------


def _state(view: View) -> QuantumDuelState:
    """The state itself: in this game a view hides nothing."""
    assert isinstance(view.game, QuantumDuel)
    return QuantumDuelState(view.game, view.board, ((), ()), view.history, view.actor, view.outcome)


def worth(table: Table, state: QuantumDuelState, name: str = "value") -> Fraction:
    """What a state is worth to Seat.ONE; or what ONE can force, or TWO must allow."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is Seat.ONE)
    assert state.actor is not None
    return _fraction(table, name, _row(table, key_of(state.board, state.actor, state.log)))


def _worth_of(table: Table, view: View, move: Move) -> Fraction:
    """What a move is worth to the player who makes it."""
    value = worth(table, _state(view).play(move))
    return value if view.actor is Seat.ONE else 1 - value


def policy(table: Table, view: View) -> dict[Move, Fraction]:
    """The moves of the certified player, with their probabilities."""
    if not view.moves or view.actor is None:
        return {}
    mask = int(table["moves"][_row(table, key_of(view.board, view.actor, view.history))])
    moves = [move for m, move in enumerate(view.moves) if mask >> m & 1]
    return dict.fromkeys(moves, Fraction(1, len(moves)))


def values(table: Table, view: View) -> dict[Move, float]:
    """The actor's chance to win after each move against perfect play, endless play counted half.

    Nothing is hidden in this game, so nothing is assumed about the opponent.
    """
    return {move: float(_worth_of(table, view, move)) for move in view.moves}


def why(table: Table, view: View, move: Move) -> str:
    """One sentence on what a move does and what it is worth."""
    assert isinstance(view.actor, Seat)
    value = _worth_of(table, view, move)
    worth_words = (
        "nobody can force a win after it" if value == ENDLESS else f"it is worth {value} to you"
    )
    if isinstance(move, Reply):
        return f"{_reply_words(view, move)}; {worth_words}."
    assert isinstance(move, Observe)
    return f"{_observation_words(view, view.actor, move.cell)}; {worth_words}."


def _reply_words(view: View, reply: Reply) -> str:
    assert isinstance(view.actor, Seat)
    fourth = CHAINS[view.actor.other.index] in view.board
    if reply.challenge:
        return "Tails saves you from four in a row" if fourth else "Tails takes the symbol back"
    return "Letting it stand loses at once" if fourth else "The symbol stays"


def _observation_words(view: View, seat: Seat, cell: int) -> str:
    mine, theirs = SYMBOLS[seat.index], SYMBOLS[seat.other.index]
    contested = bool(adjacent(view.board, cell, mine))
    if CHAINS[seat.index] in with_cell(view.board, cell, mine):
        return "Completes four in a row, if it stands"
    if CHAINS[seat.other.index] in with_cell(view.board, cell, theirs):
        return f"Keeps {theirs} from four in a row" + (", if it stands" if contested else "")
    return "Can be challenged" if contested else "Cannot be challenged"
