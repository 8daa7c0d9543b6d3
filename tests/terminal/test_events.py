"""The JSON face: one event on each line, and no secret in any of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.terminal.conftest import Strongroom


def events_of(strongroom: Strongroom, kind: str, game: str, *lines: str) -> list[dict[str, Any]]:
    """The events of a kind in a game that a script plays."""
    events = strongroom("play", game, "--json", lines=lines).events
    return [event for event in events if event["event"] == kind]


def test_a_refused_line_is_an_event_with_its_kind_reason_and_form(strongroom: Strongroom) -> None:
    first, second = events_of(strongroom, "refused", "quantum-duel", "9", "3", "3")
    assert first["kind"] == "NotUnderstood"
    assert first["reason"] == "Cells run from 1 to 7; you typed 9."
    assert first["rule"] is None
    assert (second["kind"], second["rule"]) == ("NotLegal", "only an unobserved cell")
    assert second["accepted"] == "Unobserved: 1, 2, 4, 5, 6, 7."


def test_a_private_refusal_is_an_event_without_its_reason_or_its_question(
    strongroom: Strongroom,
) -> None:
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


def test_commands_in_json_mode_keep_every_line_an_event(strongroom: Strongroom) -> None:
    commands = ["help", "rules", "board", "history", "secret", "resign", "no", "save", "3", "quit"]
    assert len(events_of(strongroom, "note", "quantum-duel", *commands)) >= 5


def test_a_move_event_has_its_number_the_board_and_the_announcement(
    strongroom: Strongroom,
) -> None:
    moves = events_of(strongroom, "move", "quantum-duel", "3", "5", "4", "no")
    assert [move["number"] for move in moves] == [1, 2, 3, 4]
    assert moves[1]["board"] == [None, None, 1, None, 2, None, None]
    assert moves[1]["announcement"] == "You have observed cell 5.", "the board is a part of its own"
    assert moves[2]["announcement"] == "Cell 4 is adjacent to your symbol at cell 3."
    (move,) = events_of(strongroom, "move", "safecracker-duel", "342", "513", "1 3")
    assert (move["number"], move["board"]) == (3, [3, 1, 1])


def test_numbers_have_no_gaps_where_chance_decides(strongroom: Strongroom) -> None:
    moves = events_of(strongroom, "move", "quantum-duel", "1", "7", "2", "yes", "6", "yes")
    assert [move["number"] for move in moves] == [*range(1, len(moves) + 1)]
    assert "chance" in [move["seat"] for move in moves]


def test_a_question_has_its_heading_and_what_is_accepted(strongroom: Strongroom) -> None:
    lines = ("342", "513", "1 3", "3 3", "1")
    secret, *_, position, digit = events_of(strongroom, "ask", "safecracker-duel", *lines)
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
