"""The budget of a run: what answers may cost, what they cost, and what was spent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil
from threading import Condition
from typing import Final, NamedTuple

from strongroom.contract import Refusal, quote
from strongroom.minds.dialogue import Reply
from strongroom.players import Stops

CHARACTERS: Final = 4
"""About how many characters of English a token has."""
FIRST_GUESS: Final = 500
"""How many tokens an answer is assumed to have before there was one."""
MILLION: Final = 1_000_000
PRICE: Final = re.compile(r"\$?(\d+(?:\.\d+)?|\.\d+)\s*/\s*\$?(\d+(?:\.\d+)?|\.\d+)")
BUDGET: Final = re.compile(
    r"\$?(\d+(?:\.\d+)?|\.\d+)(?:([km]?)[ -]?(tokens?)| ?(?:dollars?|usd)?)", re.IGNORECASE
)
THOUSANDS: Final = {"": 1, "k": 1_000, "m": MILLION}
HIGHEST: Final = 100_000.0
"""The highest price, in dollars per million tokens."""
LONGEST: Final = 20
"""The most characters in a price or a budget."""


def in_tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> in_tokens("Which row do you name?")
    6
    """
    return ceil(len(text) / CHARACTERS)


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of tokens, in dollars per million."""

    question: float
    answer: float

    @classmethod
    def read(cls, text: str) -> Prices:
        """The prices in a text, or a refusal.

        >>> Prices.read("2.50/10")
        Prices(question=2.5, answer=10.0)
        """
        found = PRICE.fullmatch(text.strip()) if len(text) <= LONGEST else None
        if found is None:
            raise Refusal(
                f"{quote(text)} is not a price.",
                "Give the dollars per million tokens, of questions and of answers, like 2.50/10.",
            )
        question, answer = float(found[1]), float(found[2])
        if max(question, answer) > HIGHEST:
            raise Refusal(f"A price is at most {HIGHEST:,.0f} dollars per million tokens.")
        return cls(question, answer)

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost, in dollars."""
        return (tokens_in * self.question + tokens_out * self.answer) / MILLION


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a run may spend: dollars or tokens."""

    amount: float
    in_dollars: bool

    @classmethod
    def read(cls, text: str) -> Budget:
        """The budget in a text, or a refusal.

        >>> Budget.read("2.50"), Budget.read("500k-tokens")
        (Budget(amount=2.5, in_dollars=True), Budget(amount=500000.0, in_dollars=False))
        """
        found = BUDGET.fullmatch(text.strip()) if len(text) <= LONGEST else None
        if found is None or (found[3] and text.strip().startswith("$")):
            raise Refusal(
                f"{quote(text)} is not a budget.",
                "Give dollars, like 2.50, or tokens, like 500k-tokens.",
            )
        amount = float(found[1]) * THOUSANDS[(found[2] or "").lower()]
        if not amount:
            raise Refusal("A budget of nothing pays for no answer.", "Give more, or no budget.")
        return cls(amount, found[3] is None)

    def __str__(self) -> str:
        return f"${self.amount:.2f}" if self.in_dollars else f"{self.amount:,.0f} tokens"


class Reservation(NamedTuple):
    """Tokens or dollars set aside for a question and its answer."""

    tokens_in: int
    """About how many tokens the question has."""
    amount: float


class Allowance:
    """The money and tokens of a run, allowed and spent; several threads may reserve some."""

    def __init__(self, prices: Prices | None = None, budget: Budget | None = None) -> None:
        if budget is not None and budget.in_dollars and prices is None:
            raise Refusal(
                "A budget in dollars needs prices.",
                "Give them with --price, like 2.50/10, or a budget in tokens, like 500k-tokens.",
            )
        self.prices, self.budget = prices, budget
        self.tokens = 0
        """The tokens spent, also before this run."""
        self.money = 0.0
        """The dollars spent, as far as they are known or can be estimated."""
        self._reserved: list[float] = []
        self._longest = FIRST_GUESS
        """How many tokens the longest answer had."""
        self._underrated = 1.0
        """The largest ratio of a question's tokens to the estimate."""
        self._stopped: Stops | None = None
        """What stopped the run."""
        self._settled = Condition()

    def reserve(self, question: str) -> Reservation:
        """Set aside what a question and its answer are likely to take; stop if it is too much.

        If only the answers that others wait for could make it too much, wait for those, unless
        the run has stopped in the meantime.
        """
        tokens_in = in_tokens(question)
        with self._settled:
            while not self._fits(
                amount := self._amount(ceil(tokens_in * self._underrated), self._longest)
            ):
                if self._stopped is not None:
                    raise self._stopped
                self._settled.wait()
            self._reserved.append(amount)
            return Reservation(tokens_in, amount)

    @property
    def spent(self) -> float:
        """What was spent, in the unit of the budget; without one, in tokens."""
        return self.money if self.budget is not None and self.budget.in_dollars else self.tokens

    def _fits(self, amount: float) -> bool:
        """Whether so much is left; False if that depends on what others reserved."""
        if self.budget is None:
            return True
        if self.spent + amount > self.budget.amount:
            raise Stops(
                f"The next answer could exceed the budget of {self.budget}. Give a larger one to "
                "go on."
            )
        return self.spent + sum(self._reserved) + amount <= self.budget.amount

    def release(self, reserved: Reservation) -> None:
        """Give back what was set aside, because nothing came of it or it is settled."""
        with self._settled:
            self._reserved.remove(reserved.amount)
            self._settled.notify_all()

    def stop(self, stopped: Stops) -> None:
        """End all waiting, so that the run waits for a silent endpoint once, not once a thread."""
        with self._settled:
            self._stopped = stopped
            self._settled.notify_all()

    def pay(
        self, reserved: Reservation, tokens_in: int, tokens_out: int, money: float | None
    ) -> None:
        """Count what an answer took; a cost that is not known is estimated from the tokens."""
        with self._settled:
            self._underrated = max(self._underrated, tokens_in / max(1, reserved.tokens_in))
            self.tokens += tokens_in + tokens_out
            self.money += self._price(tokens_in, tokens_out) if money is None else money
            self._longest = max(self._longest, tokens_out)

    def cost(self, reply: Reply) -> float | None:
        """The dollars of an answer: as the endpoint says, or by the prices; None without either."""
        if reply.money is not None:
            return reply.money
        if self.prices is None or reply.tokens_in is None or reply.tokens_out is None:
            return None
        return self._price(reply.tokens_in, reply.tokens_out)

    def _amount(self, tokens_in: int, tokens_out: int) -> float:
        if self.budget is not None and self.budget.in_dollars:
            return self._price(tokens_in, tokens_out)
        return tokens_in + tokens_out

    def _price(self, tokens_in: int, tokens_out: int) -> float:
        return 0.0 if self.prices is None else self.prices.of(tokens_in, tokens_out)
