"""A person's sentence as the words that the grammar knows: one word for what has many."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from strongroom.contract import NUMBER_WORDS

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
        (r"=(?= *\w+ +(?:lt|gt|le|ge)\b)", " eq "),  # n = 5 < 9, a chain
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
