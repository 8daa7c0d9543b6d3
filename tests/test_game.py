"""The contract: what every game, state and view shares."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

from strongroom.conformance import playout
from strongroom.game import (
    CHANCE,
    NAMES,
    Actor,
    Event,
    NotLegal,
    NotUnderstood,
    Outcome,
    Refusal,
    Seat,
    View,
)
from strongroom.games.codes import Code
from strongroom.perft import after
from strongroom.refusal import Ambiguous, BadOption, UnknownName, shown
from strongroom.registry import game_names, load


def test_the_seats_are_each_others_other() -> None:
    assert (Seat.ONE.other, Seat.TWO.other) == (Seat.TWO, Seat.ONE)
    assert (Seat.ONE.index, Seat.TWO.index) == (0, 1)
    assert list(NAMES) == [Seat.ONE, Seat.TWO]


@pytest.mark.parametrize("winner", [Seat.ONE, Seat.TWO, None])
def test_an_outcome_goes_to_json_and_back(winner: Seat | None) -> None:
    outcome = Outcome(winner, "because")
    assert Outcome.from_json(json.loads(json.dumps(outcome.to_json()))) == outcome


def test_an_event_goes_to_json_and_back_chance_included() -> None:
    game = load("quantum-duel")
    moves: list[tuple[Actor, str]] = [(Seat.ONE, "3"), (Seat.TWO, "yes"), (CHANCE, "tails")]
    for actor, text in moves:
        event = Event(actor, game.move(text), "open")
        assert Event.from_json(game, json.loads(json.dumps(event.to_json()))) == event


def test_games_are_equal_when_their_options_are() -> None:
    assert load("safe-cracker", digits=4) == load("safe-cracker", digits=4)
    assert hash(load("safe-cracker")) == hash(load("safe-cracker", digits=3))
    assert load("safe-cracker") != load("safe-cracker", digits=4)
    assert load("safe-cracker") != load("safecracker-duel")


def test_a_game_prints_as_the_call_that_makes_it() -> None:
    game = load("safe-cracker", attempts=5)
    assert eval(repr(game), {"load": load}) == game


@pytest.mark.parametrize("name", game_names())
def test_a_game_has_a_title_and_a_page_of_rules_that_opens_with_it(name: str) -> None:
    game = load(name)
    assert game.title.lower().replace(" ", "-") == name
    assert game.rules.startswith(f"# {game.title}")


def test_a_text_that_is_no_move_is_refused() -> None:
    with pytest.raises(NotUnderstood, match="'9-9-9' is no move of Safe Cracker"):
        load("safe-cracker").move("9-9-9")


@pytest.mark.parametrize("text", ["1 2 3", "123", " 1-2-3"])
def test_only_the_canonical_text_names_a_move_in_records(text: str) -> None:
    with pytest.raises(NotUnderstood):
        load("safe-cracker").move(text)


@pytest.mark.parametrize("name", game_names())
def test_states_are_values_equal_hashable_and_printable(name: str) -> None:
    game = load(name)
    first, second = (playout(game, Random(5)).states[-1] for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert repr(first) == repr(second)


@pytest.mark.parametrize("name", game_names())
def test_a_state_that_went_to_another_process_plays_on_alike(name: str) -> None:
    for state in playout(load(name), Random(6)).states:
        sent = pickle.loads(pickle.dumps(state))
        assert sent == state
        assert (sent.moves, sent.turns) == (state.moves, state.turns)
        for move in state.moves[:2]:
            assert sent.play(move) == state.play(move)


def test_a_state_without_chance_has_no_odds() -> None:
    with pytest.raises(NotLegal, match="chance"):
        _ = after("safe-cracker").odds


def test_a_view_lists_the_moves_of_its_own_seat_alone() -> None:
    state = after("safe-cracker", "2-1-3", "3-3-1")
    assert state.view(Seat.ONE).moves == state.moves
    assert state.view(Seat.TWO).moves == state.view(None).moves == ()


def test_a_view_shows_its_own_secret_and_at_the_end_both() -> None:
    going = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1")
    over = after("safe-cracker", "2-1-3", "3-3-1", "3-3-1")
    assert [going.view(seat).secret for seat in (Seat.ONE, Seat.TWO, None)] == [
        (Code((2, 1, 3)),),
        (Code((3, 3, 1)),),
        (),
    ]
    for seat in (Seat.ONE, Seat.TWO, None):
        assert going.view(seat).secrets is None
        assert over.view(seat).secrets == ((Code((2, 1, 3)),), (Code((3, 3, 1)),))


def test_a_view_asks_while_somebody_is_to_move_and_only_then() -> None:
    assert after("quantum-duel").view(None).prompt.endswith("you want to observe:")
    assert after("quantum-duel", "3", "7", "4", "yes").view(None).prompt == ""
    assert after("digit-deductions", "4-7", "6-5", "6-5").view(Seat.ONE).prompt == ""


def test_a_view_in_json_is_plain_to_read() -> None:
    data = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1").view(Seat.TWO).to_json()
    assert data["game"] == "safe-cracker"
    assert data["options"] == {"digits": 3, "length": 3, "attempts": None}
    assert (data["seat"], data["actor"]) == (2, 2)
    assert data["history"] == [{"seat": 1, "move": "1-1-1", "answer": 1}]
    assert data["secret"] == ["3-3-1"]
    assert data["secrets"] is None
    assert len(data["moves"]) == 27


def test_a_view_of_a_chance_state_comes_back_from_json() -> None:
    state = after("quantum-duel", "3", "7", "4", "yes")
    view = state.view(None)
    assert View.from_json(state.game, view.to_json()) == view


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
        """Lives in this test module, beside which there is no page."""

    assert Pageless().rules == "There is no rules page for Quantum Duel.\n"
