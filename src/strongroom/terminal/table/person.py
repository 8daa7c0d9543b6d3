"""A person in a seat: asked in the game's words, answered at every line."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Protocol

from strongroom.contract import Game, Move, NotUnderstood, Question, Refusal, Seat, View
from strongroom.players import Leaves, Patient, Resigns
from strongroom.terminal.faces.face import Face
from strongroom.terminal.filenames import named

COMMANDS = ("help", "rules", "board", "history", "hint", "secret", "resign", "save", "quit")
YES = ("y", "yes")
NO = ("n", "no", "q", "quit", "")
PICK = ("", "r", "random")

AGAIN = Question("Type it again to confirm: ", "Type the same again.")
RESIGN = Question("Resign? (yes/no): ", "Type yes or no.")
HIDE = "Press Enter to hide it: "


class Quits(Leaves):
    """A person leaves; the game is saved."""


class IllegalLine(Leaves):
    """A line of a strict script was refused."""


class Fails(Leaves):
    """Something broke while a person was asked, which is not the person's fault."""

    def __init__(self, failure: Exception) -> None:
        super().__init__(failure)
        self.failure = failure


class Host(Protocol):
    """What the table does for a person who sits at it."""

    @property
    def game(self) -> Game:
        """What is played."""

    def arrive(self, view: View, private: bool) -> None:
        """Let only this person look, if what comes now is private."""

    def hinted(self, seat: Seat) -> None:
        """Keep in the record that a seat took a hint."""

    def save(self, name: str) -> Path:
        """Save the game, under a name if there is one; where it is now."""


class Person(Patient):
    """A person in a seat."""

    def __init__(self, host: Host, face: Face, rng: Random, strict: bool = False) -> None:
        self._host = host
        self._face = face
        self._rng = rng
        """Picks a secret for a person who wants none of their own."""
        self._strict = strict and not face.lines.interactive
        self._view: View | None = None
        self._question: Question | None = None
        """The second question of a move, once the first is answered."""
        self._has_heading = False

    def choose(self, view: View) -> Move:
        """The move that the person's lines mean, however many it takes."""
        try:
            return self._choose(view)
        except (Leaves, Resigns):
            raise
        except Exception as failure:
            raise Fails(failure) from failure

    def _choose(self, view: View) -> Move:
        # At the same number it is the same question again, because the answer was refused.
        if self._view is None or view.number != self._view.number:
            self._question, self._has_heading = None, False
        self._view = view
        self._host.arrive(view, view.private)
        while True:
            line = self._ask()
            if self._obeyed(line):
                continue
            if view.setting_up and line.strip().lower() in PICK:
                return self._picked()
            try:
                move = self._understood(line)
            except Refusal as refusal:
                self._refuse(refusal)
                continue
            if move is not None and self._confirmed(move):
                return move

    def refused(self, refusal: Refusal) -> None:
        """Hear from the referee that the rules forbid the move."""
        self._refuse(self._face.words.refused(refusal, self.view))

    def _refuse(self, refusal: Refusal) -> None:
        self._face.refuse(self.view, refusal)
        if self._strict:
            raise IllegalLine

    @property
    def view(self) -> View:
        """What the person sees now."""
        assert self._view is not None
        return self._view

    # --- asking ---

    @property
    def _asked(self) -> Question:
        return self._question or self._face.words.question(self.view, self._face.names)

    @property
    def _unseen(self) -> bool:
        """The first thing chosen is the secret; what follows has to be read to be written."""
        return self.view.setting_up and not self.view.secret

    def _ask(self) -> str:
        question = self._asked
        if question.heading and not self._has_heading:
            self._face.asks(self.view, question.heading)
        self._has_heading = True
        return self._face.read(self.view, question, self._unseen)

    def _understood(self, line: str) -> Move | None:
        """The move that is complete with this line, or None if another line is needed."""
        question = self._asked
        if not line.strip():
            if not question.given:
                raise NotUnderstood("Nothing typed.", question.accepted)
            self._question = None
            return None
        answer = self._face.words.answer(line, self.view, question)
        if isinstance(answer, Question):
            self._question = answer
            return None
        return answer

    def _confirmed(self, move: Move) -> bool:
        if not (self._unseen and self._face.lines.interactive):
            return True
        again = self._face.read(self.view, AGAIN, unseen=True)
        try:
            if self._face.words.answer(again, self.view, self._asked) == move:
                return True
        except Refusal:
            pass
        self._face.tell(self.view, "The two did not match. Nothing is chosen yet.")
        return False

    def _picked(self) -> Move:
        move = self._rng.choice(self.view.moves)
        self._face.tell(self.view, f"Picked for you: {self._face.words.text(move)}")
        if self._face.shared and self._face.lines.interactive:
            self._face.lines.read(HIDE)
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
                self._face.show_rules(self.view, self._host.game.rules_page)
            case "board":
                self._show_board()
            case "history":
                self._face.tell(self.view, self._history())
            case "hint":
                self._show_privately(self._hint())
            case "secret":
                self._secret()
            case "resign":
                self._resign()
            case "save":
                self._save(rest.strip())
            case "quit":
                raise Quits
        return True

    def _help(self) -> str:
        question = self._asked
        accepted = question.accepted
        if self.view.setting_up:
            accepted += "\nAn empty line, or r, picks one for you."
        elif question.given:
            accepted += "\nAn empty line goes back to the first question."
        return f"{accepted}\nAt every prompt: {', '.join(COMMANDS)}."

    def _show_board(self) -> None:
        if self._face.words.picture(self.view):
            self._face.position(self.view)
        else:
            self._face.tell(self.view, "This game has no board; try history.")

    def _history(self) -> str:
        notes = self._face.words.notes(self.view, self._face.names)
        return "\n".join(notes) or "Nothing has been played yet."

    def _hint(self) -> str:
        # Imported here: nobody who asks for no hint should wait for numpy.
        from strongroom.analysis import advise
        from strongroom.theory.solution import NoTheory

        try:
            best = advise(self.view)
        except NoTheory as refusal:
            return str(refusal)
        assert self.view.seat is not None
        self._host.hinted(self.view.seat)
        text = self._face.words.text
        return "\n".join(f"{text(each.move)}  {each.chance:.1%}  {each.why}" for each in best)

    def _secret(self) -> None:
        if self._host.game.secrets_each:
            secret = " / ".join(map(self._face.words.text, self.view.secret))
            self._show_privately(f"Your secret: {secret or 'nothing yet'}")
        else:
            self._face.tell(self.view, "Nothing is secret in this game.")

    def _show_privately(self, text: str) -> None:
        """Show what depends on a secret; with two people at the screen, on a page of its own."""
        if not self._face.shared:
            self._face.tell(self.view, text)
        elif not self._face.lines.interactive:
            print(text, file=sys.stderr, flush=True)
        else:
            self._host.arrive(self.view, private=True)
            self._face.aside(text)
            self._face.lines.read(HIDE)
            self._face.clear()
            self._host.arrive(self.view, self.view.private)
            if not self.view.setting_up:
                self._face.position(self.view)
            self._has_heading = False

    def _resign(self) -> None:
        if self._face.read(self.view, RESIGN, unseen=False).strip().lower() in YES:
            raise Resigns
        self._face.tell(self.view, "The game goes on.")

    def _save(self, name: str) -> None:
        try:
            file = self._host.save(name)
        except Refusal as refusal:
            self._face.tell(self.view, str(refusal))
        else:
            self._face.tell(self.view, f"Saved to {named(file)}")
