"""The table: people and bots at one keyboard or on a server, a match at a time."""
