"""The network server: HTTP to create and find games, a WebSocket to play them, and a web page."""
