"""Language models as players, `model:NAME`, whose endpoint and key the environment names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from random import Random
from typing import Final
from urllib.parse import urlsplit

from strongroom.contract import Game, Refusal, quote
from strongroom.contract.codec import json_form
from strongroom.minds.allowance import Allowance, Bill, Prices
from strongroom.minds.asking import Asking
from strongroom.minds.dialogue import Dialogue, Message, Reply, Style, TextPlayer
from strongroom.minds.endpoint import ADDRESS, KEY, TIMEOUT, Endpoint
from strongroom.minds.settings import USUAL, Settings
from strongroom.players import Stops
from strongroom.plugins.extras import extra

LIBRARIES: Final = ("openai",)
"""The packages that call the endpoint."""
CONCURRENCY: Final = 8
"""How many games a model plays at once, unless another number is asked for."""
LONGEST_MODEL: Final = 150
"""The most characters in the name of a model."""


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def say_nothing(told: str) -> None:
    """Tell nobody what was found out."""


@json_form("settings served asked at_once? date libraries prices? spent")
@dataclass(frozen=True, slots=True)
class Experiment:
    """How a model was asked in a run, what was found out about its endpoint, and what it took."""

    settings: Settings
    served: str
    """What the endpoint calls the model; empty if it has not answered in this run."""
    asked: Asking
    """In which form it was asked at last."""
    date: str
    """When the run began, in UTC."""
    libraries: Mapping[str, str]
    """The versions of what calls the endpoint."""
    spent: Bill
    """What all its answers took, also those of games that were broken off."""
    prices: Prices | None = None
    at_once: int | None = None
    """The most calls at once that the endpoint bears, if fewer were tried; else None."""


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
    settings: Settings = USUAL
    """How it is asked."""
    announce: Callable[[str], None] = say_nothing
    """Is told, in a sentence, how the model is asked, once that is found out."""
    date: str = field(default_factory=now)
    """When the run began."""

    @property
    def player(self) -> str:
        """Its name as a player's, with what it is told."""
        return f"model:{self.model}?{self.style}".removesuffix("?")

    @property
    def seat_name(self) -> str:
        """What the model is called at a table."""
        return self.model.rpartition("/")[2] or self.model

    def __call__(self, game: Game, rng: Random) -> TextPlayer:
        """A player for one game."""
        in_json = self.endpoint.in_json(self.model, self.settings)
        return TextPlayer(game, self.speak, self.style, in_json, self.settings)

    def speak(self, dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        """The model's answer, paid from the allowance."""
        allowance, endpoint, settings = self.allowance, self.endpoint, self.settings
        reserved = allowance.reserve("\n".join((opening, *(each.text for each in talk))))
        was_proven = endpoint.is_proven(self.model, settings)
        try:
            schema = dialogue.schema if dialogue.in_json else None
            reply = endpoint.answer(self.model, opening, talk, schema, self.timeout, settings)
            if settings.constrained:
                reply = replace(reply, constrained=bool(reply.constrained))
            allowance.pay(reserved, reply, self.player)
        except Stops as stopped:
            allowance.stop(stopped)
            raise
        finally:
            allowance.release(reserved)
        if not was_proven and endpoint.is_proven(self.model, settings):
            self.announce(self.manner)
        return replace(reply, money=allowance.cost(reply))

    @property
    def manner(self) -> str:
        """How the model is asked, in a sentence."""
        served = self.endpoint.served.get(self.model, "")
        called = f" ({served})" if served not in ("", self.model) else ""
        return f"{self.model}{called} answers by {self.endpoint.asking(self.model, self.settings)}."

    @property
    def experiment(self) -> Experiment:
        """How the model was asked so far, and what it took."""
        endpoint = self.endpoint
        return Experiment(
            self.settings,
            endpoint.served.get(self.model, ""),
            endpoint.asking(self.model, self.settings),
            self.date,
            {name: version(name) for name in LIBRARIES},
            self.allowance.bill_of(self.player),
            self.allowance.prices,
            endpoint.most,
        )


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
