"""The checks that every game must pass, as functions that the author of a new game can call.

`check_game(load("my-game"), seed=1)` runs them all; each raises an AssertionError that says which
promise of the contract is broken, and where.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import isclose
from random import Random
from typing import Any

from strongroom.contract import (
    CHANCE,
    Actions,
    AnyState,
    Candidates,
    Game,
    Move,
    Phase,
    Question,
    Refusal,
    Seat,
    State,
    View,
)
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import ENTRY_NAME, find_entry, is_entry_name, names
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces
from strongroom.referee.record import Record
from strongroom.referee.table import Table
from strongroom.testing.no_leak import check_no_leak
from strongroom.testing.playouts import JUNK, VIEWERS, playout, playout_from, refusal_of

TURN_LIMIT = 60

TRIED = 2000
"""The most actions that are tried; of a larger set, a sample of this size is tried."""


def _moments(game: Game, rng: Random) -> list[AnyState]:
    """The opening of a random game, a few states from its middle, and the last."""
    *others, last = playout(game, rng).states
    opening = 2 * game.secrets_each + 4  # the set-up and each player's first turns
    middle = others[opening:]
    return [*others[:opening], *rng.sample(middle, min(4, len(middle))), last]


def _some(moves: Sequence[Move], rng: Random) -> Sequence[Move]:
    """All of the moves, or a sample that includes the first and the last if there are many."""
    if len(moves) <= TRIED:
        return moves
    return [moves[0], *rng.sample(moves, TRIED), moves[-1]]


# --- the checks ----------------------------------------------------------------------------------


def check_game(game: Game, seed: int) -> None:
    """Run every check on a game; the seed makes the run reproducible."""
    for check in CHECKS:
        check(game, Random(f"{seed} {check.__name__}"))


def check_parts(game: Game, rng: Random) -> None:
    """The game has all its parts, a rules page, and the name of its entry point."""
    kind, first, actions = type(game), game.start(), game.actions
    assert isinstance(first, State), f"start gives {first!r}: return a State."
    unwritten = ", ".join(sorted(getattr(type(first), "__abstractmethods__", ())))
    assert not unwritten, f"{type(first).__name__} does not define {unwritten}."
    assert isinstance(actions, Actions), f"actions are {actions!r}: return Actions of blocks."
    hides, each = bool(actions.section(Phase.SET_UP)), game.secrets_each
    assert hides == (each > 0), (
        f"secrets_each is {each}, and {'some' if hides else 'no'} actions are of Phase.SET_UP: "
        "it is how many secrets each player chooses or is dealt, in that phase."
    )
    _check_name(kind)
    plain, files = kind(game.options), game.rules_files()
    assert plain.words.rules or any(file.is_file() for file in files), (
        f"{plain.rules_page.strip()} Write it in Markdown as {files[0]}, or as rules.md beside it."
    )


def _check_name(kind: type[Game]) -> None:
    """A saved game is looked for by its name."""
    own, installed = kind.name, {name: _class_of(name) for name in names("game")}
    assert is_entry_name(own), f"{own!r} is not {ENTRY_NAME}: give the game such a name."
    for name, found in installed.items():
        assert found is not kind or name == own, (
            f"{kind.__name__} is registered as {name!r}, but its name is {own!r}, by which its "
            "saved games are looked for: call both the same."
        )
    assert installed.get(own, kind) is kind, f"{own!r} is another game's name: choose your own."


def _class_of(name: str) -> object:
    """The class of an installed game; None if its package does not load."""
    try:
        return find_entry("game", name)
    except Refusal:
        return None


def check_random_play(game: Game, rng: Random) -> None:
    """Random play to the end breaks no promise of a state, and no state ever changes."""
    states, moves = playout(game, rng)
    prints = [repr(state) for state in states]
    for state in states:
        _check_state(state)
    for before, move, after in zip(states, moves, states[1:], strict=False):
        _check_step(before, move, after)
    _check_bounds(game, states)
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
        assert state.game.words.win_text(state.outcome), "The words say why the game ended."
    _check_odds(state)
    for viewer in VIEWERS:
        _check_view(state, state.view(viewer), viewer)


def _check_numbers(state: AnyState) -> None:
    """The moves are listed once each, in the order of their numbers, within their section."""
    actions = state.game.actions
    strange = next((move for move in state.moves[:TRIED] if move not in actions), None)
    assert strange is None, f"{strange} is listed, but not among the game's actions:\n{state!r}"
    runs = actions.ranges(state.moves)
    if len(state.moves) <= TRIED:
        told = [number for run in runs for number in range(*run)]
        assert told == [*map(actions.index, state.moves)], f"These moves have other numbers: {runs}"
    assert all(one[1] < other[0] for one, other in pairwise(runs)), (
        f"A move is listed twice, or not in the order of the numbers:\n{state.moves}"
    )
    phase = Phase.CHANCE if state.actor is CHANCE else Phase.TURN
    section = actions.section(Phase.SET_UP if state.setting_up else phase)
    for first, end in runs:
        outside = first if first not in section else end - 1
        assert outside in section, (
            f"{actions[outside]} is listed, but not in a block of {phase}:\n{state!r}"
        )


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


def _check_bounds(game: Game, states: Sequence[AnyState]) -> None:
    """No turn and no game is longer than the rules say."""
    made = Counter(state.turns for state in states[:-1] if not state.setting_up)
    longest = max(made.values(), default=0)
    assert longest <= game.longest_turn, f"A turn has {longest} moves."
    bound = game.longest_game()
    assert bound is None or len(states) <= bound + 1, f"A game has more than {bound} moves."


def check_moves(game: Game, rng: Random) -> None:
    """At every state, `moves` are exactly what `play` accepts, and a refusal changes nothing."""
    for state in _moments(game, rng):
        printed = repr(state)
        legal = state.moves if len(state.moves) > TRIED else frozenset(state.moves)
        for action in _some(game.actions, rng):
            refusal = refusal_of(partial(state.play, action))
            if refusal is None:
                assert action in legal, f"{action} is accepted, but not listed:\n{printed}"
            else:
                assert action not in legal, f"{action} is listed, but refused: {refusal}"
                assert refusal.reason, f"{action} is refused without a reason."
        assert repr(state) == printed, f"A state was changed by a refusal:\n{printed}\n{state!r}"


def check_texts(game: Game, rng: Random) -> None:
    """Every move has one number and one text, and any line gets a decent answer."""
    chance, end = game.actions.section(Phase.CHANCE), len(game.actions)
    assert not chance or chance.stop == end, "The moves of chance do not stand last."
    same = type(game)(game.options).actions
    assert len(same) == len(game.actions), "The actions are not always the same."
    for action in _some(game.actions, rng):
        number = game.actions.index(action)
        assert game.actions[number] == same[number] == action, "The actions have no fixed order."
        assert game.move(str(action)) == action, f"{action} is read back as another action."
    for state in _moments(game, rng):
        if isinstance(state.actor, Seat):
            _check_understood(game, state.view(state.actor), rng)


def _check_understood(game: Game, view: View, rng: Random) -> None:
    words = game.words
    for move in _some(view.moves, rng):
        text = words.text(move)
        try:
            read = words.parse(text, view)
        except Refusal as refusal:
            raise AssertionError(f"{text!r}, a legal move, is refused: {refusal}") from refusal
        assert read == move, f"{text!r} is read as {read!r}."
    lenient = f"  {text.upper()} "
    assert words.parse(lenient, view) == move, f"{lenient!r} is not read as {move}."
    for pick in _some(words.picks(view), rng):
        assert pick in view.moves, f"{pick} may be picked for somebody, but is not legal."
    kind = words.deciding(view)
    assert kind in words.kinds, f"{kind!r} is not among the kinds of decision: {words.kinds}."
    question = words.question(view)
    assert question.prompt, "A question has a prompt."
    assert question.accepted, "A question says what is accepted."
    for line in (*JUNK, "9" * 5000, "\x1b]0;x\x07", "request" + " " * 60_000 + "x"):
        _check_line(game, partial(words.parse, line, view), line)
        _check_line(game, partial(words.answer, line, view, question), line)


def _check_line(game: Game, read: Callable[[], object], line: str) -> None:
    refusal = refusal_of(read)
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


def check_answers(game: Game, rng: Random) -> None:
    """Every answer has one number and one JSON form, and the referee gives no other."""
    answers = game.answers
    assert [*type(game)(game.options).answers] == [*answers], "The answers have no fixed order."
    numbers = [*map(answers.index, answers)]
    assert numbers == [*range(len(answers))], "An answer is listed twice."
    forms = {json.dumps(game.answer_to_json(answer)) for answer in answers}
    assert len(forms) == len(answers), "Two answers have the same JSON form."
    for _, move, answer in playout(game, rng).states[-1].log:
        assert answer in answers, f"{answer!r} to {move} is not among the game's answers."
        listed = answers[answers.index(answer)]
        assert type(listed) is type(answer), f"{answer!r} is listed as {listed!r}."
        read = game.answer_from_json(move, json.loads(json.dumps(game.answer_to_json(answer))))
        assert (read, type(read)) == (answer, type(answer)), f"{answer!r} is read as {read!r}."


def check_views(game: Game, rng: Random) -> None:
    """A view goes to JSON text and back, for both seats and for a spectator."""
    for state in _moments(game, rng):
        for viewer in VIEWERS:
            view = state.view(viewer)
            try:
                read = View.from_json(game, json.loads(json.dumps(view.to_json())))
            except Refusal as refusal:
                raise AssertionError(f"A view's own JSON is refused: {refusal}") from refusal
            assert read == view, f"A view changes on its way through JSON:\n{view!r}\n{read!r}"
            assert read.to_json() == view.to_json(), f"Equal views, unequal JSON:\n{view!r}"


def check_records(game: Game, rng: Random) -> None:
    """A record goes to text and back and replays to an equal end; a seed determines all of it."""
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
    return Table(match, players, clock=lambda: 0.0).run()


def check_samples(game: Game, rng: Random) -> None:
    """A state sampled from a view looks like that view, and the game can go on from it."""
    for state in _moments(game, rng):
        for viewer in VIEWERS:
            view = state.view(viewer)
            sample = game.sample(view, rng)
            assert sample.view(viewer) == view, f"{viewer} can tell\n{sample!r}\nfrom\n{state!r}"
            if state.outcome is None:
                playout_from(sample, rng, longest=20)


def check_candidates(game: Game, rng: Random) -> None:
    """What a seat's opponent may hide is counted right, and each candidate stands for a secret."""
    for state in _moments(game, rng):
        for seat in Seat:
            left = game.candidates(seat)
            if left is None or state.setting_up or state.outcome is not None:
                continue
            left = left.after_all(state.log)
            ends = [left.nth(0), left.nth(len(left) - 1)]
            assert all(each in left for each in ends), f"{ends} are listed, and not contained."
            if len(left) <= TRIED:
                _check_candidates(state, seat, [*left], ends, left)


def _check_candidates(
    state: AnyState, seat: Seat, listed: list[tuple[int, ...]], ends: object, left: Candidates
) -> None:
    assert ends == [listed[0], listed[-1]], f"nth counts in another order than this: {listed}"
    fits, hidden = [*map(state.game.secret_of, listed)], state.secrets[seat.other.index][0]
    assert fits.count(hidden) == 1, f"{hidden} is hidden, and not counted once: {fits}"
    first = listed[0]
    others: list[Any] = [None, "", (), (None,), ([],), (0, *first[1:]), (*first, 1)]
    for odd in others:
        assert (odd in left) == (odd in listed), f"{odd} is contained, and not listed: {listed}"


CHECKS = (
    check_parts,
    check_random_play,
    check_moves,
    check_texts,
    check_answers,
    check_views,
    check_records,
    check_samples,
    check_candidates,
    check_no_leak,
)
"""All of the checks, in the order of what breaks first."""
