"""Hints: the best moves for a player by what they are worth, and why, in a player's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from strongroom.contract import Move, View, Words
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import TIE, MoveEffect, Solution

NEW = "what is worth more would bring about a position for a third time"
"""The reason for the best move of those that repeat nothing so often."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move with the win probability it gives, and why."""

    move: Move
    chance: float
    """How likely it wins, given what the mover knows."""
    effect: MoveEffect
    certified: bool
    """Whether the certified player makes this move here, always or sometimes."""

    @property
    def claim(self) -> tuple[float, bool, str, str]:
        """What is said of the move; moves that differ in it are not equally good."""
        return round(self.chance, 9), self.certified, self.effect.why, self.effect.reason


@dataclass(frozen=True, slots=True)
class Advised:
    """The best moves for a seat, and what their win probabilities rest on."""

    moves: tuple[Advice, ...]
    """Best first, repetitions last; the certified player's best is always among them."""
    assumes: str
    """What the win probabilities assume, as a clause that follows "if"."""
    estimated: bool
    """Whether they are estimates by a belief, and not the worth that is measured by."""
    mixes: bool
    """Whether the certified player plays a mixed strategy here."""

    @property
    def doubt(self) -> Advice | None:
        """The certified player's best move, if another is worth more here; otherwise None."""
        certified = next((each for each in self.moves if each.certified), None)
        return None if certified is self.moves[0] else certified

    @property
    def best(self) -> tuple[Advice, ...]:
        """The best move, and those that are as good for the same reason."""
        return tuple(each for each in self.moves if each.claim == self.moves[0].claim)

    def plain(self, words: Words[Any]) -> str:
        """The best moves in a sentence without figures, and what certified play does otherwise."""
        advice = f"Try {_either(words, self.best)}: {self.best[0].effect.reason}."
        if self.mixes:
            return f"{advice} Master picks at random here."
        if self.doubt is not None:
            return f"{advice} Master plays {words.mention(self.doubt.move)}."
        return advice

    def sentences(self, words: Words[Any]) -> Iterator[str]:
        """A hint, line by line; moves with the same explanation share a line."""
        for claim, alike in groupby(self.moves, key=_line):
            moves = _either(words, alike)
            yield f"{moves[0].upper()}{moves[1:]} {claim}"
        held = f"The percentages hold if {self.assumes}."
        if self.doubt is None and self.estimated:
            yield held
        if self.doubt is not None:
            move = words.mention(self.doubt.move)
            plays = f"picks at random, {move} among others" if self.mixes else f"plays {move}"
            yield f"{held} Master {plays}: that is safe against anybody."


def _line(advice: Advice) -> str:
    """What a hint says of a move: its chance once, and the certified player by its name."""
    certified = ", as Master plays" if advice.certified else ""
    why = advice.effect.why.replace(f"; it wins {advice.chance:.0%}.", ".")
    why = why.replace("the certified player", "Master")
    return f"({advice.chance:.0%} to win{certified}): {why}"


def _either(words: Words[Any], alike: Iterable[Advice]) -> str:
    """Some moves as alternatives: "1-1, 1-9 or 9-1"."""
    return alternatives([words.mention(each.move) for each in alike])


def alternatives(moves: Sequence[str]) -> str:
    """Moves in a sentence; if they differ only in their last word, the others are said once.

    >>> alternatives(["the number 1", "the number 2"]), alternatives(["dial 1 → 3", "dial 2 → 4"])
    ('the number 1 or 2', 'dial 1 → 3 or dial 2 → 4')
    >>> print(alternatives(['"It is not 16"', '"It is not 17"']))
    "It is not 16" or "It is not 17"
    """
    firsts, lasts = zip(*(move.rpartition(" ")[::2] for move in moves), strict=True)
    same = firsts[0] if len(set(firsts)) == 1 and not moves[0].endswith('"') else ""
    *others, last = lasts if same else moves
    return f"{same} {', '.join(others)} or {last}".strip() if others else moves[0]


def advise(view: View, most: int = 3) -> Advised:
    """What to play, for the seat whose view this is: at most `most` moves."""
    solution = solution_of(view.game)
    (values, assumes), certified = solution.worth.judge(view), certified_moves(solution, view)
    estimated = assumes != solution.worth.assumes
    again = {move for move in values if solution.repeats(view, move) and values[move] < 1}
    # Ties go to the move that the certified player is likelier to make.
    ranked = sorted(
        values, key=lambda move: (move in again, -round(values[move], 9), -certified.get(move, 0))
    )
    own = next((move for move in ranked if move in certified), ranked[0])
    best = ranked[:most] if own in ranked[:most] else [*ranked[: most - 1], own]
    effects = {move: solution.effect(view, move) for move in best}
    if max(values.values()) > values[best[0]] + TIE:
        effects[best[0]] = effects[best[0]]._replace(reason=NEW)
    moves = tuple(Advice(move, values[move], effects[move], move in certified) for move in best)
    return Advised(moves, assumes, estimated, len(certified) > 1)


def certified_moves(solution: Solution, view: View) -> dict[Move, float]:
    """The moves that the certified player can make here, with their probabilities."""
    return {move: float(p) for move, p in solution.policy(view).items() if p}
