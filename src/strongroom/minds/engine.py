"""Engines: programs in any language that read and write JSON lines, named `engine:COMMAND`.

docs/engines.md describes the protocol.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, Final

from strongroom.contract import Game, Json, Move, NotLegal, Refusal, View, shown, shown_value
from strongroom.minds.engine_process import POOL, QUOTED, EngineProcess, EngineTrouble, NotAMessage
from strongroom.players import Checked, Follows, Resigns
from strongroom.plugins.registry import names
from strongroom.referee.record import LONGEST_NAME, PERSON, Sitter
from strongroom.version import __version__

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
            raise NotAMessage('the hello has not the type "hello"', _quoted(message))
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
    def called(self) -> str:
        """What the engine calls itself, or else its file's name; or a refusal."""
        return self.introduction().name

    @property
    def line(self) -> str:
        """How the engine is described to people, after its name."""
        return f"is an engine, {shown(str(self), QUOTED)}, with {self.seconds:g} seconds a move"

    def introduction(self) -> Introduction:
        """What the engine says about itself, or a refusal if it does not work."""
        try:
            with POOL.lend(self.command, self, self.start) as (process, _):
                found = self.read_hello(process.hello)
        except EngineTrouble as trouble:
            told = f"The engine {shown(str(self), QUOTED)} does not work: {trouble}."
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
        raise NotAMessage('the answer has not the type "move" or "resign"', _quoted(message))
    move = message.get("move")
    if type(move) is int:
        return shown_value(move)[1:-1]
    if not isinstance(move, str):
        raise NotAMessage("the move is not a text", _quoted(message))
    return move


def legal_move(text: str, view: View) -> Move:
    """The legal move with this text, or the one that a person would mean by it; or a refusal."""
    assert isinstance(view.game, Game)
    try:
        move = view.game.move(text)
    except Refusal:
        move = view.game.words.parse(text, view)
    if move not in view.moves:
        raise NotLegal(f"{shown(text)} is not legal here.")
    return move


def _quoted(message: Json) -> str:
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
        raise Refusal(f"A quotation mark is missing in {shown(command, QUOTED)}.") from None
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
            raise Refusal(f"There is no setting {shown(each)}.", "An engine has: seconds=30")
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not (isfinite(seconds) and 0 < seconds <= LONGEST_SECONDS):
            told = f"seconds cannot be {shown(value)}."
            raise Refusal(told, f"Choose a number up to {LONGEST_SECONDS:g}.")
    return seconds


def _check_program(program: str) -> None:
    """Refuse a program that cannot be started."""
    if shutil.which(program) is not None:
        return
    called, is_file = shown(program, QUOTED), os.path.isfile(program)
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
