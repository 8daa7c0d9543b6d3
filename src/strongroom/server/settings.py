"""How a server is set up: where it listens, what it keeps, and what it allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection or one address may do, so that nobody takes everything."""

    messages_a_second: float = 20.0
    """Of one connection in the long run; three times as many at once."""
    requests_a_second: float = 20.0
    """HTTP requests of one address in the long run; three times as many at once."""
    connections: int = 64
    """WebSockets of one address at the same time."""
    sockets: int = 256
    """Of one address at the same time, whatever they are used for; not counted behind a proxy."""
    games: int = 40
    """Unfinished ones that were made from one address."""
    waiting_kilobytes: int = 500
    """What may wait for a slow reader before its connection is closed."""
    address_waiting_kilobytes: int = 4000
    """The same for all connections of one address, of which the slowest is closed."""
    processor_share: float = 0.1
    """The part of a core that one address may use in the long run."""

    @classmethod
    def none(cls) -> Limits:
        """No limits, for a load test on one's own machine."""
        return cls(1e9, 1e9, 10**9, 10**9, 10**9, 10**9, 10**12, 1.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "strongroom.db"
    origins: tuple[str, ...] = ()
    """Addresses of other pages that may connect; a server's own page always may."""
    behind_proxy: bool = False
    """Whether a reverse proxy tells the address of the client."""
    limits: Limits = field(default_factory=Limits)
    claim_after: float = 120.0
    """For so many seconds a player must be away before the other may claim the game."""
    expire_after: float = 7 * DAY
    """So long an unfinished game is kept that nobody touches."""
    keep_records: float | None = None
    """So long a finished game is kept; None: for ever."""
    metrics_token: str | None = None
    """What a request for the figures has to bring; None: they are given to nobody."""
    pace: float = 0.8
    """In multiples of so many seconds a bot answers, so that its speed tells nothing."""
