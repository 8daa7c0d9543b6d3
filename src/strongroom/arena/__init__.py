"""Tournaments between players, and what they show."""
