"""The games over the Model Context Protocol: a client plays, watches, reads rules and reviews.

Over HTTP a game belongs to the session that started it; where a client has no session, to
whoever knows the game's id. A tool's docstring, its arguments' descriptions and its answer are all
that a model knows of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import partial, wraps
from inspect import cleandoc
from threading import Lock
from typing import Annotated, Any, Final, Literal, NamedTuple, ParamSpec, TypeVar

from strongroom.contract import YOU, Game, Json, NotLegal, Refusal, Seat, View, possessive
from strongroom.minds.dialogue import Dialogue
from strongroom.players import check, player, seat_name, stand_in
from strongroom.plugins.extras import extra
from strongroom.plugins.foreign import FAILURES, Stops
from strongroom.plugins.registry import find, load, names, summary
from strongroom.referee.bout import TURN_LIMIT
from strongroom.referee.match import Match
from strongroom.referee.randomness import Seed, draws, fresh_token, nonces, stream
from strongroom.referee.record import PERSON, Record, Sitter
from strongroom.referee.table import Table
from strongroom.text.quoting import harmless, printable_lines, quote
from strongroom.theory.hints import advise
from strongroom.version import __version__

with extra("mcp", "strongroom.doors.mcp"):
    from anyio import CapacityLimiter, to_thread
    from mcp import MCPError
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.resources import FunctionResource
    from mcp_types import (
        INVALID_PARAMS,
        CallToolResult,
        InputRequiredResult,
        TextContent,
        ToolAnnotations,
    )
    from pydantic import BaseModel, Field, ValidationError

P = ParamSpec("P")
R = TypeVar("R")
AT_ONCE: Final = 2
"""How many reviews and hints are computed at a time; moves never wait for them."""
INSTRUCTIONS: Final = (
    "Two-player duels of codes and nerve against bots, refereed here. Call start_game: its answer "
    "has the rules, the id of the game and the first question. Answer every question with the tool "
    "move until the game is over, then call review to see what each move cost. To watch two bots "
    "instead, call start_watching and then watch."
)
READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
PLAYS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
Judge = Callable[[Record], tuple[str, list[Json]]]
"""Says what the moves of a finished game cost: in text, and as figures for each seat."""
SESSION: Final = "mcp-session-id"
"""The header with the id of a session; a client must not know another's."""
EACH: Final = 20
"""How many games one client holds; one more drops the game that it left alone for longest."""
ALL: Final = 1000
"""How many games all clients hold together; one more drops a game of the address with the most."""


def make_server(judge: Judge, opponents: Sequence[str] = ()) -> GameServer:
    """A server with all tools, resources and the prompt; `opponents` are players beside the bots.

    `judge` reviews finished games.
    """
    tools = Tools(judge, opponents)
    server = GameServer(
        "strongroom", instructions=INSTRUCTIONS, version=__version__, log_level="CRITICAL"
    )
    choice = f"Games: {', '.join(names('game'))}. Players: {', '.join(tools.players)}."
    slow = CapacityLimiter(AT_ONCE)

    def offer(kind: ToolAnnotations, *offered: Callable[..., Any]) -> None:
        for tool in offered:
            about = cleandoc(tool.__doc__ or "")
            if tool in (tools.start_game, tools.start_watching):
                about += f"\n\n{choice}"
            safe = refusing(ToolError, tool)
            if tool in (tools.review, tools.hint):
                safe = in_turn(safe, slow)
            server.add_tool(safe, description=about, annotations=kind)

    offer(READS, tools.list_games, tools.rules)
    offer(PLAYS, tools.start_game, tools.move)
    offer(READS, tools.look, tools.list_my_games, tools.review)
    offer(PLAYS, tools.hint, tools.resign, tools.start_watching, tools.watch)
    wrong = partial(MCPError, INVALID_PARAMS)
    server.resource("strongroom://games", mime_type="text/plain")(tools.list_games)
    for name in names("game"):
        server.add_resource(
            FunctionResource(
                uri=f"strongroom://rules/{name}",
                name=f"rules of {name}",
                description=summary("game", name),
                mime_type="text/markdown",
                fn=refusing(wrong, partial(tools.rules, name)),
            )
        )
    record = refusing(wrong, tools.record)
    server.resource("strongroom://records/{game_id}", mime_type="application/jsonl")(record)
    server.prompt()(refusing(wrong, tools.play))
    return server


class GameServer(MCPServer[Any]):
    """A server whose tools refuse every wrong call in one line that says what to do."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Any = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; an argument that it does not have is refused, too."""
        known = {tool.name: [*tool.input_schema["properties"]] for tool in await self.list_tools()}
        if name not in known:
            raise ToolError(f"There is no tool {quote(name)}. Choose from: {', '.join(known)}.")
        for each in arguments.keys() - known[name]:
            has = ", ".join(known[name]) or "none"
            raise ToolError(f"{name} has no argument {quote(each)}. Its arguments: {has}.")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise ToolError(_reason(error)) from None


def _reason(error: ToolError) -> str:
    """Why a call failed, without the library's words around it."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        first = cause.errors(include_url=False, include_input=False, include_context=False)[0]
        at = ".".join(harmless(str(each)) for each in first["loc"])
        return f"{at}: {first['msg']}. See the tool's description."
    return str(cause if isinstance(cause, ToolError) else error)


def refusing(error: Callable[[str], Exception], asked: Callable[P, R]) -> Callable[P, R]:
    """A function whose refusals the client is told; of another failure it is told only the kind."""

    @wraps(asked)
    def answer(*given: P.args, **named: P.kwargs) -> R:
        try:
            return asked(*given, **named)
        except (Refusal, Stops) as refusal:
            raise error(printable_lines(str(refusal))) from None
        except Exception as failure:
            raise error(f"Something broke here: {type(failure).__name__}.") from None

    return answer


def in_turn(asked: Callable[P, R], turns: CapacityLimiter) -> Callable[P, Any]:
    """A slow function that runs in a thread; `turns` limits how many run at a time."""

    @wraps(asked)
    async def answer(*given: P.args, **named: P.kwargs) -> R:
        return await to_thread.run_sync(partial(asked, *given, **named), limiter=turns)

    return answer


# --- what a client can ask for --------------------------------------------------------------------

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


class Tools:
    """The tools, resources and the prompt that a client can ask for."""

    def __init__(self, judge: Judge, opponents: Sequence[str] = ()) -> None:
        self.tables = ClientGames()
        own = {name: name for name in names("player")}
        self.players = own | {seat_name(name): name for name in opponents}
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
        table = ClientGame(chosen, {own.other: self._player(opponent)}, seed)
        return self._start_result(ctx, table, "Make your moves with the tool move.")

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

        Against master costs are exact; otherwise as in a hint, and the review says so.
        """
        text, players = self._judge(self._finished_record(ctx, game_id))
        text = printable_lines(text)
        return tool_result(Review(text=text, players=players), text)

    def list_my_games(self, ctx: Context) -> str:
        """List the games that you started here, with their ids."""
        client = client_of(ctx)
        if client is None:
            raise Refusal("This connection has no session.", "Keep the ids that start_game gives.")
        own = self.tables.of(client)
        lines = [f"{number}: {self._describe(table)}" for number, table in own.items()]
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
        table = ClientGame(self._game(game, options), players, seed)
        return self._start_result(ctx, table, "See the moves with the tool watch.")

    def watch(self, ctx: Context, game_id: GameId, moves: Count = 1) -> Answer:
        """See the next moves of a game that you watch."""
        with self._table(ctx, game_id).alone() as table:
            table.watch(moves)
            return self._position(game_id, table)

    # --- resources and prompts -------------------------------------------------------------------

    def record(self, ctx: Context, game_id: GameId) -> str:
        """The record of a finished game of yours, as JSON lines; `strongroom replay` reads it."""
        return self._finished_record(ctx, game_id).dumps()

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

    def _table(self, ctx: Context, game_id: str) -> ClientGame:
        return self.tables.find(client_of(ctx), game_id)

    def _start_result(self, ctx: Context, table: ClientGame, manner: str) -> CallToolResult:
        number, dropped = self.tables.add(client_of(ctx), table, address_of(ctx))
        notes = " ".join(filter(None, [manner, table.instead, dropped]))
        return self._position(number, table, f"{Dialogue(table.record.game).rules}\n\n{notes}")

    def _position(self, game_id: str, table: ClientGame, opening: str = "") -> CallToolResult:
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
        return tool_result(position, f"{text}\n\n(game_id: {game_id})")

    def _describe(self, table: ClientGame) -> str:
        one, two = table.names.values()
        over = table.record.outcome
        state = table.record.game.words.ending(over, table.names) if over else "going on."
        return f"{table.record.game.name}, {one} against {two}: {state}"

    def _finished_record(self, ctx: Context, game_id: str) -> Record:
        table = self._table(ctx, game_id)
        if not table.is_over:
            raise Refusal("The game is not over.", "Play it to its end, or resign, first.")
        return table.record


def client_of(ctx: Context) -> str | None:
    """The client that a request comes from: the id of its session, or None without sessions.

    Over stdio there is only one client, whose name is empty.
    """
    headers = ctx.headers
    return "" if headers is None else headers.get(SESSION)


def address_of(ctx: Context) -> str:
    """The address that a request came from; empty over stdio."""
    peer = getattr(ctx.request_context.request, "client", None)
    return peer.host if peer else ""


def tool_result(model: BaseModel, text: str) -> CallToolResult:
    """An answer to a call, as text to read and as data."""
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


# --- the games of all clients ---------------------------------------------------------------------


class Held(NamedTuple):
    """A game, and who started it."""

    client: str | None
    address: str
    table: ClientGame


class ClientGame:
    """A game: the client plays the seat that has no player, or watches if both have one.

    >>> from strongroom import load
    >>> table = ClientGame(load("quantum-duel"), {Seat.TWO: "master"}, seed=1)
    >>> table.move("4")
    >>> table.text.splitlines()[:2]
    ['You are Player 1, against Master.', '1. You: 4']
    """

    def __init__(self, game: Game, players: Mapping[Seat, str], seed: Seed = None) -> None:
        self.seat = next((seat for seat in Seat if seat not in players), None)
        """The client's seat; None if it watches."""
        plays = {seat: stand_in(name, game) for seat, name in players.items()}
        self.instead = " ".join(dict.fromkeys(told for _, told in plays.values() if told))
        """Which player plays instead of the one named, in a sentence; empty if none does."""
        names = {seat: seat_name(plays[seat][0]) if seat in plays else YOU for seat in Seat}
        if names[Seat.ONE] == names[Seat.TWO]:
            names = {seat: f"{name} {seat.value}" for seat, name in names.items()}
        self.names = names
        """What the players are called."""
        seated = {}
        for seat, (name, _) in plays.items():
            purpose = f"player {seat.value}" if self.seat is None else "opponent"
            seated[seat] = player(name, game, stream(seed, purpose))
            check(seated[seat])
        kinds = {seat: name.partition(":")[0] for seat, (name, _) in plays.items()}
        one, two = (Sitter(names[seat], kinds.get(seat, PERSON)) for seat in Seat)
        match = Match.start(game, (one, two), TURN_LIMIT, draws(seed), nonces(seed))
        self._table = Table(match, seated)
        self._in_use = Lock()
        self._is_dropped = False
        self._table.run(0 if self.seat is None else None)

    @property
    def record(self) -> Record:
        """What was played so far."""
        return self._table.record

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.record.outcome is not None

    @property
    def view(self) -> View:
        """What the client may know now."""
        return self._table.view(self.seat)

    @property
    def text(self) -> str:
        """The text for the client: what it knows, and what it is asked or how the game ended."""
        view, words, dialogue = self.view, self.record.game.words, self._dialogue
        if self.seat is not None and view.actor is self.seat:
            return dialogue.ask(view)
        if self.seat is not None:
            lines = [*dialogue.known_lines(view)]
        else:
            one, two = self.names.values()
            lines = [f"{one} plays against {two}.", *words.notes(view, self.names)]
        lines += dialogue.board(view)
        if view.outcome is not None:
            ending = words.ending(view.outcome, self.names)
            lines += [*self._revealed_secrets(view), f"The game is over: {ending}"]
        elif view.setting_up:
            lines.append(f"Secret choices made so far: {view.number}.")
        return "\n".join(lines)

    def _revealed_secrets(self, view: View) -> Iterator[str]:
        """The secrets that the end of a game reveals and its viewer did not know."""
        words = self.record.game.words
        for seat, secrets in zip(Seat, view.secrets or ((), ()), strict=True):
            if secrets and seat is not self.seat:
                told = "; ".join(words.text(each).rstrip(".") for each in secrets)
                yield f"{possessive(self.names[seat])} {words.secret_name}: {told}."

    @property
    def _dialogue(self) -> Dialogue:
        other = "" if self.seat is None else self.names[self.seat.other]
        return Dialogue(self.record.game, opponent=other)

    @contextmanager
    def alone(self) -> Iterator[ClientGame]:
        """The game for one request; a refusal while another one is not answered yet."""
        if not self._in_use.acquire(blocking=False):
            told = "Another request for this game is not answered yet."
            raise Refusal(told, "Wait for its answer, then try again.")
        try:
            yield self
        finally:
            self._in_use.release()
            if self._is_dropped:
                self._abandon()

    def drop(self) -> None:
        """Leave the game, once a request for it that is in progress has been answered."""
        self._is_dropped = True
        self._abandon()

    def _abandon(self) -> None:
        if self._in_use.acquire(blocking=False):
            try:
                self._table.leave()
            finally:
                self._in_use.release()

    def move(self, line: str) -> None:
        """Make the client's move, and let chance and the opponent go on; or a refusal."""
        seat, view, words = self._to_move(), self.view, self.record.game.words
        try:
            self._table.play(seat, words.parse(line, view))
        except Refusal as refusal:
            told = words.reword_refusal(refusal, view)
            told.accepted = words.accepted_at_once(told, view)
            raise told from None

    def resign(self) -> None:
        """End the game as the client's loss."""
        self._table.resign(self._to_move())

    def hint(self) -> str:
        """The best moves and why; the record says that the client asked."""
        seat = self._to_move()
        told = "\n".join(advise(self.view).sentences(self.record.game.words))
        self._table.note_hint(seat)
        return told

    def watch(self, moves: int) -> None:
        """Let the players that the client watches make so many moves."""
        if self.seat is not None:
            raise Refusal("You play this game.", "Make your moves with the tool move.")
        if not self.is_over:
            self._table.run(moves)

    def _to_move(self) -> Seat:
        """The client's seat, whose turn it is; or a refusal."""
        if self.seat is None:
            raise Refusal("You watch this game.", "Use the tool watch to see it go on.")
        if not self.is_over:
            self._table.run()  # an opponent that stopped in the middle of its turn is asked again
        if self.is_over:
            raise NotLegal("The game is over.", "Use the tool review, or start another game.")
        return self.seat


class ClientGames:
    """All games of all clients, each under an id that nobody can guess."""

    def __init__(self, each: int = EACH, in_all: int = ALL) -> None:
        self._each, self._in_all = each, in_all
        self._held: dict[str, Held] = {}  # least recently used first
        self._changing = Lock()

    def add(self, client: str | None, table: ClientGame, address: str = "") -> tuple[str, str]:
        """Hold a game for a client; its id, and a sentence if another game was dropped for it.

        None stands for all clients without a session, who are told apart by what ids they know.
        Sessions cost nothing, so one address with many of them pushes out its own games first.
        """
        number, dropped, without = fresh_token(), "", None
        with self._changing:
            own = [each for each, held in self._held.items() if held.client == client]
            if client is not None and len(own) >= self._each:
                without = self._held.pop(own[0])
                dropped = f"Game {own[0]} was dropped: you can have {self._each} at a time."
            elif len(self._held) >= self._in_all:
                counts = Counter(held.address for held in self._held.values())
                most = max(counts.values())
                oldest = next(k for k, v in self._held.items() if counts[v.address] == most)
                without = self._held.pop(oldest)
            self._held[number] = Held(client, address, table)
        if without is not None:
            without.table.drop()
        return number, dropped

    def find(self, client: str | None, number: str) -> ClientGame:
        """The game of this client with this id; or a refusal, which tells nothing of others."""
        with self._changing:
            held = self._held.get(number)
            if held is None or held.client != client:
                raise Refusal(
                    "You have no game with this id; it may have been dropped for newer ones.",
                    "Use the id that start_game gave you, or start another game.",
                )
            self._held[number] = self._held.pop(number)
            return held.table

    def of(self, client: str) -> dict[str, ClientGame]:
        """The games of a client by their ids, the most recently used last."""
        with self._changing:
            return {each: held.table for each, held in self._held.items() if held.client == client}
