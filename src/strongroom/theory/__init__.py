"""How the games are solved: a package a game, what they share, and the tables that come out."""
