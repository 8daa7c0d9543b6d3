"""The grammar of clues: how everyday English about a number joins facts to whole sentences.

`readings` gives every meaning that a sentence can have. What people take in two ways has two:
nothing is decided here. `parsing` explains the patterns, `facts` what their values are. Words come
as `wording` leaves them: "it" for every name of the number, "is" for every copula, no articles. A
negation may stand at any place of a fact and denies all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from strongroom.games.safe_code.clues import EVERY
from strongroom.games.safe_code.facts import (
    Fact,
    Joined,
    N,
    Test,
    fact,
    joined,
    mapped,
    said,
    spread,
)
from strongroom.games.safe_code.parsing import Grammar
from strongroom.games.safe_code.phrases import (
    NUMBERS,
    TERMS,
    TESTS,
    constant,
    rules,
)
from strongroom.games.safe_code.statements import EXACTLY, FACTS, HAS

LONGEST: Final = 32
"""How many words a sentence may have; no everyday clue but a long list comes near it."""
MOST_FACTS: Final = 4

LINKS: Final = (
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


def _denied(said: Fact) -> Fact:
    return Fact(EVERY - said.meaning, said.clue and said.clue.contrary, bare=said.bare)


PARTS: Final = [
    *rules(
        "operand",
        ("it", constant(N)),
        ("<term>", lambda term: term),
        ("<number>", lambda n: mapped(lambda _: n, N)),
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

SENTENCES: Final = [
    *rules("link", *LINKS),
    *rules(
        "facts",
        ("<fact>", lambda fact: (("", fact),)),
        ("<fact> <link> <facts>", _flat),
        ("<fact> ,? except <exception> $", _except),
    ),
    *rules(
        "statement",
        ("(it|its|i|whose)? is? either? <facts>", joined),
        ("(it|its|i)? is? both <fact> and <fact>", lambda a, b: joined((("", a), ("but", b)))),
    ),
    *rules(
        "sentence",
        ("it? is? (not true|false) that <statement>", _denied),
        ("<statement>", lambda said: said),
        ("(it|its)? is? <number>", lambda n: fact(N, ("=", n))),
    ),
]


@cache  # built for the first sentence, because most commands read none
def grammar() -> Grammar:
    """The grammar of all clues."""
    facts = rules("fact", *((pattern, said(value)) for pattern, value in FACTS))
    negatable = ("fact", "term", "test", "tests", "comparison", "class", "digit")
    return Grammar([*NUMBERS, *TESTS, *TERMS, *PARTS, *facts, *SENTENCES], negatable)


def readings(words: Sequence[str]) -> list[Fact]:
    """Everything that a sentence can mean, each meaning once."""
    if len(words) > LONGEST:
        return []
    found: list[Fact] = grammar().readings("sentence", words)
    found = [fact for fact in found if not fact.bare] or found
    clear = {fact.meaning: fact for fact in reversed(found)}
    clear |= {fact.meaning: fact for fact in reversed(found) if fact.clue or fact.named}
    return [*clear.values()]
