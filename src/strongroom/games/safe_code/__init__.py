"""Safe Code: its rules, and the words to play it with."""

from strongroom.games.safe_code.rules import SafeCode
from strongroom.games.safe_code.words import SafeCodeWords

# Set here, because the rules of a game never import its words.
SafeCode.words_type = SafeCodeWords
