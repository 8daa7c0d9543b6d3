"""The games across a network: HTTP to make and find them, a WebSocket to play them, a page."""
