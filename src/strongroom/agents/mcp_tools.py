"""What a client of the Model Context Protocol can ask for: tools, resources and a prompt.

A tool's docstring, its arguments' descriptions and its answer are all that a model knows of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Annotated, Any, Final, Literal

from strongroom.agents.dialogue import Dialogue
from strongroom.agents.mcp_tables import Table, Tables
from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.players import called
from strongroom.plugins.extras import extra
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import find, load, names, summary
from strongroom.referee.record import Record
from strongroom.text.quoting import printable_lines

with extra("mcp", "strongroom.agents.mcp"):
    from mcp.server.mcpserver import Context
    from mcp_types import CallToolResult, TextContent
    from pydantic import BaseModel, Field

Judge = Callable[[Record], tuple[str, list[Json]]]
"""Says what the moves of a finished game cost: in text, and as figures for each seat."""
SESSION: Final = "mcp-session-id"
"""The header with the id of a session; a client must not know another's."""

GameName = Annotated[str, Field(max_length=60, description="The name of a game, see list_games.")]
GameId = Annotated[str, Field(max_length=64, description="The id that the game was started with.")]
PlayerName = Annotated[str, Field(max_length=200, description="The name of a player.")]
Options = Annotated[
    dict[str, Any],
    Field(max_length=20, description='Options of the game by name, like {"digits": 4}.'),
]
PickedSeat = Annotated[Literal[1, 2], Field(description="Your seat; 1 moves first.")]
PickedSeed = Annotated[
    Annotated[int, Field(ge=0, lt=2**63)] | None,
    Field(description="The same seed and moves give the same game; omit it for a fair game."),
]
Line = Annotated[
    str,
    Field(
        max_length=1000,
        coerce_numbers_to_str=True,
        description='Your move as the question asks for it, like "2-1-3".',
    ),
]
Count = Annotated[int, Field(ge=1, le=200, description="How many moves to watch.")]


class Position(BaseModel):
    """A game as the client may see it."""

    game_id: str = Field(description="What every other tool needs to find this game.")
    game: str = Field(description="The name of the game.")
    seat: int | None = Field(description="Your seat, 1 or 2; null if you watch.")
    to_move: int | None = Field(description="The seat that is to move; null once it is over.")
    over: bool = Field(description="Whether the game is over.")
    winner: int | None = Field(description="The seat that won; null if nobody has.")
    hints: int = Field(description="How many hints you took.")
    text: str = Field(description="All you may know, and what you are asked now.")


class Review(BaseModel):
    """What a finished game's moves cost."""

    text: str = Field(description="Every decision, what it cost, and what would have been better.")
    players: list[dict[str, Any]] = Field(
        description="For each seat: what it gave away (cost), luck and gifts, in wins, and whether "
        "these are exact."
    )


Answer = Annotated[CallToolResult, Position]
Reviewed = Annotated[CallToolResult, Review]


class Door:
    """What a client can ask for."""

    def __init__(self, judge: Judge, opponents: Sequence[str] = ()) -> None:
        self.tables = Tables()
        own = {name: name for name in names("player")}
        self.players = own | {called(name): name for name in opponents}
        """Who may be played against: the bots, and under their own names whom the operator named,
        because a command or a path is not for clients."""
        self._judge = judge

    # --- tools -----------------------------------------------------------------------------------

    def list_games(self) -> str:
        """List the games with their options, and the players you can play against or watch."""
        lines = ["Games:"]
        for name in names("game"):
            lines += [f"- {name}: {summary('game', name)}", *_options_of(name)]
        lines.append("Players:")
        for name in self.players:
            about = summary("player", name) if name in names("player") else "named by the operator"
            lines.append(f"- {name}: {about}")
        return printable_lines("\n".join(lines))

    def rules(self, game: GameName, options: Options | None = None) -> str:
        """Read the rules of a game; start_game tells them, too."""
        return Dialogue(self._game(game, options)).rules

    def start_game(
        self,
        ctx: Context,
        game: GameName,
        opponent: PlayerName = "master",
        seat: PickedSeat = 1,
        options: Options | None = None,
        seed: PickedSeed = None,
    ) -> Answer:
        """Start a game in which you play one seat; the answer has the rules and first question.

        Answer questions with the tool move. A fair game has no seed.
        """
        chosen, own = self._game(game, options), Seat(seat)
        table = Table(chosen, {own.other: self._player(opponent)}, seed)
        return self._started(ctx, table, "Make your moves with the tool move.")

    def move(self, ctx: Context, game_id: GameId, move: Line) -> Answer:
        """Make your move, and see the opponent's answer and the next question.

        An illegal move is refused with the reason, and nothing changes: give another one.
        """
        with self._table(ctx, game_id).alone() as table:
            table.move(move)
            return self._position(game_id, table)

    def look(self, ctx: Context, game_id: GameId) -> Answer:
        """See again all you may know of a game of yours, and what you are asked now."""
        with self._table(ctx, game_id).alone() as table:
            return self._position(game_id, table)

    def hint(self, ctx: Context, game_id: GameId) -> str:
        """Ask for the best moves and why; the record and every later answer count your hints."""
        with self._table(ctx, game_id).alone() as table:
            return printable_lines(table.hint())

    def resign(self, ctx: Context, game_id: GameId) -> Answer:
        """Give a game of yours up; the opponent wins."""
        with self._table(ctx, game_id).alone() as table:
            table.resign()
            return self._position(game_id, table)

    def review(self, ctx: Context, game_id: GameId) -> Reviewed:
        """See what each move of a finished game cost, and what would have been better.

        Against master costs are exact; otherwise they are estimates, and the review says so.
        """
        text, players = self._judge(self._finished(ctx, game_id))
        text = printable_lines(text)
        return told(Review(text=text, players=players), text)

    def list_my_games(self, ctx: Context) -> str:
        """List the games that you started here, with their ids."""
        client = client_of(ctx)
        if client is None:
            raise Refusal("This connection has no session.", "Keep the ids that start_game gives.")
        own = self.tables.of(client)
        lines = [f"{number}: {self._described(table)}" for number, table in own.items()]
        return "\n".join(lines) or "You have no games here; start_game starts one."

    def start_watching(
        self,
        ctx: Context,
        game: GameName,
        first: PlayerName = "master",
        second: PlayerName = "expert",
        options: Options | None = None,
        seed: PickedSeed = None,
    ) -> Answer:
        """Let two players play each other; see their moves with the tool watch.

        Secrets stay hidden until the game is over.
        """
        players = {Seat.ONE: self._player(first), Seat.TWO: self._player(second)}
        table = Table(self._game(game, options), players, seed)
        return self._started(ctx, table, "See the moves with the tool watch.")

    def watch(self, ctx: Context, game_id: GameId, moves: Count = 1) -> Answer:
        """See the next moves of a game that you watch."""
        with self._table(ctx, game_id).alone() as table:
            table.watch(moves)
            return self._position(game_id, table)

    # --- resources and prompts -------------------------------------------------------------------

    def record(self, ctx: Context, game_id: GameId) -> str:
        """The record of a finished game of yours, as JSON lines; `strongroom replay` reads it."""
        return self._finished(ctx, game_id).dumps()

    def play(self, game: GameName = "safe-cracker", opponent: PlayerName = "master") -> str:
        """Play a game to its end and review it."""
        self._player(opponent)
        return (
            f"Play a game of {find(game)} against {opponent} with the tools of "
            "strongroom: start_game, then move until the game is over. Think about what each "
            "answer tells you before you move, and take no hints. Then call review, and say which "
            "of your moves was the costliest and why."
        )

    # --- what they share -------------------------------------------------------------------------

    def _game(self, name: str, options: dict[str, Any] | None) -> Game:
        return load(find(name), **(options or {}))

    def _player(self, name: str) -> str:
        if name not in self.players:
            choice = f"Choose from: {', '.join(self.players)}."
            raise Refusal("There is no such player here.", choice)
        return self.players[name]

    def _table(self, ctx: Context, game_id: str) -> Table:
        return self.tables.find(client_of(ctx), game_id)

    def _started(self, ctx: Context, table: Table, manner: str) -> CallToolResult:
        number, dropped = self.tables.add(client_of(ctx), table, address_of(ctx))
        notes = " ".join(filter(None, [manner, table.instead, dropped]))
        return self._position(number, table, f"{Dialogue(table.record.game).rules}\n\n{notes}")

    def _position(self, game_id: str, table: Table, opening: str = "") -> CallToolResult:
        view, record = table.view, table.record
        outcome = view.outcome
        text = printable_lines("\n\n".join(filter(None, [opening, table.text])))
        position = Position(
            game_id=game_id,
            game=record.game.name,
            seat=table.seat and table.seat.value,
            to_move=view.actor.value if isinstance(view.actor, Seat) else None,
            over=outcome is not None,
            winner=outcome.winner.value if outcome and outcome.winner else None,
            hints=record.hints[table.seat.index] if table.seat else 0,
            text=text,
        )
        return told(position, f"{text}\n\n(game_id: {game_id})")

    def _described(self, table: Table) -> str:
        one, two = table.names.values()
        over = table.record.outcome
        state = table.record.game.words.ending(over, table.names) if over else "going on."
        return f"{table.record.game.name}, {one} against {two}: {state}"

    def _finished(self, ctx: Context, game_id: str) -> Record:
        table = self._table(ctx, game_id)
        if not table.over:
            raise Refusal("The game is not over.", "Play it to its end, or resign, first.")
        return table.record


def client_of(ctx: Context) -> str | None:
    """Whose request it is: the id of a session, or None if there are no sessions.

    Over stdio there is only one client, whose name is empty.
    """
    headers = ctx.headers
    return "" if headers is None else headers.get(SESSION)


def address_of(ctx: Context) -> str:
    """The address that a request came from; empty over stdio."""
    peer = getattr(ctx.request_context.request, "client", None)
    return peer.host if peer else ""


def told(model: BaseModel, text: str) -> CallToolResult:
    """An answer both as text to read and as data."""
    content = TextContent(type="text", text=text)
    return CallToolResult(content=[content], structured_content=model.model_dump(mode="json"))


def _options_of(name: str) -> Iterator[str]:
    """The options of a game, each with its values and what it is for; none if it does not load."""
    try:
        options = load(name).options
    except FAILURES:
        return
    for each in fields(options):
        about = each.metadata
        is_yes_or_no = isinstance(each.default, bool)
        values = "true or false" if is_yes_or_no else f"{about['low']} to {about['high']}"
        usual = json.dumps(each.default)
        yield f"  - option {each.name} ({values}; usually {usual}): {about['why']}"
