"""A series: matches in a row at one screen, whoever has the referee; the replay of a record."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Generic, Protocol, Self, TypeVar

from strongroom.contract import NAMES, Refusal, Seat, View, Words, before_number
from strongroom.players import Stops
from strongroom.referee.record import Record, Sitter
from strongroom.terminal.exits import (
    FAILED,
    FINISHED,
    ILLEGAL_LINE,
    INPUT_ENDED,
    INTERRUPTED,
    Stopped,
    stoppable,
)
from strongroom.terminal.faces import make_face
from strongroom.terminal.faces.face import AIDS, Face, Looks, Wish
from strongroom.terminal.lines import InputEnded, Leaves, is_typed
from strongroom.terminal.printing import file_label
from strongroom.terminal.store import games, preferences
from strongroom.terminal.table.person import Host, IllegalLine, Quits


def replay(record: Record, face: Face) -> None:
    """Show every public move, then the end; nothing hidden is shown before the end.

    A page lets people step through the moments themselves, forwards and back.
    """
    one, two = record.sitters
    face.names = {Seat.ONE: one.name, Seat.TWO: two.name}
    face.here = frozenset()
    face.score = dict(zip(Seat, record.score, strict=True))
    state = record.game.start()
    moments = [state.view(None)]
    for (_, state), step in zip(pairwise(record.states()), record.steps, strict=True):
        if step.keeper is None:
            moments.append(state.view(None))
    moments[-1] = state.view(None, record.outcome)
    face.go_through(moments, [one.player, two.player])


def aids_text(aids: bool, sitters: Iterable[Sitter | None]) -> str:
    """Whether there are hints and a notebook; empty if there are, and only against a bot.

    >>> aids_text(True, [Sitter("Ada"), Sitter("Bob")])
    'Hints and notebook: on for both'
    """
    if not aids:
        return "Hints and notebook: off"
    against_a_bot = any(sitter is not None and not sitter.is_person for sitter in sitters)
    return "" if against_a_bot else "Hints and notebook: on for both"


def open_face(words: Words[Any], looks: Looks) -> Face:
    """The face for a series."""
    if looks.json and is_typed():
        raise Refusal("--json reads answers from a script.", "Pipe them in, or drop --json.")
    return make_face(words, looks)


class MatchTable(Host, Protocol):
    """A table for one match of a series, with its referee in this process or on a server."""

    score: tuple[float, float]
    """The points of each seat's player from earlier matches."""

    def seat(self) -> None:
        """Tell the face who plays, who is at the screen, and what was agreed."""

    def sit_down(self) -> None:
        """Open the store of the match, and say what people should know about it."""

    def play(self) -> None:
        """Play the match to its end."""

    def public_view(self) -> View:
        """What a spectator may know."""

    def show_end(self, lines: list[str]) -> Record | None:
        """Say how the match ended; return its record, if there is one to look at."""

    def break_off(self) -> None:
        """Hide what is private, and say how to resume the unfinished match."""

    def stand_up(self) -> None:
        """Release the store of the match."""

    def rematch(self) -> Self:
        """Stand up, and take the other seats at a table for the next match."""


T = TypeVar("T", bound=MatchTable)


def show_terms(
    face: Face, aids: bool, sitters: Iterable[Sitter | None], commands: Sequence[str]
) -> None:
    """Let a face show whether there are hints and a notebook, and the commands there are."""
    face.aids = aids
    face.terms = aids_text(aids, sitters)
    face.commands = [each for each in commands if aids or each not in AIDS]


def say_terms(face: Face) -> None:
    """Say at a terminal what was agreed; a script knows what it asked for."""
    if face.terms and face.lines.interactive and not face.shows_terms:
        face.write(f"{face.terms}.")


class Series(Generic[T]):
    """The consecutive matches of two sitters, as one screen shows them."""

    def __init__(self, table: T) -> None:
        self.table = table
        """The table of the current match."""
        self._face = table.face
        self._score = dict(zip(Seat, table.score, strict=True))
        """The points of the player in each seat so far, in the order of the first game's seats."""
        self.was_quit = False
        """Whether a person left the game by saying so, rather than by ending the program."""

    def play(self) -> int:
        """Play the match, and rematches while they are wanted; return the exit code."""
        try:
            with stoppable(), self._face:
                try:
                    while (code := self._play_match()) is None:
                        self.table = self.table.rematch()
                        order = [seat.other for seat in self._score]
                        self._score = {seat: self.table.score[seat.index] for seat in order}
                finally:
                    self.table.stand_up()
        except Stopped as stopped:
            return stopped.code
        return code

    def _seat(self) -> None:
        self._face.score = self._score
        self._face.teaches = self.table.game.name not in preferences.games_taught()
        self.table.seat()

    def _play_match(self) -> int | None:
        """Play a match; return the exit code, or None if there is to be another."""
        self._seat()
        self.table.sit_down()
        if (code := self._play_to_end()) is not None:
            return code
        if self._face.here and self._face.lines.interactive:
            preferences.remember_taught(self.table.game.name)
        record = self.table.show_end(self._end_of(self.table.public_view()))
        wants_more = record is not None and self._wants_more(record)
        return None if wants_more else FINISHED

    def _end_of(self, view: View) -> list[str]:
        """Add the points of a match to the score; return the lines that say how it ended."""
        assert view.outcome is not None
        names = self._face.names
        for seat in Seat:
            self._score[seat] += view.outcome.points(seat)
        by_seat = names == NAMES
        seats = Seat if by_seat else self._score  # in a fixed order of seats, or of people
        score = ", ".join(f"{before_number(names[seat])} {self._score[seat]:g}" for seat in seats)
        if by_seat and next(iter(self._score)) is Seat.TWO:
            score += ". The seats are swapped: Player 1 was Player 2 in the first game."
        return [*self._face.the_end(view), f"Score: {score}"]

    def _play_to_end(self) -> int | None:
        """Play to the end; return the exit code if it was interrupted."""
        try:
            self.table.play()
        except Stopped:
            with contextlib.suppress(OSError):  # the terminal may be gone
                self.table.break_off()
            raise
        except Stops as stopped:
            self._face.note(f"\n{stopped}")
            self.table.break_off()
            return FAILED
        except (Leaves, KeyboardInterrupt) as leaving:
            self.table.break_off()
            self.was_quit = isinstance(leaving, Quits)
            if isinstance(leaving, KeyboardInterrupt):
                return INTERRUPTED
            return ILLEGAL_LINE if isinstance(leaving, IllegalLine) else INPUT_ENDED
        return None

    def _wants_more(self, record: Record) -> bool:
        """Whether a rematch is wanted, after any replay, analysis or saving of the game."""
        solved = False
        if self._face.lines.interactive:  # no script, and nobody before the end, waits for numpy
            from strongroom.theory.shelf import is_certified

            solved = is_certified(record.game)
        try:
            while (wish := self._face.wish(record, solved)) is not Wish.LEAVE:
                match wish:
                    case Wish.REMATCH:
                        return True
                    case Wish.ANALYSIS:
                        self._face.show_analysis(record)
                    case Wish.REPLAY:
                        replay(record, self._face)
                        self._seat()
                    case Wish.SAVE:
                        self._save_as(record)
        except (InputEnded, KeyboardInterrupt):
            pass
        return False

    def _save_as(self, record: Record) -> None:
        name = self._face.lines.read("Save as (a file's name): ").strip()
        if not name:
            return
        try:
            file = games.typed_file(name)
            games.save_copy(record, file)
        except Refusal as refusal:
            self._face.note(str(refusal))
        else:
            self._face.note(f"Saved to {file_label(file)}")
