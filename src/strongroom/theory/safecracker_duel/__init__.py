"""Safecracker Duel solved: after three turns one can win, or both can hold for ever.

Read `player` (the dial of combinations and how the certified player turns it), `worth` (what turns
tell about the codes, and what a move is worth against the player), `solver` (how the strategies
were found), `proof` (why nobody beats the player); `solution` ties them together and says what
moves do.
"""
