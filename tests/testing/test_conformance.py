"""Every game passes the shared checks, and each broken promise is caught by the check for it."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from random import Random
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import (
    Actions,
    Answers,
    Block,
    Candidates,
    Ending,
    Event,
    Game,
    Move,
    NotLegal,
    NotUnderstood,
    Outcome,
    Phase,
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
    QuantumDuel,
    QuantumDuelReason,
    QuantumDuelState,
)
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerReason, SafeCrackerState
from strongroom.games.safe_cracker.words import SafeCrackerWords
from strongroom.plugins.registry import load, names
from strongroom.testing import conformance
from strongroom.testing.conformance import (
    CHECKS,
    check_answers,
    check_candidates,
    check_game,
    check_moves,
    check_parts,
    check_random_play,
    check_records,
    check_texts,
    check_views,
)
from strongroom.testing.no_leak import check_no_leak
from strongroom.testing.playouts import playout, refusal_of
from tests.tries import tries

VARIATIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {}) for name in names("game") if name != "safe-code"),
    ("safe-cracker", {"digits": 4}),
    ("safe-cracker", {"length": 4}),
    ("safe-cracker", {"attempts": 2}),
    ("safe-cracker", {"digits": 4, "length": 4, "attempts": 2}),
    ("safe-cracker", {"digits": 9, "length": 6}),
    ("safecracker-duel", {"allow_same_digit": True}),
)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "options"),
    [*VARIATIONS, pytest.param("safe-code", {}, marks=pytest.mark.proof)],
    ids=str,
)
def test_a_game_passes_every_check(name: str, options: dict[str, Any]) -> None:
    check_game(load(name, **options), seed=0)
    written = {each for name, each in vars(conformance).items() if name.startswith("check_")}
    assert len(written) > 5
    assert {*CHECKS, check_game} == written


@pytest.mark.parametrize("name", names("game"))
@tries(0.4)
@given(line=st.text(), seed=st.integers(0, 9))
def test_any_line_is_a_move_or_a_refusal(name: str, line: str, seed: int) -> None:
    game, rng = load(name), Random(seed)
    state = rng.choice(playout(game, rng).states[:-1])
    if isinstance(state.actor, Seat):
        read = partial(game.words.parse, line, state.view(state.actor))
        refusal = refusal_of(read)
        assert refusal.reason if refusal else read() in game.actions


def changed(kind: type[Any], **parts: Any) -> Any:
    slots = {"__slots__": ()} if issubclass(kind, State) else {}
    meta: Any = type(kind)
    return meta(f"Wrong{kind.__name__}", (kind,), {**slots, **parts})


def starting(kind: type[Game], first: type[State[Any, Any, Any]], board: Any) -> Game:
    game: Game = changed(kind, start=lambda self: first.first(self, board))()
    return game


def state(**parts: Any) -> Game:
    """Safe Cracker with parts of its states replaced; `moves` is given as a function."""
    if "moves" in parts:
        parts["moves"] = property(parts["moves"])
    return starting(SafeCracker, changed(SafeCrackerState, **parts), None)


def words(**parts: Any) -> Game:
    return SafeCracker().in_words(changed(SafeCrackerWords, **parts))


def all_moves(self: SafeCrackerState) -> Sequence[Move]:
    moves: Sequence[Move] = SafeCrackerState.moves.__get__(self)
    return moves


play, view = SafeCrackerState.play, SafeCrackerState.view
understand, question = SafeCrackerWords.understand, SafeCrackerWords.question


def refusing(refused: str, why: str = "Not that one.", accepted: str = "") -> Callable[..., Any]:
    """Play that refuses one move; `accepted` may name the secrets."""

    def picky(self: SafeCrackerState, move: Move) -> SafeCrackerState:
        if str(move) == refused:
            raise NotLegal(why, accepted.format(self.secrets))
        return play(self, move)

    return picky


def showing(**parts: Callable[[SafeCrackerState, Seat | None], Any]) -> Game:
    """Safe Cracker with views of which parts are replaced by what these functions give."""

    def shown(self: SafeCrackerState, seat: Seat | None, ended: Outcome | None = None) -> View:
        found = {name: part(self, seat) for name, part in parts.items()}
        return view(self, seat, ended)._replace(**found)

    return state(view=shown)


def echo(self: SafeCrackerWords, text: str, view: View) -> Move:
    if refusal_of(partial(understand, self, text, view)):
        raise NotUnderstood(f"What is {text}?", "Type a code.")
    return understand(self, text, view)


def ending(decide: Callable[[SafeCrackerState], Outcome | None]) -> Game:
    """Safe Cracker that ends as is decided after each move."""

    def played(self: SafeCrackerState, move: Move) -> SafeCrackerState:
        after = play(self, move)
        return after._replace(outcome=decide(after))

    return state(play=played)


class Shifted(Sublist[Move]):
    """Moves that claim the numbers of their neighbours."""

    @cached_property
    def runs(self) -> list[Run]:
        return [(first + 1, end + 1) for first, end in super().runs]


class Twice(Candidates):
    """Candidates that are each counted twice."""

    def __init__(self, left: Candidates) -> None:
        self.left = left

    def __len__(self) -> int:
        return 2 * len(self.left)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (each for each in self.left for _ in range(2))

    def after(self, event: Event) -> Self:
        return type(self)(self.left.after(event))


class Scribbles(State[Game, list[int], Move]):
    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        return OBSERVATIONS if self.outcome is None else ()

    def play(self, move: Move) -> Self:
        self.board.append(1)
        outcome = Outcome(Seat.ONE, QuantumDuelReason.CHAINED) if self.turns == 3 else None
        actor = Seat.ONE if outcome is None else None
        return self.after(Event(Seat.ONE, move, STANDS), list(self.board), actor, outcome)


def biased(*factors: float) -> Game:
    """Quantum Duel with a coin whose odds are multiplied."""

    def bent(self: QuantumDuelState) -> list[float]:
        odds = QuantumDuelState.odds.__get__(self)
        return [factor * each for factor, each in zip(factors, odds, strict=True)]

    return starting(QuantumDuel, changed(QuantumDuelState, odds=property(bent)), INITIAL_BOARD)


RNG = Random(1)
COIN_FIRST = Actions(
    Block(COIN, Phase.CHANCE), Block(OBSERVATIONS, Phase.TURN), Block(REPLIES, Phase.TURN)
)


def a_digit(self: SafeCrackerState, seat: Seat | None) -> object:
    hidden = self.secrets[1] if seat is Seat.ONE and self.outcome is None else ()
    return hidden[0].digits[0] if hidden else self.board


def the_sum(self: SafeCrackerState, seat: Seat | None) -> int:
    known = sum(sum(code.digits) for codes in self.secrets for code in codes)
    return known if seat is None else self.turns


def spare_the_secret(self: SafeCrackerState) -> Sequence[Move]:
    return [
        move for move in all_moves(self) if self.actor is Seat.TWO or move not in self.secrets[1]
    ]


def play_listed(self: SafeCrackerState, move: Move) -> SafeCrackerState:
    if move not in self.moves:
        raise NotLegal("Not that one.")
    return play(self, move)


SEEN: list[SafeCrackerState] = []


def remember(self: SafeCrackerState, seat: Seat | None, ended: Outcome | None = None) -> View:
    SEEN.append(self)
    return view(self, seat, ended)


def telling(name: str) -> Game:
    """Safe Cracker in words that read a state they should not know, and tell a code of it."""
    say = getattr(SafeCrackerWords, name)

    def tell(self: SafeCrackerWords, *given: Any) -> str:
        return f"{say(self, *given)} {SEEN[-1].secrets[0]}"

    return state(view=remember).in_words(changed(SafeCrackerWords, **{name: tell}))


def mine(**parts: Any) -> Game:
    game: Game = changed(SafeCracker, **{"name": "mine", **parts})()
    return game


CODES = SafeCracker().actions


BROKEN: dict[Callable[[Game, Random], None], dict[str, Game]] = {
    check_parts: {
        "no rules page for Safe Cracker. Write it in Markdown as /.*, or as rules.md": mine(),
        "'safe-cracker' is another game's name": changed(SafeCracker)(),
        "'my game' is not one word of at most 60": mine(name="my game"),
        "secrets_each is 0, and some actions": mine(secrets_each=0),
        "actions are None: return Actions": mine(actions=None),
        "start gives None: return a State": mine(start=lambda self: None),
        "State does not define play": state(play=abstractmethod(lambda self, move: self)),
    },
    check_moves: {
        "2-2-2 is listed, but refused: Too plain": state(play=refusing("2-2-2", "Too plain.")),
        "1-1-1 is accepted, but not listed": state(moves=lambda self: all_moves(self)[1:]),
    },
    check_texts: {
        "'1-1-3' is read as": words(
            understand=lambda self, text, view: understand(self, text.replace("3", "2"), view)
        ),
        "'1-1-1!', a legal move, is refused": words(text=lambda self, move: f"{move}!"),
        "is quoted raw": words(understand=echo),
        "says what is accepted": words(
            question=lambda self, *seen: question(self, *seen)._replace(accepted="")
        ),
        "9-9-9 may be picked for somebody": words(picks=lambda self, view: [Code((9, 9, 9))]),
        "'something' is not among the kinds": words(deciding=lambda self, view: "something"),
        "The moves of chance do not stand last": changed(QuantumDuel, actions=COIN_FIRST)(),
    },
    check_random_play: {
        "not in the order of the numbers": state(moves=lambda self: tuple(all_moves(self))[::-1]),
        "1-1-1 is listed, but not among": mine(actions=Actions(Block(CODES[1:], Phase.SET_UP))),
        "but not in a block of Phase.TURN": mine(actions=Actions(Block(CODES, Phase.SET_UP))),
        "These moves have other numbers": state(
            moves=lambda self: Shifted(all_moves(self), array("q", range(20)))
        ),
        "The game lists why it can end": ending(
            lambda after: after.outcome and Outcome(Seat.ONE, Ending.RESIGNED)
        ),
        "There is an actor until the game is over": ending(
            lambda after: Outcome(Seat.ONE, SafeCrackerReason.CRACKED) if after.log else None
        ),
        "gives two different states": state(
            play=lambda self, _: play(self, RNG.choice(self.moves))
        ),
        "secrets wait for the end": showing(secrets=lambda self, _: self.secrets),
        "odds sum to 0.9, not to 1": biased(0.9, 0.9),
        "A move that cannot happen is listed": biased(2, 0),
        "A state was changed by later play|two different": starting(QuantumDuel, Scribbles, []),
        "counts as several turns": state(turns=property(lambda self: 2 * len(self.log))),
        "A turn has 3 moves": changed(QuantumDuel, longest_turn=2)(),
        "A game has more than 5 moves": changed(DigitDeductions, most_turns=3)(),
    },
    check_answers: {
        "3 to .* is not among the game's answers": changed(
            SafeCracker, answers=Answers([0, 1, 2])
        )(),
        "An answer is listed twice": changed(SafeCracker, answers=Answers([0, 1, 2, 3, 0]))(),
        "1 is listed as True": changed(SafeCracker, answers=Answers([0, True, 2, 3]))(),
        "Two answers have the same JSON form": changed(
            SafeCracker, answer_to_json=lambda self, each: each == 3
        )(),
    },
    check_records: {
        "gives two records": state(
            moves=lambda self: RNG.sample(all_moves(self), len(all_moves(self)))
        )
    },
    check_candidates: {
        "is hidden, and not counted once": changed(
            SafeCracker, candidates=lambda self, seat: Twice(SafeCracker.candidates(self, seat))
        )()
    },
    check_no_leak: {
        "Seat.ONE .* hidden thing": state(moves=spare_the_secret, play=play_listed),
        "Seat.ONE learns a hidden thing from the view": showing(board=a_digit),
        "A spectator learns a hidden thing from the view": showing(turns=the_sum),
        "hidden thing from the refusal of 3-3-3": state(
            moves=lambda self: all_moves(self)[:-1], play=refusing("3-3-3", accepted="Rather {}.")
        ),
        "from the JSON|from the announcement": telling("welcome"),
        "from the narration": telling("narrate"),
        "No two states were found": state(moves=lambda self: all_moves(self)[:1]),
    },
}


@pytest.mark.proof
@pytest.mark.parametrize("check", BROKEN)
def test_a_broken_promise_is_caught(
    check: Callable[[Game, Random], None], subtests: pytest.Subtests
) -> None:
    def check_seeds(game: Game) -> None:
        for seed in range(20):
            check(game, Random(seed))

    for message, game in BROKEN[check].items():
        with subtests.test(message), pytest.raises(AssertionError, match=message):
            check_seeds(game)


def test_a_view_that_json_changes_or_refuses_is_caught() -> None:
    wrong = changed(SafeCrackerState, view=type(showing(board=lambda *_: ("", "")).start()).view)
    unread = changed(SafeCracker, board_from_json=lambda self, data: data)
    for game, told in (
        (unread, "changes on its way through"),
        (SafeCracker, "'s own JSON is refused"),
    ):
        with pytest.raises(AssertionError, match=f"A view.*{told}"):
            check_views(starting(game, wrong, None), Random(0))


def test_an_author_is_told_which_attribute_is_missing_and_what_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for kind, name, what in (
        (SafeCracker, "name", "the name of its entry point"),
        (SafeCracker, "words_type", "the class of its words"),
        (SafeCrackerWords, "title", "the game's name as people write it"),
    ):
        told = f"{kind.__name__} has no attribute {name}: set it to {what}."
        with monkeypatch.context() as bare:
            bare.delattr(kind, name)
            with pytest.raises(TypeError, match=told):
                assert SafeCracker().words
