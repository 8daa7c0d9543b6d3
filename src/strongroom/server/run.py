"""Running the server: its socket, its signals, and what it prints."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Callable
from typing import Final

import uvicorn
import uvloop

from strongroom.contract import Refusal
from strongroom.listening import EndingServer, allow_sockets
from strongroom.server.app import make_app, warm_up
from strongroom.server.hub import Hub
from strongroom.server.limits import Addresses
from strongroom.server.monitoring import log, set_up_logging
from strongroom.server.protocols import protocols
from strongroom.server.settings import Settings
from strongroom.server.store import DatabaseTrouble, Store, open_database
from strongroom.version import __version__

OWN_NETWORKS: Final = "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1,fc00::/7"
"""Networks of trusted proxies; the last forwarded address outside of them is the client's."""
ADVICE: Final = {
    errno.EADDRINUSE: (
        "Another program is using it; try another --port, or 0 for any free one "
        "(from a clone: make serve PORT=0)."
    ),
    errno.EADDRNOTAVAIL: "It is not an address of this machine; --host 0.0.0.0 means all of them.",
    errno.EACCES: "Ports below 1024 need special rights; try --port 8000.",
}
"""What to do when the address cannot be listened on."""
A_HOST: Final = "--host takes an address of this machine, like 127.0.0.1 or 0.0.0.0."
EVERYWHERE: Final = ("0.0.0.0", "::")
"""Wildcard addresses, which a server can listen on but a browser cannot open."""
FAR: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation, which no host has."""


def print_addresses(here: str, *elsewhere: str) -> None:
    """Print where the server can be opened."""
    print(f"strongroom is open at {here}", flush=True)
    for address in elsewhere:
        print(f"and from this network at {address}", flush=True)


def serve(
    settings: Settings, level: int = logging.INFO, opened: Callable[..., None] = print_addresses
) -> int:
    """Serve until a signal arrives, and return the exit code; `opened` is given the addresses."""
    set_up_logging(level, settings)
    sys.setswitchinterval(settings.switch_interval)
    allow_sockets()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_serve(settings, opened))


async def _serve(settings: Settings, opened: Callable[..., None]) -> int:
    hub = Hub(Store(open_database(settings.database, settings)))
    hub.garbage.disable()
    with listen(settings) as listening:
        server = Server(hub, opened)
        await warm_up(server.app)
        try:
            await hub.open()  # from here on clocks run
        except DatabaseTrouble as trouble:
            raise Refusal(str(trouble)) from None
        await server.serve([listening])
    return 0


def listen(settings: Settings) -> socket.socket:
    """A socket bound to the configured address, or a refusal that says why there is none."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or error
        raise Refusal(
            f"Cannot listen on {settings.host}:{settings.port}: {why}.",
            ADVICE.get(getattr(error, "errno", None) or 0, A_HOST),
        ) from None
    return listening


def addresses(listening: socket.socket) -> list[str]:
    """The server's URLs: for this machine, and for others if it listens to them."""
    host, port = listening.getsockname()[:2]
    if host not in EVERYWHERE:
        return [_address(host, port)]
    both = host == "0.0.0.0" or not listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    family = socket.AF_INET if both else socket.AF_INET6
    own = _own_address(family)
    return [_address(each, port) for each in ("127.0.0.1" if both else "::1", own) if each]


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_address(family: socket.AddressFamily) -> str | None:
    """The machine's own address on its network; None if it is on none."""
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((FAR[family], 9))  # selects a route, and sends nothing
        except OSError:
            return None
        return str(asking.getsockname()[0])


class Server(EndingServer):
    """uvicorn, with our own startup and shutdown."""

    def __init__(self, hub: Hub, opened: Callable[..., None] = print_addresses) -> None:
        self._hub, settings = hub, hub.settings
        self._opened = opened
        self.shutdown_timeout = settings.shutdown_timeout
        addresses = Addresses(settings)
        http, frames = protocols(settings, addresses, hub.garbage)
        self.app = make_app(hub, addresses)
        super().__init__(
            uvicorn.Config(
                self.app,
                http=http,
                ws=frames,
                ws_max_size=settings.longest_message,
                ws_ping_interval=settings.ping_interval,
                ws_ping_timeout=settings.ping_timeout,
                ws_per_message_deflate=False,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=settings.behind_proxy,
                forwarded_allow_ips=OWN_NETWORKS,
                timeout_graceful_shutdown=settings.shutdown_grace,
                backlog=settings.pending_sockets,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and print the address."""
        await super().startup(sockets)
        assert sockets is not None
        self._opened(*addresses(sockets[0]))
        log("open", text=__version__)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell everybody that the server is restarting, then shut down."""
        for listening in self.servers:
            listening.close()
        self._hub.say_goodbye()
        await self._hub.farewell()  # uvicorn would disconnect everybody in the middle of it
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()  # closing would wait for clients that do not read
        await self._hub.close()
        log("closed")

    def end_at_once(self) -> None:
        """Force the exit; what was acknowledged is stored."""
        log("closed", text="Something took too long and was cut off.", level=logging.WARNING)
        super().end_at_once()
