"""Safecracker Duel solved: after three turns one can win, or both can hold for ever.

Read `board` (the dial of combinations), `player` (how it plays), `beliefs` (what turns tell about
the codes), `solver` (how the strategies were found), `proof` (why nobody beats the player),
`advice` (what a move is worth), `worth` (what it is worth against the player), `truth` (win
probabilities given both codes); `solution` ties them together.
"""
