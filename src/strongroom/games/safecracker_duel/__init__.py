"""Safecracker Duel: its rules, and the words to play it with."""

from strongroom.games.safecracker_duel.rules import SafecrackerDuel
from strongroom.games.safecracker_duel.words import SafecrackerDuelWords

# Set here, because the rules of a game never import its words.
SafecrackerDuel.words_type = SafecrackerDuelWords
