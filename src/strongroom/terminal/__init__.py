"""The terminal: the command line and the table that it sets."""
