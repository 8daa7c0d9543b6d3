"""Quantum Duel solved: the value of every position, and moves that guarantee it.

Read `board` (the positions), `player` (how it plays), `guarantees` (when moves hold a value),
`solver` (how the values were found), `proof` (why they hold), `advice` (what a move is worth),
`worth` (what it is worth against a known strategy, with few turns left too); `solution` ties them
together.
"""
