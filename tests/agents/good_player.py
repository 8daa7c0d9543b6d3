"""Answers that are perfect at Quantum Duel, from nothing but the text of the question."""

from __future__ import annotations

import re
from random import Random

from strongroom.contract import AnyState, Json, Seat
from strongroom.players import player
from strongroom.plugins.registry import load
from tests.agents.api_server import Deed, Says, asked, in_form

GAME = load("quantum-duel")
TURN = re.compile(
    r"^\d+\. [^:]+: (\d)(?: (unchallenged)| (challenged), (heads|tails))?", re.MULTILINE
)
DEED = re.compile(r"^\d+\. (?:A|B|The coin) (.+)$", re.MULTILINE)
REPLIES = {"unchallenged": "no", "challenged": "yes", "doubts it": "yes", "lets it hang": "no"}


def answers_perfectly(body: Json) -> Deed:
    """The certified player's move, in the form that is wanted."""
    state = position(asked(body))
    assert isinstance(state.actor, Seat)
    move = player("master", GAME, Random(1)).choose(state.view(state.actor))
    return Says(in_form(body, str(move)), reasoning="I know this one.")


def position(question: str) -> AnyState:
    """The state that the record in a question leads to."""
    state: AnyState = GAME.start()
    for text in _moves(question):
        state = state.play(GAME.move(text))
    return state


def _moves(question: str) -> list[str]:
    if question.startswith("You are Player"):
        return [REPLIES.get(each, each) for turn in TURN.findall(question) for each in turn if each]
    found: list[str] = []
    for deed in DEED.findall(question):
        said = deed.partition(",")[0]
        coin = found and found[-1] == "yes"
        if coin:
            found.append("heads" if said == "lets it hang" else "tails")
        else:
            found.append(REPLIES.get(said) or said[-1])
    return found
