"""Odd names, places and words: nothing controls the screen, and every error is one clear line."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from strongroom.plugins import registry
from strongroom.terminal.filenames import named, quoted
from strongroom.terminal.main import main
from tests.terminal.conftest import Clean, SitDown, Strongroom

EVIL = "\x1b]0;owned\x07\n\x9b2Jé"
"""Text that sets the title of a terminal, breaks the line and clears the screen."""
ACTS = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
LONG = "x" * 100_000


# --- what people name -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        "EVIL", "play EVIL", "rules EVIL", "resume EVIL", "replay EVIL", "analyze EVIL",
        "completion EVIL", "tournament quantum-duel --players EVIL",
        "exploit quantum-duel --players EVIL", "play quantum-duel EVIL", "play quantum-duel --EVIL",
        "play quantum-duel --names EVIL Bob", "play quantum-duel --seed EVIL",
        "play quantum-duel --vs EVIL", "play quantum-duel --words EVIL",
        "play quantum-duel --set EVIL", "play quantum-duel --set EVIL=1",
        "play safe-cracker --set digits=EVIL", "play quantum-duel --turn-limit EVIL",
        "play quantum-duel --save /dev/null/EVIL",
    ],
)  # fmt: skip
def test_no_argument_controls_the_screen_or_fills_it(
    strongroom: Strongroom, arguments: str
) -> None:
    for text in (EVIL, LONG):
        ran = strongroom(*(each.replace("EVIL", text) for each in arguments.split()))
        assert ran.code == 2
        assert not ACTS.search(ran.raw + ran.raw_err)
        assert len(ran.err.splitlines()) <= 2
        assert len(ran.err) < 1500


def test_names_follow_the_same_rule_everywhere(strongroom: Strongroom) -> None:
    rule = "A name has 1 to 24 printable characters."
    assert rule in strongroom("play", "quantum-duel", "--names", "A" * 25, "B").err
    assert "is not a name" not in strongroom("play", "quantum-duel", "--names", "é", "B").err
    long = strongroom(lines=["5", "1", "1", "A" * 10**5, "Bob", "Ada", "Bob", "3"])
    assert rule in long.out
    assert "Ada (X), it's your turn." in long.lines
    endless = strongroom(lines=["5", "1", "1", "A" * (2 * 10**6), "Ada"])
    assert endless.code == 4
    assert len(endless.err) < 200
    assert len(endless.out) < 2000


# --- files ----------------------------------------------------------------------------------------


def test_an_odd_file_name_never_reaches_the_screen_raw_and_can_be_copied(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    broken_off = strongroom("play", "quantum-duel", "--save", EVIL, lines=["3", "save"])
    assert (tmp_path / EVIL).is_file()
    assert not ACTS.search(broken_off.raw)
    (goodbye,) = (line for line in broken_off.lines if line.startswith("Saved. Resume with: "))
    name = goodbye.removeprefix("Saved. Resume with: strongroom resume ")
    again = subprocess.run(["bash", "-c", f"printf %s {name}"], capture_output=True, check=True)
    assert again.stdout.decode() == EVIL, "the name as bash understands it"
    over = strongroom("resume", EVIL, lines=["resign", "yes"])
    assert over.code == 0
    assert "Record: ?]0;owned???2Jé" in over.lines
    for command in ("resume", "replay"):
        ran = strongroom(command, EVIL)
        assert not ACTS.search(ran.raw + ran.raw_err)


def test_an_odd_file_name_is_complete_in_the_events(strongroom: Strongroom) -> None:
    ran = strongroom("play", "quantum-duel", "--save", EVIL, "--json", lines=["resign", "y"])
    assert not ACTS.search(ran.raw)
    assert ran.events[-1]["file"] == EVIL


def test_a_shell_reads_a_quoted_name_as_the_name() -> None:
    names = ["a b", "-x", "it's", "\x1b[2J", "\udcff", "a\nb", "'\\'\x07", "é"]
    line = " ".join(map(quoted, names))
    assert line.isprintable()
    shell = ["bash", "-c", f"printf '%s\\0' {line}"]
    done = subprocess.run(shell, capture_output=True, check=True)
    names[1] = "./-x"
    read = done.stdout.decode(errors="surrogateescape").split("\0")
    assert read == [*names, ""]


def test_a_harmless_text_is_short_and_printable() -> None:
    assert named("a" * 500) == "a" * 398 + "..."
    assert named(Path("plain name.json")) == "plain name.json"


def test_odd_names_are_harmless_on_a_drawn_screen(sit_down: SitDown) -> None:
    names = ["--names", "[/red]", "[bold]Bob"]
    terminal = sit_down("play", "quantum-duel", "--save", "\x1b]0;owned\x07", *names, "--fast")
    terminal.sees("[/red] (X), it's your turn.")
    terminal.answers("observe: ", "3")
    terminal.sees("[bold]Bob (O), it's your turn.")
    assert terminal.shown.count("[bold]Bob") >= 2, "in the record's head too"
    terminal.answers("observe: ", "resign")
    terminal.answers("Resign? (yes/no): ", "yes")
    terminal.leaves()
    assert "Record: ?]0;owned?" in terminal.shown
    assert b"\x1b]0;owned" not in terminal.raw


# --- places ---------------------------------------------------------------------------------------


def test_without_a_home_folder_a_game_is_refused_in_a_line_and_can_be_saved_elsewhere(
    strongroom: Strongroom,
) -> None:
    homeless = {"HOME": "", "XDG_STATE_HOME": ""}
    for arguments in (["play", "quantum-duel"], ["resume"]):
        ran = strongroom(*arguments, lines=["3"], env=homeless)
        assert ran.code == 2
        assert "There is no home folder to save games in." in ran.err
        assert ran.err.count("\n") == 1
    assert strongroom("games", env=homeless).code == 0
    assert strongroom("play", "quantum-duel", "--save", "a.json", env=homeless).code == 4


def test_in_a_deleted_folder_every_command_works_or_prints_one_clear_line(
    tmp_path: Path,
    games: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(games.parents[1]))
    for code, *arguments in (
        *((0, "games"), (0, "--help"), (0, "rules", "safe-code")),
        *((4, "play", "quantum-duel"), (4, "resume")),
        *((2, "play", "quantum-duel", "--save", "a.json"), (2, "replay", "a.json")),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO("3\n"))
        assert main([str(each) for each in arguments]) == code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        assert ("Saved. Resume with: " in out) is (code == 4)
        assert err.startswith("strongroom: ") is (code == 2)
        assert err.count("\n") <= 1


def test_the_resume_command_is_shown_without_the_program_on_the_path_and_in_a_deleted_folder(
    clean: Clean, tmp_path: Path
) -> None:
    command = tmp_path / "bin" / "strongroom"
    command.parent.mkdir()
    called = "import sys\nfrom strongroom.terminal.main import main\nsys.exit(main())\n"
    command.write_text(f"#!{sys.executable}\n{called}")
    command.chmod(0o755)
    (tmp_path / "gone").mkdir()
    done = subprocess.run(
        ["sh", "-c", f'cd {tmp_path}/gone && rmdir "$PWD" && {command} play quantum-duel'],
        input="3\n",
        env=clean(PATH="/usr/bin:/bin"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 4
    assert f"Saved. Resume with: {command} resume" in done.stdout


# --- words of other packages ----------------------------------------------------------------------

MODULE = '''
import sys
from strongroom.contract import Drawing, Question, Tile, Turn
from strongroom.games.quantum_duel.words import QuantumDuelWords

EVIL = "\\x1b]0;owned\\x07\\x9b2J"


class Evil(QuantumDuelWords):
    """Acts on the screen wherever it can."""

    title = goal = result_name = EVIL
    symbols = EVIL, EVIL

    def question(self, view, names):
        return Question(EVIL + "cell: ", EVIL, EVIL)

    def announce(self, view, names):
        return EVIL

    narrate = announce
    welcome = picture = board_shown = lambda self, view: EVIL

    def drawing(self, view, seat, names, left):
        return Drawing(((Tile(EVIL, EVIL),),), framed=True)

    def count(self, seat, names, left):
        return EVIL

    def turn(self, events):
        return Turn(None, EVIL, EVIL, EVIL)

    def notes(self, view, names):
        return [EVIL]


class Fails(QuantumDuelWords):
    """Cannot say what happened."""

    def announce(self, view, names):
        raise RuntimeError(EVIL)

    narrate = announce


class Exits(Fails):
    """Leaves instead of saying what happened."""

    def announce(self, view, names):
        sys.exit(0)

    narrate = announce
'''
POINTS = """\
[strongroom.words]
quantum-duel.evil = odd_words:Evil
quantum-duel.fails = odd_words:Fails
quantum-duel.exits = odd_words:Exits
"""
CONTROLS = (b"\x1b]0;", b"\x07", "\x9b".encode())


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment in which the words are installed."""
    folder = tmp_path / "packages"
    (folder / "odd-1.dist-info").mkdir(parents=True)
    (folder / "odd-1.dist-info" / "entry_points.txt").write_text(POINTS)
    (folder / "odd_words.py").write_text(MODULE)
    source = Path(registry.__file__).parents[2]
    return {"PYTHONPATH": f"{folder}{os.pathsep}{source}"}


@pytest.mark.parametrize("face", [[], ["--plain"]], ids=["drawn", "plain"])
def test_no_words_control_the_screen(
    sit_down: SitDown, env: dict[str, str], face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", "--words", "evil", *face, env=env)
    for line in ("3", "help", "history", "quit"):
        terminal.answers("cell: ", line)
    assert terminal.ends() == 4
    assert [each for each in CONTROLS if each in terminal.raw] == []


def test_no_words_control_what_a_script_prints(strongroom: Strongroom, env: dict[str, str]) -> None:
    ran = strongroom("play", "quantum-duel", "--words", "evil", lines=["3", "help"], env=env)
    assert [each for each in CONTROLS if each in ran.raw + ran.raw_err] == []


@pytest.mark.parametrize(("words", "face"), [("fails", []), ("exits", []), ("exits", ["--plain"])])
def test_words_that_fail_cost_a_line_and_no_move(
    sit_down: SitDown, strongroom: Strongroom, env: dict[str, str], words: str, face: list[str]
) -> None:
    terminal = sit_down("play", "quantum-duel", "--words", words, *face, env=env)
    terminal.answers("want to observe: ", "3")
    assert terminal.ends() == 1
    told = " ".join(terminal.text.split())
    assert "strongroom: Something broke: " in told
    assert "What was played is saved: strongroom list" in told
    assert not terminal.screen.on_second_screen
    assert [each for each in CONTROLS if each in terminal.raw] == []
    assert "3" in strongroom("resume", lines=["history"]).out


def test_the_full_error_is_available_for_debugging(sit_down: SitDown, env: dict[str, str]) -> None:
    developing = {**env, "PYTHONDEVMODE": "1"}
    terminal = sit_down("play", "quantum-duel", "--words", "fails", "--plain", env=developing)
    terminal.answers("want to observe: ", "3")
    terminal.sees("Traceback", "odd_words.py", "RuntimeError")
