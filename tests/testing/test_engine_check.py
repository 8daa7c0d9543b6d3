"""What an engine does wrong is found, and told to its author."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.contract import Seat
from strongroom.games.quantum_duel.rules import Reply
from strongroom.plugins.registry import GAMES
from strongroom.testing.engine_check import Report, check, positions
from tests.minds.engines import engine

GAME = load("quantum-duel")


def checked(folder: Path, body: str, seconds: float = 60.0) -> Report:
    return check(engine(folder, body, seconds), [GAME])


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_of_every_kind_and_for_both_seats(name: str) -> None:
    game = load(name)
    found = positions(game)
    assert {view.seat for view in found} == set(Seat)
    assert all(view.actor is view.seat for view in found)
    assert {view.setting_up for view in found} == {False, *([True] if game.secrets_each else [])}
    assert max(len(view.history) for view in found) > 15
    assert found == positions(game)
    assert game != GAME or any(isinstance(view.moves[0], Reply) for view in found)


def test_a_good_engine_has_no_faults_and_play_without_a_seed_is_noted(tmp_path: Path) -> None:
    report = checked(tmp_path, "")
    assert (report.name, report.all_faults, report.notes) == ("Test", [], [])
    assert report.games[0].moves > 20
    lines = """
    if kind == "new":
        games = globals().get("games", 0) + 1
    if kind == "choose" and games > 1:
        message["moves"].reverse()
    """
    report = checked(tmp_path, lines)
    assert report.all_faults == []
    assert "From the same seed it made other moves in Quantum Duel." in report.notes[0]


@pytest.mark.proof
@pytest.mark.parametrize(
    ("does", "kind", "text"),
    [
        ('if kind == "hello": continue', "TooSlow", "no hello within 0.5 seconds."),
        ('print("hi", flush=True); continue', "NotAMessage", "the hello is not JSON: 'hi'."),
        ('if kind == "choose": time.sleep(1000)', "TooSlow", "no move within 0.5 seconds."),
        ("hello['games'] = ['chess']", "PlaysNone", "its hello names: 'chess'."),
        ('if kind == "bye": time.sleep(1000)', "DoesNotEnd", "it does not end after bye"),
        ('if kind == "over": print("good game", flush=True)', "", "'good game"),
    ],
)
def test_a_fault_is_told_in_an_authors_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, kind: str, text: str
) -> None:
    goodbye = 0.2 if kind == "DoesNotEnd" else PATIENCE
    monkeypatch.setattr("strongroom.testing.engine_check.GOODBYE", goodbye)
    if "no hello" in text:
        monkeypatch.setattr("strongroom.minds.engine.SECONDS", 0.5)
    fault = checked(tmp_path, does, 0.5 if kind == "TooSlow" else 60.0).all_faults[0]
    assert kind in ("", fault.kind)
    assert text in f"{fault.text} {fault.instead}"


def test_an_illegal_move_is_told_with_its_position(tmp_path: Path) -> None:
    lines = 'if kind == "choose" and message["view"]["turns"] > 2: message["moves"] = ["0"]'
    report = checked(tmp_path, lines)
    fault = report.games[0].faults[0]
    assert (fault.kind, fault.where) == ("NotLegal", "as Player 1, on turn 5")
    assert fault.position[0] == "You are Player 1."
    assert fault.position[1].startswith("1. You: ")
    assert fault.message is not None
    assert fault.message["view"]["turns"] == 4
    assert json.loads(json.dumps(report.to_json()))["ok"] is False


def test_a_crashed_engine_is_told_of_the_game_again(tmp_path: Path) -> None:
    lines = f"""
    if kind == "new": seat = message["seat"]
    if kind == "choose" and seat and not os.path.exists({str(tmp_path / "been")!r}):
        open({str(tmp_path / "been")!r}, "w")
        sys.exit("once")
    """
    report = checked(tmp_path, lines)
    assert [fault.kind for fault in report.all_faults] == ["Ended"]
    assert report.games[0].wrong == 1
