"""How the expert plays Digit Deductions."""

from __future__ import annotations

from strongroom.contract import View
from strongroom.games.codes import Code
from strongroom.players.candidates import codes_left, guesses_of
from strongroom.players.expert.guessing import must_hit, splitting_guesses
from strongroom.players.ideas import Evenly, MixedIdea, Mixture
from strongroom.players.middle import CORNERS, TOWARDS_THE_MIDDLE, rather_in_the_middle


class CornersThenSplits(MixedIdea):
    """A number near the middle; then a corner, the guess that splits best, or a shot."""

    told = (
        "It hides two digits, each the likelier the nearer it is to 5, opens with any corner, and "
        "then guesses what is expected to leave the fewest numbers possible, one that may itself "
        "be right before one that cannot. "
        "When the opponent has at most two numbers left to try, it shoots at any number that may "
        "be right, a number in the middle of the board rather than one at its edge."
    )

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers, to hide or to guess."""
        if view.setting_up:
            return TOWARDS_THE_MIDDLE
        assert view.seat is not None
        own = guesses_of(view, view.seat)
        if not own:
            return Evenly(CORNERS)
        if not must_hit(view):
            return Evenly(splitting_guesses(view, hit=False))
        return rather_in_the_middle(
            Code(tuple(map(int, digits))) for digits in codes_left(view.game, own)
        )
