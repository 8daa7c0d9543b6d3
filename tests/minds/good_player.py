"""Answers that are perfect at Quantum Duel, from nothing but the text of the question."""

from __future__ import annotations

import re
from random import Random

from strongroom.contract import Json, Seat
from strongroom.players import player
from strongroom.plugins.registry import load
from strongroom.testing.perft import after
from tests.minds.api_server import Deed, Says, asked, in_form

GAME = load("quantum-duel")
TURN = re.compile(
    r"^\d+\. [^:]+: (\d)(?:, challenge: (yes|no))?(?:, coin: (heads|tails))?", re.MULTILINE
)


def answers_perfectly(body: Json) -> Deed:
    """The certified player's move, in the form that is wanted."""
    said = [each for turn in TURN.findall(asked(body)) for each in turn if each]
    state = after(GAME.name, *said)
    assert isinstance(state.actor, Seat)
    move = player("master", GAME, Random(1)).choose(state.view(state.actor))
    return Says(in_form(body, str(move)), reasoning="I know this one.")
