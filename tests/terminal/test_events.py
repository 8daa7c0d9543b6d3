"""The JSON face: one event on each line, and no secret in any of them."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom, Whole


def test_every_line_of_json_is_an_event_and_they_come_in_order(
    strongroom: Strongroom, whole: Whole
) -> None:
    lines = whole.lines_of_events
    ran = strongroom("play", whole.name, "--json", lines=lines)
    events = ran.events
    kinds = [event["event"] for event in events]
    assert ran.code == 0
    assert kinds[0] == "start"
    assert kinds[-1] == "end"
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
    assert ran.code == 4
    assert saved["event"] == "saved"
    # Accepted forms are the same for everybody, and step numbers are only counts.
    told = [{k: v for k, v in e.items() if k not in ("accepted", "number")} for e in events]
    text = "\n".join(json.dumps(event) for event in told)
    assert whole.leaks(text.replace("(1-30)", "").replace("allow_same_digit", "")) == []
    again = strongroom(*saved["resume"].split()[1:], "--json", lines=whole.turns[-1])
    end = again.events[-1]
    assert end["event"] == "end"
    assert all(re.search(hidden, str(end["secrets"])) for hidden in whole.hidden)


def test_a_refused_line_is_an_event_with_its_kind_reason_and_form(strongroom: Strongroom) -> None:
    events = strongroom("play", "quantum-duel", "--json", lines=["9", "3", "3"]).events
    refused = [event for event in events if event["event"] == "refused"]
    assert [event["kind"] for event in refused] == ["NotUnderstood", "NotLegal"]
    assert refused[0]["reason"] == "Cells run from 1 to 7; you typed 9."
    assert [event["rule"] for event in refused] == [None, "only an unobserved cell"]
    assert refused[1]["accepted"] == "Unobserved: 1, 2, 4, 5, 6, 7."


def test_a_private_refusal_is_an_event_without_its_reason(strongroom: Strongroom) -> None:
    def events(line: str) -> list[dict[str, Any]]:
        lines = ["211", "513", line, "3 4"]
        return strongroom("play", "safecracker-duel", "--json", lines=lines).events[:-1]

    assert events("1 2") == events("1 9")
    private = {"event": "refused", "kind": "private"}
    hidden = dict.fromkeys(("rule", "reason", "accepted"))
    assert {**private, **hidden} in events("12")


def test_events_do_not_tell_at_which_question_a_first_turn_was_refused(
    strongroom: Strongroom,
) -> None:
    def told(*lines: str) -> list[dict[str, Any]]:
        script = ["211", "513", *lines, "3 4"]
        return strongroom("play", "safecracker-duel", "--json", lines=script).events[:-1]

    assert told("1", "2") == told("1", "9") == told("nonsense", "1 2") == told("1 2", "x")
    ran = strongroom("play", "safecracker-duel", "--json", lines=["211", "513", "1"])
    assert "'1' is part of a move; type a whole move on one line." in ran.err


def test_commands_in_json_mode_keep_every_line_an_event(strongroom: Strongroom) -> None:
    lines = ["help", "rules", "board", "history", "secret", "resign", "no", "save", "3", "quit"]
    ran = strongroom("play", "quantum-duel", "--json", lines=lines)
    assert [event["event"] for event in ran.events].count("note") >= 5


def test_a_secret_picked_at_random_is_in_no_event(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--json", lines=["r", "56"])
    picked = re.search(r"\d-\d", ran.err)
    assert picked
    *events, _ = ran.events
    # Examples in prompts are no secrets, though they can be picked.
    assert picked[0] not in re.sub("from 1-9|like 2-3", "", json.dumps(events))


def test_a_move_event_has_its_number_the_board_and_the_announcement(
    strongroom: Strongroom,
) -> None:
    events = strongroom("play", "quantum-duel", "--json", lines=["3", "5", "4", "no"]).events
    moves = [event for event in events if event["event"] == "move"]
    assert [move["number"] for move in moves] == [1, 2, 3, 4]
    assert moves[1]["board"] == [None, None, 1, None, 2, None, None]
    assert moves[1]["announcement"] == "You have observed cell 5.", "the board is a part of its own"
    assert moves[2]["announcement"] == "Cell 4 is adjacent to your symbol at cell 3."
    duel = strongroom("play", "safecracker-duel", "--json", lines=["342", "513", "1 3"]).events
    (move,) = (event for event in duel if event["event"] == "move")
    assert (move["number"], move["board"]) == (3, [3, 1, 1])


def test_numbers_have_no_gaps_where_chance_decides(strongroom: Strongroom) -> None:
    lines = ["1", "7", "2", "yes", "6", "yes"]
    events = strongroom("play", "quantum-duel", "--json", lines=lines).events
    moves = [event for event in events if event["event"] == "move"]
    assert [move["number"] for move in moves] == [*range(1, len(moves) + 1)]
    assert "chance" in [move["seat"] for move in moves]


def test_a_question_has_its_heading_and_what_is_accepted(strongroom: Strongroom) -> None:
    lines = ["342", "513", "1 3", "3 3", "1"]
    events = strongroom("play", "safecracker-duel", "--json", lines=lines).events
    secret, _, _, _, position, digit = (event for event in events if event["event"] == "ask")
    assert secret["heading"] == ""
    assert secret["accepted"] == "Type three digits from 1-5, like 2-3-4, 234 or 2 3 4."
    assert position["heading"] == "Player 1's Turn:"
    assert position["prompt"] == "Enter position to change (1-3):"
    assert digit["prompt"] == "Enter new digit (1-5):"
    assert digit["accepted"] == "Type the new digit, 1 to 5."


@pytest.mark.parametrize(
    ("lines", "reason", "words"),
    [
        (["56"], "guessed", "Player 1 guessed the secret number."),
        (["resign", "y"], "resigned", "Player 2 won, because Player 1 resigned."),
        (["55", "35"], "undecided", "undecided at the turn limit."),
    ],
)
def test_the_end_has_a_reason_for_programs_and_a_sentence_for_people(
    strongroom: Strongroom, lines: list[str], reason: str, words: str
) -> None:
    arguments = ["play", "digit-deductions", "--turn-limit", "2", "--json"]
    end = strongroom(*arguments, lines=["37", "56", *lines]).events[-1]
    assert (end["reason"], end["words"], end["detail"]) == (reason, words, "")
    assert end["secrets"] == [["3-7"], ["5-6"]]
