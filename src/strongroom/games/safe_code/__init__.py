"""Safe Code: its rules, and the words to play it with."""

from strongroom.games.safe_code.rules import SafeCode
from strongroom.games.safe_code.words import SafeCodeWords

# Set here, because rules never import the words that stand over them.
SafeCode.words_type = SafeCodeWords
