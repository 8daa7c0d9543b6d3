"""Other people's text: made harmless, and understood when misspelt."""
