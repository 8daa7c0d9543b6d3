"""The WebSocket: a plain route that checks who connects, reads messages, and sends frames."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from strongroom.contract import Refusal
from strongroom.referee.wire import BAD_FRAMES, BAD_TOKEN, NO_GAME, WITHDRAWN
from strongroom.server.background import cancel
from strongroom.server.hub import Hub
from strongroom.server.limits import PAYER, Addresses, Bucket, Budget, Metered
from strongroom.server.messages import Hello, Ping, PlayerRequest, WireError, parse
from strongroom.server.monitoring import log
from strongroom.server.protocols import WRITER
from strongroom.server.room import Backlog, Connection
from strongroom.server.store import DatabaseTrouble

KILO: Final = 1000
BUSY: Final = WireError("unavailable", "The server cannot store anything at the moment. Try again.")
CODES: Final = {"bad-token": BAD_TOKEN, "unknown-game": NO_GAME, "withdrawn": WITHDRAWN}


class PlayRoute:
    """The route `/ws`."""

    def __init__(self, hub: Hub, addresses: Addresses) -> None:
        self.hub = hub
        self._addresses = addresses
        self._backlogs: dict[str, Backlog] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection from its first byte to its last."""
        websocket = WebSocket(scope, receive, send)
        address = self._addresses.of(websocket.client.host if websocket.client else None)
        budget = address.budget
        crowded = budget is not None and budget.is_crowded
        if budget is not None and not crowded:
            PAYER.set(budget)
            await budget.turn()
        if crowded or not self._is_allowed(websocket) or not self._addresses.connects(address):
            await websocket.close(1008)  # before it is accepted: answered with 403
            return
        writer, settings = scope["extensions"][WRITER][WRITER](), self.hub.settings
        limits = settings.limits
        empty = Backlog(limits.address_waiting_kilobytes * KILO, settings.large_frame)
        backlog = self._backlogs.setdefault(address.key, empty)
        connection = Connection(writer, limits.waiting_kilobytes * KILO, backlog, self.hub.metrics)
        self.hub.metrics.connections.inc()
        try:
            await websocket.accept()
            reading = asyncio.create_task(self._read_messages(receive, connection, budget))
            ending = asyncio.create_task(connection.ending.wait())
            tasks = (reading, ending)
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if connection.closed:  # give the client time to read why
                with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
                    async with asyncio.timeout(settings.close_timeout):
                        await websocket.close(*connection.closed)
            async with connection.busy:  # what is being stored is still told
                await cancel(tasks, settings.cancel_again)
        except WebSocketDisconnect:
            pass
        finally:
            connection.drop()
            if not backlog.connections:
                self._backlogs.pop(address.key, None)
            # Closing alone would wait for a client that does not read.
            asyncio.get_running_loop().call_later(settings.close_timeout, writer.cut)
            address.connected -= 1
            self.hub.metrics.connections.dec()
            if budget is None or self.hub.background.closing:
                await self.hub.leave(connection)
            else:  # many may disconnect at once
                await budget.turn()
                await Metered(self.hub.leave(connection), budget.charge)

    def _is_allowed(self, websocket: WebSocket) -> bool:
        """Whether the origin may connect: our own page, one that is allowed, or no page at all."""
        origin = websocket.headers.get("origin")
        if origin is None or origin in self.hub.settings.origins:
            return True
        try:
            return urlsplit(origin).netloc == websocket.headers.get("host")
        except ValueError:  # the origin is not a URL
            return False

    async def _read_messages(
        self, receive: Receive, connection: Connection, budget: Budget | None
    ) -> None:
        settings = self.hub.settings
        bucket, bad = Bucket(settings.limits.messages_a_second, settings.burst), 0

        def pay(seconds: float) -> None:
            bucket.charge(seconds / settings.seconds_a_message)
            assert budget is not None
            budget.charge(seconds)

        end = time.monotonic() + settings.hello_timeout
        while connection.closed is None:
            try:
                if connection.game:
                    message = await receive()
                else:
                    if (left := end - time.monotonic()) <= 0:
                        raise TimeoutError  # a client that keeps sending never times out below
                    async with asyncio.timeout(left):
                        message = await receive()
            except TimeoutError:
                connection.error(WireError("hello-first", "Send hello first."))
                connection.close(BAD_FRAMES, "hello-first")
                return
            if message["type"] != "websocket.receive":
                return
            # Nothing is lost: a client that sends too much, or does not read, is read more slowly.
            await connection.socket.writable.wait()
            while not bucket.takes():
                await asyncio.sleep(bucket.wait)
            if budget is not None:
                await budget.turn()
            sent = connection.sent
            try:
                async with connection.busy:
                    work = self._handle(connection, message.get("text") or "")
                    await (work if budget is None else Metered(work, pay))
            except WireError as error:
                connection.error(error)
                bad += error.code in ("bad-frame", "hello-first")
                if error.code in CODES:
                    connection.close(CODES[error.code], error.code)
                elif bad > settings.most_bad_frames:
                    connection.close(BAD_FRAMES, error.code)
            except DatabaseTrouble as trouble:
                self.hub.background.outage.begins(trouble)
                connection.error(BUSY)
            except Exception:
                log("fault", game=connection.game, failed=True)
                connection.error(BUSY)
            bucket.charge((connection.sent - sent) / settings.bytes_a_message)

    async def _handle(self, connection: Connection, text: str) -> None:
        message = parse(text)
        if isinstance(message, Ping):
            connection.tell({"type": "pong", "time": round(self.hub.time.now(), 3)})
        elif isinstance(message, Hello):
            if connection.game:
                raise WireError("bad-frame", "This connection has already sent hello.")
            await self.hub.enter(connection, message)
        elif not connection.game:
            raise WireError("hello-first", "Send hello first.")
        else:
            await self._handle_request(connection, message)

    async def _handle_request(self, connection: Connection, request: PlayerRequest) -> None:
        try:
            await self.hub.handle(connection, request)
        except Refusal as refusal:
            self.hub.metrics.refused.inc()
            connection.refuse(request.id, refusal)
        except DatabaseTrouble as trouble:
            self.hub.background.outage.begins(trouble)
            connection.error(WireError(BUSY.code, BUSY.text, request.id))
