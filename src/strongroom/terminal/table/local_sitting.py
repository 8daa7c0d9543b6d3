"""A sitting at one keyboard: people and bots, with the referee in this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from strongroom.contract import Game, Seat, Words
from strongroom.plugins.registry import PLAYERS, find_entry, is_by_scheme
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import Record, Sitter, called_by_seat
from strongroom.terminal import store
from strongroom.terminal.faces import Looks
from strongroom.terminal.faces.face import LISTED
from strongroom.terminal.filenames import quoted
from strongroom.terminal.table.local_table import LocalTable
from strongroom.terminal.table.sitting import Sitting, program, show_terms

HUMAN_PACE = 0.9
"""How long a bot takes over a move, in seconds, so that people can follow it."""


@dataclass(frozen=True)
class Wishes:
    """The settings of a sitting, as given to `strongroom play`."""

    game: Game
    sitters: tuple[Sitter, Sitter]
    words: Words[Any] | None = None
    looks: Looks = field(default_factory=Looks)
    seed: int | None = None
    turn_limit: int | None = None
    save: Path | None = None
    strict: bool = False
    toss: str = ""
    """The result of the toss, in a sentence."""
    told: str = ""
    """What the players should know before they begin."""


class LocalSitting(Sitting):
    """The matches that two sitters play at this keyboard."""

    def __init__(self, wishes: Wishes) -> None:
        super().__init__(wishes.words or wishes.game.words, wishes.looks)
        self.wishes = wishes
        self.matches = 0
        self._match: Match
        self._table: LocalTable
        self._journal: store.Journal | None = None

    def play(self) -> int:
        """Play a match, and rematches while they are wanted; return the exit code."""
        self._match = self._start()
        return self._play_on()

    def resume(self, record: Record, journal: store.Journal) -> int:
        """Continue an unfinished match, at the score it was played at; return the exit code."""
        self.score = dict(zip(Seat, record.score, strict=True))
        self._face.aids = record.aids_now
        self._match, self._journal = Match.resume(record), journal
        return self._play_on()

    def _start(self) -> Match:
        self.matches += 1
        wishes, seed = self.wishes, self._seed()
        return Match.start(
            *(wishes.game, wishes.sitters, wishes.turn_limit, draws(seed), nonces(seed)),
            aids=self._face.aids,
            score=(self.score[Seat.ONE], self.score[Seat.TWO]),
        )

    def _seed(self) -> int | None:
        """The seed of this match; a rematch has a different one, so that chance does not repeat."""
        seed = self.wishes.seed
        if seed is None or self.matches <= 1:
            return seed
        return stream(seed, f"match {self.matches}").getrandbits(64)

    def _swap_seats(self) -> None:
        """Start a rematch, with the seats swapped, no toss, and a file of its own."""
        one, two = self.wishes.sitters
        sitters = called_by_seat(two, one)
        renamed = [
            f"the former {was.name} is now {now.name}"
            for was, now in zip((two, one), sitters, strict=True)
            if was != now
        ]
        told = f"The seats are swapped: {renamed[0]}." if renamed else ""
        self.wishes = replace(self.wishes, sitters=sitters, toss="", told=told, save=None)
        self.score = {seat.other: points for seat, points in self.score.items()}
        self._face.forget()
        self._match, self._journal = self._start(), None

    def _seat(self) -> None:
        face, sitters = self._face, self._match.record.sitters
        face.names = {seat: sitters[seat.index].name for seat in Seat}
        face.here = frozenset(seat for seat in Seat if sitters[seat.index].is_person)
        face.score = self.score
        show_terms(face, face.aids, sitters, LISTED)

    def _sit_down(self) -> None:
        match = self._match
        pace = 0.0 if self.wishes.looks.fast else HUMAN_PACE
        self._table = LocalTable(match, self._face, self._seed(), self.wishes.strict, pace)
        if self._journal is None:
            file = self.wishes.save or store.new_file(match.record.game.name)
            self._journal = store.Journal.create(file, match.record)
        self._introduce(match.record)

    def _play(self) -> None:
        assert self._journal is not None
        self._table.play(self._journal)

    def _stand_up(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def _introduce(self, record: Record) -> None:
        if self.wishes.told and not record.steps:
            if self._face.lines.interactive:
                self._face.write(self.wishes.told)
            else:
                print(self.wishes.told, file=sys.stderr, flush=True)
        if self.wishes.toss and not record.steps:
            self._face.write(self.wishes.toss)
        self._tell_terms()
        for sitter in record.sitters:
            if sitter.player in PLAYERS and self._face.lines.interactive:
                _, line = PLAYERS[sitter.player]
                self._face.write(f"{sitter.described} {line}.")
                if sitter.player == "master":
                    from strongroom.theory.shelf import certified  # numpy is loaded by now

                    self._face.write(certified(record.game))
            elif is_by_scheme(sitter.player) and self._face.lines.interactive:
                if line := getattr(find_entry("player", sitter.player), "line", ""):
                    self._face.write(f"{sitter.name} {line}.")

    def _break_off(self) -> None:
        """Hide what is private, and say where the unfinished game is and how to resume it."""
        self._table.leave_private()
        assert self._journal is not None
        if trouble := self._table.store():
            self._face.note(f"\nNot saved. {trouble}")
        else:
            file = self._journal.file
            is_found = self._face.lines.interactive and store.is_latest_unfinished(file)
            self._face.saved(file, f"{program()} resume{'' if is_found else f' {quoted(file)}'}")

    def _say_the_end(self) -> Record:
        table, journal = self._table, self._journal
        assert journal is not None
        trouble = table.unsaved and table.store()
        view = table.match.view(None)
        self._face.ended(view, self._end_of(view), None if trouble else journal.file)
        if trouble:
            self._face.note(f"Not saved. {trouble}")
        return table.match.record
