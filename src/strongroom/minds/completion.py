"""An answer of a chat API, as it comes in: whole or in pieces, and any part may be rubbish."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from strongroom.contract import Json
from strongroom.minds.dialogue import (
    LONGEST_ANSWER,
    Reply,
    is_money,
    is_token_count,
)
from strongroom.minds.reading import without_thoughts

MOST_CHARACTERS: Final = 2 * LONGEST_ANSWER
"""How much is read of an answer, or of its reasoning."""


class Unreadable(Exception):
    """What came in is no answer of a chat API, or not all of one."""


class Completion:
    """An answer of a chat API as it comes in, whole or in pieces; any part may be rubbish."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._called: list[str] = []
        """What the function was called with that a model calls to answer."""
        self._reasoning: list[str] = []
        self._length = 0
        self._finish: object = None
        self._usage: Json = {}
        self._is_answer = False
        self.is_streamed = False
        """Whether it comes in pieces."""
        self.served = ""
        """What the endpoint calls the model."""

    def add(self, data: Any) -> None:
        """Take in a chunk of a stream, or a whole answer."""
        if not isinstance(data, dict):
            return
        if isinstance(usage := data.get("usage"), dict):
            self._usage = usage
        if isinstance(served := data.get("model"), str):
            self.served = served
        choices = data.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        self._finish = choice.get("finish_reason") or self._finish
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._is_answer = True
            self._take(self._text, said.get("content") or said.get("refusal"))
            self._take(self._called, _arguments(said))
            self._take(self._reasoning, said.get("reasoning_content") or said.get("reasoning"))

    def _take(self, parts: list[str], text: object) -> None:
        if isinstance(text, list):  # some give an answer in parts, with thoughts among them
            for each in text:
                if isinstance(each, dict):
                    self._take(parts, each.get("text"))
                    self._take(self._reasoning, each.get("thinking"))
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
        is_whole = self._finish or self.is_too_long
        if not (self._is_answer and is_whole) or self._finish == "error":
            raise Unreadable
        said = self._called if any(self._called) else self._text
        text, reasoning = (
            clean("".join(parts)[:MOST_CHARACTERS]) for parts in (said, self._reasoning)
        )
        answer = without_thoughts(text)
        thought = text.removesuffix(answer).strip()
        cost = self._usage.get("cost")
        return Reply(
            answer.strip()[: LONGEST_ANSWER + 1],
            "\n".join(filter(None, (reasoning, thought)))[:LONGEST_ANSWER],
            money=float(cost) if is_money(cost) else None,
            cut_off=self._finish == "length",
            **self._tokens(),
        )

    def _tokens(self) -> dict[str, Any]:
        """How many tokens there were, by kind, wherever an endpoint tells them."""

        def told(*places: str) -> int | None:
            for place in places:
                value: Any = self._usage
                for name in place.split("."):
                    value = value.get(name) if isinstance(value, dict) else None
                if is_token_count(value):
                    return value
            return None

        tokens_in, tokens_out, total = (
            told(name) for name in ("prompt_tokens", "completion_tokens", "total_tokens")
        )
        reasoning = told("completion_tokens_details.reasoning_tokens", "reasoning_tokens")
        if reasoning and tokens_in is not None and tokens_out is not None:
            if total == tokens_in + tokens_out + reasoning:  # some count it apart
                tokens_out += reasoning
        cached = told("prompt_tokens_details.cached_tokens", "prompt_cache_hit_tokens")
        return {
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "cached_tokens": cached,
            "reasoning_tokens": reasoning,
        }


def _arguments(said: Json) -> object:
    """What the first function is called with in a message, or in a piece of one."""
    calls = said.get("tool_calls")
    called = calls[0] if isinstance(calls, list) and calls else None
    function = called.get("function") if isinstance(called, dict) else said.get("function_call")
    given = function.get("arguments") if isinstance(function, dict) else None
    return json.dumps(given) if isinstance(given, dict) else given
