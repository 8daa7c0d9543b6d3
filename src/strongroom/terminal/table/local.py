"""A table at one keyboard, whose referee is in this process: people and bots."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from strongroom.contract import (
    Choices,
    Game,
    Move,
    NotUnderstood,
    Refusal,
    Seat,
    View,
    Words,
    quote,
)
from strongroom.players import Follows, Player, Resigns, check, player
from strongroom.plugins.registry import PLAYERS, find_entry, is_by_scheme, is_registered
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import SITTERS, WITHOUT_AIDS, Record, Sitter, called_by_seat
from strongroom.referee.table import Table, tell_end
from strongroom.terminal.exits import unstoppable
from strongroom.terminal.faces.face import LISTED, Aside, Face, Looks
from strongroom.terminal.lines import NO, YES
from strongroom.terminal.printing import file_label, program, shell_quote
from strongroom.terminal.store import games, preferences
from strongroom.terminal.store.files import CannotSave
from strongroom.terminal.store.games import Journal
from strongroom.terminal.table.person import COMMANDS, Person
from strongroom.terminal.table.series import (
    MatchTable,
    Series,
    open_face,
    say_terms,
    show_terms,
)

if TYPE_CHECKING:
    from strongroom.contests.schedule import Make

HUMAN_PACE = 0.9
"""How long a bot takes over a move, in seconds, so that people can follow it."""
AIDS_ASKED: Final = "{} is asked for it before the next turn there, as both have to agree."
AIDS_STAY: Final = "Both have to agree: hints and notebook stay {}."
NO_HINT: Final = "There are no hints here: {} has not been solved{}."
AIDS_ON: Final = "Hints and notebook are on. To switch them off: aids"
AIDS_OFF: Final = "Hints and notebook are off: you see the bare record. To switch them on: aids"


@dataclass(frozen=True)
class Wishes:
    """The settings of a series, as given to `strongroom play`."""

    game: Game
    sitters: tuple[Sitter, Sitter] = SITTERS
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
    make: Make = player
    """Seats a bot by its name."""
    number: int = 1
    """The number of the match in the series; a rematch does not repeat its chance."""
    score: tuple[float, float] = (0.0, 0.0)
    """The points of each sitter from earlier matches."""

    def series(
        self, record: Record | None = None, journal: Journal | None = None
    ) -> Series[LocalTable]:
        """A series that begins with a new match, or goes on with the one of a record."""
        face = open_face(self.words or self.game.words, self.looks)
        if record is not None:
            face.aids = record.aids_now
        match = None if record is None else Match.resume(record)
        return Series(LocalTable(self, face, match, journal))


class LocalTable(MatchTable):
    """One match at one keyboard: it asks the people, stores every step, then tells the face."""

    def __init__(
        self, wishes: Wishes, face: Face, match: Match | None = None, journal: Journal | None = None
    ) -> None:
        self.face, self.game, self.strict = face, wishes.game, wishes.strict
        self._wishes = wishes
        seed = wishes.seed
        if seed is not None and wishes.number > 1:
            seed = stream(seed, f"match {wishes.number}").getrandbits(64)
        match = match or Match.start(
            *(wishes.game, wishes.sitters, wishes.turn_limit, draws(seed), nonces(seed)),
            *(face.aids, wishes.score),
        )
        self.score = match.record.score
        self._journal = journal
        self._unsaved: CannotSave | None = None
        """Why the file is behind the match, if it is."""
        self._pace = HUMAN_PACE if face.lines.interactive and not wishes.looks.fast else 0.0
        """How long a bot takes over a public move, in seconds, so that people can follow it."""
        self._in_private: Seat | None = None
        """Whose secrets may be on the screen."""
        self._wants_aids: Seat | None = None
        """Who of two people wants to switch the aids, which the other is still asked about."""
        self._announced = match
        self._people: dict[Seat, Person] = {}
        bots: dict[Seat, Player] = {}
        for seat, sitter in zip(Seat, match.record.sitters, strict=True):
            if sitter.is_person:
                self._people[seat] = Person(self, stream(seed, f"pick {seat.value}"))
            else:
                rng = stream(seed, f"player {seat.value}")
                bots[seat] = Bot(wishes.make, sitter.player, self.game, rng, self._think)
        self._table = Table(match, bots, self._watch)

    def _think(self, view: View) -> None:
        if self._pace:
            self.face.thinks(self.match.view(None), self._pace)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._table.match

    def public_view(self) -> View:
        """What a spectator may know."""
        return self.match.view(None)

    # --- a match of a series ---

    def seat(self) -> None:
        """Tell the face who plays, who is at the screen, and what was agreed."""
        sitters = self.match.record.sitters
        self.face.names = {seat: sitters[seat.index].name for seat in Seat}
        self.face.here = frozenset(self._people)
        show_terms(self.face, self.face.aids, sitters, LISTED)

    def sit_down(self) -> None:
        """Open the file of the match, and say what people should know about it."""
        record, told = self.match.record, self._wishes.told
        if self._journal is None:
            file = self._wishes.save or games.new_file(self.game.name)
            self._journal = Journal.create(file, record)
        if told and not record.steps:
            if self.face.lines.interactive:
                self.face.write(told)
            else:
                print(told, file=sys.stderr, flush=True)
        if self._wishes.toss and not record.steps:
            self.face.write(self._wishes.toss)
        say_terms(self.face)
        for sitter in record.sitters if self.face.lines.interactive else ():
            self._introduce(sitter)

    def _introduce(self, sitter: Sitter) -> None:
        if sitter.player in PLAYERS:
            _, line = PLAYERS[sitter.player]
            self.face.write(f"{sitter.description} {line}.")
            if sitter.player == "master":
                from strongroom.theory.shelf import guarantee_text  # numpy is loaded by now

                self.face.write(guarantee_text(self.game))
        elif is_by_scheme(sitter.player):
            if line := getattr(find_entry("player", sitter.player), "line", ""):
                self.face.write(f"{sitter.name} {line}.")

    def play(self) -> None:
        """Play the match to its end."""
        record = self.match.record
        begin = self.face.resume if record.steps else self.face.begin
        begin(self.public_view(), [sitter.player for sitter in record.sitters])
        while isinstance(seat := self._table.run().actor, Seat):
            self._ask(seat)
        self._leave_private()

    def _ask(self, seat: Seat) -> None:
        """Let a person move, who is told why if the move is refused."""
        person = self._people[seat]
        try:
            move = person.choose(self.match.view(seat))
        except Resigns:
            self._table.resign(seat)
            return
        before = self.match
        try:
            self._table.play(seat, move)
        except Refusal as refusal:
            if self.match is not before:  # the move was made, and something else is wrong
                raise
            person.refused(refusal)

    def break_off(self) -> None:
        """Hide what is private, and say where the unfinished game is and how to resume it."""
        self._leave_private()
        if trouble := self._store():
            self.face.note(f"\nNot saved. {trouble}")
        else:
            is_found = self.face.lines.interactive and games.is_latest_unfinished(self._file)
            found = "" if is_found else f" {shell_quote(self._file)}"
            self.face.left(f"{program()} resume{found}", self._file)

    def show_end(self, lines: list[str]) -> Record:
        """Say how the match ended, and where its record is."""
        trouble = self._unsaved and self._store()
        self.face.ended(self.public_view(), lines, None if trouble else self._file)
        if trouble:
            self.face.note(f"Not saved. {trouble}")
        return self.match.record

    def stand_up(self) -> None:
        """Close the file."""
        if self._journal is not None:
            self._journal.close()

    def rematch(self) -> LocalTable:
        """A match with the seats swapped, no toss, and a file of its own."""
        self.stand_up()
        one, two = self._wishes.sitters
        sitters = called_by_seat(two, one)
        renamed = [
            f"the former {was.name} is now {now.name}"
            for was, now in zip((two, one), sitters, strict=True)
            if was != now
        ]
        told = f"The seats are swapped: {renamed[0]}." if renamed else ""
        outcome, number = self.match.outcome, self._wishes.number + 1
        assert outcome is not None
        second, first = (self.score[seat.index] + outcome.points(seat) for seat in Seat)
        wishes = replace(
            self._wishes,
            sitters=sitters,
            toss="",
            told=told,
            save=None,
            number=number,
            score=(first, second),
        )
        self.face.forget()
        return LocalTable(wishes, self.face)

    # --- storing, then announcing ---

    def _watch(self, match: Match) -> None:
        """Store the new steps, then announce the public ones."""
        before, self._announced = self._announced, match
        if (trouble := self._store()) and match.outcome is None:
            goes_on = "The game goes on; that file holds it up to the last save."
            self.face.write(f"{trouble} {goes_on}")
        state, steps = before.state, match.since(before)
        for number, step in enumerate(steps, 1):
            assert step.move is not None
            state = match.state if number == len(steps) else state.play(step.move)
            if step.keeper is None:
                self._leave_private()
                self.face.happened(state.view(None))

    def _store(self) -> CannotSave | None:
        """Bring the file up to date; return what went wrong, if anything did."""
        try:
            self._update()
        except CannotSave as trouble:
            self._unsaved = trouble
        else:
            self._unsaved = None
        return self._unsaved

    def _update(self) -> None:
        assert self._journal is not None
        with unstoppable():
            self._journal.update(self.match.record)

    @property
    def _file(self) -> Path:
        assert self._journal is not None
        return self._journal.file

    # --- what a person at the table can ask for ---

    without_aids = f"{WITHOUT_AIDS} To switch them on: aids"

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
        self._store()
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
        question = Aside(prompt, "Type yes or no.", control=Choices(("no", "yes")))
        while (typed := self.face.read(view, question, False).strip().lower()) not in (*YES, *NO):
            refusal = f"{quote(typed)} is neither yes nor no."
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
            solved = is_registered("theory", view.game.name)
            return NO_HINT.format(self.face.words.title, " with these options" if solved else "")
        assert view.seat is not None
        self._table.note_hint(view.seat)
        self._store()
        self.face.suggest(advised.best[0].move)
        return "\n".join(advised.sentences(self.face.words))

    def save(self, name: str) -> str:
        """Bring the file up to date, or write a copy under a name; say where, in a sentence."""
        file = games.typed_file(name) if name else self._file
        if name:
            with unstoppable():
                games.save_copy(self.match.record, file)
        else:
            self._update()
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
            typed = self.face.hand_over(self.public_view(), self.face.names[view.seat])
            self._in_private = view.seat
            if not view.setting_up:
                self.face.position(view)
        elif not private:
            self._leave_private()
        if not view.setting_up:
            self._ask_about_aids(view)
        return typed

    def _leave_private(self) -> None:
        """Clear what only one of two people may see."""
        if self._in_private is not None:
            self.face.clear()
            self._in_private = None


class Bot(Follows):
    """A bot that is shown thinking over its public moves, so that people can follow them.

    Its output goes to standard error, since standard output is the table's or a stream of events.
    If standard error is a terminal, the output is dropped, as it would end up on somebody's page.
    """

    def __init__(
        self, make: Make, name: str, game: Game, rng: Random, thinks: Callable[[View], None]
    ) -> None:
        with _heard_aside():
            self._player = make(name, game, rng)
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
