"""What moves are worth against a known player, by brute force over the rules alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from strongroom.contract import CHANCE, Game, Move, Seat, View
from strongroom.players import Player, player
from strongroom.referee.bout import Bout
from strongroom.referee.randomness import draws
from strongroom.theory.worth import Policy, Probability, Turns, Worth, turns_left

Belief = list[tuple[Bout, float]]


class Stubborn:
    """Repeats its last move, which tells it nothing, more often than not."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        """The last move again, or any move."""
        mine = [event.move for event in view.history if event.actor is view.seat]
        again = mine and mine[-1] in view.moves and self._rng.random() < 0.7
        return mine[-1] if again else self._rng.choice(view.moves)


class Played(NamedTuple):
    """One game against the certified player: what the player decided, and the last bout."""

    decisions: list[tuple[View, Move]]
    last: Bout


def against_master(game: Game, name: str, seat: Seat, rng: Random, limit: Turns) -> Played:
    """A game of a bot in this seat against the certified player."""
    bot: Player = Stubborn(rng) if name == "stubborn" else player(name, game, rng)
    players = {seat: bot, seat.other: player("master", game, rng)}
    bout, draw, decisions = Bout.start(game, limit), draws(rng.randrange(1000)), []
    while (bout := bout.settle(draw)).outcome is None:
        assert isinstance(bout.actor, Seat)
        view = bout.view(bout.actor)
        move = players[bout.actor].choose(view)
        if bout.actor is seat:
            decisions.append((view, move))
        bout = bout.play(move)
    return Played(decisions, bout)


def result(bout: Bout, seat: Seat | None) -> float:
    """What a finished game is worth to a seat."""
    assert bout.outcome is not None
    winner = bout.outcome.winner
    return 0.5 if winner is None else float(winner is seat)


def mean_after(view: View, move: Move, policy: Policy, worth: Worth, limit: Turns) -> float:
    """The mean of V when the viewer is to move again, over all that it does not know."""
    belief, won, groups = believed(view, policy, limit), 0.0, defaultdict[View, float](float)
    for bout, weight in belief:
        for after, share in until_next(bout.play(move), weight, view.seat, policy):
            if after.outcome is not None:
                won += share * result(after, view.seat)
            else:
                groups[after.view(view.seat)] += share
    won += sum(share * worth.value(v, turns_left(limit, v)) for v, share in groups.items())
    return won / sum(weight for _, weight in belief)


def believed(view: View, policy: Policy, turn_limit: int | None) -> Belief:
    """All bouts that the viewer may be in, with the weights that the other's policy gives them."""
    game, seat = view.game, view.seat
    assert isinstance(game, Game)
    assert seat is not None

    def walk(bout: Bout, weight: float, own: int) -> Iterator[tuple[Bout, float]]:
        shown = len(bout.view(None).history)
        if shown == len(view.history) and bout.state.number == view.number:
            if bout.view(seat) == view:
                yield bout, weight
            return
        moves: Mapping[Move, Probability]
        if bout.state.setting_up:
            mine = bout.actor is seat
            moves = {view.secret[own]: 1.0} if mine else policy(bout.view(seat.other))
            own += mine
        else:
            move = view.history[shown].move
            if bout.actor is CHANCE:
                odds = dict[Move, Probability](zip(bout.state.moves, bout.state.odds, strict=True))
            else:
                odds = {move: 1.0} if bout.actor is seat else {**policy(bout.view(seat.other))}
            moves = {move: odds.get(move, 0.0)}
        for move, chance in moves.items():
            if chance:
                after = bout.play(move)
                past = after.view(None).history
                if [*past] == [*view.history[: len(past)]]:
                    yield from walk(after, weight * float(chance), own)

    return [*walk(Bout.start(game, turn_limit), 1.0, 0)]


def worth_of_moves(
    view: View, policy: Policy, turn_limit: int | None, belief: Belief | None = None
) -> dict[Move, float]:
    """What each move wins if the best response follows it, given what the viewer knows."""
    belief = belief or believed(view, policy, turn_limit)
    total = sum(weight for _, weight in belief)
    assert total > 0, "the policy never leads here"
    worth = {}
    for move in view.moves:
        won, groups = 0.0, defaultdict[View, Belief](list)
        for bout, weight in belief:
            for after, share in until_next(bout.play(move), weight, view.seat, policy):
                if after.outcome is not None:
                    won += share * result(after, view.seat)
                else:
                    groups[after.view(view.seat)].append((after, share))
        for seen, those in groups.items():
            best = max(worth_of_moves(seen, policy, turn_limit, those).values())
            won += best * sum(share for _, share in those)
        worth[move] = won / total
    return worth


def until_next(
    bout: Bout, weight: float, seat: Seat | None, policy: Policy
) -> Iterator[tuple[Bout, float]]:
    """The bouts in which the seat is to move next, or that are over."""
    if bout.outcome is not None or bout.actor is seat:
        yield bout, weight
        return
    if bout.actor is CHANCE:
        odds = dict(zip(bout.state.moves, bout.state.odds, strict=True))
    else:
        assert isinstance(bout.actor, Seat)
        odds = {move: float(p) for move, p in policy(bout.view(bout.actor)).items()}
    for move, chance in odds.items():
        if chance:
            yield from until_next(bout.play(move), weight * chance, seat, policy)
