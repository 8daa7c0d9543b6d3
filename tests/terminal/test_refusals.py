"""What is refused, at a command or in a game: reason, accepted form, who is told; JSON events."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from strongroom import measure
from tests.minds.api_server import KEY
from tests.terminal.conftest import Strongroom

UNCERTIFIED = "Nothing is certified for safe-cracker,digits=9,length=6."
TOO_LARGE = (
    "531,441 codes of length 6 are too many to solve the game. "
    "Digits can be up to 9 at length 3, 4 at length 4, 3 at length 5.\n"
)
OTHER = "Cannot write other.txt: the file contains something else. Name another file."
LIMIT = "argument --turn-limit: must be a number from 1 to 1000000"
PLAY = {
    "": "Name a game. Choose from: safe-cracker, digit-deductions",
    "chess": "There is no game 'chess'. Choose from: safe-cracker, ",
    "safe": "'safe' could be safe-cracker or safe-code or safecracker-duel.",
    "quantm-duel": "There is no game 'quantm-duel'. Did you mean quantum-duel?",
    "quantum-duel now": "Unexpected argument: 'now'.",
    "quantum-duel --nonsense": "There is no option '--nonsense'. Choose from: --help, --vs, --seat",
    "--game chess": "There is no option '--game'. A game is named without it: strongroom play GAME",
    "safe-cracker --digits 4": "There is no option '--digits'. An option of a game is set with --",
    "quantum-duel --sed=3": "There is no option '--sed'. Did you mean --seed?",
    "quantum-duel --seed x": "argument --seed: invalid int value: 'x'",
    "quantum-duel --vs nobody": "--vs cannot be 'nobody'. Choose from: person, master, expert, cas",
    "quantum-duel --vs mastre": "--vs cannot be 'mastre'. Did you mean master?",
    "quantum-duel --seat 3": "--seat cannot be '3'. Choose from: 1, 2, toss.",
    "quantum-duel --turn-limit 0": f"{LIMIT}; you gave '0'",
    f"quantum-duel --turn-limit {'9' * 40}": LIMIT,
    "quantum-duel --names Ada Ada": "The two names must differ.",
    "quantum-duel --names Ada ''": "A name has 1 to 24 printable",
    "quantum-duel --names Ada 'B\x1b[2J'": "'B?[2J' is not a name",
    "quantum-duel --plain --json": "argument --json: not allowed with argument --plain",
    "quantum-duel --set digits=4": "There is no option 'digits'.",
    "safe-cracker --set digits": "--set takes KEY=VALUE; you gave 'digits'.",
    "safe-cracker --set digits=2": "digits must be a number from 3 to 9; you gave 2.",
    "safecracker-duel --set allow_same_digit=maybe": "allow_same_digit must be yes or no",
    "safe-cracker --vs model:x": "There is no key to the endpoint in OPENAI_API_KEY.",
    "safe-cracker --vs casual --ask tries=1": "--ask is for models, and 'casual' is none.",
}
GAMES_AND_RECORDS = {
    "rules": "Name a game. Choose from: safe-cracker, ",
    "rules chess": "There is no game 'chess'.",
    "games --options chess": "There is no game 'chess'.",
    "resume nothing.json": "There is no file 'nothing.json'.",
    "resume": "There is no unfinished game to resume. Start one: strongroom play GAME",
    "completion tcsh": "shell cannot be 'tcsh'. Choose from: bash, zsh, fish.",
    "dance": "There is no command 'dance'. Choose from: games, rules, play, host, join",
    "pley": "There is no command 'pley'. Did you mean play?",
    "solve": "Name a game, or use --all.",
    "solve quantum --all": "Name a game, or use --all.",
    "solve chess": "There is no game 'chess'.",
    "solve safe-cracker --set attempts=3": "Safe Cracker with limited attempts is not solved.",
    "solve safe-cracker --set digits=9 --set length=6": TOO_LARGE,
    "solve safe-cracker --set digits=9 --set length=6 --verify": TOO_LARGE,
    "exploit": "Name a game, or use --all.",
    "exploit quantum-duel --players model:x": "--players cannot be a model. Let it play in a",
    "doctor gymnasum": "extra cannot be 'gymnasum'. Did you mean gymnasium?",
    "puzzle --day 2026-02-30": "'2026-02-30' is not a day. For example: --day 2027-01-31",
    "puzzle chess": "Unexpected argument: 'chess'. A game is named with --game.",
    "puzzles export --only chess": "--only cannot be 'chess'. Choose from: ",
    "puzzles export --difficulty 6": "--difficulty cannot be '6'. Choose from: 1, 2, 3, 4, 5.",
    "puzzles export --disguise-seed é": "'é' is no seed of a disguise.",
    "puzzles export --count 0": "argument --count: must be a number from 1 to ",
    "puzzles export --count 1 --output other.txt": OTHER,
}
TOURNAMENT = {
    "": "Name a game, or use --all.",
    "quantum --all": "Name a game, or use --all.",
    "chess": "There is no game 'chess'.",
    "quantum quantum-duel": "'quantum-duel' is named twice.",
    "quantum --players random random": "'random' is named twice.",
    "quantum --players random": "A tournament needs two players.",
    "quantum --json no/where.json": "Cannot write no/where.json: its folder does not exist.",
    "quantum --csv other.txt": OTHER,
    "quantum --json a --html ./a": "Two results cannot be the same file.",
    "quantum --cluster=": "'' is not the address of a cluster.",
    "quantum --cluster nowhere": "'nowhere' is not the address of a cluster.",
    "quantum --cluster 127.0.0.1:x": "'127.0.0.1:x' is not the address of a cluster.",
    "quantum --cluster 127.0.0.1:1": "The cluster at 127.0.0.1:1 cannot be reached.",
    "safe-cracker --players master model:x": "There is no key to the endpoint",
    "safe-cracker --budget 5": "--budget is for models, and 'master' is none.",
}
MEASURE = {
    "": "Name a player, or a report to check.",
    "nobody": "There is no player 'nobody'. Choose from: ",
    "casual --only chess": "There is no game 'chess'. Choose from: ",
    "casual --against nobody": "There is no player 'nobody'.",
    "casual --against model:x": "--against cannot be a model. Let it play in a",
    "casual --set digits=4": "--set is for one game. Name it with --only.",
    "casual --only safe-cracker --set digits=9 --set length=6": UNCERTIFIED,
    "casual --json no/folder.json": "Cannot write no/folder.json: its folder does",
    "casual --html casual.json": "Cannot write casual.json: the file contains",
    "casual --puzzles x --only quantum": "--only cannot be used with --puzzles.",
    "casual --disguise": "--disguise is for models, and 'casual' is none.",
    "casual --budget 5": "--budget is for models, and 'casual' is none.",
    "casual --ask tries=1": "--ask is for models, and 'casual' is none.",
    "--check nothing.json": "There is no file nothing.json.",
    "--check damaged.json": "damaged.json: It is not JSON:",
    "--check edited.json": "edited.json: ",
    "--check casual.json --html x": "--html cannot be used with --check.",
    "--check x --no-scratch": "--no-scratch cannot be used with --check.",
    "model:": "'' does not name a model.",
    "model:x": "There is no key to the endpoint in OPENAI_API_KEY. Set that",
    "model:x?fast": "There is no setting 'fast'. Choose from: disguise",
    "model:x --puzzles x --disguise": "--disguise cannot be used with --puzzles.",
}
WITH_A_KEY = {
    "--budget 0": "A budget of nothing pays for no answer. Give more, or no budget.",
    "--budget 5": "A budget in dollars needs prices. Give them with --price, like",
    "--ask speed=1": "There is no setting 'speed'. Did you mean seed?",
    "--ask scratch=no": "scratch must be true or false, not 'no'.",
    "--settings nothing.toml": "There is no file nothing.toml.",
    "--settings damaged.json": "damaged.json: It is neither JSON nor TOML",
}
COMPARE = {
    "casual.json": "A comparison needs two reports.",
    "casual.json damaged.json": "damaged.json: It is not JSON:",
    "casual.json edited.json": "edited.json: ",
}
NO_ENGINE = "There is no program './nobody' in this folder. For example: engine:./mybot"
TAKES_AN_ENGINE = (
    *("play quantum --vs", "measure", "tournament quantum --players random", "engine check"),
    *("exploit quantum --players", "serve --database games.db --port 0 --bot"),
)
TYPED = {
    **GAMES_AND_RECORDS,
    **{f"play {typed}": told for typed, told in PLAY.items()},
    **{f"tournament {typed}": told for typed, told in TOURNAMENT.items()},
    **{f"measure {typed}": told for typed, told in MEASURE.items()},
    **{f"measure model:x {typed}": told for typed, told in WITH_A_KEY.items()},
    **{f"compare {typed}": told for typed, told in COMPARE.items()},
    **{f"{command} engine:./nobody": NO_ENGINE for command in TAKES_AN_ENGINE},
}


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    """Files that are there: a report, two that do not hold, and something else."""
    whole = measure("casual", ["quantum-duel"], rounds=1, seed=1, workers=1).to_json()
    text = json.dumps(whole)
    edited = whole | {"results": {"quantum-duel": {"options": 7}}, "seed": "\x1b[2J"}
    return {
        "casual.json": text,
        "damaged.json": text[: len(text) // 2],
        "edited.json": json.dumps(edited),
        "other.txt": "a letter",
    }


@pytest.mark.proof
@pytest.mark.parametrize("typed", TYPED)
def test_wrong_usage_is_told_in_a_line_with_exit_code_2_and_changes_no_file(
    strongroom: Strongroom, reports: dict[str, str], tmp_path: Path, typed: str
) -> None:
    for name, text in reports.items():
        (tmp_path / name).write_text(text)
    key = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    with_a_key = typed.startswith("measure model:x --") and "--puzzles" not in typed
    ran = strongroom(*shlex.split(typed), env=key if with_a_key else {})
    assert (ran.code, ran.out) == (2, "")
    assert re.match(rf"strongroom( \w+)?: {re.escape(TYPED[typed])}", ran.err), ran.err
    told, *rest = ran.err.splitlines()
    assert rest in ([], [f"Try: {ran.err.partition(':')[0]} --help"])
    assert told.isprintable()
    assert {name: (tmp_path / name).read_text() for name in reports} == reports


NOT_ACCEPTED = "That line was not accepted."
DUEL = ["342", "513", "1 3", "3 3"]
SAFE_CODE = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10"]
REFUSED: list[tuple[str, list[str], str, str, str]] = [
    ("safecracker-duel", DUEL, "1 3", "Position 1 already shows 3.", "exactly one digit"),
    ("safe-cracker", ["111", "222"], "12", "A code has three digits; '12' has two.", "2-3-1"),
    ("digit-deductions", ["37", "56"], "50", "Digits run from 1 to 9; you typed 0.", "2-3"),
    ("quantum-duel", ["3"], "8", "Cells run from 1 to 7; you typed 8.", "Type the number"),
    ("quantum-duel", ["3"], "0000000031", "Cells run from 1 to 7; you", "Type the number"),
    ("quantum-duel", ["3"], "svae", "'svae' is not a cell.", "Did you mean save? Type"),
    ("quantum-duel", ["1", "7", "2"], "hm", "'hm' is neither yes nor no.", "Type yes (or y)"),
    ("quantum-duel", [], "", "Nothing typed.", "like 1"),
    ("safe-code", SAFE_CODE, "00", "Codes run from 1 to 30; you typed 0.", "Type 1 (or clue)"),
    ("safe-code", SAFE_CODE, "3", "'3' is neither 1 nor 2.", "To guess it: guess 3."),
    ("safe-code", SAFE_CODE, "01", "'01' is neither 1 nor 2.", "To guess it: guess 1."),
]
"""A game, what is typed in it, a line that is refused, why, and what is accepted."""


def test_a_refusal_says_the_reason_and_the_form_and_costs_no_turn(
    strongroom: Strongroom, subtests: pytest.Subtests
) -> None:
    for game, before, line, reason, form in REFUSED:
        with subtests.test(game, line=line):
            ran = strongroom("play", game, lines=[*before, "history", line, "history"])
            (answer,) = (each for each in ran.lines if reason in each)
            assert form in answer
            assert ("Did you mean" in answer) is (line == "svae"), "a number is no command"
            assert "guess 0" not in answer
            asked = [each for each in ran.lines if each.endswith(": history")]
            assert len(asked) == 2
            assert asked[0] == asked[1], "the same player gets the same prompt again"
            history = re.findall(r"^(?:\d+\. Player \d: .*|Nothing has .*)$", ran.out, re.M)
            assert history[: len(history) // 2] == history[len(history) // 2 :]


def test_clues_are_refused_or_read_back_only_to_their_author(strongroom: Strongroom) -> None:
    clues = ["prime", "less than 99", "my favourite", "even", "not odd", "> 15", "< 20"]
    ran = strongroom("play", "safe-code", lines=["18", *clues])
    assert "18 is not prime." in ran.err or "18 is not a prime." in ran.err
    assert "rules out no number from 1 to 30" in ran.err
    assert "I do not understand 'my favourite' as a clue." in ran.err
    assert 'That says the same as your clue "The number is even."' in ran.err
    assert ran.out.count(NOT_ACCEPTED) == 4
    assert ran.err.count("Taken as: ") == 3, "what is refused is not read back"
    assert "Player 2, choose your safe code (1-30): " in ran.out, "three clues were accepted"
    lines = ["18", "even", "over fifteen", "It is less than 20.", "7", "not even", "prime", "< 10"]
    ran = strongroom("play", "safe-code", lines=lines)
    even, more, less = "The number is even.", "It is greater than 15.", "It is less than 20."
    theirs = ["The number is odd.", "The number is a prime.", "It is less than 10."]
    assert re.findall("Taken as: (.*)", ran.err) == [even, more, less, *theirs]
    assert "Taken as" not in ran.out
    alone = strongroom("play", "safe-code", "--vs", "random", lines=lines[:4])
    assert alone.out.count("Taken as: ") == 3


UNFIT = {
    "safecracker-duel": (["4x1", "34", "348"], "Type three digits from 1-5"),
    "safe-cracker": (["2x1", "21", "218"], "Type three digits from 1-3"),
    "safe-code": (["1x7", "47", "twelve"], "Type a whole number from 1-30"),
    "digit-deductions": (["8x6", "860", "80"], "Type two digits from 1-9"),
}


@pytest.mark.parametrize("players", [[], ["--vs", "random"]], ids=["two people", "a bot"])
def test_no_refusal_of_a_secret_repeats_it(strongroom: Strongroom, players: list[str]) -> None:
    for game, (lines, form) in UNFIT.items():
        ran = strongroom("play", game, *players, lines=lines)
        told = ran.before_the_goodbye + ran.err
        assert told.count(f"That was not accepted. {form}") == 3
        assert ran.lines.count(NOT_ACCEPTED) == (0 if players else 3)
        assert not re.search("typed|" + "|".join(rf"\b{line}\b" for line in lines), told)


def first_turn(strongroom: Strongroom, *lines: str) -> str:
    """What everyone sees when Player 1, whose code is 2-1-1, types these lines on a first turn."""
    return strongroom("play", "safecracker-duel", lines=["211", "513", *lines]).before_the_goodbye


@pytest.mark.parametrize(
    "alike",
    [
        [["1 2", "3 4"], ["1 9", "3 4"], ["nonsense", "3 4"], ["1 1", "3 4"]],
        [["1", "2"], ["1", "9"], ["nonsense"], ["1 2"]],  # and the script ends
        [
            ["1", "2", "4"],  # forbidden in the second line
            ["1", "9", "4"],  # mistyped in the second line
            ["nonsense", "1", "4"],  # mistyped in the first, then typed in two lines
            ["1 2", "1 4"],  # forbidden in one line, then typed in one
            ["", "1 4"],
            ["1", "-4", "4"],
        ],
        [["1", "9", "help", "4"], ["x", "help", "1", "4"]],
    ],
    ids=["the move", "the end", "the line", "with help"],
)
def test_a_transcript_does_not_reveal_why_or_where_a_first_turn_was_refused(
    strongroom: Strongroom, alike: list[list[str]]
) -> None:
    transcripts = {first_turn(strongroom, *lines) for lines in alike}
    assert len(transcripts) == 1
    assert transcripts.pop().count(NOT_ACCEPTED) == 1


def test_an_accepted_first_turn_is_shown_whole(strongroom: Strongroom) -> None:
    assert "Updated Safe Combination: 1-1-4" in first_turn(strongroom, "1 2", "3 4")
    assert "Enter position to change (1-3): 1 4" in first_turn(strongroom, "1", "2", "4")
    told = first_turn(strongroom, "1", "4")
    assert "Enter position to change (1-3): 1\nEnter new digit (1-5): 4\n" in told
    assert "***\nEnter position" not in told.partition("Player 1's Turn:")[2]


def test_a_strict_script_ends_alike_at_any_refused_first_turn(strongroom: Strongroom) -> None:
    reason = "That would set the safe to your own code."
    ran = strongroom("play", "safecracker-duel", lines=["211", "513", "1 2"])
    assert reason in ran.err
    assert "own code" not in ran.out
    assert (
        reason in strongroom("play", "safecracker-duel", "--vs", "random", lines=["211", "1 2"]).out
    ), "a person who plays alone"
    for line in ("1 2", "1 9"):
        ran = strongroom("play", "safecracker-duel", "--strict", lines=["211", "513", line, "3 4"])
        assert ran.code == 3
        assert ran.before_the_goodbye.splitlines()[-1] == NOT_ACCEPTED


def events_of(strongroom: Strongroom, kind: str, game: str, *lines: str) -> list[dict[str, Any]]:
    events = strongroom("play", game, "--json", lines=lines).events
    return [event for event in events if event["event"] == kind]


def test_commands_are_answered_by_events_and_those_of_refusals_and_questions_hold_what_is_accepted(
    strongroom: Strongroom,
) -> None:
    first, second = events_of(strongroom, "refused", "quantum-duel", "9", "3", "3")
    assert first["kind"] == "NotUnderstood"
    assert first["reason"] == "Cells run from 1 to 7; you typed 9."
    assert first["rule"] is None
    assert (second["kind"], second["rule"]) == ("NotLegal", "only an unobserved cell")
    assert second["accepted"] == "Unobserved: 1, 2, 4, 5, 6, 7."
    lines = ("342", "513", "1 3", "3 3", "1")
    secret, *_, position, digit = events_of(strongroom, "ask", "safecracker-duel", *lines)
    assert secret["heading"] == ""
    assert secret["accepted"] == "Type three digits from 1-5, like 2-3-4, 234 or 2 3 4."
    assert position["heading"] == "Player 1's Turn:"
    assert position["prompt"] == "Enter position to change (1-3):"
    assert digit["prompt"] == "Enter new digit (1-5):"
    assert digit["accepted"] == "Type the new digit, 1 to 5."
    commands = ["help", "rules", "board", "history", "secret", "resign", "no", "save", "3", "quit"]
    assert len(events_of(strongroom, "note", "quantum-duel", *commands)) >= 5


def test_a_private_refusal_is_an_event_without_its_reason(strongroom: Strongroom) -> None:
    def told(*lines: str) -> list[dict[str, Any]]:
        script = ["211", "513", *lines, "3 4"]
        return strongroom("play", "safecracker-duel", "--json", lines=script).events[:-1]

    refused = told("1 2")
    assert refused == told("1 9") == told("12") == told("1")
    hidden = dict.fromkeys(("rule", "reason", "accepted"))
    assert {"event": "refused", "kind": "private", **hidden} in refused
    assert told("1", "2") == told("1", "9") == told("nonsense", "1 2") == told("1 2", "x")
    ran = strongroom("play", "safecracker-duel", "--json", lines=["211", "513", "1"])
    assert "'1' is part of a move; type a whole move on one line." in ran.err


def test_a_move_event_has_number_board_and_announcement_and_the_end_a_reason_and_a_sentence(
    strongroom: Strongroom,
) -> None:
    moves = events_of(strongroom, "move", "quantum-duel", "3", "5", "4", "no")
    assert [move["number"] for move in moves] == [1, 2, 3, 4]
    assert moves[1]["board"] == [None, None, 1, None, 2, None, None]
    assert moves[1]["announcement"] == "You have observed cell 5.", "the board is a part of its own"
    assert moves[2]["announcement"] == "Cell 4 is adjacent to your symbol at cell 3."
    (move,) = events_of(strongroom, "move", "safecracker-duel", "342", "513", "1 3")
    assert (move["number"], move["board"]) == (3, [3, 1, 1])
    moves = events_of(strongroom, "move", "quantum-duel", "1", "7", "2", "yes", "6", "yes")
    assert [move["number"] for move in moves] == [*range(1, len(moves) + 1)]
    assert "chance" in [move["seat"] for move in moves]
    for lines, reason, words in (
        (["56"], "guessed", "Player 1 guessed the secret number."),
        (["resign", "y"], "resigned", "Player 2 won, because Player 1 resigned."),
        (["55", "35"], "undecided", "undecided at the turn limit."),
    ):
        arguments = ["play", "digit-deductions", "--turn-limit", "2", "--json"]
        end = strongroom(*arguments, lines=["37", "56", *lines]).events[-1]
        assert (end["reason"], end["words"], end["detail"]) == (reason, words, "")
        assert end["secrets"] == [["3-7"], ["5-6"]]
