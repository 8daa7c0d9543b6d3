"""Language models as players, `model:NAME`, whose endpoint and key the environment names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Final
from urllib.parse import urlsplit

from strongroom.contract import Game, Refusal, quote
from strongroom.minds.allowance import Allowance, in_tokens
from strongroom.minds.dialogue import Dialogue, Message, Reply, Style, TextPlayer
from strongroom.minds.endpoint import ADDRESS, KEY, TIMEOUT, Endpoint
from strongroom.players import Stops
from strongroom.plugins.extras import extra

CONCURRENCY: Final = 8
"""How many games a model plays at once, unless another number is asked for."""
LONGEST_MODEL: Final = 150
"""The most characters in the name of a model."""


@dataclass(frozen=True)
class ModelSeats:
    """Seats one model at any number of games, which share what it may spend."""

    model: str
    style: Style
    endpoint: Endpoint
    allowance: Allowance = field(default_factory=Allowance)
    concurrency: int = CONCURRENCY
    """How many games are played at once, in threads."""
    timeout: float = TIMEOUT
    """How many seconds an answer may take, with all retries."""

    @property
    def seat_name(self) -> str:
        """What the model is called at a table."""
        return self.model.rpartition("/")[2] or self.model

    def __call__(self, game: Game, rng: Random) -> TextPlayer:
        """A player for one game."""
        return TextPlayer(game, self.speak, self.style, self.endpoint.in_json(self.model))

    def speak(self, dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        """The model's answer, paid from the allowance."""
        allowance = self.allowance
        reserved = allowance.reserve("\n".join((opening, *(each.text for each in talk))))
        try:
            schema = dialogue.schema if dialogue.in_json else None
            reply = self.endpoint.answer(self.model, opening, talk, schema, self.timeout)
            money = allowance.cost(reply)
            took_in, took_out = reply.tokens_in, reply.tokens_out
            allowance.pay(
                reserved,
                reserved.tokens_in if took_in is None else took_in,
                in_tokens(f"{reply.text}{reply.reasoning}") if took_out is None else took_out,
                money,
            )
        except Stops as stopped:
            allowance.stop(stopped)
            raise
        finally:
            allowance.release(reserved)
        return replace(reply, money=money)


def seats(text: str) -> ModelSeats:
    """The seats of the model that a text names, with its settings; or a refusal.

    The endpoint and its key come from the environment.
    """
    model, _, settings = text.partition("?")
    if (
        not model
        or len(model) > LONGEST_MODEL
        or not model.isprintable()
        or model.split() != [model]
    ):
        raise Refusal(f"{quote(text)} does not name a model.", "For example: model:gpt-4o-mini")
    return ModelSeats(model, Style.read(settings), from_environment())


class MissingModels(Refusal):
    """The address of the endpoint or the key to it is missing or odd."""


def from_environment() -> Endpoint:
    """The endpoint that the environment names, or a refusal."""
    with extra("models", "A model"):
        import openai  # noqa: F401  # imported where it is used, because it takes long
    key = os.environ.get(KEY, "").strip()
    if not key:
        raise MissingModels(
            f"There is no key to the endpoint in {KEY}.",
            "Set that variable; any word will do where no key is needed.",
        )
    if not (key.isascii() and key.isprintable()):
        raise MissingModels(f"{KEY} is not a key: it contains odd characters.")
    address = os.environ.get(ADDRESS, "").strip() or None
    if address is not None and not _is_address(address):
        raise MissingModels(f"{ADDRESS} is not an address.", "It begins with http or https.")
    try:
        return _endpoint(address, key)
    except Exception as error:  # it could quote the address
        told = f"No endpoint can be set up ({type(error).__name__})."
        raise MissingModels(told, f"Check {ADDRESS} and the proxy.") from None


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and named and text.isprintable()


@cache
def _endpoint(address: str | None, key: str) -> Endpoint:
    """One endpoint for all games, so that what was found out about it is kept."""
    return Endpoint(address, key)
