"""How the expert plays Digit Deductions."""

from __future__ import annotations

from strongroom.contract import View
from strongroom.games.codes import Code
from strongroom.players.candidates import codes_left, guesses_of
from strongroom.players.digit_deductions_weights import (
    CORNERS,
    TOWARDS_THE_MIDDLE,
    rather_in_the_middle,
)
from strongroom.players.expert.guessing import must_hit, splitting_guesses
from strongroom.players.ideas import MixedIdea, Mixture, Uniform


class CornersThenSplits(MixedIdea):
    """Hides near the middle; opens with a corner, then guesses what splits best, or shoots.

    It hides two digits, each likelier the nearer it is to 5, opens with any corner, and then
    makes the guess that is expected to leave the fewest numbers; between equals it prefers one
    that may be right. When the opponent has at most two numbers left to try, it guesses any
    number that may be right, with a preference for the middle of the board over its edge.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers, to hide or to guess."""
        if view.setting_up:
            return TOWARDS_THE_MIDDLE
        assert view.seat is not None
        own = guesses_of(view, view.seat)
        if not own:
            return Uniform(CORNERS)
        if not must_hit(view):
            return Uniform(splitting_guesses(view, hit=False))
        return rather_in_the_middle(
            Code(tuple(map(int, digits))) for digits in codes_left(view.game, own)
        )
