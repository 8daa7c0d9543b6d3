"""Advice for Digit Deductions: what a move does, and its worth against the certified player."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from strongroom.contract import Move
from strongroom.theory.digit_deductions.board import ALL, CODES, Cell, Trials, candidates, split
from strongroom.theory.digit_deductions.knowledge import Knowledge, number
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import DiagonalResponse
from strongroom.theory.digit_deductions.response import StrayResponse, guesses, posterior
from strongroom.theory.digit_deductions.worth import DiagonalWorth
from strongroom.theory.move_effect import SPLITS, MoveEffect, guess
from strongroom.theory.worth import Unreachable


def belief(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """The belief about the certified player's secret after its guesses and its answers.

    If the player never guesses like that, its guesses are ignored; if it never hides a number that
    fits, all numbers that fit are equally likely.
    """
    if odds := posterior(them, own, theirs):
        return odds
    likely = {s: Fraction(them.secrets[s]) for s in candidates(theirs)}
    for belief in (likely, dict.fromkeys(likely, Fraction(1))):
        if total := sum(belief.values()):
            return {s: n / total for s, n in belief.items() if n}
    raise ValueError("No number fits these answers.")


class Adviser:
    """Values the moves of a seat whose opponent is the certified player."""

    def __init__(self, worth: DiagonalWorth) -> None:
        self.worth, self.players = worth, worth.players

    def values(self, here: Knowledge) -> dict[Move, float]:
        """The win probability of each move against the certified opponent, with best play after it.

        If the opponent has left its strategy, `belief` weighs its numbers and
        `DiagonalPlayer.weights` predicts its guesses; before TWO's first guess, `race` then gives
        an estimate.
        """
        try:
            won = self.worth.numbers(here, None)
        except Unreachable:
            won = self._against_another(here)
        return dict(zip(CODES, won, strict=True))

    def _against_another(self, here: Knowledge) -> list[float]:
        """What each guess wins against an opponent who has left its strategy."""
        assert here.secret is not None
        them, known = self.players[here.seat.other], candidates(here.theirs)
        odds = belief(them, here.theirs, here.own)
        if not here.own:
            return [race(g, odds, known) for g in ALL]
        if them.strays(here.theirs, odds):
            return StrayResponse(odds).guesses(known, candidates(here.own))[here.secret]
        return guesses(DiagonalResponse(them), odds, here.theirs, here.own)[here.secret]

    def told(self, here: Knowledge, move: Move) -> MoveEffect:
        """What a move does: what it can hit, and how it splits the candidates."""
        guessed = number(move)
        if here.secret is None:
            secrets = self.players[here.seat].secrets
            games = f"hidden in {secrets[guessed] / sum(secrets):.1%} of perfectly played games"
            return MoveEffect(f"It is {games}.", f"is {games}")
        known, hidden = candidates(here.own), candidates(here.theirs)
        sizes = [len(cell) for _, cell in split(known, guessed)]
        return guess(sizes, "numbers", guessed in known, len(hidden) == 1)

    def plainly(self, here: Knowledge, move: Move) -> str:
        """Why to make a move; it "splits best" if it leaves the fewest numbers on average."""
        plain = self.told(here, move).plain
        if not plain.endswith(SPLITS):
            return plain
        known = candidates(here.own)
        left = [sum(len(cell) ** 2 for _, cell in split(known, g)) for g in ALL]
        return f"{plain} best" if left[number(move)] == min(left) else plain

    def assumes(self, here: Knowledge) -> str:
        """What the values assume about the opponent."""
        them = self.players[here.seat.other]
        if here.secret is None or posterior(them, here.theirs, here.own):
            return "the opponent plays the certified strategy"
        if not here.own:
            return "the opponent left the certified strategy but hid by it, and both now race"
        return "the opponent left the certified strategy but hid by it, and still follows its rules"


def race(tried: int, odds: Mapping[int, Fraction], hidden: Cell) -> float:
    """An estimate: hit now, or survive and hit next time, or survive twice and know everything."""
    cells = split(tuple(odds), tried)
    now = float(odds.get(tried, 0))
    then = sum(float(max(odds[s] for s in cell)) for answer, cell in cells if answer)
    missed_once = 1 - 1 / len(hidden)
    told = max(len(split(hidden, g)) for g in hidden)
    return now + missed_once * (then + (1 - now - then) * max(0.0, 1 - told / len(hidden)))
