"""What is asked, announced and understood in Safe Code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from strongroom.contract import (
    NAMES,
    YOU,
    Ambiguous,
    Cells,
    Choices,
    Disguise,
    Drawing,
    Event,
    Left,
    Look,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Refusal,
    Seat,
    Tile,
    View,
    Words,
    does,
    own_moves,
    possessive,
    quote,
    spoken_to,
    tidy,
    turn_of,
    what_is_left,
    whole_number,
)
from strongroom.games.safe_code.clues import DRAWN, Clue
from strongroom.games.safe_code.kinds import HIGHEST, LOWEST
from strongroom.games.safe_code.reading import CLUE_HELP, parse_clue
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST, Number, SafeCode

RANGE = f"{LOWEST}-{HIGHEST}"
NUMBER_FORM = f"Type a whole number from {RANGE}, like 16."
ACTION_FORM = "Type 1 (or clue) to request a clue, 2 to guess, or guess 16 (or 16) to guess it."
MENU = "Choose an action:\n1. Request a clue\n2. Make a guess"
ACROSS = 6
"""How many numbers a row of the drawing has."""
WRITING = "writing a clue"
ASKING, ASKING_AGAIN = "asking for a clue", "asking for another"
GUESSING = "guessing"
RACING = "racing"
CLOSE = 8
"""With at most this many numbers left, a player is about to win."""
NUMBERS = Cells(
    [
        [str(number) for number in range(first, first + ACROSS)]
        for first in range(LOWEST, HIGHEST + 1, ACROSS)
    ]
)
ACTIONS = Choices(("1", "2"), ("Request a clue", "Make a guess"))
CORRECT, INCORRECT = "Correct!", "Incorrect."


class SafeCodeWords(Words[SafeCode]):
    """The rule book's words."""

    title = "Safe Code"
    goal = "Find your opponent's number from 1 to 30 first, with guesses and three true clues."
    secret_name = "number"
    answers_turns = True

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a code, for a clue, or the menu of a turn."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if not view.setting_up:
            heading = f"[{turn_of(name)}]\n{MENU}"
            return Question("Enter 1 or 2: ", ACTION_FORM, heading, control=ACTIONS)
        if view.secret:
            asked = f"write clue {len(view.secret)} of {CLUES_EACH}: "
            return Question(spoken_to(name, asked), CLUE_HELP)
        asked = f"choose your safe code ({RANGE}): "
        return Question(spoken_to(name, asked), NUMBER_FORM, control=NUMBERS)

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """At the book's menu, 1 requests a clue and 2 asks for a guess; other lines name a move."""
        if view.setting_up:
            return self.parse(line, view)
        if question.given:
            return guessed_number(tidy(line))
        word = line.strip().strip(".)").lower()  # "1." as the menu itself writes it
        if word == "1":
            return REQUEST
        if word == "2" or word in ("guess", "g", "make a guess"):
            prompt = f"Enter your guess ({RANGE}): "
            return Question(prompt, NUMBER_FORM, given=(line,), control=NUMBERS)
        number = whole_number(word)
        if number is not None and LOWEST <= number <= 9:
            # A player asked for 1 or 2 who types 3 or 01 may have slipped, and a turn is costly.
            raise Ambiguous(f"{quote(word)} is neither 1 nor 2.", f"To guess it: guess {number}.")
        try:
            return self.parse(line, view)
        except NotUnderstood as refusal:
            raise NotUnderstood(refusal.reason, ACTION_FORM) from None

    def understand(self, text: str, view: View) -> Move:
        """In the set-up, a code or a clue; in a turn, a guess or the request for a clue."""
        if view.setting_up:
            code = view.secret[0] if view.secret else None
            return parse_clue(text, code.value) if isinstance(code, Number) else parse_number(text)
        if re.fullmatch(r"((request|ask|ask for) ?)?((a|the next|next) ?)?clue|c", text.lower()):
            return REQUEST
        return guessed_number(text)

    def asked_at_once(self, view: View, names: Names = NAMES) -> str:
        """In a turn, both choices of the menu in one question."""
        if view.setting_up and view.secret:
            return f"Which is your clue {len(view.secret)} of {CLUES_EACH}? {CLUE_HELP}"
        if view.setting_up:
            return f"Which number do you hide? {NUMBER_FORM}"
        if sum(move == REQUEST for move in own_moves(view)) == CLUES_EACH:
            return f"Which number do you guess? {NUMBER_FORM}"
        return f"Do you request a clue, or guess? Type clue, or a number from {RANGE}, like 16."

    def accepted_at_once(self, refusal: Refusal, view: View) -> str:
        """In a turn, both choices, without the menu's commands."""
        if view.setting_up:
            return super().accepted_at_once(refusal, view)
        return self.asked_at_once(view)

    def written(self, events: Sequence[Event]) -> str:
        """A request with the clue that was given, or a guess with its answer."""
        ((_, move, answer),) = events
        told = answer if move == REQUEST else CORRECT if answer else INCORRECT
        return f"{move}: {told}"

    def secrecy(self, view: View, names: Names = NAMES) -> str:
        """The number stays hidden; a clue is there to be asked for."""
        if not view.secret:
            return super().secrecy(view, names)
        assert isinstance(view.actor, Seat)
        return f"{names[view.actor.other]} sees it when they ask for it."

    def picks(self, view: View) -> Sequence[Move]:
        """Any code; of the clues, only plain and weak ones.

        Most clues of the language are like "It is not between 13 and 16, inclusive."
        """
        return [clue for clue in DRAWN if clue in view.moves] or view.moves

    @property
    def kinds(self) -> tuple[str, ...]:
        """Hiding a number and writing its clues, then what a turn can be about."""
        return (self.hiding, WRITING, ASKING, ASKING_AGAIN, GUESSING, RACING)

    def deciding(self, view: View) -> str:
        """How many clues the player has been given, unless one of the two is about to win."""
        if view.setting_up:
            return WRITING if view.secret else self.hiding
        assert isinstance(view.actor, Seat)
        lefts = (self.game.candidates(seat).after_all(view.history) for seat in Seat)
        if min(map(len, lefts)) <= CLOSE:
            return RACING
        given = view.board[view.actor.index]
        return {0: ASKING, CLUES_EACH: GUESSING}.get(given, ASKING_AGAIN)

    def lesson(self, view: View, names: Names = NAMES) -> str:
        """How to hide a number, write a clue, ask for one, and guess."""
        assert isinstance(view.actor, Seat)
        other, moves = names[view.actor.other], own_moves(view)
        if view.setting_up:
            looks, gets = does(other, "looks", "look"), does(other, "gets", "get")
            lessons = (
                f"Choose a number. {looks} for it, while you look for theirs.",
                f"Write a sentence that is true of your number. {gets} it on request, so the less "
                "it gives away, the better.",
            )
            return "".join(lessons[len(view.secret) :][:1])
        if REQUEST not in moves:
            return "Request a clue. It rules out numbers, and costs your turn. Or guess at once."
        if all(move == REQUEST for move in moves):
            return "Guess a number that is left. The right one wins, a wrong one costs the turn."
        return ""

    def preview(self, view: View, move: Move, names: Names = NAMES) -> str:
        """The clue or the number that would be hidden, guessed or asked for."""
        if isinstance(move, Number):
            return f"{'Hide' if view.setting_up else 'Guess'} {move}."
        return "Ask for a clue." if move == REQUEST else str(move)

    def puzzle(self, view: View) -> str:
        """Whether to ask, or which number to guess."""
        return "A clue, or a guess? And which?"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The opponent's clue, or their answer to the guess."""
        seat, move, answer = view.history[-1]
        assert isinstance(seat, Seat)
        if move == REQUEST:
            return f'{possessive(names[seat.other])} Clue: "{answer}"'
        said = f'{does(names[seat.other], "says", "say")}: "{CORRECT if answer else INCORRECT}"'
        if answer:
            congratulations = "Congratulations" + ("" if names[seat] == YOU else f", {names[seat]}")
            return f"{said}\n{congratulations}! You have cracked the safe."
        return said

    def narrate(self, view: View, names: Names = NAMES) -> str:
        """Who requested a clue and which one was given, or who guessed what and the answer."""
        seat, move, answer = view.history[-1]
        assert isinstance(seat, Seat)
        if move == REQUEST:
            return f'{does(names[seat], "asks", "ask")} for a clue: "{answer}"'
        guesses = does(names[seat], "guesses", "guess")
        return f"{guesses} {move}. {CORRECT if answer else INCORRECT}"

    def drawing(
        self, view: View, seat: Seat, names: Names = NAMES, left: Left | None = None
    ) -> Drawing:
        """The numbers from 1 to 30; the last guess stands out."""
        guesses = (e.move for e in reversed(view.history) if e.actor is seat)
        last = next((guess for guess in guesses if isinstance(guess, Number)), None)
        won = view.outcome is not None and view.outcome.winner is seat

        def look(number: int) -> Look:
            if last is not None and last.value == number:
                return Look.LIT if won else Look.TOUCHED
            return Look.FAINT if left is not None and (number,) not in left else Look.PLAIN

        tiles = [Tile(str(n), look=look(n)) for n in range(LOWEST, HIGHEST + 1)]
        rows = tuple(tuple(tiles[at : at + ACROSS]) for at in range(0, len(tiles), ACROSS))
        return Drawing(rows)

    def count(self, seat: Seat, names: Names, left: Left) -> str:
        """How many of the 30 numbers are left."""
        return what_is_left(names[seat], left, HIGHEST - LOWEST + 1)

    def mention(self, move: Move) -> str:
        """A request or a number in words, as 1 and 2 are also the menu's; a clue as usual."""
        if isinstance(move, Number):
            return f"the number {move}"
        return "asking for a clue" if move == REQUEST else super().mention(move)

    def note(self, event: Event) -> str:
        """A clue that was given, or a guess with its answer."""
        if isinstance(event.answer, Clue):
            return f"clue: {in_short(event.answer)}"
        return f"{event.move}: {CORRECT if event.answer else INCORRECT}"

    def win_text(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return "cracked the safe"


def in_short(clue: Clue) -> str:
    """A clue without its redundant first words.

    >>> in_short(Clue("even")), in_short(Clue("digit sum", (9,)))
    ('even', 'digit sum is 9')
    """
    return re.sub(r"^(The number is|The number|It is|Its?) ", "", str(clue)).rstrip(".")


def guessed_number(text: str) -> Number:
    """The number that a guess names: `16`, `guess 16`, `my guess is 16`."""
    return parse_number(re.sub(r"(?i)^(my )?guess( is)?\b", "", text))


def parse_number(text: str) -> Number:
    """The number that a person typed."""
    value = whole_number(text)
    if value is None:
        raise NotUnderstood(f"{quote(text)} is not a number in digits.", NUMBER_FORM)
    if not LOWEST <= value <= HIGHEST:
        reason = f"Codes run from {LOWEST} to {HIGHEST}; you typed {value}."
        raise NotUnderstood(reason, NUMBER_FORM)
    return Number(value)


class SafeCodeDisguise(Disguise[SafeCode]):
    """Plans, notes and probes, for codes, clues and guesses: numbers are numbers."""

    terms = """
        safe_code: calm_note | soft_tune | dark_room
        safe safes: tent tents | barn barns | boat boats
        code codes: mark marks | seat seats | desk desks
        clue clues: fact facts | line lines | tale tales
        secret: covert | veiled | private
        request requests requested requesting: demand demands demanded demanding
        request requests requested requesting: purchase purchases purchased purchasing
        guess guesses guessed guessing: probe probes probed probing
        guess guesses guessed guessing: query queries queried querying
        guess guesses guessed guessing: claim claims claimed claiming
        crack cracks cracked cracking: trace traces traced tracing
        crack cracks cracked cracking: reach reaches reached reaching
        crack cracks cracked cracking: solve solves solved solving
    """
