"""Foreign moves, data and code: whatever they do, the referee and the record stay sound."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

import pytest

from strongroom import load
from strongroom.contract import Ending, Move, NotLegal, NotUnderstood, Refusal, Seat, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import Change
from strongroom.players import player
from strongroom.players.drive import Drive
from strongroom.referee.match import Match
from strongroom.referee.record import DamagedRecord, Record
from strongroom.referee.sitter import Sitter

GAME = load("safe-cracker")
LONG = 10**5000
"""A number that Python refuses to print."""
HASHES = count()


class Liar(Code):
    """A legal code that pretends to be something else."""

    def __str__(self) -> str:
        return "\x1b]0;forged\x07"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 7


class Elusive(Liar):
    """A code that cannot be found twice."""

    def __hash__(self) -> int:
        return next(HASHES)

    def __eq__(self, other: object) -> bool:
        return False


@dataclass(frozen=True)
class Stranger(Move):
    """A move of no game."""

    def __str__(self) -> str:
        return "\x1b[2J" * 10**5


class Raises:
    """A player who raises an exception."""

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised

    def choose(self, view: View) -> Move:
        raise self.raised


@pytest.mark.parametrize("options", [{}, {"digits": 9, "length": 3}])
def test_a_move_that_lies_about_itself_is_played_as_a_move_of_the_game(
    options: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("safe-cracker", **options)
    monkeypatch.setattr(Liar, "__hash__", lambda _: hash(Code((1, 2, 3))))
    match, (step,) = Match.start(game).step(Seat.ONE, Liar((1, 2, 3)))
    assert type(step.move) is Code
    assert type(match.view(Seat.ONE).secret[0]) is Code
    assert Record.loads(match.record.dumps()) == match.record


@pytest.mark.parametrize("move", [Stranger(), Elusive((1, 2, 3)), Change(1, 1)])
def test_a_move_of_no_game_or_another_is_refused_in_one_harmless_line(move: Move) -> None:
    with pytest.raises(NotLegal) as refusal:
        Match.start(GAME).step(Seat.ONE, move)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize("patience", [None, 5.0])
@pytest.mark.parametrize("leaving", [SystemExit(0), SystemExit("bye"), GeneratorExit()])
def test_a_player_that_exits_forfeits(leaving: BaseException, patience: float | None) -> None:
    players = {Seat.ONE: Raises(leaving), Seat.TWO: player("random", GAME, Random(1))}
    outcome = Drive(Match.start(GAME), players, patience=patience).run().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.TWO, Ending.FORFEITED)
    assert type(leaving).__name__ in outcome.detail


def test_ctrl_c_does_not_make_anybody_forfeit() -> None:
    drive = Drive(Match.start(GAME), dict.fromkeys(Seat, Raises(KeyboardInterrupt())))
    with pytest.raises(KeyboardInterrupt):
        drive.run()
    assert drive.match.outcome is None


# --- data -----------------------------------------------------------------------------------------


def nested(depth: int) -> list[Any]:
    data: list[Any] = []
    for _ in range(depth):
        data = [data]
    return data


NO_PAIRS: list[Any] = [0, 0.0, False, "", {}, [], [[]], [[], [], []]]
PARTS = ("number", "board", "seat", "legal", "history", "secret")


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        *(("secrets", value, ".") for value in NO_PAIRS),
        *(
            ("legal", runs, "ascend")
            for runs in ([[0, 27]] * 2, [[1, 2], [0, 1]], [[0, 5], [4, 6]])
        ),
        *((part, -LONG, ".") for part in PARTS),
        *((part, nested(10 * sys.getrecursionlimit()), ".") for part in PARTS),
    ],
    ids=lambda _: "",
)
def test_a_view_with_a_part_that_is_none_is_refused_even_if_it_cannot_be_printed(
    part: str, value: Any, why: str
) -> None:
    view = GAME.start().view(Seat.ONE).to_json()
    with pytest.raises(Refusal, match=why):
        View.from_json(GAME, view | {part: value})


def test_a_move_with_unprintable_numbers_cannot_be_built() -> None:
    with pytest.raises(NotUnderstood):
        Change(LONG, 1)
    with pytest.raises(NotUnderstood):
        Code((1, 1, LONG))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda first, second: second.update(time=10**400), "is not a time"),
        (lambda first, second: second.update(answer=3), "A private move has no answer"),
        (lambda first, second: first["options"].update(name=1), "There is no option 'name'"),
        (lambda first, _: first["seats"][0].update(name="Player 2"), "The two names must differ"),
    ],
)
def test_a_record_with_a_part_that_cannot_be_is_refused(
    damage: Callable[[Any, Any], None], why: str
) -> None:
    match, _ = Match.start(GAME).step(Seat.ONE, GAME.move("1-2-3"))
    lines = [json.loads(each) for each in match.record.lines()]
    damage(*lines)
    with pytest.raises(DamagedRecord, match=why):
        Record.loads("\n".join(map(json.dumps, lines)))


def test_an_option_called_name_and_two_sitters_with_one_name_are_refused() -> None:
    with pytest.raises(Refusal, match="There is no option 'name'"):
        load("safe-cracker", name=1)
    with pytest.raises(Refusal, match="must differ"):
        Match.start(GAME, (Sitter("Ada"), Sitter("Ada")))
