"""Safe Cracker: its rules, and the words to play it with."""

from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safe_cracker.words import SafeCrackerWords

# Set here, because the rules of a game never import its words.
SafeCracker.words_type = SafeCrackerWords
