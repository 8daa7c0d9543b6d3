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

from strongroom.contract import Game, Refusal, Seat, Words, does
from strongroom.match import Match
from strongroom.players import Leaves
from strongroom.randomness import draws, nonces, stream
from strongroom.record import Record, Sitter
from strongroom.registry import PLAYERS, names
from strongroom.terminal import store
from strongroom.terminal.exits import FINISHED, ILLEGAL_LINE, INPUT_ENDED, INTERRUPTED
from strongroom.terminal.faces import Looks, make_face
from strongroom.terminal.faces.face import Face, Wish
from strongroom.terminal.filenames import named, quoted
from strongroom.terminal.lines import InputEnded, is_typed
from strongroom.terminal.table.person import Fails, IllegalLine
from strongroom.terminal.table.replay import replay
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
    looks: Looks = field(default_factory=Looks)
    seed: int | None = None
    turn_limit: int | None = None
    save: Path | None = None
    strict: bool = False
    tossed: bool = False
    told: str = ""
    """What the people should know before they begin."""


@dataclass
class Sitting:
    """The matches that two sitters play one after the other."""

    wishes: Wishes
    score: dict[str, float] = field(default_factory=dict)
    matches: int = 0

    def __post_init__(self) -> None:
        wishes = self.wishes
        if wishes.looks.json and is_typed():
            raise Refusal("--json reads its lines from a script.", "Pipe them in, or leave it out.")
        self._face: Face = make_face(wishes.words or wishes.game.words, wishes.looks)

    def play(self) -> int:
        """Play a match, and others while a rematch is wanted; the exit code."""
        return self._play_on(self._start(), None)

    def resume(self, record: Record, journal: store.Journal) -> int:
        """Go on with a match that was broken off, at the score it was played at; the exit code."""
        self.score = dict(zip((each.name for each in record.sitters), record.score, strict=True))
        self._face.aids = self._face.aids and record.aids
        return self._play_on(Match.resume(record), journal)

    def _play_on(self, match: Match, journal: store.Journal | None) -> int:
        try:
            with stoppable(), self._face:
                while (code := self._play(match, journal)) == FINISHED and self._goes_on:
                    self._swap_seats()
                    match, journal = self._start(), None
        except Stopped as stopped:
            return stopped.code
        return code

    def _start(self) -> Match:
        self.matches += 1
        wishes, seed = self.wishes, self._seed()
        one, two = (self.score.get(sitter.name, 0.0) for sitter in wishes.sitters)
        return Match.start(
            *(wishes.game, wishes.sitters, wishes.turn_limit, draws(seed), nonces(seed)),
            aids=self._face.aids,
            score=(one, two),
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
        self.wishes = replace(self.wishes, sitters=(two, one), tossed=False, told="", save=None)

    def _play(self, match: Match, journal: store.Journal | None) -> int:
        self._seat(match.record)
        pace = 0.0 if self.wishes.looks.fast else HUMAN_PACE
        table = Table(match, self._face, self._seed(), self.wishes.strict, pace)
        if journal is None:
            file = self.wishes.save or store.new_file(match.record.game.name)
            journal = store.Journal.create(file, match.record)
        try:
            return self._play_at(table, journal)
        finally:
            journal.close()

    def _seat(self, record: Record) -> None:
        face, sitters = self._face, record.sitters
        face.names = {seat: sitters[seat.index].name for seat in Seat}
        face.here = frozenset(seat for seat in Seat if sitters[seat.index].is_person)
        face.score = self.score

    def _play_at(self, table: Table, journal: store.Journal) -> int:
        self._goes_on = False
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
        self._goes_on = self._after(table.match.record)
        return FINISHED

    def _introduce(self, record: Record) -> None:
        if self.wishes.told and not record.steps:
            if self._face.lines.interactive:
                self._face.write(self.wishes.told)
            else:
                print(self.wishes.told, file=sys.stderr, flush=True)
        if self.wishes.tossed and not record.steps:
            first = record.sitters[0].name
            self._face.write(f"{does(first, 'won the toss and begins', 'won the toss and begin')}.")
        for sitter in record.sitters:
            if sitter.player in PLAYERS and self._face.lines.interactive:
                _, line = PLAYERS[sitter.player]
                self._face.write(f"{sitter.described} {line}.")
                if sitter.player == "master":
                    from strongroom.theory.shelf import certified  # numpy is there by now

                    self._face.write(certified(record.game))

    def _break_off(self, table: Table, journal: store.Journal) -> None:
        """Hide what is private, and say where the unfinished game is and how to go on with it."""
        table.leave_private()
        if trouble := table.store():
            self._face.note(f"\nNot saved. {trouble}")
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
            self._face.note(f"Not saved. {trouble}")

    def _after(self, record: Record) -> bool:
        """Whether a rematch is wanted, after whatever else people want of a finished game."""
        solved = self._face.lines.interactive and _is_solved(record.game)
        try:
            while (wish := self._face.wish(record, solved)) is not Wish.LEAVE:
                match wish:
                    case Wish.REMATCH:
                        return True
                    case Wish.ANALYSIS:
                        self._face.show_analysis(record)
                    case Wish.REPLAY:
                        replay(record, self._face)
                        self._seat(record)
                    case Wish.SAVE:
                        self._save_as(record)
        except (InputEnded, KeyboardInterrupt):
            return False
        return False

    def _save_as(self, record: Record) -> None:
        name = self._face.lines.read("Save as (a file's name): ").strip()
        if not name:
            return
        try:
            file = store.typed_file(name)
            store.save_copy(record, file)
        except Refusal as refusal:
            self._face.note(str(refusal))
        else:
            self._face.note(f"Saved to {named(file)}")


def _is_solved(game: Game) -> bool:
    if game.name not in names("theory"):
        return False
    # Imported here: no script, and nobody before the end, should wait for numpy.
    from strongroom.theory import shelf

    return shelf.file_of(game).exists()


def _program() -> str:
    """How the person can call this command: by its name, if the shell finds it."""
    called = sys.argv[0]
    direct = os.path.basename(called) == "strongroom" and shutil.which("strongroom") is None
    if not direct:
        return "strongroom"
    with contextlib.suppress(OSError):  # the working folder may be gone
        called = min(called, os.path.relpath(called), key=len)
    return shlex.quote(called)
