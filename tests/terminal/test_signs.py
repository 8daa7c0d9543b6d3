"""Lines at a terminal break between words, and never within text to be copied."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from strongroom.terminal.screen.wrapping import unchopped

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

NARROW = 44


@pytest.mark.parametrize(
    "copied",
    ["strongroom replay '/a b/c d.jsonl'", "/home/of somebody/games/x.jsonl", "'/a folder/x'"],
)
def test_text_to_be_copied_stays_unbroken(copied: str) -> None:
    lines = unchopped(f"Some words that go on for a while before it: {copied}", 30).splitlines()
    assert any(copied in line for line in lines)
    assert all(len(line) <= 30 or line == copied for line in lines)


def breaks_between_words(raw: bytes, words: str) -> bool:
    """Whether these words were printed with only blanks and line ends between them."""
    printed = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", raw.decode())
    found = re.search(r"\s+".join(map(re.escape, words.split())), printed)
    return found is not None and all(len(line) <= NARROW for line in found[0].splitlines())


def test_the_plain_face_breaks_its_lines_between_words(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain", columns=NARROW)
    terminal.sees("looking:")
    goal = "Guess your opponent's two digits first; each answer says how far off you are."
    assert breaks_between_words(bytes(terminal.raw), goal)
    terminal.interrupts()
    terminal.ends()


def test_the_plain_menu_breaks_its_lines_between_words(
    sit_down: SitDown, strongroom: Strongroom
) -> None:
    piped = [line for line in strongroom(lines=["quit"]).lines if line.startswith("  1. ")]
    assert len(piped[0]) > NARROW, "piped output is not broken"
    terminal = sit_down(columns=NARROW, env={"TERM": "dumb"})
    terminal.sees("quit): ")
    assert breaks_between_words(bytes(terminal.raw), piped[0])
    terminal.types("quit")
    assert terminal.ends() == 0


@pytest.mark.parametrize("arguments", [["play"], ["play", "quantum-duel", "--vs", "nobody"]])
def test_an_error_breaks_between_words(
    sit_down: SitDown, strongroom: Strongroom, arguments: list[str]
) -> None:
    piped = strongroom(*arguments).err.splitlines()[0]
    assert len(piped) > NARROW
    terminal = sit_down(*arguments, columns=NARROW)
    assert terminal.ends() == 2
    assert breaks_between_words(bytes(terminal.raw), piped)
