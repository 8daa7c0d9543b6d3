"""Many games: which ones, from which seeds, where they are played, and their scores."""
