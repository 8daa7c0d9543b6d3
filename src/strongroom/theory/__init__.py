"""Solved games: one package per game, the code they share, and the tables they produce."""
