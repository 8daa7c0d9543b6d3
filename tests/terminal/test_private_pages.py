"""Plain lines at a real terminal: hidden input, private lines that are cleared, poor terminals."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from strongroom.terminal.screen.layout import wrap_whole
from tests.terminal.conftest import ANALYSIS, REMATCH, SHELL, SitDown, Strongroom
from tests.terminal.whole_games import AGAIN, ALONE, Whole

KEEP = 'Press Enter to keep it, or type "again" for another: '
NOT_ACCEPTED = "That was not accepted."
BESIDE, BACK = b"\x1b[?1049h\x1b[2J", b"\x1b[2J\x1b[?1049l"
"""The codes that switch to a private page, and wipe it before switching back."""
PASSED_ON = "import os, time\nwhile d := os.read(0, 9999): time.sleep(0.3), os.write(1, d)"
LATE = f"{{}} | tee log | {sys.executable} -c '{PASSED_ON}'"
"""A pipe through which everything comes late."""
DUMB = {"TERM": "dumb"}


def test_two_people_play_a_whole_game_in_plain_lines(sit_down: SitDown, whole: Whole) -> None:
    terminal = sit_down("play", whole.name, "--plain")
    terminal.sets_up(whole)
    for number, turn in enumerate(whole.turns):
        if number < whole.private_turns:
            terminal.answers(ALONE, "")
        for line in turn:
            terminal.process.expect(rb"\): |Guess: |observe: |1 or 2: ")
            # Clues are typed in the open, and cleared; nothing else is ever shown.
            seen = terminal.everything if "safe-code" in whole.name else terminal.text
            assert whole.leaks(seen.replace("(1-30)", "")) == []
            terminal.types(line)
    terminal.sees("Game over: Player 1 ", f"Turns: {len(whole.turns)}", "Score: Player 1: 1, ")
    assert all(re.search(hidden, terminal.everything) for hidden in whole.hidden)
    terminal.leaves()
    assert (ALONE in terminal.text) is bool(whole.set_up)
    assert (b"\x1b[2J" in terminal.raw) is bool(whole.set_up), "public lines stay visible"


def test_no_secret_is_read_on_the_screen_above_it_or_recalled(sit_down: SitDown) -> None:
    terminal = sit_down("play", "digit-deductions", "--plain")
    terminal.answers(ALONE, "8-6")
    terminal.sees("from 1-9): ")
    terminal.presses("8\x1b[A7")
    terminal.sees("•", "•")
    (line,) = (each for each in terminal.shown.splitlines() if "choose your secret" in each)
    assert re.search("from 1-9\\): ••?$", line)
    assert "Typing is hidden: each key shows a dot." in terminal.shown
    terminal.types("")
    terminal.answers(AGAIN, "86")
    terminal.sees("The two did not match. Nothing is chosen yet.")
    terminal.answers("from 1-9): ", "70")
    terminal.sees(NOT_ACCEPTED)
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
    terminal.sees("Your secret: 8-7", "Press Enter to hide it: ")
    terminal.types("")
    terminal.sees("Input Guess: ")
    assert "8-7" not in terminal.everything
    terminal.types("34")
    terminal.sees("Feedback: ", "Player 2's Turn", "Input Guess: ")
    start = len(terminal.raw)
    terminal.presses("\x1b[A\x1b[A\x10\r")  # twice up, then Ctrl-P
    terminal.sees("Nothing typed.")
    assert not re.search(rb"34|87", bytes(terminal.raw[start:]))


def test_hand_over_clears_the_screen_and_its_scroll_back(sit_down: SitDown) -> None:
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
    terminal.types("greater than 20")
    terminal.answers("keep it", "")
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


def test_private_parts_are_cleared_beside_a_pipe(sit_down: SitDown, tmp_path: Path) -> None:
    """As in `strongroom play safe-code | tee log`: the keyboard and the eyes are at a terminal."""
    terminal = sit_down("play", "safe-code", shell=LATE)
    terminal.chooses("23", "(1-30): ")
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.sees(" is next, ")
    assert "greater than 20" not in terminal.everything
    terminal.answers(ALONE, "")
    terminal.answers("(1-30): ", "r")
    terminal.sees("Picked for you: ", KEEP)
    terminal.types("")
    terminal.sees("clue 1 of 3: ")
    assert "Picked for you" not in terminal.everything
    assert "Picked for you: " not in (tmp_path / "log").read_text()


def test_a_dumb_terminal_gets_no_escape_codes_and_no_secret_and_clues_are_pushed_off_it(
    sit_down: SitDown,
) -> None:
    screens = []
    terminal = sit_down("play", "safecracker-duel", env=DUMB)
    for secret in ("211", "513"):
        terminal.answers(ALONE, "")
        for line in ("2x1", "218"):
            terminal.answers("1-5): ", line, NOT_ACCEPTED)
        terminal.answers("1-5): ", secret)
        terminal.answers(AGAIN, secret)
    terminal.answers(ALONE, "")
    terminal.sees("(1-3): ")
    assert not re.search("211|513|2x1|218|you typed", terminal.text)
    for line in ("1 2", "1 9", "9"):
        start = len(terminal.text)
        terminal.types(line)
        terminal.sees(NOT_ACCEPTED, "(1-3): ")
        screens.append(re.sub("[*•]", "", terminal.text[start:]))
    assert screens[0] == screens[1] == screens[2]
    assert not re.search("own code|you typed", screens[0])
    terminal.types("3 4")
    terminal.sees("Updated Safe Combination: 1-1-4")
    assert b"\x1b" not in terminal.raw
    terminal = sit_down("play", "safe-code", env=DUMB)
    terminal.chooses("23", "(1-30): ")
    for line in ("my favourite", "divisible by 5"):
        terminal.sees("clue 1 of 3: ")
        start = len(terminal.text)
        terminal.types(line)
        terminal.sees(NOT_ACCEPTED, "digit sum and product.")
        assert not re.search(r"favourite|\b23\b", terminal.text[start:])
    for number, clue in enumerate(("odd", "prime", "greater than 20"), 1):
        terminal.writes(f"clue {number} of 3: ", clue)
    terminal.sees(ALONE)
    assert "greater than 20" not in terminal.shown


def test_a_terminal_without_a_second_screen_is_told_what_it_lacks(sit_down: SitDown) -> None:
    for name in ("vt100", "linux", "nonsense", ""):
        terminal = sit_down("play", "safe-code", "--plain", env={"TERM": name})
        terminal.sees("This terminal cannot be cleared", ALONE)
        assert b"\x1b[?1049h" not in terminal.raw
        assert "TERM" not in terminal.text, "plain lines were asked for"
    for name in ("nonsense", ""):
        terminal = sit_down(env={"TERM": name})
        terminal.answers("quit): ", "quantum-duel")
        for question in ("Against whom?", "Who starts?"):
            terminal.sees(question)
            terminal.answers(": ", "")
        terminal.interrupts()
        terminal.ends()
        said = " ".join(terminal.text.split())
        why = f"TERM is {repr(name) if name else 'not set'}, by which no page"
        assert said.count(why) == 1, "once, though a menu and a game had none"
        assert "set TERM to what your terminal is, often xterm-256color" in said


def test_plain_lines_are_the_books_and_a_rematch_swaps_the_seats(sit_down: SitDown) -> None:
    terminal = sit_down("play", "quantum-duel", "--plain")
    terminal.answers("Enter the cell number you want to observe: ", "3")
    terminal.sees("[ _ ] [ _ ] [ X ] [ _ ] [ _ ] [ _ ] [ _ ]\r\n  1     2     3     4 ")
    terminal.answers("observe: ", "5")
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes", "Game over: Player 2 won, because")
    terminal.sees("Score: Player 1: 0, Player 2: 1")
    for question, answer in ((ANALYSIS, "no"), (REMATCH, "yes")):
        terminal.answers(question, "ys")
        terminal.sees("'ys' is neither yes nor no.")
        terminal.answers(question, answer)
    terminal.sees("The seats are swapped: the former Player 2 is now Player 1.")
    terminal.sees("Player 1 (X), it's your turn.")
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes", "Score: Player 1: 1, Player 2: 1")
    terminal.leaves()
    assert b"\x1b[" not in re.sub(rb"\x1b\[\?2004[hl]", b"", bytes(terminal.raw))


NARROW = 44
GOAL = "Guess your opponent's two digits first; each answer says how far off you are."


def test_a_terminal_breaks_between_words(sit_down: SitDown, strongroom: Strongroom) -> None:
    for arguments, env, words in (
        (["play", "digit-deductions", "--plain"], {}, GOAL),
        ([], DUMB, "  1. "),
        (["play"], {}, "strongroom"),
        (["play", "quantum-duel", "--vs", "nobody"], {}, "strongroom"),
    ):
        if words != GOAL:
            ran = strongroom(*arguments, lines=["quit"])
            words = next(line for line in (ran.out + ran.err).split("\n") if line.startswith(words))
        assert len(words) > NARROW, "piped output is not broken"
        terminal = sit_down(*arguments, columns=NARROW, env=env)
        terminal.sees(words.split()[-1])
        printed = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.raw.decode())
        found = re.search(r"\s+".join(map(re.escape, words.split())), printed)
        assert found
        assert all(len(line) <= NARROW for line in found[0].splitlines())


def test_text_to_be_copied_stays_unbroken() -> None:
    replay = "strongroom replay '/a b/c d.jsonl'"
    for copied in (replay, "/home/of somebody/games/x.jsonl", "'/a folder/x'"):
        text = f"Some words that go on for a while before it: {copied}"
        lines = wrap_whole(text, 30).splitlines()
        assert any(copied in line for line in lines)
        assert all(len(line) <= 30 or line == copied for line in lines)


def test_control_c_control_d_and_quit_save_also_in_private(sit_down: SitDown) -> None:
    for game, prompt, keys, code in (
        ("digit-deductions", "from 1-9): ", "8\x03", 130),
        *(("digit-deductions", ALONE, keys, 4) for keys in ("\x04", "quit\r")),
        ("quantum-duel", "observe: ", "\x04", 4),
    ):
        terminal = sit_down("play", game, "--plain", shell=SHELL)
        if code == 130:
            terminal.answers(ALONE, "")
        terminal.sees(prompt)
        assert code == 4 or not terminal.echo_is_on
        terminal.rests()
        terminal.presses(keys)
        terminal.sees("Saved. Resume with: strongroom resume", f"code={code}")
        assert terminal.echo_is_on


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


def test_json_is_refused_at_a_keyboard(sit_down: SitDown) -> None:
    terminal = sit_down("play", "safe-code", "--json")
    terminal.sees("--json reads answers from a script.")
