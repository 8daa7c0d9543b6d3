"""Safe Cracker solved: hide uniformly, and race as if neither player knew its own code.

Read `race` (every set of codes that guesses can reach, up to symmetry, and the value of one guesser
against another), `player` (how it plays), `worth` (what an opponent who knows its own code wins
against it), `solver` (how the mixtures were found), `proof` (what the strategy guarantees);
`solution` ties them together and says what moves do.
"""
