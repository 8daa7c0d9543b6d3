"""The command as people meet it: piped, or at a real terminal, each test with its own saved games.

The fixtures are the only doors: `strongroom` runs the command on a script of lines, and `sit_down`
starts it on a pseudo-terminal whose screen and scroll-back are those of a real emulator.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import termios
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pexpect  # type: ignore[import-untyped]
import pyte
import pytest

PATIENCE = 60
"""Seconds until something that never comes is a failure; a busy machine may take its time."""

INHERITED = ("PATH", "HOME", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")
"""What a test lets through of its own environment: nothing that changes what is printed."""

ALONE = "Press Enter when nobody else is looking: "
AGAIN = "Type it again to confirm: "
ANALYSIS = "Analyze the game? (yes/no): "
REMATCH = "Rematch with seats swapped? (yes/no): "

ESCAPE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]")


class Clean(Protocol):
    """A game's environment: no colour, locale or terminal but those a test asks for."""

    def __call__(self, **changes: str) -> dict[str, str]: ...


@pytest.fixture
def clean(tmp_path: Path) -> Clean:
    def environment(**changes: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
        fixed = {
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        return {**kept, **fixed, **changes}

    return environment


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """The folder where this test's games are saved."""
    return tmp_path / "state" / "strongroom" / "games"


# --- piped ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ran:
    """What a finished command printed, and its exit code."""

    code: int
    raw: bytes
    raw_err: bytes

    @property
    def out(self) -> str:
        return self.raw.decode()

    @property
    def err(self) -> str:
        return self.raw_err.decode()

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The JSON events, each line of the output one of them."""
        return [json.loads(line) for line in self.lines]

    @property
    def resume(self) -> list[str]:
        """The arguments of the command that was shown for going on."""
        shown = re.search(r"Go on with: strongroom (.+)", self.out)
        assert shown, self.out
        return shlex.split(shown[1])

    @property
    def before_the_goodbye(self) -> str:
        """What was printed before the line that names the saved file, which is full of digits."""
        return self.out.partition("\nSaved. Go on with:")[0]

    def has_block(self, block: str) -> bool:
        """Whether these lines stand in the output one after the other."""
        wanted = block.splitlines()
        starts = range(len(self.lines) - len(wanted) + 1)
        return any(self.lines[start : start + len(wanted)] == wanted for start in starts)


class Strongroom:
    """The command `strongroom` with its input piped in."""

    def __init__(self, clean: Clean, folder: Path) -> None:
        self._clean = clean
        self._folder = folder

    def __call__(
        self,
        *arguments: str,
        lines: Iterable[str] | bytes = (),
        env: Mapping[str, str] | None = None,
    ) -> Ran:
        script = lines if isinstance(lines, bytes) else "".join(f"{x}\n" for x in lines).encode()
        done = subprocess.run(
            [sys.executable, "-m", "strongroom", *arguments],
            input=script,
            capture_output=True,
            env=self._clean(**(env or {})),
            cwd=self._folder,
            timeout=PATIENCE,
            check=False,
        )
        ran = Ran(done.returncode, done.stdout, done.stderr)
        assert b"Traceback" not in ran.raw + ran.raw_err, ran.raw_err.decode(errors="replace")
        return ran

    def begin(
        self, *arguments: str, lines: str = "", until: str, trap: str = ""
    ) -> subprocess.Popen[str]:
        """Start, and read up to the line with a text; `trap`: what a shell does about signals."""
        command = [sys.executable, "-m", "strongroom", *arguments]
        process = subprocess.Popen(
            ["sh", "-c", f"{trap}; exec {shlex.join(command)}"] if trap else command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._clean(),
            cwd=self._folder,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(lines)
        process.stdin.flush()
        while until not in (line := process.stdout.readline()):
            assert line, f"{until} never came"
        return process


@pytest.fixture
def strongroom(clean: Clean, tmp_path: Path) -> Strongroom:
    return Strongroom(clean, tmp_path)


# --- at a terminal --------------------------------------------------------------------------------


@dataclass
class Terminal:
    """A terminal with the command running in it: its screen, its scroll-back and every byte."""

    process: pexpect.spawn
    screen: pyte.HistoryScreen
    raw: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._stream = pyte.ByteStream(self.screen)
        self.process.logfile_read = self

    def write(self, data: bytes) -> None:
        """What pexpect calls with every byte that the command writes."""
        self.raw += data
        self._stream.feed(data)

    def flush(self) -> None:
        """Pexpect asks for it; nothing is held back here."""

    def sees(self, *texts: str) -> None:
        """Wait until each text has been printed, in this order."""
        for text in texts:
            self.process.expect_exact(text.encode())

    def sees_either(self, *texts: str) -> str:
        """Wait until one of the texts has been printed; the one that was."""
        which: int = self.process.expect_exact([text.encode() for text in texts])
        return texts[which]

    def types(self, *lines: str) -> None:
        for line in lines:
            self.process.sendline(line)

    def answers(self, prompt: str, line: str) -> None:
        """Wait for a prompt, then type the line."""
        self.sees(prompt)
        self.types(line)

    def chooses(self, secret: str, prompt: str = "): ") -> None:
        """One person, alone at the screen, chooses a secret unseen."""
        self.answers(ALONE, "")
        self.answers(prompt, secret)
        self.answers(AGAIN, secret)

    def turns(self, prompt: str, *lines: str) -> None:
        for line in lines:
            self.answers(prompt, line)

    def comes_to_the_rematch(self) -> None:
        """A game that is solved is offered for analysis first, which nobody wants here."""
        if self.sees_either(ANALYSIS, REMATCH) == ANALYSIS:
            self.types("no")
            self.sees(REMATCH)

    def leaves(self) -> None:
        """Decline the rematch after a finished game."""
        self.comes_to_the_rematch()
        self.types("no")
        assert self.ends() == 0

    def presses(self, keys: str) -> None:
        self.process.send(keys)

    def ends(self) -> int:
        """Wait until the command is over; its exit code."""
        self.process.expect(pexpect.EOF)
        self.process.wait()
        self.process.close()
        assert b"Traceback" not in self.raw, self.raw.decode(errors="replace")
        code: int | None = self.process.exitstatus
        assert code is not None, f"killed by signal {self.process.signalstatus}"
        return code

    @property
    def shown(self) -> str:
        """What stands on the screen now."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def scrolled(self) -> str:
        """What a person finds by scrolling up."""
        return "\n".join(
            "".join(row[column].data for column in sorted(row)).rstrip()
            for row in self.screen.history.top
        )

    @property
    def everything(self) -> str:
        """All that can be read on the screen and above it."""
        return f"{self.scrolled}\n{self.shown}"

    @property
    def text(self) -> str:
        """Every character printed so far, without escape codes."""
        return ESCAPE.sub(b"", bytes(self.raw)).decode(errors="replace").replace("\r", "")

    @property
    def before_the_end(self) -> str:
        """What was printed while the game was not over."""
        return self.text.partition("Game over:")[0]

    @property
    def echo_is_on(self) -> bool:
        """Whether the terminal shows what is typed."""
        flags: int = termios.tcgetattr(self.process.fileno())[3]
        return bool(flags & termios.ECHO)


class SitDown(Protocol):
    """Starts the command at a terminal."""

    def __call__(
        self,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        pipe: str = "",
        shell: bool = False,
    ) -> Terminal: ...


@pytest.fixture
def sit_down(clean: Clean, tmp_path: Path) -> Iterator[SitDown]:
    processes: list[pexpect.spawn] = []

    def start(
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        pipe: str = "",
        shell: bool = False,
    ) -> Terminal:
        """`pipe`: a command that the output goes through; `shell`: one that outlives the game."""
        command = [sys.executable, "-m", "strongroom", *arguments]
        if pipe:
            command = ["sh", "-c", f"{shlex.join(command)} | {pipe}"]
        elif shell:
            command = ["sh", "-c", f"trap : INT; {shlex.join(command)}; echo code=$?; read line"]
        process = pexpect.spawn(
            command[0],
            command[1:],
            env=clean(**(env or {})),
            cwd=str(tmp_path),
            dimensions=(rows, columns),
            timeout=PATIENCE,
            # Whoever runs the tests in the background has turned Ctrl-C off for all below it.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        # The command shows a prompt only when it is ready to read, so nothing has to wait.
        process.delaybeforesend = None
        process.ptyproc.delayafterclose = 0
        processes.append(process)
        return Terminal(process, pyte.HistoryScreen(columns, rows, history=5000))

    yield start
    for process in processes:
        process.close(force=True)


# --- whole games ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Whole:
    """A game from the first line to the last, won by Player 1, and what of it is hidden."""

    name: str
    set_up: tuple[str, ...]
    turns: tuple[tuple[str, ...], ...]
    """The lines of each turn, the opponent's replies included."""
    hidden: tuple[str, ...]
    """What nobody may read before the end, as regular expressions."""

    @property
    def lines(self) -> list[str]:
        return [*self.set_up, *(line for turn in self.turns for line in turn)]

    @property
    def all_but_the_last_turn(self) -> list[str]:
        return self.lines[: -len(self.turns[-1])]

    def leaks(self, text: str) -> list[str]:
        """The hidden things that stand in a text."""
        return [hidden for hidden in self.hidden if re.search(hidden, text)]


WHOLE = (
    Whole(
        "safecracker-duel",
        ("342", "5 1 3"),
        (("1 3",), ("2", "2"), ("24",), ("3-3",), ("3", "2")),
        (r"3[- ]?4[- ]?2", r"5[- ]?1[- ]?3"),
    ),
    Whole(
        "safe-cracker",
        ("2-1-3", "331"),
        (("1 1 1",), ("123",), ("3-3-1",)),
        (r"2[- ]?1[- ]?3", r"3[- ]?3[- ]?1"),
    ),
    Whole(
        "safe-code",
        ("18", "even", "divisible by 3", "< 20", "7", "prime", "less than 10", "odd"),
        (("1",), ("2", "16"), ("2", "7")),
        (r"\b18\b", r"\b7\b", r"\beven\b", "divisible", r"\b20\b", r"\b10\b", "odd"),
    ),
    Whole(
        "digit-deductions",
        ("3 7", "56"),
        (("5 5",), ("35",), ("5-6",)),
        (r"3[- ]?7", r"5[- ]?6"),
    ),
    Whole(
        "quantum-duel",
        (),
        (("1",), ("7",), ("2", "no"), ("6", "n"), ("3", "no"), ("5", "no"), ("4", "no")),
        (),
    ),
)


@pytest.fixture(params=WHOLE, ids=[whole.name for whole in WHOLE])
def whole(request: pytest.FixtureRequest) -> Whole:
    """Each of the five games in turn."""
    game: Whole = request.param
    return game
