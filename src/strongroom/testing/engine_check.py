"""Checks whether an engine keeps to the protocol and the rules, and tells its author."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from strongroom.contract import Game, Json, Move, Refusal, Seat, View, quote
from strongroom.contract.codec import json_form, to_json
from strongroom.minds.dialogue import Dialogue
from strongroom.minds.engine import (
    Engine,
    EngineProcess,
    EngineTrouble,
    TooMuch,
    choose_message,
    legal_move,
    new_message,
    read_answer,
)
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.testing.playouts import playout

SEED: Final = 1
PLAYOUTS: Final = 12
"""How many random games the positions are taken from."""
LONGEST: Final = 120
"""The most moves of such a game."""
TURN_LIMIT: Final = 40
"""The number of turns after which a game of the check ends."""
MOST_WRONG: Final = 3
"""After so many wrong moves at a game, no more of it is played."""
GOODBYE: Final = 5.0
"""How many seconds an engine has to end after bye."""
SAMPLES: Final = 4
"""How many legal moves are named beside an illegal one."""

Progress = Callable[[Game, float], None]
"""Called with a game, and the share of it that is done."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that an engine does wrong."""

    kind: str
    """What it is, for programs: the name of a class of troubles."""
    text: str
    instead: str = ""
    """What would be right."""
    where: str = ""
    """The seat and the turn."""
    position: tuple[str, ...] = ()
    """What the engine knew, line by line."""
    message: Json | None = None
    """The message to which it gave the wrong answer."""


@json_form("moves wrong slowest repeatable=is_repeatable faults")
@dataclass
class GameReport:
    """What an engine did at one game, and what it did wrong."""

    game: Game
    moves: int = 0
    wrong: int = 0
    """How many of the moves were wrong."""
    slowest: float = 0.0
    """The longest time for a move, in seconds."""
    faults: list[Fault] = field(default_factory=list)
    """What is wrong with them; the same fault only once."""
    is_repeatable: bool = True
    """Whether the same seed gave the same moves."""

    @property
    def is_hopeless(self) -> bool:
        """Whether more of the game would tell nothing new."""
        return self.wrong >= MOST_WRONG

    def add(self, fault: Fault) -> None:
        """Count a wrong move, and keep what is wrong with it."""
        self.wrong += 1
        if all(fault.text != each.text for each in self.faults):
            self.faults.append(fault)


@dataclass
class Report:
    """What a check has found."""

    engine: Engine
    name: str = ""
    faults: list[Fault] = field(default_factory=list)
    """What is wrong whatever is played."""
    games: list[GameReport] = field(default_factory=list)

    @property
    def all_faults(self) -> list[Fault]:
        """Everything that is wrong."""
        return self.faults + [fault for each in self.games for fault in each.faults]

    @property
    def notes(self) -> list[str]:
        """What is worth knowing, though it is not wrong."""
        changing = [each.game.title for each in self.games if not each.is_repeatable]
        if not changing:
            return []
        return [
            f"From the same seed it made other moves in {', '.join(changing)}. Take all randomness "
            "from the seed of the new game, and your games can be repeated."
        ]

    def to_json(self) -> Json:
        """The report as JSON data."""
        return {
            "engine": str(self.engine),
            "name": self.name,
            "ok": not self.all_faults,
            "faults": to_json(self.faults),
            "games": {each.game.name: to_json(each) for each in self.games},
            "notes": self.notes,
        }


def check(engine: Engine, games: Sequence[Game], progress: Progress | None = None) -> Report:
    """Play an engine through positions of the games, and say what it does wrong."""
    report = Report(engine)
    try:
        process = engine.start()
    except EngineTrouble as trouble:
        report.faults.append(Fault(type(trouble).__name__, f"{trouble}."))
        return report
    found = engine.read_hello(process.hello)
    report.name = found.name
    session = _Session(engine, process)
    try:
        for game in games:
            if found.games is None or game.name in found.games:
                report.games.append(played := GameReport(game))
                for share in _check_game(session, played):
                    if progress is not None:
                        progress(game, share)
        if not report.games:
            names = quote(", ".join(found.games or ()), 80)
            told = f"it plays none of these games; its hello names: {names}."
            report.faults.append(Fault("PlaysNone", told))
        report.faults += session.goodbye()
    finally:
        session.process.kill()
    return report


def _check_game(session: _Session, played: GameReport) -> Iterator[float]:
    """Play a game in each seat, one of them again, and go through positions."""
    found = positions(played.game)
    first = session.whole_game(played, Seat.ONE)
    yield 0.25
    session.whole_game(played, Seat.TWO)
    yield 0.5
    for number, view in enumerate(found, 1):
        session.answer(played, view, is_new=True)
        yield 0.5 + 0.25 * number / len(found)
    if not played.wrong:
        played.is_repeatable = first == session.whole_game(played, Seat.ONE)
    yield 1.0


class _Session:
    """An engine that is asked, and started again when it has failed."""

    def __init__(self, engine: Engine, process: EngineProcess) -> None:
        self.engine = engine
        self.process = process
        self._is_new = True
        """Whether the process has not been told of any game."""
        self._is_down = False
        """Whether it could not be started again."""

    def whole_game(self, played: GameReport, seat: Seat) -> list[str | None]:
        """Play one against random moves; where the engine fails, one is made for it."""
        game, seed = played.game, f"{SEED}, {seat.value}"
        rng = stream(seed, "check")
        answers: list[str | None] = []
        match = Match.start(game, turn_limit=TURN_LIMIT, draw=draws(seed), nonce=nonces(seed))
        match = match.settle(0.0)
        is_new = True
        while isinstance(actor := match.actor, Seat) and not (played.is_hopeless or self._is_down):
            view = match.view(actor)
            move: Move | None = None
            if actor is seat:
                move = self.answer(played, view, is_new)
                is_new = False
                answers.append(None if move is None else str(move))
            match = match.step(actor, move or rng.choice(view.moves))
        if not self._is_down:
            self.process.tell({"type": "over", "view": match.view(seat).to_json()})
        return answers

    def answer(self, played: GameReport, view: View, is_new: bool) -> Move | None:
        """The engine's move in a position; None if it resigned or went wrong."""
        if played.is_hopeless or self._is_down:
            return None
        seconds = self.engine.seconds
        message, played.moves = choose_message(view, seconds), played.moves + 1
        try:
            if is_new or self._is_new:
                self.process.tell(new_message(view, SEED))
                self._is_new = False
            text = read_answer(self.process.ask(message, seconds, "move"))
            played.slowest = max(played.slowest, round(self.process.took, 4))
            return None if text is None else legal_move(text, view)
        except Refusal as refusal:
            told = f"its move {quote(text or '')} is not legal. {refusal.reason}"
            played.add(_fault("NotLegal", told, view, message, _samples(message)))
        except EngineTrouble as trouble:
            played.add(_fault(type(trouble).__name__, f"{trouble}.", view, message))
            self._restart(played)
        return None

    def goodbye(self) -> list[Fault]:
        """What is wrong with how the engine ends."""
        if self._is_down:
            return []
        faults = []
        try:
            self.process.check_silence()
        except TooMuch as trouble:
            faults.append(Fault("TooMuch", f"{trouble}."))
        if not self.process.close(GOODBYE):
            told = "it does not end after bye, nor when its standard input is closed."
            faults.append(Fault("DoesNotEnd", told))
        return faults

    def _restart(self, played: GameReport) -> None:
        self.process.kill()
        try:
            self.process, self._is_new = self.engine.start(), True
        except EngineTrouble as trouble:
            self._is_down = True
            told = f"it could not be started again: {trouble}."
            played.wrong = MOST_WRONG
            played.add(Fault(type(trouble).__name__, told))


def positions(game: Game) -> list[View]:
    """Positions of every kind, for both seats: the first, and one with the longest history."""
    first: dict[object, View] = {}
    longest: dict[object, View] = {}
    for number in range(PLAYOUTS):
        for state in playout(game, Random(number), LONGEST).states:
            if isinstance(state.actor, Seat):
                view = state.view(state.actor)
                kind = (view.seat, len(view.secret), frozenset(map(type, view.moves)))
                first.setdefault(kind, view)
                if kind not in longest or len(view.history) > len(longest[kind].history):
                    longest[kind] = view
    return [*first.values(), *(view for kind, view in longest.items() if view != first[kind])]


def _samples(message: Json) -> str:
    """Some legal moves, in a sentence."""
    some, count = ", ".join(message["moves"][:SAMPLES]), message["count"]
    return f"{count} moves are legal, such as {some}." if count > SAMPLES else f"Legal: {some}."


def _fault(kind: str, text: str, view: View, message: Json, instead: str = "") -> Fault:
    assert view.seat is not None
    assert isinstance(view.game, Game)
    when = "in the set-up" if view.setting_up else f"on turn {view.turns + 1}"
    known = "\n".join(Dialogue(view.game).position(view))
    position = tuple(line for line in known.splitlines() if line.strip())
    where = f"as Player {view.seat.value}, {when}"
    return Fault(kind, text, instead, where, position, message)
