"""Digit Deductions solved: the certificate, the shipped player's probabilities, hints.

What a player knows of the other's number is the set of numbers that fit its own guesses, and it is
public. A corner as first guess turns that set into a diagonal; either end of a diagonal tells all
its numbers apart. So everybody can know everything before the third guess, and the game is about
shooting earlier: when to risk a shot inside the diagonal, and which numbers to hide.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from strongroom.game import Move, Seat, View
from strongroom.games.codes import Code
from strongroom.theory import Report
from strongroom.theory.digit_deductions_player import (
    ALL,
    AT,
    CODES,
    CORNER,
    CORNERS,
    ORBIT,
    ORBITS,
    Cell,
    Player,
    Steps,
    Table,
    candidates,
    distinct,
    fold,
    folded,
    frames,
    labels,
    split,
    useful,
)


class Response:
    """The best response to one player, over every secret and guess, in integers, no symmetry used.

    Unless `every` is set it leaves out guesses that the player, as shipped, treats as a finer one:
    whoever makes them meets the same play and knows less.
    """

    def __init__(self, player: Player, every: bool = False) -> None:
        self.player, self.guesses = player, distinct if every else useful
        self.memo: dict[Any, dict[int, int]] = {}

    def answered(
        self, guess: int, known: Cell, reach: Mapping[int, int], own: Steps, theirs: Steps
    ) -> dict[int, int]:
        """What the player still wins, by the responder's secret, after the responder's guess."""
        total = dict.fromkeys(known, 0)
        for answer, cell in split(tuple(reach), guess):
            if answer:
                left = {s: reach[s] for s in cell}
                for t, won in self.lead(known, left, own, (*theirs, (guess, answer))).items():
                    total[t] += won
        return total

    def follow(
        self, known: Cell, reach: Mapping[int, int], own: Steps, theirs: Steps
    ) -> dict[int, int]:
        """The responder to move, knowing its secret: what the player wins at worst."""
        if len(reach) == 1:  # the player's secret is found out
            return dict.fromkeys(known, 0)
        if len(known) == 1:  # so is the responder's, which therefore shoots at the likeliest
            return {known[0]: sum(reach.values()) - max(reach.values())}
        worst: dict[int, int] = {}
        for guess in self.guesses(candidates(theirs, self.player.support)):
            for t, won in self.answered(guess, known, reach, own, theirs).items():
                worst[t] = min(worst.get(t, won), won)
        return worst

    def lead(
        self, known: Cell, reach: Mapping[int, int], own: Steps, theirs: Steps
    ) -> dict[int, int]:
        """The player to move, as it is shipped: what it wins by the responder's secret."""
        if len(known) == 1:
            return {known[0]: sum(reach.values())}
        state = (known, tuple(reach.items()))
        if own and not self.player.first and ORBIT[theirs[0][0]]:
            # Off the main line TWO's later guesses are even, so that this one is all that matters.
            weights = {s: self.player.weights(own, theirs, s) for s in reach}
            key: Any = (
                *state,
                len(own),
                *(id(w) if len(own) == 1 else 0 for w in weights.values()),
            )
        else:
            key = (*state, *((folded(steps[0]), *steps[1:]) for steps in (own, theirs) if steps))
        if key in self.memo:
            return self.memo[key]
        weights = {s: self.player.weights(own, theirs, s) for s in reach}
        after: dict[int, dict[int, int]] = {}
        for s, mass in reach.items():
            total = sum(weights[s].values())
            for guess, weight in weights[s].items():
                # What is rounded off is lost to the player, so that its result is never too good.
                after.setdefault(guess, {})[s] = mass * weight // total
        won = dict.fromkeys(known, 0)
        for guess, left in after.items():
            for answer, cell in split(known, guess):
                if answer == 0:
                    won[guess] += sum(left.values())
                else:
                    value = self.follow(cell, left, (*own, (guess, answer)), theirs)
                    for t in cell:
                        won[t] += value[t]
        self.memo[key] = won
        return won


def guarantee(player: Player, scale: int, report: Report, every: bool) -> Fraction:
    """The player's worst result against a responder who knows the strategy and is free in all."""
    response = Response(player, every)
    reach = {s: player.secrets[s] * scale for s in player.support}
    worst = dict.fromkeys(ALL, 0 if player.first else sum(reach.values()))
    if player.first:
        quarter = {s: mass // 4 for s, mass in reach.items()}
        for i, corner in enumerate(CORNERS):
            report(i / 4, f"answers to {CODES[corner]}")
            for answer, known in split(ALL, corner):
                own = ((corner, answer),)
                won = (
                    {corner: sum(quarter.values())}
                    if answer == 0
                    else response.follow(known, quarter, own, ())
                )
                for t in known:
                    worst[t] += won[t]
    else:
        for i, guess in enumerate(ALL):
            report(i / len(ALL), f"first guess {CODES[guess]}")
            for t, won_here in response.answered(guess, ALL, reach, (), ()).items():
                worst[t] = min(worst[t], won_here)
    return Fraction(min(worst.values()), sum(reach.values()))


def certify(
    game: object, table: Table, report: Report, every: bool = False
) -> tuple[Fraction, Fraction]:
    """What ONE wins at least and at most, from two full best responses, exactly."""
    one, two = Player(table, Seat.ONE), Player(table, Seat.TWO)
    unit, grain = (int(n) for n in table["grains"])
    lower = guarantee(one, 64 * unit, lambda done, words: report(done / 4, words), every)
    upper = guarantee(
        two,
        128 * grain * sum(two.shot),
        lambda done, words: report((1 + 3 * done) / 4, words),
        every,
    )
    return lower, 1 - upper


def solve(game: object, report: Report) -> dict[str, np.ndarray]:
    """The table, recomputed from nothing."""
    from strongroom.theory.digit_deductions_solver import solve as recompute

    return recompute(report)


_loaded: dict[int, tuple[Table, dict[Seat, Player]]] = {}


def player(table: Table, seat: Seat) -> Player:
    """The shipped player of a seat, made once for each table."""
    if id(table) not in _loaded:
        _loaded[id(table)] = (table, {each: Player(table, each) for each in Seat})
    return _loaded[id(table)][1][seat]


def _steps(view: View, seat: Seat) -> Steps:
    return tuple(
        (_at(event.move), int(event.answer or 0)) for event in view.history if event.actor is seat
    )


def _at(move: Move) -> int:
    if not isinstance(move, Code):
        raise TypeError(f"{move} is not a number.")
    return AT[move]


def _seat(view: View) -> Seat:
    if view.seat is None or view.actor is not view.seat:
        raise ValueError("Only the seat whose turn it is has a move to make.")
    return view.seat


def policy(table: Table, view: View) -> dict[Move, Fraction]:
    """The exact probabilities with which the certified player moves here."""
    seat = _seat(view)
    me = player(table, seat)
    if view.setting_up:
        weights = {s: me.secrets[s] for s in me.support}
    else:
        secret = _at(view.secret[0])
        weights = me.weights(_steps(view, seat), _steps(view, seat.other), secret)
    total = sum(weights.values())
    return {CODES[g]: Fraction(weight, total) for g, weight in sorted(weights.items())}


def belief(them: Player, own: Steps, theirs: Steps) -> dict[int, Fraction]:
    """How likely each secret of the certified player is after its guesses and the answers.

    If it never guesses like that, its guesses tell nothing; if it never hides such a number, all
    that fit are alike.
    """
    likely = {s: Fraction(them.secrets[s]) for s in candidates(theirs)}
    guessed = dict(likely)
    for i, (guess, _) in enumerate(own):
        seen = theirs[: i + (not them.first)]
        for s in [s for s in guessed if guessed[s]]:
            weights = them.weights(own[:i], seen, s)
            guessed[s] *= Fraction(weights.get(guess, 0), sum(weights.values()))
    for belief in (guessed, likely, dict.fromkeys(likely, Fraction(1))):
        if total := sum(belief.values()):
            return {s: n / total for s, n in belief.items() if n}
    raise ValueError("No number fits these answers.")


def values(table: Table, view: View) -> dict[Move, float]:
    """The win probability of each move against the certified opponent, played on perfectly.

    Before one's first guess it is read from the table, later computed. Where the opponent has left
    its strategy, its numbers are weighed as `belief` says and it goes on as `Player.weights` does;
    before TWO's first guess, `_race` then gives an estimate instead.
    """
    seat = _seat(view)
    first = table[f"{seat.name.lower()}_first"]
    if view.setting_up and seat is Seat.ONE:
        return {CODES[s]: float(first[ORBIT[s]].max()) for s in ALL}
    if view.setting_up:
        best = [float(first[fold(t)].max()) if t != CORNER else 0.0 for t in ALL]
        return {CODES[s]: float(np.mean([best[t] for t in ORBITS[ORBIT[s]]])) for s in ALL}
    mine, theirs = _steps(view, seat), _steps(view, seat.other)
    secret = _at(view.secret[0])
    if not mine and seat is Seat.ONE:
        return {CODES[g]: float(first[ORBIT[secret], ORBIT[g]]) for g in ALL}
    if not mine and theirs[0][0] in CORNERS:
        near = frames(folded(theirs[0])[0])[0][secret]
        return {CODES[g]: float(first[near, ORBIT[g]]) for g in ALL}
    odds = belief(player(table, seat.other), theirs, mine)
    if not mine:
        return {CODES[g]: _race(g, odds, candidates(theirs)) for g in ALL}
    response = Response(player(table, seat.other))
    reach = {s: int(10**24 * n) for s, n in odds.items()}
    likely: dict[Any, float] = {}
    for g in ALL:
        told = (labels(tuple(reach), g), g if g in reach else None)
        if told not in likely:
            lost = response.answered(g, candidates(theirs), reach, theirs, mine)[secret]
            likely[told] = 1 - lost / sum(reach.values())
        likely[g] = likely[told]
    return {CODES[g]: likely[g] for g in ALL}


def _race(guess: int, odds: Mapping[int, Fraction], hidden: Cell) -> float:
    """An estimate: hit now, or survive and hit next time, or survive twice and know everything."""
    cells = split(tuple(odds), guess)
    now = float(odds.get(guess, 0))
    then = sum(float(max(odds[s] for s in cell)) for answer, cell in cells if answer)
    missed_once = 1 - 1 / len(hidden)
    told = max(len(split(hidden, g)) for g in hidden)
    return now + missed_once * (then + (1 - now - then) * max(0.0, 1 - told / len(hidden)))


def why(table: Table, view: View, move: Move) -> str:
    """One sentence on a move: what it can hit and how it splits the candidates."""
    seat, guess = _seat(view), _at(move)
    if view.setting_up:
        part = player(table, seat).secrets[guess]
        total = sum(player(table, seat).secrets)
        return f"hidden in {part / total:.1%} of perfectly played games"
    known, hidden = (candidates(_steps(view, each)) for each in (seat, seat.other))
    if known == (guess,):
        return "the only number left"
    sizes = "/".join(str(len(cell)) for _, cell in split(known, guess))
    shot = "can hit, and " if guess in known else ""
    plural = f"{len(known)} remaining numbers"
    last = "your own number is found out, so it must hit now; " if len(hidden) == 1 else ""
    return f"{last}{shot}splits the {plural} {sizes}"
