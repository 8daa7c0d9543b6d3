"""The contract: what every game, state and view shares."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from strongroom.contract import (
    CHANCE,
    NAMES,
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
    shown,
)
from strongroom.contract.view import MOMENT
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import Chained, Coin, Fate, Observe, Reply
from strongroom.games.safe_code.rules import Number
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safecracker_duel.rules import Change
from strongroom.plugins.registry import load, names
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout

CLUES = (
    *("18", "The number is even.", "It is divisible by 3.", "It is less than 20."),
    *("7", "The number is a prime.", "It is less than 10.", "The number is odd."),
)


def test_the_seats_are_each_others_other() -> None:
    assert (Seat.ONE.other, Seat.TWO.other) == (Seat.TWO, Seat.ONE)
    assert (Seat.ONE.index, Seat.TWO.index) == (0, 1)
    assert list(NAMES) == [Seat.ONE, Seat.TWO]


def test_outcomes_events_and_a_view_of_a_coin_in_the_air_survive_json() -> None:
    game = load("quantum-duel")
    for winner, reason in product((Seat.ONE, Seat.TWO, None), (Chained.CHAINED, *Ending)):
        outcome = Outcome(winner, reason, "because")
        sent = json.loads(json.dumps(game.outcome_to_json(outcome)))
        assert game.outcome_from_json(sent) == outcome
    actors: list[tuple[Actor, str]] = [(Seat.ONE, "3"), (Seat.TWO, "yes"), (CHANCE, "tails")]
    for actor, text in actors:
        event = Event(actor, game.move(text), Fate.OPEN)
        assert game.event_from_json(json.loads(json.dumps(game.event_to_json(event)))) == event
    flipping = after("quantum-duel", "3", "7", "4", "yes").view(None)
    assert View.from_json(game, json.loads(json.dumps(flipping.to_json()))) == flipping


@pytest.mark.parametrize(
    ("name", "texts", "answers", "board"),
    [
        ("safecracker-duel", ["3-4-2", "5-1-3", "2 4"], [[1, 4, 1]], [1, 4, 1]),
        ("safe-cracker", ["2-1-3", "3-3-1", "1-2-1"], [1], None),
        ("digit-deductions", ["4-7", "6-5", "1-1"], [9], None),
        ("quantum-duel", ["3", "5"], ["stands"] * 2, [None, None, 1, None, 2, None, None]),
        ("safe-code", [], [], [0, 0]),
    ],
)
def test_answers_and_boards_are_typed_values_in_json_too(
    name: str, texts: list[str], answers: Any, board: Any
) -> None:
    data = after(name, *texts).view(None).to_json()
    assert [event["answer"] for event in data["history"]] == answers
    assert data["board"] == board


def test_games_are_equal_when_their_options_are() -> None:
    assert load("safe-cracker", digits=4) == load("safe-cracker", digits=4)
    assert hash(load("safe-cracker")) == hash(load("safe-cracker", digits=3))
    assert load("safe-cracker") != load("safe-cracker", digits=4)
    assert load("safe-cracker") != load("safecracker-duel")


def test_a_game_prints_as_the_call_that_makes_it() -> None:
    game = load("safe-cracker", attempts=5)
    assert eval(repr(game), {"load": load}) == game


@pytest.mark.parametrize("name", names("game"))
def test_a_game_has_a_title_and_a_page_of_rules_that_opens_with_it(name: str) -> None:
    game = load(name)
    assert game.title.lower().replace(" ", "-") == name
    assert game.rules_page.startswith(f"# {game.title}")


@pytest.mark.parametrize("text", ["9-9-9", "1 2 3", "123", " 1-2-3"])
def test_only_the_canonical_text_names_a_move_in_records(text: str) -> None:
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


OVER = {
    "safecracker-duel": ("3-4-2", "3-4-2", "1 3", "2 4", "3 2"),
    "safe-cracker": ("2-1-3", "3-3-1", "3-3-1"),
    "safe-code": (*CLUES, "7"),
    "digit-deductions": ("4-7", "6-5", "6-5"),
    "quantum-duel": ("3", "7", "2", "no", "6", "no", "4", "no", "1", "5", "no"),
}


@pytest.mark.parametrize("name", OVER)
def test_a_game_that_is_over_accepts_no_move(name: str) -> None:
    over = after(name, *OVER[name])
    assert over.outcome is not None
    assert (over.actor, tuple(over.moves)) == (None, ())
    for move in over.game.actions:
        with pytest.raises(NotLegal, match="over"):
            over.play(move)


def test_states_of_a_long_game_are_compared_hashed_and_sent_like_any_other() -> None:
    one, other = (after("digit-deductions", "4-7", "6-5", *["1-1"] * 3000) for _ in range(2))
    assert one == other
    assert not one != other  # noqa: SIM202
    assert one != other.play(other.moves[0])
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one


def test_a_view_lists_only_the_moves_of_its_own_seat() -> None:
    state = after("safe-cracker", "2-1-3", "3-3-1")
    assert state.view(Seat.ONE).moves == state.moves
    assert state.view(Seat.TWO).moves == state.view(None).moves == ()
    with pytest.raises(NotLegal, match="chance"):
        _ = state.odds


def test_a_view_shows_its_own_secret_and_at_the_end_both() -> None:
    going = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1")
    over = after("safe-cracker", "2-1-3", "3-3-1", "3-3-1")
    one, two = Code((2, 1, 3)), Code((3, 3, 1))
    seen = [going.view(seat).secret for seat in (Seat.ONE, Seat.TWO, None)]
    assert seen == [(one,), (two,), ()]
    for seat in (Seat.ONE, Seat.TWO, None):
        assert going.view(seat).secrets is None
        assert over.view(seat).secrets == ((one,), (two,))


def test_the_words_of_a_view_have_a_prompt_only_while_somebody_is_to_move() -> None:
    def prompt(name: str, *texts: str) -> object:
        state = after(name, *texts)
        return state.game.words.tell(state.view(None))["prompt"]

    assert prompt("quantum-duel") == "Enter the cell number you want to observe:"
    assert prompt("quantum-duel", "3", "7", "4", "yes") == ""
    assert prompt("digit-deductions", "4-7", "6-5", "6-5") == ""


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
    view = state.view(Seat.ONE)
    sent = json.dumps(state.game.words.tell(view))
    assert len(sent) < 20_000
    data = json.loads(sent)
    assert (data["moves"], data["legal"]) == (None, [[0, 531441]])
    read = View.from_json(state.game, data)
    assert read == view
    assert len(read.moves) == 531441
    assert str(read.moves[-1]) == "9-9-9-9-9-9"


def test_a_view_gives_its_legal_moves_as_a_mask() -> None:
    state = after("quantum-duel", "3", "5")
    mask = state.view(Seat.ONE).mask
    legal = [str(state.game.actions[number]) for number in mask.nonzero()[0]]
    assert legal == ["1", "2", "4", "6", "7"]
    assert not state.view(Seat.TWO).mask.any()


@pytest.mark.parametrize("part", ["seat", "history", *MOMENT])
def test_a_view_with_a_part_missing_or_malformed_is_refused(part: str) -> None:
    state = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1")
    whole = state.view(Seat.ONE).to_json()
    with pytest.raises(Refusal, match=f"A part is missing: {part}"):
        View.from_json(state.game, {k: v for k, v in whole.items() if k != part})
    lists = ([["x"]], [[5, 2]], [[0, 10**9]], [[0, 3], [2, 4]])
    for value in ("x", -1, 1.5, float("nan"), *lists, {"a": 1}, True, False):
        if part in ("setting_up", "private") and isinstance(value, bool):
            continue
        with pytest.raises(Refusal) as refusal:
            View.from_json(state.game, {**whole, part: value})
        assert str(refusal.value).isprintable()
        if part in MOMENT:
            with pytest.raises(Refusal, match=f"^{re.escape(str(refusal.value))}$"):
                state.view(Seat.ONE).followed([], {part: value})


def test_a_followed_view_shares_the_history_before_it() -> None:
    before = after("quantum-duel", "3", "5").view(None)
    then = after("quantum-duel", "3", "5", "7").view(None)
    followed = before.followed(then.history[-1:], then.changes_since(before))
    assert followed == then
    assert followed.history._link[0] is before.history._link
    for changes in (None, 7, "turns", [], [["turns", 1]]):
        with pytest.raises(Refusal, match="should be a JSON object"):
            before.followed([], changes)


def test_a_view_of_another_game_or_variation_and_what_is_no_view_are_refused() -> None:
    data = after("safe-cracker", digits=4).view(None).to_json()
    for game in (load("safe-cracker"), load("digit-deductions")):
        with pytest.raises(Refusal, match="This is not a view of load"):
            View.from_json(game, data)
    others: tuple[Any, ...] = (None, 7, "view", [], float("nan"), {})
    for other in others:
        with pytest.raises(Refusal):
            View.from_json(load("quantum-duel"), other)


@pytest.mark.parametrize(
    ("name", "options", "turn_limit", "longest"),
    [
        ("safe-cracker", {}, None, None),
        ("safe-cracker", {"attempts": 4}, None, 2 + 8),
        ("safe-cracker", {"attempts": 4}, 5, 2 + 5),
        ("safe-cracker", {"attempts": 4}, 60, 2 + 8),
        ("digit-deductions", {}, 10, 2 + 10),
        ("safe-code", {}, 10, 8 + 10),
        ("safecracker-duel", {}, None, None),
        ("quantum-duel", {}, 10, 3 * 10),
    ],
)
def test_a_game_says_how_long_it_can_be(
    name: str, options: dict[str, int], turn_limit: int | None, longest: int | None
) -> None:
    assert load(name, **options).longest_game(turn_limit) == longest


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [NotUnderstood, NotLegal, Ambiguous, BadOption, UnknownName])
def test_a_refusal_says_why_and_what_is_accepted(kind: type[Refusal]) -> None:
    refusal = kind("Not so.", "Rather so.")
    assert (refusal.reason, refusal.accepted) == ("Not so.", "Rather so.")
    assert str(refusal) == "Not so. Rather so."
    assert str(kind("Not so.")) == "Not so."


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("  hello ", "'hello'"),
        ("a\x1b[31mb", "'a?[31mb'"),
        ("x" * 24, f"'{'x' * 24}'"),
        ("x" * 25, f"'{'x' * 22}...'"),
    ],
)
def test_a_quoted_line_is_short_and_harmless(text: str, quoted: str) -> None:
    assert shown(text) == quoted


def test_a_game_without_a_rules_page_says_so() -> None:
    class Pageless(type(load("quantum-duel"))):  # type: ignore[misc]
        """A game in this test module, which has no rules page beside it."""

    assert Pageless().rules_page == "There is no rules page for Quantum Duel.\n"


# --- values are immutable -------------------------------------------------------------------------


def test_a_game_never_changes() -> None:
    game = load("safe-cracker", attempts=5)
    for name in ("attempts", "options", "words", "anything"):
        with pytest.raises(AttributeError):
            setattr(game, name, 1)
    with pytest.raises(AttributeError):
        del game.options
    assert game == load("safe-cracker", attempts=5)


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        *((Code, [digits]) for digits in ((1.0, 2.0, 3.0), [1, 2, 3], (True, 2, 3), (0, 99, -5))),
        *((Change, parts) for parts in ((1.0, 2), (True, 2), (4, 2), (1, 6))),
        *((Observe, [cell]) for cell in ("3", 8)),
        *((Number, [value]) for value in (16.0, 31)),
        *((Reply, ["yes"]), (Coin, [1])),
    ],
)
def test_a_move_of_wrong_types_cannot_be_built(kind: type[Move], parts: Sequence[Any]) -> None:
    with pytest.raises(NotUnderstood):
        kind(*parts)


def test_options_of_another_game_make_no_game() -> None:
    with pytest.raises(BadOption, match="not options of safe-cracker"):
        SafeCracker(load("safecracker-duel").options)
