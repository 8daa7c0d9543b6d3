"""How the certified player of Safecracker Duel plays."""

from __future__ import annotations

import random
from typing import Any, NoReturn

from strongroom.contract import Event, History, Seat
from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution


def test_every_view_has_a_policy_whatever_was_played(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    dice = random.Random(7)
    for _ in range(150):
        state = game.start()
        while isinstance(state.actor, Seat) and state.turns < 12:
            view = state.view(state.actor)
            chances = solution.policy(view)
            assert sum(chances.values()) == 1
            assert set(chances) <= set(view.moves)
            assert solution.policy(state.view(state.actor.other)) == {}
            worth = solution.values(view)
            assert list(worth) == list(view.moves)
            assert all(-1e-12 <= each <= 1 + 1e-12 for each in worth.values())
            move = dice.choice(view.moves)
            assert solution.why(view, move).endswith(".")
            state = state.play(move)


def test_a_win_on_offer_is_always_taken_and_otherwise_the_safe_is_changed_back(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    dice, wins = random.Random(11), 0
    for _ in range(400):
        state, boards = game.start(), []
        while isinstance(state.actor, Seat) and state.turns < 12:
            boards.append(state.board)
            if not state.setting_up and state.turns >= 2:
                own = state.secrets[state.actor.index][0]
                chances = solution.policy(state.view(state.actor))
                shows = {str(move.applied_to(state.board)) for move in chances}  # type: ignore[attr-defined]
                winning = [m for m in state.moves if m.applied_to(state.board) == own]  # type: ignore[attr-defined]
                wins += len(winning)
                if winning:
                    assert chances == {winning[0]: 1}
                elif state.turns >= 3:
                    assert shows == {str(boards[-2])}
            state = state.play(dice.choice(state.moves))
    assert wins > 50


class LongHistory(History[Event]):
    """A history that must not be walked as a whole, and records what was read."""

    read: set[int]

    def __iter__(self) -> NoReturn:
        raise AssertionError("the whole history was walked")

    def __getitem__(self, index: Any) -> Any:
        assert isinstance(index, int)
        self.read.add(index)
        return super().__getitem__(index)


def test_in_a_long_game_only_the_last_two_safes_are_read(
    game: SafecrackerDuel, solution: SafecrackerDuelSolution
) -> None:
    state = game.start()
    for text in ("3-4-5", "5-4-3", *("1 2", "2 2", "1 1", "2 1") * 25):
        state = state.play(game.move(text))
    view = state.view(Seat.ONE)
    history = LongHistory(*view.history)
    history.read = set()
    chances = solution.policy(view._replace(history=history))
    assert chances == solution.policy(view)
    assert history.read == {98, 99}
