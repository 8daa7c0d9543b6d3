"""The clue language of Safe Code as one table: what can be said about a number from 1 to 30.

Each entry of `KINDS` says how a kind of clue is printed, in which everyday wordings it is
understood, what its contrary is and what the help shows. A new kind of clue needs only a new entry
here: `clues` builds its clues, and `reading` understands its wordings.
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
    """One kind of clue; `{0}` and `{1}` in its texts stand for the clue's numbers.

    A wording is a regular expression over what `reading` leaves of a sentence: lower case, digits
    for number words, "not" for every negation, and no articles, copulas or names of the number.
    A wording that two kinds list is ambiguous.
    """

    name: str
    subject: str
    says: str
    contrary: str  # the contrary's predicate, or the name of the contrary kind, or empty
    true: Callable[..., bool]
    wordings: tuple[str, ...]
    brief: str  # the shortest usual wording, for the help
    choices: tuple[tuple[int, ...], ...] = ((),)  # numbers its clues can use, each tuple ascending
    example: tuple[int, ...] = ()
    fact: Callable[..., str] | None = None  # what is true, if the contrary only hints at it
    also: tuple[tuple[str, tuple[int, ...]], ...] = ()  # wordings with fixed numbers
    denials: tuple[str, ...] = ()  # wordings that state the contrary by themselves
    joins: tuple[str, ...] = ()  # two clues of these kinds may together mean one of this

    @property
    def negatable(self) -> bool:
        """Whether the contrary is a negated clue of the same kind."""
        return " not " in self.contrary


def _each(numbers: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((number,) for number in numbers)


def _is_prime(x: int) -> bool:
    return x > 1 and all(x % d for d in range(2, x))


def _digit_sum(x: int) -> int:
    return sum(map(int, str(x)))


def _digit_product(x: int) -> int:
    return prod(map(int, str(x)))


def _divisors(x: int) -> list[int]:
    return [d for d in range(1, x + 1) if x % d == 0]


def _tell_digit_sum(x: int, _: int) -> str:
    return f"The digit sum of {x} is {_digit_sum(x)}."


def _tell_divisors(x: int, _: int) -> str:
    return f"{x} has {len(_divisors(x))}: {', '.join(map(str, _divisors(x)))}."


MORE: Final = "(greater|bigger|larger|higher|more) (than|then)"
FEWER: Final = "(less|smaller|lower|fewer) (than|then)"
GREATER: Final = f"({MORE}|over|above|beyond|past|exceeds?|>)"
LESS: Final = f"({FEWER}|under|below|beneath|<)"
AT_LEAST: Final = f"(at( very)? least|min(imum)?( of)?|>=|{GREATER} or)"
AT_MOST: Final = f"(at( very)? most|max(imum)?( of)?|<=|{LESS} or)"
OR_MORE: Final = "(or|and) (more|greater|bigger|larger|higher|above|over|up)"
OR_LESS: Final = "(or|and) (less|fewer|smaller|lower|below|under)"
RANGE: Final = "((in )?(range|interval) (of )?)?(from )?"
INCLUSIVE: Final = "( inclusive(ly)?|( both)?( ends)? included)?"
BOUNDS: Final = ("greater", "less", "at least", "at most", "one digit", "two digits")
DIGIT_SUM: Final = (
    "((has )?(digits?|digital) sum( of)?|sum of (all )?digits( of)?"
    "|(all )?digits (add|sum|total)( up| together)?( to)?"
    "|digits added( up| together)?( makes?| gives?| to)?"
    "|((when|if) )?(you )?(add|adding|sum)( up| together)? digits( up| together)?"
    "( you get| gives?| makes?))"
)
DIGIT_PRODUCT: Final = (
    "((has )?(digits?|digital) product( of)?|product of (all )?digits( of)?"
    "|digits (multiply|multiplied)( together| up)?( to| makes?| gives?)?"
    "|((when|if) )?(you )?(multiply|multiplying) digits( together)?( you get| gives?| makes?))"
)
DIVIDED: Final = "((when|if|after|on|upon) )?((you|i) )?(divided?|division|dividing) by"
REMAINDER: Final = (
    "(((leaves?|gives?|has|there|you get) )?remainder( of)?|leaves?|you( re)? left with)"
)
LAST: Final = "((last|final) digit|(units?|ones) (digit|place))"
SAME: Final = "(same|equal|identical|alike|match|matching)"
HAS: Final = "(has|with|there|contains?|includes?)"
DIFFERENT: Final = "(different|differ|distinct)"
# People disagree on whether these hold for one-digit numbers, so they are ambiguous.
ALL_ALIKE: Final = f"(palindrome|all( of)? digits {SAME})"
UNLIKE: Final = (
    f"((has )?(all )?different digits|(all( of)? )?digits( all)? {DIFFERENT}"
    f"|(both( of)? )?digits not {SAME})"
)


def _tens(digit: int) -> str:
    """A wording for the tens digit, which a one-digit number does not have."""
    return f"(has )?((tens|ten) (digit|place)( of)? {digit}|{digit} in tens place)"


def _only(kept: str, other: str) -> tuple[str, ...]:
    """Wordings for: all digits are of this sort, and none of the other."""
    return (
        f"({HAS} )?only {kept} digits",
        f"(all( of)? )?digits( all)? (not {other}|{kept})",
        f"(every|each) digit (not {other}|{kept})",
        f"(not ({HAS} )?(any )?{other} digits|{HAS} not {other} digits?|not {HAS} {other} digit)",
    )


def _some(sort: str, other: str) -> tuple[str, ...]:
    """Wordings for: some digit is of this sort; "all digits are not even" can mean that, too."""
    return (
        f"({HAS} (at least 1 )?|at least 1 ){sort} digit",
        f"(at least 1 digit|(at least )?1 of digits) {sort}",
        f"((every|each) digit|(all( of)? )?digits( all)?) not {other}",
    )


# fmt: off
KINDS: Final = (
    Kind("even", "The number", "is even", "odd", lambda x: x % 2 == 0, ("even",), "even"),
    Kind("odd", "The number", "is odd", "even", lambda x: x % 2 == 1, ("odd",), "odd"),
    Kind("prime", "The number", "is a prime", "is not a prime", _is_prime, ("prime",), "prime"),
    Kind("composite", "The number", "is composite", "is not composite",
         lambda x: x > 1 and not _is_prime(x), ("composite",), "composite"),
    Kind("greater", "It", "is greater than {0}", "at most", lambda x, n: x > n,
         (GREATER + " {0}", f"{{0}} (<|{FEWER})", "{0}"), "> {0}", _each(range(1, 30)), (15,)),
    Kind("less", "It", "is less than {0}", "at least", lambda x, n: x < n,
         (LESS + " {0}", f"{{0}} (>|{MORE})", "{0}"), "< {0}", _each(range(2, 31)), (10,)),
    Kind("at least", "It", "is at least {0}", "less", lambda x, n: x >= n,
         (AT_LEAST + " {0}", "{0} " + OR_MORE, "{0} (at least|min(imum)?)", r"{0} \+", "{0} <="),
         ">= {0}", _each(range(2, 31)), (12,),
         also=((_tens(3), (30,)), ("(in )?(30 s|thirties)", (30,)))),
    Kind("at most", "It", "is at most {0}", "greater", lambda x, n: x <= n,
         (AT_MOST + " {0}", "up to {0}", "{0} " + OR_LESS, "{0} (at most|max(imum)?)", "{0} >="),
         "<= {0}", _each(range(1, 30)), (20,)),
    Kind("between", "It", "is between {0} and {1}, inclusive",
         "is not between {0} and {1}, inclusive", lambda x, a, b: a <= x <= b,
         ("((lies|falls) )?(in )?(inclusively )?between {0} (and|to|&) {1}" + INCLUSIVE,
          RANGE + "{0} (up )?(to|through) {1}" + INCLUSIVE),
         "{0} to {1}",
         tuple(pair for pair in combinations(NUMBERS, 2) if pair != (LOWEST, HIGHEST)), (5, 9),
         also=((_tens(0), (0, 9)), (_tens(1), (10, 19)), (_tens(2), (20, 29)),
               ("(in )?(20 s|twenties|20 something)", (20, 29)),
               ("(in )?(teens?|teenager)", (13, 19))),
         denials=(f"outside (of )?{RANGE}{{0}} to {{1}}",), joins=BOUNDS),
    Kind("divisible", "It", "is divisible by {0}", "is not divisible by {0}",
         lambda x, n: n != 0 and x % n == 0,
         ("(divisible (by|with)|multiple of|(divides?|(you )?can divided?) by) {0}( remainder 0)?",
          "{0} (divides?|goes? into|(factor|divisor)( of)?|1 of (factors|divisors))",
          "has {0} as (factor|divisor)",
          "(has (factor|divisor)( of)?|1 of (factors|divisors)) {0}",
          "((appears )?in|from) {0} times table", "{0}"),
         "multiple of {0}", _each(range(2, 31)), (3,), joins=("even", "divisible")),
    Kind("factor", "It", "is a factor of {0}", "is not a factor of {0}", lambda x, n: n % x == 0,
         ("(factor|divisor) of {0}", "(divides?|goes|go)( into)? {0}",
          "{0} (divisible by|multiple of|can divided by)"), "divides {0}",
         _each(range(1, 101)), (24,)),
    Kind("divisors", "Its number of divisors", "is {0}", "is not {0}",
         lambda x, n: len(_divisors(x)) == n,
         ("((has|with) )?(only )?{0} ((different|distinct) )?(divisor|factor)s( in total)?",
          "of (divisor|factor)s (has )?{0}"),
         "{0} divisors", _each((1, 2, 3, 4, 5, 6, 8)), (4,), _tell_divisors,
         also=(("has (only )?1 (divisor|factor)", (1,)),), joins=("prime", "composite")),
    Kind("power", "It", "is a power of {0}, counting 1", "is not a power of {0}, counting 1",
         lambda x, n: any(n**k == x for k in range(5)), ("power of {0}( counting 1)?",),
         "power of {0}", _each(range(2, 11)), (2,)),
    Kind("square", "The number", "is a perfect square", "is not a perfect square",
         {1, 4, 9, 16, 25}.__contains__, ("(perfect )?square( of)?",), "square"),
    Kind("cube", "The number", "is a perfect cube", "is not a perfect cube",
         {1, 8, 27}.__contains__, ("(perfect )?(cube( of)?|cubic)",), "cube"),
    Kind("triangular", "The number", "is a triangular number", "is not a triangular number",
         {1, 3, 6, 10, 15, 21, 28}.__contains__, ("triangular", "triangle"), "triangular"),
    Kind("fibonacci", "The number", "is a Fibonacci number", "is not a Fibonacci number",
         {1, 2, 3, 5, 8, 13, 21}.__contains__, ("((part of|in) )?fibonacci( sequence)?",),
         "Fibonacci"),
    Kind("one digit", "The number", "has one digit", "two digits", lambda x: x < 10,
         ("(has )?(only |just |in )?(1|single) (digit|figure)s?", "of digits 1"), "one digit"),
    Kind("two digits", "The number", "has two digits", "one digit", lambda x: x > 9,
         ("(has )?(in )?(2|double) (digit|figure)s?", "of digits 2"), "two digits"),
    Kind("equal digits", "It", "has two equal digits", "does not have two equal digits",
         {11, 22}.__contains__,
         (f"(has )?(2 )?{SAME} digits", f"(has )?(both( of)? |2 )?digits (both )?{SAME}",
          "doubles?", "(has )?(repeated|repeating) digits?", ALL_ALIKE),
         "equal digits", denials=(UNLIKE,)),
    Kind("different digits", "It", "has two different digits", "does not have two different digits",
         lambda x: x > 9 and x % 11 > 0,
         ("(has )?2 (different|distinct) digits", f"(both( of)?|2) digits {DIFFERENT}", UNLIKE),
         "two different digits", denials=(ALL_ALIKE,)),
    Kind("even digits", "It", "has only even digits", "does not have only even digits",
         lambda x: all(int(digit) % 2 == 0 for digit in str(x)), _only("even", "odd"),
         "only even digits", denials=_some("odd", "even")),
    Kind("odd digits", "It", "has only odd digits", "does not have only odd digits",
         lambda x: all(int(digit) % 2 == 1 for digit in str(x)), _only("odd", "even"),
         "only odd digits", denials=_some("even", "odd")),
    Kind("digit sum", "Its digit sum", "is {0}", "is not {0}", lambda x, n: _digit_sum(x) == n,
         (DIGIT_SUM + " {0}", "digit {0}"), "digits add up to {0}",
         _each(range(1, 12)), (9,), _tell_digit_sum),
    Kind("digit sum greater", "Its digit sum", "is greater than {0}", "digit sum at most",
         lambda x, n: _digit_sum(x) > n, (f"{DIGIT_SUM} {GREATER} {{0}}",),
         "digit sum > {0}", _each(range(1, 11)), (6,), _tell_digit_sum),
    Kind("digit sum less", "Its digit sum", "is less than {0}", "digit sum at least",
         lambda x, n: _digit_sum(x) < n, (f"{DIGIT_SUM} {LESS} {{0}}",),
         "digit sum < {0}", _each(range(2, 12)), (4,), _tell_digit_sum),
    Kind("digit sum at least", "Its digit sum", "is at least {0}", "digit sum less",
         lambda x, n: _digit_sum(x) >= n, (f"{DIGIT_SUM} {AT_LEAST} {{0}}",),
         "digit sum >= {0}", _each(range(2, 12)), (7,), _tell_digit_sum),
    Kind("digit sum at most", "Its digit sum", "is at most {0}", "digit sum greater",
         lambda x, n: _digit_sum(x) <= n, (f"{DIGIT_SUM} {AT_MOST} {{0}}",),
         "digit sum <= {0}", _each(range(1, 11)), (5,), _tell_digit_sum),
    Kind("digit product", "Its digit product", "is {0}", "is not {0}",
         lambda x, n: _digit_product(x) == n, (DIGIT_PRODUCT + " {0}",),
         "digit product {0}", _each(sorted({*map(_digit_product, NUMBERS)})), (8,),
         fact=lambda x, _: f"The digit product of {x} is {_digit_product(x)}."),
    Kind("first digit", "Its first digit", "is {0}", "is not {0}", lambda x, d: str(x)[0] == str(d),
         ("(has )?(first|leading) digit( of)? {0}", "(starts?|begins?) with (digit )?{0}",
          "{0} (first|leading) digit"),
         "starts with {0}", _each(range(1, 10)), (1,),
         fact=lambda x, d: f"The first digit of {x} is {str(x)[0]}."),
    Kind("last digit", "Its last digit", "is {0}", "is not {0}", lambda x, d: x % 10 == d,
         (f"(has )?{LAST}( of)? {{0}}", f"{{0}} {LAST}",
          "(ends?|ending|finishes|finish) (in|with|on) (digit )?{0}", "digit {0}"), "ends in {0}",
         _each(range(10)), (8,), fact=lambda x, d: f"The last digit of {x} is {x % 10}."),
    Kind("contains", "It", "contains the digit {0}", "does not contain the digit {0}",
         lambda x, d: 0 <= d <= 9 and str(d) in str(x),
         ("(contains?|includes?|has|with|uses?) digit {0}( in)?",
          "(contains?|includes?) {0}( as digit)?", "((has|with|there) )?{0} in",
          "has {0}( (as|among) digits?)?", "((at least )?1 of digits|at least 1 digit) {0}",
          "{0} 1 of digits", "digit {0}"), "has a {0} in it",
         _each(range(10)), (2,)),
    Kind("remainder", "It", "leaves remainder {0} when divided by {1}",
         "does not leave remainder {0} when divided by {1}",
         lambda x, r, m: m != 0 and x % m == r,
         (f"{REMAINDER} {{0}} {DIVIDED} {{1}}", f"{DIVIDED} {{1}}( and)? {REMAINDER} {{0}}",
          f"{DIVIDED} {{1}}( and)?( there)? {{0}} left( over)?", f"remainder {DIVIDED} {{1}} {{0}}",
          "(remainder )?(mod|modulo|%) {1} {0}",
          "(remainder |congruent to )?{0} (mod|modulo) {1}"), "n mod {1} = {0}",
         tuple((r, m) for m in range(2, HIGHEST // 2 + 1) for r in range(m)), (2, 5),
         fact=lambda x, r, m: f"{x} leaves remainder {x % m} when divided by {m}."),
    Kind("different", "It", "is not equal to {0}", "", lambda x, n: x != n,
         ("not {0}", "(!=|different from|other than|unequal to|anything (but|except)) {0}"),
         "not {0}", _each(NUMBERS), (7,), fact=lambda x, n: f"The number is {x}."),
)
# fmt: on
