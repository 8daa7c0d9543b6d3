"""A game's page: the answer being given at its bottom, and everything shown above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from rich.text import Text

from strongroom.contract import (
    Actor,
    CandidateTracker,
    Cells,
    Choices,
    Control,
    Drawing,
    Ledger,
    Left,
    Look,
    Question,
    Refusal,
    Seat,
    Spot,
    View,
    Way,
    Wheels,
    before_number,
    with_tile,
)
from strongroom.terminal.faces.face import HELP, UNSEEN, Face, command_keys
from strongroom.terminal.lines import plain_text
from strongroom.terminal.screen.keys import Editor, Key, Kind, Pressed, Target
from strongroom.terminal.screen.layout import (
    WIDE,
    Sheet,
    board,
    ledger_rows,
    pad_or_cut,
    rule,
    spread,
    strip,
    wrap,
)
from strongroom.terminal.screen.palette import BRIGHT, PLAYERS, SOFT

# --- the answer -----------------------------------------------------------------------------------


WAYS: Final = {Key.UP: Way.UP, Key.DOWN: Way.DOWN, Key.LEFT: Way.LEFT, Key.RIGHT: Way.RIGHT}
NO_CLICKS: Final = "Choose this with the arrows: the pointer would stay where you clicked."


@dataclass
class Answering:
    """The answer to a prompt while it is being given."""

    prompt: str
    line: Editor = field(default_factory=Editor)
    unseen: bool = False
    """Whether what is typed shows dots."""
    silent: bool = False
    """Whether what is typed shows nothing at all."""
    control: Control | None = None
    """The choices that arrows make while nothing is typed, and clicks at any time."""
    commands: Sequence[str] = ()
    """The commands that have a key."""
    words: Sequence[str] = ()
    """The commands that can be typed."""
    spot: Spot | None = None
    """The spot chosen on the board."""
    hint: Spot | None = None
    """The spot that a hint suggests, until something else is typed or chosen."""
    hint_line: str = ""
    """The line that a hint suggests, where arrows do not choose it."""
    marked: int | None = None
    """The command marked on the bar, while keys give commands; None while they type."""
    clicks: bool = True
    """Whether a click may choose; the pointer stays where the next person could see it."""
    withheld: str = ""
    """Why Tab takes no hint although one was given; otherwise empty."""
    note: str = ""
    """The commands that the line could become, or why a click does nothing."""

    @property
    def chosen(self) -> bool:
        """Whether the line was chosen with arrows or the mouse, and not typed."""
        return self.spot is not None

    @property
    def typed_choice(self) -> int | None:
        """The place of the only choice that begins with what is typed."""
        typed = plain_text(self.line.text).strip().lower()
        if not typed or self.unseen or not isinstance(self.control, Choices):
            return None
        names = [*self.control.answers]
        fits = [at for at, name in enumerate(names) if name.lower().startswith(typed)]
        return fits[0] if len(fits) == 1 else None

    @property
    def hint_spot(self) -> Spot | None:
        """The spot of the hint, while nothing is typed or chosen."""
        return None if self.chosen or self.line.text else self.hint

    @property
    def hinted(self) -> str:
        """The line that Tab takes, while nothing is typed or chosen."""
        if self.hint_spot is not None and self.control is not None:
            return self.control.answer(self.hint_spot)
        return "" if self.chosen or self.line.text else self.hint_line

    def press(self, key: Pressed) -> str | None:
        """Apply a key; return the line once it is given."""
        self.note = ""
        if isinstance(key, Target):
            return self._click(key)
        if self.marked is not None:
            return self._command(key)
        way = WAYS.get(key) if isinstance(key, Key) else None
        free = self.chosen or not self.line.text or (self.unseen and self.clicks)
        if way is not None and self.control is not None and free:
            self._choose(self.control.move_spot(self.spot, way))
            return None
        match key:
            case Key.ENTER:
                return plain_text(self.line.text)
            case Key.ESCAPE if self.line.text:
                self._choose(None)
            case Key.ESCAPE if self.commands:
                self.marked = 0
            case Key.TAB if self.hint_spot is not None:
                self._choose(self.hint_spot)
            case Key.TAB if self.hinted:
                self.line.text, self.line.at = self.hinted, len(self.hinted)
            case Key.TAB if self.withheld and not self.line.text:
                self.note = self.withheld
            case Key.TAB:
                self._complete()
            case Key.HELP if self.commands:
                return HELP
            case "?" if self.commands and (self.chosen or not self.line.text):
                return HELP
            case _:
                if self.chosen and (isinstance(key, str) or key is Key.BACKSPACE):
                    self._choose(None)
                self.line.press(key)
        return None

    def _click(self, target: Target) -> str | None:
        """Choose what was clicked, or mark a command; a second click there takes it."""
        if target.kind is Kind.ENTER and (self.chosen or self.hinted):
            return plain_text(self.line.text if self.chosen else self.hinted)
        if target.kind is Kind.COMMAND:
            if self.marked == target.at[0]:
                return self.commands[self.marked]
            self.marked, self.spot = target.at[0], None
            self.line.text, self.line.at = "", 0
            return None
        spot: Spot | None = None
        if target.kind is Kind.TILE and self.control is not None:
            spot = self.control.click_spot(self.spot, *target.at)
        elif target.kind is Kind.CHOICE and isinstance(self.control, Choices):
            spot = target.at
        if spot is None:
            return None
        if not self.clicks:
            self.note = NO_CLICKS
            return None
        if self.marked is None and spot == self.spot:
            return plain_text(self.line.text)
        self.marked = None
        self._choose(spot)
        return None

    def _choose(self, spot: Spot | None) -> None:
        self.spot = spot
        text = "" if spot is None or self.control is None else self.control.answer(spot)
        self.line.text, self.line.at = text, len(text)

    def _command(self, key: Pressed) -> str | None:
        """Give a command by its key, or mark one with arrows."""
        assert self.marked is not None
        letters = command_keys(self.commands)
        by_key = {letter: command for command, letter in letters.items() if letter}
        if key is Key.ENTER:
            return self.commands[self.marked]
        if isinstance(key, str) and key.lower() in by_key:
            return by_key[key.lower()]
        if isinstance(key, Key) and key in WAYS:
            (self.marked,) = Choices(self.commands).move_spot((self.marked,), WAYS[key])
        elif key is not Key.REDRAW:
            self.marked = None
            return None if key is Key.ESCAPE else self.press(key)
        return None

    def _complete(self) -> None:
        """Complete a command as far as it is certain, and say what it could become."""
        if self.unseen or self.silent or self.chosen:
            return
        fits = [each for each in self.words if each.startswith(self.line.text.lower())]
        if fits:
            beginnings = (fits[0][:length] for length in range(len(fits[0]), 0, -1))
            text = next((x for x in beginnings if all(fit.startswith(x) for fit in fits)), "")
            self.line.text, self.line.at = text, len(text)
        if len(fits) > 1:
            self.note = ", ".join(fits)


# --- the scene ------------------------------------------------------------------------------------


CAPTION: Final = 36
"""The columns for the count below a board, at least."""
BAR: Final = ("hint", "notebook", "aids", "rules", "quit")
"""The commands listed below a page, as far as there are such; the help has all."""
ARROWS: Final = "Arrows show it."
IN_SIGHT: Final = "What arrows choose is in sight until Enter; what you type is not."
NARROW_NAME: Final = 12
"""The most columns of a name on a narrow page, so that there is room for the secret."""


def _nearest(drawing: Drawing, control: Cells, start: Spot) -> Spot:
    """The tile nearest to a spot that can be chosen and is not ruled out."""
    free = [
        spot
        for row, tiles in enumerate(drawing.rows)
        for at, tile in enumerate(tiles)
        if tile.look is not Look.FAINT and (spot := control.click_spot(None, row, at))
    ]
    return min(
        free, key=lambda spot: abs(spot[0] - start[0]) + abs(spot[1] - start[1]), default=start
    )


def _stand_out(drawing: Drawing, control: Control | None, answer: str, look: Look) -> Drawing:
    """A drawing in which the tiles stand out that an answer chooses."""
    spot = None if control is None else control.find(answer)
    if control is None or spot is None:
        return drawing
    chosen = control.mark_spot(drawing, spot)
    for row, tiles in enumerate(chosen.rows):
        for at, tile in enumerate(tiles):
            if tile != drawing.rows[row][at] and tile.look in (Look.CHOSEN, Look.TOUCHED):
                drawing = with_tile(drawing, row, at, look)
    return drawing


class Scene:
    """The content of a page about a game; nothing in it is hidden from the people at the screen."""

    def __init__(self, face: Face, unicode: bool = True) -> None:
        self.face = face
        """The source of the words, names and score."""
        self.unicode = unicode
        self.view: View | None = None
        """The spectator's view of the game."""
        self.actor: Actor | None = None
        """The player being asked."""
        self.secret = ""
        """The secret of the person at the screen, if there is only one."""
        self.hides_secret = False
        self.scrolled = 0
        """How many of the newest turns are scrolled out of view."""
        self.says: list[str] = []
        """The announcements since the last question."""
        self.notice: Text | None = None
        """An answer to the person being asked; the next line typed removes it."""
        self.cover: list[str] = []
        """Text that covers the announcements, as while the keyboard is handed over."""
        self.heading = ""
        self.typed: list[str] = []
        """The lines typed for this move, with their prompts."""
        self.keys: Sequence[str] = ()
        """The keys of a page without a prompt."""
        self.preview: Callable[[str], str] = lambda line: line
        """The effect of a chosen line, in a sentence."""
        self.lesson = ""
        """What a beginner is told about the move that is asked for."""
        self.control: Control | None = None
        """The control of those answers."""
        self.looks: dict[str, Look] = {}
        """How the places of some answers stand out."""
        self._answering: Answering | None = None
        """The answer being given on the page as it was last drawn."""
        self._ledger = Ledger(face.words)
        self._candidates = CandidateTracker(face.words.game)

    def preview_text(self, view: View, question: Question, line: str) -> str:
        """The effect of a line that answers a question: a move, or another question."""
        words = self.face.words
        try:
            move = words.answer(line, view, question)
        except Refusal:
            return line
        if isinstance(move, Question):
            asked = move.prompt.rstrip(": ")
            return f"next, {asked[0].lower()}{asked[1:]}"
        return words.preview(view, move, self.face.names) if move in view.moves else line

    def scroll(self, turns: int) -> None:
        """Scroll the record: back if `turns` is positive, forward if negative."""
        most = max(0, len(self._ledger.turns) - 1)
        self.scrolled = max(0, min(most, self.scrolled + turns))

    def top(self, width: int) -> list[Text]:
        """The header of every page of this game."""
        narrow = width < WIDE
        title = Text(self.face.words.title, "bold")
        if narrow and self.face.here:
            title.append(f"  aids {'on' if self.face.aids else 'off'}", SOFT)
        elif self.face.terms and not narrow:
            title.append(f"   {self.face.terms}", SOFT)
        return [
            spread(title, self._score(narrow), width),
            rule(width),
            spread(self._player(Seat.ONE, narrow), self._player(Seat.TWO, narrow), width),
        ]

    def sheet(self, answering: Answering | None = None) -> Sheet:
        """The page, with the answer being given at the bottom; None if nobody is asked."""
        self._answering = answering
        line = Editor() if answering is None else answering.line
        unseen = answering is not None and answering.unseen and not answering.chosen
        silent = answering is not None and answering.silent
        dot = "" if silent else "•"
        heading = self._hiding_line(answering) if answering and answering.unseen else self.heading
        actor = self.actor
        style = f"bold {PLAYERS[actor.index]}" if isinstance(actor, Seat) else "bold"
        return Sheet(
            top=self.top,
            board=self.board,
            record=self._record,
            says=self._says_text(),
            newest_last=self.notice is None,
            keys=() if self.cover else self.keys or self._bar(answering),
            only_keys=bool(self.keys),
            commands=() if answering is None else answering.commands,
            marked=None if answering is None else answering.marked,
            heading=Text(heading, SOFT if answering and answering.unseen else style),
            own=next(filter(None, (self._secret_text(seat, False) for seat in Seat)), "")
            if self.view is not None and self.view.secrets is None
            else "",
            aim=self._aim,
            typed=self.typed,
            prompt=answering.prompt if answering else "",
            line=dot * len(line.text) if unseen or silent else line.text,
            at=None if answering is None else 0 if silent else line.at,
        )

    def _hiding_line(self, answering: Answering) -> str:
        """The line above a secret while it is chosen."""
        if answering.control is None or isinstance(answering.control, Choices):
            return "" if answering.chosen else UNSEEN
        return IN_SIGHT if answering.chosen else f"{UNSEEN} {ARROWS}"

    def _bar(self, answering: Answering | None) -> list[str]:
        """The commands, as words to type or, after Escape, each with its key."""
        if answering is not None and answering.marked is not None:
            letters = command_keys(answering.commands)
            return [f"{letters[each]} {each}".strip() for each in answering.commands]
        hide = [f"^X {'show' if self.hides_secret else 'hide'}"] if self.secret else []
        words = [each for each in BAR if each in self.face.commands]
        useless = {"aids" if "hint" in words else ""}
        if not self.face.words.game.secrets_each:
            useless.add("notebook")
        words = [each for each in words if each not in useless]
        return ["? all keys", "Esc single keys", *hide, *words]

    def _aim(self, width: int) -> Text:
        """The effect of Enter on the chosen spot, or the use of the arrows."""
        answering = self._answering
        if answering is None or self.cover:
            return Text()
        control, spot = answering.control, answering.spot
        if answering.hinted:
            return Text(f"Tab takes the hint: {self.preview(answering.hinted)}", BRIGHT)
        if control is None:
            return Text()
        if isinstance(control, Choices) and (spot or not control.names):  # the heading has names
            names = control.names or control.answers
            return strip(names, spot[0] if spot else answering.typed_choice, width)
        if spot is None:
            keys = f"{control.keys}   Enter" + "   ? keys" * (width < WIDE)
            return Text(" " if answering.line.text else keys, SOFT)  # its row stays
        return Text(f"Enter: {self.preview(answering.line.text)}", BRIGHT)

    def _says_text(self) -> Text:
        if self.cover:
            return Text("\n".join(self.cover), "bold")
        return self.notice or Text("\n".join(filter(None, self.says)), "bold")

    def _score(self, short: bool = False) -> Text:
        score = Text()
        for number, seat in enumerate(Seat):
            name, style = self.face.names[seat], PLAYERS[seat.index]
            points = f"{self.face.score[seat]:g}"
            if short:
                score.append(" : " if number else "").append(points, style)
            else:
                score.append("   " if number else "").append(before_number(name), style)
                score.append(f" {points}")
        return score

    def _player(self, seat: Seat, short: bool = False) -> Text:
        style = f"bold {PLAYERS[seat.index]}"
        name = Text().append(self._name(seat, short), style)
        if not self.face.words.game.secrets_each:
            name.append(f"  {self.face.words.symbols[seat.index]}")
        if secret := self._secret_text(seat, short):
            name.append(f" · {secret}", SOFT)
        if left := self.face.clock(seat):
            name.append(f"  {left}", "bold")
        if seat is Seat.ONE:
            return Text().append("● ", style).append_text(name)
        return name.append(" ●", style)

    def _name(self, seat: Seat, short: bool) -> str:
        name = self.face.names[seat]
        return pad_or_cut(name, NARROW_NAME).rstrip() if short else name

    def _secret_text(self, seat: Seat, short: bool) -> str:
        """The secret beside a name: at the end both, before that only a sole viewer's own."""
        view = self.view
        if view is not None and view.secrets is not None:
            return "".join(map(self.face.words.text, view.secrets[seat.index][:1]))
        if not self.secret or self.face.here != {seat}:
            return ""
        kind = "" if short else f"your {self.face.words.secret_name} "
        return f"{kind}hidden (^X)" if self.hides_secret else f"{kind}{self.secret}"

    def _perspective(self, view: View) -> Seat:
        """The seat from which the board is seen: the winner's, the person's, or the mover's."""
        outcome = view.outcome
        if outcome is not None and outcome.winner and outcome.reason in view.game.reasons:
            return outcome.winner
        if len(self.face.here) == 1:
            (seat,) = self.face.here
            return seat
        if self.face.here and isinstance(view.actor, Seat):
            return view.actor
        actors = (event.actor for event in reversed(view.history))
        return next((actor for actor in actors if isinstance(actor, Seat)), Seat.ONE)

    def board(self, width: int, height: int) -> list[Text]:
        """The board at a size, with what is being chosen on it."""
        view = self.view
        if view is None:
            return []
        seat = self._perspective(view)
        left = self._count_left(view, seat)
        drawing = self.face.words.drawing(view, seat, self.face.names, left)
        if drawing is None:
            picture = self.face.words.picture(view)
            return [Text(line) for line in picture.split("\n")] if picture else []
        for answer, look in self.looks.items():
            drawing = _stand_out(drawing, self.control, answer, look)
        answering = self._answering
        spot = answering and (answering.spot or answering.hint_spot)
        if answering and answering.control and spot:
            drawing = answering.control.mark_spot(drawing, spot)
        rows = board(drawing, width, self.unicode, height)
        across = max((row.cell_len for row in rows), default=0)
        if self.face.aids and view.game.secrets_each and view.outcome is None:
            # Room for the count, whatever it says, so that the board keeps its place.
            middle = min(width, max(across, CAPTION))
            rows = [Text(" " * ((middle - across) // 2)).append_text(row) for row in rows]
            for row in rows:
                row.pad_right(middle - row.cell_len)
            across = middle
        count = "" if left is None else self.face.words.count(seat, self.face.names, left)
        counts = self.face.aids and view.game.secrets_each and view.outcome is None
        count = count or " " * counts  # its room is kept before it has begun
        if count and len(rows) < height:
            rows += [Text()] * (len(rows) + 5 < height)
            rows += [Text(f"{line:^{across}}", SOFT) for line in wrap(count, across)]
        return rows

    def live(self, control: Control | None) -> Control | None:
        """A control that begins at something the aids have not ruled out."""
        view = self.view
        left = None if view is None else self._count_left(view, self._perspective(view))
        if view is None or not left:
            return control
        if isinstance(control, Wheels):
            shown = [control.faces[face] for face in control.start]
            ruled_out = all(map(str.isdecimal, shown)) and tuple(map(int, shown)) not in left
            first = control.find(control.between.join(map(str, next(iter(left)))))
            return replace(control, start=first[1:]) if ruled_out and first else control
        drawing = self.face.words.drawing(view, self._perspective(view), self.face.names, left)
        if isinstance(control, Cells) and drawing is not None and control.start is not None:
            return replace(control, start=_nearest(drawing, control, control.start))
        return control

    def _count_left(self, view: View, seat: Seat) -> Left | None:
        if not (self.face.aids and view.history and view.outcome is None):
            return None
        return self._candidates.left_for(seat, view.history)

    def _record(self, width: int, height: int) -> list[Text]:
        """The turns, and below them what a beginner is told."""
        told = [Text(line, BRIGHT) for line in wrap(self.lesson, width)]
        if not self.lesson or self.cover or len(told) > height:
            return self._turns(width, height)
        record = self._turns(width, height - len(told) - 1)
        return [*record, Text(), *told] if record else told

    def _turns(self, width: int, height: int) -> list[Text]:
        view = self.view
        if view is None or not view.history:
            return []
        self._ledger.read(view.history)
        return ledger_rows(
            self._ledger.turns,
            self.face.names,
            self.face.words.result_name,
            width,
            height,
            self.scrolled,
            lit=view.outcome is not None and view.outcome.reason in view.game.reasons,
        )
