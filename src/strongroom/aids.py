"""What is left: an aid that counts what a player has still to reckon with."""

from __future__ import annotations

from strongroom.contract import Event, Left, Seat, View
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.safe_code.rules import SafeCode
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safecracker_duel.rules import CODES, SafecrackerDuel

MOST = 100_000
"""So many codes are counted; before the first guesses a larger variation has no count."""


def left_for(view: View, seat: Seat) -> Left | None:
    """What the opponent's secret can still be, by all that was said aloud; None: not counted."""
    game = view.game
    if isinstance(game, SafecrackerDuel):
        shown = {event.answer for event in view.history}
        return {code.digits for code in CODES.codes if code not in shown}
    # Imported here: nobody should wait for numpy before there is something to count.
    from strongroom.players.candidates import codes_left, guesses_of, numbers_left

    if isinstance(game, SafeCode):
        return {(number,) for number in numbers_left(_made_by(view, seat))}
    if isinstance(game, SafeCracker | DigitDeductions):
        codes = codes_left(game, guesses_of(view, seat))
        return {tuple(code) for code in codes.tolist()} if len(codes) <= MOST else None
    return None


def _made_by(view: View, seat: Seat) -> list[Event]:
    return [event for event in view.history if event.actor is seat]
