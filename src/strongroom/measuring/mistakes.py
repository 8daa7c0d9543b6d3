"""Mistakes: a move with the position in which it was made, and what was better."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from strongroom.contract import Game, Json, Refusal, View, Words, harmless
from strongroom.measuring.protocol import Trial
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import turns_left

LONGEST_THOUGHT: Final = 300
"""How much is shown of what a player said about a move."""


def mistake(trial: Trial, number: int) -> Json:
    """What was done at a step of a game, at which position, and what was better."""
    game, record, seat = trial.fixture.game, trial.record, trial.fixture.seat
    words, solution = game.words, solution_of(game)
    view = next(islice(record.states(), number - 1, None)).view(seat)
    moves = solution.worth.moves(view, turns_left(record.turn_limit, view))
    best = max(moves, key=moves.__getitem__)
    made = record.steps[number - 1].move if number <= len(record.steps) else None
    try:
        why = solution.effect(view, best).why
    except Refusal:
        why = ""
    said = trial.transcript and harmless(trial.transcript.thoughts_before(number), LONGEST_THOUGHT)
    found: Json = {
        "round": trial.fixture.round,
        "seat": seat.value,
        "number": number,
        "turn": record.turns().get(number),
        "picture": _position(words, view),
        "drawing": _drawing(game, view),
        "move": None if made is None else str(made),
        "said": "gave up" if made is None else words.spoken(made),
        "better": str(best),
        "better_said": words.spoken(best),
        "why": why,
    }
    return found | {"thought": said} if said else found


def _drawing(game: Game, view: View) -> Json | None:
    """The board as tiles, with what the player could rule out."""
    assert view.seat is not None
    left = game.candidates(view.seat)
    left = None if left is None or view.setting_up else left.after_all(view.history)
    drawing = game.words.drawing(view, view.seat, left=left)
    return None if drawing is None else drawing.to_json()


def _position(words: Words[Any], view: View) -> str:
    """What the player saw: its own secret, the board, and the record."""
    own = " / ".join(map(words.text, view.secret))
    secret = f"Own {words.secret_name}: {own}" if own else ""
    parts = (secret, words.picture(view), "\n".join(words.notes(view)))
    return "\n\n".join(part for part in parts if part)
