"""The tables, in SQL that SQLite and PostgreSQL both understand.

Times are seconds since 1970, in server time. Tokens and invitations are stored as digests only.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = 2
"""The version of the tables; a file with another version is not opened."""
SCHEMA: Final = (
    """
    CREATE TABLE IF NOT EXISTS games (
        id TEXT PRIMARY KEY,
        deal TEXT NOT NULL,
        server_seed TEXT NOT NULL,
        invitation TEXT,
        waits BOOLEAN NOT NULL,
        watch BOOLEAN NOT NULL,
        created DOUBLE PRECISION NOT NULL,
        started DOUBLE PRECISION,
        ended DOUBLE PRECISION,
        result INTEGER,
        address TEXT NOT NULL,
        rematch_of TEXT UNIQUE
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS seats (
        game TEXT NOT NULL,
        seat INTEGER NOT NULL,
        name TEXT,
        player TEXT NOT NULL,
        token TEXT UNIQUE,
        seed TEXT,
        connection TEXT,
        process TEXT,
        left_at DOUBLE PRECISION,
        PRIMARY KEY (game, seat)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS journal (
        game TEXT NOT NULL,
        number INTEGER NOT NULL,
        last INTEGER NOT NULL,
        request TEXT,
        lines TEXT NOT NULL,
        PRIMARY KEY (game, number),
        UNIQUE (game, request)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS processes (
        id TEXT PRIMARY KEY,
        beat DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS pauses (
        began DOUBLE PRECISION PRIMARY KEY,
        ended DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS seat_pauses (
        game TEXT NOT NULL,
        seat INTEGER NOT NULL,
        began DOUBLE PRECISION NOT NULL,
        ended DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (game, seat, began)
    )
    """,
    "CREATE INDEX IF NOT EXISTS games_by_time ON games (ended, created)",
    "CREATE INDEX IF NOT EXISTS games_by_address ON games (address) WHERE ended IS NULL",
    "CREATE INDEX IF NOT EXISTS games_with_result ON games (created) WHERE result IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS games_not_started ON games (created) WHERE started IS NULL",
    "CREATE INDEX IF NOT EXISTS games_without_result ON games (created) WHERE result IS NULL",
)
"""The statements that create the tables if they do not exist.

`deal` is what is played and on what terms, as JSON; `result` is the winning seat, or 0 if nobody
won. A game that ended without a result was withdrawn. A row of the journal holds the entries of one
request, from `number` to `last`, as the lines of a record. No clock runs during one of the
`pauses`; only the seat's own clock stands still during one of the `seat_pauses`.
"""
