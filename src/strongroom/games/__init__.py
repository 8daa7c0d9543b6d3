"""The five rule books, one file each, with its rules page beside it."""
