"""Our tests; with this file, no other package of that name is found instead."""
