"""How to respond to a player, a module for each kind of game; `responder` serves every game."""
