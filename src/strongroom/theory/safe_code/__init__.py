"""Safe Code solved: hide anywhere, write the weakest clues, guess at random, and do not ask.

Read `player` (the clue language, the race, and how it keeps its promise), `proof` (why nobody beats
the player, and the best response to one who only races) and `worth` (what a move is worth against
the player: by the race, near the end exactly, and by how soon clues betray a number); `solution`
ties them together and says what moves do.
"""
