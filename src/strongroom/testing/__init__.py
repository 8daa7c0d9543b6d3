"""Checks for games: the conformance of their rules, and exact counts."""
