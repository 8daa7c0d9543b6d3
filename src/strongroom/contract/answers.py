"""Answer spaces: every answer that the referee can give has one number, the same for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from strongroom.contract.move import Answer


class Answers(Sequence[Answer]):
    """Every answer that the referee can give in a game, numbered from 0 in a fixed order.

    If a public move can go unanswered, None is among the answers, so that every event has a number.

    >>> Answers([None, 0, 1]).index(None)
    0
    """

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = tuple(answers)

    @cached_property
    def _numbers(self) -> dict[Answer, int]:
        return {answer: number for number, answer in enumerate(self._answers)}

    def __len__(self) -> int:
        return len(self._answers)

    def __getitem__(self, number: Any) -> Any:
        return self._answers[number]

    def __contains__(self, answer: object) -> bool:
        return answer in self._numbers

    def index(self, answer: Any, *bounds: int) -> int:
        """The number of an answer."""
        if answer not in self._numbers:
            raise ValueError("That is not an answer of this game.")
        return self._numbers[answer]
