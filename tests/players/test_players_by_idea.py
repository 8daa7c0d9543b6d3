"""The expert and casual players: legal, playing from views only, and as strong as intended."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, ClassVar

import pytest

from strongroom.arena.score import Score
from strongroom.arena.tournament import play_one
from strongroom.contract import AnyState, Game, Move, Seat, UnknownName, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.players import player
from strongroom.players.candidates import Codes, codes_left, guesses_of
from strongroom.players.casual import CasualPlayer
from strongroom.players.expert import ExpertPlayer
from strongroom.players.expert.guessing import best_guesses
from strongroom.players.ideas import Idea, PlayerByIdeas, UnknownMixture
from strongroom.plugins.registry import GAMES, load
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout

VARIATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {}) for name in GAMES),
    ("safe-cracker", {"digits": 4, "length": 4}),
    ("safe-cracker", {"digits": 9, "length": 3, "attempts": 3}),
    ("safecracker-duel", {"allow_same_digit": True}),
)
BOTH = pytest.mark.parametrize("kind", [ExpertPlayer, CasualPlayer])
EACH_GAME = pytest.mark.parametrize("name", list(GAMES))


def views(game: Game, games: int) -> Iterator[View]:
    """The views of the player to move, throughout random games."""
    for seed in range(games):
        for state in playout(game, Random(seed), longest=60).states:
            if isinstance(state.actor, Seat):
                yield state.view(state.actor)


def expert(state: AnyState, seed: int = 1) -> Move:
    """The move of the expert for the seat to move."""
    assert isinstance(state.actor, Seat)
    return ExpertPlayer(state.game, Random(seed)).choose(state.view(state.actor))


# --- every game -----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(("name", "options"), VARIATIONS)
def test_in_every_view_the_move_is_legal_and_drawn_from_the_mixture(
    kind: type[PlayerByIdeas], name: str, options: dict[str, Any]
) -> None:
    game = load(name, **options)
    for number, view in enumerate(views(game, games=5)):
        seated = kind(game, Random(number))
        move = seated.choose(view)
        assert move in view.moves
        if not options:  # a mixture over many codes takes long
            mixture = seated.policy(view)
            assert sum(mixture.values()) == pytest.approx(1)
            assert min(mixture.values()) > 0
            assert move in mixture
    assert kind(game, Random(1)).policy(game.start().view(Seat.TWO)) == {}


@BOTH
@EACH_GAME
def test_a_seed_and_a_view_determine_the_move_whatever_was_seen_before(
    kind: type[PlayerByIdeas], name: str
) -> None:
    game, rng = load(name), Random(0)
    seated, moves, others = kind(game, rng), [], []
    for number, view in enumerate(views(game, games=4)):
        rng.seed(number)
        move = seated.choose(view)
        copy = View.from_json(game, view.to_json())
        assert move == kind(game, Random(number)).choose(copy)
        moves.append(move)
        others.append(kind(game, Random(-1 - number)).choose(view))
    assert moves != others, "another seed plays a different game"


@BOTH
def test_it_refuses_a_game_that_it_does_not_know(kind: type[PlayerByIdeas]) -> None:
    class Unheard(SafeCracker):
        name = "unheard"

    with pytest.raises(UnknownName, match=r"cannot play unheard\. random plays every game\."):
        kind(Unheard(), Random(1))


@pytest.mark.parametrize("name", ["safe-cracker", "safe-code", "digit-deductions"])
def test_casual_forgets_as_often_as_its_mixture_says(name: str) -> None:
    game, draws = load(name), 2000
    seated = CasualPlayer(game, Random(1))
    setting, *_, late = [view for view in views(game, games=1) if view.seat is Seat.ONE][:6]
    for view in (setting, late):
        mixture = seated.policy(view)
        favourites = sorted(mixture, key=lambda move: -mixture[move])[: -(-len(mixture) // 2)]
        expected = sum(mixture[move] for move in favourites)
        drawn = sum(seated.choose(view) in favourites for _ in range(draws))
        assert drawn / draws == pytest.approx(expected, abs=4 * 0.5 / draws**0.5)


def test_an_idea_without_a_stated_mixture_says_so() -> None:
    class Sudden(Idea):
        def choose(self, view: View) -> Move:
            return view.moves[0]

    class SuddenPlayer(PlayerByIdeas):
        name = "sudden"
        ideas: ClassVar[Mapping[str, type[Idea]]] = {"safe-cracker": Sudden}

    game = load("safe-cracker")
    with pytest.raises(UnknownMixture, match="does not state the probabilities"):
        SuddenPlayer(game, Random(1)).policy(game.start().view(Seat.ONE))


@BOTH
@EACH_GAME
def test_every_game_is_explained_in_two_sentences(kind: type[PlayerByIdeas], name: str) -> None:
    _, told = (inspect.getdoc(kind.ideas[name]) or "").split("\n\n")
    sentences = told.replace("\n", " ")
    assert sentences.count(". ") == 1
    assert sentences.endswith(".")


@pytest.mark.parametrize(
    ("name", "games", "expert", "casual"),
    [
        ("safecracker-duel", 60, 0.85, 0.7),
        ("safe-cracker", 120, 0.8, 0.8),
        ("safe-code", 160, 0.62, 0.62),
        ("digit-deductions", 80, 0.88, 0.85),
        ("quantum-duel", 60, 0.85, 0.6),
    ],
)
def test_both_clearly_beat_the_random_player_and_casual_does_not_beat_the_expert(
    name: str, games: int, expert: float, casual: float
) -> None:
    def score(one: str, other: str, games: int) -> float:
        total = Score(one, other)
        for number in range(games):
            total += play_one(load(name), (one, other), player, 3, number, 100)
        return total.mean

    assert score("expert", "random", games) > expert
    assert score("casual", "random", games) > casual
    assert score("expert", "casual", 80) > 0.5


# --- guessing codes -------------------------------------------------------------------------------


def codes(rows: Codes) -> set[Move]:
    return {Code(tuple(map(int, row))) for row in rows}


def test_the_codes_left_are_those_that_fit_every_answer() -> None:
    state = after("digit-deductions", "4-7", "6-8", "5-5", "1-1", "7-9")
    game = DigitDeductions()
    left = codes_left(game, guesses_of(state.view(None), Seat.ONE))
    guesses = (Code((5, 5)), Code((7, 9)))
    fitting = [c for c in NUMBERS.codes if [game.answer(guess, c) for guess in guesses] == [4, 2]]
    assert [tuple(map(int, row)) for row in left] == [code.digits for code in fitting]


def test_the_expert_prefers_a_guess_that_may_be_right_to_one_that_splits_as_well() -> None:
    game = load("safe-cracker")
    own = (((1, 1, 1), 2), ((1, 1, 2), 1), ((2, 1, 1), 1))
    assert codes(codes_left(game, own)) == {Code((1, 2, 1)), Code((1, 3, 1))}
    assert {*map(Code, best_guesses(game, own, hit=False))} == codes(codes_left(game, own))


def test_the_expert_finds_a_guess_that_splits_better_than_any_that_may_be_right() -> None:
    game, own = load("safe-cracker", digits=4), (((1, 1, 1), 2),)
    left = codes(codes_left(game, own))
    assert left.isdisjoint(map(Code, best_guesses(game, own, hit=False)))
    assert left.issuperset(map(Code, best_guesses(game, own, hit=True)))


@pytest.mark.parametrize("options", [{}, {"digits": 9, "length": 6}])
def test_ten_thousand_guesses_are_not_too_many_for_any_guesser(options: dict[str, int]) -> None:
    game = load("safe-cracker", **options)
    state: AnyState = game.start()
    secret, *others = (game.actions[number] for number in (0, *range(1, 27)))
    for move in (secret, secret, *others * 400):
        state = state.play(move)
    view = state.view(Seat.ONE)
    assert len(view.history) == 10_400
    assert expert(state) in codes(codes_left(game, guesses_of(view, Seat.ONE)))
    assert CasualPlayer(game, Random(1)).choose(view) in game.actions


def test_the_expert_guesses_a_possible_code_on_its_last_attempt() -> None:
    state = after("safe-cracker", "2-1-3", "3-3-1", "1-1-1", "1-1-1", attempts=2)
    left = codes(codes_left(state.game, guesses_of(state.view(Seat.ONE), Seat.ONE)))
    assert {expert(state, seed) for seed in range(20)} <= left


# --- Digit Deductions -----------------------------------------------------------------------------


def test_the_expert_opens_with_any_corner_and_prefers_to_hide_in_the_middle() -> None:
    state = after("digit-deductions", "4-7", "6-8")
    seated = ExpertPlayer(state.game, Random(1))
    corners = {str(move) for move in seated.policy(state.view(Seat.ONE))}
    assert corners == {"1-1", "1-9", "9-1", "9-9"}
    hidden = seated.policy(state.game.start().view(Seat.ONE))
    assert hidden[Code((5, 5))] == pytest.approx(25 * hidden[Code((1, 9))])


def test_the_expert_guesses_along_a_diagonal_when_the_opponent_knows_its_number() -> None:
    state = after("digit-deductions", "5-5", "5-1", "1-1", "1-1", "1-9")
    seated = ExpertPlayer(state.game, Random(1))
    shots = seated.policy(state.view(Seat.TWO))
    assert len(codes_left(state.game, guesses_of(state.view(None), Seat.ONE))) == 1
    assert {sum(code.digits) for code in shots if isinstance(code, Code)} == {10}
    assert len(shots) == 9
    assert shots[Code((5, 5))] > shots[Code((1, 9))] > 0


# --- Safe Code ------------------------------------------------------------------------------------


def test_the_experts_clues_rule_out_one_number_each() -> None:
    state = after("safe-code", "18")
    for _ in range(3):
        clue = expert(state)
        assert isinstance(clue, Clue)
        assert len(clue.meaning) == 29
        state = state.play(clue)


WEAK = ("It is not equal to 1.", "It is not equal to 2.", "It is not equal to 3.")
STRONG = ("The number is even.", "It is greater than 10.", "It is divisible by 3.")


def test_the_expert_asks_on_after_a_strong_clue_and_stops_after_a_weak_one() -> None:
    for clues, goes_on in ((STRONG, True), (WEAK, False)):
        state = after("safe-code", "18", *WEAK, "24", *clues, "clue", "5")
        assert (expert(state) == REQUEST) is goes_on


def test_the_expert_guesses_only_numbers_that_fit_what_it_was_told() -> None:
    turns = ("clue", "5", "clue", "6", "clue", "7", "12", "8")
    state = after("safe-code", "18", *WEAK, "24", *STRONG, *turns)
    guesses = {expert(state, seed) for seed in range(60)}
    assert guesses == {Number(18), Number(24), Number(30)}


# --- Safecracker Duel -----------------------------------------------------------------------------


def test_the_expert_takes_a_win_on_the_safe() -> None:
    state = after("safecracker-duel", "3-1-2", "5-5-5", "1 3", "3 4")
    assert str(expert(state)) == "3 2"


def test_the_expert_undoes_the_opponents_change_once_that_is_safe() -> None:
    state = after("safecracker-duel", "5-1-5", "2-1-1", "1 3", "2 4", "3 2", "2 5")
    turn = expert(state)
    assert str(state.play(turn).board) == "3-4-2"


def test_the_expert_hides_a_code_one_digit_from_the_first_safe_and_opens_with_any_turn() -> None:
    game = load("safecracker-duel")
    codes = ExpertPlayer(game, Random(1)).policy(game.start().view(Seat.ONE))
    assert len(codes) == 12
    assert all(str(code).count("1") == 2 for code in codes)
    state = after("safecracker-duel", "5-1-1", "1-1-3")
    turns = ExpertPlayer(game, Random(1)).policy(state.view(Seat.ONE))
    assert {str(turn) for turn in turns} == {str(move) for move in state.moves}


def test_the_expert_stays_within_two_digits_of_its_code_while_its_turns_are_random() -> None:
    state = after("safecracker-duel", "5-1-1", "1-1-3", "2 4", "3 2")
    turns = ExpertPlayer(state.game, Random(1)).policy(state.view(Seat.ONE))
    safes = {str(state.play(turn).board) for turn in turns}
    assert "1-4-1" in safes
    assert "2-4-2" not in safes


# --- Quantum Duel ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "board", "move"),
    [
        pytest.param("1 5 3 7 2 no 6 no", "XXX_OOO", "4", id="completes a chain"),
        pytest.param("1 7 3 6 no 2 no", "XXX__OO", "4", id="blocks one"),
        pytest.param("1 7 3 6 no 2 no 5 yes tails 4", "XXXX_OO", "yes", id="challenges a chain"),
    ],
)
def test_the_expert_completes_a_chain_blocks_one_and_challenges_one(
    moves: str, board: str, move: str
) -> None:
    state = after("quantum-duel", *moves.split())
    symbols = {Seat.ONE: "X", Seat.TWO: "O", None: "_"}
    assert "".join(symbols[cell] for cell in state.board) == board
    assert str(expert(state)) == move
