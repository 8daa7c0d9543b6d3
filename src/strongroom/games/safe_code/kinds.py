"""The clue language of Safe Code as one table: what can be said about a number from 1 to 30.

Each entry of `KINDS` says how a kind of clue is printed, what its contrary is and what the help
shows. A new kind of clue needs an entry here, from which `clues` builds its clues, and its words in
`grammar`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Final

LOWEST: Final = 1
HIGHEST: Final = 30
NUMBERS: Final = range(LOWEST, HIGHEST + 1)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of clue; `{0}` and `{1}` in its texts stand for the clue's numbers."""

    name: str
    subject: str
    says: str
    contrary: str  # the contrary's predicate, or the name of the contrary kind, or empty
    true: Callable[..., bool]
    brief: str  # the shortest usual wording, for the help
    choices: tuple[tuple[int, ...], ...] = ((),)  # numbers its clues can use, each tuple ascending
    example: tuple[int, ...] = ()
    fact: Callable[..., str] | None = None  # what is true, if the contrary only hints at it

    @property
    def negatable(self) -> bool:
        """Whether the contrary is a negated clue of the same kind."""
        return " not " in self.contrary


def _each(numbers: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((number,) for number in numbers)


def is_prime(x: int) -> bool:
    """Whether a number is prime."""
    return x > 1 and all(x % d for d in range(2, x))


def digit_sum(x: int) -> int:
    """The sum of a number's digits."""
    return sum(map(int, str(x)))


def digit_product(x: int) -> int:
    """The product of a number's digits."""
    return prod(map(int, str(x)))


def divisors(x: int) -> list[int]:
    """All divisors of a number, 1 and itself among them."""
    return [d for d in range(1, x + 1) if x % d == 0]


def _tell_digit_sum(x: int, _: int) -> str:
    return f"The digit sum of {x} is {digit_sum(x)}."


def _tell_divisors(x: int, _: int) -> str:
    return f"{x} has {len(divisors(x))}: {', '.join(map(str, divisors(x)))}."


def is_power(x: int, base: int) -> bool:
    """Whether a number is a power of another, counting 1."""
    return any(base**k == x for k in range(5))


# fmt: off
KINDS: Final = (
    Kind("even", "The number", "is even", "odd", lambda x: x % 2 == 0, "even"),
    Kind("odd", "The number", "is odd", "even", lambda x: x % 2 == 1, "odd"),
    Kind("prime", "The number", "is a prime", "is not a prime", is_prime, "prime"),
    Kind("composite", "The number", "is composite", "is not composite",
         lambda x: x > 1 and not is_prime(x), "composite"),
    Kind("greater", "It", "is greater than {0}", "at most", lambda x, n: x > n,
         "> {0}", _each(range(1, 30)), (15,)),
    Kind("less", "It", "is less than {0}", "at least", lambda x, n: x < n,
         "< {0}", _each(range(2, 31)), (10,)),
    Kind("at least", "It", "is at least {0}", "less", lambda x, n: x >= n,
         ">= {0}", _each(range(2, 31)), (12,)),
    Kind("at most", "It", "is at most {0}", "greater", lambda x, n: x <= n,
         "<= {0}", _each(range(1, 30)), (20,)),
    Kind("between", "It", "is between {0} and {1}, inclusive",
         "is not between {0} and {1}, inclusive", lambda x, a, b: a <= x <= b, "{0} to {1}",
         tuple(pair for pair in combinations(NUMBERS, 2) if pair != (LOWEST, HIGHEST)), (5, 9)),
    Kind("divisible", "It", "is divisible by {0}", "is not divisible by {0}",
         lambda x, n: n != 0 and x % n == 0, "multiple of {0}", _each(range(2, 31)), (3,)),
    Kind("factor", "It", "is a factor of {0}", "is not a factor of {0}", lambda x, n: n % x == 0,
         "divides {0}", _each(range(1, 101)), (24,)),
    Kind("divisors", "Its number of divisors", "is {0}", "is not {0}",
         lambda x, n: len(divisors(x)) == n,
         "{0} divisors", _each((1, 2, 3, 4, 5, 6, 8)), (4,), _tell_divisors),
    Kind("power", "It", "is a power of {0}, counting 1", "is not a power of {0}, counting 1",
         is_power, "power of {0}", _each(range(2, 11)), (2,)),
    Kind("square", "The number", "is a perfect square", "is not a perfect square",
         {1, 4, 9, 16, 25}.__contains__, "square"),
    Kind("cube", "The number", "is a perfect cube", "is not a perfect cube",
         {1, 8, 27}.__contains__, "cube"),
    Kind("triangular", "The number", "is a triangular number", "is not a triangular number",
         {1, 3, 6, 10, 15, 21, 28}.__contains__, "triangular"),
    Kind("fibonacci", "The number", "is a Fibonacci number", "is not a Fibonacci number",
         {1, 2, 3, 5, 8, 13, 21}.__contains__, "Fibonacci"),
    Kind("one digit", "The number", "has one digit", "two digits", lambda x: x < 10, "one digit"),
    Kind("two digits", "The number", "has two digits", "one digit", lambda x: x > 9, "two digits"),
    Kind("equal digits", "It", "has two equal digits", "does not have two equal digits",
         {11, 22}.__contains__, "equal digits"),
    Kind("different digits", "It", "has two different digits", "does not have two different digits",
         lambda x: x > 9 and x % 11 > 0, "two different digits"),
    Kind("even digits", "It", "has only even digits", "does not have only even digits",
         lambda x: all(int(digit) % 2 == 0 for digit in str(x)), "only even digits"),
    Kind("odd digits", "It", "has only odd digits", "does not have only odd digits",
         lambda x: all(int(digit) % 2 == 1 for digit in str(x)), "only odd digits"),
    Kind("digit sum", "Its digit sum", "is {0}", "is not {0}", lambda x, n: digit_sum(x) == n,
         "digits add up to {0}", _each(range(1, 12)), (9,), _tell_digit_sum),
    Kind("digit sum greater", "Its digit sum", "is greater than {0}", "digit sum at most",
         lambda x, n: digit_sum(x) > n,
         "digit sum > {0}", _each(range(1, 11)), (6,), _tell_digit_sum),
    Kind("digit sum less", "Its digit sum", "is less than {0}", "digit sum at least",
         lambda x, n: digit_sum(x) < n,
         "digit sum < {0}", _each(range(2, 12)), (4,), _tell_digit_sum),
    Kind("digit sum at least", "Its digit sum", "is at least {0}", "digit sum less",
         lambda x, n: digit_sum(x) >= n,
         "digit sum >= {0}", _each(range(2, 12)), (7,), _tell_digit_sum),
    Kind("digit sum at most", "Its digit sum", "is at most {0}", "digit sum greater",
         lambda x, n: digit_sum(x) <= n,
         "digit sum <= {0}", _each(range(1, 11)), (5,), _tell_digit_sum),
    Kind("digit product", "Its digit product", "is {0}", "is not {0}",
         lambda x, n: digit_product(x) == n,
         "digit product {0}", _each(sorted({*map(digit_product, NUMBERS)})), (8,),
         fact=lambda x, _: f"The digit product of {x} is {digit_product(x)}."),
    Kind("first digit", "Its first digit", "is {0}", "is not {0}", lambda x, d: str(x)[0] == str(d),
         "starts with {0}", _each(range(1, 10)), (1,),
         fact=lambda x, d: f"The first digit of {x} is {str(x)[0]}."),
    Kind("last digit", "Its last digit", "is {0}", "is not {0}", lambda x, d: x % 10 == d,
         "ends in {0}",
         _each(range(10)), (8,), fact=lambda x, d: f"The last digit of {x} is {x % 10}."),
    Kind("contains", "It", "contains the digit {0}", "does not contain the digit {0}",
         lambda x, d: 0 <= d <= 9 and str(d) in str(x), "has a {0} in it", _each(range(10)), (2,)),
    Kind("remainder", "It", "leaves remainder {0} when divided by {1}",
         "does not leave remainder {0} when divided by {1}",
         lambda x, r, m: m != 0 and x % m == r, "n mod {1} = {0}",
         tuple((r, m) for m in range(2, HIGHEST // 2 + 1) for r in range(m)), (2, 5),
         fact=lambda x, r, m: f"{x} leaves remainder {x % m} when divided by {m}."),
    Kind("different", "It", "is not equal to {0}", "", lambda x, n: x != n,
         "not {0}", _each(NUMBERS), (7,), fact=lambda x, n: f"The number is {x}."),
)
# fmt: on
