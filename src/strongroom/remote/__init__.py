"""A client for games on a server: links, a reconnecting connection, and a viewer's game.

It needs the extra `network`, and is imported only when a network game is wanted.
"""
