"""Tournaments between players, and how exploitable the players are."""
