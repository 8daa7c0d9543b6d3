"""Digit Deductions as a solved game: its players, what moves are worth and do, and the truth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.theory.digit_deductions.player import (
    ALL,
    CODES,
    FAR,
    Cell,
    DiagonalPlayer,
    Knowledge,
    Trials,
    candidates,
    in_turn,
    knowledge,
    number,
    split,
    trials,
)
from strongroom.theory.digit_deductions.proof import DiagonalResponse, guarantee
from strongroom.theory.digit_deductions.solver import strategies
from strongroom.theory.digit_deductions.worth import (
    DiagonalWorth,
    StrayResponse,
    first_guesses,
    guesses,
    posterior,
    second_guesses,
)
from strongroom.theory.solution import SPLITS, MoveEffect, Report, Solution, Table, guess_effect
from strongroom.theory.worth import Probability, Unreachable


class DigitDeductionsSolution(Solution):
    """Digit Deductions, solved exactly."""

    solving_share = 0.63

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.players = _players(table)

    @cached_property
    def worth(self) -> DiagonalWorth:
        """What each decision is worth against the certified player, exactly."""
        return DiagonalWorth(self.table, self.players)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute both strategies from scratch, and what early guesses are worth against them."""
        table = strategies(report)
        report(0.42, "what each first guess is worth")
        one, two = _players(table).values()
        firsts = first_guesses(one, two)
        report(0.8, "what each second guess is worth")
        seconds = second_guesses(two)
        report(1.0, "solved")
        return {**table, **firsts, **seconds}

    def certify(self, report: Report, every: bool = False) -> tuple[Fraction, Fraction]:
        """Exact lower and upper bound on what ONE wins, from two full best responses.

        With `every`, guesses that cannot pay are tried too: the same result, after many minutes.
        """
        lower = guarantee(
            self.players[Seat.ONE], lambda done, words: report(done / 3, words), every
        )
        upper = guarantee(
            self.players[Seat.TWO], lambda done, words: report((1 + 2 * done) / 3, words), every
        )
        return lower, 1 - upper

    def policy(self, view: View) -> dict[Move, Probability]:
        """The certified player's exact probability of each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else dict(self.players[here.seat].policy(here))

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else self.values_of(here)

    def values_of(self, here: Knowledge) -> dict[Move, float]:
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

    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a move can hit, and how it splits the candidates."""
        here, guess = in_turn(view), number(move)
        if here.secret is None:
            secrets = self.players[here.seat].secrets
            games = f"hidden in {secrets[guess] / sum(secrets):.1%} of perfectly played games"
            return MoveEffect(f"It is {games}.", f"is {games}")
        known, hidden = candidates(here.own), candidates(here.theirs)
        sizes = [len(cell) for _, cell in split(known, guess)]
        effect = guess_effect(sizes, "numbers", guess in known, len(hidden) == 1)
        if effect.reason.endswith(SPLITS) and guess in _best_splits(known):
            return effect._replace(reason=f"{effect.reason} best")
        return effect

    def assumes(self, view: View) -> str:
        """What the values assume about the opponent."""
        here = in_turn(view)
        them = self.players[here.seat.other]
        if here.secret is None or posterior(them, here.theirs, here.own):
            return "the opponent plays the certified strategy"
        if not here.own:
            return "the opponent left the certified strategy but hid by it, and both now race"
        return "the opponent left the certified strategy but hid by it, and still follows its rules"

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both play on as certified, over all random choices."""
        assert isinstance(state.actor, Seat)
        numbers = [number(secret) for (secret,) in state.secrets]

        @cache
        def wins(mover: Seat, guessed: tuple[Trials, Trials]) -> float:
            """The mover's win probability after these guesses of each seat."""
            own, theirs = guessed[mover.index], guessed[mover.other.index]
            hidden = numbers[mover.other.index]
            weights = self.players[mover].weights(own, theirs, numbers[mover.index])
            won = float(weights.get(hidden, 0))
            for guess, weight in weights.items():
                if guess != hidden:
                    then = (*own, (guess, FAR[hidden][guess]))
                    after = (then, theirs) if mover is Seat.ONE else (theirs, then)
                    won += weight * (1 - wins(mover.other, after))
            return won / sum(weights.values())

        view = state.view(None)
        won = wins(state.actor, (trials(view, Seat.ONE), trials(view, Seat.TWO)))
        return won if state.actor is Seat.ONE else 1 - won


def _players(table: Table) -> dict[Seat, DiagonalPlayer]:
    return {seat: DiagonalPlayer(table, seat) for seat in Seat}


def belief(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """The belief about the certified player's secret after its guesses and its answers.

    If the player never guesses like that, its guesses are ignored; if it never hides a number that
    fits, all numbers that fit are equally likely.
    """
    if odds := posterior(them, own, theirs):
        return odds
    likely = {s: Fraction(them.secrets[s]) for s in candidates(theirs)}
    for weights in (likely, dict.fromkeys(likely, Fraction(1))):
        if total := sum(weights.values()):
            return {s: n / total for s, n in weights.items() if n}
    raise ValueError("No number fits these answers.")


def race(tried: int, odds: Mapping[int, Fraction], hidden: Cell) -> float:
    """An estimate: hit now, or survive and hit next time, or survive twice and know everything."""
    cells = split(tuple(odds), tried)
    now = float(odds.get(tried, 0))
    then = sum(float(max(odds[s] for s in cell)) for answer, cell in cells if answer)
    missed_once = 1 - 1 / len(hidden)
    told_apart = max(len(split(hidden, g)) for g in hidden)
    return now + missed_once * (then + (1 - now - then) * max(0.0, 1 - told_apart / len(hidden)))


@cache
def _best_splits(known: Cell) -> frozenset[int]:
    """The guesses that leave the fewest numbers on average."""
    left = [sum(len(cell) ** 2 for _, cell in split(known, g)) for g in ALL]
    return frozenset(g for g in ALL if left[g] == min(left))
