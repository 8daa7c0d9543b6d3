"""The exact measure: how good a player is, and where it goes wrong, with luck taken out."""
