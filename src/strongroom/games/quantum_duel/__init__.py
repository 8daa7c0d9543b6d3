"""Quantum Duel: its rules, and the words to play it with."""

from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.games.quantum_duel.words import QuantumDuelWords

QuantumDuel.words_type = QuantumDuelWords
