"""The clue language of Safe Code as one table: what can be said about a number from 1 to 30.

A *term* is something about the number that has a value: the number itself, its last digit, twice
the number. It is written as its values for 1 to 30, None where it has none. A *test* is what a
value can pass, like `(">", 5)` or `("not", ("even",))`.

Each entry of `KINDS` is a kind of clue: its sentence, when it is true, and how people say it. All
else follows from the table. A new kind is a new last entry and a line in `rules.md`; its clues are
numbered after all other actions, so that no number changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations
from math import gcd, isqrt, prod
from typing import Any, Final, TypeAlias

LOWEST: Final = 1
HIGHEST: Final = 30
NUMBERS: Final = range(LOWEST, HIGHEST + 1)

Value: TypeAlias = "int | Fraction | None"
Term: TypeAlias = tuple[Value, ...]
Test: TypeAlias = tuple[Any, ...]


# --- terms --------------------------------------------------------------------------------------


def _divisors(x: int) -> list[int]:
    """All divisors of a number, 1 and itself among them."""
    return [d for d in range(1, x + 1) if x % d == 0]


def _digits(x: int) -> list[int]:
    return [int(digit) for digit in str(x)]


def _term(function: Callable[[int], Value]) -> Term:
    return tuple(map(function, NUMBERS))


N: Final = _term(lambda x: x)
FIRST: Final = _term(lambda x: _digits(x)[0])
LAST: Final = _term(lambda x: x % 10)
TENS: Final = _term(lambda x: x // 10 or None)
TENS_OR_ZERO: Final = _term(lambda x: x // 10)
SECOND: Final = _term(lambda x: x % 10 if x > 9 else None)
DIGIT_COUNT: Final = _term(lambda x: len(str(x)))
DIGIT_SUM: Final = _term(lambda x: sum(_digits(x)))
DIGIT_PRODUCT: Final = _term(lambda x: prod(_digits(x)))
DIVISOR_COUNT: Final = _term(lambda x: len(_divisors(x)))


# --- tests --------------------------------------------------------------------------------------


def _is_prime(x: int) -> bool:
    return x > 1 and all(x % d for d in range(2, x))


def _is_square(x: int) -> bool:
    return x >= 0 and isqrt(x) ** 2 == x


def _whole(function: Callable[..., bool]) -> Callable[..., bool]:
    """A test that only whole numbers can pass."""
    return lambda x, *numbers: x == int(x) and function(int(x), *numbers)


TESTS: Final[dict[str, Callable[..., bool]]] = {
    "=": lambda x, n: x == n,
    ">": lambda x, n: x > n,
    "<": lambda x, n: x < n,
    ">=": lambda x, n: x >= n,
    "<=": lambda x, n: x <= n,
    "between": lambda x, a, b: a <= x <= b,
    "whole": _whole(lambda x: True),
    "even": _whole(lambda x: x % 2 == 0),
    "odd": _whole(lambda x: x % 2 == 1),
    "prime": _whole(_is_prime),
    "composite": _whole(lambda x: x > 1 and not _is_prime(x)),
    "divisible": _whole(lambda x, n: n != 0 and x % n == 0),
    "remainder": _whole(lambda x, r, m: m != 0 and x % m == r),
    "factor": _whole(lambda x, n: x > 0 and n % x == 0),
    "power": _whole(lambda x, n: any(n**k == x for k in range(5))),
    "square": _whole(_is_square),
    "cube": _whole(lambda x: x >= 0 and round(x ** (1 / 3)) ** 3 == x),
    "triangular": _whole(lambda x: _is_square(8 * x + 1)),
    "fibonacci": _whole(lambda x: x > 0 and any(_is_square(5 * x * x + d) for d in (4, -4))),
    "semiprime": _whole(lambda x: any(_is_prime(d) and _is_prime(x // d) for d in _divisors(x))),
    "equal digits": _whole(lambda x: x > 9 and len({*str(x)}) == 1),
    "different digits": _whole(lambda x: x > 9 and len({*str(x)}) == 2),
    "every digit": _whole(lambda x, test: all(holds(test, digit) for digit in _digits(x))),
    "some digit": _whole(lambda x, test: any(holds(test, digit) for digit in _digits(x))),
    "digits": _whole(lambda x, n, test: sum(holds(test, digit) for digit in _digits(x)) == n),
    "digit pair": _whole(
        lambda x, *tests: (
            any(all(map(holds, order, _digits(x))) for order in (tests, tests[::-1])) and x > 9
        )
    ),
    "common factor": _whole(lambda x, n: gcd(x, n) > 1),
    "positive": lambda x, test: x > 0 and holds(test, x),
    "not": lambda x, test: not holds(test, x),
    "and": lambda x, *tests: all(holds(test, x) for test in tests),
    "or": lambda x, *tests: any(holds(test, x) for test in tests),
}


def holds(test: Test, value: Value) -> bool:
    """Whether a value passes a test; what does not exist passes none."""
    return value is not None and TESTS[test[0]](value, *test[1:])


@lru_cache(maxsize=4096)  # a long list is tried from each of its numbers on
def numbers_that_pass(term: Term, test: Test) -> frozenset[int]:
    """The numbers whose term passes a test; what is joined is looked up part by part."""
    if test[0] in ("and", "or"):
        join = frozenset.intersection if test[0] == "and" else frozenset.union
        return reduce(join, (numbers_that_pass(term, part) for part in test[1:]))
    return frozenset(x for x, value in zip(NUMBERS, term, strict=True) if holds(test, value))


# --- kinds of clues -----------------------------------------------------------------------------

NEGATED: Final = "not"
"""Stands for a contrary that is a negated clue of the same kind."""
_NEGATIONS: Final = {
    "is": "is not",
    "has": "does not have",
    "contains": "does not contain",
    "leaves": "does not leave",
}


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of clue; `{0}` and `{1}` in its texts stand for the clue's numbers."""

    name: str
    subject: str
    says: str
    """The predicate of its sentence."""
    brief: str
    """The shortest usual wording, for the help."""
    term: Term
    """What of the number it is about."""
    test: Test
    """What the term passes if it is true; `int` stands for each of the clue's numbers, in order."""
    contrary: str | None = NEGATED
    """The name of the contrary kind, or `NEGATED`; None if no clue says the contrary."""
    choices: tuple[tuple[int, ...], ...] = ((),)
    """The numbers that its clues can use, each tuple ascending."""
    example: tuple[int, ...] = ()
    phrases: str = ""
    """How people say it in a word or two, as a pattern for `language`, which says the rest."""
    fact: Callable[..., str] | None = None
    """What is true where it is false, if the contrary only hints at it."""

    def test_for(self, *numbers: int) -> Test:
        """What the term passes if the clue with these numbers is true."""
        rest = iter(numbers)

        def fill(part: Any) -> Any:
            if isinstance(part, tuple):
                return tuple(map(fill, part))
            return next(rest) if part is int else part

        return fill(self.test)  # type: ignore[no-any-return]

    @property
    def denies(self) -> str:
        """The predicate of the negated sentence."""
        verb, _, rest = self.says.partition(" ")
        return f"{_NEGATIONS[verb]} {rest}"

    def truth(self, number: int, *numbers: int) -> str:
        """What is true of a number, where the contrary only hints at it; otherwise empty."""
        if self.fact:
            return self.fact(number, *numbers)
        if not self.subject.startswith("Its "):
            return ""
        return f"The {self.subject.removeprefix('Its ')} of {number} is {self.term[number - 1]}."


def _each(numbers: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((number,) for number in numbers)


def _list_divisors(x: int, _: int) -> str:
    return f"{x} has {len(_divisors(x))}: {', '.join(map(str, _divisors(x)))}."


# fmt: off
KINDS: Final[tuple[Kind, ...]] = (
    Kind("even", "The number", "is even", "even", N, ("even",), "odd"),
    Kind("odd", "The number", "is odd", "odd", N, ("odd",), "even"),
    Kind("prime", "The number", "is a prime", "prime", N, ("prime",), phrases="prime|primes"),
    Kind("composite", "The number", "is composite", "composite", N, ("composite",),
         phrases="composite"),
    Kind("greater", "It", "is greater than {0}", "> {0}", N, (">", int), "at most",
         _each(range(1, 30)), (15,)),
    Kind("less", "It", "is less than {0}", "< {0}", N, ("<", int), "at least",
         _each(range(2, 31)), (10,)),
    Kind("at least", "It", "is at least {0}", ">= {0}", N, (">=", int), "less",
         _each(range(2, 31)), (12,)),
    Kind("at most", "It", "is at most {0}", "<= {0}", N, ("<=", int), "greater",
         _each(range(1, 30)), (20,)),
    Kind("between", "It", "is between {0} and {1}, inclusive", "{0} to {1}",
         N, ("between", int, int), NEGATED,
         tuple(pair for pair in combinations(NUMBERS, 2) if pair != (LOWEST, HIGHEST)), (5, 9)),
    Kind("divisible", "It", "is divisible by {0}", "multiple of {0}", N, ("divisible", int),
         NEGATED, _each(range(2, 31)), (3,), "(multiple|multiples) of <basic>"),
    Kind("factor", "It", "is a factor of {0}", "divides {0}", N, ("factor", int),
         NEGATED, _each(range(1, 101)), (24,)),
    Kind("divisors", "Its number of divisors", "is {0}", "{0} divisors", DIVISOR_COUNT, ("=", int),
         NEGATED, _each((1, 2, 3, 4, 5, 6, 8)), (4,), fact=_list_divisors),
    Kind("power", "It", "is a power of {0}, counting 1", "power of {0}", N, ("power", int),
         NEGATED, _each(range(2, 11)), (2,), "(power|powers) of <basic> (counting 1)?"),
    Kind("square", "The number", "is a perfect square", "square", N, ("square",),
         phrases="perfect? (square|squares)"),
    Kind("cube", "The number", "is a perfect cube", "cube", N, ("cube",),
         phrases="perfect? (cube|cubes|cubic)"),
    Kind("triangular", "The number", "is a triangular number", "triangular", N, ("triangular",),
         phrases="triangular|triangle"),
    Kind("fibonacci", "The number", "is a Fibonacci number", "Fibonacci", N, ("fibonacci",),
         phrases="fibonacci|(part of|in) fibonacci (sequence|series)?"),
    Kind("one digit", "The number", "has one digit", "one digit", DIGIT_COUNT, ("=", 1),
         "two digits"),
    Kind("two digits", "The number", "has two digits", "two digits", DIGIT_COUNT, ("=", 2),
         "one digit"),
    Kind("equal digits", "It", "has two equal digits", "equal digits", N, ("equal digits",)),
    Kind("different digits", "It", "has two different digits", "two different digits",
         N, ("different digits",)),
    Kind("even digits", "It", "has only even digits", "only even digits",
         N, ("every digit", ("even",))),
    Kind("odd digits", "It", "has only odd digits", "only odd digits",
         N, ("every digit", ("odd",))),
    Kind("digit sum", "Its digit sum", "is {0}", "digits add up to {0}", DIGIT_SUM, ("=", int),
         NEGATED, _each(range(1, 12)), (9,)),
    Kind("digit sum greater", "Its digit sum", "is greater than {0}", "digit sum > {0}",
         DIGIT_SUM, (">", int), "digit sum at most", _each(range(1, 11)), (6,)),
    Kind("digit sum less", "Its digit sum", "is less than {0}", "digit sum < {0}",
         DIGIT_SUM, ("<", int), "digit sum at least", _each(range(2, 12)), (4,)),
    Kind("digit sum at least", "Its digit sum", "is at least {0}", "digit sum >= {0}",
         DIGIT_SUM, (">=", int), "digit sum less", _each(range(2, 12)), (7,)),
    Kind("digit sum at most", "Its digit sum", "is at most {0}", "digit sum <= {0}",
         DIGIT_SUM, ("<=", int), "digit sum greater", _each(range(1, 11)), (5,)),
    Kind("digit product", "Its digit product", "is {0}", "digit product {0}",
         DIGIT_PRODUCT, ("=", int), NEGATED,
         _each(sorted({prod(_digits(x)) for x in NUMBERS})), (8,)),
    Kind("first digit", "Its first digit", "is {0}", "starts with {0}", FIRST, ("=", int),
         NEGATED, _each(range(1, 10)), (1,)),
    Kind("last digit", "Its last digit", "is {0}", "ends in {0}", LAST, ("=", int),
         NEGATED, _each(range(10)), (8,)),
    Kind("contains", "It", "contains the digit {0}", "has a {0} in it",
         N, ("some digit", ("=", int)), NEGATED, _each(range(10)), (2,)),
    Kind("remainder", "It", "leaves remainder {0} when divided by {1}", "n mod {1} = {0}",
         N, ("remainder", int, int), NEGATED,
         tuple((r, m) for m in range(2, HIGHEST // 2 + 1) for r in range(m)), (2, 5),
         fact=lambda x, r, m: f"{x} leaves remainder {x % m} when divided by {m}."),
    Kind("different", "It", "is not equal to {0}", "not {0}", N, ("not", ("=", int)), None,
         _each(NUMBERS), (7,), fact=lambda x, n: f"The number is {x}."),
)
# fmt: on
FIRST_KINDS: Final = 34
"""How many kinds there were when actions were numbered; the clues of later kinds come last."""
