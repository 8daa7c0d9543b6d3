"""What a game is, for everyone who plays, referees, shows, studies or adds one.

A game is a value, its states are values, and its rules are pure: no I/O, no clock, no randomness.
Whoever sits outside sees a state only through `State.view`, which lists what one seat may know.
"""

from strongroom.contract.actions import Actions, Block, MoveList, Phase
from strongroom.contract.candidates import Candidates, Left
from strongroom.contract.drawing import Drawing, Look, Tile, what_is_left
from strongroom.contract.game import AnyState, Game, State
from strongroom.contract.history import History
from strongroom.contract.move import Answer, Event, Json, Move, whole
from strongroom.contract.naming import YOU, does, owned, owner, spoken_to, turn_of, whom
from strongroom.contract.numerals import NUMBER_WORDS, is_number_word, numerals, whole_number
from strongroom.contract.options import Options, option
from strongroom.contract.outcome import Ending, Outcome, Reason
from strongroom.contract.refusal import (
    Ambiguous,
    BadOption,
    NotLegal,
    NotUnderstood,
    Refusal,
    Rule,
    UnknownName,
    harmless,
    shown,
    shown_value,
    tidy,
)
from strongroom.contract.rules import Rules
from strongroom.contract.seat import CHANCE, NAMES, Actor, Chance, Names, Seat
from strongroom.contract.view import View
from strongroom.contract.words import Ledger, Question, Turn, Words

__all__ = [
    "CHANCE",
    "NAMES",
    "NUMBER_WORDS",
    "YOU",
    "Actions",
    "Actor",
    "Ambiguous",
    "Answer",
    "AnyState",
    "BadOption",
    "Block",
    "Candidates",
    "Chance",
    "Drawing",
    "Ending",
    "Event",
    "Game",
    "History",
    "Json",
    "Ledger",
    "Left",
    "Look",
    "Move",
    "MoveList",
    "Names",
    "NotLegal",
    "NotUnderstood",
    "Options",
    "Outcome",
    "Phase",
    "Question",
    "Reason",
    "Refusal",
    "Rule",
    "Rules",
    "Seat",
    "State",
    "Tile",
    "Turn",
    "UnknownName",
    "View",
    "Words",
    "does",
    "harmless",
    "is_number_word",
    "numerals",
    "option",
    "owned",
    "owner",
    "shown",
    "shown_value",
    "spoken_to",
    "tidy",
    "turn_of",
    "what_is_left",
    "whole",
    "whole_number",
    "whom",
]
