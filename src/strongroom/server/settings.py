"""Server settings: where it listens, what it keeps, and every time and limit that it works with.

What the protocol, stored games or PostgreSQL fix is not a setting; it is defined where it is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from strongroom.listening import REQUEST_TIMEOUT

DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one connection or one address, so that no client uses up the server."""

    messages_a_second: float = 20.0
    """Messages of one connection in the long run; three times as many in a burst."""
    requests_a_second: float = 20.0
    """HTTP requests of one address in the long run; three times as many in a burst."""
    connections: int = 64
    """WebSockets of one address at the same time."""
    sockets: int = 256
    """Sockets of one address at the same time, for any use; not counted behind a proxy."""
    games: int = 40
    """Unfinished games that were created from one address; against a bot, while somebody is there.

    Ten times as many against bots, with those that nobody is at.
    """
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
    """All settings of a server; times are in seconds and sizes in bytes, if nothing else is said.

    The operator chooses the first ones; all others are the same on every server, except in tests.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    database: str = "strongroom.db"
    origins: tuple[str, ...] = ()
    """Origins of other pages that may connect; the server's own page always may."""
    behind_proxy: bool = False
    """Whether a reverse proxy reports the client's address."""
    limits: Limits = field(default_factory=Limits)
    claim_after: float = 120.0
    """How long a player must be away before the opponent may claim the game."""
    expire_after: float = 7 * DAY
    """How long an unfinished game is kept after the last player left it."""
    expire_bots: float = 3600.0
    """The same for a game against a bot, at most."""
    keep_records: float | None = None
    """How long a finished game is kept; None keeps it for ever."""
    metrics_token: str | None = None
    """The bearer token required to read the metrics; None hides them from everybody."""
    phrase_rest: float = 3.0
    """How long a player says nothing more after a phrase."""
    pace: float = 1.2
    """A bot answers after this time or up to twice it, as drawn, so its speed tells nothing."""
    toss: float = 2.7
    """How much later it answers after a coin toss: the page needs 0.4 s to say who challenged,
    1.1 s for the coin in the air and 1.2 s for it at rest."""
    bots: tuple[str, ...] = ()
    """Engines that play beside the server's own bots, like `engine:./mybot`."""

    # --- HTTP ---

    request_timeout: float = REQUEST_TIMEOUT
    """How long a request may take to arrive, and an answer to be read once it is complete."""
    unread_timeout: float = 30.0
    """How long a client may read nothing while too much is waiting to be sent to it."""
    pending_sockets: int = 4096
    """How many sockets may wait to be accepted."""
    longest_head: int = 32_768
    """The longest request before its body."""
    longest_body: int = 16_384
    """The longest body of a request."""
    most_pipelined: int = 16
    """How many requests a client may send before it reads an answer."""
    response_piece: int = 65_536
    """The size of the pieces in which a long response is sent."""
    cached_start_pages: int = 16
    """For how many addresses of the server the start page is kept ready."""

    # --- WebSockets ---

    hello_timeout: float = 20.0
    """How long a client may take to say hello."""
    close_timeout: float = 5.0
    """How long a client may take to read why its connection is closed."""
    ping_interval: float = 20.0
    ping_timeout: float = 20.0
    longest_message: int = 4096
    """The longest message of a client."""
    most_fragments: int = 64
    """The most fragments of one message."""
    most_unread: int = 8
    """The most unread messages of a client; beyond it, the socket is not read."""
    most_bad_frames: int = 20
    """How many bad frames are answered before the connection is closed."""
    seconds_a_message: float = 0.005
    """The processor time that counts as one more message."""
    bytes_a_message: int = 4096
    """How much must be sent while handling a message to count as one more message."""
    large_frame: int = 16_384
    """From this size on, a frame is checked against the backlog even if it is not queued."""

    # --- what an address may cost ---

    burst: float = 3.0
    """The largest burst, in seconds' worth of a rate."""
    tracked_addresses: int = 20_000
    """How many addresses are tracked; those that have long been idle are forgotten first."""
    addresses_checked: int = 8
    """How many of them are checked for removal when a new one arrives."""
    saved_processor_time: float = 0.5
    """How much processor time an address may save up."""
    processor_time_in_a_row: float = 0.002
    """How much of it an address may use without a rest."""
    rest_share: float = 0.5
    """How much of that one second of rest restores, whatever was saved up."""
    most_queued: int = 1024
    """How many messages of one address may wait, including those whose senders are gone."""
    read_piece: int = 2048
    """How many received bytes are processed at once, so that nobody waits long for them."""
    most_unprocessed: int = 2**20
    """How many received bytes may wait for their turn; a socket that sends more is cut off."""

    # --- games ---

    listed_games: int = 60
    """The most games that a list returns."""
    short_journal: int = 50
    """How many requests the event loop replays by itself; longer journals replay in a thread."""
    time_out_delay: float = 0.05
    """The time between the expiry of a player's clock and the check."""
    engine_threads: int = 8
    """How many engines think at the same time."""
    most_slow_work: int = 32
    """The longest queue for slow work; further callers are told to retry later."""
    longest_analysis: int = 200
    """The most moves that are analyzed; an endless game would block the others for minutes."""
    cached_records: int = 16
    """How many finished games are cached."""
    cached_analyses: int = 64
    cached_vaults: int = 64
    """How many days' vaults are cached."""

    # --- time, and other processes ---

    heartbeat: float = 2.0
    """The time between heartbeats, and between checks of the other processes' heartbeats."""
    process_timeout: float = 8.0
    """How long after its last heartbeat a process still counts as alive."""
    connected_process_timeout: float = 600.0
    """The same for a process that still has a connection to the database."""
    process_kept: float = DAY
    """How long after its last heartbeat a process may be forgotten."""
    down_after: float = 3.0
    """The time without any heartbeat that means no process was running: each beats more often."""
    single_down_after: float = 0.2
    """The same for a single process: it was down since its last heartbeat, whenever that was."""
    clock_jump: float = 1.0
    """How far ahead another process must be to mean that a wall clock jumped."""
    freeze_tick: float = 0.25
    """How often a thread notes that the process is running."""
    shortest_freeze: float = 1.0
    """How long a gap between two ticks must be to count as a freeze."""
    busy_share: float = 0.5
    """A gap is a freeze only if the process was busy for less than this share of it."""
    busy_readings: int = 3
    """How often to read the busy time if a reading takes as long as a freeze."""
    poll: float = 0.2
    """The time between polls of a share of the games, for changes that notifications missed."""
    poll_shares: int = 10
    """How many polls it takes to look at every game."""

    # --- the database ---

    writes_together: int = 2000
    """The most writes in one commit; it bounds how long the first of them waits."""
    write_retry: float = 1.0
    """The time before a retry when the database does not answer."""
    stored_lately: float = 8.0
    """How old the last stored heartbeat may be while the server calls itself ready."""
    sqlite_lock_timeout: float = 10.0
    """How long a write waits for another program's lock on the file."""
    postgres_readers: int = 4
    """How many queries may run at once."""
    postgres_timeout: float = 5.0
    """How long a query waits for a database that went away."""
    postgres_tries: int = 3
    """How often a read, or a write before its commit, is tried when its connection is lost."""
    postgres_check: float = 20.0
    """The time without a notification after which the connection is checked."""
    connect_timeout: int = 5
    """How long it may take to connect to PostgreSQL, unless the URL says otherwise."""
    statement_timeout: float = 10.0
    """How long a statement may take; a connection silent for twice as long is cut."""
    reconnect_pauses: tuple[float, ...] = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
    """The pauses between attempts to connect; the last one is repeated."""

    # --- the process ---

    shutdown_timeout: float = 10.0
    """How long after a signal the process ends at the latest, whatever clients do."""
    shutdown_grace: int = 3
    """How much of it requests in progress may take to finish."""
    goodbye_timeout: float = 2.0
    """How much of it clients get to hear that the server is stopping."""
    cancel_again: float = 0.5
    """How long a cancelled task may take to end before it is cancelled again."""
    sweep: float = 600.0
    """The time between sweeps of expired games, and until the vault of a new day is prepared."""
    first_vaults: float = 5.0
    """The time until the first vaults are prepared, when clients have reconnected."""
    switch_interval: float = 0.0005
    """The interpreter's switch interval; short, because commits wait for the loop."""
    garbage_sources: int = 2000
    """How many possible sources of garbage trigger a collection; none leaves more than 24 kB."""
    full_collection_every: int = 16
    """One collection in this many is a full one, for what became garbage late."""
    full_collection_interval: float = 3600.0
    """The time between full collections that nothing else triggers."""
    errors_a_second: float = 5.0
    """How many errors are logged a second in the long run, with room for a burst."""
    longest_log_text: int = 300
    """The most characters of a text that is logged."""


DEFAULTS: Final = Settings()
"""What a server works with if its operator chooses nothing."""
