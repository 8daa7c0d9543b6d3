"""Each broken promise of a game is caught by the check for it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

import pytest

from strongroom.contract import (
    CHANCE,
    NAMES,
    Actions,
    Answer,
    Answers,
    Block,
    Ending,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Outcome,
    Phase,
    Question,
    Run,
    Seat,
    State,
    Sublist,
    View,
)
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.quantum_duel.rules import (
    COIN,
    INITIAL_BOARD,
    OBSERVATIONS,
    REPLIES,
    STANDS,
    Chained,
    QuantumDuel,
    QuantumDuelState,
)
from strongroom.games.safe_cracker.rules import Cracked, SafeCracker, SafeCrackerState
from strongroom.games.safe_cracker.words import SafeCrackerWords
from strongroom.testing.conformance import (
    check_answers,
    check_moves,
    check_random_play,
    check_records,
    check_texts,
    check_views,
)
from tests.testing.cheating import caught, with_state


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


def test_a_parser_that_crashes_on_a_strange_line_is_caught() -> None:
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


def test_picking_an_illegal_move_is_caught() -> None:
    class PicksAnything(SafeCrackerWords):
        def picks(self, view: View) -> Sequence[Move]:
            return [Code((9, 9, 9))]

    caught(check_texts, SafeCracker().in_words(PicksAnything), "9-9-9 may be picked for somebody")


def test_a_decision_of_no_kind_is_caught() -> None:
    class Vague(SafeCrackerWords):
        def deciding(self, view: View) -> str:
            return "something"

    caught(check_texts, SafeCracker().in_words(Vague), "'something' is not among the kinds")


def test_moves_that_are_not_in_the_order_of_their_numbers_are_caught() -> None:
    class Backwards(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> Sequence[Move]:
            return tuple(reversed(super().moves))

    caught(check_random_play, with_state(Backwards), "not in the order of the numbers")


def test_moves_that_claim_the_numbers_of_others_are_caught() -> None:
    class Shifted(Sublist[Move]):
        @cached_property
        def runs(self) -> list[Run]:
            return [(first + 1, end + 1) for first, end in super().runs]

    class Misnumbers(SafeCrackerState):
        __slots__ = ()

        @property
        def moves(self) -> Sequence[Move]:
            return Shifted(super().moves, array("q", range(20)))

    caught(check_random_play, with_state(Misnumbers), "These moves have other numbers")


def test_an_ending_that_the_game_does_not_list_is_caught() -> None:
    class Surprises(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            after = super().play(move)
            if after.outcome is None:
                return after
            return after._replace(outcome=Outcome(Seat.ONE, Ending.RESIGNED))

    caught(check_random_play, with_state(Surprises), "The game lists why it can end")


def test_moves_of_chance_before_those_of_a_seat_are_caught() -> None:
    class CoinFirst(QuantumDuel):
        actions = Actions(
            Block(COIN, Phase.CHANCE),
            Block(OBSERVATIONS, Phase.TURN),
            Block(REPLIES, Phase.TURN),
        )

    caught(check_texts, CoinFirst(), "The moves of chance do not stand last")


def test_a_turn_longer_than_the_rules_say_is_caught() -> None:
    class Hasty(QuantumDuel):
        longest_turn = 2

    caught(check_random_play, Hasty(), "A turn has 3 moves")


def test_a_game_longer_than_the_rules_say_is_caught() -> None:
    class Hasty(DigitDeductions):
        most_turns = 3

    caught(check_random_play, Hasty(), "A game has more than 5 moves")


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ([0, 1, 2], "3 to .* is not among the game's answers"),
        ([0, 1, 2, 3, 0], "An answer is listed twice"),
        ([0, True, 2, 3], "1 is listed as True"),
    ],
)
def test_wrongly_listed_answers_are_caught(listed: list[int], message: str) -> None:
    class Lists(SafeCracker):
        answers = Answers(listed)

    caught(check_answers, Lists(), message)


def test_two_answers_with_the_same_json_form_are_caught() -> None:
    class Coarse(SafeCracker):
        def answer_to_json(self, answer: Answer) -> Any:
            return answer == 3

    caught(check_answers, Coarse(), "Two answers have the same JSON form")


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


def test_a_game_that_draws_its_own_chance_is_caught() -> None:
    rng = Random(1)

    class Fickle(SafeCrackerState):
        __slots__ = ()

        def play(self, move: Move) -> Self:
            return super().play(rng.choice(self.moves))

    caught(check_random_play, with_state(Fickle), "gives two different states")


def test_a_game_that_differs_between_two_matches_with_one_seed_is_caught() -> None:
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
