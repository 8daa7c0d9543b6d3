"""The settings of an experiment: how a model is asked, in the API's own names.

What a seat is told is its `Style`, and stands in a player's name. All else that can be chosen about
a model is here, and stands in the report.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Annotated, Any, Final

from strongroom.contract import Json, Refusal, quote
from strongroom.contract.codec import Accepted, from_json, json_form, number_from, to_json
from strongroom.minds.asking import SCHEMED, Form
from strongroom.text.spelling import did_you_mean

TRIES: Final = 3
"""How many answers a player has for one move, unless another number is set."""
MOST_TRIES: Final = 100
LONGEST_TEXT: Final = 100_000
"""The most characters of a text in the settings."""
SENT: Final = ("temperature", "top_p", "seed", "reasoning_effort", "max_tokens")
"""The settings that are parameters of the API."""
OWN: Final = frozenset(
    {*SENT, "max_completion_tokens", "model", "messages", "n", "response_format", "stream"}
    | {"stream_options", "tools", "tool_choice", "functions", "function_call"}
)
"""Parameters of the API that are not set in `extra_body`."""

Text = Annotated[
    str, Accepted(f"at most {LONGEST_TEXT:,} characters", lambda text: len(text) <= LONGEST_TEXT)
]
Word = Annotated[str, Accepted("a word", lambda text: text.isidentifier() and len(text) <= 40)]
Seed = Annotated[int, Accepted("a number of at most 63 bits", lambda n: abs(n) < 2**63)]
Tries = Annotated[int, Accepted(f"a number from 1 to {MOST_TRIES}", lambda n: 0 < n <= MOST_TRIES)]
Limit = Annotated[int, Accepted("a number from 1 to 10,000,000", lambda n: 0 < n <= 10_000_000)]


class Conversation(StrEnum):
    """Whether a model sees its earlier questions and answers of a game again."""

    FRESH = "fresh"
    """Each move is a new conversation: the record of the game is in the question."""
    KEPT = "kept"
    """A game is one conversation, as it is in training with verifiers."""


@json_form("question answer game?")
@dataclass(frozen=True, slots=True)
class Example:
    """A question and the answer to it, shown before the first question of a game."""

    question: Text
    answer: Text
    game: str | None = None
    """The game before which it is shown; None before all."""


@json_form(
    "temperature? top_p? seed? max_tokens? reasoning_effort? extra_body? system? examples? tries? "
    "conversation? constrained? form?"
)
@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is asked; what is None is left to the endpoint.

    >>> Settings.read({"temperature": 0, "conversation": "kept"}).sent("max_tokens")
    {'temperature': 0.0}
    """

    temperature: Annotated[float, number_from(0, 2)] | None = None
    top_p: Annotated[float, number_from(0, 1)] | None = None
    seed: Seed | None = None
    """The seed of the endpoint's own luck, not that of the games."""
    max_tokens: Limit | None = None
    """The longest answer, with what is thought before it."""
    reasoning_effort: Word | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Further parameters, sent as they are."""
    system: Text = ""
    """A text before the rules."""
    examples: tuple[Example, ...] = ()
    tries: Tries = TRIES
    """How many answers there may be to one question."""
    conversation: Conversation = Conversation.FRESH
    constrained: bool = False
    """Whether the schema lists the legal moves, so that no other can be answered."""
    form: Form | None = None
    """The form of the answers; None is the first that the endpoint takes."""

    def __post_init__(self) -> None:
        for name in self.extra_body:
            if name in OWN:
                advice = "Set it outside." if name in SENT else "Leave it out."
                raise Refusal(f"extra_body cannot have {quote(name)}.", advice)
        if self.constrained and self.form is not None and self.form not in SCHEMED:
            raise Refusal(
                f"Answers in the form {self.form} cannot be constrained.",
                f"Choose from: {', '.join(SCHEMED)}.",
            )

    @classmethod
    def read(cls, data: Json) -> Settings:
        """The settings in JSON data that a person wrote; an unknown name is refused."""
        known = [each.name for each in fields(cls)]
        for name in data:
            if name not in known:
                told = f"There is no setting {quote(name)}."
                meant = did_you_mean(name, known) or f"Choose from: {', '.join(known)}."
                raise Refusal(told, meant)
        return from_json(cls, data)

    def sent(self, limit: str) -> Json:
        """The parameters of a request; `limit` is what the endpoint calls `max_tokens`."""
        told = {name: getattr(self, name) for name in SENT if getattr(self, name) is not None}
        if "max_tokens" in told:
            told[limit] = told.pop("max_tokens")
        return told | ({"extra_body": {**self.extra_body}} if self.extra_body else {})

    @property
    def names(self) -> Sequence[str]:
        """The names of the parameters that are set."""
        return [*(each for each in SENT if getattr(self, each) is not None), *self.extra_body]

    @property
    def chosen(self) -> Json:
        """What is set otherwise than usually, as JSON data.

        >>> Settings(temperature=0, tries=3).chosen
        {'temperature': 0}
        """
        usual = to_json(Settings())
        return {name: each for name, each in to_json(self).items() if each != usual.get(name)}

    def examples_for(self, game: str) -> Sequence[Example]:
        """The examples that are shown before a game."""
        return [each for each in self.examples if each.game in (None, game)]


USUAL: Final = Settings()
"""Nothing is set: the endpoint's own temperature, each move a new conversation."""


def parse_settings(text: str) -> Json:
    """The settings in the text of a file, JSON or TOML, as data; or a refusal."""
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(f"It is neither JSON nor TOML: {quote(str(error), 120)}.") from None
    assert isinstance(data, dict)
    return data


def parse_setting(text: str) -> tuple[str, Any]:
    """The name and the value in a text `NAME=VALUE`; a value that is no JSON is a text.

    >>> parse_setting("top_p=0.9"), parse_setting("conversation=kept")
    (('top_p', 0.9), ('conversation', 'kept'))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise Refusal(f"--ask takes NAME=VALUE; you gave {quote(text)}.", "Like: temperature=0")
    name = name.strip()
    if name in ("system", "reasoning_effort"):
        return name, value
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value.strip()
