"""Recorded games replayed and resumed, and damaged records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom, Whole


def answers(text: str) -> list[str]:
    """The answers to the moves, in whatever words they are told."""
    told = (
        r"Feedback: (\d+)|Updated Safe Combination: (\d-\d-\d)|The safe shows (\d-\d-\d)"
        r"|(Incorrect|Correct)|observe[ds] cell (\d)"
    )
    return ["".join(groups) for groups in re.findall(told, text)]


# --- replay ---------------------------------------------------------------------------------------


def test_a_finished_game_replays_to_its_end_with_its_secrets(
    strongroom: Strongroom, whole: Whole
) -> None:
    played = strongroom("play", whole.name, "--save", "a.json", lines=whole.lines)
    ran = strongroom("replay", "a.json")
    assert ran.code == 0
    assert ran.err == ""
    assert len(answers(played.out)) >= 2
    assert answers(ran.out) == answers(played.out), "every answer, in the same order"
    assert not re.search("You have observed|your turn", ran.out), "replayed, not played again"
    end = ran.out[ran.out.index("Game over: Player 1 ") :]
    assert all(re.search(hidden, end) for hidden in whole.hidden)
    events = strongroom("replay", "a.json", "--json").events
    kinds = [event["event"] for event in events]
    assert kinds == ["start", *["move"] * (len(kinds) - 2), "end"]
    assert events[-2]["turns"] == len(whole.turns)


def test_an_unfinished_game_replays_without_its_secrets(
    strongroom: Strongroom, whole: Whole
) -> None:
    strongroom("play", whole.name, "--save", "a.json", lines=whole.all_but_the_last_turn)
    for face in ([], ["--json"]):
        ran = strongroom("replay", "a.json", *face)
        assert ran.code == 0
        assert "The game is not over." in ran.out
        # Step numbers in the events may look like a code.
        text = re.sub(r'"number": \d+|\(1-30\)|allow_same_digit', "", ran.out)
        assert whole.leaks(text) == []


# --- resume ---------------------------------------------------------------------------------------


def test_resume_without_a_file_takes_the_newest_unfinished_game(strongroom: Strongroom) -> None:
    strongroom("play", "safe-code", lines=["18"])
    strongroom("play", "quantum-duel", lines=["3"])
    strongroom("play", "digit-deductions", lines=["37", "56"])
    strongroom("play", "safe-cracker", lines=["213", "331", "331"])  # finished, so it is skipped
    assert "Digit Deductions" in strongroom("resume").lines[0]


def test_resume_without_a_file_skips_a_damaged_one(strongroom: Strongroom, games: Path) -> None:
    strongroom("play", "quantum-duel", lines=["3"])
    (games / "99991231-235959-quantum-duel-ffffff.json").write_text("{")
    assert "Player 2 (O), it's your turn." in strongroom("resume").lines


def test_resume_keeps_names_options_limit_and_opponent(strongroom: Strongroom) -> None:
    arguments = [
        "--names",
        "Ada",
        "Bot",
        "--vs",
        "random",
        "--set",
        "digits=4",
        "--turn-limit",
        "2",
    ]
    ran = strongroom("play", "safe-cracker", *arguments, lines=["444"])
    again = strongroom(*ran.resume, lines=["111"])
    assert "Ada's Turn:" in again.lines
    assert "Enter your guess (three digits from 1-4): 111" in again.lines
    assert re.search(r"Game over: (undecided at the turn limit|\w+ cracked the code)\.", again.out)
    assert again.code == 0


def test_a_finished_game_is_not_resumed(strongroom: Strongroom) -> None:
    strongroom("play", "digit-deductions", "--save", "a.json", lines=["37", "56", "56"])
    ran = strongroom("resume", "a.json")
    assert ran.code == 2
    assert ran.err == ("strongroom: That game is over. Look at it: strongroom replay a.json\n")


def test_a_finished_game_that_was_named_by_number_is_referred_to_by_number(
    strongroom: Strongroom,
) -> None:
    strongroom("play", "digit-deductions", lines=["37", "56", "56"])
    ran = strongroom("resume", "1")
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == (
        "strongroom: That game is over. Look at it: strongroom replay 1"
    )
    assert strongroom("replay", "1").code == 0
