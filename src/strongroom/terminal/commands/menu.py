"""`strongroom` alone: the set-up of a game on one page, or question by question; then the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from strongroom.contract import NAMES, Refusal
from strongroom.plugins import registry
from strongroom.terminal import preferences
from strongroom.terminal.asking import GoesBack, Item, PlainAsker, WantsNothing
from strongroom.terminal.commands.resume import go_on
from strongroom.terminal.exits import FINISHED, INPUT_ENDED
from strongroom.terminal.faces import Looks
from strongroom.terminal.lines import InputEnded, can_page, is_typed, open_lines
from strongroom.terminal.setup import (
    SEATS,
    TITLE,
    Setup,
    opponents,
    option_range,
    option_text,
    options_of,
    rules_of,
    spoken,
    title_of,
    unfinished,
    varied,
)
from strongroom.terminal.signs import tell_why_plain
from strongroom.terminal.table.local_sitting import LocalSitting, Wishes

HELP = """\
Choose with a number or the beginning of a name; Enter accepts the default. `back`
returns to the previous question, `rules` shows the rules, `quit` leaves. During a game,
`help` is always available.
"""


def run() -> int:
    """Set up a game and play it; a page comes back after a game that is finished or quit."""
    looks = Looks(motion=preferences.is_on("motion"), mouse=preferences.is_on("mouse"))
    try:
        if not can_page():
            if is_typed():
                tell_why_plain()
            asker = PlainAsker(open_lines(), TITLE, HELP)
            return _played(Questions(asker, looks).asked(), looks)[0]
        while True:
            code, was_quit = _played(_chosen_on_a_page(looks), looks)
            if code != FINISHED and not was_quit:
                return code
    except InputEnded:
        return INPUT_ENDED
    except WantsNothing:
        return FINISHED


def _chosen_on_a_page(looks: Looks) -> Wishes | Path:
    from strongroom.terminal.screen.display import Display  # scripts should not wait for rich
    from strongroom.terminal.setup_page import SetupPage

    page = SetupPage(looks, Display(looks.mouse))
    with page.display:
        return page.read()


def _played(wanted: Wishes | Path, looks: Looks) -> tuple[int, bool]:
    """Play a game; return the exit code, and whether the player quit."""
    if isinstance(wanted, Path):
        return go_on(wanted, looks)
    sitting = LocalSitting(wanted)
    return sitting.play(), sitting.was_quit


@dataclass
class Questions:
    """The set-up, question by question."""

    asker: PlainAsker
    looks: Looks
    setup: Setup = field(default_factory=Setup.remembered)

    def asked(self) -> Wishes | Path:
        """What to play, or which saved game to resume."""
        self.asker.begin()
        steps = (self._game, self._variation, self._opponent, self._seat, self._names)
        at, way = 0, 1
        while at < len(steps):
            try:
                answered = steps[at]()
                if isinstance(answered, Path):
                    return answered
                way = 1 if answered or way > 0 else -1  # on the way back, skip it if not asked
            except GoesBack:
                way = -1
            at = max(0, at + way)
        self.setup.remember()
        return self.setup.wishes(self.looks)

    # --- the questions; each returns whether it asked anything ---

    def _game(self) -> bool | Path:
        games = [
            Item(name, title_of(name), registry.summary("game", name))
            for name in registry.names("game")
        ]
        going_on = {
            str(each.file): Item(
                str(each.file), f"Resume {each.game}", f"{each.sitters}; {each.standing}"
            )
            for each in unfinished()
        }
        items = [*games, *going_on.values()]
        value = self.asker.choose("Which game?", items, self.setup.game, self._rules)
        if value in going_on:
            return Path(value)
        if value != self.setup.game:
            self.setup.choose(value)
        return True

    def _rules(self) -> str:
        if not self.setup.game:
            return "Choose a game first, or: strongroom rules GAME\n"
        return rules_of(self.setup.game)[1]

    def _variation(self) -> bool:
        asked = False
        while options := options_of(self.setup.played):
            asked = True
            as_it_is = ", ".join(
                f"{spoken(each.name)} {option_text(value)}" for each, value in options.items()
            )
            items = [Item("", "play it like this", as_it_is)]
            for each, value in options.items():
                meaning = f"{each.metadata['why']}; now {option_text(value)}"
                if allowed := option_range(each):
                    meaning += f" ({allowed})"
                items.append(Item(each.name, f"change {spoken(each.name)}", meaning))
            asking = f"Which variation of {self.setup.played.title}?"
            name = self.asker.choose(asking, items, "", self._rules)
            if not name:
                break
            self._change(name, getattr(self.setup.played.options, name))
        return asked

    def _change(self, name: str, value: Any) -> None:
        """Ask for a value until it is valid."""
        while True:
            try:
                typed = "no" if value is True else "yes"
                if not isinstance(value, bool):
                    now = option_text(value)
                    typed = self.asker.line(f"{spoken(name)} (now {now}): ", now)
                settings = {**self.setup.settings, name: typed}
                varied(self.setup.game, settings)
            except GoesBack:
                return
            except Refusal as refusal:
                self.asker.note(str(refusal))
            else:
                self.setup.settings = settings
                return

    def _opponent(self) -> bool:
        items = opponents(self.setup.played)
        usual = self.setup.opponent
        self.setup.opponent = self.asker.choose("Against whom?", items, usual, self._rules)
        return True

    def _seat(self) -> bool:
        self.setup.seat = self.asker.choose("Who starts?", SEATS, self.setup.seat, self._rules)
        return True

    def _names(self) -> bool:
        setup = self.setup
        own = "alone" if setup.is_alone else "yours"
        while True:
            setattr(setup, own, self._name("Your name", setup.names[0]))
            if not setup.is_alone:
                setup.others = self._name("Opponent's name", setup.names[1])
            try:
                setup.wishes(self.looks)
            except Refusal as refusal:
                self.asker.note(str(refusal))
            else:
                return True

    def _name(self, question: str, usual: str) -> str:
        # A seat's default name is unknown before the toss.
        by_seat = self.setup.seat == "toss" and usual in NAMES.values()
        enter = "Enter: named after the seat" if by_seat else f"Enter: {usual}"
        typed = self.asker.line(f"{question} ({enter}): ", usual)
        return "" if typed in self.setup.default_names else typed
