"""What moves are worth against a known player, by brute force over the rules alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from strongroom.contract import CHANCE, Game, Move, Seat, View
from strongroom.referee.bout import Bout
from strongroom.theory.worth import Policy, Probability

Belief = list[tuple[Bout, float]]


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
                    winner = after.outcome.winner
                    won += share * (0.5 if winner is None else float(winner is view.seat))
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
