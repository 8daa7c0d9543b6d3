"""Win probabilities in Safecracker Duel for an observer who sees both codes."""

from __future__ import annotations

from strongroom.contract import AnyState, Seat
from strongroom.theory.safecracker_duel.player import DialPlayer

DRAWN_TURNS = 3
"""How many turns are drawn from mixtures; later ones follow from the codes and the safes."""
ENDLESS = 0.5


def truth(player: DialPlayer, state: AnyState) -> float:
    """Seat.ONE's win probability if both play on as certified, over all random choices."""
    if state.outcome is not None:
        return float(state.outcome.winner is Seat.ONE)
    assert isinstance(state.actor, Seat)
    if state.turns < DRAWN_TURNS:
        chances = player.policy(state.view(state.actor))
        return sum(float(p) * truth(player, state.play(move)) for move, p in chances.items())
    wins = _winner(player, state, state.actor)
    return ENDLESS if wins is None else float(wins is Seat.ONE)


def _winner(player: DialPlayer, state: AnyState, mover: Seat) -> Seat | None:
    """The winner from the fourth turn on: the mover if it can win now, else the other if it can.

    A mover who cannot win changes back, so the other gets the previous safe, then the mover this
    one again; if neither can win, nobody ever does.
    """
    dial, view = player.dial, state.view(None)
    for seat, turn in ((mover, view.turns), (mover.other, view.turns - 1)):
        if dial.ball[dial.safe(view, turn), dial.number(state.secrets[seat.index][0])]:
            return seat
    return None
