"""Asking line by line: numbers, names, the default answer, and commands."""

from __future__ import annotations

import pytest

from strongroom.terminal.asking import GoesBack, Item, PlainAsker, WantsNothing
from strongroom.terminal.lines import InputEnded
from tests.terminal.test_prompts import Typed

ITEMS = (
    Item("q", "quantum-duel", "Four in a chain."),
    Item("c", "safe-code"),
    Item("d", "safecracker-duel"),
    Item("r", "random"),
)


def asker(*lines: str) -> PlainAsker:
    return PlainAsker(Typed(lines), "The title", "The help.")


def chosen(*lines: str, usual: str = "c") -> str:
    return asker(*lines).choose("Which?", ITEMS, usual, lambda: "# The rules")


def test_a_number_or_the_beginning_of_a_name_chooses() -> None:
    values = {"1": "q", " 3 ": "d", "quan": "q", "SAFE-CODE": "c", "safec": "d", "": "c", "d": "d"}
    assert {line: chosen(line) for line in values} == values


def test_the_default_is_the_first_choice_if_it_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert chosen("", usual="gone") == "q"
    listed = ["Which?", "  1. quantum-duel: Four in a chain.", "  2. safe-code"]
    assert capsys.readouterr().out.splitlines()[:3] == listed


def test_the_prompt_says_what_enter_chooses_and_what_else_can_be_typed() -> None:
    lines = Typed([""])
    PlainAsker(lines, "", "").choose("Which?", ITEMS, "d", str)
    assert lines.prompts == ["Enter 1 to 4 (Enter: 3; back, help, rules, quit): "]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("safe", "'safe' is none of these. "),
        ("0", "'0' is none of these. Type a number from 1 to 4."),
        ("5", "'5' is none of these. Type a number from 1 to 4."),
        ("٣", "'٣' is none of these. Type a number from 1 to 4."),
        ("quantom-duel", "Did you mean quantum-duel?"),
        ("\x1b[2J", "Type a number from 1 to 4."),
    ],
)
def test_anything_else_is_asked_again(
    line: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert chosen(line, "2") == "c"
    out = capsys.readouterr().out
    assert told in out
    assert "\x1b" not in out


def test_it_shows_its_title_notes_help_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    asking = asker()
    asking.begin()
    asking.note("Something to know.")
    assert capsys.readouterr().out == "The title\n\nSomething to know.\n"
    assert chosen("?", "rules", "1") == "q"
    assert capsys.readouterr().out.splitlines()[-2:] == ["The help.", "# The rules"]


def test_back_goes_back_quit_leaves_and_the_end_ends() -> None:
    for word, leaves in (
        *(("back", GoesBack), ("B", GoesBack), ("nothing of that kind", InputEnded)),
        *((word, WantsNothing) for word in ("quit", "exit", "Q")),
    ):
        with pytest.raises(leaves):
            chosen(word)
    for word, leaves in (("Back", GoesBack), ("quit", WantsNothing), ("exit", WantsNothing)):
        with pytest.raises(leaves):
            asker(word).line("Name: ", "Ada")


def test_a_line_is_what_was_typed_or_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    for line, name in ((" Bob ", "Bob"), ("", "Ada"), ("B", "B"), ("q", "q"), ("H", "H")):
        assert asker(line).line("Name: ", "Ada") == name
    assert asker("help", "Bob").line("Name: ", "Ada") == "Bob"
    assert capsys.readouterr().out == "The help.\n"
