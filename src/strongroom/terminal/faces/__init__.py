"""Faces: how a match is shown, as plain lines, JSON events, or a drawn page."""
