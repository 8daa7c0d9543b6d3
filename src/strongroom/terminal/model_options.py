"""The options of commands that are about models, and what they do to a run."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from strongroom.plugins import registry
from strongroom.terminal.arguments import add_number
from strongroom.text.quoting import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from strongroom.agents.allowance import Allowance
    from strongroom.agents.model import ModelSeats
    from strongroom.measuring.forecast import Forecast
    from strongroom.measuring.protocol import Spent
    from strongroom.terminal.kept_games import KeptGames

STYLES: Final = {
    "disguise": "tell a model the game in other words",
    "legal_moves": "list the legal moves for a model",
    "no_scratch": "let a model answer with the move alone",
}
"""The options that are settings of a model, by their names here."""
SPENDING: Final = ("price", "budget", "parallel", "timeout")
DAY: Final = 86_400
"""The longest time for an answer, in seconds."""
PRICE: Final = "STRONGROOM_PRICE"
"""The environment variable with the prices, where --price is not given."""


def add_styles(parser: argparse.ArgumentParser) -> None:
    """Add the options for how a game is put to a model."""
    for name, help in STYLES.items():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=help)


def add_spending(parser: argparse.ArgumentParser) -> None:
    """Add the options for what a model may cost, and how fast it is asked."""
    parser.add_argument(
        "--price", metavar="IN/OUT", help="a model's dollars per million tokens, like 2.50/10"
    )
    parser.add_argument(
        "--budget", metavar="AMOUNT", help="stop before this: dollars, or tokens like 500k-tokens"
    )
    add_number(parser, "--parallel", "how many games a model plays at once (8)")
    add_number(parser, "--timeout", "seconds for an answer, with all retries (600)", most=DAY)
    parser.add_argument("--yes", action="store_true", help="begin without asking")


def is_model(player: str) -> bool:
    """Whether a player's name is that of a model."""
    return player.startswith("model:")


def refuse_models(players: Iterable[str], option: str) -> None:
    """Refuse models where there is no budget for them."""
    from strongroom.contract import Refusal

    if any(map(is_model, players)):
        raise Refusal(f"{option} cannot be a model.", "Let it play in a tournament.")


def styled(player: str, chosen: argparse.Namespace) -> str:
    """The player's name with the settings that options ask for; refused unless it is a model."""
    from strongroom.contract import Refusal

    asked = [name.replace("_", "-") for name in STYLES if getattr(chosen, name)]
    if not is_model(player):
        others = [name for name in SPENDING if getattr(chosen, name, None) is not None]
        for name in (*asked, *others):
            raise Refusal(f"--{name} is for models, and {shown(player)} is none.", "Leave it out.")
        return player
    from strongroom.agents.dialogue import Style

    name, _, settings = player.partition("?")
    style = str(Style.read("&".join(filter(None, (settings, *asked)))))
    return f"{name}?{style}" if style else name


def all_styled(players: Sequence[str], chosen: argparse.Namespace) -> tuple[str, ...]:
    """The players' names, those of models with the settings that options ask for."""
    if not any(map(is_model, players)):
        styled(players[0], chosen)  # a refusal, if there are options for models
    return tuple(styled(each, chosen) if is_model(each) else each for each in players)


def allowance_of(chosen: argparse.Namespace) -> Allowance:
    """What options allow to spend."""
    from strongroom.agents.allowance import Allowance, Budget, Prices

    told = chosen.price or os.environ.get(PRICE)
    budget = Budget.read(chosen.budget) if chosen.budget is not None else None
    return Allowance(Prices.read(told) if told else None, budget)


def seats_within(
    allowance: Allowance, players: Iterable[str], chosen: argparse.Namespace
) -> dict[str, ModelSeats]:
    """What seats those players who are models, who share what they may spend."""
    from dataclasses import replace

    told = {"concurrency": chosen.parallel, "timeout": chosen.timeout}
    set_here = {name: value for name, value in told.items() if value is not None}
    return {
        name: replace(registry.find_entry("player", name), allowance=allowance, **set_here)
        for name in players
        if is_model(name)
    }


def keep_spent(allowance: Allowance, kept: KeptGames[Any]) -> None:
    """Keep what a run has spent that is broken off, also on games that it did not finish."""
    if not allowance.tokens:
        return
    from strongroom.measuring.protocol import Spent

    told = Spent(tokens=allowance.tokens, money=allowance.money)
    kept.add_line({"spent": told.to_json()})


def count_spent(allowance: Allowance, kept: KeptGames[Any], games: Iterable[Spent]) -> None:
    """Count what a run had spent when it was broken off, at least what its games took."""
    from strongroom.measuring.protocol import Spent

    told = kept.lines(lambda data: Spent.from_json(data["spent"]))
    earlier = (*told, sum(games, Spent()))
    allowance.tokens = max(each.tokens or 0 for each in earlier)
    allowance.money = max(each.money or 0.0 for each in earlier)


def wanted(
    allowance: Allowance, chosen: argparse.Namespace, forecast: Callable[[], Forecast]
) -> bool:
    """Tell what a run will take, and ask whether it should begin if a person can answer."""
    from strongroom.terminal.lines import InputEnded, is_typed, open_lines

    print(forecast().sentence(allowance.prices), file=sys.stderr, flush=True)
    if chosen.yes or not (is_typed() and sys.stdout.isatty()):
        return True
    try:
        answer = open_lines().read("Begin? (yes/no): ")
    except InputEnded:
        return False
    return answer.strip().lower() in ("y", "yes")
