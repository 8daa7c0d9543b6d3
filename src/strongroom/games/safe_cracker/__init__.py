"""Safe Cracker: its rules, and the words to play it with."""

from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safe_cracker.words import SafeCrackerWords

SafeCracker.words_type = SafeCrackerWords
