"""The table: people and bots at one keyboard, a match at a time."""
