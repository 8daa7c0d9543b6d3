"""Solvers shared by several games: of small games written out as trees, and linear programmes."""
