"""The shared checks catch a game that breaks a promise, each by the check that is for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Self

import pytest

from strongroom.conformance import (
    check_moves,
    check_no_leak,
    check_random_play,
    check_records,
    check_texts,
    check_views,
)
from strongroom.contract import (
    CHANCE,
    NAMES,
    Ending,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Outcome,
    Question,
    Seat,
    State,
    View,
)
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import (
    INITIAL_BOARD,
    OBSERVATIONS,
    STANDS,
    Chained,
    QuantumDuel,
    QuantumDuelState,
)
from strongroom.games.safe_cracker.rules import Cracked, SafeCracker, SafeCrackerState
from strongroom.games.safe_cracker.words import SafeCrackerWords
from strongroom.games.safecracker_duel.rules import (
    INITIAL_SAFE,
    SafecrackerDuel,
    SafecrackerDuelState,
)
from strongroom.games.safecracker_duel.words import SafecrackerDuelWords

Check = Callable[[Game, Random], None]


def with_state(state_type: type[SafeCrackerState]) -> Game:
    """Safe Cracker with one thing done wrong in its states."""

    class Wrong(SafeCracker):
        def start(self) -> SafeCrackerState:
            return state_type.first(self, None)

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


def test_a_leak_in_the_words_alone_is_caught() -> None:
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
        """Its referee looks at a state that it should not know, and hints at a code."""

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
        def moves(self) -> Sequence[Move]:
            return super().moves[1:]

    caught(check_moves, with_state(Hides), "1-1-1 is accepted, but not listed")


def test_a_text_that_is_read_as_another_move_is_caught() -> None:
    class Misreads(SafeCrackerWords):
        def understand(self, text: str, view: View) -> Move:
            return super().understand(text.replace("3", "2"), view)

    caught(check_texts, SafeCracker().in_words(Misreads), "'1-1-3' is read as")


def test_a_parser_that_breaks_on_a_strange_line_is_caught() -> None:
    class Breaks(SafeCrackerWords):
        def understand(self, text: str, view: View) -> Move:
            move: Move = self.game.actions[int("".join(filter(str.isdigit, text)) or 0)]
            return move

    with pytest.raises((AssertionError, IndexError, ValueError)):
        check_texts(SafeCracker().in_words(Breaks), Random(0))


def test_words_that_quote_a_line_raw_are_caught() -> None:
    class Echoes(SafeCrackerWords):
        def understand(self, text: str, view: View) -> Move:
            try:
                return super().understand(text, view)
            except NotUnderstood:
                raise NotUnderstood(f"What is {text}?", "Type a code.") from None

    caught(check_texts, SafeCracker().in_words(Echoes), "is quoted raw")


def test_words_that_ask_without_saying_what_is_accepted_are_caught() -> None:
    class Curt(SafeCrackerWords):
        def question(self, view: View, names: Names = NAMES) -> Question:
            return super().question(view, names)._replace(accepted="")

    caught(check_texts, SafeCracker().in_words(Curt), "says what is accepted")


def test_picking_what_is_not_legal_is_caught() -> None:
    class PicksAnything(SafeCrackerWords):
        def picks(self, view: View) -> Sequence[Move]:
            return [Code((9, 9, 9))]

    caught(check_texts, SafeCracker().in_words(PicksAnything), "9-9-9 may be picked for somebody")


def test_moves_out_of_the_order_of_their_numbers_are_caught() -> None:
    class Backwards(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> Sequence[Move]:
            return tuple(reversed(super().moves))

    caught(check_random_play, with_state(Backwards), "not in the order of the numbers")


def test_an_ending_that_the_game_does_not_list_is_caught() -> None:
    class Surprises(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            after = super().play(move)
            if after.outcome is None:
                return after
            return after._replace(outcome=Outcome(Seat.ONE, Ending.RESIGNED))

    caught(check_random_play, with_state(Surprises), "The game lists why it can end")


def test_a_view_that_json_changes_is_caught() -> None:
    class Rounds(SafeCrackerState):
        __slots__ = ()

        def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
            return super().view(seat, ended)._replace(board=("", ""))

    class Coarse(SafeCracker):
        def start(self) -> SafeCrackerState:
            return Rounds.first(self, None)

        def board_from_json(self, data: Any) -> Any:
            return data

    caught(check_views, Coarse(), "A view changes on its way through JSON")


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
        def moves(self) -> Sequence[Move]:
            moves = super().moves
            return tuple(rng.sample(moves, len(moves)))

    caught(check_records, with_state(Shuffles), "gives two records")


def test_an_actor_after_the_end_is_caught() -> None:
    class GoesOn(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            after = super().play(move)
            ended = after._replace(outcome=Outcome(Seat.ONE, Cracked.CRACKED))
            return ended if after.log else after

    caught(check_random_play, with_state(GoesOn), "There is an actor until the game is over")


def test_secrets_shown_before_the_end_are_caught() -> None:
    class Reveals(SafeCrackerState):
        __slots__ = ()

        def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
            return super().view(seat, ended)._replace(secrets=self.secrets)

    caught(check_random_play, with_state(Reveals), "secrets wait for the end")


def test_odds_that_do_not_sum_to_one_are_caught() -> None:
    class Bent(QuantumDuelState):
        __slots__ = ()

        @property
        def odds(self) -> tuple[float, ...]:
            return (0.5, 0.4) if self.actor is CHANCE else super().odds

    class BentCoin(QuantumDuel):
        def start(self) -> QuantumDuelState:
            return Bent.first(self, INITIAL_BOARD)

    caught(check_random_play, BentCoin(), "odds sum to 0.9, not to 1")


def test_a_state_that_play_changes_is_caught() -> None:
    class Scribbles(State[Game, list[int], Move]):
        __slots__ = ()

        @property
        def moves(self) -> Sequence[Move]:
            return OBSERVATIONS if self.outcome is None else ()

        def play(self, move: Move) -> Self:
            self.board.append(1)
            outcome = Outcome(Seat.ONE, Chained.CHAINED) if self.turns == 3 else None
            actor = Seat.ONE if outcome is None else None
            return self.after(Event(Seat.ONE, move, STANDS), list(self.board), actor, outcome)

    class Scribbled(QuantumDuel):
        def start(self) -> State[Any, Any, Any]:  # type: ignore[override]
            return Scribbles.first(self, [])

    caught(check_random_play, Scribbled(), "A state was changed by later play|two different states")
