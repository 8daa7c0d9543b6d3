"""Safecracker Duel: its rules, and the words to play it with."""

from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.games.safecracker_duel.words import SafecrackerDuelWords

# Set here, because rules never import the words that stand over them.
SafecrackerDuel.words_type = SafecrackerDuelWords
