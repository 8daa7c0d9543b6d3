"""How a person's sentence is read as a clue, and what is offered where it cannot be.

The wordings themselves stand in the table of `clues.py`; here is what all of them have in common.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import zip_longest
from textwrap import fill
from typing import Final

from strongroom.contract import Ambiguous, NotUnderstood, shown, tidy
from strongroom.games.safe_code.clues import (
    HIGHEST,
    KINDS,
    LOWEST,
    Clue,
    check_sense,
    offer,
    with_numbers,
)

_UNITS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_IN_WORDS: Final = (
    "zero", *_UNITS, "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
    "seventeen", "eighteen", "nineteen", "twenty", *(f"twenty {unit}" for unit in _UNITS), "thirty",
)  # fmt: skip
_NUMBER_WORD: Final = rf"\b(?:twenty[ -](?:{'|'.join(_UNITS)})|{'|'.join(_IN_WORDS)})\b"
_SIGNS: Final = str.maketrans({"\u2019": "'", "`": "'", "≥": ">=", "≤": "<=", "≠": "!="})
_REWRITES: Final = (
    (r"^[\"'* ]*(?:clue *#?\d* *[:.)]|\d+[.)] |- )", ""),  # a list's mark: "Clue 2: odd"
    (r"[ .!?\"'\u201d*_)]+$", ""),
    (r"(?<=\w)\*+(?=\w)| \*+ ", " times "),  # n*n, unlike the asterisks around *even*
    (r"\bcan(?:'?t|not)\b", "can not"),
    (r"n't\b|(?<=is)nt\b|(?<=does)nt\b|\bnon?\b-?", " not "),
    (r"\bhave\b", "has"),
    (r"'s\b", ""),
    (r"\bequals?(?: to)?\b", "="),
    (r"(?<=\d) *[-\u2013\u2014] *(?=\d)", " to "),
    (r"(?<=\w)-(?=[a-z])", " "),
    (r"([<>!=]) +(?==)|(=) +(?=[<>])", r"\1\2"),
    (r"=([<>])", r"\1="),
)
_TOKEN: Final = r"-?[\d.]*\d|[a-z]+|[<>!=]=|[^\s\d.a-z*_\"'“”«»()\[\],;:]"
_SILENT: Final = (
    "the|an?|is|are|be|does|do|its?|my|this|that|also|exactly|evenly"
    "|inclusive(ly)?|n|x|number|code|secret|safe|value|integer|whole|clue|==?|≡"
)
_SEVERAL: Final = r"\b(?:and|or|but)\b|[,;&]|\. "


@lru_cache(maxsize=1000)  # a suggestion looks at the same fifty sentences every time
def _phrase(text: str) -> str:
    """What a sentence says, without case, ornament, subject and copula.

    >>> _phrase('"My number  ISN\\'T a multiple of **three**."')
    'not multiple of 3'
    """
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS).split())
    text = re.sub(_NUMBER_WORD, lambda word: str(_IN_WORDS.index(word[0].replace("-", " "))), text)
    for pattern, replacement in _REWRITES:
        text = re.sub(pattern, replacement, text)
    tokens = re.findall(_TOKEN, text)
    return " ".join(token for token in tokens if not re.fullmatch(_SILENT, token))


@cache
def _wordings() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (kind.name, re.compile(re.sub(r"\{(\d)\}", r"(?P<n\1>-?[0-9]+)", plain)))
        for kind in KINDS
        for plain in (wording.replace("(", "(?:") for wording in kind.wordings)
    )


def _affirmed(phrase: str) -> list[Clue]:
    return [
        Clue(name, tuple(int(number) for _, number in sorted(match.groupdict().items())))
        for name, pattern in _wordings()
        if (match := pattern.fullmatch(phrase))
    ]


def _readings(text: str) -> list[Clue]:
    """The clues that a sentence can mean, whether or not its numbers make sense."""
    phrase = _phrase(text)
    affirmed = _affirmed(phrase)
    if affirmed or phrase.split().count("not") != 1:
        return affirmed
    denied = _affirmed(" ".join(word for word in phrase.split() if word != "not"))
    return [contrary for clue in denied if (contrary := clue.contrary)]


def parse_clue(text: str) -> Clue:
    """The clue that a person's sentence means, or a refusal that shows what would be understood.

    >>> parse_clue("it's > 15")
    Clue(kind='greater', numbers=(15,), negated=False)
    """
    text = tidy(text)
    readings = _readings(text)
    if len(readings) == 1:
        check_sense(readings[0])
        return readings[0]
    line = shown(text, 60)
    if readings:
        raise Ambiguous(f"{line} can mean several clues.", offer(readings))
    parts = [_readings(part) for part in re.split(_SEVERAL, text.casefold())]
    clear = [part[0] for part in parts if len(part) == 1]
    if len(clear) > 1:
        raise Ambiguous(f"{line} is more than one clue; say one thing.", offer(clear))
    raise NotUnderstood(f"{line} is no clue that I understand.", _nearest(_phrase(text)))


def _nearest(phrase: str) -> str:
    """The sentences that come nearest to words that were not understood."""
    affirmed = " ".join(word for word in phrase.split() if word != "not")
    numbers = [int(word) for word in phrase.split() if re.fullmatch("-?[0-9]+", word)]
    candidates = {
        _phrase(wording): clue if affirmed == phrase else clue.contrary or clue
        for kind in KINDS
        for clue in (with_numbers(kind, numbers),)
        for wording in (str(clue), kind.brief.format(*clue.numbers))
    }
    near = [candidates[wording] for wording in get_close_matches(affirmed, candidates)]
    return offer([*near, Clue("even"), Clue("greater", (15,)), Clue("divisible", (3,))])


def _help() -> str:
    sentences = [str(Clue(kind.name, kind.example)) for kind in KINDS]
    rows = zip_longest(sentences[: len(KINDS) // 2], sentences[len(KINDS) // 2 :], fillvalue="")
    table = "\n".join(f"  {left:<36}{right}".rstrip() for left, right in rows)
    briefs = (kind.brief.format(*kind.example).replace(" ", "\u00a0") for kind in KINDS)
    short = fill(f"In short: {', '.join(briefs)}.", 78, subsequent_indent="  ")
    return f"""\
A clue is a true sentence about your number from {LOWEST} to {HIGHEST}:
{table}
{short}
With "not" it says the contrary: not prime, isn't divisible by 3.""".replace("\u00a0", " ")


CLUE_HELP: Final[str] = _help()
