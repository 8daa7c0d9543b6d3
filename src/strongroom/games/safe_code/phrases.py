"""The phrases of clues: numbers in words and sums, what a value can pass, and what has a value.

`parsing` explains the patterns, `facts` what tests and terms are.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from strongroom.games.safe_code.facts import (
    DIFFERENCE,
    DIGIT_COUNT,
    DIGIT_PRODUCT,
    DIGIT_SUM,
    DIVISOR_COUNT,
    FIRST,
    LAST,
    SECOND,
    TENS,
    N,
    Term,
    Test,
    holds,
    mapped,
    of_two_digits,
    spread,
)
from strongroom.games.safe_code.parsing import Rule

LARGEST: Final = 100
"""The largest number that the player's may be added to or multiplied by."""

MORE: Final = "(greater|bigger|larger|higher|more) (than|then)"
FEWER: Final = "(less|smaller|lower|fewer) (than|then)"
OVER: Final = f"({MORE}|over|above|beyond|past|exceeds|exceed|exceeding)"
UNDER: Final = f"({FEWER}|under|below|beneath)"
INCLUSIVE: Final = "(inclusive|inclusively|both? ends? included)"
FACTOR: Final = "(factor|divisor)"
FACTORS: Final = "(factors|divisors)"


def rules(symbol: str, *rules: tuple[str, Callable[..., Any]]) -> list[Rule]:
    """The rules of one symbol."""
    return [Rule(symbol, pattern, value) for pattern, value in rules]


def constant(value: Any) -> Callable[[], Any]:
    """A rule's value that depends on nothing in its pattern."""
    return lambda: value


NUMBERS: Final = [
    *rules(
        "basic",
        ("<digits>", lambda n: n),
        ("dozen", constant(12)),
        ("<digits> dozen", lambda n: 12 * n),
        ("half of? <digits>", lambda n: None if n % 2 else n // 2),
        ("(twice|double) <digits>", lambda n: 2 * n),
        ("<digits> squared|square of <digits>", lambda n: n * n),
    ),
    *rules(
        "number",
        ("<basic>", lambda n: n),
        ("sum of <basic> and <basic>|<basic> plus <basic>", lambda a, b: a + b),
        ("<basic> minus <basic>|difference between <basic> and <basic>", lambda a, b: a - b),
        ("<basic> times <basic>|product of <basic> and <basic>", lambda a, b: a * b),
        (f"<basic> {MORE} <basic>", lambda a, b: a + b),
        (f"<basic> {FEWER} <basic>", lambda a, b: b - a),
    ),
    *rules("again", ("(by|of|in|with|on)? <basic>", lambda n: n)),  # divisible by 3 or by 5
    *rules(
        "several",
        ("<basic> (or|nor) <again>", lambda a, b: ("or", a, b)),
        ("<basic> ,? or? <several>", lambda a, rest: ("or", a, rest)),
    ),
    *rules(
        "arguments",
        ("<basic>|either? <several>", lambda n: n),
        ("both? <basic> (and|as well as) <again>", lambda a, b: ("and", a, b)),
        ("<basic> (but|and|,) not <again>", lambda a, b: ("and", a, ("not", b))),
    ),
    *rules(
        "besides",  # a factor of 20 but not 5: perhaps not 5 itself
        ("<basic> (but|and|,) not <basic>", lambda a, b: (a, b)),
    ),
    *rules(
        "row",
        ("<basic> ,? and? <basic>", lambda a, b: ("or", a, b)),
        ("<basic> , <row>", lambda a, rest: ("or", a, rest)),
    ),
    *rules("list", ("1? of? either? <several>|any? of? <several>|1 of <row>", lambda n: n)),
]


def _bounds(one: str, a: int, other: str, b: int) -> Test | None:
    """Two bounds without a word between them, as in "> 5 < 10"; "< 5 < 3" is no such pair."""
    return ("and", (one, a), (other, b)) if {one[0], other[0]} == {"<", ">"} else None


def _without(name: str) -> Callable[[tuple[int, int]], Test | None]:
    """What passes a test for one number but is not another that passes it, too."""

    def test(numbers: tuple[int, int]) -> Test | None:
        of, other = numbers
        return ("and", (name, of), ("not", ("=", other))) if holds((name, of), other) else None

    return test


TESTS: Final = [
    *rules(
        "sign",
        ("lt", constant("<")),
        ("gt", constant(">")),
        ("le", constant("<=")),
        ("ge", constant(">=")),
        ("eq", constant("=")),
    ),
    *rules(
        "comparison",
        (f"{OVER} <number>", lambda n: (">", n)),
        (f"{UNDER} <number>", lambda n: ("<", n)),
        ("<sign> <number> !", lambda sign, n: (sign, n)),
        ("<sign> <number> <sign> <number> !", _bounds),
        (
            f"({OVER} or (is|same as)|at very? least|(min|minimum) (of|is)?"
            f"|(is|same) or {OVER}) <number>",
            lambda n: (">=", n),
        ),
        (
            f"({UNDER} or (is|same as)|at very? most|(max|maximum) (of|is)?"
            f"|(is|same) or {UNDER}) <number>",
            lambda n: ("<=", n),
        ),
        (
            "<number> ((or|and) (more|greater|bigger|larger|higher|above|over|up)"
            "|at very? least|min|minimum)",
            lambda n: (">=", n),
        ),
        (
            "<number> ((or|and) (less|fewer|smaller|lower|below|under)|at very? most|max|maximum)",
            lambda n: ("<=", n),
        ),
        (
            "(lies|lie|falls|fall)? in? inclusively? between <number> (and|to) <number>"
            f" {INCLUSIVE}?",
            lambda a, b: ("between", a, b),
        ),
        (
            "((lies|lie|falls)? (strictly|exclusively) between <number> and <number>"
            "|between <number> and <number> (exclusive|exclusively))",
            lambda a, b: ("between", a + 1, b - 1),
        ),
        (
            f"(goes|ranges|lies)? (in? (range|interval) of?)? from? <number> up? (to|through)"
            f" <number> {INCLUSIVE}?",
            lambda a, b: ("between", a, b),
        ),
        (
            "outside (of? (range|interval))? (of|from)? <number> (to|and) <number>",
            lambda a, b: ("not", ("between", a, b)),
        ),
        ("within <number> of <number>", lambda a, b: ("between", b - a, b + a)),
    ),
    *rules(
        "class",
        ("(multiple|multiples) of <basic>", lambda n: ("divisible", n)),
        ("(power|powers) of <basic> (counting 1)?", lambda n: ("power", n)),
        ("perfect? (square|squares)", constant(("square",))),
        ("perfect? (cube|cubes|cubic)", constant(("cube",))),
        ("prime|primes", constant(("prime",))),
        ("triangular|triangle", constant(("triangular",))),
        ("fibonacci|(part of|in) fibonacci (sequence|series)?", constant(("fibonacci",))),
        ("composite", constant(("composite",))),
    ),
    *rules(
        "test",
        ("<comparison>|<class>", lambda test: test),
        ("even|evens", constant(("even",))),
        ("odd|odds", constant(("odd",))),
        ("whole", constant(("whole",))),
        (
            "(divisible (by|with)|common? (multiple|multiples) of) <arguments> (remainder 0)?",
            spread("divisible"),
        ),
        (f"({FACTOR}|{FACTORS}) of <arguments>", spread("factor")),
        (f"({FACTOR}|{FACTORS}) of <besides>", _without("factor")),
        ("(multiple|multiples) of <besides>", _without("divisible")),
        ("square of whole", constant(("square",))),
        ("cube of whole", constant(("cube",))),
    ),
    *rules(
        "tests",
        ("<test>", lambda test: test),
        ("both? <test> (and|but)? <test>", lambda a, b: ("and", a, b)),
        ("either? <test> or <test>", lambda a, b: ("or", a, b)),
        ("<number>|<arguments>|<list>", spread("=")),
        ("<test> (but|and|,) not <basic>", lambda test, n: ("and", test, ("not", ("=", n)))),
    ),
]


def _sum(by: int) -> Term | None:
    return mapped(lambda x: x + by, N) if abs(by) <= LARGEST else None


def _product(by: int | Fraction) -> Term | None:
    return mapped(lambda x: x * by, N) if 0 < by <= LARGEST else None


SQUARE: Final = mapped(lambda x: x * x, N)
CUBE: Final = mapped(lambda x: x**3, N)
ROOT: Final = mapped(lambda x: x**0.5, N)
BOTH_SUMS: Final = [DIGIT_SUM, of_two_digits(DIGIT_SUM)]
BOTH_PRODUCTS: Final = [DIGIT_PRODUCT, of_two_digits(DIGIT_PRODUCT)]
UP: Final = "(up|together)"
ALL_ITS: Final = "(all|all of|all its|its)"
TWO: Final = "(both|both of its|both its|2|its 2)"

TERMS: Final = [
    *rules(
        "digit",
        ("its? (first|leading) (digit|1)? (of it)?", constant(FIRST)),
        (
            "its? ((last|final) (digit|1)?|(units|unit|ones) (digit|place|1)?) (of it)?",
            constant(LAST),
        ),
        ("its? second (digit|1)? (of it)?", constant(SECOND)),
        ("its? (tens|ten) (digit|place|1)? (of it)?", constant(TENS)),
    ),
    *rules(
        "term",
        ("its? (first|leading) digit (of it)?", constant(FIRST)),
        ("its? ((last|final) digit|(units|unit|ones) (digit|place)) (of it)?", constant(LAST)),
        ("its? second digit (of it)?", constant(SECOND)),
        ("its? (tens|ten) (digit|place) (of it)?", constant(TENS)),
        (
            f"(its? (digit|digits|digital) sum|sum of {ALL_ITS}? digits) (of it)?"
            f"|{ALL_ITS}? digits (add|sum|total|added) {UP}?"
            f"|(when|if)? you? (add|adding|sum) {UP}? {ALL_ITS}? digits {UP}?",
            constant(DIGIT_SUM),
        ),
        (
            f"sum of {TWO} digits|{TWO} digits (add|sum|total|added) {UP}?"
            f"|(when|if)? you? (add|adding|sum) {UP}? {TWO} digits {UP}?",
            constant(BOTH_SUMS),
        ),
        (
            f"(its? (digit|digits|digital) product|product of {ALL_ITS}? digits) (of it)?"
            f"|{ALL_ITS}? digits (multiply|multiplied) {UP}?"
            f"|(when|if)? you? (multiply|multiplying) {ALL_ITS}? digits {UP}?",
            constant(DIGIT_PRODUCT),
        ),
        (
            f"product of {TWO} digits|{TWO} digits (multiply|multiplied) {UP}?"
            f"|(when|if)? you? (multiply|multiplying) {TWO} digits {UP}?",
            constant(BOTH_PRODUCTS),
        ),
        (
            f"difference (between|of) ({ALL_ITS}|{TWO})? digits"
            f"|({ALL_ITS}|{TWO})? digits differ by",
            constant(DIFFERENCE),
        ),
        ("count of digits (it has)?", constant(DIGIT_COUNT)),
        (f"its? count of its? {FACTORS} (it has)?", constant(DIVISOR_COUNT)),
        ("twice it|double it|its double|it (doubled|times 2)", constant(_product(2))),
        ("<number> times it|it times <number>|it multiplied by <number>", _product),
        ("half of? it|its half|it halved", constant(_product(Fraction(1, 2)))),
        ("it divided by <number>", lambda n: _product(Fraction(1, n)) if n > 0 else None),
        ("it plus <number>|<number> plus it", _sum),
        (f"<number> {MORE} it", _sum),
        (f"it minus <number>|<number> {FEWER} it", lambda n: _sum(-n)),
        ("(if|when)? you? (add|adding) <number> (to it)?", _sum),
        (
            "(if|when)? you? (subtract|subtracting|take away?) <number> away? (from it)?",
            lambda n: _sum(-n),
        ),
        ("(if|when)? you? (multiply|multiplying) it by <number>", _product),
        ("(if|when)? you? (double|doubling) it", constant(_product(2))),
        ("(if|when)? you? (halve|halving) it", constant(_product(Fraction(1, 2)))),
        ("its square|square of it|it squared|it times it", constant(SQUARE)),
        ("its cube|cube of it|it cubed", constant(CUBE)),
        ("its square root|square root of it", constant(ROOT)),
    ),
]
