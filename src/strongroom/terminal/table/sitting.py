"""A sitting: one match after the other between the same two, with the score."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from strongroom.contract import Game, Refusal, Seat, Words, shown
from strongroom.match import Match
from strongroom.players import Leaves
from strongroom.randomness import draws, nonces, stream
from strongroom.record import Record, Sitter
from strongroom.registry import PLAYERS, names
from strongroom.terminal import store
from strongroom.terminal.exits import FINISHED, ILLEGAL_LINE, INPUT_ENDED, INTERRUPTED
from strongroom.terminal.faces import make_face
from strongroom.terminal.filenames import quoted
from strongroom.terminal.lines import InputEnded, open_lines
from strongroom.terminal.table.person import NO, YES, Fails, IllegalLine
from strongroom.terminal.table.stopping import Stopped, stoppable
from strongroom.terminal.table.table import Table

HUMAN_PACE = 0.9
"""How many seconds a bot takes over a move, for people to follow it."""


@dataclass(frozen=True)
class Wishes:
    """How the people want the table: what `strongroom play` was told."""

    game: Game
    sitters: tuple[Sitter, Sitter]
    words: Words[Any] | None = None
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
    matches: int = 0

    def __post_init__(self) -> None:
        wishes = self.wishes
        if wishes.json and sys.stdin is not None and sys.stdin.isatty():
            raise Refusal("--json reads its lines from a script.", "Pipe them in, or leave it out.")
        lines = open_lines(echo=not wishes.json)
        words = wishes.words or wishes.game.words
        self._face = make_face(lines, words, wishes.plain, wishes.json)

    def play(self) -> int:
        """Play a match, and others while a rematch is wanted; the exit code."""
        return self._play_on(self._start(), None)

    def resume(self, record: Record, journal: store.Journal) -> int:
        """Go on with a match that was broken off; the exit code."""
        return self._play_on(Match.resume(record), journal)

    def _play_on(self, match: Match, journal: store.Journal | None) -> int:
        try:
            with stoppable():
                while (code := self._play(match, journal)) == FINISHED and self._rematch():
                    self._swap_seats()
                    match, journal = self._start(), None
        except Stopped as stopped:
            return stopped.code
        return code

    def _start(self) -> Match:
        self.matches += 1
        wishes, seed = self.wishes, self._seed()
        return Match.start(
            wishes.game, wishes.sitters, wishes.turn_limit, draws(seed), nonces(seed)
        )

    def _seed(self) -> int | None:
        """The seed of this match: a rematch has another, so that nothing falls as it did before."""
        seed = self.wishes.seed
        if seed is None or self.matches <= 1:
            return seed
        return stream(seed, f"match {self.matches}").getrandbits(64)

    def _swap_seats(self) -> None:
        """A rematch has the seats swapped, no toss, and a file of its own."""
        one, two = self.wishes.sitters
        self.wishes = replace(self.wishes, sitters=(two, one), tossed=False, save=None)

    def _play(self, match: Match, journal: store.Journal | None) -> int:
        one, two = match.record.sitters
        self._face.names = {Seat.ONE: one.name, Seat.TWO: two.name}
        self._face.shared = one.is_person and two.is_person
        pace = 0.0 if self.wishes.fast else HUMAN_PACE
        table = Table(match, self._face, self._seed(), self.wishes.strict, pace)
        if journal is None:
            file = self.wishes.save or store.new_file(match.record.game.name)
            journal = store.Journal.create(file, match.record)
        try:
            return self._play_at(table, journal)
        finally:
            journal.close()

    def _play_at(self, table: Table, journal: store.Journal) -> int:
        self._introduce(table.match.record)
        try:
            table.play(journal)
        except Fails as failed:
            raise failed.failure from None
        except Stopped:
            with contextlib.suppress(OSError):  # the terminal may be gone
                self._break_off(table, journal)
            raise
        except (Leaves, KeyboardInterrupt) as leaving:
            self._break_off(table, journal)
            if isinstance(leaving, KeyboardInterrupt):
                return INTERRUPTED
            return ILLEGAL_LINE if isinstance(leaving, IllegalLine) else INPUT_ENDED
        self._say_the_end(table, journal)
        return FINISHED

    def _introduce(self, record: Record) -> None:
        if self.wishes.tossed and not record.steps:
            self._face.write(f"The toss: {record.sitters[0].name} starts.")
        for sitter in record.sitters:
            if sitter.player in PLAYERS and self._face.lines.interactive:
                _, line = PLAYERS[sitter.player]
                self._face.write(f"{sitter.name} is {sitter.player}, who {line}.")

    def _break_off(self, table: Table, journal: store.Journal) -> None:
        """Hide what is private, and say where the unfinished game is and how to go on with it."""
        table.leave_private()
        if trouble := table.store():
            self._face.write(f"\nNot saved. {trouble}")
        else:
            self._face.saved(journal.file, f"{_program()} resume {quoted(journal.file)}")

    def _say_the_end(self, table: Table, journal: store.Journal) -> None:
        trouble = table.unsaved and table.store()
        view = table.match.view(None)
        assert view.outcome is not None
        for seat in Seat:
            name = self._face.names[seat]
            points = 0.5 if view.outcome.winner is None else float(view.outcome.winner is seat)
            self.score[name] = self.score.get(name, 0) + points
        score = ", ".join(f"{name} {points:g}" for name, points in self.score.items())
        lines = [*self._face.the_end(view), f"Score: {score}"]
        self._face.ended(view, lines, None if trouble else journal.file)
        if trouble:
            self._face.write(f"Not saved. {trouble}")
        self._offer_analysis(table.match.record)

    def _offer_analysis(self, record: Record) -> None:
        if not self._face.lines.interactive or record.game.name not in names("theory"):
            return
        # Imported here: no script, and nobody before the end, should wait for numpy.
        from strongroom.theory import shelf

        solved = shelf.file_of(record.game).exists()
        if not solved or not self._asks("\nAnalyze the game? (yes/no): "):
            return
        from rich.console import Console

        from strongroom.analysis import analyze
        from strongroom.terminal.faces.analysis import show

        show(analyze(record), Console(markup=False, highlight=False))

    def _rematch(self) -> bool:
        return self._asks("\nRematch with seats swapped? (yes/no): ")

    def _asks(self, question: str) -> bool:
        """Whether a person who sits there says yes; what is neither yes nor no is asked again."""
        lines = self._face.lines
        if not lines.interactive:
            return False
        try:
            while (typed := lines.read(question).strip().lower()) not in (*YES, *NO):
                self._face.write(f"{shown(typed)} is neither yes nor no.")
        except (InputEnded, KeyboardInterrupt):
            return False
        return typed in YES


def _program() -> str:
    """How the person can call this command: by its name, if the shell finds it."""
    called = sys.argv[0]
    direct = os.path.basename(called) == "strongroom" and shutil.which("strongroom") is None
    if not direct:
        return "strongroom"
    with contextlib.suppress(OSError):  # the working folder may be gone
        called = min(called, os.path.relpath(called), key=len)
    return shlex.quote(called)
