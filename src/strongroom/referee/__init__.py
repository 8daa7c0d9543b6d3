"""The referee: a match, its record, its coins, and the proof that it was fair."""
