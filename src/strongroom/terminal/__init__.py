"""The terminal: the command line, and the table where games are played."""
