"""Safe Cracker solved: hide uniformly, and race as if neither player knew its own code.

Read `board` (sets of codes up to symmetry), `chart` (every set that guesses can reach), `race`
(the value of one guesser against another), `player` (how it plays), `response` (what an opponent
who knows its own code wins against it), `solver` (how the mixtures were found), `proof` (what the
strategy guarantees), `advice` (what a move is worth by the race), `worth` (what it is worth against
the strategy), `truth` (win probabilities given both codes); `solution` ties them together.
"""
