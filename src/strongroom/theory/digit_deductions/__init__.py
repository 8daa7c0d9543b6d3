"""Digit Deductions solved; read in this order:

`board` (numbers, symmetries, what a guess tells), `knowledge` (what a view says about them),
`player` (how the certified player plays), `plan` with `plan_of_one` and `plan_of_two` (the linear
programmes for its strategy), `rounding` (their results in integers), `solver` (the table from
scratch), `proof` (the best response and what it proves), `response` (the same after any guesses),
`opening` (what first and second guesses win, as tables), `worth` (what a decision is worth against
the certified player), `advice` (the same in words, and if that player has left its strategy),
`truth` (win probabilities given both numbers) and `solution`, which ties them together. No
file imports a later one.
"""
