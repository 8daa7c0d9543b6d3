"""Two people at a terminal of plain lines: hidden input, and private lines that are cleared."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "
HIDE = "Press Enter to hide it: "
KEEP = 'Press Enter to keep it, or type "again" for another: '
BESIDE, BACK = b"\x1b[?1049h\x1b[2J", b"\x1b[2J\x1b[?1049l"
"""The codes that switch to a private page, and wipe it before switching back."""
PASSED_ON = "import os, time\nwhile d := os.read(0, 9999): time.sleep(0.3), os.write(1, d)"
LATE = f"{sys.executable} -c '{PASSED_ON}'"
"""A pipe through which everything comes late."""


def test_no_secret_is_read_on_the_screen_above_it_or_recalled(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain")
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    terminal.presses("8\x1b[A7")
    terminal.sees("•", "•")
    (line,) = (each for each in terminal.shown.splitlines() if "choose your secret" in each)
    assert re.search("from 1-9\\): ••?$", line)
    assert "Typing is hidden: each key shows a dot." in terminal.shown
    terminal.types("")
    terminal.answers(AGAIN, "86")
    terminal.sees("The two did not match. Nothing is chosen yet.")
    terminal.answers("from 1-9): ", "")
    terminal.sees("Nothing typed.")
    terminal.answers("from 1-9): ", "70")
    terminal.sees("That was not accepted.")
    terminal.answers("from 1-9): ", "8\x1b[A7")
    terminal.answers(AGAIN, "87")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "random")
    picked = []
    for answer in ("again", ""):
        terminal.sees("Picked for you: ", KEEP)
        picked += re.findall(r"Picked for you: (\S+)", terminal.shown)
        terminal.types(answer)
    terminal.sees("Input Guess: ")
    assert not re.search("•|not accepted|did not match|Picked", terminal.everything)
    assert not any(secret in terminal.everything for secret in picked)
    assert not re.search("8.?7|8.?6|7.?0", terminal.text)
    terminal.presses("secret\r\r\r\r")
    terminal.sees(ALONE)
    terminal.types("board")  # if the Enters had passed, another prompt would get this
    terminal.sees("no board", "Input Guess: ")
    assert "8-7" not in terminal.text
    terminal.types("secret")
    terminal.answers(ALONE, "")
    terminal.sees("Your secret: 8-7", HIDE)
    terminal.types("")
    terminal.sees("Input Guess: ")
    assert "8-7" not in terminal.everything
    terminal.types("34")
    terminal.sees("Feedback: ", "Player 2's Turn", "Input Guess: ")
    start = len(terminal.raw)
    terminal.presses("\x1b[A\x1b[A\x10\r")  # twice up, then Ctrl-P
    terminal.sees("Nothing typed.")
    assert not re.search(rb"34|87", bytes(terminal.raw[start:]))


def test_hand_over_clears_the_screen_and_its_scroll_back_between_private_parts(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("play", "safe-code", "--plain", rows=12)
    private = r"\b23\b|prime|divisible|greater"
    terminal.chooses("23", "(1-30): ")
    # Enough refused and accepted clues to push private lines off the screen.
    for line in ("even", "divisible by 5", "less than 9", "help"):
        terminal.answers("of 3: ", line)
    for line in ("odd", "prime"):
        terminal.writes("of 3: ", line)
    terminal.sees("clue 3 of 3: ")
    assert terminal.screen.scrolls, "something private has scrolled away"
    start = len(terminal.raw)
    terminal.types("two digits")
    terminal.sees("Taken as: The number has two digits.")
    terminal.answers("keep it", "agin")
    terminal.sees("That is neither Enter nor again.")
    terminal.answers("keep it", "again")
    terminal.writes("clue 3 of 3: ", "greater than 20")
    terminal.sees(ALONE)
    between = bytes(terminal.raw[start:])
    assert between.index(BACK) < between.index(BESIDE)
    assert not re.search(private, terminal.everything)
    assert "Player 2 is next, to choose in private." in terminal.shown
    start = len(terminal.raw)
    terminal.types("")
    terminal.answers("(1-30): ", "29")
    assert BESIDE in bytes(terminal.raw[start:])
    terminal.answers(AGAIN, "29")
    terminal.writes("clue 1 of 3: ", "prime")
    terminal.answers("clue 2 of 3: ", "quit")
    assert terminal.ends() == 4
    assert not terminal.screen.on_second_screen
    assert not re.search(private, terminal.everything)
    assert "Saved." in terminal.shown


def test_a_mistyped_first_turn_leaves_the_same_screen_as_one_refused_for_its_secret(
    sit_down: SitDown,
) -> None:
    screens = []
    for line, told in (("1 2", "That would set the safe to your own code."), ("1 9", "1 to 5")):
        terminal = sit_down("play", "safecracker-duel", "--plain")
        terminal.chooses("211")
        terminal.chooses("513")
        terminal.sees("Player 1 is next, in private.")
        terminal.answers(ALONE, "")
        terminal.answers("(1-3): ", line)
        terminal.sees(told)
        terminal.answers("(1-3): ", "3 4")
        terminal.sees("Player 2 is next, in private.", ALONE)
        screens.append(terminal.everything)
    assert screens[0] == screens[1]
    assert not re.search("own code|1 2", screens[0])
    assert "Combination: 1-1-4" in screens[0], "the turn is open"


def test_a_script_shows_nothing_of_a_private_turn_that_was_undone(strongroom: Strongroom) -> None:
    ran = strongroom("play", "safecracker-duel", lines=["211", "513", "1", "", "3", "4"])
    turn = ran.out.partition("Player 1's Turn:\n")[2].splitlines()
    assert [line.partition("): ")[2] for line in turn[:2]] == ["***", "3 4"]


def test_private_parts_are_cleared_even_if_the_output_is_piped(sit_down: SitDown) -> None:
    """As in `strongroom play safe-code | tee log`: the keyboard and the eyes are at a terminal."""
    terminal = sit_down("play", "safe-code", pipe=LATE)
    terminal.chooses("23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.sees(" is next, ", ALONE)
    assert "greater than 20" not in terminal.everything


def test_a_secret_picked_at_random_is_not_written_to_a_pipe(
    sit_down: SitDown, tmp_path: Path
) -> None:
    terminal = sit_down("play", "digit-deductions", pipe="tee log")
    terminal.answers(ALONE, "")
    terminal.answers("from 1-9): ", "r")
    terminal.sees("Picked for you: ", KEEP)
    terminal.types("")
    terminal.sees(ALONE)
    assert "Picked for you: " not in (tmp_path / "log").read_text()
    assert "Picked for you: " not in terminal.everything


def test_between_two_people_aids_are_off_until_both_agree(
    sit_down: SitDown, tmp_path: Path
) -> None:
    terminal = sit_down("play", "quantum-duel", "--names", "Ada", "Bo", "--plain")
    terminal.sees("observe: ")
    for line, told in (
        ("hint", "This game is played without hints and notebook. To switch them on: aids"),
        ("aids", "Bo is asked for it before the next turn there, as both have to agree."),
        ("hint", "This game is played without hints and notebook"),
        ("4", "Ada wants hints and notebook on for both. Do you agree? (yes/no): "),
        ("maybe", "'maybe' is neither yes nor no"),
        ("no", "Both have to agree: hints and notebook stay off."),
        ("aids", "Ada is asked for it before the next turn there"),
        ("2", "Bo wants hints and notebook on for both. Do you agree? (yes/no): "),
        ("yes", "Hints and notebook are on"),
        ("hint", "looking: "),
    ):
        terminal.types(line)
        terminal.shows(re.escape(told.strip()))
    kept = tmp_path / "config" / "strongroom" / "preferences.json"
    assert not kept.exists() or "aids" not in kept.read_text()


# --- leaving --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGQUIT, signal.SIGUSR1, signal.SIGTERM, signal.SIGINT])
def test_no_signal_leaves_private_lines_on_the_screen(
    sit_down: SitDown, number: signal.Signals
) -> None:
    terminal = sit_down("play", "safe-code", "--plain", shell=True, before="trap : QUIT USR1 TERM")
    terminal.chooses("23", "(1-30): ")
    terminal.writes("of 3: ", "greater than 20")
    terminal.writes("clue 2 of 3: ", "odd")
    terminal.sees("clue 3 of 3: ")
    terminal.rests()
    os.killpg(terminal.process.pid, number)
    terminal.sees(f"code={128 + number}")
    assert not terminal.screen.on_second_screen
    assert terminal.echo_is_on
    assert "greater" not in terminal.everything


def test_control_c_while_typing_a_secret_saves_and_gives_the_echo_back(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain", shell=True)
    terminal.answers(ALONE, "")
    terminal.sees("from 1-9): ")
    assert not terminal.echo_is_on
    terminal.presses("8")
    terminal.interrupts()
    terminal.sees("Saved.", "code=130")
    assert terminal.echo_is_on
    terminal.types("")
    assert terminal.ends() == 0


@pytest.mark.parametrize("place", ["turn", "secret", "hand-over"])
def test_control_d_saves_and_exits_4(sit_down: SitDown, games: Path, place: str) -> None:
    game = "quantum-duel" if place == "turn" else "digit-deductions"
    terminal = sit_down("play", game, "--plain")
    terminal.sees("observe: " if place == "turn" else ALONE)
    if place == "secret":
        terminal.types("")
        terminal.sees("from 1-9): ")
    terminal.process.sendeof()
    assert terminal.ends() == 4
    assert "Saved. Resume with: strongroom resume" in terminal.text
    assert len([*games.iterdir()]) == 1


def test_control_z_does_not_bring_the_echo_back_while_a_secret_is_typed(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--vs", "random", "--plain")
    terminal.sees("from 1-9): ")
    terminal.presses("\x1a")
    terminal.sees("from 1-9): ")
    terminal.types("87")
    terminal.sees("Input Guess: ")
    assert b"87" not in terminal.raw


@pytest.mark.parametrize("face", ["--plain", "--fast"])
def test_the_command_that_resumes_a_named_file_is_one_line_that_can_be_copied(
    sit_down: SitDown, tmp_path: Path, face: str
) -> None:
    elsewhere = str(tmp_path / ("very " * 20 + "long name.jsonl"))
    terminal = sit_down("play", "quantum-duel", face, "--save", elsewhere)
    terminal.answers("observe: ", "quit")
    assert terminal.ends() == 4
    shown = re.search(r"Resume with: strongroom (.+)", terminal.text)
    assert shown
    assert shlex.split(shown[1]) == ["resume", elsewhere]
