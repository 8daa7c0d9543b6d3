"""A seat in text: what it is told, also in other words, and how its answers are read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from strongroom import contract
from strongroom.contract import Disguise, Game, NotLegal, Refusal, Seat, View
from strongroom.minds.dialogue import Dialogue, Style, move_answer
from strongroom.plugins.registry import GAMES, load
from strongroom.testing.disguises import check_disguise
from strongroom.testing.playouts import playout

QUANTUM, CRACKER = load("quantum-duel"), load("safe-cracker")
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
def test_every_legal_move_is_read_and_views_are_told_apart(name: str, style: Style) -> None:
    game = load(name)
    dialogue = Dialogue(game, style)
    meant: dict[str, View] = {}
    for seed in range(12):
        for view in asked(game, seed):
            assert meant.setdefault(dialogue.ask(view), view) == view
            for move in view.moves[:40] if seed == 1 else ():
                assert dialogue.read(move_answer(dialogue.words.text(move)), view) == move
    assert len(meant) > 30


@pytest.mark.parametrize("name", GAMES)
def test_every_disguise_tells_what_the_game_tells_in_none_of_its_words(name: str) -> None:
    check_disguise(load(name), Random(1), seeds=("0", "7"))


WORDED_BADLY = {
    "code codes: plan plans": "'Safe' is left",
    "safe_cracker: tone_matcher\ncode codes: guess guesses": "'code' is left",
    "safe_cracker: tone_matcher\ncode codes: arrangement arrangements": "a question: 213, 227",
}


@pytest.mark.parametrize("terms", WORDED_BADLY)
def test_a_disguise_that_tells_something_else_is_found(terms: str) -> None:
    kind = type("Odd", (Disguise,), {"terms": terms})
    with pytest.raises(AssertionError, match=WORDED_BADLY[terms]):
        check_disguise(CRACKER, Random(1), kind)


MARKS = Dialogue(CRACKER)
IN_JSON = replace(MARKS, in_json=True)
BARE = Dialogue(CRACKER, Style(scratch=False))
BARE_JSON = replace(BARE, in_json=True)
ANSWERS = Path(__file__).with_name("answers.jsonl")
"""Answers, fifty of each game, with what each is read as, and whether that is debatable."""
READ = [
    (MARKS, "My guess is 2-1-3."),
    (MARKS, "<move>2-1-3</move>"),
    (MARKS, "It could be 1-1-1 or 3 3 3. I think <move> 2 1 3 </move>, because 2 of 3 fit."),
    (MARKS, "<think>Perhaps <move>1-1-1</move>? No.</think>\n<MOVE>213</MOVE>"),
    (MARKS, "<move>2-1-3</move> Once more: <move>2-1-3</move>"),
    (MARKS, "I write <move> and then: <move>2-1-3</move>"),
    (MARKS, "<move>" * 15_000 + "2-1-3</move>"),
    (IN_JSON, '{"thinking": "1-1-1?", "move": "2-1-3"}'),
    (IN_JSON, ' ```json\n{"move": "2-1-3"}\n``` '),
    (IN_JSON, '```{"move": 213}```'),
    (IN_JSON, '```JSON\n{"move": "2-1-3"' + " " * 90_000 + "}\n```"),
    (BARE, " <move>2-1-3</move>\n"),
]
REFUSED: list[tuple[Dialogue, str, type[Refusal], str]] = [
    (MARKS, "", contract.NotUnderstood, "has no move"),
    (MARKS, "<move>2-1-3", contract.NotUnderstood, "has no move"),
    (MARKS, "<move>1-1-1</move> or <move>2-2-2</move>", contract.Ambiguous, "2 different moves"),
    (MARKS, "<move>2-1-4</move>", contract.NotUnderstood, "1-3"),
    (MARKS, "<move>\x1b[31m2-1-9\x07</move>", contract.NotUnderstood, ""),
    (MARKS, "<move>" + "1" * 300_000 + "</move>", contract.NotUnderstood, "at most"),
    (
        IN_JSON,
        "```" + " " * 90_000 + "x",
        contract.NotUnderstood,
        "no move. Put your move into this form: {",
    ),
    (IN_JSON, "[" * 50_000, contract.NotUnderstood, "has no move"),
    (IN_JSON, '{"a":[' * 16_000, contract.NotUnderstood, "has no move"),
    (IN_JSON, '["move"]', contract.NotUnderstood, "has no move"),
    (BARE_JSON, '{"thinking": "4!", "move": "1-1-1"}', contract.NotUnderstood, "more than a move"),
    (
        BARE,
        "No 1 is last. So one goes in front. <move>1-1-1</move>",
        contract.NotUnderstood,
        "more than a move",
    ),
]


def test_only_the_move_of_an_answer_counts_and_many_blanks_take_no_time() -> None:
    view = asked(CRACKER)[2]
    for dialogue, answer in READ:
        assert str(dialogue.read(answer, view)) == "2-1-3", answer[:80]
    for dialogue, answer, kind, why in REFUSED:
        with pytest.raises(kind) as refused:
            dialogue.read(answer, view)
        told = dialogue.again(refused.value, view)
        assert why in told, answer[:80]
        assert told.isprintable()
    after = QUANTUM.start().play(QUANTUM.move("4"))
    with pytest.raises(NotLegal, match=r"Cell 4 is already observed\. Which empty cell"):
        Dialogue(QUANTUM).read(move_answer("4"), after.view(Seat.TWO))


@pytest.mark.parametrize("name", GAMES)
def test_answers_are_read_as_a_fair_person_reads_them(name: str) -> None:
    game = load(name)
    answers = [json.loads(line) for line in ANSWERS.read_text().splitlines()]
    mine = [each for each in answers if each["game"] == name]
    assert len(mine) == 50
    for each in mine:
        state = game.start()
        for line in each["played"]:
            state = state.play(game.move(line))
        assert isinstance(state.actor, Seat)
        view = state.view(state.actor)
        try:
            read = str(Dialogue(game, in_json=each["form"] == "json").read(each["answer"], view))
        except Refusal:
            read = None
        allowed = {each["read"], None} if "debatable" in each else {each["read"]}
        assert read in allowed, (each["answer"], each["why"])


def test_a_style_lists_moves_and_disguises_and_rules_say_what_a_variation_changes() -> None:
    view = QUANTUM.start().view(Seat.ONE)
    listing = Dialogue(QUANTUM, Style(legal_moves=True))
    assert "Legal moves: 1, 2, 3, 4, 5, 6, 7." in listing.ask(view)
    assert "Legal moves" not in Dialogue(QUANTUM).ask(view)
    rules = Dialogue(load("safe-cracker", digits=5, length=4), Style(disguise=True)).rules
    assert "a plan of four values. A value is 1, 2, 3, 4 or 5, and values\n" in rules
    for style in (*STYLES, Style(disguise="k3-f_9")):
        assert Style.read(str(style)) == style
    for seed in ("a b", "x" * 65, "ü"):
        with pytest.raises(Refusal, match="no seed of a disguise"):
            Style(disguise=seed)
    for name in ("fast", "legal_moves", "no-no-scratch", "scratch=3", "no-disguise=3"):
        told = f"no setting '{name}'. Choose from: disguise, legal-moves, scratch, or no- with"
        with pytest.raises(Refusal, match=told):
            Style.read(name)
    rules = Dialogue(load("safe-cracker", digits=4, attempts=6)).rules
    assert "This game has digits=4, length=3, attempts=6." in rules
    assert "`attempts`: how many guesses" in rules
    assert "## What to type" not in rules
    assert "attempts=none" in Dialogue(load("safe-cracker", digits=4)).rules
    for allowed, passes in ((True, "yes"), (False, "no")):
        duel = load("safecracker-duel", allow_same_digit=allowed)
        for style in (Style(), Style(disguise="7")):
            told = Dialogue(duel, style).rules
            assert ("You may not pass" in told) == (not allowed)
            assert ("also the one that it has" in told) == allowed
            assert (f"={passes}." in told) == allowed
