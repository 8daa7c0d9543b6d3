"""What can be said of a number from 1 to 30: terms, tests and facts, and facts joined.

A *term* is something about the number that has a value: the number itself, its last digit, twice
the number. It is written as its values for 1 to 30, None where it has none. A *test* is what a
value can pass, like `(">", 5)` or `("not", ("even",))`. A term and a test make a *fact*, and facts
are joined by "and", "or" and "not".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd, isqrt
from typing import Any, Final, NamedTuple, TypeAlias

from strongroom.games.safe_code.clues import EVERY, Clue
from strongroom.games.safe_code.kinds import (
    NUMBERS,
    digit_product,
    digit_sum,
    divisors,
    is_power,
    is_prime,
)

Value: TypeAlias = "int | Fraction | None"
Term: TypeAlias = tuple[Value, ...]
Test: TypeAlias = tuple[Any, ...]

# --- terms --------------------------------------------------------------------------------------


def _term(function: Callable[[int], Value]) -> Term:
    return tuple(map(function, NUMBERS))


def mapped(function: Callable[..., Value], *terms: Term) -> Term:
    """A term computed from others; it has a value where all of them have one."""
    rows = zip(*terms, strict=True)
    return tuple(None if None in row else function(*row) for row in rows)


N: Final = _term(lambda x: x)
FIRST: Final = _term(lambda x: int(str(x)[0]))
LAST: Final = _term(lambda x: x % 10)
TENS: Final = _term(lambda x: x // 10 or None)
TENS_OR_ZERO: Final = _term(lambda x: x // 10)
SECOND: Final = _term(lambda x: x % 10 if x > 9 else None)
DIGIT_COUNT: Final = _term(lambda x: len(str(x)))
DIGIT_SUM: Final = _term(digit_sum)
DIGIT_PRODUCT: Final = _term(digit_product)
DIVISOR_COUNT: Final = _term(lambda x: len(divisors(x)))


def of_two_digits(term: Term) -> Term:
    """The term where the number has two digits."""
    return tuple(v if x > 9 else None for x, v in zip(NUMBERS, term, strict=True))


DIFFERENCE: Final = mapped(lambda a, b: abs(a - b), TENS, SECOND)


# --- tests --------------------------------------------------------------------------------------


def _is_square(x: int) -> bool:
    return x >= 0 and isqrt(x) ** 2 == x


def _whole(function: Callable[..., bool]) -> Callable[..., bool]:
    """A test that only whole numbers can pass."""
    return lambda x, *numbers: x == int(x) and function(int(x), *numbers)


def _digits(x: int) -> list[int]:
    return [int(digit) for digit in str(x)]


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
    "prime": _whole(is_prime),
    "composite": _whole(lambda x: x > 1 and not is_prime(x)),
    "divisible": _whole(lambda x, n: n != 0 and x % n == 0),
    "remainder": _whole(lambda x, r, m: m != 0 and x % m == r),
    "factor": _whole(lambda x, n: x > 0 and n % x == 0),
    "power": _whole(is_power),
    "square": _whole(lambda x: _is_square(x)),
    "cube": _whole(lambda x: x >= 0 and round(x ** (1 / 3)) ** 3 == x),
    "triangular": _whole(lambda x: _is_square(8 * x + 1)),
    "fibonacci": _whole(lambda x: x > 0 and any(_is_square(5 * x * x + d) for d in (4, -4))),
    "semiprime": _whole(lambda x: any(is_prime(d) and is_prime(x // d) for d in divisors(x))),
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


def spread(name: str) -> Callable[[Any], Test]:
    """A test for one number as a test for several: divisible by 3 and 5, by 4 but not by 8."""

    def spread(argument: Any) -> Test:
        if isinstance(argument, int):
            return (name, argument)
        return (argument[0], *map(spread, argument[1:]))

    return spread


def shape_of(test: Any) -> tuple[Any, tuple[int, ...]]:
    """A test with a gap for each number, and those numbers."""
    if isinstance(test, int):
        return int, (test,)
    if isinstance(test, str):
        return test, ()
    shapes = [shape_of(part) for part in test]
    return tuple(shape for shape, _ in shapes), sum((numbers for _, numbers in shapes), ())


CLUE_KINDS: Final[dict[tuple[Term, Any], str]] = {
    **{(N, (name,)): name for name in ("even", "odd", "prime", "composite")},
    **{(N, (name,)): name for name in ("square", "cube", "triangular", "fibonacci")},
    **{(N, (name,)): name for name in ("equal digits", "different digits")},
    **{(N, (name, int)): name for name in ("divisible", "factor", "power")},
    (N, (">", int)): "greater",
    (N, ("<", int)): "less",
    (N, (">=", int)): "at least",
    (N, ("<=", int)): "at most",
    (N, ("between", int, int)): "between",
    (N, ("remainder", int, int)): "remainder",
    (N, ("not", ("=", int))): "different",
    (N, ("every digit", ("even",))): "even digits",
    (N, ("every digit", ("odd",))): "odd digits",
    (N, ("some digit", ("=", int))): "contains",
    (DIVISOR_COUNT, ("=", int)): "divisors",
    (DIGIT_SUM, ("=", int)): "digit sum",
    (DIGIT_SUM, (">", int)): "digit sum greater",
    (DIGIT_SUM, ("<", int)): "digit sum less",
    (DIGIT_SUM, (">=", int)): "digit sum at least",
    (DIGIT_SUM, ("<=", int)): "digit sum at most",
    (DIGIT_PRODUCT, ("=", int)): "digit product",
    (FIRST, ("=", int)): "first digit",
    (LAST, ("=", int)): "last digit",
}
"""The facts that a kind of clue states in its own words."""


def _clue(term: Term, test: Test) -> Clue | None:
    shape, numbers = shape_of(test)
    if kind := CLUE_KINDS.get((term, shape)):
        return Clue(kind, numbers)
    match test:
        case ("=", 1 | 2 as count) if term == DIGIT_COUNT:
            return Clue("one digit" if count == 1 else "two digits")
        case ("=", 3) if term == TENS:
            return Clue("at least", (30,))
        case ("=", digit) if term == TENS:
            return Clue("between", (10 * digit, 10 * digit + 9))
        case ("not", affirmed):
            clue = _clue(term, affirmed)
            return clue and clue.contrary
    return None


# --- facts --------------------------------------------------------------------------------------


class Fact(NamedTuple):
    """What is said of the number: where it is true, and the clue with these words, if any."""

    meaning: frozenset[int]
    clue: Clue | None = None
    negated: bool = False
    named: int | None = None
    """The number, if the sentence just names it."""
    bare: bool = False
    """Whether it only names numbers, as "not 5" or "3 or 5" do; after another fact such words are
    rather about that one, as in "divisible by 3, not 5"."""


@lru_cache(maxsize=4096)  # a long list is tried from each of its numbers on
def _true_of(term: Term, test: Test) -> frozenset[int]:
    """The numbers whose term passes a test; what is joined is looked up part by part."""
    if test[0] in ("and", "or"):
        join = frozenset.intersection if test[0] == "and" else frozenset.union
        return reduce(join, (_true_of(term, part) for part in test[1:]))
    return frozenset(x for x, value in zip(NUMBERS, term, strict=True) if holds(test, value))


def fact(term: Term, test: Test, negated: bool = False) -> Fact:
    """What it says of the number that a term passes a test, or that it does not."""
    affirmed = _true_of(term, test)
    named = test[1] if term == N and test[0] == "=" and not negated else None
    clue = _clue(term, ("not", test) if negated else test)
    bare = term == N and {*_names(test)} <= {"=", "or", "and", "not"}
    return Fact(EVERY - affirmed if negated else affirmed, clue, negated, named, bare)


def _names(test: Test) -> Iterator[str]:
    for part in test:
        if isinstance(part, tuple):
            yield from _names(part)
        elif isinstance(part, str):
            yield part


def said(facts: Callable[..., Any]) -> Callable[..., list[Fact]]:
    """A rule's value from the terms and tests that its pattern can mean, negated or not.

    "Not divisible by 2 and 3" may deny either one or both.
    """

    def said(negations: int, *values: Any) -> list[Fact]:
        made = facts(*values)
        readings = made if isinstance(made, list) else [made] if made else []
        if negations:
            readings = [
                (term, each)
                for term, test in readings
                for each in ([test, ("or", *test[1:])] if test[0] == "and" else [test])
            ]
        return [fact(term, test, negations == 1) for term, test in readings]

    return said


Joined: TypeAlias = tuple[tuple[str, Fact], ...]


def joined(facts: Joined) -> list[Fact] | None:
    """What facts say together, in every way in which their links can be taken."""
    (_, first), *others = facts
    if not others:
        return [first._replace(bare=False)]
    links = [link for link, _ in others]
    meanings = [fact.meaning for _, fact in facts]
    readings = []
    if "nor" not in links:
        readings = _combined(meanings, links)
    elif not first.negated or {*links} != {"nor"}:
        return None
    if first.negated and not any(fact.negated for _, fact in others):
        if {*links} <= {"and", "or", "nor"}:  # the "not" may govern all that follows it
            affirmed = [EVERY - first.meaning, *meanings[1:]]
            readings += [EVERY - each for each in _combined(affirmed, links)]
    bare = any(fact.bare for _, fact in others)
    return [Fact(reading, bare=bare) for reading in dict.fromkeys(readings)]


def _combined(meanings: list[frozenset[int]], links: list[str]) -> list[frozenset[int]]:
    """The meanings joined, "and" before "or" and the other way round."""
    either = [link in ("or", "nor") for link in links]
    and_first, or_first = [[meanings[0]]], [[meanings[0]]]
    for is_or, meaning in zip(either, meanings[1:], strict=True):
        for groups, splits in ((and_first, is_or), (or_first, not is_or)):
            if splits:
                groups.append([meaning])
            else:
                groups[-1].append(meaning)
    unions = reduce(frozenset.union, (frozenset.intersection(*group) for group in and_first))
    return [unions, reduce(frozenset.intersection, (frozenset.union(*g) for g in or_first))]
