"""A proxy in front of PostgreSQL that can drop requests and answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PORT = ".s.PGSQL.5432"


class Proxy:
    """A proxy between the store and PostgreSQL."""

    def __init__(self, url: str, folder: Path) -> None:
        parts = urlsplit(url)
        self._server = Path(parse_qs(parts.query)["host"][0], PORT)
        self._folder = folder
        self.url = parts._replace(query=f"host={folder}").geturl()
        self.lose_request_with = b""
        """A request with these bytes is not passed on, and its connection is cut."""
        self.lose_answer_to = b""
        """A request with these bytes is passed on, and its connection cut before the answer."""
        self.lost = 0
        """How many connections were cut."""
        self.flows = asyncio.Event()
        """While it is not set, nothing is passed on."""
        self.flows.set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Forward traffic for the block."""
        server = await asyncio.start_unix_server(self._serve, self._folder / PORT)
        try:
            yield
        finally:
            server.close()
            await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, requests = await asyncio.open_unix_connection(self._server)
        answering = asyncio.create_task(self._answer(answers, writer))
        try:
            while data := await reader.read(65536):
                await self.flows.wait()
                if self.lose_request_with and self.lose_request_with in data:
                    self.lose_request_with = b""
                    self.lost += 1
                    return
                if self.lose_answer_to and self.lose_answer_to in data:
                    self.lose_answer_to = b""
                    self.lost += 1
                    answering.cancel()
                    requests.write(data)
                    await answers.read(1)  # wait until PostgreSQL has acted on it
                    return
                requests.write(data)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            answering.cancel()
            requests.close()
            writer.close()

    async def _answer(self, answers: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await answers.read(65536):
            await self.flows.wait()
            writer.write(data)
        writer.close()
