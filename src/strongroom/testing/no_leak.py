"""The check that nobody learns what they may not know, from anything that they see and hear."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from functools import lru_cache, partial
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

from strongroom.contract import AnyState, Game, Move, Refusal, Seat
from strongroom.minds.dialogue import Dialogue, Style
from strongroom.testing.playouts import JUNK, VIEWERS, playout, refusal_of

if TYPE_CHECKING:
    from strongroom.minds.observation import Observer

Told = dict[str, str]

WORLDS_TRIED, WORLDS_COMPARED = 80, 5


def check_no_leak(game: Game, rng: Random) -> None:
    """What a seat sees and hears does not depend, byte for byte, on what it may not know."""
    if not game.secrets_each:
        return
    compared = 0
    states, moves = playout(game, rng, longest=100)
    tries = rng.sample(game.actions, min(12, len(game.actions)))
    for viewer in VIEWERS:
        tried = [other_world(states, moves, viewer, rng) for _ in range(WORLDS_TRIED)]
        different = [world for world in tried if world[-1] != states[len(world) - 1]]
        worlds = sorted(different, key=len)[-WORLDS_COMPARED:]
        told = [
            _all_told(state, viewer, tries) for state in states[: max(map(len, worlds), default=0)]
        ]
        for world in worlds:
            for state, here, other in zip(states, told, world, strict=False):
                if other != state:
                    _check_alike(here, _all_told(other, viewer, tries), viewer, state, other)
                    compared += 1
    assert compared, "No two states were found that differ in a secret alone."


def other_world(
    states: Sequence[AnyState], moves: Sequence[Move], viewer: Seat | None, rng: Random
) -> list[AnyState]:
    """The same game with other secrets, up to where the viewer can tell it from the real one."""
    other = states[0]
    world = [other]
    for state, move, after in zip(states, moves, states[1:], strict=False):
        hidden = state.keeper is not None and state.keeper is not viewer
        if hidden and (move not in other.moves or rng.random() < 0.5):
            move = rng.choice(other.moves)
        if move not in other.moves:
            assert state.actor is not viewer, f"{viewer} may play {move} or not, by a hidden thing."
            break  # with that secret the opponent could not have made this move
        other = other.play(move)
        if not state.setting_up and (other.log, other.outcome) != (after.log, after.outcome):
            break  # the referee's answer tells the worlds apart, as it should
        if after.outcome is not None:
            break  # all is revealed
        world.append(other)
    return world


def _check_alike(
    here: Told, there: Told, viewer: Seat | None, state: AnyState, other: AnyState
) -> None:
    who = viewer or "A spectator"
    secrets = f"when the secrets are {state.secrets}\nas against {other.secrets}"
    for form, text in here.items():
        assert text == there.get(form), (
            f"{who} learns a hidden thing from the {form}:\n"
            f"{text}\nas against\n{there.get(form)}\n{secrets}"
        )


@lru_cache(maxsize=8)
def _observer(game: Game) -> Observer:
    from strongroom.minds.observation import Observer  # it imports numpy, which takes long

    return Observer(game)


def _all_told(state: AnyState, viewer: Seat | None, tries: Sequence[Move]) -> Told:
    """All that a seat or a spectator can see and hear at a state, by the form it comes in."""
    words = state.game.words
    view = state.view(viewer)
    told = {
        "view": repr(view),
        "JSON": json.dumps(words.tell(view)),
        "announcement": words.say(view),
        "narration": words.say(view, here=()),
        "drawing": repr([words.drawing(view, seat) for seat in Seat]),
        "board": words.board_shown(view),
        "page": words.page(view),
        "picture": repr(words.picture(view)),
    }
    if viewer is not None:
        observer = _observer(state.game)
        told["mask"] = sha256(observer.mask(view).tobytes()).hexdigest()  # it may be long
        with contextlib.suppress(ValueError):  # an answer that is not listed is another's finding
            told["vector"] = str(observer.observe(view).tolist())
    if viewer is not None and state.actor is viewer:
        told["question"] = repr(words.question(view))
        told["secrecy"] = words.secrecy(view)
        told["prompt"] = Dialogue(state.game, Style(legal_moves=True)).ask(view)
        with contextlib.suppress(Refusal):  # not every game has other words
            style = Style(disguise=True, legal_moves=True)
            told["disguised prompt"] = Dialogue(state.game, style).ask(view)
        for line in (*JUNK, *map(words.text, tries)):
            told[f"answer to {line!r}"] = repr(refusal_of(partial(words.parse, line, view)))
        for move in tries:
            refusal = refusal_of(partial(state.play, move))
            told[f"refusal of {move}"] = repr(refusal and words.reword_refusal(refusal, view))
    return told
