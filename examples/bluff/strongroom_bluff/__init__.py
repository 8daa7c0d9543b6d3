"""Bluff: a game for strongroom, added by a package of its own."""
