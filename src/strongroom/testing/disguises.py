"""The check that a disguise tells exactly what the game's own words tell, and nothing of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

from strongroom.contract import AnyState, Disguise, Game, Move, Refusal, Seat, View
from strongroom.minds.dialogue import DISGUISE, Dialogue, move_answer
from strongroom.plugins.registry import words_of
from strongroom.testing.no_leak import other_world
from strongroom.testing.playouts import JUNK, playout

SEEDS = ("0", "1", "2", "3")
"""The disguises that are checked: the fixed one, and some that a seed draws."""
WORLDS = 8
"""How many other worlds are looked at, which differ in what is hidden."""
MOST_VIEWS = 100
"""How many views are looked at in each disguise."""
TOLERANCE = 0.05
"""By which part the length of a text may differ."""
SHORTEST = 100
"""Shorter texts may differ in a word or two."""


def check_disguise(
    game: Game, rng: Random, kind: type[Disguise[Any]] | None = None, seeds: Sequence[str] = SEEDS
) -> None:
    """The disguises that seeds draw, by default of the registered kind, tell what the game tells.

    Views that look alike in the game's own words look alike in others, and those that do not do
    not; every move has one text, which is read as that move; nothing own is left; and length and
    layout are the same.
    """
    found: Any = kind or words_of(game, DISGUISE)
    views = [*_views(game, rng)]
    views = rng.sample(views, min(MOST_VIEWS, len(views)))
    for seed in seeds:
        _check(game, found(game, seed), views)


def _views(game: Game, rng: Random) -> Iterator[View]:
    """What both seats see when they are asked, in some games and with other secrets."""
    for _ in range(3):
        states, moves = playout(game, rng, longest=40)
        worlds: list[Sequence[AnyState]] = [states]
        if game.secrets_each:
            seats = [*Seat] * (WORLDS // 2)
            worlds += [other_world(states, moves, seat, rng) for seat in seats]
        for state in chain.from_iterable(worlds):
            if isinstance(state.actor, Seat):
                yield state.view(state.actor)


def _check(game: Game, words: Disguise[Any], views: Sequence[View]) -> None:
    own, other = Dialogue(game), Dialogue(game.in_words(lambda _: words))
    where = f"In the disguise {words.seed} of {game.title}"
    _check_shape(f"{where}, the rules", own.opening, other.opening)
    left = _own_words(words)
    _check_hidden(where, left, other.opening)
    told: dict[str, str] = {}
    for view in views:
        plain, disguised = own.ask(view), other.ask(view)
        assert told.setdefault(plain, disguised) == disguised, f"{where}, {plain!r} is told twice."
        _check_shape(f"{where}, a question", plain, disguised)
        _check_hidden(where, left, disguised)
    assert len({*told.values()}) == len(told), f"{where}, two positions look alike."
    for view in views[:: max(1, len(views) // 20)]:
        moves = view.moves[:100]
        texts = [words.text(move) for move in moves]
        assert len({*texts}) == len(moves), f"{where}, two moves look alike: {texts}"
        for move, text in zip(moves, texts, strict=True):
            assert _read(other, move_answer(text), view) == move, f"{where}, {text!r} is misread."
        for line in JUNK:
            answer = move_answer(words.heard(line))
            assert _read(other, answer, view) == _read(own, move_answer(line), view), (
                f"{where}, {answer!r} is not read as {line!r} is in the game's own words."
            )
            _check_hidden(where, left, _refused(other, answer, view))


def _read(dialogue: Dialogue, answer: str, view: View) -> Move | None:
    try:
        return dialogue.read(answer, view)
    except Refusal:
        return None


def _refused(dialogue: Dialogue, answer: str, view: View) -> str:
    """The refusal of an answer, without what it quotes."""
    try:
        dialogue.read(answer, view)
    except Refusal as refusal:
        return re.sub(r"'[^']*'", "", dialogue.again(refusal, view))
    return ""


def _own_words(words: Disguise[Any]) -> re.Pattern[str]:
    """What finds the words that are replaced, and those of the game's title."""
    replaced = {form for own in words.alternatives() for form in own}
    own = replaced | {*re.findall(r"\w{4,}", words.plain.title.lower())}
    return re.compile(rf"\b({'|'.join(map(re.escape, sorted(own)))})\b", re.IGNORECASE)


def _check_hidden(where: str, own: re.Pattern[str], text: str) -> None:
    found = own.search(text)
    assert found is None, f"{where}, {found and found[0]!r} is left: {text}"


def _check_shape(what: str, own: str, other: str) -> None:
    """The same number of lines and paragraphs, and about as many characters."""
    assert own.count("\n") == other.count("\n"), f"{what}: the layout differs:\n{other}"
    longer = max(len(own), SHORTEST)
    assert abs(len(own) - len(other)) <= TOLERANCE * longer, f"{what}: {len(own)}, {len(other)}."
