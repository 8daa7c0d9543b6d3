"""A table: people and bots at one keyboard play a match."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from strongroom.game import Ambiguous, Move, NotUnderstood, Refusal, Seat, View
from strongroom.match import Match
from strongroom.players import Player, Resigns, player
from strongroom.record import Played, Sitter
from strongroom.terminal import store
from strongroom.terminal.face import Face

COMMANDS = ("help", "rules", "board", "history", "hint", "secret", "resign", "save", "quit")
YES = ("y", "yes")
NO = ("n", "no")


class Quits(Exception):
    """A person leaves; the game is saved."""


class IllegalLine(Exception):
    """A line of a strict script was refused."""


@dataclass
class Table:
    """One match at one keyboard: it seats the players, saves every move and tells the face."""

    match: Match
    face: Face
    file: Path
    rng: Random
    strict: bool = False
    pace: float = 0.0
    """How many seconds a bot takes over an open move, for people to follow it."""
    _in_private: Seat | None = field(default=None, init=False)
    """Whose hidden things may be on the screen."""

    def play(self) -> None:
        """Play the match to its end."""
        sitters = self.match.record.sitters
        players = {seat: self._seat(sitters[seat.index]) for seat in Seat}
        store.save(self.match.record, self.file)
        begin = self.face.resume if self.match.record.moves else self.face.begin
        begin(self.match.view(None), [sitter.player for sitter in sitters])
        self.match.run(players)
        store.save(self.match.record, self.file)
        self.leave_private()

    def watch(self, played: Played) -> None:
        """Save a move, and announce it unless it is hidden."""
        try:
            store.save(self.match.record, self.file)
        except store.CannotSave as trouble:
            self.face.write(f"{trouble} The game goes on; that file holds it up to the last save.")
        if played.nonce is None:
            self.leave_private()
            self.face.happened(self.match.view(None), played)

    def _seat(self, sitter: Sitter) -> Player:
        if sitter.player == "person":
            return Person(self)
        pause = self.pace if self.face.lines.interactive else 0.0
        return Bot(player(sitter.player, self.match.record.game, self.rng), self.face, pause)

    @property
    def _two_people(self) -> bool:
        return self.face.shared and self.face.lines.interactive

    def arrive(self, view: View, private: bool) -> None:
        """Hand the keyboard over before hidden things are shown, hide them afterwards."""
        if private and self._two_people and self._in_private is not view.seat:
            assert view.seat is not None
            self.face.hand_over(self.match.view(None), self.face.names[view.seat])
            self._in_private = view.seat
            if not view.setting_up:
                self.face.position(view)
        elif not private:
            self.leave_private()

    def leave_private(self) -> None:
        """Clear what only one of two people may see."""
        if self._in_private is not None:
            self.face.clear()
            self._in_private = None


@dataclass
class Bot:
    """A bot in its seat: its open choices are shown like typed ones."""

    player: Player
    face: Face
    pause: float

    def choose(self, view: View) -> Move:
        """The bot's own choice."""
        move = self.player.choose(view)
        if not view.setting_up:
            time.sleep(self.pause)
            self.face.chose(view, move)
        return move


class Person:
    """A person in a seat: asked in the rule book's words, answered at every line."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._face = table.face
        self._view: View | None = None
        self._lines: list[str] = []
        """What has been typed of a move that needs more than one line."""
        self._has_heading = False

    def choose(self, view: View) -> Move:
        """The move that the person's lines mean, however many it takes."""
        if view != self._view:  # else the same question again, because the answer was refused
            self._view, self._lines, self._has_heading = view, [], False
        self._table.arrive(view, view.private)
        while True:
            line = self._ask()
            if self._obeyed(line):
                continue
            if view.setting_up and line.strip().lower() in ("", "r", "random"):
                return self._picked_at_random()
            try:
                move = self._understood(line)
            except Refusal as refusal:
                self.refused(refusal)
                continue
            if move is not None and self._confirmed(move):
                return move

    def _understood(self, line: str) -> Move | None:
        """The move that is complete with this line, or None if another line is needed."""
        game, view, typed = self.view.game, self.view, [*self._lines, line]
        if not line.strip():
            if not self._lines:
                raise NotUnderstood("Nothing typed.", game.accepts(view))
            self._lines = []
            return None
        try:
            return game.answer(view, typed)
        except Ambiguous:
            if game.ask(view, typed) == game.ask(view, self._lines):
                raise
            self._lines = typed
            return None

    def refused(self, refusal: Refusal) -> None:
        """Answer a line that is not accepted; nothing has changed."""
        self._face.refuse(self.view, refusal)
        if self._table.strict and not self._face.lines.interactive:
            raise IllegalLine

    @property
    def view(self) -> View:
        """What the person sees now."""
        assert self._view is not None
        return self._view

    # --- asking ---

    @property
    def _unseen(self) -> bool:
        """The first thing chosen is the secret; what follows has to be read to be written."""
        return self.view.setting_up and not self.view.secret

    def _ask(self) -> str:
        question = self.view.game.ask(self.view, self._lines, self._face.names)
        heading, _, prompt = question.rpartition("\n")
        if heading and not self._has_heading:
            self._face.asks(self.view, heading)
        self._has_heading = True
        return self._face.read(self.view, prompt, self._unseen)

    def _confirmed(self, move: Move) -> bool:
        if not (self._unseen and self._face.lines.interactive):
            return True
        again = self._face.read(self.view, "Type it again to confirm: ", unseen=True)
        try:
            if self.view.game.answer(self.view, [again]) == move:
                return True
        except Refusal:
            pass
        self._face.tell(self.view, "The two did not match. Nothing is chosen yet.")
        return False

    def _picked_at_random(self) -> Move:
        move = self._table.rng.choice(self.view.moves)
        self._face.tell(self.view, f"Picked for you: {move}")
        if self._table.face.shared and self._face.lines.interactive:
            self._face.lines.read("Press Enter to hide it: ")
            self._face.clear()
        return move

    # --- commands, open at every prompt ---

    def _obeyed(self, line: str) -> bool:
        word, _, rest = line.strip().partition(" ")
        command = {"?": "help"}.get(word, word.lower())
        if command not in COMMANDS or (rest and command != "save"):
            return False
        match command:
            case "help":
                self._face.tell(self.view, self._help())
            case "rules":
                self._face.tell(self.view, self.view.game.rules)
            case "board":
                self._show_board()
            case "history":
                self._face.tell(self.view, self._history())
            case "hint":
                self._show_privately(self._hint())
            case "secret":
                secret = " / ".join(map(str, self.view.secret)) or "nothing yet"
                self._show_privately(f"Your secret: {secret}")
            case "resign":
                self._resign()
            case "save":
                self._save(rest)
            case "quit":
                raise Quits
        return True

    def _help(self) -> str:
        accepts = self.view.game.accepts(self.view, self._lines)
        if self.view.setting_up:
            accepts += "\nAn empty line, or r, picks one for you."
        elif self._lines:
            accepts += "\nAn empty line goes back to the first question."
        return f"{accepts}\nAt every prompt: {', '.join(COMMANDS)}."

    def _show_board(self) -> None:
        if self.view.game.picture(self.view):
            self._face.position(self.view)
        else:
            self._face.tell(self.view, "This game has no board; try history.")

    def _history(self) -> str:
        notes = self.view.notes(self._face.names)
        return "\n".join(notes) or "Nothing has been played yet."

    def _hint(self) -> str:
        from strongroom.analysis import advise
        from strongroom.theory import NoTheory

        try:
            best = advise(self.view)
        except NoTheory as refusal:
            return str(refusal)
        assert self.view.seat is not None
        self._table.match.hinted(self.view.seat)
        return "\n".join(f"{each.move}  {each.chance:.1%}  {each.why}" for each in best)

    def _show_privately(self, text: str) -> None:
        """Show what depends on a secret; with two people at the screen, on a page of its own."""
        if not self._face.shared:
            self._face.tell(self.view, text)
        elif not self._face.lines.interactive:
            print(text, file=sys.stderr, flush=True)
        else:
            self._table.arrive(self.view, private=True)
            self._face.aside(text)
            self._face.lines.read("Press Enter to hide it: ")
            self._face.clear()
            self._table.arrive(self.view, self.view.private)
            if not self.view.setting_up:
                self._face.position(self.view)
            self._has_heading = False

    def _resign(self) -> None:
        answer = self._face.read(self.view, "Resign? (yes/no): ", unseen=False)
        if answer.strip().lower() in YES:
            raise Resigns
        self._face.tell(self.view, "The game goes on.")

    def _save(self, name: str) -> None:
        file = Path(name.strip()) if name.strip() else self._table.file
        try:
            store.save(self._table.match.record, file)
        except Refusal as refusal:
            self._face.tell(self.view, str(refusal))
        else:
            self._face.tell(self.view, f"Saved to {file}")
