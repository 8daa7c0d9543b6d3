"""Faces: how a match is shown, in lines, as JSON events, or on a page (see `page`)."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Self, TextIO

from strongroom.contract import (
    NAMES,
    REPEATS,
    Move,
    Names,
    NotLegal,
    Question,
    Refusal,
    Repetition,
    Seat,
    View,
    Words,
    does,
    possessive,
    quote,
    whom,
)
from strongroom.contract.codec import to_json
from strongroom.referee.record import Record
from strongroom.terminal.lines import (
    ALONE,
    NO,
    YES,
    InputEnded,
    LineSource,
    is_typed,
)
from strongroom.terminal.modes import (
    Modes,
    forget_typed,
    handling,
    keep_modes,
    read_ctrl_z,
    restore,
    write_through,
)
from strongroom.terminal.printing import (
    file_label,
    fit,
    has_second_screen,
    has_unicode,
    print_if_slow,
    spell,
)
from strongroom.text.quoting import printable_lines

HIDE = "Press Enter to hide it: "
UNSEEN = "Typing is hidden: each key shows a dot."
KEPT = "This terminal cannot be cleared: what is shown now can be scrolled back to."
COME_BACK = "Your place is kept. Come back with:"
NOTICED: Final = 0.5
"""After how long somebody notices that an answer takes a while, in seconds."""
LISTED = ("help", "rules", "hint", "notebook", "aids", "history", "resign", "save", "quit")
"""The commands that have a key on a page, which shows the board anyway; the help has the rest."""
AIDS: Final = ("hint", "notebook")
"""The commands that there are only with aids."""
MEANINGS: Final = {
    "hint": "the best move, and why",
    "notebook": "what can still be hidden",
    "rules": "how this game goes",
    "history": "every turn so far",
    "board": "the board once more",
    "secret": "show yours for a moment",
    "aids": "hints and notebook on or off",
    "claim": "win if the other stays away",
    "again": "choose another secret",
    "resign": "give the game up",
    "save": "where it is; NAME: a copy",
    "quit": "leave; nothing is lost",
}
"""What each command gives."""
HELP: Final = "?"
FIRST: Final = {"help": HELP, "hint": "h", "quit": "q"}
"""The keys of these commands, whatever other commands there are."""
BESIDE: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""Switches to a clean alternate screen."""
BACK: Final = "\x1b[2J\x1b[?1049l"
"""Clears it before switching back."""


class Aside(Question):
    """A question whose answer is no move, so that no hint answers it."""

    __slots__ = ()


def command_keys(commands: Sequence[str]) -> dict[str, str]:
    """A key for each command, one of its letters.

    >>> command_keys(("help", "rules", "hint", "history", "resign"))
    {'help': '?', 'rules': 'r', 'hint': 'h', 'history': 'i', 'resign': 'e'}
    """
    keys: dict[str, str] = {}
    for command in commands:
        taken = {*keys.values(), *FIRST.values()}
        own = next((letter for letter in command if letter not in taken), "")
        keys[command] = FIRST.get(command, own)
    return keys


def match_command(word: str, commands: Sequence[str]) -> str:
    """The command that a word is the beginning of, if there is one; `h` is the hint.

    >>> match_command("hin", ("help", "hint", "history"))
    'hint'
    >>> match_command("hi", ("help", "hint", "history"))
    ''
    """
    short = {letter: command for command, letter in FIRST.items() if command in commands}
    fits = [command for command in commands if word and command.startswith(word)]
    return short.get(word) or (fits[0] if len(fits) == 1 else "")


@dataclass(frozen=True)
class Looks:
    """The options for showing a match."""

    plain: bool = False
    json: bool = False
    aids: bool = True
    """Whether there are hints and a notebook."""
    motion: bool = True
    fast: bool = False
    mouse: bool = True
    """Whether clicks choose on the page."""


class Wish(Enum):
    """A wish of the players after a game."""

    REMATCH = "rematch"
    ANALYSIS = "analysis"
    REPLAY = "replay"
    SAVE = "save as"
    COPY = "copy"
    LEAVE = "leave"


class Face:
    """The plain face: the rule book's lines, and no decoration."""

    aids = False
    """Whether the players have hints and a notebook."""
    shows_terms = False
    """Whether the terms can always be seen, so that they need not be said."""

    def __init__(self, lines: LineSource, words: Words[Any]) -> None:
        self.lines = lines
        self.words = words
        self.names: Names = NAMES
        self.here: frozenset[Seat] = frozenset(Seat)
        """The seats of the people at this screen."""
        self.score: dict[Seat, float] = dict.fromkeys(Seat, 0.0)
        """The points of each seat's player in this sitting, before the current game."""
        self.commands: Sequence[str] = LISTED
        """The commands that are listed."""
        self.accepted: Sequence[str] = LISTED
        """All commands that the prompt accepts."""
        self.terms = ""
        """The terms that the players agreed on, if they are worth saying."""
        self.clock: Callable[[Seat], str] = lambda seat: ""
        """The time that a player has left; empty if there is no limit."""
        self.teaches = False
        """Whether somebody plays this game for the first time here."""
        self.chosen = False
        """Whether the last line was chosen in sight of the person, and not typed unseen."""
        self._analyzed = False
        self._repetition = Repetition()
        self._private = PrivatePage(lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the screen as it was found."""
        self._private.leave()

    @property
    def shared(self) -> bool:
        """Whether two people share this screen."""
        return len(self.here) == 2

    # --- public ---

    def forget(self, start: View | None = None) -> None:
        """Remove the previous game from the screen; `start`: what to show of the next one."""

    def begin(self, view: View, sitters: list[str]) -> None:
        """Welcome the players."""
        self._analyzed = False
        self._repetition = Repetition()
        self._say(view)
        if self.lines.interactive and self.here:
            self.write("\n".join([self.words.goal, "Type help at any prompt."]).strip())

    def resume(self, view: View, sitters: list[str]) -> None:
        """Say where an interrupted game stands."""
        parts = [f"Back at {self.words.title}.", *self.words.notes(view, self.names)]
        self.write("\n".join(parts))
        if not view.setting_up:
            self.position(view)

    def happened(self, view: View) -> None:
        """Announce the last public event."""
        # The lines typed for this move are public now.
        self.lines.release(seen=True, move=self.words.text(view.history[-1].move))
        self._say(view)
        if self._repetition.noticed(view) and self.lines.interactive:
            self.write(REPEATS)

    def _say(self, view: View) -> None:
        announced = self.words.announce(view, self.names) if view.history else ""
        said = self.words.say(view, self.names, self.here)
        if view.history and said != announced:
            said = f"\n{said}"  # the narrator's text is a separate paragraph
        self.write("\n\n".join(part for part in (said, self.words.board_shown(view)) if part))

    def thinks(self, view: View, seconds: float) -> None:
        """Show that a bot is choosing its move."""
        time.sleep(seconds)

    def asks(self, view: View, heading: str) -> None:
        """Say whose turn it is, above the first question of a turn."""
        self.write("\n" + heading)
        if any(map(self.clock, Seat)):
            left = ", ".join(f"{self.names[seat]} {self.clock(seat)}" for seat in Seat)
            self.write(f"Time left: {left}")

    def position(self, view: View) -> bool:
        """Show the board; False if the game has none."""
        if picture := self.words.picture(view):
            self.write(picture)
        return bool(picture)

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """Say how the match ended, and where its record is."""
        self.write("\n" + "\n".join(lines))
        if file is not None:
            self._print(f"Record: {file_label(file)}")

    def the_end(self, view: View) -> list[str]:
        """The winner and the reason, both secrets, and the number of turns."""
        assert view.outcome is not None
        secrets = [
            f"{possessive(self.names[seat])} secret: {' / '.join(map(self.words.text, secret))}"
            for seat, secret in zip(Seat, view.secrets or ((), ()), strict=True)
            if secret
        ]
        ending = self.words.ending(view.outcome, self.names)
        return [f"Game over: {ending}", *secrets, f"Turns: {view.turns}"]

    def left(self, resume: str, file: Path | None = None) -> None:
        """Say how to resume an unfinished game, which is in a file or goes on at a server."""
        self._leave(f"{'Saved. Resume with:' if file else COME_BACK} {resume}")

    def _leave(self, text: str) -> None:
        """Leave a line for the person who leaves."""
        self._print(f"\n{text}")

    def write(self, text: str) -> None:
        """Print public text."""
        self._print(fit(text, sys.stdout) if self.lines.interactive else text)

    def _print(self, text: str) -> None:
        self.lines.release(seen=False)
        self._private.keep(text)
        _print(text)

    def note(self, text: str) -> None:
        """Print public text that later text should not push away."""
        self.write(text)

    def retract(self, text: str) -> None:
        """Remove an announcement that no longer holds, where that is possible."""

    def go_through(self, moments: Sequence[View], sitters: list[str]) -> None:
        """Replay a game from its first moment to its last."""
        first, *rest = moments
        self.begin(first, sitters)
        for view in rest:
            self.happened(view)
        if moments[-1].outcome is None:
            self.write("\nThe game is not over.")
        else:
            self.ended(moments[-1], self.the_end(moments[-1]))

    def conclude(self, view: View, told: str, right: Sequence[Move], own: Move, copy: str) -> str:
        """Say what an answer to a puzzle was worth, beside what was right; return the next wish."""
        self.note(f"\n{told}\n\n{copy}")
        return ""

    # --- after a game ---

    def wish(self, record: Record, analysis: bool) -> Wish:
        """The wish of the players after a game; `analysis`: whether one is available."""
        if not self.lines.interactive:
            return Wish.LEAVE
        if analysis and not self._analyzed:
            self._analyzed = True
            if self._asks("\nAnalyze the game? (yes/no): "):
                return Wish.ANALYSIS
        again = self._asks("\nRematch with seats swapped? (yes/no): ")
        return Wish.REMATCH if again else Wish.LEAVE

    def show_analysis(self, record: Record) -> None:
        """Show what each move of a finished game cost."""
        from rich.console import Console

        from strongroom.accounts.analysis import analyze
        from strongroom.terminal.reports.analysis import show

        show(analyze(record), Console(markup=False, highlight=False))

    def _asks(self, question: str) -> bool:
        """Ask until the answer is yes or no; quitting means no."""
        try:
            while (typed := self.lines.read(question).strip().lower()) not in (*YES, *NO):
                if typed in ("q", "quit"):
                    return False
                said = f"{quote(typed)} is neither" if typed else "Type"
                self.write(f"{said} yes {'nor' if typed else 'or'} no.")
        except (InputEnded, KeyboardInterrupt):
            return False
        return typed in YES

    # --- for the person being asked ---

    def teach(self, view: View) -> None:
        """Tell a beginner what to do and why, before a first move of each kind."""
        if lesson := self.lesson(view):
            self.tell(view, lesson)

    def lesson(self, view: View) -> str:
        """What a beginner is told here; it contains no secret."""
        teaches = self.teaches and self.lines.interactive
        return self.words.lesson(view, self.names) if teaches else ""

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """Ask for a line; a script's line stays hidden if it could reveal something hidden."""
        secret = self._is_secret(view)
        if not self.lines.interactive:
            if secret and not view.setting_up:
                return self.lines.hold(question.prompt)
            return self.lines.read(question.prompt, unseen=view.setting_up)
        unseen = unseen or self.hides(view)
        if unseen:
            self.forget_typed()  # it was shown, so it is not meant for this prompt
            self.aside(UNSEEN)
        line = self.lines.read(question.prompt, unseen)
        self._private.keep(question.prompt + ("" if unseen else line))
        return line

    def hides(self, view: View) -> bool:
        """Whether lines typed now are hidden because this terminal could not remove them."""
        return self.lines.interactive and self._is_secret(view) and self._keeps_everything

    def forget_typed(self) -> None:
        """Discard what was typed before a prompt."""
        if is_typed():
            forget_typed(sys.stdin.fileno())

    def asks_in_parts(self, view: View) -> bool:
        """Whether a move may be asked for in several lines."""
        return True

    def tell(self, view: View, text: str) -> None:
        """Answer the person being asked, so that only that person can read it."""
        self.lines.release(seen=False)
        if not self._is_secret(view):
            self.write(text)
        elif not self.lines.interactive:
            _print(text, sys.stderr)
        else:
            self.aside(text)

    def explain(self, view: View, told: Sequence[str], commands: Sequence[str]) -> None:
        """Say what is accepted here, and which commands there are."""
        self.tell(view, "\n".join([*told, f"At every prompt: {', '.join(commands)}."]))

    def working(self, text: str) -> AbstractContextManager[None]:
        """Say that something is being computed for the person, if it takes a while."""
        return print_if_slow(text, NOTICED) if self.lines.interactive else nullcontext()

    def suggest(self, move: Move) -> None:
        """Mark on the board what a hint suggests, where only its taker can see it."""

    def show_page(self, view: View, title: str, page: str) -> None:
        """Answer with a long page, which is Markdown."""
        self.tell(view, page)

    def reveal(self, view: View, text: str, prompt: str = HIDE) -> str:
        """Show text that depends on a secret, then hide it; returns what was typed to hide it.

        With two people at the screen, `hand_over` comes first, so that its reader is alone.
        """
        if not self.shared:
            self.tell(view, text)
            return ""
        if not self.lines.interactive:
            _print(text, sys.stderr)
            return ""
        self.aside(text)
        return self.lines.read(prompt, unseen=self._keeps_everything)

    def refuse(self, view: View, refusal: Refusal) -> None:
        """Say why a line is not accepted; in private if the refusal would reveal something."""
        if self._is_secret(view) and not self.lines.interactive:
            # The same line, whatever was wrong: in a transcript, a mistyped answer must look like
            # one that a hidden code forbids. The reason goes to standard error.
            self.write("That line was not accepted.")
        self.tell(view, str(refusal))

    def _is_secret(self, view: View) -> bool:
        return self.shared and view.private

    # --- between two people at one screen ---

    def hand_over(self, view: View, name: str) -> str:
        """Wait until the person who may look is alone at the screen; returns what was typed."""
        self.clear()
        self._private.show()
        if view.history:
            self.aside(self.words.say(view, self.names).strip() + "\n")
        self.aside("\n".join(self.hand_over_words(view, name)))
        self.forget_typed()  # an extra key press is not an answer
        typed = self.lines.pause(ALONE)
        self.wipe()
        return typed

    def hand_over_words(self, view: View, name: str) -> list[str]:
        """The name of the next player, and why the page is private."""
        next_one = does(name, "is next", "are next")
        if view.setting_up:
            reason = [f"{next_one}, to choose in private."]
        elif view.private:
            reason = [f"{next_one}, in private.", self.words.why_private(view)]
        else:
            reason = [f"{does(name, 'is', 'are')} going to look at something in private."]
        kept = [KEPT] if self._keeps_everything else []
        return [*reason, *kept, f"Everyone but {whom(name)}: look away."]

    def aside(self, text: str) -> None:
        """Show text on the terminal only, even if standard output goes elsewhere."""
        if sys.stdout.isatty():
            self.write(text)
        else:
            self._private.keep(text)
            to_terminal(printable_lines(fit(text, sys.stdin)) + "\n")

    def clear(self) -> None:
        """Remove everything private from the screen and its scrollback."""
        self._private.leave()

    def wipe(self) -> None:
        """Clear a private page when what follows is private too."""
        self._private.wipe()

    @property
    def _keeps_everything(self) -> bool:
        """Whether this terminal cannot remove what it has shown."""
        return not has_second_screen()


def _print(text: str, stream: TextIO | None = None) -> None:
    print(spell(printable_lines(text), has_unicode()), file=stream, flush=True)


class JsonFace(Face):
    """One JSON event per line.

    With two people at the table, no event contains anything hidden before the end. With one
    person, the answers to that person's commands are notes, which may contain their own secret.
    """

    def begin(self, view: View, sitters: list[str]) -> None:
        """The first event: the game, its options and the players."""
        names = [self.names[seat] for seat in Seat]
        game = {"game": view.game.name, "options": view.game.options.to_json()}
        print_event("start", **game, names=names, players=sitters)

    resume = begin

    def happened(self, view: View) -> None:
        """A public move with the referee's answer and announcement."""
        print_event(
            "move",
            number=view.number,
            **view.game.event_to_json(view.history[-1]),
            board=view.game.board_to_json(view.board),
            turns=view.turns,
            announcement=self.words.say(view, self.names, self.here).strip(),
        )

    def asks(self, view: View, heading: str) -> None:
        """The question's own event has the heading."""

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """The last event: the outcome and everything revealed."""
        assert view.outcome is not None
        print_event(
            "end",
            **to_json(view.outcome),
            words=self.words.ending(view.outcome, self.names),
            turns=view.turns,
            secrets=[[str(move) for move in each] for each in view.secrets or ()],
            file=None if file is None else str(file),
        )

    def left(self, resume: str, file: Path | None = None) -> None:
        """Where the unfinished game is, or how to return to the server."""
        if file is None:
            print_event("left", resume=resume)
        else:
            print_event("saved", file=str(file), resume=resume)

    def write(self, text: str) -> None:
        """Text outside the game's own events."""
        print_event("note", text=text.strip())

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """A question, then its answer from standard input."""
        print_event(
            "ask",
            seat=view.actor.value if isinstance(view.actor, Seat) else None,
            heading=question.heading,
            prompt=question.prompt.strip(),
            accepted=question.accepted,
            private=view.private,
        )
        return self.lines.read("", unseen)

    def asks_in_parts(self, view: View) -> bool:
        """Not in private, where the events would reveal which question's line was refused."""
        return not self._is_secret(view)

    def refuse(self, view: View, refusal: Refusal) -> None:
        """A refused line, with the reason unless that could reveal something hidden."""
        if self._is_secret(view):
            print_event("refused", kind="private", rule=None, reason=None, accepted=None)
            print(refusal, file=sys.stderr, flush=True)
        else:
            rule = refusal.rule if isinstance(refusal, NotLegal) else None
            told = {"kind": type(refusal).__name__, "rule": rule and rule.value}
            print_event("refused", **told, reason=refusal.reason, accepted=refusal.accepted)


def print_event(event: str, **data: Any) -> None:
    """Print an event in a line of JSON, in ASCII whatever a file name contains."""
    print(json.dumps({"event": event, **data}), flush=True)


class PrivatePage:
    """A page for one of two people, on a screen that no signal or shell leaves visible.

    A terminal without an alternate screen gets empty lines instead, which push the page off it.
    """

    def __init__(self, lines: LineSource) -> None:
        self._lines = lines
        lines.put_away = self._put_away
        self._shown = False
        self._is_covered = False
        """Whether the page is hidden until its reader is alone again."""
        self._kept: list[str] = []
        """The lines on the page."""
        self._found: Modes = []
        """The terminal's modes before the page was shown."""
        self._held = contextlib.ExitStack()
        """What to undo when the page is left, however that happens."""

    def show(self) -> None:
        """Use the alternate screen."""
        self._held.callback(self._come_back)
        if is_typed():
            terminal = sys.stdin.fileno()
            self._held.enter_context(handling(signal.SIGTSTP, signal.SIG_IGN))
            try:
                self._found = self._held.enter_context(keep_modes(terminal, self._come_back))
                read_ctrl_z(terminal)
            except termios.error:  # the terminal is gone
                raise InputEnded from None
        self._shown = True
        self._turn_to()

    def keep(self, line: str) -> None:
        """Note a line on the page, if it is shown, to show it again after a stop."""
        if self._shown:
            self._kept.append(line)

    def wipe(self) -> None:
        """Clear the page, if it is shown, when what follows is private too."""
        if self._shown:
            self._turn_to()

    def leave(self) -> None:
        """Leave the screen as it was found."""
        self._held.close()

    @contextlib.contextmanager
    def _put_away(self) -> Iterator[None]:
        """Leave the page for the shell, then come back to it as soon as its reader is alone."""
        if not self._shown:
            yield
            return
        kept = self._kept
        self._come_back()
        restore(sys.stdin.fileno(), self._found)
        yield
        read_ctrl_z(sys.stdin.fileno())
        self._shown = True
        self._turn_to()
        if self._is_covered:  # stopped again before anybody was alone
            return
        self._is_covered = True
        try:
            self._lines.pause(ALONE)
        finally:
            self._is_covered = False
        self._turn_to()
        self._kept = kept
        to_terminal("".join(f"{spell(printable_lines(each), has_unicode())}\n" for each in kept))

    def _turn_to(self) -> None:
        self._kept = []
        if has_second_screen():
            to_terminal(BESIDE)

    def _come_back(self) -> None:
        if self._shown:
            self._shown = False
            self._kept = []
            pushed_off = "\n" * (2 * shutil.get_terminal_size().lines)
            with contextlib.suppress(OSError, ValueError):  # the terminal is gone
                to_terminal(BACK if has_second_screen() else pushed_off)


def to_terminal(text: str) -> None:
    """Write to the terminal, even if standard output is a pipe."""
    if sys.stdout.isatty():
        write_through(sys.stdout.fileno(), text, sys.stdout.encoding or "utf-8")
        return
    with contextlib.suppress(OSError), open("/dev/tty", "w", encoding="utf-8") as screen:
        screen.write(text)
