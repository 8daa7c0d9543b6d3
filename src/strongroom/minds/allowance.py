"""The budget of a run: what answers may cost, what they cost, and what was spent."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from math import ceil
from threading import Condition
from typing import Annotated, Final, NamedTuple

from strongroom.contract import Refusal, quote
from strongroom.contract.codec import json_form, number_from
from strongroom.minds.dialogue import Amount, Reply, Whole
from strongroom.players import Stops

CHARACTERS: Final = 4
"""About how many characters of English a token has."""
FIRST_GUESS: Final = 500
"""How many tokens an answer is assumed to have before there was one."""
MILLION: Final = 1_000_000
PRICE: Final = re.compile(r"\$?(\d+(?:\.\d+)?|\.\d+)")
BUDGET: Final = re.compile(
    r"\$?(\d+(?:\.\d+)?|\.\d+)(?:([km]?)[ -]?(tokens?)| ?(?:dollars?|usd)?)", re.IGNORECASE
)
THOUSANDS: Final = {"": 1, "k": 1_000, "m": MILLION}
HIGHEST: Final = 100_000.0
"""The highest price, in dollars per million tokens."""
Price = Annotated[float, number_from(0, HIGHEST)]
LONGEST: Final = 40
"""The most characters in prices or a budget."""


def in_tokens(text: str) -> int:
    """About how many tokens a text has.

    >>> in_tokens("Which row do you name?")
    6
    """
    return ceil(len(text) / CHARACTERS)


@json_form("question answer cached? reasoning?")
@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of tokens, in dollars per million."""

    question: Price
    answer: Price
    cached: Price | None = None
    """Of those tokens of a question that were read before; None is the price of the others."""
    reasoning: Price | None = None
    """Of those tokens of an answer that are reasoning; None is the price of the others."""

    @classmethod
    def read(cls, text: str) -> Prices:
        """The prices in a text, or a refusal.

        >>> Prices.read("2.50/10"), Prices.read("2/8/0.50").cached
        (Prices(question=2.5, answer=10.0, cached=None, reasoning=None), 0.5)
        """
        found = [PRICE.fullmatch(each.strip()) for each in text.split("/")]
        prices = [float(each[1]) for each in found if each is not None]
        if len(text) > LONGEST or len(prices) < len(found) or not 2 <= len(prices) <= 4:
            raise Refusal(
                f"{quote(text)} is not a price.",
                "Give the dollars per million tokens, of questions and of answers, like 2.50/10; "
                "then, if they differ, of cached tokens and of reasoning.",
            )
        if max(prices) > HIGHEST:
            raise Refusal(f"A price is at most {HIGHEST:,.0f} dollars per million tokens.")
        return cls(*prices)

    def of(self, tokens_in: int, tokens_out: int, cached: int = 0, reasoning: int = 0) -> float:
        """What so many tokens cost, in dollars; `cached` and `reasoning` are among them."""
        return sum(each.money for each in self.items(tokens_in, tokens_out, cached, reasoning))

    def items(
        self, tokens_in: int, tokens_out: int, cached: int = 0, reasoning: int = 0
    ) -> list[Item]:
        """The same, kind by kind: each token has one price."""
        cached, reasoning = min(cached, tokens_in), min(reasoning, tokens_out)
        cheap = self.question if self.cached is None else self.cached
        deep = self.answer if self.reasoning is None else self.reasoning
        return [
            Item("in", tokens_in - cached, self.question),
            Item("in, cached", cached, cheap),
            Item("out", tokens_out - reasoning, self.answer),
            Item("out, reasoning", reasoning, deep),
        ]


class Item(NamedTuple):
    """Tokens of one kind and their price."""

    kind: str
    tokens: int
    price: float
    """In dollars per million."""

    @property
    def money(self) -> float:
        """What they cost, in dollars."""
        return self.tokens * self.price / MILLION


@json_form(
    "calls tokens_in cached_tokens tokens_out reasoning_tokens guessed_tokens money guessed_money "
    "seconds"
)
@dataclass(frozen=True, slots=True)
class Bill:
    """What answers took, also those of games that were broken off."""

    calls: Whole = 0
    """How many answers there were."""
    tokens_in: Whole = 0
    cached_tokens: Whole = 0
    """Those of `tokens_in` that the endpoint had read before."""
    tokens_out: Whole = 0
    reasoning_tokens: Whole = 0
    """Those of `tokens_out` that were reasoning."""
    guessed_tokens: Whole = 0
    """Those that the endpoint did not tell: they are guessed from the length of the texts."""
    money: Amount = 0.0
    """In dollars, as the endpoint told or by the prices; 0 without either."""
    guessed_money: Amount = 0.0
    """What is in `money` for guessed tokens."""
    seconds: Amount = 0.0
    """How long the answers took, without what they waited for."""

    def __add__(self, other: Bill) -> Bill:
        names = (each.name for each in fields(Bill))
        return Bill(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def tokens(self) -> int:
        """How many tokens there were in all."""
        return self.tokens_in + self.tokens_out


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
        self.bills: dict[str, Bill] = {}
        """What each player spent, also before this run."""
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
    def bill(self) -> Bill:
        """What all players spent together."""
        return sum(self.bills.values(), Bill())

    def bill_of(self, player: str) -> Bill:
        """What a player spent."""
        return self.bills.get(player, Bill())

    @property
    def spent(self) -> float:
        """What was spent, in the unit of the budget; without one, in tokens."""
        in_dollars = self.budget is not None and self.budget.in_dollars
        return self.bill.money if in_dollars else self.bill.tokens

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

    def pay(self, reserved: Reservation, reply: Reply, player: str) -> None:
        """Count what a player's answer took; what is not told is guessed by the texts' length."""
        told_in, told_out = reply.tokens_in, reply.tokens_out
        tokens_in = reserved.tokens_in if told_in is None else told_in
        guess = in_tokens(f"{reply.text}{reply.reasoning}")
        tokens_out = guess if told_out is None else told_out
        guessed = tokens_in * (told_in is None) + tokens_out * (told_out is None)
        cached, reasoning = reply.cached_tokens or 0, reply.reasoning_tokens or 0
        cost = self.cost(reply)
        money = self._price(tokens_in, tokens_out) if cost is None else cost
        kinds = (tokens_in, cached, tokens_out, reasoning, guessed)
        taken = (money, money if cost is None else 0.0, reply.latency or 0.0)
        with self._settled:
            self._underrated = max(self._underrated, tokens_in / max(1, reserved.tokens_in))
            self.bills[player] = self.bill_of(player) + Bill(1, *kinds, *taken)
            self._longest = max(self._longest, tokens_out)

    def cost(self, reply: Reply) -> float | None:
        """The dollars of an answer: as the endpoint says, or by the prices; None without either."""
        if reply.money is not None:
            return reply.money
        if self.prices is None or reply.tokens_in is None or reply.tokens_out is None:
            return None
        further = reply.cached_tokens or 0, reply.reasoning_tokens or 0
        return self.prices.of(reply.tokens_in, reply.tokens_out, *further)

    def _amount(self, tokens_in: int, tokens_out: int) -> float:
        if self.budget is not None and self.budget.in_dollars:
            return self._price(tokens_in, tokens_out)
        return tokens_in + tokens_out

    def _price(self, tokens_in: int, tokens_out: int) -> float:
        return 0.0 if self.prices is None else self.prices.of(tokens_in, tokens_out)
