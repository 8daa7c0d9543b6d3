"""Every game passes the shared checks, and the checks catch a game that breaks a promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strongroom.conformance import (
    CHECKS,
    check_game,
    check_moves,
    check_no_leak,
    check_random_play,
    check_records,
    check_texts,
    check_views,
    playout,
)
from strongroom.game import (
    CHANCE,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    Outcome,
    Refusal,
    Seat,
    State,
    View,
)
from strongroom.games.codes import Code
from strongroom.games.quantum_duel import QuantumDuel, QuantumDuelState
from strongroom.games.safe_cracker import SafeCracker, SafeCrackerState
from strongroom.games.safecracker_duel import SafecrackerDuel, SafecrackerDuelState
from strongroom.registry import game_names, load

Check = Callable[[Game, Random], None]

TABLES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in game_names()),
    ("safe-cracker", {"digits": 4}),
    ("safe-cracker", {"length": 4}),
    ("safe-cracker", {"attempts": 2}),
    ("safe-cracker", {"digits": 4, "length": 4, "attempts": 2}),
    ("safecracker-duel", {"allow_same_digit": True}),
]


@pytest.mark.parametrize(("name", "options"), TABLES, ids=str)
def test_a_game_passes_every_check(name: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        check_game(load(name, **options), seed)


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=40, deadline=None)
@given(line=st.text(), seed=st.integers(0, 9))
def test_any_line_is_a_move_or_a_refusal(name: str, line: str, seed: int) -> None:
    game, rng = load(name), Random(seed)
    state = rng.choice(playout(game, rng).states[:-1])
    if isinstance(state.actor, Seat):
        view = state.view(state.actor)
        try:
            assert game.parse(line, view) in game.actions
        except Refusal as refusal:
            assert refusal.reason  # noqa: PT017


def test_every_check_is_run_by_check_game() -> None:
    assert set(CHECKS) == {
        check_random_play,
        check_moves,
        check_texts,
        check_views,
        check_records,
        check_no_leak,
    }


# --- games that cheat, each caught by the check that is for it ------------------------------------


def with_state(state_type: type[SafeCrackerState]) -> Game:
    """Safe Cracker with one thing done wrong in its states."""

    class Wrong(SafeCracker):
        def start(self) -> SafeCrackerState:
            return state_type(self, board="")

    return Wrong()


def check_seeds(check: Check, game: Game) -> None:
    for seed in range(20):
        check(game, Random(seed))


def caught(check: Check, game: Game, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_seeds(check, game)


class ShowsTheOpponentsFirstDigit(SafeCrackerState):
    __slots__ = ()

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        view = super().view(seat, ended)
        if seat is not Seat.ONE or not self.secrets[1] or self.outcome is not None:
            return view
        return replace(view, board=str(self.secrets[1][0].digits[0]))


class ShowsASpectatorTheSum(SafeCrackerState):
    __slots__ = ()

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        view = super().view(seat, ended)
        known = sum(sum(code.digits) for codes in self.secrets for code in codes)
        return replace(view, turns=known) if seat is None else view


class RefusesWithTheSecret(SafeCrackerState):
    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        return super().moves[:-1]

    def play(self, move: Move) -> Self:
        if move == self.game.actions[-1]:
            known = [str(code) for codes in self.secrets for code in codes]
            raise NotLegal("Not that one.", f"Rather one of {known}.")
        return super().play(move)


class TakesTheOpponentsCodeOutOfTheMoves(SafeCrackerState):
    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        hidden = self.secrets[1][:1] if self.actor is Seat.ONE else ()
        return tuple(move for move in super().moves if move not in hidden)

    def play(self, move: Move) -> Self:
        if move not in self.moves:
            raise NotLegal("Not that one.")
        return super().play(move)


class LogsTheChoiceOfACode(SafeCrackerState):
    __slots__ = ()

    def keep(self, secret: Code) -> Self:
        assert self.actor is not None
        kept = super().keep(secret)
        log = (*self.log, Event(self.actor, secret))
        return type(self)(kept.game, "", kept.secrets, log, kept.actor)


@pytest.mark.parametrize(
    ("leaking", "form"),
    [
        (ShowsTheOpponentsFirstDigit, "Seat.ONE learns a hidden thing from the view"),
        (ShowsASpectatorTheSum, "A spectator learns a hidden thing from the view"),
        (RefusesWithTheSecret, "learns a hidden thing from the refusal of 3-3-3"),
        (TakesTheOpponentsCodeOutOfTheMoves, "Seat.ONE .* hidden thing"),
        (LogsTheChoiceOfACode, "learns a hidden thing from the view"),
    ],
)
def test_a_leak_is_caught(leaking: type[SafeCrackerState], form: str) -> None:
    caught(check_no_leak, with_state(leaking), form)


def test_a_leak_in_the_words_alone_is_caught() -> None:
    class Winks(SafecrackerDuel):
        """Its referee looks at a state it was once shown, and hints at a code in its words."""

        def start(self) -> SafecrackerDuelState:
            return Watched(self, super().start().board)

        def say(self, view: View, names: Names = {}) -> str:  # noqa: B006
            return f"{super().say(view)} {view.board.known if isinstance(view.board, Wink) else ''}"

    class Wink(str):
        """Text that is equal to another, and carries more than it shows."""

        known: str

    class Watched(SafecrackerDuelState):
        __slots__ = ()

        def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
            view = super().view(seat, ended)
            board = Wink(view.board)
            board.known = str(self.secrets[0])
            return replace(view, board=board)

    caught(check_no_leak, Winks(), "from the announcement")


def test_a_game_whose_secrets_cannot_differ_does_not_count_as_checked() -> None:
    class OneCode(SafeCracker):
        def start(self) -> SafeCrackerState:
            return Dictated(self, board="")

    class Dictated(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            return super().moves[:1]

    caught(check_no_leak, OneCode(), "No two states were found")


def test_a_move_that_is_listed_but_refused_is_caught() -> None:
    class Picky(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            if str(move) == "2-2-2":
                raise NotLegal("Too plain.")
            return super().play(move)

    caught(check_moves, with_state(Picky), "2-2-2 is listed, but refused: Too plain")


def test_a_move_that_is_accepted_but_not_listed_is_caught() -> None:
    class Hides(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            return super().moves[1:]

    caught(check_moves, with_state(Hides), "1-1-1 is accepted, but not listed")


def test_a_text_that_is_read_as_another_move_is_caught() -> None:
    class Misreads(SafeCracker):
        def parse(self, text: str, view: View) -> Move:
            return super().parse(text.replace("3", "2"), view)

    caught(check_texts, Misreads(), "'1-1-3' is read as")


def test_a_parser_that_breaks_on_a_strange_line_is_caught() -> None:
    class Breaks(SafeCracker):
        def parse(self, text: str, view: View) -> Move:
            return self.actions[int("".join(filter(str.isdigit, text)) or 0)]

    with pytest.raises((AssertionError, IndexError, ValueError)):
        check_texts(Breaks(), Random(0))


def test_a_view_that_json_changes_is_caught() -> None:
    class Rounds(SafeCrackerState):
        __slots__ = ()

        @property
        def turns(self) -> int:
            return super().turns * 1.5  # type: ignore[return-value]

        def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
            return replace(super().view(seat, ended), board=("", ""))  # type: ignore[arg-type]

    caught(check_views, with_state(Rounds), "A view changes on its way through JSON")


def test_a_game_that_draws_for_itself_is_caught() -> None:
    rng = Random(1)

    class Fickle(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            return super().play(rng.choice(self.moves))

    caught(check_random_play, with_state(Fickle), "gives two different states")


def test_a_game_that_two_matches_with_one_seed_tell_apart_is_caught() -> None:
    rng = Random(1)

    class Shuffles(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            moves = super().moves
            return tuple(rng.sample(moves, len(moves)))

    caught(check_records, with_state(Shuffles), "gives two records")


def test_an_actor_after_the_end_is_caught() -> None:
    class GoesOn(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            after = super().play(move)
            return after._replace(outcome=Outcome(Seat.ONE, "was first")) if after.log else after

    caught(check_random_play, with_state(GoesOn), "There is an actor until the game is over")


def test_secrets_shown_before_the_end_are_caught() -> None:
    class Reveals(SafeCrackerState):
        __slots__ = ()

        def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
            return replace(super().view(seat, ended), secrets=self.secrets)

    caught(check_random_play, with_state(Reveals), "secrets wait for the end")


def test_odds_that_do_not_sum_to_one_are_caught() -> None:
    class Bent(QuantumDuelState):
        __slots__ = ()

        @property
        def odds(self) -> tuple[float, ...]:
            return (0.5, 0.4) if self.actor is CHANCE else super().odds

    class BentCoin(QuantumDuel):
        def start(self) -> QuantumDuelState:
            return Bent(self, "_" * 7)

    caught(check_random_play, BentCoin(), "odds sum to 0.9, not to 1")


def test_a_state_that_play_changes_is_caught() -> None:
    class Scribbles(State[Game, list[int], Move]):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            return self.game.actions if self.outcome is None else ()

        def play(self, move: Move) -> Self:
            self.board.append(1)
            outcome = Outcome(Seat.ONE, "was there") if len(self.log) == 3 else None
            log = (*self.log, Event(Seat.ONE, move))
            actor = Seat.ONE if outcome is None else None
            return type(self)(self.game, list(self.board), self.secrets, log, actor, outcome)

    class Scribbled(QuantumDuel):
        def start(self) -> State[Any, Any, Any]:  # type: ignore[override]
            return Scribbles(self, [])

    caught(check_random_play, Scribbled(), "A state was changed by later play|two different states")
