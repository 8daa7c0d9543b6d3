"""Words: what is asked, accepted, announced and understood in a game."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from strongroom.contract.candidates import Left
from strongroom.contract.drawing import Control, Drawing
from strongroom.contract.history import History
from strongroom.contract.moves import NAMES, Ending, Event, Json, Move, Names, Outcome, Seat
from strongroom.contract.refusal import NotLegal, Refusal, quote, tidy
from strongroom.contract.rules import CandidateTracker, Rules, option_text, require_attributes
from strongroom.contract.view import View

R = TypeVar("R", bound=Rules)


class Question(NamedTuple):
    """What the actor is asked for the next line of a move."""

    prompt: str
    """The prompt in front of the typed line."""
    accepted: str
    """What the line may be, with an example."""
    heading: str = ""
    """Whose turn it is and what can be chosen, shown once before the first line."""
    given: tuple[str, ...] = ()
    """The lines of this move typed so far; this question asks for the next one."""
    control: Control | None = None
    """How arrows choose the answer; by default, they choose among the legal moves."""

    def __str__(self) -> str:
        return f"{self.heading}\n{self.prompt}".strip()


class Turn(NamedTuple):
    """A turn's row in the running record, including any replies and coin flip."""

    seat: Seat | None
    """Whose turn it was; None if it was chance's."""
    text: str
    """What was done, and the result."""
    result: str = ""
    """What the board showed afterwards, in games that show it in a column of its own."""
    mark: str = ""
    """What happened to the whole board at the end of the turn."""


class Words(ABC, Generic[R]):
    """A game's words: its rules in sentences. The same rules can have other sets of words."""

    title: ClassVar[str]
    """The game's name as people write it."""
    goal: ClassVar[str] = ""
    """How to win, in a sentence."""
    rules: str = ""
    """The rules in these words, as Markdown; empty if the rule book's page tells them."""
    symbols: ClassVar[tuple[str, str]] = ("X", "O")
    """The symbols of Seat.ONE and Seat.TWO, on boards that show who owns a cell."""
    secret_name: ClassVar[str] = "secret"
    """What a player's first secret is called."""
    result_name: ClassVar[str] = ""
    """What the record calls a turn's result; empty if turns have none."""
    restates_board: ClassVar[bool] = False
    """Whether announcements only say what the board shows, so that the next one outdates them."""

    answers_turns: ClassVar[bool] = False
    """Whether the record of a turn contains an answer that the board does not show."""

    def __init__(self, game: R) -> None:
        require_attributes(type(self), title="the game's name as people write it")
        self.game = game

    # --- asking and understanding ---

    @abstractmethod
    def question(self, view: View, names: Names = NAMES) -> Question:
        """The first question to the actor of a view."""

    @abstractmethod
    def understand(self, text: str, view: View) -> Move:
        """The move that a tidied text means in this view, or a refusal."""

    def text(self, move: Move) -> str:
        """A move as these words write it, and as `parse` understands it."""
        return str(move)

    def mention(self, move: Move) -> str:
        """A move as mentioned within a sentence; a move that is itself a sentence is quoted."""
        text = self.text(move)
        return f'"{text.rstrip(".")}"' if text.endswith(".") else text

    def parse(self, text: str, view: View) -> Move:
        """The move that a text means, whoever wrote it; or a refusal.

        This is not the answer to a question, so there is no menu: the text has to name the move.
        """
        return self.understand(tidy(text), view)

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """What a line means in answer to a question: a move, or the question for the next line."""
        return self.parse(" ".join((*question.given, line)), view)

    @property
    def told_rules(self) -> str:
        """The rules as a text tells them: without commands, with the options if any are chosen."""
        if self.rules:
            return self.rules
        game: Any = self.game
        page, _, rest = game.rules_page.partition("## Options")
        told = [page.partition("## What to type")[0].strip()]
        if game.options != type(game)().options:
            options = game.options.to_json().items()
            chosen = ", ".join(f"{name}={option_text(value)}" for name, value in options)
            told += [f"## Options{rest.partition('## ')[0]}".strip(), f"This game has {chosen}."]
        return "\n\n".join(told)

    def asked_at_once(self, view: View, names: Names = NAMES) -> str:
        """What a player is asked who names a whole move at once, without a menu or second line."""
        asked = self.question(view, names)
        return f"{asked.prompt.strip()} {asked.accepted}"

    def heard(self, text: str) -> str:
        """A text that somebody wrote in these words, in the game's own."""
        return text

    def legal_move(self, text: str, view: View) -> Move:
        """The legal move that a text is; or a refusal with why not, and what would be accepted."""
        try:
            move = self.parse(text, view)
            if move in view.moves:
                return move
            refused = why_not(move, view)
        except Refusal as unread:
            refused = unread
        refusal = self.reword_refusal(refused, view)
        refusal.accepted = self.accepted_at_once(refusal, view)
        raise refusal

    def accepted_at_once(self, refusal: Refusal, view: View) -> str:
        """What such a player is told to write instead of what was refused."""
        return refusal.accepted or self.asked_at_once(view)

    def secrecy(self, view: View, names: Names = NAMES) -> str:
        """Who will see the secret that the actor is asked for, and when, in a sentence."""
        return "Only you see it, until the game is over."

    def picks(self, view: View) -> Sequence[Move]:
        """The legal moves to sample from for a person who leaves the set-up to chance."""
        return view.moves

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of decision that the game has, in the order to show them."""
        return (*((self.hiding,) if self.game.secrets_each else ()), "a move")

    @property
    def hiding(self) -> str:
        """What choosing a secret is called, as a kind of decision."""
        return f"hiding a {self.secret_name}"

    def deciding(self, view: View) -> str:
        """The kind of decision that the actor faces: one of `kinds`, told from its view alone."""
        return self.hiding if view.setting_up else "a move"

    def preview(self, view: View, move: Move, names: Names = NAMES) -> str:
        """What a legal move of the actor would do, in a sentence; shown before it is made."""
        spoken = self.mention(move)
        return f"{spoken[:1].upper()}{spoken[1:]}."

    def puzzle(self, view: View) -> str:
        """The question of a puzzle: which move is right here, as a title."""
        return "One move. Which is best?"

    def lesson(self, view: View, names: Names = NAMES) -> str:
        """What to do and why, for who has made no move of this kind; empty if nothing is to say."""
        return "" if own_moves(view) else self.goal

    # --- announcing ---

    def welcome(self, view: View) -> str:
        """What is said before the first turn."""
        return f"Welcome to {self.title}!"

    @abstractmethod
    def announce(self, view: View, names: Names = NAMES) -> str:
        """What the referee says about the last public event to the players involved."""

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """What the referee says about the last public event to everyone else, in a sentence."""
        event = view.history[-1]
        actor = names[event.actor] if isinstance(event.actor, Seat) else "Chance"
        return f"{actor}: {self.note(event)}"

    def spoken_to(self, view: View) -> Seat | None:
        """The player whom the announcement of the last public event addresses, if any."""
        actor = view.history[-1].actor
        return actor if isinstance(actor, Seat) else None

    def board_shown(self, view: View) -> str:
        """The board as the rule book shows it below an announcement; empty if it does not."""
        return ""

    def say(
        self, view: View, names: Names = NAMES, here: Collection[Seat | None] | None = None
    ) -> str:
        """The latest announcement, worded for the seats that are here; before any, the welcome."""
        if not view.history:
            return self.welcome(view)
        if here is not None:
            for party in (view.history[-1].actor, self.spoken_to(view)):
                if isinstance(party, Seat) and party not in here:
                    return self.narrate(view, names)
        return self.announce(view, names)

    def closing(
        self, view: View, names: Names = NAMES, here: Collection[Seat | None] | None = None
    ) -> str:
        """The announcement that stays beside the result of a finished game."""
        return self.say(view, names, here)

    def picture(self, view: View) -> str:
        """The board as the rule book draws it; empty if there is none."""
        return ""

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing | None:
        """The board as tiles for a seat with these candidates left; None if there is no board."""
        return None

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How many candidates are left for a seat, in a sentence; an aid."""
        return ""

    # --- the running record ---

    def note(self, event: Event) -> str:
        """An event's line in the running record of the game."""
        return str(event.move) if event.answer is None else f"{event.move}: {event.answer}"

    def opens_turn(self, event: Event) -> bool:
        """Whether this event begins a turn, rather than continuing one."""
        return isinstance(event.actor, Seat)

    def turn(self, events: Sequence[Event]) -> Turn:
        """The row of a turn in the running record."""
        actor = events[0].actor
        seat = actor if isinstance(actor, Seat) else None
        return Turn(seat, ", ".join(map(self.note, events)))

    def events_by_turn(self, history: Iterable[Event]) -> Iterator[list[Event]]:
        """The events of each turn."""
        events: list[Event] = []
        for event in history:
            if events and self.opens_turn(event):
                yield events
                events = []
            events.append(event)
        if events:
            yield events

    def turns(self, history: Iterable[Event]) -> Iterator[Turn]:
        """The running record of the game, one row per turn."""
        return map(self.turn, self.events_by_turn(history))

    def notes(self, view: View, names: Names = NAMES) -> list[str]:
        """The running record of the game as numbered lines, one per turn."""
        lines = []
        for number, turn in enumerate(self.turns(view.history), 1):
            result = f", {self.result_name} {turn.result}" if turn.result else ""
            mark = f" ({turn.mark})" if turn.mark else ""
            name = names[turn.seat] if turn.seat else "Chance"
            lines.append(f"{number}. {name}: {turn.text}{result}{mark}")
        return lines

    def written(self, events: Sequence[Event]) -> str:
        """A turn in the record of a player who writes moves: the moves as they are written."""
        return self.turn(events).text

    # --- the end ---

    @abstractmethod
    def win_text(self, outcome: Outcome) -> str:
        """Why the winner won, as a predicate: "cracked the code"."""

    def ending(self, outcome: Outcome, names: Names = NAMES) -> str:
        """Who won and why, in a sentence."""
        if outcome.winner is None:
            return "undecided at the turn limit."
        winner, loser = names[outcome.winner], names[outcome.winner.other]
        if outcome.reason is Ending.RESIGNED:
            return f"{winner} won, because {whom(loser)} resigned."
        if outcome.reason is Ending.FORFEITED:
            if why := happened_to(loser, outcome.detail):
                return f"{winner} won, because {why}"
            because = f": {outcome.detail}" if outcome.detail else "."
            return f"{winner} won by the opponent's forfeit{because}"
        return f"{winner} {self.win_text(outcome)}."

    def why_private(self, view: View) -> str:
        """Why the rules make this turn private, in a sentence."""
        return "The question or a refusal could reveal something hidden."

    def reword_refusal(self, refusal: Refusal, view: View) -> Refusal:
        """The rules' refusal of a move in these words; by default, as the rules word it."""
        return refusal

    # --- the whole view, as JSON and as text ---

    def known_lines(self, view: View, opponent: str = "", as_written: bool = False) -> list[str]:
        """What a seat knows, line by line: who it is, its own secrets, and the record.

        The record has the moves `as_written`, for whoever writes them, or as people like them.
        """
        assert view.seat is not None
        against = f", against {opponent}" if opponent else ""
        lines = [f"You are Player {view.seat.value}{against}."]
        if view.secret:
            first, *clues = map(self.text, view.secret)
            lines.append(f"Your {self.secret_name}: {first}.")
            lines += [f"Your clue {number}: {clue}" for number, clue in enumerate(clues, 1)]
        names = names_for(view, opponent)
        if not as_written:
            return [*lines, *self.notes(view, names)]
        for number, events in enumerate(self.events_by_turn(view.history), 1):
            actor = events[0].actor
            name = names[actor] if isinstance(actor, Seat) else "Chance"
            mark = f" ({told})" if (told := self.turn(events).mark) else ""
            lines.append(f"{number}. {name}: {self.written(events)}{mark}")
        return lines

    def tell(self, view: View, names: Names = NAMES) -> Json:
        """A view as JSON data, with its sentences."""
        asked = self.question(view, names) if isinstance(view.actor, Seat) else None
        return view.to_json() | {
            "names": [names[seat] for seat in Seat],
            "announcement": self.say(view, names).strip(),
            "heading": asked.heading if asked else "",
            "prompt": asked.prompt.strip() if asked else "",
            "accepted": asked.accepted if asked else "",
            "notes": self.notes(view, names),
            "picture": self.picture(view),
            "ending": self.ending(view.outcome, names) if view.outcome else "",
        }

    def page(self, view: View, names: Names = NAMES) -> str:
        """A view as one page of text: title, board, record and question."""
        notes = "\n".join(self.notes(view, names))
        asked = str(self.question(view, names)) if isinstance(view.actor, Seat) else ""
        parts = [self.title, self.picture(view), notes, asked]
        return "\n\n".join(part for part in parts if part)


def why_not(move: Move, view: View) -> Refusal:
    """Why a move is not legal: what the rules refuse it with, as far as its player may know."""
    game: Any = view.game
    unsaid = NotLegal(f"{quote(str(move))} is not legal here.")
    try:
        state = game.sample(view, Random(0))
    except Refusal:  # a game may hide what is too hard to guess
        return unsaid
    try:
        state.play(move)
    except Refusal as refusal:
        return refusal
    return unsaid


class Ledger(Generic[R]):
    """The turns of a match, updated from the events since the last read."""

    def __init__(self, words: Words[R]) -> None:
        self.turns: list[Turn] = []
        self._words = words
        self._read = 0
        self._last: list[Event] = []
        """The events of the last turn, which may not be over."""

    def read(self, history: History[Event]) -> None:
        """Add the events since the last read."""
        if len(history) < self._read:
            self.turns, self._read, self._last = [], 0, []
        for event in history[self._read :]:
            if self._last and not self._words.opens_turn(event):
                self.turns.pop()
            else:
                self._last = []
            self._last.append(event)
            self.turns.append(self._words.turn(self._last))
        self._read = len(history)


REPEATS: Final = (
    "This position has now come up three times. No rule ends the game for that: somebody has to "
    "try something else."
)
OFTEN: Final = 3


class Repetition:
    """Counts the positions of a game: the board, who is to move, and what can still be hidden.

    Where what can be hidden is not counted, every event can tell something; the same event on the
    same board tells nothing new. A game with a limit on its turns repeats no position: fewer are
    left.
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._told: set[str] = set()
        self._board = ""
        self._candidates: CandidateTracker | None = None

    def noticed(self, view: View) -> bool:
        """Count a position; whether it is the first in this game to come up three times."""
        game = view.game
        if view.board is None or view.setting_up or game.most_turns is not None:
            return False
        before, self._board = self._board, str(game.board_to_json(view.board))
        self._candidates = self._candidates or CandidateTracker(game)
        left = [self._candidates.left_for(seat, view.history) for seat in Seat]
        if None in left and game.secrets_each and view.history:
            self._told.add(f"{before} {game.event_to_json(view.history[-1])}")
        if not isinstance(view.actor, Seat):
            return False
        known = [None if each is None else len(each) for each in left]
        most = max(self._seen.values(), default=0)
        position = f"{self._board} {view.actor} {known} {len(self._told)}"
        self._seen[position] += 1
        return most < OFTEN == self._seen[position]


# --- how a player is referred to -----------------------------------------------------------------


YOU: Final = "You"
"""The name of a person who plays alone at a keyboard and gave no name."""


def own_moves(view: View) -> list[Move]:
    """The public moves that the viewer has made."""
    return [event.move for event in view.history if event.actor is view.seat]


def names_for(view: View, opponent: str = "") -> Names:
    """What the players are called in what a seat is told: itself "You"."""
    assert view.seat is not None
    other = view.seat.other
    return {view.seat: YOU, other: opponent or NAMES[other]}


def possessive(name: str) -> str:
    """The possessive form of a name, before a noun.

    >>> possessive("Ada"), possessive("You")
    ("Ada's", 'Your')
    """
    return "Your" if name == YOU else f"{name}'s"


def owner(name: str) -> str:
    """The possessive form of a name, without a noun after it.

    >>> owner("Ada"), owner("You")
    ("Ada's", 'yours')
    """
    return "yours" if name == YOU else f"{name}'s"


def whom(name: str) -> str:
    """The name within a sentence, not at its start.

    >>> whom("Ada"), whom("You")
    ('Ada', 'you')
    """
    return "you" if name == YOU else name


def does(name: str, does: str, do: str) -> str:
    """The name with the matching verb form.

    >>> does("Ada", "wins", "win"), does("You", "wins", "win")
    ('Ada wins', 'You win')
    """
    return f"{name} {do if name == YOU else does}"


def spoken_to(name: str, words: str) -> str:
    """Words addressed to a player, with the name in front.

    >>> spoken_to("Ada", "choose a cell"), spoken_to("You", "choose a cell")
    ('Ada, choose a cell', 'Choose a cell')
    """
    return words[:1].upper() + words[1:] if name == YOU else f"{name}, {words}"


def before_number(name: str) -> str:
    """A name before a number, with a colon if the two would read as one.

    >>> before_number("Ada"), before_number("Player 1")
    ('Ada', 'Player 1:')
    """
    return f"{name}:" if name[-1].isdigit() else name


def turn_of(name: str) -> str:
    """Whose turn it is, as a heading.

    >>> turn_of("Ada"), turn_of("You")
    ("Ada's Turn", 'Your turn')
    """
    return f"{possessive(name)} {'turn' if name == YOU else 'Turn'}"


def happened_to(name: str, clause: str) -> str:
    """A clause about "it", rewritten for a name within a sentence; empty for any other clause.

    >>> happened_to("Ada", "it was away."), happened_to("You", "it was away.")
    ('Ada was away.', 'you were away.')
    >>> happened_to("Ada", "its time ran out."), happened_to("You", "its time ran out.")
    ("Ada's time ran out.", 'your time ran out.')
    >>> happened_to("Ada", "nobody knows")
    ''
    """
    first, _, rest = clause.partition(" ")
    if first == "its":
        return f"{'your' if name == YOU else possessive(name)} {rest}"
    if first != "it":
        return ""
    if name == YOU and rest.startswith("was "):
        rest = f"were {rest.removeprefix('was ')}"
    return f"{whom(name)} {rest}"


def what_is_left(name: str, left: Left, of: int) -> str:
    """How many candidates are left for a player, in a sentence.

    >>> what_is_left("Ada", {(3,), (9,)}, 30)
    'Left for Ada: 2 of 30.'
    """
    return f"Left for {whom(name)}: {len(left)} of {of}."


# --- how numbers are typed -----------------------------------------------------------------------


SEPARATOR: Final = re.compile(r" ?, ?| - |- ?| ")
"""What may separate two numbers; a hyphen that follows a blank and precedes a digit is a sign."""
_UNITS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NUMBER_WORDS: Final = (
    "zero", *_UNITS, "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    "seventeen", "eighteen", "nineteen", "twenty", *(f"twenty {unit}" for unit in _UNITS), "thirty",
)  # fmt: skip
"""The numbers from 0 to 30 in words, which only sentences may use."""


def numerals(text: str) -> tuple[str, ...]:
    """The runs of plain digits that a text consists of; empty if it holds anything else.

    Runs are separated by blanks, commas or single hyphens. A sign is not part of a number.

    >>> numerals("3-4-2"), numerals(" 5, 7 "), numerals("57")
    (('3', '4', '2'), ('5', '7'), ('57',))
    >>> [numerals(text) for text in ("-2", "+2", "5 -7", "1--1", "123.", "1/2", "²")]
    [(), (), (), (), (), (), ()]
    """
    rows = tuple(SEPARATOR.split(" ".join(text.split())))
    return rows if all(row.isascii() and row.isdigit() for row in rows) else ()


def whole_number(text: str) -> int | None:
    """The number that a text gives in plain digits; None if it is anything else.

    A very long number is cut to nine digits, which is still out of any range.

    >>> whole_number("0000000031"), whole_number("-2"), whole_number("1 6")
    (31, None, None)
    """
    rows = numerals(text)
    return int(rows[0].lstrip("0")[:9] or "0") if len(rows) == 1 else None


def is_number_word(text: str) -> bool:
    """Whether a text is a number from 0 to 30 in words.

    >>> is_number_word("Twenty-one"), is_number_word("save")
    (True, False)
    """
    return text.strip().lower().replace("-", " ") in NUMBER_WORDS
