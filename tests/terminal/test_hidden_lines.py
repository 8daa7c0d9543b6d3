"""Lines that are typed unseen: no refusal, pause or prompt ever repeats one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

ALONE = "Press Enter when nobody else is looking: "
NOT_ACCEPTED = "That was not accepted."
SECRETS = {
    "safecracker-duel": ("from 1-5): ", ("4x1", "34", "348")),
    "safe-cracker": ("from 1-3): ", ("2x1", "21", "218")),
    "safe-code": ("(1-30): ", ("1x7", "47", "twelve")),
    "digit-deductions": ("from 1-9): ", ("8x6", "860", "80")),
}
"""The prompt of each game's secret, and lines that are refused there."""
WHERE = {
    "page": (["--fast"], "xterm-256color"),
    "plain": (["--plain"], "xterm-256color"),
    "dumb": ([], "dumb"),
}


@pytest.mark.parametrize("game", SECRETS)
@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("players", [[], ["--vs", "random"]], ids=["two people", "a bot"])
def test_no_refusal_of_a_secret_repeats_what_was_typed(
    sit_down: SitDown, game: str, where: str, players: list[str]
) -> None:
    options, term = WHERE[where]
    prompt, lines = SECRETS[game]
    terminal = sit_down("play", game, *options, *players, env={"TERM": term})
    if not players:
        terminal.answers(ALONE, "")
    for line in lines:
        terminal.sees(prompt)
        start = len(terminal.text)
        terminal.types(line)
        terminal.sees(NOT_ACCEPTED)
        told = re.sub(r"\(\w[^)]*\): |Type .*", "", terminal.text[start:].partition("Type")[0])
        assert not re.search(line, told)
        assert "you typed" not in told
    terminal.sees(prompt)


@pytest.mark.parametrize("players", [[], ["--vs", "random"]], ids=["two people", "a bot"])
def test_no_refusal_of_a_scripts_secret_repeats_it(
    strongroom: Strongroom, players: list[str]
) -> None:
    ran = strongroom("play", "digit-deductions", *players, lines=["8x6", "860"])
    told = ran.before_the_goodbye + ran.err
    assert told.count(NOT_ACCEPTED) == 2
    assert "8x6" not in told
    assert "860" not in told


def test_a_terminal_that_cannot_be_cleared_shows_nothing_of_a_private_turn(
    sit_down: SitDown,
) -> None:
    """Whether a first turn was mistyped or forbidden by the code, it reads the same."""
    screens = []
    for line in ("1 2", "1 9", "9"):
        terminal = sit_down("play", "safecracker-duel", env={"TERM": "dumb"})
        terminal.chooses("211")
        terminal.chooses("513")
        terminal.answers(ALONE, "")
        terminal.sees("(1-3): ")
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
        told = terminal.text[start:]
        assert "favourite" not in told
        assert not re.search(r"\b23\b", told)


@pytest.mark.parametrize("where", WHERE)
def test_nothing_typed_while_nobody_should_look_is_shown(sit_down: SitDown, where: str) -> None:
    options, term = WHERE[where]
    terminal = sit_down("play", "safe-cracker", *options, env={"TERM": term})
    terminal.sees(ALONE)
    start = len(terminal.text)
    terminal.types("3-2-2")
    terminal.sees("from 1-3): ")
    told = terminal.text[start:]
    assert "3-2-2" not in told
    assert not re.search(r"[•*]", told)


@pytest.mark.parametrize("where", ["page", "plain"])
def test_a_command_still_works_while_nobody_should_look(sit_down: SitDown, where: str) -> None:
    options, term = WHERE[where]
    terminal = sit_down("play", "safe-cracker", *options, env={"TERM": term})
    terminal.answers(ALONE, "quit")
    assert terminal.ends() == 4


def test_the_page_says_that_arrows_show_what_typing_hides(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--fast")
    terminal.answers(ALONE, "")
    terminal.sees("Typing is hidden: each key shows a dot. Arrows show it.")
    terminal.presses("\x1b[B")
    terminal.sees("What arrows choose is in sight until Enter; what you type is not.")
