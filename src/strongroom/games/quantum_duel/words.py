"""What is asked, announced and understood in Quantum Duel."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from itertools import groupby

from strongroom.contract import (
    NAMES,
    YOU,
    Cells,
    Choices,
    Disguise,
    Drawing,
    Event,
    Left,
    Look,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Refusal,
    Seat,
    Tile,
    Turn,
    View,
    Words,
    does,
    own_moves,
    owner,
    quote,
    spoken_to,
    whole_number,
    whom,
)
from strongroom.games.quantum_duel.rules import (
    CELLS,
    CHAIN,
    CLEARED,
    FAILS,
    OPEN,
    Board,
    Coin,
    Observe,
    QuantumDuel,
    Reply,
    adjacent,
    chained,
    possible_observations,
    with_cell,
)

UNOBSERVED = "_"
FULL = f"The board is full without a chain of {CHAIN}: all cells are cleared."
OPENING = "opening"
BUILDING = "building a chain"
EARLY = "blocking early"
LATE = "blocking late"
CHALLENGING = "challenging"
SAVING = "saving the game"
REPLY_FORM = "Type yes (or y) to challenge, no (or n) to let it stand."


class QuantumDuelWords(Words[QuantumDuel]):
    """The rule book's words."""

    title = "Quantum Duel"
    goal = "Make a chain of four symbols. Those next to your own may be challenged."

    kinds = (OPENING, BUILDING, EARLY, LATE, CHALLENGING, SAVING)

    def deciding(self, view: View) -> str:
        """What the chains on the board ask for: of the observer, or of who may challenge."""
        board, seat = view.board, view.actor
        assert isinstance(seat, Seat)
        if is_challenge(view):
            return SAVING if chained(board, seat.other) else CHALLENGING
        if one_short(board, seat):
            return BUILDING
        if one_short(board, seat.other):
            return LATE
        own, other = longest(board, seat), longest(board, seat.other)
        if max(own, other) < 2:
            return OPENING
        return EARLY if other > own else BUILDING

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a cell, or whether to challenge."""
        assert isinstance(view.actor, Seat)
        name = names[view.actor]
        if is_challenge(view):
            asked = "do you want to challenge? (yes/no): "
            return Question(spoken_to(name, asked), REPLY_FORM, control=Choices(("no", "yes")))
        symbol = self.symbols[view.actor.index]
        heading = f"{name} ({symbol}), it's your turn."
        if name == YOU:
            heading = f"Your turn ({symbol})."
        taken = enumerate(view.board, 1)
        cells = Cells([["" if owner else str(cell) for cell, owner in taken]])
        prompt = "Enter the cell number you want to observe: "
        return Question(prompt, cell_form(view), heading, control=cells)

    def asked_at_once(self, view: View, names: Names = NAMES) -> str:
        """Which cell is observed, or whether the last one is challenged."""
        if is_challenge(view):
            return f"Do you challenge cell {observation(view.history).move}? Type yes or no."
        return "Which empty cell do you observe? Type the cell alone."

    def accepted_at_once(self, refusal: Refusal, view: View) -> str:
        """The question again, without the cells that are left."""
        return self.asked_at_once(view)

    def written(self, events: Sequence[Event]) -> str:
        """The cell, the reply and the coin."""
        cell, *replies = (str(event.move) for event in events)
        labelled = zip(("challenge", "coin"), replies, strict=False)
        return ", ".join([cell, *(f"{label}: {told}" for label, told in labelled)])

    def understand(self, text: str, view: View) -> Move:
        """A cell; or, when a challenge is offered, yes or no."""
        word = text.lower()
        if is_challenge(view):
            if word in ("y", "yes", "challenged") or re.fullmatch(r"(i |a )?challenge( it)?", word):
                return Reply(True)
            if word in ("n", "no", "unchallenged", "no challenge") or re.match(
                r"(i )?((don't|do not|won't|will not) challenge|let it stand$)", word
            ):
                return Reply(False)
            raise NotUnderstood(f"{quote(text)} is neither yes nor no.", REPLY_FORM)
        cell = whole_number(word.removeprefix("cell"))
        if cell is None:
            raise NotUnderstood(f"{quote(text)} is not a cell.", cell_form(view))
        if not 1 <= cell <= CELLS:
            reason = f"Cells run from 1 to {CELLS}; you typed {cell}."
            raise NotUnderstood(reason, cell_form(view))
        return Observe(cell)

    def lesson(self, view: View, names: Names = NAMES) -> str:
        """How to observe a first and a second cell, and how to answer a neighbour."""
        assert isinstance(view.actor, Seat)
        moves = own_moves(view)
        if is_challenge(view):
            if any(isinstance(move, Reply) for move in moves):
                return ""
            return (
                "Challenge, or let it stand. Heads, it stays; tails, the cell is open again. A "
                "challenge costs you nothing."
            )
        lessons = (
            "Observe an empty cell. Four of your symbols in a row win, and the first always stays.",
            "Observe another. Next to your own symbol, "
            f"{whom(names[view.actor.other])} may challenge it: then a coin decides.",
        )
        return "".join(lessons[sum(isinstance(move, Observe) for move in moves) :][:1])

    def preview(self, view: View, move: Move, names: Names = NAMES) -> str:
        """Whether the cell can be challenged, or what a reply decides."""
        assert isinstance(view.actor, Seat)
        if isinstance(move, Observe):
            near = adjacent(view.board, move.cell, view.actor)
            if not near:
                return f"Cell {move.cell}: nobody can challenge it."
            other = whom(names[view.actor.other])
            return f"Cell {move.cell}, adjacent to {named_cells(near)}: {other} may challenge it."
        cell = observation(view.history).move
        if move == Reply(True):
            return f"A coin decides about cell {cell}: tails, and it is unobserved again."
        return f"Cell {cell} is {owner(names[view.actor.other])}."

    def puzzle(self, view: View) -> str:
        """Which cell to observe, or whether to challenge."""
        if is_challenge(view):
            return "Do you challenge, or let it stand?"
        return "One cell to observe. Which?"

    def board_shown(self, view: View) -> str:
        """The board before the first turn, and whenever the fate of an observation is settled."""
        if is_challenge(view):
            return ""
        heading = "Current Board" if view.history else "Initial Board"
        return f"{heading}:\n{self.picture(view)}"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """What became of the last observation."""
        event = view.history[-1]
        if isinstance(event.move, Observe) and event.answer is OPEN:
            assert isinstance(event.actor, Seat)
            near = adjacent(view.board, event.move.cell, event.actor)
            symbols = "symbols" if len(near) > 1 else "symbol"
            return f"\nCell {event.move} is adjacent to your {symbols} at {named_cells(near)}."
        if event.answer is OPEN:
            return "\nChallenge initiated!\nFlipping a coin..."
        cell = observation(view.history).move
        if not isinstance(event.move, Coin):
            result = f"\nYou have observed cell {cell}."
        elif event.move.heads:
            result = f"Result: Heads\n\nObservation successful! Cell {cell} is now yours."
        else:
            result = f"Result: Tails\n\nObservation failed! Cell {cell} is unobserved again."
        result += f"\n\n{FULL}" if event.answer is CLEARED else ""
        return "\n\n".join(filter(None, (result, self._victory(view, names))))

    def _victory(self, view: View, names: Names) -> str:
        """The winner with symbol and cells; empty while there is none."""
        if not (chain := winning_chain(view)):
            return ""
        assert view.outcome is not None
        assert view.outcome.winner is not None
        name, symbol = names[view.outcome.winner], self.symbols[view.outcome.winner.index]
        wins = "win" if name == YOU else "wins"
        return f"{name} ({symbol}) {wins} with cells {chain[0]} to {chain[-1]}."

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """Who observed, challenged or let it stand, and what became of the cell."""
        event, observed = view.history[-1], observation(view.history)
        actor = names[event.actor] if isinstance(event.actor, Seat) else ""
        cell = f"cell {observed.move}"
        assert isinstance(observed.actor, Seat)
        if isinstance(event.move, Observe):
            told = f"{does(actor, 'observes', 'observe')} {cell}."
            if event.answer is OPEN:
                near = adjacent(view.board, event.move.cell, observed.actor)
                told = f"{told[:-1]}, adjacent to {named_cells(near)}."
        elif isinstance(event.move, Coin):
            kept = owner(names[observed.actor]) if event.move.heads else "open again"
            told = f"{str(event.move).title()}. Cell {observed.move} is {kept}."
        elif event.move == Reply(True):
            told = f"{does(actor, 'challenges', 'challenge')} {cell}. The coin is in the air."
        else:
            lets = does(actor, "does not challenge", "do not challenge")
            told = f"{lets}. Cell {observed.move} stands."
        told += f" {FULL}" if event.answer is CLEARED else ""
        return f"{told} {self._victory(view, names)}".strip()

    def closing(
        self, view: View, names: Names = NAMES, here: Collection[Seat | None] | None = None
    ) -> str:
        """The cells of the chain; who won is said above, and the board shows the last cell."""
        chain = winning_chain(view)
        return f"The chain is cells {chain[0]} to {chain[-1]}." if chain else ""

    def spoken_to(self, view: View) -> Seat | None:
        """The observer, who is told what became of the cell, also after a reply or the coin."""
        seat = observation(view.history).actor
        return seat if isinstance(seat, Seat) else None

    def picture(self, view: View) -> str:
        """The seven cells as the book draws them, with their numbers below."""
        board: Board = view.board
        marks = [UNOBSERVED if seat is None else self.symbols[seat.index] for seat in board]
        cells = " ".join(f"[ {mark} ]" for mark in marks)
        return f"{cells}\n  {'     '.join(str(cell) for cell in range(1, CELLS + 1))}"

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """The seven cells; the last turn's cell stands out, and so does the winning chain."""
        touched = 0
        if view.history and isinstance(last := observation(view.history).move, Observe):
            touched = last.cell
        chain = winning_chain(view)

        def look(cell: int) -> Look:
            if cell in chain:
                return Look.LIT
            if cell != touched:
                return Look.PLAIN
            return Look.PENDING if is_challenge(view) else Look.TOUCHED

        def tile(cell: int, owner: Seat | None) -> Tile:
            text = "" if owner is None else self.symbols[owner.index]
            return Tile(text, str(cell), owner, look(cell))

        return Drawing((tuple(tile(*each) for each in enumerate(view.board, 1)),), framed=True)

    def mention(self, move: Move) -> str:
        """A cell, or whether it is challenged."""
        if isinstance(move, Reply):
            return "a challenge" if move.challenge else "no challenge"
        return f"cell {move}" if isinstance(move, Observe) else super().mention(move)

    def note(self, event: Event) -> str:
        """An observation, a reply or the coin, and the result."""
        if isinstance(event.move, Observe):
            return str(event.move)
        if isinstance(event.move, Reply):
            return "challenged" if event.move.challenge else "unchallenged"
        return f"{event.move}: {'fails' if event.answer is FAILS else 'stands'}"

    def opens_turn(self, event: Event) -> bool:
        """A turn begins with an observation; a reply and the coin belong to it."""
        return isinstance(event.move, Observe)

    def turn(self, events: Sequence[Event]) -> Turn:
        """The cell, how it was challenged, and a mark where the full board was cleared."""
        seat = events[0].actor
        assert isinstance(seat, Seat)
        cell, *replies = map(self.note, events)
        mark = "board full, cleared" if events[-1].answer is CLEARED else ""
        return Turn(seat, f"{cell} {', '.join(replies)}".strip(), mark=mark)

    def win_text(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return f"made an unbroken chain of {CHAIN}"


@cache
def one_short(board: Board, seat: Seat) -> bool:
    """Whether one more symbol would give a player an unbroken chain of four."""
    return any(
        chained(with_cell(board, each.cell, seat), seat) for each in possible_observations(board)
    )


@cache
def longest(board: Board, seat: Seat) -> int:
    """How many symbols a player's longest chain has.

    >>> longest((None, Seat.ONE, Seat.ONE, Seat.TWO, Seat.ONE, None, None), Seat.ONE)
    2
    """
    return max(len([*cells]) if owner is seat else 0 for owner, cells in groupby(board))


def observation(history: Sequence[Event]) -> Event:
    """The observation that the last event belongs to."""
    return next(event for event in reversed(history[-3:]) if isinstance(event.move, Observe))


def named_cells(cells: Sequence[int]) -> str:
    """Cells in a sentence.

    >>> named_cells([3]), named_cells([3, 5])
    ('cell 3', 'cells 3 and 5')
    """
    return f"{'cells' if len(cells) > 1 else 'cell'} {' and '.join(map(str, cells))}"


def winning_chain(view: View) -> range:
    """The cells of the chain that won the game."""
    winner = view.outcome.winner if view.outcome else None
    for first in range(1, CELLS - CHAIN + 2):
        if winner and set(view.board[first - 1 : first - 1 + CHAIN]) == {winner}:
            return range(first, first + CHAIN)
    return range(0)


def is_challenge(view: View) -> bool:
    """Whether an observation still awaits a reply or the coin."""
    return bool(view.history) and view.history[-1].answer is OPEN


def cell_form(view: View) -> str:
    """How to type a cell."""
    free = possible_observations(view.board)
    listed = ", ".join(map(str, free))
    return f"Type the number of an unobserved cell, like {free[0]}: {listed}."


class QuantumDisguise(Disguise[QuantumDuel]):
    """Posts, markers and disputes, for cells, symbols and challenges: the order of cells stays."""

    terms = """
        quantum_duel: lantern_game | terrace_bout | harbour_race
        cell cells: post posts | slot slots | dock docks
        symbol symbols: marker markers | banner banners | signal signals
        observe observes observed observing: secure secures secured securing
        observe observes observed observing: reserve reserves reserved reserving
        unobserved: unoccupied | unassigned | unattended
        observation observations: reservation reservations | acquisition acquisitions
        challenge challenges challenged challenging: dispute disputes disputed disputing
        challenge challenges challenged challenging: contest contests contested contesting
        challenge challenges challenged challenging: protest protests protested protesting
        unchallenged: undisputed | uncontested
        chain chains: string strings | streak streaks
        secret: covert | veiled | private
    """
    lettered = "1234567"
