"""The contract: what every game, state and view shares."""

from __future__ import annotations

import json
import pickle
import re
import sys
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from strongroom.contract import (
    CHANCE,
    Actor,
    Ambiguous,
    BadOption,
    Ending,
    Event,
    Move,
    NotLegal,
    NotUnderstood,
    Outcome,
    Refusal,
    Seat,
    UnknownName,
    View,
    quote,
)
from strongroom.contract.codec import from_json, to_json
from strongroom.contract.view import MOMENT
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import Coin, Fate, Observe, QuantumDuelReason, Reply
from strongroom.games.safe_code.rules import Number
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safecracker_duel.rules import Change
from strongroom.plugins.registry import load, names
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout


def test_outcomes_events_and_a_view_of_a_coin_in_the_air_survive_json() -> None:
    game = load("quantum-duel")
    for winner, reason in product((Seat.ONE, Seat.TWO, None), (QuantumDuelReason.CHAINED, *Ending)):
        outcome = Outcome(winner, reason, "because")
        sent = json.loads(json.dumps(to_json(outcome)))
        assert from_json(Outcome, sent, game) == outcome
    actors: list[tuple[Actor, str]] = [(Seat.ONE, "3"), (Seat.TWO, "yes"), (CHANCE, "tails")]
    for actor, text in actors:
        event = Event(actor, game.move(text), Fate.OPEN)
        assert game.event_from_json(json.loads(json.dumps(game.event_to_json(event)))) == event
    flipping = after("quantum-duel", "3", "7", "4", "yes").view(None)
    assert View.from_json(game, json.loads(json.dumps(flipping.to_json()))) == flipping


def test_answers_and_boards_are_typed_values_in_json_too() -> None:
    for name, texts, answers, board in (
        ("safecracker-duel", ("3-4-2", "5-1-3", "2 4"), [[1, 4, 1]], [1, 4, 1]),
        ("safe-cracker", ("2-1-3", "3-3-1", "1-2-1"), [1], None),
        ("digit-deductions", ("4-7", "6-5", "1-1"), [9], None),
        ("quantum-duel", ("3", "5"), ["stands"] * 2, [None, None, 1, None, 2, None, None]),
        ("safe-code", (), [], [0, 0]),
    ):
        data = after(name, *texts).view(None).to_json()
        assert [event["answer"] for event in data["history"]] == answers
        assert data["board"] == board


def test_a_game_never_changes_equals_one_with_its_options_and_prints_as_a_call() -> None:
    game = load("safe-cracker", attempts=5)
    assert eval(repr(game), {"load": load}) == game == load("safe-cracker", attempts=5)
    assert hash(load("safe-cracker")) == hash(load("safe-cracker", digits=3))
    for other in (load("safe-cracker"), load("safe-cracker", digits=4), load("safecracker-duel")):
        assert game != other
    for name in ("attempts", "options", "words", "anything"):
        with pytest.raises(AttributeError):
            setattr(game, name, 1)
    with pytest.raises(AttributeError):
        del game.options
    assert game == load("safe-cracker", attempts=5)
    with pytest.raises(BadOption, match="not options of safe-cracker"):
        SafeCracker(load("safecracker-duel").options)


def test_only_the_canonical_text_names_a_move_in_records() -> None:
    for text in ("9-9-9", "1 2 3", "123", " 1-2-3"):
        with pytest.raises(NotUnderstood, match=f"'{text.strip()}' is not a move of safe-cracker"):
            load("safe-cracker").move(text)


@pytest.mark.parametrize("name", names("game"))
def test_states_are_values_and_a_pickled_one_plays_on_as_before(name: str) -> None:
    first, second = (playout(load(name), Random(5)).states for _ in range(2))
    assert first[-1] == second[-1]
    assert hash(first[-1]) == hash(second[-1])
    assert repr(first[-1]) == repr(second[-1])
    for state in first[:60]:
        sent = pickle.loads(pickle.dumps(state))
        assert sent == state
        assert (sent.moves, sent.turns) == (state.moves, state.turns)
        for move in state.moves[:2]:
            assert sent.play(move) == state.play(move)


def test_the_words_of_a_view_have_a_prompt_only_while_somebody_is_to_move() -> None:
    observing, flipping = (after("quantum-duel", *texts) for texts in ((), ("3", "7", "4", "yes")))
    asked = "Enter the cell number you want to observe:"
    over = after("digit-deductions", "4-7", "6-5", "6-5")
    for state, prompt in ((observing, asked), (flipping, ""), (over, "")):
        assert state.game.words.tell(state.view(None))["prompt"] == prompt
    for move in over.game.actions:
        with pytest.raises(NotLegal, match="over"):
            over.play(move)


def test_a_view_in_json_is_readable() -> None:
    state = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1")
    data = state.game.words.tell(state.view(Seat.TWO), {Seat.ONE: "Ann", Seat.TWO: "Bob"})
    assert data["game"] == "safe-cracker"
    assert data["options"] == {"digits": 3, "length": 3, "attempts": None}
    assert (data["seat"], data["actor"], data["number"], data["turns"]) == (2, 2, 3, 1)
    assert data["history"] == [{"seat": 1, "move": "1-1-1", "answer": 1}]
    assert data["secret"] == ["3-3-1"]
    assert data["secrets"] is None
    assert len(data["moves"]) == 27
    assert data["legal"] == [(0, 27)]
    assert data["names"] == ["Ann", "Bob"]
    assert data["announcement"] == "Feedback: 1 exact match"
    assert data["heading"] == "Bob's Turn:"
    assert data["accepted"].startswith("Type three digits from 1-3")
    assert data["notes"] == ["1. Ann: 1-1-1: 1 exact"]


def test_a_view_of_half_a_million_codes_is_small_in_json() -> None:
    state = after("safe-cracker", digits=9, length=6)
    sent = json.dumps(state.game.words.tell(state.view(Seat.ONE)))
    assert len(sent) < 20_000
    data = json.loads(sent)
    assert (data["moves"], data["legal"]) == (None, [[0, 531441]])


@pytest.mark.parametrize("part", ["seat", "history", "secret", "secrets", *MOMENT])
def test_a_view_with_a_part_missing_or_malformed_is_refused_even_if_unprintable(part: str) -> None:
    state = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1")
    whole = state.view(Seat.ONE).to_json()
    with pytest.raises(Refusal, match=f"A part is missing: {part}"):
        View.from_json(state.game, {k: v for k, v in whole.items() if k != part})
    lists = [[["x"]], [[5, 2]], [[0, 10**9]], [[0, 3], [2, 4]], [[0, 27]] * 2, [[1, 2], [0, 1]]]
    odd: list[Any] = ["x", -1, 1.5, float("nan"), *lists, {"a": 1}, True, False, -(10**5000)]
    if part == "secrets":
        odd += [0, 0.0, "", {}, [], [[]], [[], [], []]]
    nested: list[Any] = []
    for _ in range(10 * sys.getrecursionlimit()):
        nested = [nested]
    for value in (*odd, nested):
        if part in ("setting_up", "private") and isinstance(value, bool):
            continue
        with pytest.raises(Refusal) as refusal:
            View.from_json(state.game, {**whole, part: value})
        assert str(refusal.value).isprintable()
        if part in MOMENT:
            with pytest.raises(Refusal, match=f"^{re.escape(str(refusal.value))}$"):
                state.view(Seat.ONE).apply_changes([], {part: value})


def test_a_followed_view_shares_the_history_before_it() -> None:
    before = after("quantum-duel", "3", "5").view(None)
    then = after("quantum-duel", "3", "5", "7").view(None)
    followed = before.apply_changes(then.history[-1:], then.changes_since(before))
    assert followed == then
    assert followed.history._link[0] is before.history._link
    for changes in (None, 7, "turns", [], [["turns", 1]]):
        with pytest.raises(Refusal, match="should be a JSON object"):
            before.apply_changes([], changes)


def test_a_view_of_another_game_or_variation_and_what_is_no_view_are_refused() -> None:
    data = after("safe-cracker", digits=4).view(None).to_json()
    for game in (load("safe-cracker"), load("digit-deductions")):
        with pytest.raises(Refusal, match="The game is not load"):
            View.from_json(game, data)
    others: tuple[Any, ...] = (None, 7, "view", [], float("nan"), {})
    for other in others:
        with pytest.raises(Refusal):
            View.from_json(load("quantum-duel"), other)


def test_a_game_says_how_long_it_can_be() -> None:
    limits: dict[tuple[str, int | None, int | None], int | None] = {
        ("safe-cracker", None, None): None,
        ("safe-cracker", 4, None): 2 + 8,
        ("safe-cracker", 4, 5): 2 + 5,
        ("safe-cracker", 4, 60): 2 + 8,
        ("digit-deductions", None, 10): 2 + 10,
        ("safe-code", None, 10): 8 + 10,
        ("safecracker-duel", None, None): None,
        ("quantum-duel", None, 10): 3 * 10,
    }
    for (name, attempts, turn_limit), longest in limits.items():
        game = load(name, **({"attempts": attempts} if attempts else {}))
        assert game.longest_game(turn_limit) == longest


def test_a_refusal_says_why_and_what_is_accepted_and_quotes_lines_that_are_short_and_harmless() -> (
    None
):
    kinds: list[type[Refusal]] = [NotUnderstood, NotLegal, Ambiguous, BadOption, UnknownName]
    for kind in kinds:
        refusal = kind("Not so.", "Rather so.")
        assert (refusal.reason, refusal.accepted) == ("Not so.", "Rather so.")
        assert str(refusal) == "Not so. Rather so."
        assert str(kind("Not so.")) == "Not so."
    for text, quoted in (
        ("  hello ", "'hello'"),
        ("a\x1b[31mb", "'a?[31mb'"),
        ("x" * 24, f"'{'x' * 24}'"),
        ("x" * 25, f"'{'x' * 22}...'"),
    ):
        assert quote(text) == quoted


def test_a_move_of_wrong_types_cannot_be_built() -> None:
    long = 10**5000
    codes: list[Any] = [(1.0, 2.0, 3.0), [1, 2, 3], (True, 2, 3), (0, 99, -5), (1, 1, long)]
    kinds: list[tuple[type[Move], Sequence[Any]]] = [
        *((Code, [digits]) for digits in codes),
        *((Change, parts) for parts in ((1.0, 2), (True, 2), (4, 2), (1, 6), (long, 1))),
        *((Observe, [cell]) for cell in ("3", 8)),
        *((Number, [value]) for value in (16.0, 31)),
        *((Reply, ["yes"]), (Coin, [1])),
    ]
    for kind, parts in kinds:
        with pytest.raises(NotUnderstood):
            kind(*parts)
