"""An endpoint of the chat API: what it is asked, how it may fail, and what is found out about it.

Neither its address nor the key leaves this module: all that it says, in answers and in errors, goes
through `Endpoint._clean`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import partial
from random import SystemRandom
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from weakref import finalize, ref

from strongroom.contract import Json, harmless, quote
from strongroom.minds.asking import HINT, REFUSED, Asking, Form, Gate
from strongroom.minds.completion import Completion, Unreadable
from strongroom.minds.dialogue import Message, OtherForm, Reply
from strongroom.minds.reading import objects_in
from strongroom.minds.redaction import Redaction
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
        self._asking: dict[str, Asking] = {}
        """How models are asked of which something was found out."""
        self._learning = Lock()
        self.served: dict[str, str] = {}
        """What the endpoint calls the models that answered."""
        self._proven: set[str] = set()
        """The models that have answered as they were asked to."""
        self._gate = Gate()

    def in_json(self, model: str) -> bool:
        """Whether a model is asked for a JSON object: until nothing makes the endpoint give one."""
        return self.asking(model).form is not Form.TEXT

    def answer(
        self,
        model: str,
        opening: str,
        talk: Sequence[Message],
        schema: Json | None,
        timeout: float = TIMEOUT,
    ) -> Reply:
        """The answer, with the cost if the endpoint tells it; with a schema, a structured one."""
        messages = [
            {"role": "system", "content": opening},
            *({"role": "assistant" if own else "user", "content": text} for own, text in talk),
        ]
        ends = time.monotonic() + timeout
        failures = 0
        while True:
            asking, came = self.asking(model), time.monotonic()
            if (schema is None) != (asking.form is Form.TEXT):
                raise OtherForm
            with self._gate.call() as most:
                ends += time.monotonic() - came
                left = min(timeout / 2, ends - time.monotonic())
                sent = {"model": model, "messages": messages, **asking.body(schema or {})}
                try:
                    heard = call_within(left, partial(self._call, sent, left))
                    reply = heard.reply(self._clean)
                except Exception as error:
                    failure = self._failure(error, model, timeout)
                    is_crowd = failure.breaks_off and self._gate.narrow(most)
                    if is_crowd and time.monotonic() < ends:
                        continue
                else:
                    self._learn(model, asking, heard, reply)
                    return reply
            if failure.is_about_asking(failures) and self._asks_less(model, asking, failure.said):
                continue
            failures += 1
            wait = failure.wait + _backoff(failures) if failure.pauses else 0.0
            if failures > failure.retries or time.monotonic() + wait >= ends:
                raise Stops(failure.why) from None
            self._pause(wait)

    @property
    def most(self) -> int | None:
        """The most calls at once that the endpoint bears, if fewer were tried; else None."""
        return self._gate.most

    def asking(self, model: str) -> Asking:
        """How a model is asked, by what was found out so far."""
        return self._asking.get(model, Asking())

    def _asks_less(self, model: str, asking: Asking, said: str) -> bool:
        """Whether less is asked of a model from now on than what was just refused."""
        with self._learning:
            if model in self._proven:
                return False
            if self.asking(model) == asking:
                less = asking.less(said)
                if less is None:
                    return False
                self._asking[model] = less
            return True

    def _learn(self, model: str, asking: Asking, heard: Completion, reply: Reply) -> None:
        """Keep what an answer shows: whether its form and its counts are as they were asked for."""
        has_form = asking.form is Form.TEXT or bool(objects_in(reply.text))
        if not has_form and reply.text and not reply.cut_off:
            self._asks_less(model, asking, "")
        with self._learning:
            self.served[model] = heard.served
            if has_form:
                self._proven.add(model)
                if heard.is_streamed and reply.tokens_out is None and self.asking(model) == asking:
                    self._asking[model] = replace(asking, streams=False)

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

    def _failure(self, error: Exception, model: str, timeout: float) -> Failure:
        """What a call that failed means; nothing of it may quote what is secret."""
        import openai

        if isinstance(error, openai.APIStatusError):
            return self._status(error, model)
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

    def _status(self, error: APIStatusError, model: str) -> Failure:
        """What a status that is no success means, and what to do about it."""
        status, said = error.status_code, str(error.body)[:LONGEST_ERROR]
        hints = HINT.search(said) is not None
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
