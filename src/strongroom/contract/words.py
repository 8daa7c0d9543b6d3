"""Words: what is asked, accepted, announced and understood at the table of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from strongroom.contract.candidates import Left
from strongroom.contract.drawing import Drawing
from strongroom.contract.history import History
from strongroom.contract.move import Event, Json, Move
from strongroom.contract.naming import happened_to, whom
from strongroom.contract.outcome import Ending, Outcome
from strongroom.contract.refusal import Refusal, tidy
from strongroom.contract.rules import Rules
from strongroom.contract.seat import NAMES, Names, Seat
from strongroom.contract.view import View

R = TypeVar("R", bound=Rules)


class Question(NamedTuple):
    """What the actor is asked for the next line of a move."""

    prompt: str
    """The words at whose end the line is typed."""
    accepted: str
    """What the line may be, with an example."""
    heading: str = ""
    """Whose turn it is and what can be chosen, shown once before the first line."""
    given: tuple[str, ...] = ()
    """The lines of this move that were typed already; with them, this question asks for more."""

    def __str__(self) -> str:
        return f"{self.heading}\n{self.prompt}".strip()


class Turn(NamedTuple):
    """A turn's row in the running record, with the replies and the coin that belong to it."""

    seat: Seat | None
    """Whose turn it was; None: chance's own."""
    text: str
    """What was done, and what came of it."""
    result: str = ""
    """What the board showed afterwards, where that fits a column of its own."""
    mark: str = ""
    """What happened to the whole board at its end."""


class Words(ABC, Generic[R]):
    """A game's words: its rules, spoken. Another set of words can stand over the same rules."""

    title: ClassVar[str]
    """The game's name as people write it."""
    goal: ClassVar[str] = ""
    """How one wins, in a sentence."""
    symbols: ClassVar[tuple[str, str]] = ("X", "O")
    """What stands for Seat.ONE and for Seat.TWO on a board that shows whose something is."""
    secret_name: ClassVar[str] = "secret"
    """What the first thing is called that each player hides."""
    result_name: ClassVar[str] = ""
    """What the record calls a turn's result; empty: turns have none."""

    def __init__(self, game: R) -> None:
        self.game = game

    # --- asking and understanding ---

    @abstractmethod
    def question(self, view: View, names: Names = NAMES) -> Question:
        """What the actor of a view is asked first."""

    @abstractmethod
    def understand(self, text: str, view: View) -> Move:
        """The move that a tidy text means here, or a refusal."""

    def text(self, move: Move) -> str:
        """How these words write a move, so that `parse` understands it."""
        return str(move)

    def spoken(self, move: Move) -> str:
        """A move within a sentence, as people speak of it; a sentence itself stands in quotes."""
        text = self.text(move)
        return f'"{text.rstrip(".")}"' if text.endswith(".") else text

    def parse(self, text: str, view: View) -> Move:
        """The move that somebody's text means, whoever wrote it; or a refusal.

        Without a question there is no menu: the text has to name the move itself.
        """
        return self.understand(tidy(text), view)

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """What a line typed at a question means: a move, or the question for the next line."""
        return self.parse(" ".join((*question.given, line)), view)

    def picks(self, view: View) -> Sequence[Move]:
        """The legal moves of which one is drawn for a person who leaves the set-up to chance."""
        return view.moves

    # --- announcing ---

    @abstractmethod
    def welcome(self, view: View) -> str:
        """What is said before the first turn."""

    @abstractmethod
    def announce(self, view: View, names: Names = NAMES) -> str:
        """What the referee says of the last public event, to those who made it."""

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """What the referee says of the last public event to everybody else, in a sentence."""
        event = view.history[-1]
        actor = names[event.actor] if isinstance(event.actor, Seat) else "Chance"
        return f"{actor}: {self.note(event)}"

    def spoken_to(self, view: View) -> Seat | None:
        """Whom the announcement of the last public event speaks to, if it speaks to anybody."""
        actor = view.history[-1].actor
        return actor if isinstance(actor, Seat) else None

    def board_shown(self, view: View) -> str:
        """The board as the rule book shows it below an announcement; empty where it does not."""
        return ""

    def say(
        self, view: View, names: Names = NAMES, here: Collection[Seat | None] | None = None
    ) -> str:
        """The latest announcement, as those hear it who are here; before any, the welcome."""
        if not view.history:
            return self.welcome(view)
        if here is not None:
            for party in (view.history[-1].actor, self.spoken_to(view)):
                if isinstance(party, Seat) and party not in here:
                    return self.narrate(view, names)
        return self.announce(view, names)

    def picture(self, view: View) -> str:
        """The board as the rule book draws it; empty where there is none."""
        return ""

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing | None:
        """The board as what it is, before a seat that reckons with what is left; None: none."""
        return None

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How much is left for a seat to reckon with, in a sentence; an aid."""
        return ""

    # --- the running record ---

    def note(self, event: Event) -> str:
        """An event's line in the running record of the game."""
        return str(event.move) if event.answer is None else f"{event.move}: {event.answer}"

    def opens_turn(self, event: Event) -> bool:
        """Whether a turn begins with this event, and does not go on with it."""
        return isinstance(event.actor, Seat)

    def turn(self, events: Sequence[Event]) -> Turn:
        """The row of a turn in the running record."""
        actor = events[0].actor
        seat = actor if isinstance(actor, Seat) else None
        return Turn(seat, ", ".join(map(self.note, events)))

    def turns(self, history: Iterable[Event]) -> Iterator[Turn]:
        """The running record of the game, a row a turn."""
        events: list[Event] = []
        for event in history:
            if events and self.opens_turn(event):
                yield self.turn(events)
                events = []
            events.append(event)
        if events:
            yield self.turn(events)

    def notes(self, view: View, names: Names = NAMES) -> list[str]:
        """The running record of the game as lines, numbered, one a turn."""
        lines = []
        for number, turn in enumerate(self.turns(view.history), 1):
            result = f", {self.result_name} {turn.result}" if turn.result else ""
            mark = f" ({turn.mark})" if turn.mark else ""
            name = names[turn.seat] if turn.seat else "Chance"
            lines.append(f"{number}. {name}: {turn.text}{result}{mark}")
        return lines

    # --- the end ---

    @abstractmethod
    def won(self, outcome: Outcome) -> str:
        """Why the winner won, as what the winner did: "cracked the code"."""

    def ending(self, outcome: Outcome, names: Names = NAMES) -> str:
        """Who won and why, in a sentence."""
        if outcome.winner is None:
            return "undecided at the turn limit."
        winner, loser = names[outcome.winner], names[outcome.winner.other]
        if outcome.reason is Ending.RESIGNED:
            return f"{winner} won: {whom(loser)} resigned."
        if outcome.reason is Ending.FORFEITED:
            if why := happened_to(loser, outcome.detail):
                return f"{winner} won: {why}"
            because = f": {outcome.detail}" if outcome.detail else "."
            return f"{winner} won by the opponent's forfeit{because}"
        return f"{winner} {self.won(outcome)}."

    def why_private(self, view: View) -> str:
        """Why a turn that the rules call private is one, in a sentence."""
        return "What is asked now, or refused, could tell something hidden."

    def refused(self, refusal: Refusal, view: View) -> Refusal:
        """How these words say that the rules refuse a move; by default as the rules say it."""
        return refusal

    # --- all of it, as it travels ---

    def tell(self, view: View, names: Names = NAMES) -> Json:
        """A view as JSON data with the sentences that belong to it."""
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


class Ledger(Generic[R]):
    """The turns of a match, read on from where they were last drawn."""

    def __init__(self, words: Words[R]) -> None:
        self.turns: list[Turn] = []
        self._words = words
        self._read = 0
        self._last: list[Event] = []
        """The events of the last turn, which may still go on."""

    def read(self, history: History[Event]) -> None:
        """Note what happened since."""
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
