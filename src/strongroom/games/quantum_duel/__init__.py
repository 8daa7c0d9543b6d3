"""Quantum Duel: its rules, and the words to play it with."""

from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.games.quantum_duel.words import QuantumDuelWords

# Set here, because rules never import the words that stand over them.
QuantumDuel.words_type = QuantumDuelWords
