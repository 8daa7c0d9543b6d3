"""Statements about a number: each way to say a single fact, and the fact that it says.

`grammar` joins facts to sentences. `parsing` explains the patterns, `facts` what the values are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from strongroom.games.safe_code.facts import (
    DIGIT_COUNT,
    DIGIT_SUM,
    DIVISOR_COUNT,
    FIRST,
    LAST,
    SECOND,
    TENS,
    TENS_OR_ZERO,
    N,
    Term,
    Test,
    holds,
    mapped,
    of_two_digits,
    shape_of,
    spread,
)
from strongroom.games.safe_code.phrases import (
    FACTOR,
    FACTORS,
    FEWER,
    MORE,
    OVER,
    SQUARE,
    UNDER,
    constant,
)

Chain: TypeAlias = tuple[Any, ...]
"""Terms with the signs of comparison between them."""

DIVIDE: Final = "((when|if|after|on|upon)? (you|i)? (divide|divided|division|dividing) it? by)"
LEAVE: Final = "(leaves|leave|leaving|gives|give|has|there is?|you get)"
LEFT: Final = f"(it? {LEAVE}? its? remainder is? of?|it? (leaves|leave|leaving)|you re? left with)"
HAS: Final = "(has|with|there is?|contains|contain|containing|includes|include|uses|use)"
SAME: Final = "(same|equal|identical|alike|match|matching|repeated|repeating)"
DIFFERENT: Final = "(different|differ|distinct)"
EXACTLY: Final = "(exactly|only|just)"
EVERY_DIGIT: Final = (
    "((all|all of|both of)? its? digits is? all?|(every|each) (1 of its)? digit is?)"
)
BOTH_DIGITS: Final = "(both (of its)? digits|its digits is? both|digits is? both|its? 2 digits)"
SOME_DIGIT: Final = "(at least? 1 (of its digits|digit)|1 of its? digits|at least 1 of its? digits)"
GET: Final = (
    "(and|then)? (is|to|up to|gives|give|makes|make|equals|(you|i) (get|have)"
    "|(it|result|answer|total) (is|becomes))"
)


def _shifted(shift: Callable[[Any, int], Any]) -> Callable[..., Any]:
    """What is so much more or less than something: whether 0 counts as one is left open."""

    def facts(by: int, test: Test) -> Any:
        term = mapped(lambda x: shift(x, by), N)
        if test[0] == "divisible":  # 0 is in every times table
            return (N, ("remainder", -shift(0, by) % test[1], test[1])) if test[1] else None
        return [(term, test), (term, ("positive", test))]

    return facts


def _compare(name: str, by: int = 0) -> Callable[[Term, Term], Any]:
    """One digit beside another; whether a one-digit number has a 0 for its tens is left open."""

    def facts(one: Term, other: Term) -> Any:
        readings = []
        for tens in (TENS, TENS_OR_ZERO) if TENS in (one, other) else (TENS,):
            pair = [tens if term == TENS else term for term in (one, other)]
            gap = mapped(lambda a, b: a - b, *pair)
            readings.append((gap, (name, by)))
        return readings

    return facts


def _about(term: Term, test: Test) -> Any:
    if term == TENS and test[0] != "=":
        return [(TENS, test), (TENS_OR_ZERO, test)]
    return term, test


def _of_digit(term: Term) -> Callable[[Test], Any]:
    """What a digit is; in "starts with 1 but not 12", 12 is none."""
    return lambda test: (
        None if test[0] in ("and", "or") and max(shape_of(test)[1], default=0) > 9 else (term, test)
    )


def _number(test: Test) -> tuple[Term, Test]:
    return N, test


def _every(test: Test) -> tuple[Term, Test]:
    return N, ("every digit", test)


def _some(test: Test) -> tuple[Term, Test]:
    return N, ("some digit", test)


def _contains(argument: Any) -> tuple[Term, Test]:
    def with_digit(test: Test) -> Test:
        if test[0] == "=":
            return "some digit", test
        return test[0], *map(with_digit, test[1:])

    return N, with_digit(spread("=")(argument))


def _divisible(argument: Any) -> tuple[Term, Test]:
    return N, spread("divisible")(argument)


def _remainder(rest: int, of: int) -> tuple[Term, Test]:
    return N, ("remainder", rest, of)


def _both(test: Test) -> tuple[Term, Test]:
    return of_two_digits(N), ("every digit", test)


def _count(n: int, test: Test) -> tuple[Term, Test]:
    return N, ("digits", n, test)


def _counted(n: int, test: Test) -> Any:
    """What "has one odd digit" says; whether it may have two is left open."""
    return [_count(1, test), _some(test)] if n == 1 else _count(n, test)


def _pair(one: Test, other: Test) -> tuple[Term, Test]:
    return N, ("digit pair", one, other)


def _neither(test: Test) -> Any:
    return [_both(("not", test)), _every(("not", test))]


def _other(digit: Term) -> Term:
    return FIRST if digit in (LAST, SECOND) else SECOND


def _distance(number: int) -> Term:
    return mapped(lambda x: abs(x - number), N)


def _beside(by: int, test: Test) -> Any:
    """What is so far from something, on either side: whether 0 counts as one is left open."""
    sides = mapped(lambda x: x - by, N), mapped(lambda x: x + by, N)

    def near(test: Test) -> tuple[Term, Test]:
        return mapped(lambda *row: any(holds(test, x) for x in row), *sides), ("=", True)

    return near(test) if test[0] == "divisible" else [near(test), near(("positive", test))]


_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}


def _chained(first: Term, sign: str, rest: Chain) -> tuple[Term, Test]:
    """A chain of comparisons, like 5 < n < 9: all of its parts are true."""
    terms, signs = (first, *rest[::2]), (sign, *rest[1::2])
    return mapped(
        lambda *row: all(
            holds((sign, b), a) for a, sign, b in zip(row, signs, row[1:], strict=False)
        ),
        *terms,
    ), ("=", True)


_ALIKE: Final = [(N, ("equal digits",)), (N, ("not", ("different digits",)))]
_UNLIKE: Final = [(N, ("not", ("equal digits",))), (N, ("different digits",))]

FACTS: Final[list[tuple[str, Callable[..., Any]]]] = [
    ("<test>", _number),
    ("<list>", lambda numbers: _number(spread("=")(numbers))),
    ("up to <number>", lambda n: (N, ("<=", n))),
    ("not is? <number> $", lambda n: (N, ("not", ("=", n)))),
    ("(different from|unequal to|not same as) <number>",
     lambda n: (N, ("not", ("=", n)))),
    ("anything except <exception>", lambda test: (N, ("not", test))),
    (f"<number> is? {UNDER} it", lambda n: (N, (">", n))),
    (f"<number> is? {OVER} it", lambda n: (N, ("<", n))),
    ("<number> <sign> it !", lambda n, sign: (N, (_TURNED[sign], n))),
    ("<number> <sign> <term> !", lambda n, sign, term: (term, (_TURNED[sign], n))),
    ("<operand> <sign> <chain>", _chained),
    # distances
    ("<comparison> (away from|off|from) <basic>", lambda test, n: (_distance(n), test)),
    ("exactly? <basic> (away from|off) <basic>", lambda by, n: (_distance(n), ("=", by))),
    ("(further|farther) than <basic> away? from <basic>", lambda by, n: (_distance(n), (">", by))),
    ("(closer|nearer) than <basic> to <basic>", lambda by, n: (_distance(n), ("<", by))),
    ("(closer|nearer) to <basic> than to? <basic>",
     lambda a, b: (mapped(lambda x, y: x - y, _distance(a), _distance(b)), ("<", 0))),
    ("<basic> (away from|off) <class>", _beside),
    ("<number> is? at most it", lambda n: (N, (">=", n))),
    ("<number> is? at least it", lambda n: (N, ("<=", n))),
    # terms
    (f"has? <term> (of|{GET})? <tests>", _about),
    ("square is <tests>", lambda test: (SQUARE, test)),
    ("<number> is? its? (first|leading) digit", lambda n: (FIRST, ("=", n))),
    ("<number> is? its? ((last|final) digit|(units|ones) (digit|place))",
     lambda n: (LAST, ("=", n))),
    ("has? <number> in tens place", lambda n: (TENS, ("=", n))),
    ("has? only? <comparison> (digit|digits|figure|figures) long?",
     lambda test: (DIGIT_COUNT, test)),
    ("(has|is)? (only|just|exactly|in)? <number> (digit|digits|figure|figures) long?",
     lambda n: (DIGIT_COUNT, ("=", n))),
    ("(has|is)? in? single (digit|digits|figure|figures) long?", constant((DIGIT_COUNT, ("=", 1)))),
    ("(has|is)? in? double (digit|digits|figure|figures) long?", constant((DIGIT_COUNT, ("=", 2)))),
    (f"(has|with)? (only|exactly)? <number> {DIFFERENT}? ({FACTORS}|{FACTOR}) (in total)?",
     lambda n: (DIVISOR_COUNT, ("=", n))),
    (f"(has|with)? <comparison> {DIFFERENT}? ({FACTORS}|{FACTOR})",
     lambda test: (DIVISOR_COUNT, test)),
    (f"(has|with)? even count of {FACTORS}", constant((DIVISOR_COUNT, ("even",)))),
    (f"(has|with)? odd count of {FACTORS}", constant((DIVISOR_COUNT, ("odd",)))),
    ("(can not divided by|divisible by) (nothing|anything) (but|except) (1 and it|it and 1)",
     constant((N, ("prime",)))),
    ("only divisible by (1 and it|it and 1)", constant((N, ("prime",)))),
    ("neither prime nor composite", constant((DIVISOR_COUNT, ("=", 1)))),
    # divisibility
    ("((divides|divide) evenly? by|(you|it|i)? can (divided|divide) it? evenly? by) <arguments>"
     " (evenly|exactly|remainder 0)?", _divisible),
    ("<arguments> (divides|divide|goes into|go into) it? evenly?", _divisible),
    (f"<arguments> is? {FACTOR} (of it)?|<arguments> is? 1 of its? {FACTORS}", _divisible),
    (f"has <arguments> as {FACTOR}|has {FACTOR} of? <arguments>", _divisible),
    (f"1 of its? {FACTORS} is? <arguments>", _divisible),
    ("(appears|appear)? (in|from) <arguments> times table", _divisible),
    ("you? can (halved|halve it|split evenly|split in half)", constant((N, ("even",)))),
    ("(you|i)? can (split|divide|share|cut) it? (equally|evenly)? (in|into|between) 2"
     " (equal|same)? (halves|parts|people|groups|pieces|wholes)?", constant((N, ("even",)))),
    ("(divides|divide|goes|go) (evenly|exactly)? into? <number> (evenly|exactly)?",
     lambda n: (N, ("factor", n))),
    ("<number> is? (divisible by|multiple of|can divided by) it", lambda n: (N, ("factor", n))),
    (f"{LEFT} <number> {DIVIDE} <number>", _remainder),
    (f"{DIVIDE} <number> and? {LEFT} <number>", lambda m, r: _remainder(r, m)),
    (f"its? remainder is? {DIVIDE} <number> is? <number>", lambda m, r: _remainder(r, m)),
    (f"{DIVIDE} <number> and? (there is?)? <number> is? (left|left over|over)",
     lambda m, r: _remainder(r, m)),
    ("(its? remainder|it)? (mod|modulo) <number> (it is|is)? <number>",
     lambda m, r: _remainder(r, m)),
    ("(remainder|congruent to)? <number> (mod|modulo) <number>", _remainder),
    (f"<number> {MORE} <class>", _shifted(lambda x, by: x - by)),
    (f"<number> {FEWER} <class>", _shifted(lambda x, by: x + by)),
    ("(shares|share|has) (common? factor|factor in common) with <basic>",
     lambda n: (N, ("common factor", n))),
    ("product of 2 primes", constant((N, ("semiprime",)))),
    # names of ranges
    ("in? (teens|teen|teenager|its teens)", constant((N, ("between", 13, 19)))),
    ("in? its? (twenties|20 s|20 something)", constant((N, ("between", 20, 29)))),
    ("in? its? (thirties|30 s)", constant((N, (">=", 30)))),
    ("in? (upper|top|second|higher) half (of range)?", constant((N, (">", 15)))),
    ("in? (lower|bottom|first) half (of range)?", constant((N, ("<=", 15)))),
    ("in? (upper|top|highest|last|higher) third (of range)?", constant((N, (">", 20)))),
    ("in? middle third (of range)?", constant((N, ("between", 11, 20)))),
    ("in? (lower|bottom|lowest|first) third (of range)?", constant((N, ("<=", 10)))),
    # digits
    ("(ends|end|ending|finishes|finish) (in|with|on) digit? <tests> digit?",
     _of_digit(LAST)),
    ("(starts|start|starting|begins|begin|beginning) with digit? <tests> digit?",
     _of_digit(FIRST)),
    (f"{HAS} digit? <arguments> ((in|somewhere in) it?|as digit|among its? digits|$)", _contains),
    ("<arguments> in it", _contains),
    (f"{SOME_DIGIT} is? <tests>", _some),
    (f"({HAS})? {EXACTLY} <basic> (of its? digits is?|digit is?|digits is) <tests>", _count),
    (f"({HAS})? {EXACTLY} <basic> <test> (digit|digits)", _count),
    (f"({HAS}) <basic> <test> (digit|digits)", _counted),
    ("<once> (in it|among its? digits|as digit|$)", lambda digit: _count(1, ("=", digit))),
    (f"(at least 1|1) (of its? digits|digit) is? <tests> ,? (and|but)? ({EXACTLY} 1|not both) $",
     lambda test: _count(1, test)),
    ("1 (of its? digits|digit) is? <tests> ,? (and|but)? other (1|digit)? is? <tests>", _pair),
    (f"({HAS})? 1 <test> (digit|1)? and 1 <test> (digit|1)", _pair),
    ("<number> is? 1 of its? digits", lambda n: _some(("=", n))),
    (f"({HAS}|at least 1|{HAS} at least 1) even digit", constant(_some(("even",)))),
    (f"({HAS}|at least 1|{HAS} at least 1) odd digit", constant(_some(("odd",)))),
    ("digit <number>",
     lambda n: [(LAST, ("=", n)), (DIGIT_SUM, ("=", n)), _some(("=", n))]),
    (f"{EVERY_DIGIT} <test>|({HAS})? only <test> digits", _every),
    ("not its? (digit|digits) is? <tests>", lambda test: _every(("not", test))),
    ("neither (of its? digits|digit|1 of its? digits) is? <tests>", _neither),
    (f"{EVERY_DIGIT} not <test>", lambda test: _every(("not", test))),
    (f"not ({HAS})? any? <test> digits|(not {HAS} any?|{HAS} not) <test> (digit|digits)",
     lambda test: _every(("not", test))),
    (f"{BOTH_DIGITS} is? <tests>", _both),
    (f"(has? 2? {SAME} digits|({BOTH_DIGITS}|its? digits) is? both? {SAME})|double|doubles"
     "|has? (repeated|repeating) digit", constant((N, ("equal digits",)))),
    (f"(has? 2 (different|distinct) digits|{BOTH_DIGITS} is? {DIFFERENT})",
     constant((N, ("different digits",)))),
    (f"has? all? different digits|(all|all of)? its? digits is? all? {DIFFERENT}",
     constant(_UNLIKE)),
    (f"its? digits is? not both? {SAME}", constant(_UNLIKE)),
    (f"palindrome|(all|all of) its? digits is? {SAME}", constant(_ALIKE)),
    (f"<digit> is? <basic> {MORE} <digit>", lambda one, n, other: _compare("=", n)(one, other)),
    (f"<digit> is? <basic> {FEWER} <digit>", lambda one, n, other: _compare("=", -n)(one, other)),
    (f"<digit> is? {MORE} <digit> by <basic>", lambda one, other, n: _compare("=", n)(one, other)),
    (f"<digit> is? {FEWER} <digit> by <basic>",
     lambda one, other, n: _compare("=", -n)(one, other)),
    ("<digit> is? (greater|bigger|larger|higher) ((than|then) other)? (1|digit)? $",
     lambda one: _compare(">")(one, _other(one))),
    ("<digit> is? (less|smaller|lower) ((than|then) other)? (1|digit)? $",
     lambda one: _compare("<")(one, _other(one))),
    (f"<digit> is? {OVER} <digit>", _compare(">")),
    (f"<digit> is? {UNDER} <digit>", _compare("<")),
    ("<digit> is? (same as|equal to)? <digit>", _compare("=")),
    ("<digit> is? (twice|double) <digit>",
     lambda a, b: _compare("=")(a, mapped(lambda x: 2 * x, b))),
    ("<digit> is? half of? <digit>",
     lambda a, b: _compare("=")(mapped(lambda x: 2 * x, a), b)),
]  # fmt: skip
