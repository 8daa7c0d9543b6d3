"""Engines: programs in any language that read and write JSON lines, named `engine:COMMAND`.

First their processes: what they read and write, within limits; their reuse; their end. Then the
protocol, which docs/engines.md describes, and who speaks it in a seat.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, Final

from strongroom.contract import Game, Json, Move, NotLegal, Refusal, View, quote, shown_value
from strongroom.minds.engine_guard import process_ids
from strongroom.players import Checked, Follows, Resigns
from strongroom.plugins.foreign import Explained
from strongroom.plugins.registry import names
from strongroom.referee.record import LONGEST_NAME, PERSON, Sitter
from strongroom.version import __version__

GUARD: Final = Path(__file__).with_name("engine_guard.py")
LONGEST_LINE: Final = 65_536
"""The most bytes of an engine's line."""
TAIL: Final = 2_000
"""How many bytes of an engine's standard error are kept."""
QUOTED: Final = 60
"""How many characters of an engine's output are quoted."""
GRACE: Final = 1.0
"""How many seconds an engine has to end by itself."""
A_MOMENT: Final = 0.01
AFTERMATH: Final = 3.0
"""How many seconds the guard has to end, with the engine's exit code."""
LAST_READS: Final = 3
"""How many reads take all that an ended engine has left in its pipes."""
MARK: Final = "ENGINE_MARK_"
"""How the variable begins by which all processes of an engine are found."""
MOST: Final = 8
"""How many processes one engine has here at most; further games take them in turns."""
PRIVATE: Final = "STRONGROOM_"
"""Variables with this in their names are not passed on, as they may hold a server's passwords."""


class EngineTrouble(Explained):
    """What an engine did wrong, in words for its author."""

    def __init__(self, what: str, said: str = "") -> None:
        """`said` quotes the engine, which may be nobody else's business."""
        super().__init__(what + said)
        self.what = what


class Ended(EngineTrouble):
    """The engine ended when a message was expected."""


class TooSlow(EngineTrouble):
    """The engine did not answer in time."""


class TooMuch(EngineTrouble):
    """The engine wrote more than was asked for."""


class NotAMessage(EngineTrouble):
    """What the engine wrote is not the message that was expected."""


class EngineProcess:
    """A running engine, which ends with this process at the latest, however that ends."""

    def __init__(self, command: Sequence[str]) -> None:
        self._mark = MARK + os.urandom(16).hex()
        passed_on = {name: os.environ[name] for name in os.environ if PRIVATE not in name}
        self._lifeline, held = socket.socketpair()
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", str(GUARD), str(held.fileno()), *command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(held.fileno(),),
                start_new_session=True,
                env={**passed_on, self._mark: "1"},
            )
            RUNNING.add(self)
        except BaseException:
            self._lifeline.close()
            raise
        finally:
            held.close()
        streams = (self._guard.stdin, self._guard.stdout, self._guard.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream)
        self._selector = selectors.DefaultSelector()
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        for stream in (self._out, self._err, self._lifeline.fileno()):
            self._selector.register(stream, selectors.EVENT_READ)
        self._to_write = b""
        self._read = bytearray()
        self._tail = b""
        self._has_ended = False
        """Whether its standard output is closed, or its guard has ended."""
        self.hello: Json = {}
        """What it said when it was greeted."""
        self.took = 0.0
        """How long its last answer took, in seconds."""

    def tell(self, message: Json) -> None:
        """Send a message to which there is no answer; it is read when the engine gets to it."""
        self._to_write += json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self._write()

    def ask(self, message: Json, seconds: float, what: str) -> Json:
        """Send a message, and return the message that answers it, in which `what` is expected."""
        self.check_silence()
        began = time.monotonic()
        self.tell(message)
        while (end := self._read.find(b"\n")) < 0:
            if self._has_ended:
                raise self._end(what)
            if len(self._read) > LONGEST_LINE:
                told = f"the engine wrote a line of more than {LONGEST_LINE} bytes"
                raise TooMuch(told, f": {self._quote(self._read)}")
            left = began + seconds - time.monotonic()
            if left <= 0 or not self._wait(left):
                said = f"; it wrote {self._quote(self._read)} without a line's end"
                told = f"no {what} within {seconds:g} seconds"
                raise TooSlow(told, said if self._read else self._last_words)
        self.took = time.monotonic() - began
        line, rest = bytes(self._read[:end]), self._read[end + 1 :]
        self._read = rest
        if rest:
            both = f": {self._quote(line)}, then {self._quote(rest)}"
            raise TooMuch("the engine wrote more than one line", both)
        return _message(line, what)

    def check_silence(self) -> None:
        """Refuse what was written without being asked for."""
        self._wait(0)
        if self._read:
            said = f": {self._quote(self._read)}"
            raise TooMuch("the engine wrote what it was not asked for", said)

    def say_goodbye(self) -> None:
        """Tell it that nothing will be asked any more; it should end then."""
        assert self._guard.stdin
        if not self._guard.stdin.closed:
            self.tell({"type": "bye"})
            self._close_input()

    def close(self, grace: float = GRACE) -> bool:
        """Say goodbye, and end it if it does not end by itself in time; return whether it did."""
        self.say_goodbye()
        until = time.monotonic() + grace
        while self._guard.poll() is None and time.monotonic() < until:
            self._wait(A_MOMENT)  # it may have something to write before it ends
            self._read.clear()
        code = self._guard.returncode
        self.kill()
        return code is not None and code >= 0

    def cut(self) -> None:
        """Tell the guard to end it with all that it has started; a pending `ask` notices."""
        with contextlib.suppress(OSError):  # the guard has ended
            self._lifeline.shutdown(socket.SHUT_RDWR)
        self._guard.send_signal(signal.SIGCONT)  # the engine may have stopped it

    def leave(self) -> None:
        """Let go of it in a forked process; the parent keeps it."""
        self._lifeline.close()

    def end_processes(self) -> None:
        """End it at once, with all that it has started, even if the guard does not."""
        if self not in RUNNING:
            return
        self.cut()
        try:
            self._guard.wait(AFTERMATH)
        except subprocess.TimeoutExpired:
            self._guard.kill()
        _kill_marked(self._mark)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._guard.wait(AFTERMATH)
        RUNNING.discard(self)

    def kill(self) -> None:
        """End it at once, with all that it has started, and let go of what is left of it."""
        self.end_processes()
        self._close_input()
        self._selector.close()
        for stream in (self._guard.stdout, self._guard.stderr):
            assert stream
            stream.close()
        self._lifeline.close()

    def _close_input(self) -> None:
        assert self._guard.stdin
        if self._guard.stdin.closed:
            return
        with contextlib.suppress(KeyError):
            self._selector.unregister(self._in)
        self._to_write = b""
        self._guard.stdin.close()
        self._in = -1  # the number may soon be another file's

    def _wait(self, seconds: float) -> bool:
        """Write and read what is possible, after waiting for it; whether anything was."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.fd == self._in:
                self._write()
            elif key.fd == self._err:
                self._tail = (self._tail + self._available(self._err))[-TAIL:]
            else:
                self._read += self._available(key.fd)
        return bool(ready)

    def _write(self) -> None:
        try:
            while self._to_write:
                self._to_write = self._to_write[os.write(self._in, self._to_write) :]
        except BlockingIOError:
            with contextlib.suppress(KeyError):
                self._selector.register(self._in, selectors.EVENT_WRITE)
            return
        except OSError:  # it does not read any more; that it has ended is seen at its output
            self._to_write = b""
        with contextlib.suppress(KeyError):
            self._selector.unregister(self._in)

    def _available(self, stream: int) -> bytes:
        data = b""
        with contextlib.suppress(BlockingIOError):
            data = os.read(stream, LONGEST_LINE)
            if not data:
                self._selector.unregister(stream)
                self._has_ended = self._has_ended or stream != self._err
        return data

    def _end(self, what: str) -> Ended:
        """How the engine ended."""
        try:
            code = self._guard.wait(AFTERMATH)
        except subprocess.TimeoutExpired:
            return Ended(f"the engine closed its standard output instead of writing a {what}")
        for _ in range(LAST_READS):
            self._wait(0)
        if code < 0:
            told = f"the engine's guard was killed by signal {-code} when a {what} was expected"
            return Ended(told, self._last_words)
        how = f"with exit code {code}" if code <= 128 else f"by signal {code - 128}"
        return Ended(f"the engine ended {how} instead of writing a {what}", self._last_words)

    @property
    def _last_words(self) -> str:
        lines = [line for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        return f"; its last words: {quote(lines[-1], QUOTED)}" if lines else ""

    @staticmethod
    def _quote(data: bytes | bytearray) -> str:
        return quote(bytes(data[: 8 * QUOTED]).decode(errors="replace"), QUOTED)


RUNNING: Final = set[EngineProcess]()
"""The engines' processes that have not been ended."""


@atexit.register
def end_all() -> None:
    """End all engines that still run, also those that Ctrl-C interrupted while they were ended."""
    found = [*RUNNING]
    for each in found:
        each.cut()
    for each in found:
        each.end_processes()


def leave_all() -> None:
    """Let go of all processes in a forked process; the parent keeps them."""
    for each in RUNNING:
        each.leave()
    RUNNING.clear()


os.register_at_fork(after_in_child=leave_all)


def _kill_marked(mark: str) -> None:
    """Kill all processes with this variable in their environment, where there is a /proc.

    Those that start others meanwhile are killed again and again, but not for ever.
    """
    until = time.monotonic() + AFTERMATH
    while found := [pid for pid in process_ids() if _is_marked(pid, mark.encode())]:
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() >= until:
            return
        time.sleep(A_MOMENT)


def _is_marked(pid: int, mark: bytes) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return mark in file.read()
    except OSError:  # it has just ended, or is somebody else's
        return False


def _message(line: bytes, what: str) -> Json:
    """The message in a line."""
    text = line.decode(errors="replace")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise NotAMessage(f"the {what} is not JSON", f": {quote(text, QUOTED)}") from None
    if not isinstance(found, dict):
        raise NotAMessage(f"the {what} is not a JSON object", f": {quote(text, QUOTED)}")
    return found


# --- the pool -------------------------------------------------------------------------------------

Start = Callable[[], EngineProcess]
"""Starts an engine, and greets it."""


@dataclass(eq=False)
class Pooled:
    """A process of the pool, and the game that it plays."""

    process: EngineProcess | None = None
    """None while it is started."""
    game: weakref.ref[object] | None = None
    """Who is told about the game that it plays; dead, if nobody is any more."""
    is_busy: bool = True
    used: int = 0
    """When it was used last, in uses of the pool."""

    @property
    def is_idle(self) -> bool:
        """Whether it plays no game."""
        return not self.is_busy and (self.game is None or self.game() is None)

    def plays_for(self, player: object) -> bool:
        """Whether it plays this player's game."""
        return self.game is not None and self.game() is player


class Pool:
    """Processes by engine; a game has one until it is over, or until others need it more."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._running: dict[object, list[Pooled]] = {}
        self._changed = threading.Condition()
        self._uses = count(1)

    @contextmanager
    def lend(
        self, engine: object, player: object, start: Start
    ) -> Iterator[tuple[EngineProcess, bool]]:
        """A process for a player's game, and whether it has to be told of the game first.

        The process is ended if what is done with it fails.
        """
        running, is_new = self._take(engine, player)
        try:
            if running.process is None:
                running.process = start()
            yield running.process, is_new
        except BaseException:
            with self._changed:
                if running in (those := self._running.get(engine, [])):
                    those.remove(running)
                self._changed.notify_all()
            if running.process is not None:
                running.process.kill()
            raise
        with self._changed:
            running.game, running.is_busy = weakref.ref(player), False
            self._changed.notify_all()

    def leave(self, engine: object, player: object, message: Json | None = None) -> None:
        """Let a player's process go, if it has one, with a last message."""
        with self._changed:  # so that nobody else takes it before it has the message
            running = self._own(engine, player)
            if running is None or running.is_busy or running.process is None:
                return
            if message is not None:
                running.process.tell(message)
            running.game = None
            self._changed.notify_all()

    def close(self, engine: object | None = None) -> None:
        """End all processes, or one engine's; those that are not thinking have a moment for it."""
        with self._changed:
            engines = [*self._running] if engine is None else [engine]
            found = [each for key in engines for each in self._running.pop(key, [])]
        for each in found:
            if each.process is not None:
                each.process.cut() if each.is_busy else each.process.say_goodbye()
        until = time.monotonic() + GRACE
        for each in found:
            if each.process is not None and not each.is_busy:
                each.process.close(max(0.0, until - time.monotonic()))

    def forget(self) -> None:
        """Start empty in a forked process; the engines are the parent's."""
        self._running, self._changed = {}, threading.Condition()

    def _own(self, engine: object, player: object) -> Pooled | None:
        those = self._running.get(engine, ())
        return next((each for each in those if each.plays_for(player)), None)

    def _take(self, engine: object, player: object) -> tuple[Pooled, bool]:
        """The process to use, marked as busy, and whether it did not play this game before."""
        with self._changed:
            while (taken := self._own(engine, player) or self._free_or_oldest(engine)) is None:
                self._changed.wait()
            is_new = not taken.plays_for(player)
            if is_new:
                taken.game = None
            taken.is_busy, taken.used = True, next(self._uses)
            return taken, is_new

    def _free_or_oldest(self, engine: object) -> Pooled | None:
        """An idle process, a new one, or the one whose game has waited longest for a move."""
        those = self._running.setdefault(engine, [])
        free = [each for each in those if not each.is_busy]
        if idle := next((each for each in free if each.is_idle), None):
            return idle
        if len(those) < self._most:
            those.append(new := Pooled())
            return new
        return min(free, key=lambda each: each.used, default=None)


POOL: Final = Pool()
"""The processes of all engines."""
atexit.register(POOL.close)
os.register_at_fork(after_in_child=POOL.forget)


# --- players --------------------------------------------------------------------------------------


PROTOCOL: Final = 1
"""The version of the protocol."""
SECONDS: Final = 10.0
"""How long an engine may think about a move, and start, unless its name says otherwise."""
LONGEST_SECONDS: Final = 3600.0
MOST_MOVES: Final = 1000
"""Where more moves are legal than this, only some of them are listed."""
SOME_MOVES: Final = 100
"""How many are listed then."""
SETTINGS: Final = re.compile(r"\A(.*)\?([\w.=&-]*)\Z", re.DOTALL)
"""A command, and the settings after it."""
EXAMPLE: Final = "For example: engine:./mybot"


@dataclass(frozen=True, slots=True)
class Introduction:
    """What an engine says about itself."""

    name: str
    games: tuple[str, ...] | None
    """The games that it plays; None if it plays all."""

    @classmethod
    def read(cls, message: Json, usual: str) -> Introduction:
        """The introduction in an engine's hello, or a trouble; `usual` is the default name."""
        if message.get("type") != "hello":
            raise NotAMessage('the hello has not the type "hello"', _quote(message))
        if message.get("protocol") != PROTOCOL:
            said = shown_value(message.get("protocol"))
            raise NotAMessage(f"the hello has the protocol {said}; this is protocol {PROTOCOL}")
        games = message.get("games")
        if games is not None and not (isinstance(games, list) and {*map(type, games)} <= {str}):
            raise NotAMessage(f"games is a list of names, not {shown_value(games)}")
        return cls(_name(message.get("name"), usual), None if games is None else tuple(games))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Engine:
    """An engine that can be started: calling it with a game and a `rng` seats a player."""

    command: tuple[str, ...]
    seconds: float = SECONDS

    def __call__(self, game: Game, rng: Random) -> EnginePlayer:
        """A player in a seat of a game; the engine is started when it is first asked."""
        return EnginePlayer(self, game, rng)

    def __str__(self) -> str:
        return shlex.join(self.command)

    @property
    def seat_name(self) -> str:
        """What the engine calls itself, or else its file's name; or a refusal."""
        return self.introduction().name

    @property
    def line(self) -> str:
        """How the engine is described to people, after its name."""
        return f"is an engine, {quote(str(self), QUOTED)}, with {self.seconds:g} seconds a move"

    def introduction(self) -> Introduction:
        """What the engine says about itself, or a refusal if it does not work."""
        try:
            with POOL.lend(self.command, self, self.start) as (process, _):
                found = self.read_hello(process.hello)
        except EngineTrouble as trouble:
            told = f"The engine {quote(str(self), QUOTED)} does not work: {trouble}."
            raise Refusal(
                told, f"Check it: strongroom engine check {shlex.quote(str(self))}"
            ) from None
        POOL.leave(self.command, self)
        return found

    def start(self) -> EngineProcess:
        """A new process, greeted."""
        try:
            process = EngineProcess(self.command)
        except OSError as error:
            raise EngineTrouble(f"no process can be started: {error.strerror}") from None
        try:
            hello = {"type": "hello", "protocol": PROTOCOL, "strongroom": __version__}
            process.hello = process.ask(hello, max(SECONDS, self.seconds), "hello")
            self.read_hello(process.hello)
        except BaseException:
            process.kill()
            raise
        return process

    def read_hello(self, hello: Json) -> Introduction:
        """What the engine says about itself in its hello; or a trouble."""
        return Introduction.read(hello, _file_name(self.command))


class EnginePlayer(Follows, Checked):
    """An engine in a seat of a game."""

    def __init__(self, engine: Engine, game: Game, rng: Random) -> None:
        self.illegal = 0
        """How many of its answers were no legal moves."""
        self._engine = engine
        self._game = game
        self._seed = rng.getrandbits(31)

    def choose(self, view: View) -> Move:
        """The engine's move; it resigns or raises if there is none."""
        engine = self._engine
        with POOL.lend(engine.command, self, engine.start) as (process, is_new):
            if is_new:
                process.tell(new_message(view, self._seed))
            answer = read_answer(
                process.ask(choose_message(view, engine.seconds), engine.seconds, "move")
            )
        if answer is None:
            raise Resigns
        try:
            return legal_move(answer, view)
        except Refusal:
            self.illegal += 1
            raise

    def over(self, view: View) -> None:
        """Tell the engine how the game ended, and let its process go."""
        POOL.leave(self._engine.command, self, {"type": "over", "view": view.to_json()})

    def check(self) -> None:
        """Refuse an engine that does not work, or does not play this game."""
        found = self._engine.introduction()
        if found.games is not None and self._game.name not in found.games:
            raise Refusal(f"{found.name} does not play {self._game.title}.")


# --- messages -------------------------------------------------------------------------------------


def new_message(view: View, seed: int) -> Json:
    """The message that a game begins, or goes on, for the seat of a view."""
    assert view.seat is not None
    game = view.game
    told = {"game": game.name, "options": game.options.to_json(), "seat": view.seat.value}
    return {"type": "new", **told, "seed": seed}


def choose_message(view: View, seconds: float) -> Json:
    """The message that asks for a move."""
    told = view.to_json()
    del told["moves"]
    count = len(view.moves)
    step = 1 if count <= MOST_MOVES else count // SOME_MOVES
    moves = [str(move) for move in view.moves[::step]]
    return {"type": "choose", "moves": moves, "count": count, "seconds": seconds, "view": told}


def read_answer(message: Json) -> str | None:
    """The text of the move in an engine's answer; None if it resigns."""
    if message.get("type") == "resign":
        return None
    if message.get("type") != "move":
        raise NotAMessage('the answer has not the type "move" or "resign"', _quote(message))
    move = message.get("move")
    if type(move) is int:
        return shown_value(move)[1:-1]
    if not isinstance(move, str):
        raise NotAMessage("the move is not a text", _quote(message))
    return move


def legal_move(text: str, view: View) -> Move:
    """The legal move with this text, or the one that a person would mean by it; or a refusal."""
    assert isinstance(view.game, Game)
    try:
        move = view.game.move(text)
    except Refusal:
        move = view.game.words.parse(text, view)
    if move not in view.moves:
        raise NotLegal(f"{quote(text)} is not legal here.")
    return move


def _quote(message: Json) -> str:
    return f": {shown_value(message, QUOTED)}"


# --- names ----------------------------------------------------------------------------------------


def seats(text: str) -> Engine:
    """The engine whose command this is, with settings after a question mark; or a refusal.

    >>> seats("sh -c true?seconds=30")
    Engine(command=('sh', '-c', 'true'), seconds=30.0)
    """
    found = SETTINGS.match(text)
    command, settings = found.groups() if found else (text, "")
    try:
        words = shlex.split(command)
    except ValueError:
        raise Refusal(f"A quotation mark is missing in {quote(command, QUOTED)}.") from None
    if not words:
        raise Refusal("An engine is a command.", EXAMPLE)
    words[0] = os.path.expanduser(words[0])
    _check_program(words[0])
    return Engine(tuple(words), _seconds(settings))


def _seconds(settings: str) -> float:
    """The time for a move."""
    seconds = SECONDS
    for each in filter(None, settings.split("&")):
        name, _, value = each.partition("=")
        if name != "seconds":
            raise Refusal(f"There is no setting {quote(each)}.", "An engine has: seconds=30")
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not (isfinite(seconds) and 0 < seconds <= LONGEST_SECONDS):
            told = f"seconds cannot be {quote(value)}."
            raise Refusal(told, f"Choose a number up to {LONGEST_SECONDS:g}.")
    return seconds


def _check_program(program: str) -> None:
    """Refuse a program that cannot be started."""
    if shutil.which(program) is not None:
        return
    called, is_file = quote(program, QUOTED), os.path.isfile(program)
    if is_file and "/" not in program:
        raise Refusal(f"There is no command {called}.", f"The file is engine:./{program}")
    if is_file:
        advice = f"Make it so: chmod +x {shlex.quote(program)}"
        raise Refusal(f"The file {called} is not executable.", advice)
    where = "" if os.path.isabs(program) else " in this folder" if "/" in program else " here"
    raise Refusal(f"There is no program {called}{where}.", EXAMPLE)


def _name(name: Any, usual: str) -> str:
    """What an engine is called: its own name if it is one that nobody else has."""
    taken = {"you", PERSON, *names("player")}
    for each in (name, name[:LONGEST_NAME].strip() if isinstance(name, str) else None, usual):
        if isinstance(each, str) and each.casefold() not in taken:
            try:
                return Sitter(each).name
            except Refusal:
                continue
    return "Engine"


def _file_name(command: Sequence[str]) -> str:
    """The name of an engine's file, without its ending.

    >>> _file_name(["./bots/fox.py", "--deep"])
    'fox'
    """
    first, *rest = command
    scripts = [word for word in rest if os.path.isfile(word)] if "/" not in first else []
    return Path((scripts or [first])[0]).stem[:LONGEST_NAME]
