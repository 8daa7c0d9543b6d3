"""What is said at the table of Safe Code."""

from __future__ import annotations

import re

from strongroom.contract import (
    NAMES,
    Event,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Question,
    Seat,
    View,
    Words,
    shown,
    tidy,
    whole_number,
)
from strongroom.games.safe_code.clues import HIGHEST, LOWEST
from strongroom.games.safe_code.reading import CLUE_HELP, parse_clue
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST, Number, SafeCode

RANGE = f"{LOWEST}-{HIGHEST}"
NUMBER_FORM = f"Type a whole number from {RANGE}, like 16."
ACTION_FORM = "Type 1 (or clue) to request a clue, 2 to guess, or guess 16 to guess at once."
MENU = "Choose an action:\n1. Request a clue\n2. Make a guess"
CORRECT, INCORRECT = "Correct!", "Incorrect."


class SafeCodeWords(Words[SafeCode]):
    """The rule book's words."""

    title = "Safe Code"

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a code, for a clue, or the menu of a turn."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if not view.setting_up:
            return Question("Enter 1 or 2: ", ACTION_FORM, heading=f"[{name}'s Turn]\n{MENU}")
        if view.secret:
            prompt = f"{name}, write clue {len(view.secret)} of {CLUES_EACH}: "
            return Question(prompt, CLUE_HELP)
        return Question(f"{name}, choose your safe code ({RANGE}): ", NUMBER_FORM)

    def answer(self, line: str, view: View, question: Question) -> Move | Question:
        """At the book's menu 1 requests a clue and 2 asks for the guess; all else names a move."""
        if view.setting_up:
            return self.parse(line, view)
        if question.given:
            return guessed_number(tidy(line))
        word = line.strip().strip(".)").lower()
        if word == "1":
            return REQUEST
        if word in ("2", "guess", "g", "make a guess"):
            return Question(f"Enter your guess ({RANGE}): ", NUMBER_FORM, given=(line,))
        try:
            return self.parse(line, view)
        except NotUnderstood as refusal:
            raise NotUnderstood(refusal.reason, ACTION_FORM) from None

    def understand(self, text: str, view: View) -> Move:
        """A code or a clue in the set-up; in a turn a guess, or the request for a clue."""
        if view.setting_up:
            return parse_clue(text) if view.secret else parse_number(text)
        if re.fullmatch(r"((request|ask|ask for) ?)?((a|the next|next) ?)?clue|c", text.lower()):
            return REQUEST
        return guessed_number(text)

    def welcome(self, view: View) -> str:
        """The book's welcome."""
        return f"Welcome to {self.title}!"

    def announce(self, view: View, names: Names = NAMES) -> str:
        """The opponent's clue, or their answer to the guess."""
        seat, move, answer = view.history[-1]
        assert isinstance(seat, Seat)
        if move == REQUEST:
            return f'{names[seat.other]}\'s Clue: "{answer}"'
        says = f'{names[seat.other]} says: "{CORRECT if answer else INCORRECT}"'
        if answer:
            return f"{says}\nCongratulations, {names[seat]}! You have cracked the safe."
        return says

    def note(self, event: Event) -> str:
        """A clue that was given, or a guess with its answer."""
        if event.move == REQUEST:
            return f'clue: "{event.answer}"'
        return f"{event.move}: {CORRECT if event.answer else INCORRECT}"

    def won(self, outcome: Outcome) -> str:
        """There is one way to win."""
        return "cracked the safe"


def guessed_number(text: str) -> Number:
    """The number that a guess names: `16`, `guess 16`, `my guess is 16`."""
    return parse_number(re.sub(r"(?i)^(my )?guess( is)?\b", "", text))


def parse_number(text: str) -> Number:
    """The number that a person typed."""
    digits = text.strip().strip("#. ")
    if not (digits.isascii() and digits.isdigit()):
        raise NotUnderstood(f"{shown(text)} is not a number.", NUMBER_FORM)
    value = whole_number(digits)
    if not LOWEST <= value <= HIGHEST:
        reason = f"Codes run from {LOWEST} to {HIGHEST}; you typed {value}."
        raise NotUnderstood(reason, NUMBER_FORM)
    return Number(value)
