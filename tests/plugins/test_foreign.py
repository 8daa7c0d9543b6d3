"""Foreign moves, data and code: whatever they do, the referee and the record stay sound."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
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
        return Random().getrandbits(60)

    def __eq__(self, other: object) -> bool:
        return False


@dataclass(frozen=True)
class Stranger(Move):
    """A move of no game."""

    def __str__(self) -> str:
        return "\x1b[2J" * 10**5


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
    class Exits:
        def choose(self, view: View) -> Move:
            raise leaving

    players = {Seat.ONE: Exits(), Seat.TWO: player("random", GAME, Random(1))}
    outcome = Drive(Match.start(GAME), players, patience=patience).run().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.TWO, Ending.FORFEITED)
    assert type(leaving).__name__ in outcome.detail


def test_ctrl_c_does_not_make_anybody_forfeit() -> None:
    class Interrupted:
        def choose(self, view: View) -> Move:
            raise KeyboardInterrupt

    drive = Drive(Match.start(GAME), {seat: Interrupted() for seat in Seat})
    with pytest.raises(KeyboardInterrupt):
        drive.run()
    assert drive.match.outcome is None


# --- data -----------------------------------------------------------------------------------------


def view_with(**parts: Any) -> View:
    return View.from_json(GAME, GAME.start().view(Seat.ONE).to_json() | parts)


@pytest.mark.parametrize("secrets", [0, 0.0, False, "", {}, [], [[]], [[], [], []]])
def test_secrets_that_are_not_a_pair_are_refused(secrets: Any) -> None:
    with pytest.raises(Refusal):
        view_with(secrets=secrets)


@pytest.mark.parametrize("legal", [[[0, 27], [0, 27]], [[1, 2], [0, 1]], [[0, 5], [4, 6]]])
def test_runs_of_actions_that_do_not_ascend_are_refused(legal: Any) -> None:
    with pytest.raises(Refusal, match="ascend"):
        view_with(legal=legal)


def nested(depth: int) -> list[Any]:
    data: list[Any] = []
    for _ in range(depth):
        data = [data]
    return data


@pytest.mark.parametrize(
    "value", [-LONG, nested(10 * sys.getrecursionlimit())], ids=["long", "deep"]
)
@pytest.mark.parametrize("part", ["number", "board", "seat", "legal", "history", "secret"])
def test_a_value_that_cannot_be_printed_is_still_refused(part: str, value: Any) -> None:
    with pytest.raises(Refusal):
        view_with(**{part: value})


def test_a_move_with_unprintable_numbers_cannot_be_built() -> None:
    with pytest.raises(NotUnderstood):
        Change(LONG, 1)
    with pytest.raises(NotUnderstood):
        Code((1, 1, LONG))


def lines() -> list[Any]:
    match, _ = Match.start(GAME).step(Seat.ONE, GAME.move("1-2-3"))
    return [json.loads(line) for line in match.record.lines()]


def refused(changed: list[Any]) -> str:
    with pytest.raises(DamagedRecord) as refusal:
        Record.loads("\n".join(map(json.dumps, changed)))
    return str(refusal.value)


def test_a_time_too_large_to_be_a_number_is_refused() -> None:
    changed = lines()
    changed[1]["time"] = 10**400
    assert "is not a time" in refused(changed)


def test_an_option_called_name_is_refused_like_any_other() -> None:
    changed = lines()
    changed[0]["options"]["name"] = 1
    assert "There is no option 'name'" in refused(changed)
    with pytest.raises(Refusal, match="There is no option 'name'"):
        load("safe-cracker", name=1)


def test_a_private_move_with_an_answer_is_refused() -> None:
    changed = lines()
    changed[1]["answer"] = 3
    assert "A private move has no answer" in refused(changed)


def test_two_players_with_the_same_name_are_refused_in_a_record_and_at_the_table() -> None:
    changed = lines()
    changed[0]["seats"][0]["name"] = "Player 2"
    assert "The two names must differ" in refused(changed)
    with pytest.raises(Refusal, match="must differ"):
        Match.start(GAME, (Sitter("Ada"), Sitter("Ada")))
