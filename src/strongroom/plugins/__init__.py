"""Games, players, theories, responders and words, also from other packages."""
