"""Whole games with piped input: as their books tell them, broken off, resumed and replayed."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from strongroom.terminal.store.games import read
from tests.terminal.conftest import Strongroom, Whole


def answers(text: str) -> list[str]:
    """The answers to the moves, in whatever words they are told."""
    told = (
        r"Feedback: (\d+)|Updated Safe Combination: (\d-\d-\d)|The safe shows (\d-\d-\d)"
        r"|(Incorrect|Correct)|observe[ds] cell (\d)"
    )
    return ["".join(groups) for groups in re.findall(told, text)]


def without_numbers(text: str) -> str:
    """Events or lines without ranges, step numbers and forms, which may look like a code."""
    forms = r'"accepted": "(?:[^"\\]|\\.)*"'
    return re.sub(rf'"number": \d+|{forms}|\(1-30\)|allow_same_digit', "", text)


def turns(lines: str, *parts: str) -> str:
    """Turns of two players as a book prints them: its lines, in which each turn has its parts."""
    return "".join(
        f"\nPlayer {number % 2 + 1}'s Turn:\n{lines.format(*each.split(', '))}\n"
        for number, each in enumerate(parts)
    )


SAFECRACKER_DUEL = "\nUpdated Safe Combination: 3-1-3\n" + turns(
    "Enter position to change (1-3): {}\nEnter new digit (1-5): {}\nUpdated Safe Combination: {}",
    *("2, 4, 3-4-3", "1, 5, 5-4-3", "3, 2, 5-4-2"),
)
SAFE_CRACKER = turns(
    "Enter your guess (three digits from 1-3): {}\nFeedback: {} exact {}",
    *("1 2 3, 2, matches", "2 2 1, 1, match", "1 3 3, 1, match", "3 2 3, 0, matches"),
)
SAFE_CODE = """
[Player 1's Turn]
Choose an action:
1. Request a clue
2. Make a guess
Enter 1 or 2: 1
Player 2's Clue: "The number is a prime."

[Player 2's Turn]
Choose an action:
1. Request a clue
2. Make a guess
Enter 1 or 2: 2
Enter your guess (1-30): 16
Player 1 says: "Incorrect."

[Player 1's Turn]
Choose an action:
1. Request a clue
2. Make a guess
Enter 1 or 2: 2
Enter your guess (1-30): 7
Player 2 says: "Correct!"
Congratulations, Player 1! You have cracked the safe.
"""
DIGIT_DEDUCTIONS = turns("Input Guess: {}\nFeedback: {}", "5 5, 1", "3 5, 2", "5 6, 0")
DIGIT_DEDUCTIONS += "Player 1 Wins\n"
QUANTUM_DUEL = """
Welcome to Quantum Duel!

Initial Board:
[ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ] [ _ ]
  1     2     3     4     5     6     7

Player 1 (X), it's your turn.
Enter the cell number you want to observe: 3

You have observed cell 3.

Current Board:
[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]
  1     2     3     4     5     6     7

Player 2 (O), it's your turn.
Enter the cell number you want to observe: 5

You have observed cell 5.

Current Board:
[ _ ] [ _ ] [ X ] [ _ ] [ O ] [ _ ] [ _ ]
  1     2     3     4     5     6     7

Player 1 (X), it's your turn.
Enter the cell number you want to observe: 4

Cell 4 is adjacent to your symbol at cell 3.
Player 2, do you want to challenge? (yes/no): yes

Challenge initiated!
Flipping a coin...
Result: Heads

Observation successful! Cell 4 is now yours.

Current Board:
[ _ ] [ _ ] [ X ] [ X ] [ O ] [ _ ] [ _ ]
  1     2     3     4     5     6     7
"""
CLUES = ["The number is even.", "It is divisible by 3.", "The number is less than 20."]
OTHERS = ["The number is a prime.", "It is less than 10.", "The number is odd."]
BOOKS = {
    # The book's own game leads to its example: the safe shows 3-1-3 and Player 1 is to move.
    "safecracker-duel": (["3-4-2", "5-1-3", "1 3", "3 3", *"241532"], 4, SAFECRACKER_DUEL),
    # Codes for which all four feedbacks of the example are right.
    "safe-cracker": (["2-1-2", "1-2-1", "1 2 3", "2 2 1", "1 3 3", "3 2 3"], 4, SAFE_CRACKER),
    "safe-code": (["18", *CLUES, "7", *OTHERS, "1", "2", "16", "2", "7"], 0, SAFE_CODE),
    "digit-deductions": (["3 7", "5 6", "5 5", "3 5", "5 6"], 0, DIGIT_DEDUCTIONS),
    # A seed whose coin falls heads.
    "quantum-duel --seed 2": (["3", "5", "4", "yes"], 4, QUANTUM_DUEL),
}
"""What is typed, the exit code, and what the book shows."""


@pytest.mark.parametrize("game", BOOKS)
def test_a_game_reads_like_its_book(strongroom: Strongroom, game: str) -> None:
    lines, code, shown = BOOKS[game]
    ran = strongroom("play", *game.split(), lines=lines, code=code)
    assert shown in f"\n{ran.out}"
    assert ("\nCurrent Safe Combination: 1-1-1\n" in ran.out) is (game == "safecracker-duel")


def test_a_whole_game_ends_with_its_result_and_is_replayed(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    ran = strongroom("play", whole.name, "--strict", lines=whole.lines, code=0)
    read_back = 6 if whole.name == "safe-code" else 0  # clues, which only their authors see
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["Taken as"] * read_back
    end = ran.out[ran.out.index("Game over: Player 1 ") :]
    assert f"Turns: {len(whole.turns)}" in end
    assert "Score: Player 1: 1, Player 2: 0" in end
    assert len(re.findall(r"Player [12]'s secret: ", end)) == (2 if whole.set_up else 0)
    assert all(re.search(hidden, end) for hidden in whole.hidden)
    (file,) = games.iterdir()
    assert f"Record: {file}" in end
    assert file.suffix == ".jsonl"
    assert whole.name in file.name
    assert (file.stat().st_mode & 0o777, games.stat().st_mode & 0o077) == (0o600, 0)
    assert read(file).outcome is not None
    assert json.loads(file.read_text().splitlines()[0])["schema"] == 2

    again = strongroom("replay", str(file))
    assert (again.code, again.err) == (0, "")
    assert len(answers(ran.out)) >= 2
    assert answers(again.out) == answers(ran.out), "every answer, in the same order"
    assert not re.search("You have observed|your turn", again.out), "replayed, not played again"
    end = again.out[again.out.index("Game over: Player 1 ") :]
    assert all(re.search(hidden, end) for hidden in whole.hidden)
    events = strongroom("replay", str(file), "--json").events
    kinds = [event["event"] for event in events]
    assert kinds == ["start", *["move"] * (len(kinds) - 2), "end"]
    assert events[-2]["turns"] == len(whole.turns)


def test_an_unfinished_game_hides_its_secrets_and_the_shown_command_resumes_it(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    ran = strongroom("play", whole.name, lines=whole.all_but_the_last_turn, code=4)
    assert whole.leaks(ran.before_the_goodbye) == []
    assert ran.out.count(": ***\n") >= len(whole.set_up)
    assert [path.suffix for path in games.iterdir()] == [".jsonl"], "nothing half-written is left"
    for face in ([], ["--json"]):
        replayed = strongroom("replay", *face, code=0)
        assert "The game is not over." in replayed.out
        assert whole.leaks(without_numbers(replayed.out)) == []
    again = strongroom(*ran.resume, lines=whole.turns[-1], code=0)
    assert "Game over: Player 1 " in again.out
    assert f"Turns: {len(whole.turns)}" in again.lines


def test_every_line_of_json_is_an_event_without_secrets(
    strongroom: Strongroom, whole: Whole
) -> None:
    lines = whole.lines_of_events[: -len(whole.turns[-1])]
    ran = strongroom("play", whole.name, "--json", lines=lines)
    *events, saved = ran.events
    assert (ran.code, saved["event"]) == (4, "saved")
    assert whole.leaks(without_numbers("\n".join(map(json.dumps, events)))) == []
    kinds = [event["event"] for event in events]
    assert (kinds[0], set(kinds[1:])) == ("start", {"ask", "move"})
    assert kinds.count("ask") == len(lines) + 1
    assert kinds.index("move") > len(whole.set_up)
    assert events[0]["game"] == whole.name
    for earlier, later in pairwise(events):
        if later["event"] == "move" and earlier["event"] == "ask":
            assert later["seat"] == earlier["seat"], "the player who is asked is the one who moves"
    *_, move, end = strongroom(*saved["resume"].split()[1:], "--json", lines=whole.turns[-1]).events
    assert (move["event"], move["turns"]) == ("move", len(whole.turns))
    assert (end["event"], end["winner"]) == ("end", 1)
    assert all(re.search(hidden, str(end["secrets"])) for hidden in whole.hidden)


@pytest.mark.parametrize(
    ("game", "lines", "rest", "told"),
    [
        ("digit-deductions", ["3 7"], ["5 6", "5 6"], "Player 1's secret: 3-7"),  # in the set-up
        ("safecracker-duel", ["342", "513", "1"], ["1", "3"], "Updated Safe Combination: 3-1-1"),
        ("quantum-duel", ["3", "Quit", "5"], ["5"], "You have observed cell 5."),
        ("safe-code", ["18", "even"], ["> 15", "< 20", "7"], "Taken as: It is less than 20."),
    ],
)
def test_a_game_is_resumed_wherever_its_input_ended(
    strongroom: Strongroom, game: str, lines: list[str], rest: list[str], told: str
) -> None:
    ran = strongroom("play", game, "--save", "an odd 'name'.json", lines=lines, code=4)
    again = strongroom(*ran.resume, lines=rest)
    assert told in (again.out + again.err).splitlines()


def test_resume_keeps_names_options_limit_and_opponent(strongroom: Strongroom) -> None:
    names = ["--names", "Ada", "Bot", "--vs", "random", "--set", "digits=4", "--turn-limit", "2"]
    ran = strongroom("play", "safe-cracker", *names, lines=["444"])
    again = strongroom(*ran.resume, lines=["111"], code=0)
    assert "Ada's Turn:" in again.lines
    assert "Enter your guess (three digits from 1-4): 111" in again.lines
    assert re.search(r"Game over: (undecided at the turn limit|\w+ cracked the code)\.", again.out)


def test_a_finished_game_is_not_resumed(strongroom: Strongroom) -> None:
    over = "That game is over. Look at it: strongroom replay"
    strongroom("play", "digit-deductions", "--save", "a.json", lines=["37", "56", "56"])
    assert strongroom("resume", "a.json").refusal == f"{over} a.json"
    strongroom("play", "digit-deductions", lines=["37", "56", "56"])
    ran = strongroom("resume", "1")
    assert (ran.code, ran.err.splitlines()[-1]) == (2, f"strongroom: {over} 1")
    assert strongroom("replay", "1").code == 0


def test_a_script_shows_nothing_of_a_private_turn_that_was_undone(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", lines=["211", "513", "1", "", "3", "4"])
    turn = ran.out.partition("Player 1's Turn:\n")[2].splitlines()
    assert [line.partition("): ")[2] for line in turn[:2]] == ["***", "3 4"]
