"""An answer of a chat API as it comes in, in one piece or in many; any part may be rubbish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from strongroom.agents.dialogue import LONGEST_ANSWER, without_thoughts
from strongroom.agents.text_player import Reply, is_money, is_token_count
from strongroom.contract import Json

MOST_CHARACTERS: Final = 2 * LONGEST_ANSWER
"""How much is read of an answer, or of its reasoning."""


class Unreadable(Exception):
    """What came in is no answer of a chat API, or not all of one."""


class Completion:
    """The parts of an answer so far."""

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
        """The whole answer, cleaned, with its reasoning apart; or a failure if it is not whole.

        Tokens and a cost that are no such numbers count as not told.
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
