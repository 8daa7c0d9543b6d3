"""Quantum Duel: its rules, and the words to play it with."""

from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.games.quantum_duel.words import QuantumDuelWords

# Set here, because the rules of a game never import its words.
QuantumDuel.words_type = QuantumDuelWords
