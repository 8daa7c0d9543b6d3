"""Variations at the table: what is certified is shown, and expert plays where nothing is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

FOUR_DIGITS = ("--set", "digits=4")
LARGE = ("--set", "digits=9", "--set", "length=6")
ATTEMPTS = ("--set", "attempts=2")
INSTEAD = "expert plays instead of master.\n"


def seats(games: Path) -> list[str]:
    """The players of the only saved game, according to its record."""
    (file,) = games.iterdir()
    return [seat["player"] for seat in json.loads(file.read_text().splitlines()[0])["seats"]]


def test_master_plays_a_certified_variation(strongroom: Strongroom, games: Path) -> None:
    every_code = [f"{a}{b}{c}" for a in "1234" for b in "1234" for c in "1234"]
    ran = strongroom("play", "safe-cracker", *FOUR_DIGITS, "--vs", "master", lines=every_code)
    assert (ran.code, ran.err) == (0, "")
    assert seats(games) == ["person", "master"]


@pytest.mark.parametrize(
    ("options", "code"), [(LARGE, "123456"), (ATTEMPTS, "123")], ids=["large", "attempts"]
)
def test_expert_plays_what_is_not_certified_and_the_record_says_so(
    strongroom: Strongroom, games: Path, options: tuple[str, ...], code: str
) -> None:
    play = ("play", "safe-cracker", *options, "--vs", "master", "--seed", "1")
    ran = strongroom(*play, lines=[code, code])
    label = "safe-cracker," + ",".join(options[1::2])
    assert ran.err == f"Nothing is certified for {label}: {INSTEAD}"
    assert seats(games) == ["person", "expert"]
    assert ran.out.count("Feedback: ") == 2, "one guess by the person and one by expert"
    ran = strongroom(*play, "--json", lines=[code])
    assert ran.events[0]["event"] == "start"
    assert ran.err.endswith(INSTEAD)


def test_the_certified_score_is_shown_when_master_plays(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-cracker", *FOUR_DIGITS, "--vs", "master", "--plain")
    terminal.sees("from 1-4): ")
    told = " ".join(terminal.text.split())
    assert "Master plays the certified strategy" in told
    certified = "Certified: against anybody master scores at least 64.6 % as Player 1, "
    assert f"{certified}35.1 % as Player 2." in told


def test_a_hint_is_given_if_there_is_a_table_and_one_line_otherwise(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safe-cracker", "--aids", *FOUR_DIGITS, lines=["111", "222", "hint"])
    assert (
        " (65% to win, certified): It may hit, and splits the 64 codes left into 27, 27, 9 and 1."
        in ran.err
    )
    ran = strongroom("play", "safe-cracker", "--aids", *LARGE, lines=["1" * 6, "2" * 6, "hint"])
    told = "There are no hints here: Safe Cracker has not been solved with these options."
    assert told in ran.err


def test_a_game_is_analyzed_if_there_is_a_table_and_refused_in_a_line_otherwise(
    strongroom: Strongroom,
) -> None:
    play = ("play", "safe-cracker", "--save")
    strongroom(*play, "four.jsonl", *FOUR_DIGITS, lines=["111", "222", "222"])
    ran = strongroom("analyze", "four.jsonl", "--json")
    assert json.loads(ran.out)["decisions"][2]["before"] == round(2653 / 4096, 6)
    strongroom(*play, "limited.jsonl", *ATTEMPTS, lines=["111", "222", "222"])
    ran = strongroom("analyze", "limited.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("strongroom: Nothing is certified for safe-cracker,attempts=2. ")
    assert ran.err.count("\n") == 1
