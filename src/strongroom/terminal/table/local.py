"""A table at one keyboard, whose referee is in this process: people and bots."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

from strongroom.contract import (
    Choices,
    Game,
    Move,
    NotUnderstood,
    Question,
    Seat,
    View,
    Words,
    shown,
)
from strongroom.players import Follows, Player, check, player
from strongroom.plugins.registry import PLAYERS, find_entry, is_by_scheme
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import WITHOUT_AIDS, Record, Sitter, called_by_seat
from strongroom.referee.table import Table, tell_end
from strongroom.terminal.exits import unstoppable
from strongroom.terminal.faces.face import LISTED, Face, Looks
from strongroom.terminal.lines import NO, YES
from strongroom.terminal.printing import file_label, shell_quote
from strongroom.terminal.store import games, preferences
from strongroom.terminal.store.files import CannotSave
from strongroom.terminal.table.person import COMMANDS, Host, Person
from strongroom.terminal.table.sitting import Sitting, program, show_terms

HUMAN_PACE = 0.9
"""How long a bot takes over a move, in seconds, so that people can follow it."""
AIDS_ASKED: Final = "{} is asked for it before the next turn there, as both have to agree."
AIDS_STAY: Final = "Both have to agree: hints and notebook stay {}."
NO_HINT: Final = "There are no hints here: {} has not been solved with these options."
AIDS_ON: Final = "Hints and notebook are on. To switch them off: aids"
AIDS_OFF: Final = "Hints and notebook are off: you see the bare record. To switch them on: aids"


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
        self._journal: games.Journal | None = None

    def play(self) -> int:
        """Play a match, and rematches while they are wanted; return the exit code."""
        self._match = self._start()
        return self._play_on()

    def resume(self, record: Record, journal: games.Journal) -> int:
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
            file = self.wishes.save or games.new_file(match.record.game.name)
            self._journal = games.Journal.create(file, match.record)
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
            is_found = self._face.lines.interactive and games.is_latest_unfinished(file)
            found = "" if is_found else f" {shell_quote(file)}"
            self._face.left(f"{program()} resume{found}", file)

    def _say_the_end(self) -> Record:
        table, journal = self._table, self._journal
        assert journal is not None
        trouble = table.unsaved and table.store()
        view = table.match.view(None)
        self._face.ended(view, self._end_of(view), None if trouble else journal.file)
        if trouble:
            self._face.note(f"Not saved. {trouble}")
        return table.match.record


class LocalTable(Host):
    """One match at one keyboard: it seats the players, stores every step, then tells the face."""

    def __init__(
        self,
        match: Match,
        face: Face,
        seed: int | None = None,
        strict: bool = False,
        pace: float = 0.0,
    ) -> None:
        self.face = face
        self.strict = strict
        self.journal: games.Journal | None = None
        self.unsaved: CannotSave | None = None
        """Why the file is behind the match, if it is."""
        self._seed = seed
        self._pace = pace if face.lines.interactive else 0.0
        """How long a bot takes over a public move, in seconds, so that people can follow it."""
        self._in_private: Seat | None = None
        """Whose secrets may be on the screen."""
        self._wants_aids: Seat | None = None
        """Who of two people wants to switch the aids, which the other is still asked about."""
        self._announced = match
        players = {seat: self._player(match.record, seat) for seat in Seat}
        self._table = Table(match, players, self.watch)

    def _player(self, record: Record, seat: Seat) -> Player:
        sitter = record.sitters[seat.index]
        if sitter.is_person:
            return Person(self, self.face, stream(self._seed, f"pick {seat.value}"), self.strict)
        rng = stream(self._seed, f"player {seat.value}")
        return Bot(sitter.player, record.game, rng, self._think)

    def _think(self, view: View) -> None:
        if self._pace:
            self.face.thinks(self.match.view(None), self._pace)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._table.match

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.match.record.game

    @property
    def aids(self) -> bool:
        """Whether the players agreed on hints and a notebook."""
        return self.face.aids

    def play(self, journal: games.Journal) -> None:
        """Play the match to its end, and store it in the journal."""
        self.journal = journal
        record = self.match.record
        begin = self.face.resume if record.steps else self.face.begin
        begin(self.match.view(None), [sitter.player for sitter in record.sitters])
        self._table.run()
        self.leave_private()

    # --- storing, then announcing ---

    def watch(self, match: Match) -> None:
        """Store the new steps, then announce the public ones."""
        before, self._announced = self._announced, match
        if self.store(match) is not None and match.outcome is None:
            goes_on = "The game goes on; that file holds it up to the last save."
            self.face.write(f"{self.unsaved} {goes_on}")
        state, steps = before.state, match.since(before)
        for number, step in enumerate(steps, 1):
            assert step.move is not None
            state = match.state if number == len(steps) else state.play(step.move)
            if step.keeper is None:
                self.leave_private()
                self.face.happened(state.view(None))

    def store(self, match: Match | None = None) -> CannotSave | None:
        """Bring the file up to date; return what went wrong, if anything did."""
        assert self.journal is not None
        try:
            with unstoppable():
                self.journal.update((match or self.match).record)
        except CannotSave as trouble:
            self.unsaved = trouble
        else:
            self.unsaved = None
        return self.unsaved

    # --- what a person at the table can ask for ---

    @property
    def without_aids(self) -> str:
        """Why there is no hint, and how to get one."""
        return f"{WITHOUT_AIDS} To switch them on: aids"

    @property
    def commands(self) -> Sequence[str]:
        """The commands accepted at every prompt."""
        return (*COMMANDS, "aids")

    def obey(self, command: str) -> str:
        """Switch the aids on or off, also for the next game; of two people, both have to agree."""
        actor = self.match.state.actor
        if self.face.shared and self.face.lines.interactive and isinstance(actor, Seat):
            self._wants_aids = actor
            return AIDS_ASKED.format(self.face.names[actor.other])
        return self._switch_aids()

    def _switch_aids(self) -> str:
        on = not self.face.aids
        show_terms(self.face, on, self.match.record.sitters, LISTED)
        self._table.switch_aids(on)
        self.store()
        if not self.face.shared:
            preferences.remember_aids(on)
        return AIDS_ON if on else AIDS_OFF

    def _ask_about_aids(self, view: View) -> None:
        """Let the other of two people agree to the switch, once it is their turn."""
        assert view.seat is not None
        if self._wants_aids is not view.seat.other:
            return
        self._wants_aids = None
        state = "off" if self.face.aids else "on"
        asked = f"{self.face.names[view.seat.other]} wants hints and notebook {state} for both."
        prompt = f"{asked} Do you agree? (yes/no): "
        question = Question(prompt, "Type yes or no.", control=Choices(("no", "yes")))
        while (typed := self.face.read(view, question, False).strip().lower()) not in (*YES, *NO):
            refusal = f"{shown(typed)} is neither yes nor no."
            self.face.refuse(view, NotUnderstood(refusal, question.accepted))
        stay = AIDS_STAY.format("on" if self.face.aids else "off")
        self.face.tell(view, self._switch_aids() if typed in YES else stay)

    def hint(self, view: View) -> str:
        """A hint on what to play here; the record notes that the seat took it."""
        # Imported here, so that only those who ask for a hint wait for numpy. Once its import has
        # been interrupted, numpy cannot be imported again.
        with unstoppable():
            from strongroom.theory.hints import advise
            from strongroom.theory.solution import NoTheory

        try:
            advised = advise(view)
        except NoTheory:
            return NO_HINT.format(self.face.words.title)
        assert view.seat is not None
        self._table.hinted(view.seat)
        self.store()
        self.face.suggest(advised.best[0].move)
        return "\n".join(advised.sentences(self.face.words))

    def save(self, name: str) -> str:
        """Bring the file up to date, or write a copy under a name; say where, in a sentence."""
        assert self.journal is not None
        file = games.typed_file(name) if name else self.journal.file
        with unstoppable():
            if name:
                games.save_copy(self.match.record, file)
            else:
                self.journal.update(self.match.record)
        return f"Saved to {file_label(file)}"

    # --- two people at one screen ---

    def arrive(self, view: View, private: bool) -> str:
        """Hand the keyboard over before secrets are shown, and hide them afterwards.

        Returns what was typed at the hand-over, which may be a command.
        """
        typed = ""
        two_people = self.face.shared and self.face.lines.interactive
        if private and two_people and self._in_private is not view.seat:
            assert view.seat is not None
            typed = self.face.hand_over(self.match.view(None), self.face.names[view.seat])
            self._in_private = view.seat
            if not view.setting_up:
                self.face.position(view)
        elif not private:
            self.leave_private()
        if not view.setting_up:
            self._ask_about_aids(view)
        return typed

    def leave_private(self) -> None:
        """Clear what only one of two people may see."""
        if self._in_private is not None:
            self.face.clear()
            self._in_private = None


class Bot(Follows):
    """A bot that is shown thinking over its public moves, so that people can follow them.

    Its output goes to standard error, since standard output is the table's or a stream of events.
    If standard error is a terminal, the output is dropped, as it would end up on somebody's page.
    """

    def __init__(self, name: str, game: Game, rng: Random, thinks: Callable[[View], None]) -> None:
        with _heard_aside():
            self._player: Player = player(name, game, rng)
            check(self._player)
        self._thinks = thinks

    def choose(self, view: View) -> Move:
        """The bot's own choice."""
        if not view.setting_up:
            self._thinks(view)  # first, so that it is still seen if the choice takes long
        with _heard_aside():
            return self._player.choose(view)

    def over(self, view: View) -> None:
        """Tell the bot how the match ended, if it wants to know."""
        with _heard_aside():
            tell_end(self._player, view)


@contextmanager
def _heard_aside() -> Iterator[None]:
    aside = StringIO() if sys.stderr.isatty() else sys.stderr
    with redirect_stdout(aside), redirect_stderr(aside):
        yield
