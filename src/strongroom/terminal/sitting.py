"""A sitting: one match after the other between the same two, with the score."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random, SystemRandom

from strongroom.game import Game, Names, Seat, View
from strongroom.match import Match
from strongroom.record import Record, Sitter
from strongroom.refusal import Refusal
from strongroom.registry import PLAYERS
from strongroom.terminal import store
from strongroom.terminal.face import Face, JsonFace
from strongroom.terminal.lines import InputEnded, Lines, open_lines
from strongroom.terminal.table import YES, IllegalLine, Quits, Table

FINISHED, USAGE, ILLEGAL_LINE, INPUT_ENDED, INTERRUPTED = 0, 2, 3, 4, 130
"""The exit codes."""


HUMAN_PACE = 0.9
"""How many seconds a bot takes over a move, for people to follow it."""


@dataclass(frozen=True)
class Wishes:
    """How the people want the table: what `strongroom play` was told."""

    game: Game
    sitters: tuple[Sitter, Sitter]
    seed: int | None = None
    turn_limit: int | None = None
    save: Path | None = None
    plain: bool = False
    json: bool = False
    strict: bool = False
    fast: bool = False
    tossed: bool = False


@dataclass
class Sitting:
    """The matches that two sitters play one after the other."""

    wishes: Wishes
    score: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.wishes.json and sys.stdin is not None and sys.stdin.isatty():
            raise Refusal("--json reads its lines from a script.", "Pipe them in, or leave it out.")
        seed = self.wishes.seed
        self._rng = Random(seed) if seed is not None else SystemRandom()
        self._face = make_face(
            open_lines(echo=not self.wishes.json), self.wishes.plain, self.wishes.json
        )

    def play(self) -> int:
        """Play a match, and others while a rematch is wanted; the exit code."""
        while True:
            wishes = self.wishes
            match = Match(wishes.game, self._rng, wishes.sitters, wishes.turn_limit)
            file = wishes.save or store.new_file(wishes.game.name)
            code = self._play(match, file)
            if code != FINISHED or not self._rematch():
                return code
            self._swap_seats()

    def resume(self, record: Record, file: Path) -> int:
        """Go on with a match that was broken off; the exit code."""
        code = self._play(Match.resume(record, self._rng), file)
        if code != FINISHED or not self._rematch():
            return code
        self._swap_seats()
        return self.play()

    def _swap_seats(self) -> None:
        """A rematch has the seats swapped, no toss, and a file of its own."""
        one, two = self.wishes.sitters
        self.wishes = replace(self.wishes, sitters=(two, one), tossed=False, save=None)

    def _play(self, match: Match, file: Path) -> int:
        one, two = (sitter.name for sitter in match.record.sitters)
        self._face.names = {Seat.ONE: one, Seat.TWO: two}
        people = [sitter for sitter in match.record.sitters if sitter.player == "person"]
        self._face.shared = len(people) == 2
        pace = 0.0 if self.wishes.fast else HUMAN_PACE
        table = Table(match, self._face, file, self._rng, self.wishes.strict, pace)
        match.watch = table.watch
        self._introduce(match.record)
        try:
            table.play()
        except (Quits, InputEnded, IllegalLine, KeyboardInterrupt) as leaving:
            table.leave_private()
            self._say_where(match.record, file)
            if isinstance(leaving, KeyboardInterrupt):
                return INTERRUPTED
            return ILLEGAL_LINE if isinstance(leaving, IllegalLine) else INPUT_ENDED
        self._say_the_end(match, file)
        return FINISHED

    def _introduce(self, record: Record) -> None:
        if self.wishes.tossed and not record.moves:
            self._face.write(f"The toss: {record.sitters[0].name} starts.")
        for sitter in record.sitters:
            if sitter.player in PLAYERS and self._face.lines.interactive:
                line = PLAYERS[sitter.player]
                self._face.write(f"{sitter.name} is {sitter.player}, who {line}.")

    def _say_where(self, record: Record, file: Path) -> None:
        """Say where an unfinished game is saved, and how to go on with it."""
        try:
            store.save(record, file)
        except store.CannotSave as trouble:
            self._face.write(f"\nNot saved. {trouble}")
            return
        name = f"./{file}" if str(file).startswith("-") else str(file)
        self._face.saved(file, f"{_program()} resume {shlex.quote(name)}")

    def _say_the_end(self, match: Match, file: Path) -> None:
        view = match.view(None)
        names = self._face.names
        assert view.outcome is not None
        for seat in Seat:
            points = 0.5 if view.outcome.winner is None else float(view.outcome.winner is seat)
            self.score[names[seat]] = self.score.get(names[seat], 0) + points
        score = ", ".join(f"{name} {points:g}" for name, points in self.score.items())
        self._face.ended(view, [*the_end(view, names), f"Score: {score}"], file)
        self._offer_analysis(match.record)

    def _offer_analysis(self, record: Record) -> None:
        if not self._face.lines.interactive:
            return
        # Imported here: no script, and nobody before the end, should wait for numpy.
        from strongroom.theory import SOLVED, shelf

        solved = record.game.name in SOLVED and shelf.file_of(record.game).exists()
        if not solved or not self._asks("\nAnalyze the game? (yes/no): "):
            return
        from rich.console import Console

        from strongroom.analysis import analyze
        from strongroom.terminal.analyze import show

        show(analyze(record), Console(markup=False, highlight=False))

    def _rematch(self) -> bool:
        return self._asks("\nRematch with seats swapped? (yes/no): ")

    def _asks(self, question: str) -> bool:
        """Whether a person who sits there says yes."""
        lines = self._face.lines
        if not lines.interactive:
            return False
        try:
            return lines.read(question).strip().lower() in YES
        except (InputEnded, KeyboardInterrupt):
            return False


def _program() -> str:
    """How the person can call this command: by its name, if the shell finds it."""
    called = sys.argv[0]
    direct = os.path.basename(called) == "strongroom" and shutil.which("strongroom") is None
    near = min(called, os.path.relpath(called), key=len)
    return shlex.quote(near) if direct else "strongroom"


def the_end(view: View, names: Names) -> list[str]:
    """Who won and why, both secrets, and how many turns it took."""
    outcome = view.outcome
    assert outcome is not None
    winner = "" if outcome.winner is None else f"{names[outcome.winner]} "
    secrets = [
        f"{names[seat]}'s secret: {' / '.join(map(str, secret))}"
        for seat, secret in zip(Seat, view.secrets or ((), ()), strict=True)
        if secret
    ]
    return [f"Game over: {winner}{outcome.reason}.", *secrets, f"Turns: {view.turns}"]


def make_face(lines: Lines, plain: bool, json: bool) -> Face:
    """The face that fits the wishes and the screen."""
    if json:
        return JsonFace(lines)
    from strongroom.terminal.screen import Screen, can_draw

    drawn = not plain and lines.interactive and sys.stdout.isatty() and can_draw()
    return Screen(lines) if drawn else Face(lines)
