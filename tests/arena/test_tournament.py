"""Tournaments: pairings, scores, and a seed that fixes everything."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.arena.score import Score
from strongroom.arena.tournament import tournament
from strongroom.contract import CHANCE, Game, Move, Seat, View
from strongroom.games.quantum_duel.rules import Reply
from strongroom.players import Player, Resigns, player
from strongroom.plugins.registry import load


class Quitter:
    """Resigns as soon as it is asked."""

    def choose(self, view: View) -> Move:
        raise Resigns


def make(name: str, game: Game, rng: Random) -> Player:
    return Quitter() if name == "quitter" else player("random", game, rng)


def test_every_pair_plays_all_its_games_and_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, of: int) -> None:
        told.append((done, of))

    names, game = ["a", "b", "c"], load("quantum-duel")
    scores = tournament(game, names, make, 40, turn_limit=5, workers=1, progress=tell)
    pairs = [(score.player, score.opponent, score.games) for score in scores]
    assert pairs == [("a", "b", 40), ("a", "c", 40), ("b", "c", 40)]
    assert told[0] == (1, 120)
    assert told[-1] == (120, 120)
    assert told == sorted(told)


def test_both_seats_are_taken_in_turn() -> None:
    seats: list[Seat | None] = []

    class Watching:
        def choose(self, view: View) -> Move:
            if not view.setting_up:
                raise Resigns
            seats.append(view.seat)
            return view.moves[0]

    def watched(name: str, game: Game, rng: Random) -> Player:
        return Watching() if name == "watched" else player("random", game, rng)

    tournament(load("safe-cracker"), ["watched", "b"], watched, 4, workers=1)
    assert seats == [Seat.ONE, Seat.TWO, Seat.ONE, Seat.TWO]


def test_a_win_counts_one_and_an_undecided_game_one_half() -> None:
    score = Score("a", "b", wins=5, undecided=2, losses=3)
    assert (score.games, score.mean) == (10, 0.6)
    assert score.turned == Score("b", "a", wins=3, undecided=2, losses=5)
    assert score.error == pytest.approx(((5.5 / 10 - 0.36) / 10) ** 0.5)


def test_a_player_who_always_resigns_loses_and_a_game_at_the_turn_limit_is_undecided() -> None:
    (score,) = tournament(load("safe-code"), ["quitter", "random"], make, 5, workers=1)
    assert score == Score("quitter", "random", losses=5)
    (score,) = tournament(load("safe-code"), ["a", "b"], make, 4, turn_limit=1, workers=1)
    assert score.undecided >= 3


def test_the_same_seed_gives_the_same_scores_with_any_number_of_workers() -> None:
    def played(seed: int, workers: int) -> list[Score]:
        game, games = load("digit-deductions"), 101
        return tournament(game, ["casual", "random"], player, games, seed=seed, workers=workers)

    assert played(1, 1) == played(1, 2)
    assert played(1, 1) != played(2, 1)


def test_each_game_of_a_tournament_has_its_own_coins() -> None:
    coins: list[str] = []

    def stated(name: str, game: Game, rng: Random) -> Player:
        return Stated(coins)

    tournament(load("quantum-duel"), ["a", "b"], stated, 40, turn_limit=4, workers=1)
    assert len(coins) == 40
    assert set(coins) == {"heads", "tails"}


class Stated:
    """Places from its end of the row, challenges, and records how the first coin fell."""

    def __init__(self, coins: list[str]) -> None:
        self._coins = coins

    def choose(self, view: View) -> Move:
        fallen = [str(event.move) for event in view.history if event.actor is CHANCE]
        if len(fallen) == 1 and view.history[-1].actor is CHANCE:
            self._coins += fallen
        from_left = view.seat is Seat.ONE or isinstance(view.moves[0], Reply)
        return view.moves[0 if from_left else -1]
