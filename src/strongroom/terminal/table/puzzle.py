"""A puzzle put to a person: asked like a turn of the game, and judged by what the move costs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import date, timedelta
from random import Random
from typing import Final

from strongroom.contract import CHANCE, Game, Move, NotLegal, Refusal, Seat, View
from strongroom.players import CERTIFIED
from strongroom.puzzles import todays
from strongroom.puzzles.puzzle import RIGHT, Puzzle
from strongroom.referee.match import Match
from strongroom.referee.record import PERSON, Sitter
from strongroom.report.text import in_points
from strongroom.terminal.exits import FINISHED, INPUT_ENDED, INTERRUPTED, Stopped, stoppable
from strongroom.terminal.faces import make_face
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.lines import Leaves, can_page
from strongroom.terminal.printing import print_if_slow
from strongroom.terminal.store import preferences
from strongroom.terminal.table.local import Wishes
from strongroom.terminal.table.person import Host, Person

SLOW: Final = 1.0
"""After so many seconds, it is said that a puzzle is being looked for."""
COMMANDS: Final = ("help", "rules", "hint", "history", "board", "secret", "quit")


class PuzzleTable(Host):
    """A table at which one move is asked for."""

    def __init__(self, puzzle: Puzzle, looks: Looks, counts: bool = False) -> None:
        self._puzzle, self.game, self._looks = puzzle, puzzle.game, looks
        self._counts = counts
        """Whether the answer is the first one that may count for this day."""
        self._drawn = not looks.plain and can_page()
        self.face = face = make_face(puzzle.game.words, looks)
        assert puzzle.view.seat is not None
        face.names = puzzle.names
        face.here = frozenset({puzzle.view.seat})
        face.commands = COMMANDS
        face.aids = puzzle.odds is None or len(puzzle.odds) > 1  # what alone is left is the answer
        self._nudged = False
        self._wish = ""
        """The key that was pressed once the answer was judged."""

    @property
    def commands(self) -> Sequence[str]:
        """The commands accepted at every prompt."""
        return COMMANDS

    @property
    def aids(self) -> bool:
        """There is always a hint."""
        return True

    def hint(self, view: View) -> str:
        """A nudge that does not name the right move."""
        self._nudged = True
        return self._puzzle.nudge

    def save(self, name: str) -> str:
        """Refuse: nothing of a puzzle is saved."""
        raise Refusal("Nothing of a puzzle is saved.", "It stays the same all day.")

    def solve(self) -> int:
        """Ask for a move and judge it; return the exit code."""
        try:
            with stoppable(), self.face:
                code = self._ask_and_judge()
        except Stopped as stopped:
            return stopped.code
        if self._wish == "p":
            return play_on(self._puzzle, self._looks)
        if self._wish == "y" and self._puzzle.day is not None:
            before = find_puzzle(self._puzzle.day - timedelta(days=1))
            return PuzzleTable(before, self._looks).solve()
        return code

    def _ask_and_judge(self) -> int:
        self.face.forget(self._puzzle.view)
        self.face.write("\n".join(self._introduction()))
        person = Person(self, Random(0))
        try:
            while True:
                move = person.choose(self._puzzle.view)
                if (refusal := self._refusal(move)) is None:
                    break
                person.refused(refusal)
        except KeyboardInterrupt:
            return INTERRUPTED
        except Leaves:
            self.face.note("\nNot answered. The puzzle stays the same all day.")
            return INPUT_ENDED
        puzzle = self._puzzle
        right = [each for each, cost in puzzle.costs.items() if cost <= RIGHT]
        told = "\n".join(self._verdict(move))
        copy = self._to_copy(puzzle.costs[move])
        self._wish = self.face.conclude(puzzle.view, told, right, move, copy)
        return FINISHED

    def _introduction(self) -> list[str]:
        """What the puzzle is, and, unless a page shows it, what is known."""
        puzzle = self._puzzle
        first = [headline(puzzle), puzzle.question]
        if self._drawn:
            return first
        picture = self.game.words.picture(puzzle.view)
        return [*first, "", *puzzle.known_lines, *([picture] if picture else [])]

    def _refusal(self, move: Move) -> Refusal | None:
        """Why the rules refuse a move here, if they do."""
        if move in self._puzzle.worth:
            return None
        try:
            self.game.sample(self._puzzle.view, Random(0)).play(move)
        except Refusal as refusal:
            return refusal
        return NotLegal(f"{self.game.words.mention(move)} is not possible here.")

    def _verdict(self, move: Move) -> list[str]:
        puzzle = self._puzzle
        cost, spoken = puzzle.costs[move], self.game.words.mention(move)
        first = self._first(cost)
        if cost > RIGHT:
            lines = [f"Not solved: {spoken} costs {in_points(cost)}."]
        elif first <= RIGHT:
            lines = [f"Solved: {spoken} costs nothing."]
        else:
            lines = [f"Right: {spoken} costs nothing. Only a day's first answer counts as solved."]
        lost = ", ".join(f"{each.player} {in_points(each.cost)}" for each in puzzle.bots)
        return [*lines, f"{puzzle.right} {puzzle.contrast(move)}", f"Lost here on average: {lost}."]

    def _first(self, cost: float) -> float:
        """What the first answer cost that counts for this day, perhaps this one."""
        if not self._counts or self._puzzle.day is None:
            return cost
        preferences.remember_answer(self._puzzle.day, 0.0 if cost <= RIGHT else cost)
        return preferences.vault_answers().get(self._puzzle.day.isoformat(), cost)

    def _to_copy(self, cost: float) -> str:
        """The result in a line or two to send to somebody, without the answer."""
        first = self._first(cost)
        result = "solved" if first <= RIGHT else f"lost {in_points(first)}"
        nudged = " with a hint" if self._nudged else ""
        line = f"strongroom puzzle, {headline(self._puzzle)}: {result}{nudged}"
        day = self._puzzle.day if self._counts else None
        return line if day is None else f"{line}\n{preferences.vault_squares(day)}"


def find_puzzle(day: date, game: Game | None = None) -> Puzzle:
    """The puzzle of a day; a person who waits for it is told so."""
    waits = (
        print_if_slow("Looking for the puzzle …", SLOW) if sys.stderr.isatty() else nullcontext()
    )
    with waits:
        return todays(day, game)


def play_on(puzzle: Puzzle, looks: Looks) -> int:
    """Go on from the position of a puzzle against master; return the exit code."""
    game, view, rng = puzzle.game, puzzle.view, Random()
    you = view.seat
    assert you is not None
    hidden: Sequence[Move] = game.sample(view, rng).secrets[you.other.index]
    if puzzle.odds:
        hidden = rng.choices([*puzzle.odds], [*puzzle.odds.values()])
    secrets = {you: iter(view.secret), you.other: iter(hidden)}
    coins = (event.move for event in view.history if event.actor is CHANCE)
    one, two = (Sitter(puzzle.names[each], PERSON if each is you else CERTIFIED) for each in Seat)
    aids = preferences.aids_on()
    match = Match.start(game, (one, two), draw=lambda *_: next(coins), aids=aids)
    while isinstance(actor := match.actor, Seat) and match.view(actor).setting_up:
        match = match.step(actor, next(secrets[actor]))
    for event in view.history:
        if isinstance(event.actor, Seat):
            match = match.step(event.actor, event.move)
    return Wishes(game, (one, two), looks=looks).series(match.record).play()


def headline(puzzle: Puzzle) -> str:
    """The day, the game and the difficulty."""
    day = "" if puzzle.day is None else f"{puzzle.day.day} {puzzle.day:%B %Y} · "
    return f"{day}{puzzle.title} · level {puzzle.difficulty} of 5"
