"""The command as people use it: piped or at a real terminal, with saved games for each test.

Two fixtures run it: `strongroom` runs the command on a script of lines, and `sit_down`
starts it on a pseudo-terminal whose screen and scroll-back are those of a real emulator.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import termios
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pyte
import pytest
from starting import PATIENCE as PATIENCE
from starting import STRONGROOM, Piped, can_be_forked

from strongroom.terminal.main import main
from tests.terminal.programs import Emulator, Spawned, wait_for_state
from tests.terminal.screen.at_page import LAST_PAGE as LAST_PAGE
from tests.terminal.screen.at_page import AtPage, Stream, in_place_of_a_process
from tests.terminal.whole_games import AGAIN as AGAIN
from tests.terminal.whole_games import ALONE as ALONE
from tests.terminal.whole_games import WHOLE, Typing
from tests.terminal.whole_games import Whole as Whole

INHERITED = ("PATH", "HOME", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")
"""The environment variables that a test passes on; none of them changes what is printed."""

ANALYSIS = "Analyze the game? (yes/no): "
REMATCH = "Rematch with seats swapped? (yes/no): "

ESCAPE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]")
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h\x1b[?1006h", b"\x1b[?1006l\x1b[?1000l"


Clean = Callable[..., dict[str, str]]
"""Makes an environment with only the colour, locale and terminal that a test asks for."""


@pytest.fixture
def clean(tmp_path: Path) -> Clean:
    def environment(**changes: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
        fixed = {
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        return {**kept, **fixed, **changes}

    return environment


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """The folder where this test's games are saved."""
    return tmp_path / "state" / "strongroom" / "games"


@dataclass(frozen=True)
class Ran:
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
        return [json.loads(line) for line in self.lines]

    @property
    def refusal(self) -> str:
        """The only line of a command that did nothing, because it was called wrongly."""
        name, _, told = self.err.partition(": ")
        found = (self.code, self.out, name, told.find("\n"))
        assert found == (2, "", "strongroom", len(told) - 1), self.err
        return told[:-1]

    @property
    def resume(self) -> list[str]:
        """The arguments of the resume command that was shown."""
        shown = re.search(r"Resume with: strongroom (.+)", self.out)
        assert shown, self.out
        return shlex.split(shown[1])

    @property
    def before_the_goodbye(self) -> str:
        """What was printed before the line that names the saved file, which is full of digits."""
        return self.out.partition("\nSaved. Resume with:")[0]


class Strongroom:
    def __init__(self, clean: Clean, folder: Path) -> None:
        self._clean = clean
        self._folder = folder

    def __call__(
        self,
        *arguments: str,
        lines: Iterable[str] | bytes = (),
        env: Mapping[str, str] | None = None,
        afresh: bool = False,
        code: int | None = None,
    ) -> Ran:
        """Run it to its end, in this process unless a new interpreter is needed or asked for."""
        script = lines if isinstance(lines, bytes) else "".join(f"{x}\n" for x in lines).encode()
        environment = self._clean(**(env or {}))
        if afresh or not can_be_forked(STRONGROOM, environment):
            ran = self._start(arguments, script, environment)
        else:
            ran = self._call(arguments, script, environment)
        assert b"Traceback" not in ran.raw + ran.raw_err, ran.raw_err.decode(errors="replace")
        assert code in (None, ran.code), ran
        return ran

    def _start(self, arguments: tuple[str, ...], script: bytes, environment: dict[str, str]) -> Ran:
        with Piped(
            [*STRONGROOM, *arguments], environment=environment, folder=self._folder, afresh=True
        ) as process:
            printed = process.communicate(script.decode("utf-8", "surrogateescape"))
        return Ran(process.wait(), *(text.encode("utf-8", "surrogateescape") for text in printed))

    def _call(self, arguments: tuple[str, ...], script: bytes, environment: dict[str, str]) -> Ran:
        """Call `main` on files, so that its streams have file descriptors as pipes have."""
        with Stream(script) as stdin, Stream() as out, Stream() as err:
            patch = in_place_of_a_process(environment, self._folder, stdin, out, err)
            try:
                code = main(list(arguments))
            finally:
                patch.undo()
            return Ran(code, out.content, err.content)

    def begin(self, *arguments: str, lines: str = "", until: str, trap: str = "") -> Piped:
        """Start, and read up to the line with a text; `trap`: what a shell does about signals."""
        command = [*STRONGROOM, *arguments]
        if trap:
            command = ["sh", "-c", f"{trap}; exec {shlex.join(command)}"]
        process = Piped(command, environment=self._clean(), folder=self._folder)
        process.stdin.write(lines)
        process.stdin.flush()
        patience = threading.Timer(PATIENCE, process.kill)  # in case the text never comes
        patience.start()
        while until not in (line := process.stdout.readline()):
            assert line, f"{until} never came"
        patience.cancel()
        return process


@pytest.fixture
def strongroom(clean: Clean, tmp_path: Path) -> Strongroom:
    return Strongroom(clean, tmp_path)


def wrapped(sentence: str) -> str:
    """A pattern for a sentence, also where a frame beside the board wraps it."""
    return r"(?:\s+|\s*│\n.*│\s+)".join(map(re.escape, sentence.split()))


@dataclass
class Terminal(Typing):
    """A terminal with the command running in it: its screen, its scroll-back and every byte."""

    process: pexpect.spawn
    screen: Emulator
    raw: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self._stream = pyte.ByteStream(self.screen)
        self.process.logfile_read = self

    def write(self, data: bytes) -> None:
        """Called by pexpect with every byte that the command writes."""
        self.raw += data
        self._stream.feed(data)

    def flush(self) -> None:
        """Called by pexpect; nothing is buffered here."""

    def sees(self, *texts: str) -> None:
        """Wait until each text has been printed, in this order."""
        for text in texts:
            self.process.expect_exact(text.encode())

    def shows(self, pattern: str) -> None:
        """Wait until a pattern is on the screen; what comes meanwhile is lost for `sees`."""
        while not re.search(pattern, self.shown):
            self.process.read_nonblocking(4096, PATIENCE)

    def types(self, *lines: str) -> None:
        for line in lines:
            self.process.sendline(line)

    def comes_to_the_rematch(self) -> str:
        """Wait for the rematch, and decline the analysis that a solved game offers first."""
        texts = (ANALYSIS, REMATCH, LAST_PAGE)
        asked: str = texts[self.process.expect_exact([each.encode() for each in texts])]
        if asked == ANALYSIS:
            self.types("no")
            self.sees(REMATCH)
        return asked

    def leaves(self) -> None:
        """Decline the rematch after a finished game, with a key or in words."""
        if self.comes_to_the_rematch() == LAST_PAGE:
            self.presses("q")
        else:
            self.types("no")
        assert self.ends() == 0

    def presses(self, keys: str) -> None:
        self.process.send(keys)

    def rests(self) -> None:
        """Wait until the command waits for keys; an earlier signal is handled only after a key."""
        wait_for_state(self.process.pid, "S")

    def interrupts(self) -> None:
        """Press Ctrl-C when the command waits for keys."""
        self.rests()
        self.process.sendintr()

    def resizes(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.process.setwinsize(rows, columns)

    def ends(self, keys: str = "") -> int:
        """Press these keys, if any, and wait for the end; the exit code."""
        if keys:
            self.presses(keys)
        self.process.expect(pexpect.EOF)
        self.process.wait()
        self.process.close()
        assert b"Traceback" not in self.raw, self.raw.decode(errors="replace")
        code: int | None = self.process.exitstatus
        assert code is not None, f"killed by signal {self.process.signalstatus}"
        return code

    @property
    def shown(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def everything(self) -> str:
        """All that can be read on the screen and, scrolling up, above it."""
        above = (
            "".join(row[column].data for column in sorted(row)).rstrip()
            for row in self.screen.history.top
        )
        return "\n".join([*above, self.shown])

    @property
    def text(self) -> str:
        """Every character printed so far, without escape codes."""
        return ESCAPE.sub(b"", bytes(self.raw)).decode(errors="replace").replace("\r", "")

    @property
    def echo_is_on(self) -> bool:
        flags: int = termios.tcgetattr(self.process.fileno())[3]
        return bool(flags & termios.ECHO)

    @property
    def asks_for_clicks(self) -> bool:
        """Whether the terminal was last asked for clicks, and not to stop."""
        return self.raw.rfind(MOUSE_ON) > self.raw.rfind(MOUSE_OFF)

    @property
    def is_the_shells(self) -> bool:
        """Whether the shell has its screen, its cursor, its echo and its mouse."""
        drawn = self.screen.on_second_screen or self.screen.cursor.hidden or self.asks_for_clicks
        return self.echo_is_on and not drawn


SHELL = "trap : INT; {}; echo code=$?; read line"
"""A shell that runs the command, and stays at the terminal when it has ended."""
AtTerminal = Callable[..., Terminal]
"""Starts a program at a terminal of some `columns` and `rows`, forked unless `afresh` is given."""
SitDown = Callable[..., Terminal]
"""Starts the command at a terminal, perhaps in a `shell`, whose script has {} for the command.

`slow`: a run takes a second over every game that it keeps.
"""


@pytest.fixture
def at_terminal(clean: Clean, tmp_path: Path) -> Iterator[AtTerminal]:
    with ExitStack() as until_the_test_ends:

        def start(
            program: Sequence[str],
            columns: int = 80,
            rows: int = 24,
            env: Mapping[str, str] | None = None,
            folder: Path = tmp_path,
            **how: Any,
        ) -> Terminal:
            environment = clean(**(env or {}))
            process = Spawned(program, environment, folder, (rows, columns), **how)
            until_the_test_ends.callback(process.end)
            return Terminal(process, Emulator(columns, rows, history=5000))

        yield start


@pytest.fixture
def sit_down(at_terminal: AtTerminal) -> SitDown:
    def start(*arguments: str, shell: str = "", slow: bool = False, **how: Any) -> Terminal:
        command = [*STRONGROOM, *arguments]
        if shell:
            command = ["bash", "-c", shell.format(shlex.join(command))]
        return at_terminal(command, prepare=("dawdling:dawdle", 1.0) if slow else None, **how)

    return start


SitAtPage = Callable[..., AtPage]
"""Runs the command at a page: takes its arguments, and optionally a size."""


@pytest.fixture
def at_page(clean: Clean, tmp_path: Path) -> Iterator[SitAtPage]:
    sittings: list[AtPage] = []

    def sit_at_page(*arguments: str, size: tuple[int, int] = (80, 24)) -> AtPage:
        for each in sittings:  # one at a time
            each.leaves()
        sittings.append(AtPage(arguments, clean(), tmp_path, size))
        return sittings[-1]

    yield sit_at_page
    for each in sittings:
        each.close()


@pytest.fixture(params=WHOLE, ids=[whole.name for whole in WHOLE])
def whole(request: pytest.FixtureRequest) -> Whole:
    game: Whole = request.param
    return game
