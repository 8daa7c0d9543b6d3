"""How a person's sentence is parsed as a clue, and what is suggested if it cannot be.

The wordings themselves are in the table of `kinds.py`; this module has what they all share.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import islice, zip_longest
from textwrap import fill
from typing import Final

from strongroom.contract import NUMBER_WORDS, Ambiguous, NotUnderstood, shown, tidy
from strongroom.games.safe_code.clues import MEANINGS, Clue, check_sense, nearest, offer
from strongroom.games.safe_code.kinds import HIGHEST, KINDS, LOWEST

_NUMBER_WORD: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)).replace(" ", "[ -]")
_SIGNS: Final = str.maketrans({"\u2019": "'", "`": "'", "≥": ">=", "≤": "<=", "≠": "!="})
_SUBJECT: Final = "its?|this|that|the|my|number|code|n|x|is|has"
_NOUN: Final = "even|odd|prime|composite|square"
_REWRITES: Final = (
    (r"^[\"'* ]*(?:clue *#?\d* *[:.)]|\d+[.)] |- )", ""),  # a list marker: "Clue 2: odd"
    (r"\b((?:my|the|this|secret)|an? [a-z\d-]+(?: [a-z\d-]+)?) no\.(?= |$)", r"\1 number"),
    (r"\bno\.? of (?=digits|divisors|factors)", "number of "),
    (r"\b(?:that )?i(?:'ve| have|'m| am)? (?:chose|chosen|picked|hid|thinking of)\b", ""),
    (r"\b(?:has to|have to|must|will)(?= (?:not )?be\b)|\bany(?= number\b)", ""),
    (rf"\b({_NOUN}) 1$", r"\1"),  # an even one
    (r"\bzeroe?s\b", "0"),
    (r"[ .!?\"'\u201d*_)]+$", ""),
    (r"(?<=\w)\*+(?=\w)| \*+ ", " times "),  # n*n, unlike the asterisks around *even*
    (r"\bcan(?:'?t|not)\b", "can not"),
    (r"\bwithout (?:an?y? )?remainder\b|\b(?:with )?no remainder\b", "remainder 0"),
    (r"\bwithout\b", "not with"),
    (r"\bnone of\b", "not 1 of"),
    (r"n't\b|(?<=is)nt\b|(?<=does)nt\b|\bnon\b-?", " not "),
    (rf"\bno\b(?= [\w-])(?! (?:{_SUBJECT})\b)", "not"),  # unlike "No, it is even"
    (r"\bhave\b|(?:'s|\bhas|\bhave) got\b", " has"),
    (r"(?<=[23]0)'?s\b", " s"),
    (r"(\d+)'s (factor|divisor|multiple)s?\b", r"\2 of \1"),
    (r"'s\b", ""),
    (r"\bstrictly (?=[a-z]+ than\b|above|below|over|under)", ""),
    (r"\b(?:exactly|evenly) (?=divi|by|into)|(?:(?<=\d)|(?<= it)) (?:exactly|evenly)$", ""),
    (r"\b(?:exactly|precisely) (?=\d+ [dfw])|(?<!has )\b(?:exactly|precisely) (?=\d+$)", ""),
    (r"\bequals?(?: to)? or ([a-z]+ than)\b", r"\1 or"),
    (rf"\b1 of (?:the |all )*((?:[a-z]+ )?(?:number|{_NOUN}|cube))s\b", r"\1"),
    (r"\b1 of (?:the |all )*(multiple|factor|divisor|power)s of\b", r"\1 of"),
    (r"\bequals?(?: to)?\b(?= -?\d| or\b)", "="),
    (r"(?<=\d) *(?:[-\u2013\u2014]|\.\.+) *(?=\d)", " to "),
    (r"(?<=\w)-(?=[a-z])", " "),
    (r"([<>!=]) +(?==)|(=) +(?=[<>])", r"\1\2"),
    (r"=([<>])", r"\1="),
)
_TOKEN: Final = r"-?[\d.]*\d(?:[a-z](?![a-z]))?|[a-z]+|[<>!=]=|[^\s\d.a-z*_\"'“”«»()\[\],;:]"
_SILENT: Final = (
    "the|an?|is|are|be|does|do|its?|my|this|that|which|also|somewhere|anywhere|well|surely"
    "|definitely|certainly|actually"
    "|n|x|number|code|secret|safe|value|integer|whole|answer|clue|==?|≡"
)
_FUNCTION: Final = "square|cube|double|triple|half|(?:square |cube )?root"
_NUMBER: Final = "(?:it|n|x|(?:(?:the|my|this|that|secret|safe) )*(?:number|code|value))"
_OTHER_NUMBER: Final = re.compile(
    rf"\b(?:{_FUNCTION}|twice|next|previous|\w+ times)(?: of)? (?:{_NUMBER}|its)\b"
    rf"|\bits (?:{_FUNCTION})\b|(?<![\w.])\d+[nx]\b"
    rf"|\b{_NUMBER} (?:squared|cubed|doubled|tripled|halved|plus|minus|times|[-+*/^] ?\d)"
    r"|\b(?:\d+|one|two|three|twice|two times|double) (?:(?:more|less) than )?an? "
)
"""Words for a number derived from the player's, which no clue can be about."""
_SEVERAL: Final = r"\b(?:and|or|but)\b|[,;&]|\. "
_CLAUSES: Final = tuple(
    (re.compile(sentence), clauses)
    for sentence, *clauses in (
        (r"both(?: of)? digits (even|odd)", "2 digits", r"only \1 digits"),
        (r"neither (.+) n?or (.+)", r"not \1", r"not \2"),
        (r"(\d+ [<>]=?) ([<>]=? \d+)", r"\1", r"\2"),
        (r"strictly between (\d+) (?:and|&) (\d+)", r"> \1", r"< \2"),
        (r"between (\d+) (?:and|&) (\d+) exclusive(?:ly)?", r"> \1", r"< \2"),
        (
            r"(?:divisible (?:by|with)|(?:common )?multiple of) (?:both )?(\d+)"
            r" (?:and|&) (?:(?:by|with|of) )?(\d+)",
            r"divisible by \1",
            r"divisible by \2",
        ),
        (
            r"(?:divisible by|multiple of) (\d+) (?:and|but) not (?:(?:by|of) )?(\d+)",
            r"divisible by \1",
            r"not divisible by \2",
        ),
        (
            r"not (?:divisible by|multiple of) (\d+) n?or (?:(?:by|of) )?(\d+)",
            r"not divisible by \1",
            r"not divisible by \2",
        ),
    )
)
"""Sentences that say two things at once, and those two things."""
_LIST: Final = re.compile(
    r"(?:(?:1 of|either) \d+(?: (?:or |and )?\d+)+|\d+(?: (?:or )?\d+)* or \d+)"
)


@lru_cache(maxsize=1000)  # every suggestion looks at much the same sentences
def _phrase(text: str) -> str:
    """A sentence reduced to what it says, without case, decoration, subject and copula.

    >>> _phrase('"My number  ISN\\'T a multiple of **three**."')
    'not multiple of 3'
    """
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS).split())
    text = re.sub(
        rf"\b(?:{_NUMBER_WORD})\b",
        lambda word: str(NUMBER_WORDS.index(word[0].replace("-", " "))),
        text,
    )
    for pattern, replacement in _REWRITES:
        text = re.sub(pattern, replacement, text)
    tokens = re.findall(_TOKEN, text)
    return " ".join(token for token in tokens if not re.fullmatch(_SILENT, token))


@dataclass(frozen=True, slots=True)
class _Wording:
    """One wording for a kind of clue, with the numbers in the sentence or with fixed ones."""

    kind: str
    pattern: re.Pattern[str]
    numbers: tuple[int, ...] | None = None
    denies: bool = False

    def read(self, phrase: str) -> Clue | None:
        if not (match := self.pattern.fullmatch(phrase)):
            return None
        named = tuple(int(number) for _, number in sorted(match.groupdict().items()))
        clue = Clue(self.kind, named if self.numbers is None else self.numbers)
        return clue.contrary if self.denies else clue


def _pattern(wording: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\d)\}", r"(?P<n\1>-?[0-9]+)", wording.replace("(", "(?:")))


@cache
def _wordings() -> tuple[_Wording, ...]:
    return tuple(
        wording
        for kind in KINDS
        for wording in (
            *(_Wording(kind.name, _pattern(each)) for each in kind.wordings),
            *(_Wording(kind.name, _pattern(each), numbers) for each, numbers in kind.also),
            *(_Wording(kind.name, _pattern(each), denies=True) for each in kind.denials),
        )
    )


@lru_cache(maxsize=1000)  # what was not understood is often repeated
def _affirmed(phrase: str) -> Sequence[Clue]:
    found = (wording.read(phrase) for wording in _wordings())
    return tuple(dict.fromkeys(clue for clue in found if clue)) or _listed(phrase)


def _listed(phrase: str) -> Sequence[Clue]:
    """The clue that is true of exactly the numbers in a list, like 10, 20 or 30."""
    numbers = _LIST.fullmatch(phrase) and {
        *map(int, re.findall(r"\d+", phrase.removeprefix("1 of")))
    }
    return MEANINGS.get(frozenset(numbers or ()), [])[:1]


def _readings(phrase: str) -> Sequence[Clue]:
    """The clues that a phrase can mean, whether or not their numbers make sense."""
    affirmed = _affirmed(phrase)
    if affirmed or phrase.split().count("not") != 1:
        return affirmed
    denied = _affirmed(" ".join(word for word in phrase.split() if word != "not"))
    return [contrary for clue in denied if (contrary := clue.contrary)]


def _clauses(text: str, phrase: str) -> Iterator[tuple[str, str, str]]:
    """The ways to split a sentence in two: first clause, conjunction, second clause."""
    for pattern, clauses in _CLAUSES:
        if match := pattern.fullmatch(phrase):
            first, second = map(match.expand, clauses)
            yield first, "and", second
    for link in islice(re.finditer(" (and|but|or|&) ", phrase), 8):
        yield phrase[: link.start()].removeprefix("both "), link[1], phrase[link.end() :]
    for comma in islice(re.finditer("[,;] ", text), 8):
        yield _phrase(text[: comma.start()]), "and", _phrase(text[comma.end() :])
    for blank in islice(re.finditer(" ", phrase), 12):  # an odd prime
        yield phrase[: blank.start()], "", phrase[blank.end() :]


def _joined(one: Clue, other: Clue) -> list[Clue]:
    """The clue that alone says what two say together, if there is one."""
    return [
        clue
        for clue in MEANINGS.get(one.meaning & other.meaning, ())
        for kind in KINDS
        if clue.kind == kind.name and not clue.negated and {one.kind, other.kind} <= {*kind.joins}
    ]


def parse_clue(text: str, code: int | None = None) -> Clue:
    """The clue that a person's sentence means, or a refusal that shows what would be understood.

    If the code is known, the clues that a refusal suggests are true of it.

    >>> parse_clue("it's > 15")
    Clue(kind='greater', numbers=(15,), negated=False)
    >>> str(parse_clue("more than ten, but less than twenty"))
    'It is between 11 and 19, inclusive.'
    """
    text = tidy(text)
    phrase = _phrase(text)
    readings = _readings(phrase)
    line = shown(text, 60)
    if re.fullmatch("-?[0-9]+", phrase):
        raise Ambiguous(f"{line} names a number; say something about it.", offer(readings, code))
    if not readings and _OTHER_NUMBER.search(text.casefold()):
        reason = f"{line} may be true, but is not about your number itself."
        raise NotUnderstood(reason, _nearest(phrase, code))
    two: list[Clue] = []
    for first, link, second in () if readings else _clauses(text, phrase):
        found = _readings(first), _readings(second)
        if [*map(len, found)] == [1, 1]:
            two = [clue for each in found for clue in each]
            # A "not" in front may apply to both clauses, or to one.
            if link in ("and", "but", "&") and first.count("not") <= second.count("not"):
                readings = _joined(*two)
            break
    if len(readings) == 1:
        check_sense(readings[0], code)
        return readings[0]
    if readings:
        raise Ambiguous(f"{line} can mean several clues.", offer(readings, code))
    parts = [_readings(_phrase(part)) for part in re.split(_SEVERAL, text.casefold())]
    clear = two or [part[0] for part in parts if len(part) == 1]
    if len(clear) > 1:
        raise Ambiguous(f"{line} is more than one clue; say one thing.", offer(clear, code))
    raise NotUnderstood(f"I do not understand {line} as a clue.", _nearest(phrase, code))


def _nearest(phrase: str, code: int | None) -> str:
    """The sentences nearest to a phrase that was not understood."""
    affirmed = " ".join(word for word in phrase.split() if word != "not")
    numbers = [int(word) for word in phrase.split() if re.fullmatch("-?[0-9]+", word)]
    candidates = {
        _phrase(wording): clue if affirmed == phrase else clue.contrary or clue
        for kind in KINDS
        for clue in (next(nearest(kind, numbers)),)
        for wording in (str(clue), kind.brief.format(*clue.numbers))
    }
    near = [candidates[wording] for wording in get_close_matches(affirmed, candidates)]
    return offer([*near, Clue("even"), Clue("greater", (15,)), Clue("divisible", (3,))], code)


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
