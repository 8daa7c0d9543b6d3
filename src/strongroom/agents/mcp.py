"""The games over the Model Context Protocol: a client plays, watches, reads rules and reviews.

Over HTTP a game belongs to the session that started it; where a client has no session, to
whoever knows the game's id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from inspect import cleandoc
from typing import Any, Final, ParamSpec, TypeVar

from strongroom.agents.mcp_tools import Door, Judge
from strongroom.contract import Refusal
from strongroom.plugins.extras import extra
from strongroom.plugins.foreign import Stops
from strongroom.plugins.registry import names, summary
from strongroom.text.quoting import harmless, printable_lines, shown
from strongroom.version import __version__

with extra("mcp", "strongroom.agents.mcp"):
    from anyio import CapacityLimiter, to_thread
    from mcp import MCPError
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.server.mcpserver.resources import FunctionResource
    from mcp_types import INVALID_PARAMS, CallToolResult, InputRequiredResult, ToolAnnotations
    from pydantic import ValidationError

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


def make_server(judge: Judge, opponents: Sequence[str] = ()) -> GameServer:
    """A server with all tools, resources and the prompt; `opponents` are players beside the bots.

    `judge` reviews finished games.
    """
    door = Door(judge, opponents)
    server = GameServer(
        "strongroom", instructions=INSTRUCTIONS, version=__version__, log_level="CRITICAL"
    )
    offered = f"Games: {', '.join(names('game'))}. Players: {', '.join(door.players)}."
    slow = CapacityLimiter(AT_ONCE)

    def offer(kind: ToolAnnotations, *tools: Callable[..., Any]) -> None:
        for tool in tools:
            about = cleandoc(tool.__doc__ or "")
            if tool in (door.start_game, door.start_watching):
                about += f"\n\n{offered}"
            safe = refusing(ToolError, tool)
            if tool in (door.review, door.hint):
                safe = in_turn(safe, slow)
            server.add_tool(safe, description=about, annotations=kind)

    offer(READS, door.list_games, door.rules)
    offer(PLAYS, door.start_game, door.move)
    offer(READS, door.look, door.list_my_games, door.review)
    offer(PLAYS, door.hint, door.resign, door.start_watching, door.watch)
    wrong = partial(MCPError, INVALID_PARAMS)
    server.resource("strongroom://games", mime_type="text/plain")(door.list_games)
    for name in names("game"):
        server.add_resource(
            FunctionResource(
                uri=f"strongroom://rules/{name}",
                name=f"rules of {name}",
                description=summary("game", name),
                mime_type="text/markdown",
                fn=refusing(wrong, partial(door.rules, name)),
            )
        )
    record = refusing(wrong, door.record)
    server.resource("strongroom://records/{game_id}", mime_type="application/jsonl")(record)
    server.prompt()(refusing(wrong, door.play))
    return server


class GameServer(MCPServer[Any]):
    """A server whose tools refuse every wrong call in one line that says what to do."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Any = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; an argument that it does not have is refused, too."""
        known = {tool.name: [*tool.input_schema["properties"]] for tool in await self.list_tools()}
        if name not in known:
            raise ToolError(f"There is no tool {shown(name)}. Choose from: {', '.join(known)}.")
        for each in arguments.keys() - known[name]:
            has = ", ".join(known[name]) or "none"
            raise ToolError(f"{name} has no argument {shown(each)}. Its arguments: {has}.")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise ToolError(_reason(error)) from None


def _reason(error: ToolError) -> str:
    """Why a call failed, without what the library puts before it and around it."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        first = cause.errors(include_url=False, include_input=False, include_context=False)[0]
        at = ".".join(harmless(str(each)) for each in first["loc"])
        return f"{at}: {first['msg']}. See the tool's description."
    return str(cause if isinstance(cause, ToolError) else error)


def refusing(error: Callable[[str], Exception], asked: Callable[P, R]) -> Callable[P, R]:
    """A function whose refusals are errors for the client; any other failure tells nothing."""

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
    """A slow function in a thread of its own, once others before it are done."""

    @wraps(asked)
    async def answer(*given: P.args, **named: P.kwargs) -> R:
        return await to_thread.run_sync(partial(asked, *given, **named), limiter=turns)

    return answer
