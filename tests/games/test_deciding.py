"""Each game names the kinds of decision that its players face."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.contract import Game, Seat, View
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.games.safe_code.rules import SafeCode
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.plugins.registry import load, names
from strongroom.testing.playouts import playout


def view_after(game: Game, *moves: str) -> View:
    """What the next player sees after these moves."""
    state = game.start()
    for move in moves:
        assert isinstance(state.actor, Seat)
        state = state.play(game.words.parse(move, state.view(state.actor)))
    assert isinstance(state.actor, Seat)
    return state.view(state.actor)


def kind_after(game: Game, *moves: str) -> str:
    return game.words.deciding(view_after(game, *moves))


@pytest.mark.parametrize("name", names("game"))
def test_every_decision_of_random_games_is_of_a_kind(name: str) -> None:
    game, rng = load(name), Random(1)
    kinds = game.words.kinds
    met = {
        game.words.deciding(state.view(state.actor))
        for _ in range(30)
        for state in playout(game, rng, longest=60).states
        if isinstance(state.actor, Seat)
    }
    assert met <= set(kinds)
    assert len(met) >= min(3, len(kinds))
    assert len(set(kinds)) == len(kinds)


def test_a_guess_is_about_the_codes_left_to_both_players() -> None:
    game, hidden = SafeCracker(), ("1-1-1", "1-2-3")
    assert kind_after(game) == "hiding a code"
    assert kind_after(game, *hidden) == "asking for information"
    early = (*hidden, "3-1-2", "2-2-2")  # leaves either player eight codes
    assert kind_after(game, *early) == "deducing"
    assert kind_after(game, *early, "3-1-2", "3-2-2") == "racing"
    assert kind_after(game, *early, "3-1-2", "3-3-3") == "taking the last chance"
    assert kind_after(game, *early, "2-3-1", "3-3-3") == "finishing"


def test_the_kinds_of_guesses_name_what_is_hidden() -> None:
    assert DigitDeductions().words.kinds[0] == "hiding a number"
    assert SafeCracker().words.kinds[0] == "hiding a code"


@pytest.mark.parametrize(
    ("moves", "kind"),
    [
        ((), "opening"),
        (("1", "7", "2"), "challenging"),
        (("1", "7", "2", "no"), "blocking early"),
        (("1", "7", "2", "no", "5"), "building a chain"),
        (("1", "7", "2", "no", "5", "3", "no"), "blocking late"),
        (("1", "7", "2", "no", "5", "3", "no", "6", "no", "4"), "saving the game"),
    ],
)
def test_a_decision_at_quantum_duel_is_about_the_chains(moves: tuple[str, ...], kind: str) -> None:
    assert kind_after(QuantumDuel(), *moves) == kind


@pytest.mark.parametrize(
    ("moves", "kind"),
    [
        ((), "the first turn"),
        (("1 4", "2 4"), "approaching"),
        (("1 2", "2 4"), "closing in"),
        (("1 2", "2 2"), "finishing"),
    ],
)
def test_a_turn_at_safecracker_duel_is_about_the_distance(
    moves: tuple[str, ...], kind: str
) -> None:
    assert kind_after(SafecrackerDuel(), "2-2-2", "5-5-5", *moves) == kind


def test_a_turn_at_safe_code_is_about_clues_until_somebody_is_close() -> None:
    game = SafeCode()
    weak = tuple(f"The number is greater than {number}." for number in (1, 2, 3))
    telling = ("It is even.", "The number is greater than 10.", "It is less than 20.")
    assert kind_after(game) == "hiding a number"
    assert kind_after(game, "16") == "writing a clue"
    ready = ("16", *weak, "16", *telling)
    assert kind_after(game, *ready) == "asking for a clue"
    assert kind_after(game, *ready, "30", "clue") == "asking for a clue"
    assert kind_after(game, *ready, "30", *("clue", "30") * 2) == "asking for another"
    assert kind_after(game, *ready, "30", *("clue", "30") * 3) == "guessing"
    assert kind_after(game, *ready, *("clue", "30") * 3) == "racing"
