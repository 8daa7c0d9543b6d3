"""Quantum Duel solved: the value of every position, and moves that guarantee it.

Read `player` (the positions and how it plays), `proof` (when moves hold a value), `solver` (how the
values were found), `worth` (what a move is worth against a known strategy, with few turns left
too); `solution` ties them together and says what moves do.
"""
