"""What is typed wrong at any command: one line says why, and nothing is played or written."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom import measure
from tests.agents.api_server import KEY

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom

ATTEMPTS = "attempts must be a number from 1 to 100, or none; you gave 0."
UNCERTIFIED = "Nothing is certified for safe-cracker,digits=9,length=6."
OTHER = "Cannot write other.txt: the file contains something else. Name another file."
LIMIT = "argument --turn-limit: must be a number from 1 to 1000000"
PLAY = {
    "": "Name a game. Choose from: safecracker-duel, safe-cracker",
    "chess": "There is no game 'chess'. Choose from: safecracker-duel, ",
    "safe": "'safe' could be safecracker-duel or safe-cracker or safe-code.",
    "quantm-duel": "There is no game 'quantm-duel'. Did you mean quantum-duel?",
    "quantum-duel now": "Unexpected argument: 'now'.",
    "quantum-duel --nonsense": "There is no option '--nonsense'.",
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
    "safe-cracker --set digts=4": "There is no option 'digts'. Did you mean digits?",
    "safe-cracker --set digits": "--set takes KEY=VALUE; you gave 'digits'.",
    "safe-cracker --set digits=2": "digits must be a number from 3 to 9; you gave 2.",
    "safe-cracker --set attempts=0": ATTEMPTS,
    "safecracker-duel --set allow_same_digit=maybe": "allow_same_digit must be yes or no",
    "safe-cracker --vs model:x": "There is no key to the endpoint in OPENAI_API_KEY.",
}
GAMES_AND_RECORDS = {
    "rules": "Name a game. Choose from: safecracker-duel, ",
    "rules chess": "There is no game 'chess'.",
    "games --options chess": "There is no game 'chess'.",
    "replay nothing.json": "There is no file 'nothing.json'.",
    "resume nothing.json": "There is no file 'nothing.json'.",
    "analyze nowhere.json": "There is no file 'nowhere.json'.",
    "resume": "There is no unfinished game to resume. Start one: strongroom play GAME",
    "completion tcsh": "shell cannot be 'tcsh'. Choose from: bash, zsh, fish.",
    "dance": "There is no command 'dance'. Choose from: games, rules, play, host, join",
    "pley": "There is no command 'pley'. Did you mean play?",
    "solve": "Name a game, or use --all.",
    "solve quantum --all": "Name a game, or use --all.",
    "solve chess": "There is no game 'chess'.",
    "solve safe-cracker --set attempts=3": "Safe Cracker with limited attempts is not solved.",
    "exploit": "Name a game, or use --all.",
    "exploit quantum-duel --players model:x": "--players cannot be a model. Let it play in a",
    "doctor gymnasum": "extra cannot be 'gymnasum'. Did you mean gymnasium?",
    "puzzle --day yesterday": "'yesterday' is not a day. For example: --day 2027-01-31",
    "puzzle --day 2026-02-30": "'2026-02-30' is not a day. For example: --day 2027-01-31",
    "puzzle --day ''": "'' is not a day. For example: --day 2027-01-31",
    "puzzles export --only chess": "--only cannot be 'chess'. Choose from: ",
    "puzzles export --difficulty 6": "--difficulty cannot be '6'. Choose from: 1, 2, 3, 4, 5.",
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
    "casual --timeout 5": "--timeout is for models, and 'casual' is none.",
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
    "--budget much": "'much' is not a budget. Give dollars, like 2.50, or tokens, like 500k",
    "--budget 5": "A budget in dollars needs prices. Give them with --price, like",
    "--price 5": "'5' is not a price. Give the dollars per million tokens",
}
COMPARE = {
    "casual.json": "A comparison needs two reports.",
    "casual.json damaged.json": "damaged.json: It is not JSON:",
    "casual.json edited.json": "edited.json: ",
    "casual.json without.json": "without.json: Game 1 of 'quantum-duel' lacks",
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
"""What is typed, and what is said about it."""


@pytest.fixture(scope="module")
def reports() -> dict[str, str]:
    """Files that are there: a report, three that do not hold, and something else."""
    whole = measure("casual", ["quantum-duel"], rounds=1, seed=1, workers=1).to_json()
    text = json.dumps(whole)
    edited = whole | {"results": {"quantum-duel": {"options": 7}}, "seed": "\x1b[2J"}
    without = json.loads(text)
    without["records"]["quantum-duel"][0]["value"] = None
    return {
        "casual.json": text,
        "damaged.json": text[: len(text) // 2],
        "edited.json": json.dumps(edited),
        "without.json": json.dumps(without),
        "other.txt": "a letter",
    }


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
