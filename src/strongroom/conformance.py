"""What every game must pass, as functions that the author of a new game can call.

`check_game(load("my-game"), seed=1)` runs them all; each raises an AssertionError that says which
promise of the contract is broken, and where.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from math import isclose
from random import Random
from typing import Any, NamedTuple

from strongroom.game import CHANCE, Game, Move, Refusal, Seat, State, View
from strongroom.match import Match
from strongroom.players.random import RandomPlayer
from strongroom.record import Record

AnyState = State[Any, Any, Any]
Told = dict[str, str]

VIEWERS = (Seat.ONE, Seat.TWO, None)
TURN_LIMIT = 60

JUNK = ("", "?", "0", "-1", "99", "1 2 3 4 5 6 7", "yes no", "½ é \x00", "x" * 500)
"""Lines that somebody will type one day; a game answers each with a move or a refusal."""

WORLDS_TRIED, WORLDS_COMPARED = 80, 5


class Playout(NamedTuple):
    """A game played at random: every state, and the move made in each but the last."""

    states: list[AnyState]
    moves: list[Move]


def playout(game: Game, rng: Random, longest: int = 400) -> Playout:
    """One game with every choice drawn from `rng`, to the end or to the longest length."""
    states: list[AnyState] = [game.start()]
    moves: list[Move] = []
    while states[-1].outcome is None and len(moves) < longest:
        moves.append(_draw(states[-1], rng))
        try:
            states.append(states[-1].play(moves[-1]))
        except Refusal as refusal:
            raise AssertionError(f"{moves[-1]} is listed, but refused: {refusal}") from refusal
    return Playout(states, moves)


def _draw(state: AnyState, rng: Random) -> Move:
    assert state.moves, f"The game goes on, but {state.actor} has no move:\n{state!r}"
    weights = state.odds if state.actor is CHANCE else None
    move: Move = rng.choices(state.moves, weights)[0]
    return move


def _moments(states: Sequence[AnyState], opening: int, rng: Random) -> list[AnyState]:
    """The opening, a few states from the middle, and the last."""
    *others, last = states
    middle = others[opening:]
    return [*others[:opening], *rng.sample(middle, min(4, len(middle))), last]


def _opening(game: Game) -> int:
    """How many states to look at from the start: the set-up and each player's first turns."""
    return 2 * game.secrets_each + 4


# --- the checks ----------------------------------------------------------------------------------


def check_game(game: Game, seed: int) -> None:
    """Run every check on a game; the same seed tries the same things."""
    for check in CHECKS:
        check(game, Random(f"{seed} {check.__name__}"))


def check_random_play(game: Game, rng: Random) -> None:
    """Random play to the end breaks no promise of a state, and no state ever changes."""
    states, moves = playout(game, rng)
    prints = [repr(state) for state in states]
    for state in states:
        _check_state(state)
    for before, move, after in zip(states, moves, states[1:], strict=False):
        _check_step(before, move, after)
    for state, printed in zip(states, prints, strict=True):
        assert repr(state) == printed, f"A state was changed by later play:\n{printed}\n{state!r}"


def _check_state(state: AnyState) -> None:
    over = state.outcome is not None
    assert over == (state.actor is None), f"There is an actor until the game is over:\n{state!r}"
    assert over == (not state.moves), (
        f"A game that goes on has moves, one that is over none:\n{state!r}"
    )
    assert len(set(state.moves)) == len(state.moves), f"A move is listed twice:\n{state.moves}"
    assert not (state.setting_up and state.actor is CHANCE), "Nothing is drawn in the set-up."
    if state.outcome is not None:
        assert state.outcome.reason, "An outcome says why the game ended."
    _check_odds(state)
    for viewer in VIEWERS:
        _check_view(state, state.view(viewer), viewer)


def _check_odds(state: AnyState) -> None:
    try:
        odds = state.odds
    except Refusal:
        assert state.actor is not CHANCE, "A chance state has odds."
        return
    assert state.actor is CHANCE, "Only a chance state has odds."
    assert len(odds) == len(state.moves), f"{len(odds)} odds for {len(state.moves)} moves."
    assert all(chance > 0 for chance in odds), f"A move that cannot happen is listed: {odds}."
    assert isclose(sum(odds), 1), f"The odds sum to {sum(odds)}, not to 1: {odds}."


def _check_view(state: AnyState, view: View, viewer: Seat | None) -> None:
    own = viewer is not None and viewer is state.actor
    assert view.moves == (state.moves if own else ()), f"{viewer} sees moves of {state.actor}."
    secret = state.secrets[viewer.index] if viewer is not None else ()
    assert view.secret == secret, f"{viewer} sees {view.secret} as what it chose itself."
    assert view.outcome == state.outcome, f"{viewer} is shown another outcome: {view.outcome}."
    revealed = None if state.outcome is None else state.secrets
    assert view.secrets == revealed, f"{viewer} sees {view.secrets}; secrets wait for the end."


def _check_step(before: AnyState, move: Move, after: AnyState) -> None:
    assert before.play(move) == after, f"{move}, played twice, gives two different states."
    grown = len(before.log)
    assert after.log[:grown] == before.log, f"{move} rewrites what happened in the open."
    assert 0 <= after.turns - before.turns <= 1, f"{move} counts as several turns."
    if before.setting_up:
        assert after.log == before.log, f"{move} is private, but something public happened."
    else:
        assert after.secrets == before.secrets, f"{move} changes a secret after the set-up."


def check_moves(game: Game, rng: Random) -> None:
    """At every state, `moves` are exactly what `play` accepts, and a refusal changes nothing."""
    actions = set(game.actions)
    for state in _moments(playout(game, rng).states, _opening(game), rng):
        legal, printed = set(state.moves), repr(state)
        assert legal <= actions, f"Not among the game's actions: {legal - actions}."
        for action in game.actions:
            refusal = _refusal(partial(state.play, action))
            if refusal is None:
                assert action in legal, f"{action} is accepted, but not listed:\n{printed}"
            else:
                assert action not in legal, f"{action} is listed, but refused: {refusal}"
                assert refusal.reason, f"{action} is refused without a reason."
        assert repr(state) == printed, f"A state was changed by a refusal:\n{printed}\n{state!r}"


def check_texts(game: Game, rng: Random) -> None:
    """Every move has one text that is read back as that move; any line gets a decent answer."""
    assert type(game)(game.options).actions == game.actions, "The actions have no fixed order."
    for action in game.actions:
        assert game.move(str(action)) == action, f"{action} is read back as another action."
    for state in _moments(playout(game, rng).states, _opening(game), rng):
        if isinstance(state.actor, Seat):
            view = state.view(state.actor)
            for move in view.moves:
                read = game.parse(str(move), view)
                assert read == move, f"{str(move)!r} is read as {read!r}."
            lenient = f"  {str(move).upper()} "
            assert game.parse(lenient, view) == move, f"{lenient!r} is not read as {move}."
            for line in (*JUNK, "9" * 5000):
                _check_line(game, line, view)


def _check_line(game: Game, line: str, view: View) -> None:
    refusal = _refusal(partial(game.parse, line, view))
    if refusal is None:
        move = game.parse(line, view)
        assert move in game.actions, f"{line!r} is read as {move!r}, which is no action."
    else:
        assert refusal.reason, f"{line!r} is refused without a reason."


def check_views(game: Game, rng: Random) -> None:
    """A view goes to JSON text and back, for both seats and for a spectator."""
    for state in _moments(playout(game, rng).states, _opening(game), rng):
        for viewer in VIEWERS:
            view = state.view(viewer)
            read = View.from_json(game, json.loads(json.dumps(view.to_json())))
            assert read == view, f"A view changes on its way through JSON:\n{view!r}\n{read!r}"
            assert read.to_json() == view.to_json(), f"Equal views, unequal JSON:\n{view!r}"


def check_records(game: Game, rng: Random) -> None:
    """A record goes to text and back and replays to an equal end; a seed decides all of it."""
    seed = rng.getrandbits(32)
    match, again = _match(game, seed), _match(game, seed)
    text = match.record.dumps()
    assert again.record.dumps() == text, f"Seed {seed} gives two records."
    read = Record.loads(text)
    assert read == match.record, f"A record changes on its way through text:\n{text}"
    assert read.dumps() == text, f"Equal records, unequal texts:\n{text}\n{read.dumps()}"
    assert read.replay() == match.state, f"A record replays to another end:\n{text}"
    assert read.outcome is not None, f"The match stopped before its end:\n{text}"


def _match(game: Game, seed: int) -> Match:
    match = Match(game, Random(seed), turn_limit=TURN_LIMIT, clock=lambda: 0.0)
    match.run({seat: RandomPlayer(Random(seed + seat.value)) for seat in Seat})
    return match


# --- no leak -------------------------------------------------------------------------------------


def check_no_leak(game: Game, rng: Random) -> None:
    """A seat sees and hears the same, byte for byte, whatever differs that it may not know."""
    if not game.secrets_each:
        return
    compared = 0
    states, moves = playout(game, rng, longest=100)
    tries = rng.sample(game.actions, min(12, len(game.actions)))
    for viewer in VIEWERS:
        tried = [_other_world(states, moves, viewer, rng) for _ in range(WORLDS_TRIED)]
        different = [world for world in tried if world[-1] != states[len(world) - 1]]
        worlds = sorted(different, key=len)[-WORLDS_COMPARED:]
        told = [_told(state, viewer, tries) for state in states[: max(map(len, worlds), default=0)]]
        for world in worlds:
            for state, here, other in zip(states, told, world, strict=False):
                if other != state:
                    _check_alike(here, _told(other, viewer, tries), viewer, state, other)
                    compared += 1
    assert compared, "No two states were found that differ in a secret alone."


def _other_world(
    states: Sequence[AnyState], moves: Sequence[Move], viewer: Seat | None, rng: Random
) -> list[AnyState]:
    """The same game with other secrets, as far as the viewer cannot tell it from the real one."""
    other = states[0]
    world = [other]
    for state, move, after in zip(states, moves, states[1:], strict=False):
        hidden = state.setting_up and state.actor is not viewer
        if hidden and (move not in other.moves or rng.random() < 0.5):
            move = rng.choice(other.moves)
        if move not in other.moves:
            assert state.actor is not viewer, f"{viewer} may play {move} or not, by a hidden thing."
            break  # with that secret the opponent could not have moved so
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
        assert text == there[form], (
            f"{who} learns a hidden thing from the {form}:\n"
            f"{text}\nas against\n{there[form]}\n{secrets}"
        )


def _told(state: AnyState, viewer: Seat | None, tries: Sequence[Move]) -> Told:
    """All that a seat or a spectator can see and hear at a state, by the form it comes in."""
    game: Game = state.game
    view = state.view(viewer)
    told = {
        "view": repr(view),
        "JSON": json.dumps(view.to_json()),
        "prompt": view.prompt,
        "announcement": game.say(view),
        "picture": game.picture(view),
        "record": "\n".join(map(game.note, view.history)),
        "help": game.accepts(view),
    }
    if viewer is not None and state.actor is viewer:
        for line in (*JUNK, *map(str, tries)):
            told[f"answer to {line!r}"] = repr(_refusal(partial(game.parse, line, view)))
        for move in tries:
            told[f"refusal of {move}"] = repr(_refusal(partial(state.play, move)))
    return told


def _refusal(attempt: Callable[[], object]) -> Refusal | None:
    try:
        attempt()
    except Refusal as refusal:
        return refusal
    return None


CHECKS = (check_random_play, check_moves, check_texts, check_views, check_records, check_no_leak)
"""All of them, in the order of what breaks first."""
