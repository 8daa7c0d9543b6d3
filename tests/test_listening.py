"""What servers over HTTP share: after a signal they end in time, whatever clients do."""

from __future__ import annotations

import signal
import threading

import pytest
import uvicorn
from starting import PATIENCE

from strongroom.doors.mcp_http import HttpServer
from strongroom.listening import EndingServer
from strongroom.server.settings import DEFAULTS


def test_a_server_that_does_not_end_by_itself_after_a_signal_is_ended_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Else sessions of MCP in this process take the signal for the end of their own server.
    monkeypatch.setattr("sse_starlette.sse.AppStatus.should_exit", False)
    ended = threading.Event()

    class Stuck(EndingServer):
        shutdown_timeout = 0.0

        def end_at_once(self) -> None:
            ended.set()

    async def app(*_: object) -> None:
        """Never called."""

    server = Stuck(uvicorn.Config(app, log_config=None))
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit
    assert ended.wait(PATIENCE)
    assert HttpServer.shutdown_timeout <= 2
    assert DEFAULTS.shutdown_timeout <= 10
