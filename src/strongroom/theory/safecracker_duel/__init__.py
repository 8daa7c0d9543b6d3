"""Safecracker Duel solved: three turns decide it, and whoever got past them can hold it for ever.

Read `board` (the dial of combinations), `player` (how it plays), `beliefs` (what turns tell of the
codes), `solver` (how the mixtures were found), `proof` (why nobody beats the player), `advice`
(what a move is worth), `truth` (what the codes make of a game); `solution` ties them together.
"""
