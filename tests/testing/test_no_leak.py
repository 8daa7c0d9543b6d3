"""Every way to tell a seat what it may not know is caught."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import pytest

from strongroom.contract import (
    Event,
    Move,
    NotLegal,
    Outcome,
    Seat,
    State,
    View,
)
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerState
from strongroom.games.safecracker_duel.rules import (
    INITIAL_SAFE,
    SafecrackerDuel,
    SafecrackerDuelState,
)
from strongroom.games.safecracker_duel.words import SafecrackerDuelWords
from strongroom.testing.no_leak import check_no_leak
from tests.testing.cheating import caught, with_state


class ShowsTheOpponentsFirstDigit(SafeCrackerState):
    __slots__ = ()

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        view = super().view(seat, ended)
        if seat is not Seat.ONE or not self.secrets[1] or self.outcome is not None:
            return view
        return view._replace(board=self.secrets[1][0].digits[0])


class ShowsASpectatorTheSum(SafeCrackerState):
    __slots__ = ()

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        view = super().view(seat, ended)
        known = sum(sum(code.digits) for codes in self.secrets for code in codes)
        return view._replace(turns=known) if seat is None else view


class RefusesWithTheSecret(SafeCrackerState):
    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        return super().moves[:-1]

    def play(self, move: Move) -> Self:
        if move == self.game.actions[-1]:
            known = [str(code) for codes in self.secrets for code in codes]
            raise NotLegal("Not that one.", f"Rather one of {known}.")
        return super().play(move)


class TakesTheOpponentsCodeOutOfTheMoves(SafeCrackerState):
    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        hidden = self.secrets[1][:1] if self.actor is Seat.ONE else ()
        return tuple(move for move in super().moves if move not in hidden)

    def play(self, move: Move) -> Self:
        if move not in self.moves:
            raise NotLegal("Not that one.")
        return super().play(move)


class LogsTheChoiceOfACode(SafeCrackerState):
    __slots__ = ()

    def keep(self, secret: Code) -> Self:
        assert isinstance(self.actor, Seat)
        return super().keep(secret).after(Event(self.actor, secret), None, self.actor.other)


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


def test_a_leak_in_only_the_words_is_caught() -> None:
    seen: list[State[Any, Any, Any]] = []

    class Watched(SafecrackerDuelState):
        __slots__ = ()

        def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
            seen.append(self)
            return super().view(seat, ended)

    class Watching(SafecrackerDuel):
        def start(self) -> SafecrackerDuelState:
            return Watched.first(self, INITIAL_SAFE)

    class Winks(SafecrackerDuelWords):
        """Words that read a state they should not know, and hint at a code."""

        def welcome(self, view: View) -> str:
            return f"{super().welcome(view)} {seen[-1].secrets[0]}"

    caught(check_no_leak, Watching().in_words(Winks), "from the JSON|from the announcement")


def test_a_game_whose_secrets_cannot_differ_does_not_count_as_checked() -> None:
    class OneCode(SafeCracker):
        def start(self) -> SafeCrackerState:
            return Dictated.first(self, None)

    class Dictated(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> Sequence[Move]:
            return super().moves[:1]

    caught(check_no_leak, OneCode(), "No two states were found")
