"""One whole game of each kind for its page of rules: played by bots, shown on the page's boards.

The site carries the page's own modules, so that a board is drawn in one place only.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import strongroom
from strongroom.contract import Game, Json, Seat
from strongroom.players import player
from strongroom.referee import table as referee
from strongroom.server.catalog import games
from strongroom.server.files import page_files
from strongroom.server.lobby import replay_frames
from strongroom.server.store import Deal, StoredGame, StoredSeat, game_info
from strongroom.server.table import HostedGame

NOT_DRAWN = (".html", ".webmanifest", ".png")
"""What the server fills in or a phone installs, and no board needs."""
NAMES = ("Ada", "Bob")
PLAYED = {
    "safecracker-duel": ("casual", 31),
    "safe-cracker": ("expert", 13),
    "safe-code": ("casual", 2),
    "digit-deductions": ("casual", 9),
    "quantum-duel": ("random", 62),
}
"""The bot on both seats and the seed: games that are short, and show what their game is about."""


def on_post_build(config: Any, **_: Any) -> None:
    """Put the page's modules and the games beside the finished site."""
    site = Path(config["site_dir"])
    for path, (_kind, content) in page_files().items():
        if not path.endswith(NOT_DRAWN):
            (site / "page" / path).parent.mkdir(parents=True, exist_ok=True)
            (site / "page" / path).write_bytes(content)
    for name in PLAYED:
        told = json.dumps(whole_game(strongroom.load(name), *PLAYED[name]))
        (site / "step" / f"{name}.json").write_text(told, encoding="utf-8")


def whole_game(game: Game, bot: str, seed: int) -> Json:
    """A whole game as a spectator was sent it: what the catalog says of it, then the frames."""
    random = Random(f"{game.name} {seed}")
    seats = (
        StoredSeat(seat, name, seed=random.randbytes(16).hex())
        for seat, name in zip(Seat, NAMES, strict=True)
    )
    one, two = seats
    stored = StoredGame(
        id=random.randbytes(16).hex(),
        deal=Deal(game),
        server_seed=random.randbytes(32).hex(),
        created=0.0,
        seats=(one, two),
        started=0.0,
    )
    table = HostedGame(stored)
    welcome = table.welcome((None, True), game_info(stored), 0.0)
    players = {seat: player(bot, game, Random(random.random())) for seat in Seat}
    record = referee.Table(table.playing, players, clock=lambda: 0.0).run().record
    frames = json.loads(replay_frames(stored, record, None))
    return {"game": games()[game.name], "welcome": welcome, "frames": frames}
