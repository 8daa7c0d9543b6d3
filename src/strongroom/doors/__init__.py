"""Doors: the games in other frameworks, a file each; each needs the extra of its name."""
