"""Solvers shared by several games: linear programmes, sequence form, best responses."""
