"""The language of clues: how everyday English says something about a number from 1 to 30.

`readings` gives every meaning that a sentence can have. What people take in two ways has two:
nothing is decided here. `parsing` explains the patterns, `kinds` what terms and tests are. A term
and a test make a *fact*, and facts are joined by "and", "or" and "not".

Words come as `reading` leaves them: "it" for every name of the number, "is" for every copula, no
articles. A negation may stand at any place of a fact and denies all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, reduce
from typing import Any, Final, NamedTuple, TypeAlias

from strongroom.games.safe_code.clues import EVERY, Clue
from strongroom.games.safe_code.kinds import (
    DIGIT_COUNT,
    DIGIT_PRODUCT,
    DIGIT_SUM,
    DIVISOR_COUNT,
    FIRST,
    KINDS,
    LAST,
    NUMBERS,
    SECOND,
    TENS,
    TENS_OR_ZERO,
    N,
    Term,
    Test,
    Value,
    holds,
    numbers_that_pass,
)
from strongroom.games.safe_code.parsing import Grammar, Production

# --- facts ---------------------------------------------------------------------------------------


def compute(function: Callable[..., Value], *terms: Term) -> Term:
    """A term computed from others; it has a value where all of them have one."""
    rows = zip(*terms, strict=True)
    return tuple(None if None in row else function(*row) for row in rows)


def of_two_digits(term: Term) -> Term:
    """The term where the number has two digits."""
    return tuple(v if x > 9 else None for x, v in zip(NUMBERS, term, strict=True))


DIFFERENCE: Final = compute(lambda a, b: abs(a - b), TENS, SECOND)


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


_KINDS: Final = {(kind.term, kind.test): kind.name for kind in KINDS}
"""The kinds of clues, by the facts that they state."""


def _clue(term: Term, test: Test) -> Clue | None:
    shape, numbers = shape_of(test)
    if kind := _KINDS.get((term, shape)):
        return Clue(kind, numbers)
    if kind := _KINDS.get((term, test)):
        return Clue(kind)
    match test:
        case ("=", 3) if term == TENS:
            return Clue("at least", (30,))
        case ("=", digit) if term == TENS:
            return Clue("between", (10 * digit, 10 * digit + 9))
        case ("not", affirmed):
            clue = _clue(term, affirmed)
            return clue and clue.contrary
    return None


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


def fact(term: Term, test: Test, negated: bool = False) -> Fact:
    """What it says of the number that a term passes a test, or that it does not."""
    affirmed = numbers_that_pass(term, test)
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


def state_facts(facts: Callable[..., Any]) -> Callable[..., list[Fact]]:
    """A rule's value from the terms and tests that its pattern can mean, negated or not.

    "Not divisible by 2 and 3" may deny either one or both.
    """

    def state(negations: int, *values: Any) -> list[Fact]:
        made = facts(*values)
        readings = made if isinstance(made, list) else [made] if made else []
        if negations:
            readings = [
                (term, each)
                for term, test in readings
                for each in ([test, ("or", *test[1:])] if test[0] == "and" else [test])
            ]
        return [fact(term, test, negations == 1) for term, test in readings]

    return state


Joined: TypeAlias = tuple[tuple[str, Fact], ...]


def join_facts(facts: Joined) -> list[Fact] | None:
    """What facts say together, in every way in which their links can be taken."""
    (_, first), *others = facts
    if not others:
        return [first._replace(bare=False)]
    links = [link for link, _ in others]
    meanings = [fact.meaning for _, fact in facts]
    readings = []
    if "nor" not in links:
        readings = _combine(meanings, links)
    elif not first.negated or {*links} != {"nor"}:
        return None
    if first.negated and not any(fact.negated for _, fact in others):
        if {*links} <= {"and", "or", "nor"}:  # the "not" may govern all that follows it
            affirmed = [EVERY - first.meaning, *meanings[1:]]
            readings += [EVERY - each for each in _combine(affirmed, links)]
    bare = any(fact.bare for _, fact in others)
    return [Fact(reading, bare=bare) for reading in dict.fromkeys(readings)]


def _combine(meanings: list[frozenset[int]], links: list[str]) -> list[frozenset[int]]:
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


# --- phrases: numbers in words and sums, what a value can pass, and what has a value -------------

LARGEST: Final = 100
"""The largest number that the player's may be added to or multiplied by."""

MORE: Final = "(greater|bigger|larger|higher|more) (than|then)"
FEWER: Final = "(less|smaller|lower|fewer) (than|then)"
OVER: Final = f"({MORE}|over|above|beyond|past|exceeds|exceed|exceeding)"
UNDER: Final = f"({FEWER}|under|below|beneath)"
INCLUSIVE: Final = "(inclusive|inclusively|both? ends? included)"
FACTOR: Final = "(factor|divisor)"
FACTORS: Final = "(factors|divisors)"


def rules(symbol: str, *rules: tuple[str, Callable[..., Any]]) -> list[Production]:
    """The rules of one symbol."""
    return [Production(symbol, pattern, value) for pattern, value in rules]


def constant(value: Any) -> Callable[[], Any]:
    """A rule's value that depends on nothing in its pattern."""
    return lambda: value


NUMBER_RULES: Final = [
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


TEST_RULES: Final = [
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
    *rules("class", *((kind.phrases, kind.test_for) for kind in KINDS if kind.phrases)),
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
    return compute(lambda x: x + by, N) if abs(by) <= LARGEST else None


def _product(by: int | Fraction) -> Term | None:
    return compute(lambda x: x * by, N) if 0 < by <= LARGEST else None


SQUARE: Final = compute(lambda x: x * x, N)
CUBE: Final = compute(lambda x: x**3, N)
ROOT: Final = compute(lambda x: x**0.5, N)
BOTH_SUMS: Final = [DIGIT_SUM, of_two_digits(DIGIT_SUM)]
BOTH_PRODUCTS: Final = [DIGIT_PRODUCT, of_two_digits(DIGIT_PRODUCT)]
UP: Final = "(up|together)"
ALL_ITS: Final = "(all|all of|all its|its)"
TWO: Final = "(both|both of its|both its|2|its 2)"

TERM_RULES: Final = [
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


# --- statements: each way to say a single fact ---------------------------------------------------

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


def _shift_test(shift: Callable[[Any, int], Any]) -> Callable[..., Any]:
    """What is so much more or less than something: whether 0 counts as one is left open."""

    def facts(by: int, test: Test) -> Any:
        term = compute(lambda x: shift(x, by), N)
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
            gap = compute(lambda a, b: a - b, *pair)
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


def _count_test(n: int, test: Test) -> Any:
    """What "has one odd digit" says; whether it may have two is left open."""
    return [_count(1, test), _some(test)] if n == 1 else _count(n, test)


def _pair(one: Test, other: Test) -> tuple[Term, Test]:
    return N, ("digit pair", one, other)


def _neither(test: Test) -> Any:
    return [_both(("not", test)), _every(("not", test))]


def _other(digit: Term) -> Term:
    return FIRST if digit in (LAST, SECOND) else SECOND


def _distance(number: int) -> Term:
    return compute(lambda x: abs(x - number), N)


def _beside(by: int, test: Test) -> Any:
    """What is so far from something, on either side: whether 0 counts as one is left open."""
    sides = compute(lambda x: x - by, N), compute(lambda x: x + by, N)

    def near(test: Test) -> tuple[Term, Test]:
        return compute(lambda *row: any(holds(test, x) for x in row), *sides), ("=", True)

    return near(test) if test[0] == "divisible" else [near(test), near(("positive", test))]


_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}


def _chain_test(first: Term, sign: str, rest: Chain) -> tuple[Term, Test]:
    """A chain of comparisons, like 5 < n < 9: all of its parts are true."""
    terms, signs = (first, *rest[::2]), (sign, *rest[1::2])
    return compute(
        lambda *row: all(
            holds((sign, b), a) for a, sign, b in zip(row, signs, row[1:], strict=False)
        ),
        *terms,
    ), ("=", True)


_ALIKE: Final = [(N, ("equal digits",)), (N, ("not", ("different digits",)))]
_UNLIKE: Final = [(N, ("not", ("equal digits",))), (N, ("different digits",))]

FACT_RULES: Final[list[tuple[str, Callable[..., Any]]]] = [
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
    ("<operand> <sign> <chain>", _chain_test),
    # distances
    ("<comparison> (away from|off|from) <basic>", lambda test, n: (_distance(n), test)),
    ("exactly? <basic> (away from|off) <basic>", lambda by, n: (_distance(n), ("=", by))),
    ("(further|farther) than <basic> away? from <basic>", lambda by, n: (_distance(n), (">", by))),
    ("(closer|nearer) than <basic> to <basic>", lambda by, n: (_distance(n), ("<", by))),
    ("(closer|nearer) to <basic> than to? <basic>",
     lambda a, b: (compute(lambda x, y: x - y, _distance(a), _distance(b)), ("<", 0))),
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
    (f"<number> {MORE} <class>", _shift_test(lambda x, by: x - by)),
    (f"<number> {FEWER} <class>", _shift_test(lambda x, by: x + by)),
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
    (f"({HAS}) <basic> <test> (digit|digits)", _count_test),
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
     lambda a, b: _compare("=")(a, compute(lambda x: 2 * x, b))),
    ("<digit> is? half of? <digit>",
     lambda a, b: _compare("=")(compute(lambda x: 2 * x, a), b)),
]  # fmt: skip


# --- sentences: facts joined ---------------------------------------------------------------------

LONGEST: Final = 32
"""How many words a sentence may have; no everyday clue but a long list comes near it."""
MOST_FACTS: Final = 4

LINK_RULES: Final = (
    ("and|", constant("and")),
    ("or either? (it is?|is)?", constant("or")),
    ("nor (it is?|is)?", constant("nor")),
    (
        "(, (and|but|that|which|whose)?|but|that|which|whose|; and?|.) (it is?|is|its)?",
        constant("but"),
    ),
    ("and (it is?|is)", constant("but")),
)


def _flat(fact: Fact, link: str, rest: Joined) -> Any:
    if len(rest) == MOST_FACTS:
        return None
    return (("", fact), (link, rest[0][1]), *rest[1:])


def _except(rule: Fact, test: Test) -> Joined | None:
    """A rule with an exception, which is one of its numbers: "3 factors other than 1" has none."""
    other = fact(N, ("not", test))
    return None if rule.meaning <= other.meaning else (("", rule), ("but", other))


def _deny(said: Fact) -> Fact:
    return Fact(EVERY - said.meaning, said.clue and said.clue.contrary, bare=said.bare)


PART_RULES: Final = [
    *rules(
        "operand",
        ("it", constant(N)),
        ("<term>", lambda term: term),
        ("<number>", lambda n: compute(lambda _: n, N)),
    ),
    *rules(
        "chain",
        ("<operand> <sign> <operand> !", lambda *chain: chain),
        ("<operand> <sign> <chain>", lambda a, sign, chain: (a, sign, *chain)),
    ),
    *rules(
        "exception",
        ("<test>|<number> $", lambda each: each if isinstance(each, tuple) else ("=", each)),
        ("<several>|<row>", spread("=")),
        ("<test> (and|or) <test>", lambda a, b: ("or", a, b)),
    ),
    *rules(
        "once",
        (
            f"({HAS} {EXACTLY}|{EXACTLY} {HAS}|{HAS} 1 and {EXACTLY}) 1 <basic>"
            f"|{HAS} single <basic>|exactly 1 <basic> in it",
            lambda digit: digit,
        ),
    ),
]

SENTENCE_RULES: Final = [
    *rules("link", *LINK_RULES),
    *rules(
        "facts",
        ("<fact>", lambda fact: (("", fact),)),
        ("<fact> <link> <facts>", _flat),
        ("<fact> ,? except <exception> $", _except),
    ),
    *rules(
        "statement",
        ("(it|its|i|whose)? is? either? <facts>", join_facts),
        ("(it|its|i)? is? both <fact> and <fact>", lambda a, b: join_facts((("", a), ("but", b)))),
    ),
    *rules(
        "sentence",
        ("it? is? (not true|false) that <statement>", _deny),
        ("<statement>", lambda said: said),
        ("(it|its)? is? <number>", lambda n: fact(N, ("=", n))),
    ),
]


@cache  # built for the first sentence, because most commands read none
def grammar() -> Grammar:
    """The grammar of all clues."""
    facts = rules("fact", *((pattern, state_facts(value)) for pattern, value in FACT_RULES))
    negatable = ("fact", "term", "test", "tests", "comparison", "class", "digit")
    parts = [*NUMBER_RULES, *TEST_RULES, *TERM_RULES, *PART_RULES]
    return Grammar([*parts, *facts, *SENTENCE_RULES], negatable)


def readings(words: Sequence[str]) -> list[Fact]:
    """Everything that a sentence can mean, each meaning once."""
    if len(words) > LONGEST:
        return []
    found: list[Fact] = grammar().readings("sentence", words)
    found = [fact for fact in found if not fact.bare] or found
    clear = {fact.meaning: fact for fact in reversed(found)}
    clear |= {fact.meaning: fact for fact in reversed(found) if fact.clue or fact.named}
    return [*clear.values()]
