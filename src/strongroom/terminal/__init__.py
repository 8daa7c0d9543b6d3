"""The command line: two people at one keyboard, or one against a bot."""
