"""A sitting: people and bots at one keyboard play a match, and perhaps another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from strongroom.game import Ambiguous, Move, NotUnderstood, Refusal, Seat, View
from strongroom.match import Match
from strongroom.players import Player, Resigns, player
from strongroom.record import Played, Sitter
from strongroom.terminal import store
from strongroom.terminal.face import Face

COMMANDS = ("help", "rules", "board", "history", "secret", "resign", "save", "quit")
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
    _in_private: Seat | None = field(default=None, init=False)
    """Whose hidden things may be on the screen."""

    def play(self) -> None:
        """Play the match to its end."""
        store.save(self.match.record, self.file)
        sitters = self.match.record.sitters
        begin = self.face.resume if self.match.record.moves else self.face.begin
        begin(self.match.view(None), [sitter.player for sitter in sitters])
        self.match.run({seat: self._seat(sitters[seat.index]) for seat in Seat})
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
        return Bot(player(sitter.player, self.rng), self.face)

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

    def choose(self, view: View) -> Move:
        """The bot's own choice."""
        move = self.player.choose(view)
        if not view.setting_up:
            self.face.chose(view, move)
        return move


class Person:
    """A person in a seat: asked in the rule book's words, answered at every line."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._face = table.face
        self._asked_again = False

    def choose(self, view: View) -> Move:
        """The move that the person's lines mean, however many it takes."""
        self._view = view
        self._table.arrive(view, view.private)
        lines: list[str] = []
        while True:
            line = self._ask(lines)
            if self._obeyed(line, lines):
                continue
            if view.setting_up and line.strip().lower() in ("", "r", "random"):
                return self._picked_at_random()
            if not line.strip():
                if not lines:
                    self.refused(NotUnderstood("Nothing typed.", view.game.accepts(view)))
                lines = []
                continue
            typed = [*lines, line]
            try:
                move = view.game.answer(view, typed)
            except Ambiguous as refusal:
                if view.game.ask(view, typed) != view.game.ask(view, lines):
                    lines = typed
                else:
                    self.refused(refusal)
                continue
            except Refusal as refusal:
                self.refused(refusal)
                continue
            if self._confirmed(move):
                self._asked_again = False
                return move

    def refused(self, refusal: Refusal) -> None:
        """Answer a line that is not accepted; nothing has changed."""
        self._asked_again = True
        self._face.refuse(self._view, refusal)
        if self._table.strict and not self._face.lines.interactive:
            raise IllegalLine

    # --- asking ---

    @property
    def _unseen(self) -> bool:
        """The first thing chosen is the secret; what follows has to be read to be written."""
        return self._view.setting_up and not self._view.secret

    def _ask(self, lines: Sequence[str]) -> str:
        question = self._view.game.ask(self._view, lines, self._face.names)
        heading, _, prompt = question.rpartition("\n")
        if heading and not self._asked_again:
            self._face.asks(self._view, heading)
        self._asked_again = True
        return self._face.read(self._view, prompt, self._unseen)

    def _confirmed(self, move: Move) -> bool:
        if not (self._unseen and self._face.lines.interactive):
            return True
        again = self._face.read(self._view, "Type it again to confirm: ", unseen=True)
        try:
            if self._view.game.answer(self._view, [again]) == move:
                return True
        except Refusal:
            pass
        self._face.tell(self._view, "The two did not match. Nothing is chosen yet.")
        return False

    def _picked_at_random(self) -> Move:
        self._asked_again = False
        move = self._table.rng.choice(self._view.moves)
        self._face.tell(self._view, f"Picked for you: {move}")
        if self._table.face.shared and self._face.lines.interactive:
            self._face.lines.read("Press Enter to hide it: ")
        return move

    # --- commands, open at every prompt ---

    def _obeyed(self, line: str, lines: Sequence[str]) -> bool:
        word, _, rest = line.strip().partition(" ")
        command = {"?": "help"}.get(word, word.lower())
        if command not in COMMANDS or (rest and command != "save"):
            return False
        match command:
            case "help":
                self._face.tell(self._view, self._help(lines))
            case "rules":
                self._face.tell(self._view, self._view.game.rules)
            case "board":
                self._face.tell(self._view, self._board())
            case "history":
                self._face.tell(self._view, self._history())
            case "secret":
                self._show_secret()
            case "resign":
                self._resign()
            case "save":
                self._save(rest)
            case "quit":
                raise Quits
        return True

    def _help(self, lines: Sequence[str]) -> str:
        accepts = self._view.game.accepts(self._view, lines)
        if self._view.setting_up:
            accepts += "\nAn empty line, or r, picks one for you."
        elif lines:
            accepts += "\nAn empty line goes back to the first question."
        return f"{accepts}\nAt every prompt: {', '.join(COMMANDS)}."

    def _board(self) -> str:
        return self._view.game.picture(self._view) or "This game has no board; try history."

    def _history(self) -> str:
        notes = self._view.notes(self._face.names)
        return "\n".join(notes) or "Nothing has been played yet."

    def _show_secret(self) -> None:
        secret = " / ".join(map(str, self._view.secret)) or "nothing yet"
        if not self._table.face.shared:
            self._face.tell(self._view, f"Your secret: {secret}")
            return
        if not self._face.lines.interactive:
            self._face.refuse(self._view, NotUnderstood("A shared transcript shows no secret."))
            return
        self._table.arrive(self._view, private=True)
        self._face.write(f"Your secret: {secret}")
        self._face.lines.read("Press Enter to hide it: ")
        self._face.clear()
        self._table.arrive(self._view, self._view.private)
        self._asked_again = False

    def _resign(self) -> None:
        answer = self._face.read(self._view, "Resign? (yes/no): ", unseen=False)
        if answer.strip().lower() in YES:
            raise Resigns
        self._face.tell(self._view, "The game goes on.")

    def _save(self, name: str) -> None:
        file = Path(name.strip()).expanduser() if name.strip() else self._table.file
        try:
            store.save(self._table.match.record, file)
        except Refusal as refusal:
            self._face.tell(self._view, str(refusal))
        else:
            self._face.tell(self._view, f"Saved to {file}")
