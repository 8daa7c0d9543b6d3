"""Server settings: where it listens, what it keeps, and what it allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one connection or one address, so that nobody uses up the server."""

    messages_a_second: float = 20.0
    """Messages of one connection in the long run; three times as many in a burst."""
    requests_a_second: float = 20.0
    """HTTP requests of one address in the long run; three times as many in a burst."""
    connections: int = 64
    """WebSockets of one address at the same time."""
    sockets: int = 256
    """Sockets of one address at the same time, for any use; not counted behind a proxy."""
    games: int = 40
    """Unfinished games that were created from one address."""
    waiting_kilobytes: int = 500
    """How much may be queued for a slow reader before its connection is closed."""
    address_waiting_kilobytes: int = 4000
    """The same for all connections of one address together; the slowest is closed."""
    processor_share: float = 0.1
    """The share of a core that one address may use in the long run."""

    @classmethod
    def none(cls) -> Limits:
        """No limits, for a load test on your own machine."""
        return cls(1e9, 1e9, 10**9, 10**9, 10**9, 10**9, 10**12, 1.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "strongroom.db"
    origins: tuple[str, ...] = ()
    """Origins of other pages that may connect; the server's own page always may."""
    behind_proxy: bool = False
    """Whether a reverse proxy reports the client's address."""
    limits: Limits = field(default_factory=Limits)
    claim_after: float = 120.0
    """Seconds a player must be away before the opponent may claim the game."""
    expire_after: float = 7 * DAY
    """Seconds an unfinished game is kept after the last player left it."""
    keep_records: float | None = None
    """Seconds a finished game is kept; None keeps it for ever."""
    metrics_token: str | None = None
    """The bearer token required to read the metrics; None hides them from everybody."""
    pace: float = 0.8
    """A bot answers after a multiple of this many seconds, so that its speed reveals nothing."""
    bots: tuple[str, ...] = ()
    """Engines that play beside the server's own bots, like `engine:./mybot`."""
