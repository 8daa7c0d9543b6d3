"""What is said at the table of Quantum Duel."""

from __future__ import annotations

from strongroom.contract import (
    NAMES,
    Event,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Seat,
    View,
    Words,
    shown,
    whole_number,
)
from strongroom.games.quantum_duel.rules import (
    CELLS,
    CHAIN,
    CLEARED,
    OPEN,
    Board,
    Coin,
    Observe,
    QuantumDuel,
    Reply,
    adjacent,
    unobserved,
)

UNOBSERVED = "_"
REPLY_FORM = "Type yes (or y) to challenge, no (or n) to let it stand."


class QuantumDuelWords(Words[QuantumDuel]):
    """The rule book's words."""

    title = "Quantum Duel"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a cell, or whether to challenge."""
        assert isinstance(view.actor, Seat)
        name = names[view.actor]
        if is_challenge(view):
            return Question(f"{name}, do you want to challenge? (yes/no): ", REPLY_FORM)
        heading = f"{name} ({self.symbols[view.actor.index]}), it's your turn."
        return Question("Enter the cell number you want to observe: ", cell_form(view), heading)

    def understand(self, text: str, view: View) -> Move:
        """A cell; or, when a challenge is offered, yes or no."""
        word = text.lower()
        if is_challenge(view):
            if word in ("y", "yes", "challenge"):
                return Reply(True)
            if word in ("n", "no"):
                return Reply(False)
            raise NotUnderstood(f"{shown(text)} is neither yes nor no.", REPLY_FORM)
        number = word.removeprefix("cell").strip()
        if not (number.isascii() and number.isdigit()):
            raise NotUnderstood(f"{shown(text)} is not a cell.", cell_form(view))
        cell = whole_number(number)
        if not 1 <= cell <= CELLS:
            reason = f"Cells run from 1 to {CELLS}; you typed {cell}."
            raise NotUnderstood(reason, cell_form(view))
        return Observe(cell)

    def welcome(self, view: View) -> str:
        """The board before the first turn."""
        return f"Welcome to {self.title}!\n\nInitial Board:\n{self.picture(view)}"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """What became of the last observation, and the board."""
        event = view.history[-1]
        if isinstance(event.move, Observe) and event.answer is OPEN:
            assert isinstance(event.actor, Seat)
            near = adjacent(view.board, event.move.cell, event.actor)
            cells = " and ".join(map(str, near))
            words = "symbols at cells" if len(near) > 1 else "symbol at cell"
            return f"\nCell {event.move} is adjacent to your {words} {cells}."
        if event.answer is OPEN:
            return "\nChallenge initiated!\nFlipping a coin..."
        return f"{self._result(view, event)}\n\nCurrent Board:\n{self.picture(view)}"

    def _result(self, view: View, event: Event) -> str:
        cell = next(e.move for e in reversed(view.history[-3:]) if isinstance(e.move, Observe))
        if not isinstance(event.move, Coin):
            result = f"\nYou have observed cell {cell}."
        elif event.move.heads:
            result = f"Result: Heads\n\nObservation successful! Cell {cell} is now yours."
        else:
            result = f"Result: Tails\n\nObservation failed! Cell {cell} is unobserved again."
        if event.answer is CLEARED:
            result += f"\n\nThe board is full without a chain of {CHAIN}: all cells are cleared."
        return result

    def picture(self, view: View) -> str:
        """The seven cells as the book draws them, with their numbers below."""
        board: Board = view.board
        marks = [UNOBSERVED if seat is None else self.symbols[seat.index] for seat in board]
        cells = " ".join(f"[ {mark} ]" for mark in marks)
        return f"{cells}\n  {'     '.join(str(cell) for cell in range(1, CELLS + 1))}"

    def note(self, event: Event) -> str:
        """An observation, a reply or the coin, and what came of it."""
        if isinstance(event.move, Observe):
            return f"cell {event.move}" + (", adjacent" if event.answer is OPEN else "")
        if isinstance(event.move, Reply):
            return "challenges" if event.move.challenge else "no challenge"
        cleared = "stands, and the full board is cleared"
        assert not isinstance(event.answer, int | None | Move)
        return f"{event.move}: {cleared if event.answer is CLEARED else event.answer.value}"

    def won(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return f"made an unbroken chain of {CHAIN}"


def is_challenge(view: View) -> bool:
    """Whether the actor is asked for a reply to an observation."""
    return bool(view.history) and view.history[-1].answer is OPEN


def cell_form(view: View) -> str:
    """How to type a cell."""
    free = unobserved(view.board)
    listed = ", ".join(map(str, free))
    return f"Type the number of an unobserved cell, like {free[0]}: {listed}."
