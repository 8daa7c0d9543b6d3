"""What a game is, for everything that plays, referees, displays, studies or adds one.

A game is a value, its states are values, and its rules are pure: no I/O, no clock, no randomness.
Only the referee sees a state; everyone else gets `State.view`, which lists what one seat may know.
"""

from strongroom.contract.actions import Actions, Block, MoveList, Phase, Run, Sublist
from strongroom.contract.answers import Answers
from strongroom.contract.candidate_tracker import CandidateTracker
from strongroom.contract.candidates import Candidates, Left
from strongroom.contract.controls import Cells, Choices, Control, Spot, Way, Wheels, with_tile
from strongroom.contract.drawing import Drawing, Look, Tile, what_is_left
from strongroom.contract.game import AnyState, Game, State
from strongroom.contract.history import History
from strongroom.contract.move import Answer, Event, Json, Move, require_int
from strongroom.contract.naming import YOU, counted, does, owned, owner, spoken_to, turn_of, whom
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
    "Answers",
    "AnyState",
    "BadOption",
    "Block",
    "CandidateTracker",
    "Candidates",
    "Cells",
    "Chance",
    "Choices",
    "Control",
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
    "Run",
    "Seat",
    "Spot",
    "State",
    "Sublist",
    "Tile",
    "Turn",
    "UnknownName",
    "View",
    "Way",
    "Wheels",
    "Words",
    "counted",
    "does",
    "harmless",
    "is_number_word",
    "numerals",
    "option",
    "owned",
    "owner",
    "require_int",
    "shown",
    "shown_value",
    "spoken_to",
    "tidy",
    "turn_of",
    "what_is_left",
    "whole_number",
    "whom",
    "with_tile",
]
