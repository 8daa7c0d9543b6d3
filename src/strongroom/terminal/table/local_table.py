"""A table whose referee is in this process: people and bots at one keyboard play a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strongroom.contract import Choices, Game, NotUnderstood, Question, Seat, View, shown
from strongroom.players import Player
from strongroom.players.drive import Drive
from strongroom.referee.match import Match
from strongroom.referee.randomness import stream
from strongroom.referee.record import WITHOUT_AIDS, Record, Step
from strongroom.terminal import preferences, store
from strongroom.terminal.faces.face import LISTED, NO, YES, Face
from strongroom.terminal.filenames import named
from strongroom.terminal.table.bot import Bot
from strongroom.terminal.table.person import COMMANDS, Host, Person
from strongroom.terminal.table.sitting import show_terms
from strongroom.terminal.table.stopping import unstoppable

AIDS_ASKED: Final = "{} is asked for it before the next turn there, as both have to agree."
AIDS_STAY: Final = "Both have to agree: hints and notebook stay {}."
NO_HINT: Final = "There are no hints here: {} has not been solved with these options."
AIDS_ON: Final = "Hints and notebook are on. To switch them off: aids"
AIDS_OFF: Final = "Hints and notebook are off: you see the bare record. To switch them on: aids"


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
        self.journal: store.Journal | None = None
        self.unsaved: store.CannotSave | None = None
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
        self._drive = Drive(match, players, self.watch)

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
        return self._drive.match

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.match.record.game

    @property
    def aids(self) -> bool:
        """Whether the players agreed on hints and a notebook."""
        return self.face.aids

    def play(self, journal: store.Journal) -> None:
        """Play the match to its end, and store it in the journal."""
        self.journal = journal
        record = self.match.record
        begin = self.face.resume if record.steps else self.face.begin
        begin(self.match.view(None), [sitter.player for sitter in record.sitters])
        self._drive.run()
        self.leave_private()

    # --- storing, then announcing ---

    def watch(self, match: Match, steps: tuple[Step, ...]) -> None:
        """Store the steps, then announce the public ones."""
        before, self._announced = self._announced, match
        if self.store(match) is not None and match.outcome is None:
            goes_on = "The game goes on; that file holds it up to the last save."
            self.face.write(f"{self.unsaved} {goes_on}")
        state = before.state
        for number, step in enumerate(steps, 1):
            assert step.move is not None
            state = match.state if number == len(steps) else state.play(step.move)
            if step.keeper is None:
                self.leave_private()
                self.face.happened(state.view(None))

    def store(self, match: Match | None = None) -> store.CannotSave | None:
        """Bring the file up to date; return what went wrong, if anything did."""
        assert self.journal is not None
        try:
            with unstoppable():
                self.journal.update((match or self.match).record)
        except store.CannotSave as trouble:
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
        self._drive.switch_aids(on)
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
        self._drive.hinted(view.seat)
        self.store()
        self.face.suggest(advised.best[0].move)
        return "\n".join(advised.sentences(self.face.words))

    def save(self, name: str) -> str:
        """Bring the file up to date, or write a copy under a name; say where, in a sentence."""
        assert self.journal is not None
        file = store.typed_file(name) if name else self.journal.file
        with unstoppable():
            if name:
                store.save_copy(self.match.record, file)
            else:
                self.journal.update(self.match.record)
        return f"Saved to {named(file)}"

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
