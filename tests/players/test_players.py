"""The random, scripted, certified, expert and casual players: legal, from views only, strong."""

from __future__ import annotations

import inspect
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from strongroom_bluff.game import CARDS, DOUBT, Bluff

from strongroom import contract
from strongroom.arena.tournament import play_pairing
from strongroom.contests.schedule import Pairing, Score
from strongroom.contract import AnyState, Event, Game, History, Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.games.quantum_duel.rules import Reply
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.players import Resigns, player, stand_in
from strongroom.players.casual import CasualPlayer
from strongroom.players.expert import ExpertPlayer, best_guesses
from strongroom.players.ideas import DRAWN_MOVES, Codes, PlayerByIdeas, codes_left, guesses_of
from strongroom.players.master import MasterPlayer
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import GAMES, load
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout
from strongroom.theory.solution import NoTheory

VARIATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {}) for name in GAMES),
    ("safe-cracker", {"digits": 4, "length": 4}),
    ("safe-cracker", {"digits": 9, "length": 3, "attempts": 3}),
    ("safecracker-duel", {"allow_same_digit": True}),
)
KINDS: tuple[type[PlayerByIdeas], ...] = (ExpertPlayer, CasualPlayer)


def views(game: Game, games: int) -> Iterator[View]:
    """The views of the player to move, throughout random games."""
    for seed in range(games):
        for state in playout(game, Random(seed), longest=60).states:
            if isinstance(state.actor, Seat):
                yield state.view(state.actor)


def expert(state: AnyState, seed: int = 1) -> Move:
    assert isinstance(state.actor, Seat)
    return ExpertPlayer(state.game, Random(seed)).choose(state.view(state.actor))


@pytest.mark.parametrize(("name", "options"), VARIATIONS)
def test_in_every_view_the_move_is_legal_and_drawn_from_the_mixture(
    name: str, options: dict[str, Any]
) -> None:
    game = load(name, **options)
    for kind in KINDS:
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


@pytest.mark.parametrize("name", GAMES)
def test_a_seed_and_a_view_determine_the_move_whatever_was_seen_before(name: str) -> None:
    game, rng = load(name), Random(0)
    for kind in KINDS:
        seated, moves, others = kind(game, rng), [], []
        for number, view in enumerate(views(game, games=4)):
            rng.seed(number)
            moves.append(seated.choose(view))
            copy = View.from_json(game, view.to_json())
            assert moves[-1] == kind(game, Random(number)).choose(copy)
            others.append(kind(game, Random(-1 - number)).choose(view))
        assert moves != others, "another seed plays a different game"


def test_every_known_game_is_explained_in_two_sentences() -> None:
    for kind in KINDS:
        for name in GAMES:
            _, told = (inspect.getdoc(kind.ideas[name]) or "").split("\n\n")
            sentences = told.replace("\n", " ")
            assert sentences.count(". ") == 1
            assert sentences.endswith(".")


def test_any_other_game_is_searched_with_a_mixture_that_the_view_determines() -> None:
    class Hopeless(Bluff):
        draws = 0

        def sample_secret(self, state: AnyState, view: View, rng: Random) -> NoReturn:
            Hopeless.draws += 1
            raise contract.NotLegal("Nobody can guess that.")

    for game, doubts in ((Bluff(), (1.0, 0.9)), (Hopeless(), (0.5, 0.5))):
        state = game.start().play(CARDS[0]).play(CARDS[1]).play(CARDS[1])  # nobody else has it
        for kind, chance in zip(KINDS, doubts, strict=True):
            seated = kind(game, Random(1))
            mixture = seated.policy(state.view(Seat.TWO))
            assert mixture.get(DOUBT) == pytest.approx(chance)
            assert mixture == kind(game, Random(2)).policy(state.view(Seat.TWO))
            assert seated.policy(state.view(Seat.ONE)) == {}
    assert Hopeless.draws == 4 * (DRAWN_MOVES // 3), "at each decision, and no longer"


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


@pytest.mark.proof
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
            total += play_pairing(Pairing(load(name), (one, other), number, 3, 100)).score
        return total.mean

    assert score("expert", "random", games) > expert
    assert score("casual", "random", games) > casual
    assert score("expert", "casual", 80) > 0.5


def test_a_beginner_ends_its_games_against_casual_and_wins_three_in_four() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "beginner.py"
    main = runpy.run_path(str(script))["main"]
    assert main(["--games", "200"]) is None


def codes(rows: Codes) -> set[Move]:
    return {Code(tuple(map(int, row))) for row in rows}


def test_the_codes_left_are_those_that_fit_every_answer() -> None:
    state = after("digit-deductions", "4-7", "6-8", "5-5", "1-1", "7-9")
    game = DigitDeductions()
    left = codes_left(game, guesses_of(state.view(None), Seat.ONE))
    guesses = (Code((5, 5)), Code((7, 9)))
    fitting = [c for c in NUMBERS.codes if [game.answer(guess, c) for guess in guesses] == [4, 2]]
    assert [tuple(map(int, row)) for row in left] == [code.digits for code in fitting]


def test_the_expert_guesses_what_may_be_right_unless_another_guess_splits_better() -> None:
    game = load("safe-cracker")
    own = (((1, 1, 1), 2), ((1, 1, 2), 1), ((2, 1, 1), 1))
    assert codes(codes_left(game, own)) == {Code((1, 2, 1)), Code((1, 3, 1))}
    assert {*map(Code, best_guesses(game, own, hit=False))} == codes(codes_left(game, own))
    more, first = load("safe-cracker", digits=4), (((1, 1, 1), 2),)
    left = codes(codes_left(more, first))
    assert left.isdisjoint(map(Code, best_guesses(more, first, hit=False)))
    assert left.issuperset(map(Code, best_guesses(more, first, hit=True)))


def test_ten_thousand_guesses_are_not_too_many_and_the_last_attempt_is_at_a_code_left() -> None:
    state = after("safe-cracker", digits=9, length=6)
    game = state.game
    secret, *others = (game.actions[number] for number in (0, *range(1, 27)))
    for move in (secret, secret, *others * 400):
        state = state.play(move)
    view = state.view(Seat.ONE)
    assert len(view.history) == 10_400
    assert expert(state) in codes(codes_left(game, guesses_of(view, Seat.ONE)))
    assert CasualPlayer(game, Random(1)).choose(view) in game.actions
    # The guesses that split the codes best cannot be right.
    last = after("safe-cracker", "2-1-3", "1-1-2", "1-2-2", "1-2-3", attempts=2)
    left = codes(codes_left(last.game, guesses_of(last.view(Seat.ONE), Seat.ONE)))
    assert {expert(last, seed) for seed in range(20)} <= left


def test_the_expert_hides_in_the_middle_opens_with_a_corner_and_shoots_along_a_diagonal() -> None:
    game = DigitDeductions()
    expert = ExpertPlayer(game, Random(1))
    hidden = expert.policy(game.start().view(Seat.ONE))
    assert hidden[Code((5, 5))] == pytest.approx(25 * hidden[Code((1, 9))])
    opening = after("digit-deductions", "4-7", "6-8").view(Seat.ONE)
    assert {*map(str, expert.policy(opening))} == {"1-1", "1-9", "9-1", "9-9"}
    known = after("digit-deductions", "5-5", "5-1", "1-1", "1-1", "1-9").view(Seat.TWO)
    assert len(codes_left(game, guesses_of(known, Seat.ONE))) == 1
    shots = expert.policy(known)
    assert {sum(code.digits) for code in shots if isinstance(code, Code)} == {10}
    assert len(shots) == 9
    assert shots[Code((5, 5))] > shots[Code((1, 9))] > 0


WEAK = ("It is not equal to 1.", "It is not equal to 2.", "It is not equal to 3.")
STRONG = ("The number is even.", "It is greater than 10.", "It is divisible by 3.")


def test_the_expert_asks_on_after_a_strong_clue_and_stops_after_a_weak_one() -> None:
    state = after("safe-code", "18")
    for _ in range(3):
        clue = expert(state)
        assert isinstance(clue, Clue)
        assert len(clue.meaning) == 29, "each of its own clues rules out one number"
        state = state.play(clue)
    for clues, goes_on in ((STRONG, True), (WEAK, False)):
        state = after("safe-code", "18", *WEAK, "24", *clues, "clue", "5")
        assert (expert(state) == REQUEST) is goes_on
    turns = ("clue", "5", "clue", "6", "clue", "7", "12", "8")
    state = after("safe-code", "18", *WEAK, "24", *STRONG, *turns)
    guesses = {expert(state, seed) for seed in range(60)}
    assert guesses == {Number(18), Number(24), Number(30)}, "what fits what it was told"
    others = [str(number) for number in range(1, 28) if number != 24]
    for tried, asks in ((25, True), (26, False)):
        tries = [text for other in others[:tried] for text in (other, "30")]
        state = after("safe-code", "18", *WEAK, "24", *STRONG, *tries)
        assert (expert(state) == REQUEST) is asks, "half of four numbers is worth a turn"
    for below, asks in ((19, False), (20, True)):
        clues = ("It is greater than 16.", f"It is less than {below}.", WEAK[0])
        state = after("safe-code", "18", *clues, "24", *STRONG, "5", "clue", "6", "clue")
        assert (expert(state) == REQUEST) is asks, "nobody asks whose opponent has two to try"


def test_the_expert_takes_a_win_on_the_safe_and_undoes_a_change_once_that_is_safe() -> None:
    assert str(expert(after("safecracker-duel", "3-1-2", "5-5-5", "1 3", "3 4"))) == "3 2"
    state = after("safecracker-duel", "5-1-5", "2-1-1", "1 3", "2 4", "3 2", "2 5")
    assert str(state.play(expert(state)).board) == "3-4-2"


def test_the_expert_hides_a_code_near_the_first_safe_opens_with_any_turn_and_stays_near() -> None:
    game = load("safecracker-duel")
    expert = ExpertPlayer(game, Random(1))
    codes = expert.policy(game.start().view(Seat.ONE))
    assert len(codes) == 12
    assert all(str(code).count("1") == 2 for code in codes)
    first = after("safecracker-duel", "5-1-1", "1-1-3")
    assert {*expert.policy(first.view(Seat.ONE))} == {*first.moves}
    third = after("safecracker-duel", "5-1-1", "1-1-3", "2 4", "3 2")
    safes = {str(third.play(turn).board) for turn in expert.policy(third.view(Seat.ONE))}
    assert "1-4-1" in safes
    assert "2-4-2" not in safes, "within two digits of its code"


def test_the_expert_completes_a_chain_blocks_one_and_challenges_one() -> None:
    symbols = {Seat.ONE: "X", Seat.TWO: "O", None: "_"}
    for moves, board, move in (
        ("1 5 3 7 2 no 6 no", "XXX_OOO", "4"),
        ("1 7 3 6 no 2 no", "XXX__OO", "4"),
        ("1 7 3 6 no 2 no 5 yes tails 4", "XXXX_OO", "yes"),
    ):
        state = after("quantum-duel", *moves.split())
        assert "".join(symbols[cell] for cell in state.board) == board
        assert str(expert(state)) == move


def test_casual_challenges_three_in_a_row_unless_it_overlooks_them() -> None:
    casual = CasualPlayer(load("quantum-duel"), Random(1))
    for moves, chance in (("1 7 2", 0.5), ("1 7 2 no 6 no 3", 0.9)):
        view = after("quantum-duel", *moves.split()).view(Seat.TWO)
        assert casual.policy(view)[Reply(True)] == pytest.approx(chance)


class Unlisted(tuple[Move, ...]):
    """Moves that can be read one by one but not listed."""

    __slots__ = ()

    def __iter__(self) -> NoReturn:
        raise AssertionError("all the moves were listed")


def test_the_random_player_chooses_every_legal_move_and_no_other_without_listing_them() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    player = RandomPlayer(load("quantum-duel"), Random(1))
    assert player.policy(view) == dict.fromkeys(view.moves, 1 / 6)
    unlisted = view._replace(moves=Unlisted(view.moves))
    assert {player.choose(unlisted) for _ in range(200)} == set(view.moves)


def test_the_scripted_player_plays_its_texts_as_if_typed_then_resigns() -> None:
    state = after("digit-deductions")
    player, view = ScriptedPlayer(state.game, ["4 7", "47"]), state.view(Seat.ONE)
    assert [str(player.choose(view)) for _ in range(2)] == ["4-7", "4-7"]
    with pytest.raises(Resigns):
        player.choose(view)
    with pytest.raises(contract.NotUnderstood):
        ScriptedPlayer(state.game, ["nonsense"]).choose(view)


def test_moves_are_drawn_as_often_as_the_policy_says() -> None:
    game = load("safecracker-duel")
    view = game.start().view(Seat.ONE)
    master = MasterPlayer(game, Random(2))
    policy = master.policy(view)
    drawn = Counter(master.choose(view) for _ in range(4000))
    assert set(drawn) <= {move for move, weight in policy.items() if weight > 0}
    top = max(policy, key=lambda move: policy[move])
    assert drawn[top] / 4000 == pytest.approx(float(policy[top]), abs=0.02)


def test_it_refuses_options_for_which_nothing_is_certified_and_expert_stands_in() -> None:
    for options in ({"digits": 5, "length": 4}, {"attempts": 3}, {"digits": 9, "length": 6}):
        game = load("safe-cracker", **options)
        with pytest.raises(NoTheory, match=r"certified for safe-cracker,.* choose expert"):
            MasterPlayer(game, Random(1))
        name, told = stand_in("master", game)
        assert name == "expert"
        assert told.startswith("Nothing is certified for safe-cracker,")
        assert told.endswith(": expert plays instead of master.")
        assert stand_in("casual", game) == ("casual", "")
    assert stand_in("master", load("safe-cracker", digits=9)) == ("master", "")
    assert stand_in("master", Bluff())[0] == "expert"


class Watched(History[Event]):
    """A history that counts how many of its events are read."""

    __slots__ = ("looks",)

    looks: int

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.looks += len(found) if isinstance(place, slice) else 1
        return found

    def __iter__(self) -> Iterator[Event]:
        for event in super().__iter__():
            self.looks += 1
            yield event


@pytest.mark.parametrize("bot", ["master", "expert", "casual", "random"])
@pytest.mark.parametrize("name", ["quantum-duel", "safecracker-duel"])
def test_a_bot_reads_no_more_events_late_in_a_match_than_early(bot: str, name: str) -> None:
    game, rng = load(name), Random(1)
    bots = {seat: player(bot, game, Random(seat.value)) for seat in Seat}
    state: AnyState = game.start()
    while state.turns < 1000:
        move = rng.choice(state.moves)
        if isinstance(state.actor, Seat):
            watched = Watched.of(state.past)
            watched.looks = 0
            move = bots[state.actor].choose(state.view(state.actor)._replace(history=watched))
            assert watched.looks <= 8, f"{watched.looks} at turn {state.turns}"
        on = (state.play(each) for each in (move, *state.moves))
        state = next(after for after in on if after.outcome is None)
