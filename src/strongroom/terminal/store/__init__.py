"""What the terminal keeps: saved games, seats on servers, preferences, and the games of a run."""
