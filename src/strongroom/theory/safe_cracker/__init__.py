"""Safe Cracker solved: hide evenly, and race as if nobody knew the own code.

Read `board` (sets of codes up to symmetry), `chart` (every set that guesses can reach), `race`
(what a guesser is worth against another), `player` (how it plays), `response` (what one who knows
its own code wins against it), `solver` (how the mixtures were found), `proof` (what nobody takes
away from it), `advice` (what a move is worth), `truth` (what the codes make of a game);
`solution` ties them together.
"""
