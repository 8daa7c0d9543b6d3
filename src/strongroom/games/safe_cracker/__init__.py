"""Safe Cracker: its rules, and the words to play it with."""

from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.games.safe_cracker.words import SafeCrackerWords

# Set here, because rules never import the words that stand over them.
SafeCracker.words_type = SafeCrackerWords
