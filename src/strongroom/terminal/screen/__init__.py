"""A terminal that can draw: keys in, one page out, redrawn in place."""
