"""Whole games with piped input: played, broken off, resumed, replayed, and typed leniently."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from strongroom.terminal import store
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


# --- whole games ----------------------------------------------------------------------------------


def test_a_whole_game_ends_with_its_result_and_is_replayed(
    strongroom: Strongroom, whole: Whole, games: Path
) -> None:
    ran = strongroom("play", whole.name, "--strict", lines=whole.lines)
    assert ran.code == 0
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
    assert store.read(file).outcome is not None
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
    ran = strongroom("play", whole.name, lines=whole.all_but_the_last_turn)
    assert ran.code == 4
    assert whole.leaks(ran.before_the_goodbye) == []
    assert ran.out.count(": ***\n") >= len(whole.set_up)
    assert [path.suffix for path in games.iterdir()] == [".jsonl"], "nothing half-written is left"
    for face in ([], ["--json"]):
        replayed = strongroom("replay", *face)
        assert replayed.code == 0
        assert "The game is not over." in replayed.out
        assert whole.leaks(without_numbers(replayed.out)) == []
    again = strongroom(*ran.resume, lines=whole.turns[-1])
    assert again.code == 0
    assert "Game over: Player 1 " in again.out
    assert f"Turns: {len(whole.turns)}" in again.lines


def test_every_line_of_json_is_an_event_and_they_come_in_order(
    strongroom: Strongroom, whole: Whole
) -> None:
    lines = whole.lines_of_events
    ran = strongroom("play", whole.name, "--json", lines=lines)
    events = ran.events
    kinds = [event["event"] for event in events]
    assert ran.code == 0
    assert (kinds[0], kinds[-1]) == ("start", "end")
    assert set(kinds[1:-1]) == {"ask", "move"}
    assert kinds.count("ask") == len(lines)
    assert events[0]["game"] == whole.name
    moves = [event for event in events if event["event"] == "move"]
    assert kinds.index("move") > len(whole.set_up)
    assert moves[-1]["turns"] == len(whole.turns)
    assert events[-1]["winner"] == 1
    for earlier, later in pairwise(events):
        if later["event"] == "move" and earlier["event"] == "ask":
            assert later["seat"] == earlier["seat"], "the player who is asked is the one who moves"


def test_no_event_before_the_end_holds_a_secret(strongroom: Strongroom, whole: Whole) -> None:
    lines = whole.lines_of_events[: -len(whole.turns[-1])]
    ran = strongroom("play", whole.name, "--json", lines=lines)
    *events, saved = ran.events
    assert (ran.code, saved["event"]) == (4, "saved")
    assert whole.leaks(without_numbers("\n".join(map(json.dumps, events)))) == []
    again = strongroom(*saved["resume"].split()[1:], "--json", lines=whole.turns[-1])
    end = again.events[-1]
    assert end["event"] == "end"
    assert all(re.search(hidden, str(end["secrets"])) for hidden in whole.hidden)


# --- broken off -----------------------------------------------------------------------------------


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
    ran = strongroom("play", game, "--save", "an odd 'name'.json", lines=lines)
    assert ran.code == 4
    again = strongroom(*ran.resume, lines=rest)
    assert told in (again.out + again.err).splitlines()


def test_resume_takes_the_newest_unfinished_game(strongroom: Strongroom, games: Path) -> None:
    strongroom("play", "quantum-duel", lines=["3"])
    strongroom("play", "digit-deductions", lines=["37", "56"])
    strongroom("play", "safe-cracker", lines=["213", "331", "331"])  # finished, so it is skipped
    (games / "99991231-235959-quantum-duel-ffffff.json").write_text("{")  # damaged, so it is too
    assert "Digit Deductions" in strongroom("resume").lines[0]


def test_resume_keeps_names_options_limit_and_opponent(strongroom: Strongroom) -> None:
    names = ["--names", "Ada", "Bot", "--vs", "random", "--set", "digits=4", "--turn-limit", "2"]
    ran = strongroom("play", "safe-cracker", *names, lines=["444"])
    again = strongroom(*ran.resume, lines=["111"])
    assert "Ada's Turn:" in again.lines
    assert "Enter your guess (three digits from 1-4): 111" in again.lines
    assert re.search(r"Game over: (undecided at the turn limit|\w+ cracked the code)\.", again.out)
    assert again.code == 0


def test_a_finished_game_is_not_resumed(strongroom: Strongroom) -> None:
    over = "strongroom: That game is over. Look at it: strongroom replay"
    strongroom("play", "digit-deductions", "--save", "a.json", lines=["37", "56", "56"])
    ran = strongroom("resume", "a.json")
    assert (ran.code, ran.err) == (2, f"{over} a.json\n")
    strongroom("play", "digit-deductions", lines=["37", "56", "56"])
    ran = strongroom("resume", "1")
    assert (ran.code, ran.err.splitlines()[-1]) == (2, f"{over} 1")
    assert strongroom("replay", "1").code == 0


# --- lenient input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "line"),
    [(b"37\n56\n56", "Player 1 Wins"), (b"37\r\n56\r\n5 6\r\n", "Input Guess: 5 6")],
    ids=["without a last newline", "with line ends of Windows"],
)
def test_lines_end_as_they_do_elsewhere(strongroom: Strongroom, script: bytes, line: str) -> None:
    ran = strongroom("play", "digit-deductions", lines=script)
    assert ran.code == 0
    assert line in ran.lines


def test_a_code_is_typed_in_any_everyday_form(strongroom: Strongroom) -> None:
    guesses = ["1-2-3", "123", "1 2 3", "  1   2  3 ", "1,2,3", "1 - 2 - 3"]
    ran = strongroom("play", "safe-cracker", lines=["2-1-3", "3 3 1", *guesses])
    assert ran.lines.count("Feedback: 0 exact matches") == 3
    assert ran.lines.count("Feedback: 1 exact match") == 3
    assert ran.err == ""


def test_position_and_digit_are_typed_on_one_line_or_two(strongroom: Strongroom) -> None:
    turns = ["1 4", "2-2", " 2   3 ", "2", "4", "2,5", "3", " 4 "]
    ran = strongroom("play", "safecracker-duel", lines=["342", "513", *turns])
    safe = [line.split()[-1] for line in ran.lines if line.startswith("Updated")]
    assert safe == ["4-1-1", "4-2-1", "4-3-1", "4-4-1", "4-5-1", "4-5-4"]


@pytest.mark.parametrize(("reply", "means"), [("y", True), (" Yes ", True), ("N", False)])
def test_a_challenge_is_answered_in_any_case(
    strongroom: Strongroom, reply: str, means: bool
) -> None:
    ran = strongroom("play", "quantum-duel", lines=["1", "7", " 2 ", reply])
    assert ("Challenge initiated!" in ran.lines) is means
    assert ("You have observed cell 2." in ran.lines) is not means


def test_safe_code_accepts_words_at_its_menu_and_everyday_clues(strongroom: Strongroom) -> None:
    clues = [["EVEN", "multiple of 3", "> 15"], ["it's a prime", "< 10", "isn't even"]]
    turns = ["CLUE", "Guess 5", "guess", "7"]
    ran = strongroom("play", "safe-code", lines=["18", *clues[0], "7", *clues[1], *turns])
    assert 'Player 2\'s Clue: "The number is a prime."' in ran.lines
    assert 'Player 1 says: "Incorrect."' in ran.lines
    assert ran.code == 0
