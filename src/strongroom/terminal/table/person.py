"""A person in a seat: asked in the game's words, with a reply to every line."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import islice
from random import Random
from typing import Final, Protocol

from strongroom.contract import (
    Choices,
    Control,
    Game,
    Move,
    NotUnderstood,
    Question,
    Refusal,
    View,
    is_number_word,
    quote,
)
from strongroom.players import Resigns
from strongroom.referee.record import WITHOUT_AIDS
from strongroom.terminal.faces.face import Aside, Face, match_command
from strongroom.terminal.lines import NO, YES, Leaves
from strongroom.text.spelling import did_you_mean

COMMANDS: Final = (
    *("help", "rules", "hint", "notebook", "history", "board", "secret", "resign", "save", "quit"),
)
MOST_NOTED: Final = 200
"""The most secrets that the notebook lists."""
PICK = ("r", "random")
MOST_LISTED: Final = 1000
"""If more moves than this are legal, arrows do not choose among them."""

AGAIN = Aside("Type it again to confirm: ", "Type the same again, or help.")
RESIGN = Aside(
    "Resign? (yes/no): ", "Type yes or no.", given=("resign",), control=Choices(("no", "yes"))
)
NOT_ACCEPTED = "That was not accepted."
"""Why a hidden line is refused: anything more could repeat it."""
SEEKING: Final = "Looking for a hint... Ctrl-C cancels it."
CANCELLED: Final = "The hint is cancelled."
KEEP = 'Press Enter to keep it, or type "again" for another: '


class Quits(Leaves):
    """A person leaves; the game is saved."""


class IllegalLine(Leaves):
    """A line of a strict script was refused."""


class Host(Protocol):
    """What a table does for the people who sit at it."""

    face: Face
    """Asks and answers them."""
    game: Game
    """The game being played."""
    without_aids: str = WITHOUT_AIDS
    """Why there is no hint."""
    strict: bool = False
    """Whether a script ends at its first refused line."""

    @property
    def aids(self) -> bool:
        """Whether the players get hints."""
        return self.face.aids

    @property
    def commands(self) -> Sequence[str]:
        """The commands accepted at every prompt."""
        return COMMANDS

    def arrive(self, view: View, private: bool) -> str:
        """If what follows is private, let only this person look; return what was typed then."""
        return ""  # on one's own screen, there is nothing to hand over

    def hint(self, view: View) -> str:
        """A hint on what to play here; the record notes that it was taken."""

    def save(self, name: str) -> str:
        """Save the game, under a name if there is one; return a sentence saying where it is."""

    def obey(self, command: str) -> str:
        """Run a command that only this kind of table has; return its answer."""
        raise AssertionError(command)


class Person:
    """A person in a seat, who is asked again after a refused line."""

    def __init__(self, host: Host, rng: Random) -> None:
        self._host = host
        self._face = host.face
        self._rng = rng
        """Picks a secret for a person who asks for a random one."""
        self._view: View | None = None
        self._question: Question | None = None
        """The second question of a move, once the first is answered."""
        self._waits: Question | None = None
        """The question shown while somebody else is to move."""
        self._waited: Question | None = None
        """The last such question, so that it is not announced twice."""
        self._has_heading = False

    def choose(self, view: View) -> Move:
        """The move that the person enters, over as many lines as it takes."""
        # The same number means the same question again, because the answer was refused.
        if self._view is None or view.number != self._view.number:
            self._question, self._has_heading = None, False
        self._view, self._waited = view, None
        self._obey(self._host.arrive(view, view.private))
        while True:
            line = self._ask()
            if self._obey(line):
                continue
            if view.setting_up and line.strip().lower() in PICK:
                return self._pick()
            try:
                move = self._parse(line)
            except Refusal as refusal:
                if self._obey(match_command(line.strip().lower(), self._host.commands)):
                    continue
                discreet = self._without_quote(refusal) if line.strip() else refusal
                self._refuse(self._or_a_command(line, discreet))
                continue
            if move is not None and self._confirm(move):
                return move

    def waits(self, view: View, question: Question) -> None:
        """Obey commands while somebody else is to move, until interrupted."""
        self._has_heading = question == self._waited and view is self._view
        self._view, self._waits, self._waited = view, question, question
        try:
            while True:
                line = self._ask()
                short = match_command(line.strip().lower(), self._host.commands)
                if line.strip() and not self._obey(short or line):
                    refusal = NotUnderstood("It is not your turn.", question.accepted)
                    self._face.refuse(view, self._or_a_command(line, refusal))
        finally:
            self._waits = None

    def refused(self, refusal: Refusal) -> None:
        """Tell the person that the referee refused the move."""
        self._refuse(self._without_quote(self._face.words.reword_refusal(refusal, self.view)))

    def _without_quote(self, refusal: Refusal) -> Refusal:
        """A refusal that says nothing of the line, if the line was typed unseen."""
        if not (self._unseen or self._face.hides(self.view)):
            return refusal
        discreet = copy(refusal)
        why = "" if self.view.setting_up else self._face.words.why_private(self.view)
        discreet.reason, discreet.accepted = (
            f"{NOT_ACCEPTED} {why}".strip(),
            self._next_question.accepted,
        )
        return discreet

    def _refuse(self, refusal: Refusal) -> None:
        self._face.refuse(self.view, refusal)
        if self._host.strict and not self._face.lines.interactive:
            raise IllegalLine

    @property
    def view(self) -> View:
        """What the person sees now."""
        assert self._view is not None
        return self._view

    # --- asking ---

    @property
    def _next_question(self) -> Question:
        return (
            self._waits or self._question or self._face.words.question(self.view, self._face.names)
        )

    @property
    def _unseen(self) -> bool:
        """Whether the input is hidden: the secret is, but later text is read as it is written."""
        return self.view.setting_up and not self.view.secret

    def _ask(self) -> str:
        question = self._next_question
        if not self._has_heading and self._waits is None:
            self._face.teach(self.view)
        if question.heading and not self._has_heading:
            self._face.asks(self.view, question.heading)
        self._has_heading = True
        self._face.accepted = self._host.commands
        if question.control is None and self._waits is None and self._face.lines.interactive:
            question = question._replace(control=self._list_moves())
        return self._face.read(self.view, question, self._unseen and self._waits is None)

    def _list_moves(self) -> Control | None:
        """The legal moves in a row, for a question that has no control of its own."""
        moves = self._face.words.picks(self.view) if self.view.setting_up else self.view.moves
        if not 0 < len(moves) <= MOST_LISTED:
            return None
        return Choices([self._face.words.text(move) for move in moves])

    def _parse(self, line: str) -> Move | None:
        """The move completed by this line, or None if another line is needed."""
        question = self._next_question
        if not line.strip():
            if not question.given:
                wanted = question.accepted
                raise NotUnderstood("Nothing typed.", f"{wanted} {self._or_random}".strip())
            self._question = None
            self._face.lines.release(seen=False)  # a retracted line is not part of the turn
            return None
        answer = self._face.words.answer(line, self.view, question)
        if isinstance(answer, Question):
            if not self._face.asks_in_parts(self.view):
                reason = f"{quote(line)} is part of a move; type a whole move on one line."
                raise NotUnderstood(reason, question.accepted)
            self._question = answer
            return None
        return answer

    @property
    def _or_random(self) -> str:
        return "Or type random to have one picked for you." if self.view.setting_up else ""

    def _or_a_command(self, line: str, refusal: Refusal) -> Refusal:
        """The refusal, with a suggestion if the line was probably meant as a command."""
        if is_number_word(line) or not isinstance(refusal, NotUnderstood):
            return refusal
        suggestion = did_you_mean(line.strip(), self._host.commands)
        if not suggestion:
            return refusal
        return NotUnderstood(refusal.reason, f"{suggestion} {refusal.accepted}")

    def _confirm(self, move: Move) -> bool:
        """Whether what was typed in the set-up is what was meant.

        A secret typed unseen at a shared screen is typed twice. Text in words may have been
        misread, so it is read back and can still be retracted.
        """
        if self.view.setting_up and not self._unseen and move in self.view.moves:
            return self._accept(f"Taken as: {self._face.words.text(move)}")
        typed_unseen = self._unseen and not self._face.chosen
        if not (typed_unseen and self._face.shared and self._face.lines.interactive):
            return True
        again = self._face.read(self.view, AGAIN, unseen=True)
        while self._obey(again):
            again = self._face.read(self.view, AGAIN, unseen=True)
        try:
            if self._face.words.answer(again, self.view, self._next_question) == move:
                return True
        except Refusal:
            pass
        self._tell("The two did not match. Nothing is chosen yet.")
        return False

    def _pick(self) -> Move:
        """A secret picked at random and accepted by the person."""
        while True:
            move = self._rng.choice(self._face.words.picks(self.view))
            if self._accept(f"Picked for you: {self._face.words.text(move)}"):
                return move

    def _accept(self, told: str) -> bool:
        """Whether the person keeps what is shown; a script does, without spending a line on it."""
        why = ""  # why it is asked once more
        while True:
            if not self._face.lines.interactive:
                self._tell(told)
                return True
            if self._face.shared:
                typed = self._face.reveal(self.view, why + told, KEEP)
                if self._unseen:  # a clue may stay visible while the next one is written
                    self._face.wipe()
            else:
                self._tell(why + told)
                typed = self._face.read(self.view, Aside(KEEP, ""), unseen=False)
            if not typed.strip():
                return True
            if typed.strip().lower() in ("again", "a", *PICK):
                return False
            why = "" if self._obey(typed) else "That is neither Enter nor again. "

    # --- commands, available at every prompt ---

    def _obey(self, line: str) -> bool:
        word, _, rest = line.strip().partition(" ")
        command = {"?": "help", "q": "quit", "exit": "quit"}.get(word.lower(), word.lower())
        if command not in self._host.commands or (rest and command != "save"):
            return False
        if command == "quit":
            raise Quits
        if command == "save":
            self._save(rest.strip())
        elif command in COMMANDS:
            getattr(self, f"_{command}")()
        else:
            self._tell(self._host.obey(command))
        return True

    def _tell(self, text: str) -> None:
        self._face.tell(self.view, text)

    def _rules(self) -> None:
        title = f"{self._face.words.title}: the rules"
        self._face.show_page(self.view, title, self._host.game.rules_page)

    def _hint(self) -> None:
        """Show a hint, unless the person cancels it; whoever interrupts a script ends it."""
        if not self._host.aids:
            return self._tell(self._host.without_aids)
        try:
            with self._face.working(SEEKING):
                hint = self._host.hint(self.view)
        except KeyboardInterrupt:
            if not self._face.lines.interactive:
                raise
            return self._tell(CANCELLED)
        return self._show_privately(hint)

    def _help(self) -> None:
        question = self._next_question
        back = "An empty line goes back to the first question." if question.given else ""
        secrets, aids = self._host.game.secrets_each, self._host.aids
        useful = {"secret": secrets, "hint": aids, "notebook": aids and secrets}
        commands = [each for each in self._host.commands if useful.get(each, True)]
        told = [*filter(None, (question.accepted, self._or_random, back))]
        self._face.explain(self.view, told, commands)

    def _notebook(self) -> None:
        """Tell what the public events have left, which is no secret."""
        seat, game = self.view.seat, self._host.game
        if not self._face.aids:
            return self._tell(self._host.without_aids)
        if seat is None or (candidates := game.candidates(seat)) is None:
            return self._tell("Nothing is hidden here.")
        left = candidates.after_all(self.view.history)
        texts = [self._face.words.text(game.secret_of(each)) for each in islice(left, MOST_NOTED)]
        more = [f"and {len(left) - MOST_NOTED:,} more"] if len(left) > MOST_NOTED else []
        count = self._face.words.count(seat, self._face.names, left)
        return self._tell(f"{count} {', '.join([*texts, *more])}".strip())

    def _board(self) -> None:
        if not self._face.position(self.view):
            self._tell("This game has no board; try history.")

    def _history(self) -> None:
        notes = self._face.words.notes(self.view, self._face.names)
        self._tell("\n".join(notes) or "Nothing has been played yet.")

    def _secret(self) -> None:
        if not self._host.game.secrets_each:
            return self._tell("Nothing is secret in this game.")
        secret = " / ".join(map(self._face.words.text, self.view.secret))
        told = f"Your secret: {secret}" if secret else "You have chosen nothing yet."
        return self._show_privately(told)

    def _show_privately(self, text: str) -> None:
        """Show text that depends on a secret; at a shared screen, on a page of its own."""
        if not (self._face.shared and self._face.lines.interactive):
            self._face.reveal(self.view, text)
            return
        word = self._host.arrive(self.view, private=True) or self._face.reveal(self.view, text)
        self._face.wipe()
        self._host.arrive(self.view, self.view.private)
        if not self.view.setting_up:
            self._face.position(self.view)
        self._has_heading = False
        self._obey(word)

    def _resign(self) -> None:
        while (
            typed := self._face.read(self.view, RESIGN, unseen=False).strip().lower()
        ) not in YES:
            if typed in NO:
                self._tell("The game goes on.")
                return
            if typed in ("q", "quit"):
                raise Quits
            self._face.refuse(self.view, NotUnderstood(f"{quote(typed)} is neither yes nor no."))
        raise Resigns

    def _save(self, name: str) -> None:
        try:
            self._tell(self._host.save(name))
        except Refusal as refusal:
            self._tell(str(refusal))
