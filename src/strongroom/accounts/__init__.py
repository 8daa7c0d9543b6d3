"""What each move of a game cost, and what was luck."""
