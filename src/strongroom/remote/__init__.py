"""A client for games on a server: links, a connection that comes back, and the game as it is seen.

It needs the extra `network`; nothing of it is imported before a network game is wanted.
"""
