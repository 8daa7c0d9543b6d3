"""How a person's sentence becomes a clue: it is understood first, then looked up in the table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache, reduce
from textwrap import fill
from typing import Final

from strongroom.contract import NUMBER_WORDS, Ambiguous, NotLegal, NotUnderstood, quote, tidy
from strongroom.games.safe_code.clues import (
    EVERY,
    Clue,
    SafeCodeRule,
    check_sense,
    closest_clue,
    offer,
    sense_problem,
    strongest,
)
from strongroom.games.safe_code.kinds import HIGHEST, KINDS, LOWEST, Kind
from strongroom.games.safe_code.language import LONGEST, Fact, grammar, readings

# --- the words of a sentence: one word for what has many -----------------------------------------

_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMERALS: Final = {
    **{word: number for number, word in enumerate(NUMBER_WORDS)},
    **{
        f"{tens} {NUMBER_WORDS[unit]}".removesuffix(" zero"): 10 * place + unit
        for place, tens in enumerate(_TENS, 2)
        for unit in range(10)
    },
    "one hundred": 100,
    "a hundred": 100,
    "once": 1,
}
_NUMBER_WORD: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(_NUMERALS, key=len, reverse=True))})\b".replace(" ", "[ -]")
)
_SIGNS: Final = str.maketrans(
    {"\u2019": "'", "`": "'", "≥": ">=", "≤": "<=", "≠": "!=", "²": " squared ", "³": " cubed "}
)
_NAME: Final = "number|code|value|integer|answer|secret"
_SUBJECT: Final = f"its?|this|that|the|my|{_NAME}|n|x|is|has"
_NOUN: Final = "even|odd|prime|composite|square"
_ANYTHING: Final = (
    "(?:anything|everything|something|all|any|every)(?: (?:other )?(?:numbers?|of them))?"
)
_EXCEPT: Final = (
    "but|except(?:ing|ed)?(?: for)?|apart from|aside from|other than|besides|save for|excluding"
)
_REWRITES: Final = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^[\"'* ]*(?:clue *#?\d* *[:.)]|\d+[.)] |- )", ""),  # a list marker: "Clue 2: odd"
        (r"^(?:(?:yeah|yep|yes|yup|nope|nah|ok|okay|so|hmm+|u[mh]+|right)\b[ ,.:!]*)+", ""),
        (r"\bain'?t\b", "is not"),
        (r"\bgotta be\b|\b(?:has )?got to be\b", "is"),
        (r"\b(?:can|could|may|might) be (?=any|every|all)", "is "),
        (rf"\b(?:{_ANYTHING}) (?:{_EXCEPT})\b", "anything except"),
        (r"(?:^|(?<=is )|(?<='s ))other than\b", "anything except"),
        (rf"(?<!anything )\b(?:{_EXCEPT})\b(?<!\bbut)", "except"),
        (r"\b(?:you|i)(?:'d| would|'ll| will| can)? (?:find|see|get|meet) it (?=in\b)", ""),
        (r"\b((?:my|the|this|secret)|an? [a-z\d-]+(?: [a-z\d-]+)?) no\.(?= |$)", r"\1 number"),
        (r"\b(?:number|no\.?) of (?=(?:its |the )?(?:digits|divisors|factors))", "count of "),
        (r"\b(?:that )?i(?:'ve| have|'m| am)? (?:chose|chosen|picked|hid|thinking of)\b", ""),
        (r"\b(?:has to|have to|must|will|would|should)(?= (?:not )?be\b)|\bany(?= number\b)", ""),
        (rf"\b({_NOUN}) 1$", r"\1"),  # an even one
        (rf"\b(?:an? |the )*({_NOUN}) 1\b", r"\1"),
        (r"\bzeroe?s\b", "0"),
        (r"(?<![\w.])(\d+)[nx]\b", r"\1 times it"),
        (r"[ .!?\"'\u201d*_)]+$", ""),
        (r"(?<=[nx]) ?(?:\*\*|\^) ?2\b", " squared "),
        (r"(?<=[nx]) ?(?:\*\*|\^) ?3\b", " cubed "),
        (r"(?<=\w)\*(?=\w)| \* ", " times "),  # n*n, unlike the asterisks around *even*
        (r"\bcan(?:'?t|not)\b", "can not"),
        (r"\bwithout (?:an?y? )?remainder\b|\b(?:with )?no remainder\b", "remainder 0"),
        (r"\bwithout\b", "not with"),
        (r"\bnone of\b", "not 1 of"),
        (r"n't\b|(?<=is)nt\b|(?<=does)nt\b|\bnon\b-?|\bnever\b", " not "),
        (rf"\bno\b(?= [\w-])(?! (?:{_SUBJECT})\b)", "not"),  # unlike "No, it is even"
        (r"\bit'll be\b|\bi am\b|\bi'm\b|\bit was\b", "it is"),
        (r"\bcan not be (?!divi|halved|split|shared|cut)", "is not "),
        (r"\bcan (not )?be\b", r"can \1"),
        (r"\bhave\b|\bhaving\b|(?:'s|\bhas|\bhave) got\b|\bconsists? of\b", " has"),
        (r"(?<=[23]0)'?s\b", " s"),
        (r"(\d+)'s (factor|divisor|multiple)s?\b", r"\2 of \1"),
        (rf"\b(?:the |my |this |secret |safe )*(?:{_NAME})'s (?=(?:last|first|final|digit|ones|"
         r"tens|units|second|square|cube|double|half)\b)", "its "),
        (r"\b(?:that|which|who)(?:'s| is)\b", "that is"),
        (r"'s\b", " is"),
        (r"\bstrictly (?=[a-z]+ than\b|above|below|over|under)", ""),
        (r"\b(?:exactly|evenly) (?=divi|by|into)|(?:(?<=\d)|(?<= it)) (?:exactly|evenly)$", ""),
        (r"\bprecisely\b", "exactly"),
        (r"\bexactly (?=\d+ (?:digits?$|divi|fac|fi|w))|(?<!has )\bexactly (?=\d+$)", ""),
        (rf"\b1 of (?:the |all )*((?:[a-z]+ )?(?:number|{_NOUN}|cube))s\b", r"\1"),
        (r"\b1 of (?:the |all )*(multiple|factor|divisor|power)s of\b", r"\1 of"),
        (r"(?<=\d) *(?:[-\u2013\u2014]|\.\.+) *(?=\d)", " to "),
        (r"(?<=\d) ?\+$", " or more"),
        (r"(?<=\w)-(?=[a-z])", " "),
        (r"> *=|= *>", " ge "),
        (r"< *=|= *<", " le "),
        (r"! *=", " is not "),
        (r"(?<![<>])>(?!>)", " gt "),
        (r"(?<![<>])<(?!<)", " lt "),
        (r"=(?= *\w+(?: *= *\w+)* +(?:lt|gt|le|ge)\b)", " eq "),  # n = 5 < 9, a chain
        (r"%", " mod "),
        (r"[=≡]{1,2}|\bequals?(?: to)?\b(?= -?\d| or\b)|\bequals\b", " is "),
        (r"(?<=[\w)]) \+ (?=\w)|(?<=[nx])\+(?=\d)", " plus "),
        (r"(?<=[\w)]) [-\u2212] (?=\w)", " minus "),
        (r"&", " and "),
        (r"\b(?:some)?whole number\b|\bintegers?\b", "whole"),
        (rf"\b(?:(?:the|my|this|secret|safe|your) )+(?:{_NAME})\b|\bthat (?:{_NAME})\b", "it"),
        (r"\b(?:is|are|be|being|was)\b", "is"),
    )
)  # fmt: skip
_TOKEN: Final = re.compile(
    r"-?[\d.]*\d(?:[a-z](?![a-z]))?|[a-z]+|[,;]|\.(?= )|[^\s\d.a-z*_\"'“”«»()\[\]:]"
)
_WORDS: Final = {"n": "it", "x": "it", "code": "it", "myself": "it", "itself": "it"}
_SILENT: Final = re.compile(
    "the|an?|my|this|does|do|did|also|somewhere|anywhere|well|surely|for|sure|definitely"
    "|certainly|actually|obviously|clearly|totally|def|numbers?|secret|safe|value|clue"
)


def words(text: str) -> list[str]:
    """The words of a sentence, without case, decoration and articles.

    >>> words('"My number  ISN\\'T a multiple of **three**."')
    ['it', 'is', 'not', 'multiple', 'of', '3']
    """
    text = " ".join(text.translate(_SIGNS).split())
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS).split())
    text = _NUMBER_WORD.sub(lambda word: str(_NUMERALS[word[0].replace("-", " ")]), text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    tokens = (_WORDS.get(token, token) for token in _TOKEN.findall(text))
    return " ".join(token for token in tokens if not _SILENT.fullmatch(token)).strip(" ,;.").split()


# --- the clue that a sentence means --------------------------------------------------------------

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
    line = quote(text, 60)
    facts = _readings(text)
    if not facts:
        reason = f"I do not understand {line} as a clue."
        raise NotUnderstood(reason, offer([*_meant(text, code), *_EXAMPLES], code))
    if facts[0].named is not None:
        about = [Clue(kind, (facts[0].named,)) for kind in ("greater", "less", "divisible")]
        reason = f"{line} names a number; say something about it."
        raise Ambiguous(reason, offer([*about, *_EXAMPLES], code))
    heard = words(text)
    said = [clue for fact in facts if (clue := _exact(fact, heard))]
    if len(facts) > 1:
        offered = said if len(said) == len(facts) else _following(facts, heard, code)
        raise Ambiguous(f"{line} can mean several things.", offer(offered or _EXAMPLES, code))
    if said:
        check_sense(said[0], code)
        return said[0]
    meaning = facts[0].meaning
    offered = _following(facts, heard, code) or [*_EXAMPLES]
    if meaning in (frozenset(), EVERY):
        reason = f"{line} {sense_problem(meaning)}."
        raise NotLegal(reason, offer(_EXAMPLES, code), SafeCodeRule.TELLING_CLUES)
    if code is not None and code not in meaning:
        raise NotLegal(
            f"{line} is not true of {code}.", offer(offered, code), SafeCodeRule.TRUE_CLUES
        )
    raise Ambiguous(f"No single clue says exactly {line}.", offer(offered, code))


def _exact(fact: Fact, heard: list[str]) -> Clue | None:
    """The clue that says just what was said, in its words if there is one."""
    return fact.clue or closest_clue(fact.meaning, heard)


def _following(facts: tuple[Fact, ...], heard: list[str], code: int | None) -> list[Clue]:
    """The strongest clues that follow from a sentence however it is meant, and fit the code."""
    meant = reduce(frozenset.union, (fact.meaning for fact in facts))
    return strongest(meant if code is None else meant | {code}, heard)


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
    exact = _exact(facts[0], right)
    if exact and exact.is_sensible and (code is None or code in exact.meaning):
        return [exact]
    return _following(facts, right, code)


def _spelt(word: str, known: frozenset[str]) -> str:
    if word in known or not word.isalpha():
        return word
    return next(iter(get_close_matches(word, known, 1, 0.7)), word)


def render_help(kinds: Sequence[Kind]) -> str:
    """What a clue can say, kinds that begin alike together, and how to say it in short."""
    families: dict[str, list[str]] = {}
    for kind in kinds:
        verb, _, rest = kind.says.format(*kind.example).partition(" ")
        families.setdefault(f"{kind.subject} {verb}", []).append(rest)
    alone = [f"{begins} {rests[0]}." for begins, rests in families.items() if not rests[1:]]
    alike = [(begins, *rests) for begins, rests in families.items() if rests[1:]]
    briefs = [kind.brief.format(*kind.example) for kind in kinds]
    others = [brief for brief in briefs if brief not in str(families)]
    rows = [f"{begins} {_join(';', rests)}." for begins, *rests in alike] + [_join("", alone)]
    table = "\n".join(fill(f"  {row}", 79, subsequent_indent="    ") for row in rows)
    short = fill(f"In short: {_join(',', others)}.", 79, subsequent_indent="  ")
    return f"""\
A clue is a true sentence about your number from {LOWEST} to {HIGHEST}:
{table}
{short}
With "not" it says the contrary: not prime, isn't divisible by 3. A one-digit
number starts and ends with itself, and is its own digit sum and product.""".replace("\u00a0", " ")


def _join(mark: str, parts: Sequence[str]) -> str:
    """The parts as one text whose lines break only between them."""
    return f"{mark} ".join(part.replace(" ", "\u00a0") for part in parts)


CLUE_HELP: Final[str] = render_help(KINDS)
