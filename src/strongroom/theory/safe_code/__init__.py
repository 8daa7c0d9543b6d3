"""Safe Code solved: hide anywhere, write the weakest clues, guess at random, and do not ask.

Read `board` (the clue language and the race), `player` (how it keeps its promise), `racing` (the
best response to a player who only races), `solver` (how the race was computed), `proof` (why nobody
beats the player), `advice` (what a move is worth), `kinds` (which moves are worth the same against
the player), `ending` (what they win near the end), `worth` (what they are worth before it, by the
race), `exposure` (the same by how soon clues betray a number); `solution` ties them together.
"""
