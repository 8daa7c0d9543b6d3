"""What every game must pass, as functions that the author of a new game can call.

`check_game(load("my-game"), seed=1)` runs them all; each raises an AssertionError that says which
promise of the contract is broken, and where.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import isclose
from random import Random
from typing import NamedTuple

from strongroom.contract import CHANCE, AnyState, Game, Move, Phase, Question, Refusal, Seat, View
from strongroom.drive import Drive
from strongroom.match import Match
from strongroom.players.random import RandomPlayer
from strongroom.randomness import draws, nonces
from strongroom.record import Record

Told = dict[str, str]

VIEWERS = (Seat.ONE, Seat.TWO, None)
TURN_LIMIT = 60

JUNK = ("", "?", "0", "-1", "99", "1 2 3 4 5 6 7", "yes no", "½ é \x00", "x" * 500)
"""Lines that somebody will type one day; a game answers each with a move or a refusal."""

WORLDS_TRIED, WORLDS_COMPARED = 80, 5
TRIED = 2000
"""Of a game with more actions than this, so many are drawn and tried."""


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


def _some(moves: Sequence[Move], rng: Random) -> Sequence[Move]:
    """All of the moves, or a sample with the first and the last of them where they are many."""
    if len(moves) <= TRIED:
        return moves
    return [moves[0], *rng.sample(moves, TRIED), moves[-1]]


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
    _check_numbers(state)
    if state.keeper is not None and not over:
        assert state.actor in (state.keeper, CHANCE), "A private thing is its keeper's, or dealt."
    if state.outcome is not None:
        assert state.outcome.reason in state.game.reasons, "The game lists why it can end."
        assert state.game.words.won(state.outcome), "The words say why the game ended."
    _check_odds(state)
    for viewer in VIEWERS:
        _check_view(state, state.view(viewer), viewer)


def _check_numbers(state: AnyState) -> None:
    """The moves are listed once each, in the order of their numbers, within their section."""
    runs = state.game.actions.ranges(state.moves)
    assert all(one[1] < other[0] for one, other in pairwise(runs)), (
        f"A move is listed twice, or not in the order of the numbers:\n{state.moves}"
    )
    phase = Phase.CHANCE if state.actor is CHANCE else Phase.TURN
    section = state.game.actions.section(Phase.SET_UP if state.setting_up else phase)
    for first, end in runs:
        assert section.start <= first < end <= section.stop, f"Moves are outside of {section}."


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
    assert after.log[:grown] == before.log[:], f"{move} rewrites what happened in the open."
    assert 0 <= after.turns - before.turns <= 1, f"{move} counts as several turns."
    if before.setting_up:
        assert after.log == before.log, f"{move} is private, but something public happened."
    else:
        assert after.secrets == before.secrets, f"{move} changes a secret after the set-up."


def check_moves(game: Game, rng: Random) -> None:
    """At every state, `moves` are exactly what `play` accepts, and a refusal changes nothing."""
    for state in _moments(playout(game, rng).states, _opening(game), rng):
        printed = repr(state)
        legal = state.moves if len(state.moves) > TRIED else frozenset(state.moves)
        for action in _some(game.actions, rng):
            refusal = _refusal(partial(state.play, action))
            if refusal is None:
                assert action in legal, f"{action} is accepted, but not listed:\n{printed}"
            else:
                assert action not in legal, f"{action} is listed, but refused: {refusal}"
                assert refusal.reason, f"{action} is refused without a reason."
        assert repr(state) == printed, f"A state was changed by a refusal:\n{printed}\n{state!r}"


def check_texts(game: Game, rng: Random) -> None:
    """Every move has one number and one text, and any line gets a decent answer."""
    same = type(game)(game.options).actions
    assert len(same) == len(game.actions), "The actions are not always the same."
    for action in _some(game.actions, rng):
        number = game.actions.index(action)
        assert game.actions[number] == same[number] == action, "The actions have no fixed order."
        assert game.move(str(action)) == action, f"{action} is read back as another action."
    for state in _moments(playout(game, rng).states, _opening(game), rng):
        if isinstance(state.actor, Seat):
            _check_understood(game, state.view(state.actor), rng)


def _check_understood(game: Game, view: View, rng: Random) -> None:
    words = game.words
    for move in _some(view.moves, rng):
        text = words.text(move)
        read = words.parse(text, view)
        assert read == move, f"{text!r} is read as {read!r}."
    lenient = f"  {text.upper()} "
    assert words.parse(lenient, view) == move, f"{lenient!r} is not read as {move}."
    for pick in _some(words.picks(view), rng):
        assert pick in view.moves, f"{pick} may be picked for somebody, but is not legal."
    question = words.question(view)
    assert question.prompt, "A question has a prompt."
    assert question.accepted, "A question says what is accepted."
    for line in (*JUNK, "9" * 5000, "\x1b]0;x\x07", "request" + " " * 60_000 + "x"):
        _check_line(game, partial(words.parse, line, view), line)
        _check_line(game, partial(words.answer, line, view, question), line)


def _check_line(game: Game, read: Callable[[], object], line: str) -> None:
    refusal = _refusal(read)
    if refusal is None:
        meant = read()
        assert isinstance(meant, Question) or meant in game.actions, (
            f"{line!r} is read as {meant!r}, which is no action."
        )
    else:
        assert refusal.reason, f"{line!r} is refused without a reason."
        told = str(refusal)
        assert told.replace("\n", "").isprintable(), f"{line!r} is quoted raw: {told!r}."
        assert len(told) < 5000, f"{line[:20]!r} is quoted at length."


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
    read = Record.loads(text, game)
    assert read == match.record, f"A record changes on its way through text:\n{text}"
    assert read.dumps() == text, f"Equal records, unequal texts:\n{text}\n{read.dumps()}"
    assert read.replay() == match.state, f"A record replays to another end:\n{text}"
    assert read.outcome is not None, f"The match stopped before its end:\n{text}"
    for step in match.record.steps:
        for viewer in VIEWERS:
            seen = step.seen_by(viewer)
            known = step.keeper in (None, viewer)
            assert (seen.move, seen.nonce) == ((step.move, step.nonce) if known else (None, None))


def _match(game: Game, seed: int) -> Match:
    match = Match.start(game, turn_limit=TURN_LIMIT, draw=draws(seed), nonce=nonces(seed))
    players = {seat: RandomPlayer(game, Random(seed + seat.value)) for seat in Seat}
    return Drive(match, players, clock=lambda: 0.0).run()


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
        hidden = state.keeper is not None and state.keeper is not viewer
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
    }
    if viewer is not None and state.actor is viewer:
        told["question"] = repr(words.question(view))
        for line in (*JUNK, *map(words.text, tries)):
            told[f"answer to {line!r}"] = repr(_refusal(partial(words.parse, line, view)))
        for move in tries:
            refusal = _refusal(partial(state.play, move))
            told[f"refusal of {move}"] = repr(refusal and words.refused(refusal, view))
    return told


def _refusal(attempt: Callable[[], object]) -> Refusal | None:
    try:
        attempt()
    except Refusal as refusal:
        return refusal
    return None


CHECKS = (check_random_play, check_moves, check_texts, check_views, check_records, check_no_leak)
"""All of them, in the order of what breaks first."""
