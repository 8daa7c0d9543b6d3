"""Lines that are typed unseen: no refusal, pause or prompt ever repeats one."""

from __future__ import annotations

import re

import pytest

from tests.terminal.conftest import ALONE, SitDown

NOT_ACCEPTED = "That was not accepted."
WHERE = {
    "page": (["--fast"], "xterm-256color"),
    "plain": (["--plain"], "xterm-256color"),
    "dumb": ([], "dumb"),
}


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("players", [[], ["--vs", "random"]], ids=["two people", "a bot"])
def test_nothing_of_a_secret_or_before_it_is_shown(
    sit_down: SitDown, where: str, players: list[str]
) -> None:
    options, term = WHERE[where]
    terminal = sit_down("play", "safe-cracker", *options, *players, env={"TERM": term})
    if not players:
        terminal.sees(ALONE)
        start = len(terminal.text)
        terminal.types("3-2-2")
        terminal.sees("from 1-3): ")
        assert not re.search(r"3-2-2|[•*]", terminal.text[start:])
    else:
        terminal.sees("from 1-3): ")
    for line in ("2x1", "21", "218"):
        start = len(terminal.text)
        terminal.types(line)
        terminal.sees(NOT_ACCEPTED)
        told = re.sub(r"\(\w[^)]*\): |Type .*", "", terminal.text[start:].partition("Type")[0])
        assert not re.search(f"{line}|you typed", told)
        terminal.sees("from 1-3): ")


def test_a_terminal_that_cannot_be_cleared_shows_nothing_of_a_private_turn(
    sit_down: SitDown,
) -> None:
    """Whether a first turn was mistyped or forbidden by the code, it reads the same."""
    screens = []
    terminal = sit_down("play", "safecracker-duel", env={"TERM": "dumb"})
    terminal.chooses("211")
    terminal.chooses("513")
    terminal.answers(ALONE, "")
    terminal.sees("(1-3): ")
    for line in ("1 2", "1 9", "9"):
        start = len(terminal.text)
        terminal.types(line)
        terminal.sees(NOT_ACCEPTED, "(1-3): ")
        screens.append(terminal.text[start:].replace("*", "").replace("•", ""))
    assert screens[0] == screens[1] == screens[2]
    assert not re.search("own code|you typed", screens[0])


def test_no_refusal_of_a_clue_repeats_it_on_a_terminal_that_cannot_be_cleared(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safe-code", env={"TERM": "dumb"})
    terminal.chooses("23", "(1-30): ")
    for line in ("my favourite", "divisible by 5"):
        terminal.sees("clue 1 of 3: ")
        start = len(terminal.text)
        terminal.types(line)
        terminal.sees(NOT_ACCEPTED, "digit sum and product.")
        assert not re.search(r"favourite|\b23\b", terminal.text[start:])


def test_the_page_says_that_arrows_show_what_typing_hides(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--fast")
    terminal.answers(ALONE, "")
    terminal.sees("Typing is hidden: each key shows a dot. Arrows show it.")
    terminal.presses("\x1b[B")
    terminal.sees("What arrows choose is in sight until Enter; what you type is not.")


@pytest.mark.parametrize("where", ["page", "plain"])
def test_a_command_still_works_while_nobody_should_look(sit_down: SitDown, where: str) -> None:
    terminal = sit_down("play", "safe-cracker", *WHERE[where][0])
    terminal.answers(ALONE, "quit")
    assert terminal.ends() == 4
