"""The whole server: a process that tests talk to as any client would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import PATIENCE, Server, served
from talking import Duel, duel

Serve = Callable[..., Server]
Deals = Callable[..., Duel]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server shared by all tests that do not change its state for others."""
    folder = tmp_path_factory.mktemp("server")
    with served(str(folder / "games.db"), folder / "log", "--fast") as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers for one test, which may be stopped and started again."""
    servers: list[Server] = []

    def start(*options: str, **terms: Any) -> Server:
        log, database = tmp_path / f"log-{len(servers)}", str(tmp_path / "games.db")
        server = Server(terms.pop("database", database), log, *options, **terms)
        server.start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def deal(server: Server) -> Deals:
    """Creates games between two people on the shared server."""
    return lambda game="quantum-duel", **terms: duel(server.address, game, **terms)


@pytest.fixture
def api(server: Server) -> Iterator[httpx.Client]:
    """A client for the HTTP API of the shared server."""
    with httpx.Client(base_url=f"{server.address}/api", timeout=PATIENCE) as client:
        yield client
