"""An endpoint of the chat API: what it is asked, how it may fail, and what is found out about it.

Neither its address nor the key leaves this module: all that it says, in answers and in errors, goes
through `Endpoint._clean`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import partial
from random import SystemRandom
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import finalize, ref

from strongroom.contract import Json, harmless, quote
from strongroom.minds.asking import HINT, OTHER_LIMIT, REFUSED, SCHEMED, Asking, Form, Gate
from strongroom.minds.completion import Completion, Unreadable
from strongroom.minds.dialogue import (
    LONGEST_ANSWER,
    MOST_CHOICES,
    Message,
    OtherForm,
    Reply,
    choices_in,
    without_choices,
)
from strongroom.minds.reading import objects_in
from strongroom.minds.redaction import Redaction
from strongroom.minds.settings import USUAL, Conversation, Settings
from strongroom.players import Stops
from strongroom.plugins.foreign import TookTooLong, call_within

if TYPE_CHECKING:
    from openai import APIStatusError

ADDRESS, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""The environment variables with the address of the endpoint and the key to it."""
MOST_BYTES: Final = 2**26
"""How much is read of an answer, streamed or not, or of an error."""
LONGEST_ERROR: Final = 2000
"""How many characters of an error message are looked at."""
RETRIES: Final = 8
"""How often a call is repeated that failed through no fault of its own."""
PATIENT: Final = 2
"""After how many failures less is asked for, where that may help."""
FEW_RETRIES: Final = 3
"""How often a call is repeated if the endpoint cannot be reached or understood at all."""
TIMEOUT: Final = 600.0
"""How many seconds an answer may take, with all retries and pauses; one call takes at most half."""


UNCONSTRAINED: Final = (
    f"Constrained answers need one of the forms {', '.join(SCHEMED)}: leave constrained out, or "
    "list the moves with --legal-moves."
)
LONGEST_SERVED: Final = 200
"""The most characters of what an endpoint calls a model."""
ATTEMPT: Final = "failed_generation"
"""Where some endpoints tell an answer that does not have the form that was asked for."""
TOO_LONG: Final = re.compile(
    r"context (?:length|window|size)|context_length|maximum context|prompt is too long|exceeds? the"
    r" (?:available|maximum) ",
    re.IGNORECASE,
)
"""How endpoints refuse a question that is too long for the model."""
FORMS: Final = re.compile(r"response.?format|json|schema|tool|stream", re.IGNORECASE)
"""What endpoints speak of that refuse a form or a stream, and perhaps echo the settings."""
MESSAGES: Final = ("message", "error", "detail", "msg")
"""Where an error says what it is about."""
MOST_LEVELS: Final = 4


class Asked(NamedTuple):
    """What is found out about apart: a model, and what is demanded of the form of its answers."""

    model: str
    form: Form | None
    constrained: bool

    @classmethod
    def of(cls, model: str, settings: Settings) -> Asked:
        """What a model is asked with these settings."""
        return cls(model, settings.form, settings.constrained)


@dataclass(frozen=True, slots=True)
class Failure:
    """What a call that failed means."""

    why: str
    """What to tell whoever runs it, if that was the last call."""
    retries: int = 0
    """How often to call again."""
    wait: float = 0.0
    """How many seconds the endpoint asks to wait."""
    said: str = ""
    """What it said, which is never shown."""
    refuses_asking: bool = False
    """Whether it refuses how it was asked."""
    may_refuse_asking: bool = False
    """Whether it may do so, if it fails again and again."""
    pauses: bool = True
    """Whether to wait before the next call."""
    breaks_off: bool = False
    """Whether other calls at the same time may be the reason."""
    attempt: str | None = None
    """What the model answered, where the endpoint refuses that."""

    def is_about_asking(self, failures: int) -> bool:
        """Whether to ask for less, after so many other failures."""
        return self.refuses_asking or (self.may_refuse_asking and failures >= PATIENT)


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
        self._asking: dict[Asked, Asking] = {}
        """How models are asked of which something was found out."""
        self._learning = Lock()
        self.served: dict[str, str] = {}
        """What the endpoint calls the models that answered."""
        self._proven: set[Asked] = set()
        """The models that have answered as they were asked to."""
        self._most_choices: dict[Asked, int] = {}
        """How many moves a schema may list, where a longer list was refused."""
        self._gate = Gate()

    def in_json(self, model: str, settings: Settings = USUAL) -> bool:
        """Whether a model is asked for a JSON object: until nothing makes the endpoint give one."""
        return self.asking(model, settings).form is not Form.TEXT

    def answer(
        self,
        model: str,
        opening: str,
        talk: Sequence[Message],
        schema: Json | None,
        timeout: float = TIMEOUT,
        settings: Settings = USUAL,
    ) -> Reply:
        """The answer, with the cost if the endpoint tells it; with a schema, a structured one."""
        messages = [
            {"role": "system", "content": opening},
            *({"role": "assistant" if own else "user", "content": text} for own, text in talk),
        ]
        ends = time.monotonic() + timeout
        failures = 0
        while True:
            asking, came = self.asking(model, settings), time.monotonic()
            if (schema is None) != (asking.form is Form.TEXT):
                raise OtherForm
            with self._gate.call() as most:
                ends += time.monotonic() - came
                left = min(timeout / 2, ends - time.monotonic())
                shown = self._bearable(Asked.of(model, settings), schema)
                choices = choices_in(shown)
                sent = {"model": model, "messages": messages, **asking.body(shown or {})}
                sent |= settings.sent(asking.limit)
                began = time.monotonic()
                try:
                    heard = call_within(left, partial(self._call, sent, left))
                    reply = heard.reply(self._clean)
                except Exception as error:
                    failure = self._failure(error, model, timeout, settings)
                    is_crowd = failure.breaks_off and self._gate.narrow(most)
                    if is_crowd and time.monotonic() < ends:
                        continue
                    if failure.attempt is not None:
                        return Reply(self._clean(failure.attempt))
                else:
                    self._learn(Asked.of(model, settings), asking, heard, reply, choices)
                    took = time.monotonic() - began
                    return replace(reply, latency=took, constrained=bool(choices) or None)
            asked = Asked.of(model, settings)
            if failure.is_about_asking(failures):
                if choices and asked in self._proven:
                    self._most_choices[asked] = len(choices) - 1
                    continue
                if self._asks_less(asked, asking, failure.said):
                    continue
                if settings.constrained and asked not in self._proven:
                    raise Stops(f"{failure.why} {UNCONSTRAINED}") from None
            failures += 1
            wait = failure.wait + _backoff(failures) if failure.pauses else 0.0
            if failures > failure.retries or time.monotonic() + wait >= ends:
                raise Stops(failure.why) from None
            self._pause(wait)

    @property
    def most(self) -> int | None:
        """The most calls at once that the endpoint bears, if fewer were tried; else None."""
        return self._gate.most

    def asking(self, model: str, settings: Settings = USUAL) -> Asking:
        """How a model is asked, by what was found out so far."""
        return self._asking_of(Asked.of(model, settings))

    def is_proven(self, model: str, settings: Settings = USUAL) -> bool:
        """Whether it is found out how a model is asked."""
        return Asked.of(model, settings) in self._proven

    def _asking_of(self, asked: Asked) -> Asking:
        return self._asking.get(asked) or Asking.first(asked.form, asked.constrained)

    def _bearable(self, asked: Asked, schema: Json | None) -> Json | None:
        """The schema, without a list of moves that is longer than the endpoint bears."""
        if len(choices_in(schema)) <= self._most_choices.get(asked, MOST_CHOICES):
            return schema
        return without_choices(schema or {})

    def _asks_less(self, asked: Asked, asking: Asking, said: str) -> bool:
        """Whether less is asked of a model from now on than what was just refused."""
        with self._learning:
            if asked in self._proven:
                return False
            if self._asking_of(asked) == asking:
                less = asking.less(said)
                if less is None:
                    return False
                self._asking[asked] = less
            return True

    def _learn(
        self, asked: Asked, asking: Asking, heard: Completion, reply: Reply, choices: Sequence[str]
    ) -> None:
        """Keep what an answer shows: whether its form and its counts are as they were asked for."""
        moves = objects_in(reply.text)
        fits = any(each in choices for each in moves) if choices else bool(moves)
        has_form = asking.form is Form.TEXT or fits
        if not has_form and reply.text and not reply.cut_off:
            self._asks_less(asked, asking, "")
        with self._learning:
            self.served[asked.model] = self._clean(heard.served)[:LONGEST_SERVED]
            if has_form:
                self._proven.add(asked)
                is_same = self._asking_of(asked) == asking
                if heard.is_streamed and reply.tokens_out is None and is_same:
                    self._asking[asked] = replace(asking, streams=False)

    def _call(self, sent: Json, timeout: float) -> Completion:
        heard, chat = Completion(), self._client.chat.completions
        if "stream" not in sent:
            whole = chat.with_raw_response.create(**sent, timeout=timeout)
            heard.add(json.loads(whole.content))
            return heard
        stream: Any = chat.create(**sent, timeout=timeout)
        with contextlib.closing(stream):
            if "event-stream" in stream.response.headers.get("content-type", ""):
                heard.is_streamed = True
                for chunk in stream:
                    heard.add(chunk.model_dump(warnings=False))
                    if heard.is_too_long:
                        break
            else:
                heard.add(json.loads(stream.response.read()))
        return heard

    def _failure(self, error: Exception, model: str, timeout: float, settings: Settings) -> Failure:
        """What a call that failed means; nothing of it may quote what is secret."""
        import openai

        if isinstance(error, openai.APIStatusError):
            return self._status(error, model, settings)
        if isinstance(error, openai.APITimeoutError | TookTooLong):
            told = f"The endpoint gave no answer in {timeout:g} seconds. Check it; measure and "
            told += "tournament take a longer --timeout."
            return Failure(told, RETRIES, pauses=False, breaks_off=True)
        if isinstance(error, openai.APIConnectionError):
            told = f"The endpoint cannot be reached. Check {ADDRESS} and the network."
            return Failure(told, FEW_RETRIES, breaks_off=True)
        if type(error) is openai.APIError:
            return Failure(self._quote("The endpoint failed", error), FEW_RETRIES, breaks_off=True)
        told = f"The endpoint does not answer like a chat API ({type(error).__name__}). "
        return Failure(f"{told}Check {ADDRESS}.", FEW_RETRIES, breaks_off=True)

    def _clean(self, text: str) -> str:
        """What an endpoint said, without secrets and without what cannot be sent back."""
        return self._redact(text.encode("utf-8", "replace").decode())

    def _status(self, error: APIStatusError, model: str, settings: Settings) -> Failure:
        """What a status that is no success means, and what to do about it."""
        status, said = error.status_code, str(error.body)[:LONGEST_ERROR]
        hints = HINT.search(said) is not None
        if isinstance(error.body, dict) and isinstance(error.body.get(ATTEMPT), str):
            return Failure("", attempt=error.body[ATTEMPT][: LONGEST_ANSWER + 1])
        if 300 <= status < 400:
            return Failure(
                f"The endpoint redirects, and nothing is sent elsewhere than to {ADDRESS}. Check "
                "that address, also whether it begins with https."
            )
        if status in (401, 403):
            return Failure(f"The endpoint refuses the key. Check {KEY}.")
        if status == 404:
            told = (
                f"The endpoint does not know the model {quote(model)}, or {ADDRESS} is not the "
                "address of a chat API, which often ends with /v1. Check both."
            )
            return Failure(told, said=said, refuses_asking=hints)
        if status in (400, 413, 422, 500) and TOO_LONG.search(said):
            told = self._quote("A question is too long for the endpoint", error)
            advice = "Serve the model with a larger context"
            if settings.conversation is Conversation.KEPT:
                advice += ", or set conversation=fresh"
            return Failure(f"{told} {advice}.")
        for name in settings.names if status in (*REFUSED, 500) else ():
            is_renamed = name == "max_tokens" and OTHER_LIMIT in said
            if re.search(rf"\b{name}\b", said) and not (is_renamed or FORMS.search(said)):
                told = self._quote(f"The endpoint refuses the setting {name}", error)
                return Failure(f"{told} Set it otherwise, or leave it out.")
        if status == 429:
            told = self._quote("The endpoint refuses further calls for now", error)
        else:
            told = self._quote(f"The endpoint fails with status {status}", error)
        if status in (408, 409, 429) or (status >= 500 and status not in REFUSED):
            wait = _retry_after(error)
            refuses = hints and status == 500
            return Failure(told, RETRIES, wait, said, refuses, may_refuse_asking=status == 500)
        return Failure(told, said=said, refuses_asking=status in REFUSED)

    def _quote(self, what: str, error: Exception) -> str:
        told = _message_in(getattr(error, "body", None))
        if not told.strip():
            return f"{what}."
        # Redacting takes time, and an error may be as long as an answer.
        return f"{what}: {harmless(self._clean(told[:LONGEST_ERROR]), 200).rstrip('.')}."


def _message_in(said: Any) -> str:
    """What an error says, wherever it says it."""
    for _ in range(MOST_LEVELS):
        if isinstance(said, list) and said:
            said = said[0]
        if not isinstance(said, dict):
            break
        said = next((said[name] for name in MESSAGES if said.get(name)), None)
    return said if isinstance(said, str) else ""


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
