"""Digit Deductions solved: both race to know everything, and shoot at the right moment.

Read `player` (numbers, symmetries, what a guess tells; how the certified player plays), `solver`
(the linear programmes for its strategy), `proof` (the best response and what it proves), `worth`
(what a decision is worth against the certified player) and `solution` (the same in words, and if
that player has left its strategy). No file imports a later one.
"""
