"""The five games, one package each: rules, words and a rules page."""
