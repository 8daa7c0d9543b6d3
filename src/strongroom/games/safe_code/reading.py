"""How a person's sentence becomes a clue: it is understood first, then looked up in the table."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache, reduce
from itertools import zip_longest
from textwrap import fill
from typing import Final

from strongroom.contract import Ambiguous, NotLegal, NotUnderstood, shown, tidy
from strongroom.games.safe_code.clues import (
    EVERY,
    MEANINGS,
    Clue,
    SafeCodeRule,
    check_sense,
    offer,
    sense_problem,
    strongest,
)
from strongroom.games.safe_code.facts import Fact
from strongroom.games.safe_code.grammar import LONGEST, grammar, readings
from strongroom.games.safe_code.kinds import HIGHEST, KINDS, LOWEST
from strongroom.games.safe_code.wording import words

_HEDGES: Final = {"roughly", "about", "around", "nearly", "almost", "approximately", "probably"}
_EXAMPLES: Final = (Clue("even"), Clue("greater", (15,)), Clue("divisible", (3,)))


@lru_cache(maxsize=1000)  # a sentence is read when it is checked, and again when it is played
def _readings(text: str) -> tuple[Fact, ...]:
    return tuple(readings(words(text)))


def parse_clue(text: str, code: int | None = None) -> Clue:
    """The clue that a person's sentence means, or a refusal that shows what would be understood.

    If the code is known, the clues that a refusal suggests are true of it.

    >>> parse_clue("it's > 15")
    Clue(kind='greater', numbers=(15,), negated=False)
    >>> str(parse_clue("more than ten, but less than twenty"))
    'It is between 11 and 19, inclusive.'
    """
    text = tidy(text)
    line = shown(text, 60)
    facts = _readings(text)
    if not facts:
        reason = f"I do not understand {line} as a clue."
        raise NotUnderstood(reason, offer([*_meant(text, code), *_EXAMPLES], code))
    if facts[0].named is not None:
        about = [Clue(kind, (facts[0].named,)) for kind in ("greater", "less", "divisible")]
        reason = f"{line} names a number; say something about it."
        raise Ambiguous(reason, offer([*about, *_EXAMPLES], code))
    said = [clue for fact in facts if (clue := _exact(fact))]
    if len(facts) > 1:
        offered = said if len(said) == len(facts) else _following(facts, code)
        raise Ambiguous(f"{line} can mean several things.", offer(offered or _EXAMPLES, code))
    if said:
        check_sense(said[0], code)
        return said[0]
    meaning = facts[0].meaning
    offered = _following(facts, code) or [*_EXAMPLES]
    if meaning in (frozenset(), EVERY):
        reason = f"{line} {sense_problem(meaning)}."
        raise NotLegal(reason, offer(_EXAMPLES, code), SafeCodeRule.TELLING_CLUES)
    if code is not None and code not in meaning:
        raise NotLegal(
            f"{line} is not true of {code}.", offer(offered, code), SafeCodeRule.TRUE_CLUES
        )
    raise Ambiguous(f"No single clue says exactly {line}.", offer(offered, code))


def _exact(fact: Fact) -> Clue | None:
    """The clue that says just what was said, in its words if there is one."""
    return fact.clue or next(iter(MEANINGS.get(fact.meaning, ())), None)


def _following(facts: tuple[Fact, ...], code: int | None) -> list[Clue]:
    """The strongest clues that follow from a sentence however it is meant, and fit the code."""
    meant = reduce(frozenset.union, (fact.meaning for fact in facts))
    return strongest(meant if code is None else meant | {code})


def _meant(text: str, code: int | None) -> list[Clue]:
    """What a sentence may mean with its misspelt words corrected and its hedges left out."""
    known = grammar().vocabulary | _HEDGES
    heard = words(text)
    if len(heard) > LONGEST:
        return []
    right = [right for word in heard if (right := _spelt(word, known)) not in _HEDGES]
    if right == heard:  # it was read already
        return []
    facts = tuple(readings(right))
    if len(facts) != 1 or facts[0].named is not None:
        return []
    exact = _exact(facts[0])
    if exact and exact.is_sensible and (code is None or code in exact.meaning):
        return [exact]
    return _following(facts, code)


def _spelt(word: str, known: frozenset[str]) -> str:
    if word in known or not word.isalpha():
        return word
    return next(iter(get_close_matches(word, known, 1, 0.7)), word)


def _help() -> str:
    sentences = [str(Clue(kind.name, kind.example)) for kind in KINDS]
    rows = zip_longest(sentences[: len(KINDS) // 2], sentences[len(KINDS) // 2 :], fillvalue="")
    table = "\n".join(f"  {left:<36}{right}".rstrip() for left, right in rows)
    briefs = [kind.brief.format(*kind.example) for kind in KINDS]
    others = [brief.replace(" ", "\u00a0") for brief in briefs if brief not in table]
    short = fill(f"In short: {', '.join(others)}.", 79, subsequent_indent="  ")
    return f"""\
A clue is a true sentence about your number from {LOWEST} to {HIGHEST}:
{table}
{short}
With "not" it says the contrary: not prime, isn't divisible by 3. A one-digit
number starts and ends with itself, and is its own digit sum and product.""".replace("\u00a0", " ")


CLUE_HELP: Final[str] = _help()
