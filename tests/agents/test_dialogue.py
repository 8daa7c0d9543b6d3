"""A seat in text: what is told, and which answers are read as which move."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from strongroom.agents.dialogue import Dialogue, Style, marked
from strongroom.contract import Ambiguous, Game, NotLegal, NotUnderstood, Refusal, Seat, View
from strongroom.plugins.registry import GAMES, load
from strongroom.testing.playouts import playout

STYLES = [Style(), Style(disguise=True, legal_moves=True), Style(scratch=False)]


def asked(game: Game, seed: int = 1) -> list[View]:
    """The views of both players, whenever they are asked, in a game of random moves."""
    states, _ = playout(game, Random(seed), longest=30)
    return [
        state.view(state.actor)
        for state in states
        if isinstance(state.actor, Seat) and state.outcome is None
    ]


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_read_as_itself(name: str, style: Style) -> None:
    game = load(name)
    dialogue = Dialogue(game, style)
    for view in asked(game):
        for move in view.moves[:40]:
            assert dialogue.read(marked(str(move)), view) == move


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_tells_any_two_views_apart(name: str, style: Style) -> None:
    game = load(name)
    dialogue = Dialogue(game, style)
    meant: dict[str, View] = {}
    for seed in range(20):
        for view in asked(game, seed):
            assert meant.setdefault(dialogue.ask(view), view) == view
    assert len(meant) > 30


@pytest.mark.parametrize("name", GAMES)
def test_a_disguised_game_has_none_of_its_own_words(name: str) -> None:
    game = load(name)
    dialogue = Dialogue(game, Style(disguise=True))
    own = "safe|crack|duel|quantum|guess|code|observe|challenge|dial|secret"
    assert not re.findall(own, dialogue.opening.lower())
    for view in asked(game):
        assert not re.findall(own, dialogue.ask(view).lower())
        for answer in ("no mark at all", marked("999"), marked("9-9-9-9"), marked("")):
            with pytest.raises(Refusal) as refused:
                dialogue.read(answer, view)
            assert not re.findall(own, dialogue.again(refused.value, view).lower())


def cracking() -> tuple[Dialogue, View]:
    game = load("safe-cracker")
    return Dialogue(game), asked(game)[2]


@pytest.mark.parametrize(
    "answer",
    [
        "<move>2-1-3</move>",
        "It could be 1-1-1 or 3 3 3. I think <move> 2 1 3 </move>, because 2 of 3 fit.",
        "<think>Perhaps <move>1-1-1</move>? No.</think>\n<MOVE>213</MOVE>",
        "<move>2-1-3</move> Once more: <move>2-1-3</move>",
        "I write <move> and then: <move>2-1-3</move>",
        "<move>" * 15_000 + "2-1-3</move>",
    ],
)
def test_only_the_marked_move_counts(answer: str) -> None:
    dialogue, view = cracking()
    assert str(dialogue.read(answer, view)) == "2-1-3"


@pytest.mark.parametrize(
    ("answer", "kind", "why"),
    [
        ("My guess is 2-1-3.", NotUnderstood, "no marked move"),
        ("", NotUnderstood, "no marked move"),
        ("<move>2-1-3", NotUnderstood, "no marked move"),
        ("<move>1-1-1</move> or <move>2-2-2</move>", Ambiguous, "2 different moves"),
        ("<move>2-1-4</move>", NotUnderstood, "1-3"),
        ("<move>\x1b[31m2-1-9\x07</move>", NotUnderstood, ""),
        ("<move>" + "1" * 300_000 + "</move>", NotUnderstood, "at most"),
    ],
)
def test_anything_else_is_refused_with_a_reason(answer: str, kind: type[Refusal], why: str) -> None:
    dialogue, view = cracking()
    with pytest.raises(kind) as refused:
        dialogue.read(answer, view)
    told = dialogue.again(refused.value, view)
    assert why in told
    assert told.isprintable()


@pytest.mark.parametrize(
    "answer",
    [
        '{"thinking": "1-1-1?", "move": "2-1-3"}',
        ' ```json\n{"move": "2-1-3"}\n``` ',
        '```{"move": 213}```',
        '```JSON\n{"move": "2-1-3"' + " " * 90_000 + "}\n```",
    ],
)
def test_only_the_move_of_a_structured_answer_counts(answer: str) -> None:
    dialogue, view = cracking()
    assert str(replace(dialogue, in_json=True).read(answer, view)) == "2-1-3"


def test_an_answer_that_is_mostly_blanks_is_refused_at_once() -> None:
    dialogue, view = cracking()
    with pytest.raises(NotUnderstood, match="not a JSON object"):
        replace(dialogue, in_json=True).read("```" + " " * 90_000 + "x", view)


def test_a_move_that_is_not_legal_here_is_refused() -> None:
    game = load("quantum-duel")
    state = game.start().play(game.move("4"))
    with pytest.raises(NotLegal, match="'4' is not legal here"):
        Dialogue(game).read(marked("4"), state.view(Seat.TWO))


def test_without_scratch_work_an_answer_is_the_move_alone() -> None:
    game = load("safe-cracker")
    dialogue, view = Dialogue(game, Style(scratch=False)), asked(game)[2]
    assert str(dialogue.read(" <move>1-1-1</move>\n", view)) == "1-1-1"
    with pytest.raises(NotUnderstood, match="more than a move"):
        dialogue.read("Well, <move>1-1-1</move>", view)


def test_legal_moves_are_listed_only_if_they_should_be() -> None:
    game = load("quantum-duel")
    view = game.start().view(Seat.ONE)
    assert "Legal moves: 1, 2, 3, 4, 5, 6, 7." in Dialogue(game, Style(legal_moves=True)).ask(view)
    assert "Legal moves" not in Dialogue(game).ask(view)


def test_the_rules_of_a_variation_say_what_is_different() -> None:
    rules = Dialogue(load("safe-cracker", digits=4, attempts=6)).rules
    assert "This game has digits=4, length=3, attempts=6." in rules
    assert "`attempts`: how many guesses" in rules
    assert "## What to type" not in rules


def test_codes_of_another_length_are_disguised_too() -> None:
    rules = Dialogue(load("safe-cracker", digits=5, length=4), Style(disguise=True)).rules
    assert "a row of four marks hidden. A mark is 1, 2, 3, 4 or 5, and" in rules
    assert rules.endswith("Write a row like 3-1-2-1.")


def test_other_variations_have_no_disguise() -> None:
    for game in (load("safe-cracker", attempts=4), load("safecracker-duel", allow_same_digit=True)):
        with pytest.raises(Refusal, match="no other words"):
            Dialogue(game, Style(disguise=True))


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_a_style_is_read_back_from_its_text(style: Style) -> None:
    assert Style.read(str(style)) == style


@pytest.mark.parametrize("name", ["fast", "legal_moves", "no-no-scratch"])
def test_an_unknown_setting_is_refused_with_those_there_are(name: str) -> None:
    told = f"no setting '{name}'. Choose from: disguise, legal-moves, scratch, or no- with"
    with pytest.raises(Refusal, match=told):
        Style.read(name)
