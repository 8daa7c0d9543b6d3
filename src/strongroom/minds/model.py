"""Language models as players, `model:NAME`: the chat API that they speak, and how it can fail.

The address of the endpoint and the key to it come from the environment alone. Neither leaves this
module: all that an endpoint says, in answers and in errors, goes through `Endpoint._clean`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from functools import cache, partial
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from weakref import finalize, ref

from strongroom.contract import Game, Json, Refusal, harmless, quote
from strongroom.minds.allowance import Allowance, in_tokens
from strongroom.minds.dialogue import (
    LONGEST_ANSWER,
    Dialogue,
    Message,
    OtherForm,
    Reply,
    Style,
    TextPlayer,
    is_money,
    is_token_count,
    without_thoughts,
)
from strongroom.minds.redaction import Redaction
from strongroom.players import Stops
from strongroom.plugins.extras import extra
from strongroom.plugins.foreign import TookTooLong, call_within

if TYPE_CHECKING:
    from openai import APIStatusError

CONCURRENCY: Final = 8
"""How many games a model plays at once, unless another number is asked for."""
LONGEST_MODEL: Final = 150
"""The most characters in the name of a model."""
ADDRESS, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""The environment variables with the address of the endpoint and the key to it."""
MOST_BYTES: Final = 2**26
"""How much is read of an answer, streamed or not, or of an error."""
LONGEST_ERROR: Final = 2000
"""How many characters of an error message are looked at."""
RETRIES: Final = 8
"""How often a call is repeated that failed through no fault of its own."""
FEW_RETRIES: Final = 3
"""How often a call is repeated if the endpoint cannot be reached or understood at all."""
TIMEOUT: Final = 600.0
"""How many seconds an answer may take, with all retries and pauses; one call takes at most half."""
MOST_CHARACTERS: Final = 2 * LONGEST_ANSWER
"""How much is read of an answer, or of its reasoning."""


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


class Endpoint:
    """A chat API at an address, by default the library's own; every thread may call it."""

    def __init__(
        self, address: str | None, key: str, *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        from openai import DefaultHttpxClient, OpenAI

        for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # they would log the address
        client = DefaultHttpxClient(
            event_hooks={"response": [_limit_response]}, follow_redirects=False
        )
        self._client = OpenAI(base_url=address, api_key=key, max_retries=0, http_client=client)
        finalize(self, self._client.close)
        self._pause = pause
        self._redact = Redaction.of(address or str(self._client.base_url), key)
        self._plain: set[str] = set()
        """The models that do not give structured answers."""
        self._structured: set[str] = set()
        """The models that did."""
        self._more: Json = {"stream_options": {"include_usage": True}}
        """What is asked for besides, until the endpoint refuses that."""

    def in_json(self, model: str) -> bool:
        """Whether structured answers are asked for: until the endpoint refuses that."""
        return model not in self._plain

    def answer(
        self,
        model: str,
        opening: str,
        talk: Sequence[Message],
        schema: Json | None,
        timeout: float = TIMEOUT,
    ) -> Reply:
        """The answer, with the cost if the endpoint tells it; with a schema, a structured one."""
        sent: Json = {
            "model": model,
            "messages": [
                {"role": "system", "content": opening},
                *({"role": "assistant" if own else "user", "content": text} for own, text in talk),
            ],
            "stream": True,
            **self._more,
        }
        if schema is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            sent["response_format"] = {"type": "json_schema", "json_schema": form}
        reply = self._call_with_retries(sent, timeout)
        if schema is not None:
            self._structured.add(model)
        return reply

    def _call_with_retries(self, sent: Json, timeout: float) -> Reply:
        """Call, and again after a while if that may help in time; otherwise stop the run."""
        import openai

        ends = time.monotonic() + timeout
        for failures in itertools.count(1):
            wait = _backoff(failures)
            try:
                left = min(timeout / 2, ends - time.monotonic())
                return call_within(left, partial(self._call, sent, left))
            except openai.APIStatusError as error:
                if error.status_code in (400, 422) and self._may_be_form(sent):
                    self._plain.add(sent["model"])
                    raise OtherForm from None
                if error.status_code in (400, 422) and sent.pop("stream_options", None):
                    self._more = {}
                    continue
                wait += _retry_after(error)
                why = self._status(error, sent["model"])
                again = error.status_code in (408, 409, 429) or error.status_code >= 500
                most = RETRIES if again else 0
            except (openai.APITimeoutError, TookTooLong):
                wait, most = 0.0, RETRIES
                why = (
                    f"The endpoint gave no answer in {timeout:g} seconds. Check it; measure and "
                    "tournament take a longer --timeout."
                )
            except openai.APIConnectionError:
                most = FEW_RETRIES
                why = f"The endpoint cannot be reached. Check {ADDRESS} and the network."
            except openai.APIError as error:
                most, why = FEW_RETRIES, self._quote("The endpoint failed", error)
            except Exception as error:
                # Whatever breaks here is not the player's fault, and could quote what is secret.
                most, kind = FEW_RETRIES, type(error).__name__
                why = f"The endpoint does not answer like a chat API ({kind}). Check {ADDRESS}."
            if failures > most or time.monotonic() + wait >= ends:
                raise Stops(why) from None
            self._pause(wait)
        raise AssertionError

    def _may_be_form(self, sent: Json) -> bool:
        return "response_format" in sent and sent["model"] not in self._structured

    def _call(self, sent: Json, timeout: float) -> Reply:
        heard = Completion()
        stream: Any = self._client.chat.completions.create(**sent, timeout=timeout)
        with contextlib.closing(stream):
            if "event-stream" in stream.response.headers.get("content-type", ""):
                for chunk in stream:
                    heard.add(chunk.model_dump(warnings=False))
                    if heard.is_too_long:
                        break
            else:
                heard.add(json.loads(stream.response.read()))
        return heard.reply(self._clean)

    def _clean(self, text: str) -> str:
        """What an endpoint said, without secrets and without what cannot be sent back."""
        return self._redact(text.encode("utf-8", "replace").decode())

    def _status(self, error: APIStatusError, model: str) -> str:
        """What a status that is no success means, and what to do about it."""
        status = error.status_code
        if 300 <= status < 400:
            return (
                f"The endpoint redirects, and nothing is sent elsewhere than to {ADDRESS}. Check "
                "that address, also whether it begins with https."
            )
        if status in (401, 403):
            return f"The endpoint refuses the key. Check {KEY}."
        if status == 404:
            return (
                f"The endpoint does not know the model {quote(model)}, or {ADDRESS} is not the "
                "address of a chat API, which often ends with /v1. Check both."
            )
        if status == 429:
            return self._quote("The endpoint refuses further calls for now", error)
        return self._quote(f"The endpoint fails with status {status}", error)

    def _quote(self, what: str, error: Exception) -> str:
        said = getattr(error, "body", None)
        told = said.get("message") if isinstance(said, dict) else None
        if not isinstance(told, str) or not told.strip():
            return f"{what}."
        # Redacting takes time, and an error may be as long as an answer.
        return f"{what}: {harmless(self._clean(told[:LONGEST_ERROR]), 200).rstrip('.')}."


def _limit_response(response: Any) -> None:
    """Limit the bytes and the time of a response, whatever reads it."""
    ends = time.monotonic() + response.request.extensions["timeout"]["read"]
    this: Callable[[], Any] = ref(response)  # no cycle, so that it is closed at once

    def chunks_in_time(*size: int) -> Iterator[bytes]:
        import openai

        read, response = 0, this()
        for part in type(response).iter_bytes(response, *size):
            yield part
            read += len(part)
            if read > MOST_BYTES:
                raise Unreadable
            if time.monotonic() > ends:
                raise openai.APITimeoutError(response.request)

    response.iter_bytes = chunks_in_time


def _backoff(failures: int) -> float:
    """Seconds to wait beyond what the endpoint asks: longer after each failure, never the same."""
    return min(0.25 * 2.0**failures, 30.0) * SystemRandom().uniform(0.75, 1.0)


def _retry_after(error: APIStatusError) -> float:
    """How many seconds the endpoint asks to wait; 0 if it does not ask."""
    told = error.response.headers.get("retry-after", "")
    with contextlib.suppress(ValueError):
        return max(0.0, float(told))
    with contextlib.suppress(ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    return 0.0


class Unreadable(Exception):
    """What came in is no answer of a chat API, or not all of one."""


class Completion:
    """An answer of a chat API as it comes in, whole or in pieces; any part may be rubbish."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._length = 0
        self._finish: object = None
        self._usage: Json = {}
        self._is_answer = False

    def add(self, data: Any) -> None:
        """Take in a chunk of a stream, or a whole answer."""
        if not isinstance(data, dict):
            return
        if isinstance(usage := data.get("usage"), dict):
            self._usage = usage
        choices = data.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        self._finish = choice.get("finish_reason") or self._finish
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._is_answer = True
            self._take(self._text, said.get("content") or said.get("refusal"))
            self._take(self._reasoning, said.get("reasoning_content") or said.get("reasoning"))

    def _take(self, parts: list[str], text: object) -> None:
        if isinstance(text, str):
            parts.append(text)
            self._length += len(text)

    @property
    def is_too_long(self) -> bool:
        """Whether there is already more than will be read."""
        return self._length > MOST_CHARACTERS

    def reply(self, clean: Callable[[str], str]) -> Reply:
        """The answer, cleaned, with its reasoning apart; `Unreadable` if it is not whole.

        Counts of tokens and a cost that are no such numbers count as not told.
        """
        if not self._is_answer or not (self._finish or self.is_too_long):
            raise Unreadable
        text, reasoning = (
            clean("".join(parts)[:MOST_CHARACTERS]) for parts in (self._text, self._reasoning)
        )
        tokens_in, tokens_out, cost = (
            self._usage.get(name) for name in ("prompt_tokens", "completion_tokens", "cost")
        )
        answer = without_thoughts(text)
        thought = text.removesuffix(answer).strip()
        return Reply(
            answer.strip()[: LONGEST_ANSWER + 1],
            "\n".join(filter(None, (reasoning, thought)))[:LONGEST_ANSWER],
            tokens_in if is_token_count(tokens_in) else None,
            tokens_out if is_token_count(tokens_out) else None,
            float(cost) if is_money(cost) else None,
            cut_off=self._finish == "length",
        )
