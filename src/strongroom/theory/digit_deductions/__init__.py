"""Digit Deductions solved; read in this order:

`board` (numbers, symmetries, what a guess tells), `knowledge` (what a view says about them),
`player` (how the certified player plays), `plan` with `plan_of_one` and `plan_of_two` (the linear
programmes for its strategy), `rounding` (their answers in whole numbers), `solver` (the table from
nothing), `proof` (the best response and what it proves), `advice` (what a move is worth, and why),
`truth` (what the numbers make of a game) and `solution`, which ties them together. No
file imports a later one.
"""
