"""Answers in text, read as a fair person would read them: one clear move, wherever it stands.

Nothing is guessed. A text that holds two different moves, or says more about one than that it is
the answer, is no answer.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from typing import Any, Final
from unicodedata import normalize

from strongroom.contract import Ambiguous, Move, NotLegal, NotUnderstood, Refusal

BEGIN, END = "<move>", "</move>"
"""What stands before and after the move in an answer."""
MARKED: Final = re.compile(f"{BEGIN}([^<]*(?:<(?!/?move>)[^<]*)*){END}", re.IGNORECASE)
"""A marked move, in a form that takes no longer on an answer full of marks."""
CLOSED_OTHERWISE: Final = re.compile(rf"{BEGIN}([^<>]+)<[/\\]?\w{{1,20}}>", re.IGNORECASE)
"""A move whose mark is closed by another one, as small models close it."""
THOUGHT: Final = re.compile(
    r"\A.*(?:</think(?:ing)?>|\[/THINK\]|<\|channel\|>final<\|message\|>)"
    r"|(?:<think(?:ing)?>|\[THINK\]|<\|channel\|>analysis).*\Z",
    re.DOTALL | re.IGNORECASE,
)
"""What some models write before their answer, or in its place."""
TOKEN: Final = re.compile(r"<\|[^<>|]{1,40}\|>|</?s>|</?tool_call>|\[/?[A-Z_]{4,20}\]|```\w*")
"""What models leave of the form in which they were trained, and the fences around a program."""
BOXED: Final = re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\}){1,200})\}")
"""The final answer, as models write it that were trained on mathematics."""
KEYED: Final = re.compile(
    r"""\b(?:move|answer)\b["'”]?\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|“([^”\n]*)”|([^\n{}"'“”]+))""",
    re.IGNORECASE,
)
"""A move under its name, in what is not quite a JSON object or no object at all."""
EMPTY: Final = frozenset({"", "...", "…", "move", "string", "and"})
"""What stands in an example in the place of the move."""
MOST_OBJECTS: Final = 200
"""Among how many braces an object is looked for."""
LONGEST_SENTENCE: Final = 200
"""A longer text is not read as a sentence that only says the move."""
MOST_WORDS: Final = 8
"""With more words beside it, a move has been thought about."""
NEUTRAL: Final = """a answer attempt cell change choice choose code decide dial digit enter final
    first for fourth go guess hide i i'd i'll i'm is let's like make making move my new now number
    observe on pick play position put second secret select set submit take the third this to try
    turn type use want will with would"""
"""Words beside a move that say no more than that it is the move."""
DECORATION: Final = re.compile(
    r"\\(?:right|long)?(?:arrow|to)\b|→|->|=>|(?:\\b|\x08)oxed|[$*\"()\[\]{}\u20e3\ufe0f]"
)
"""What stands around a move, or between its parts, and says nothing."""
LIKE: Final = str.maketrans(
    dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’`", "'") | dict.fromkeys("“”", '"')
)
"""Characters that people and models use for others."""
ANSWERED: Final = re.compile(
    r"(?:(yes)(?!.*\b(?:no|not|don't|won't|but|or)\b)"
    r"|(no)(?!\W+(?:i|i'll) challenge|.*\b(?:yes|but|or)\b))(?:[,.;:!-].*)?",
    re.IGNORECASE,
)
"""A yes or a no that nothing after it takes back."""
ASIDE: Final = re.compile(r" \((?![^()]*\bor\b)[^()]*\)\W*\Z")
"""An explanation in brackets, which offers nothing else."""

Read = Callable[[str], Move]
"""The legal move that a text is, or a refusal."""
Hear = Callable[[str], str]
"""A text in the game's own words, if it was written in others; that text in the others again."""


def move_in(answer: str, read: Read, hear: Hear = str) -> Move:
    """The one move that an answer holds; a refusal if it holds none, or more than one."""
    said = TOKEN.sub(" ", without_thoughts(answer))
    given = [each for each in _given(said) if not _is_empty(each)]
    if not given and "{" not in said and BEGIN not in said.lower():
        try:
            return _move_of(said, read, hear)
        except NotUnderstood:
            pass
    if not given:
        raise NotUnderstood("Your answer has no move.")
    found: list[Move] = []
    for each in given:
        move = _move_of(each, read, hear)
        if move not in found:
            found.append(move)
    if len(found) > 1:
        raise Ambiguous(f"Your answer has {len(found)} different moves.", "Give only one.")
    return found[0]


def is_bare(answer: str) -> bool:
    """Whether an answer has no room for thoughts: nothing but a move, in whatever form.

    >>> is_bare('{"move": "4"}'), is_bare("I guess 4."), is_bare('{"thinking": "", "move": "4"}')
    (True, True, False)
    """
    said = TOKEN.sub(" ", without_thoughts(answer)).strip()
    with contextlib.suppress(ValueError, RecursionError):
        given = json.loads(said)
        return not isinstance(given, dict) or len(given) == 1
    return len(MARKED.sub("", said).split()) <= MOST_WORDS


def without_thoughts(answer: str) -> str:
    """An answer without what some models write before it.

    >>> without_thoughts("<think>4 is in the middle.</think><move>4</move>")
    '<move>4</move>'
    """
    return THOUGHT.sub("", answer)


def objects_in(text: str) -> list[Any]:
    """What stands under `move` in the JSON objects of a text, one after the other.

    >>> objects_in('Well: {"thinking": "", "move": "4"} or {"move": 5}, {"cell": 6}')
    ['4', 5]
    """
    moves: list[Any] = []
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs, strict=False)
    at = text.find("{")
    for _ in range(MOST_OBJECTS):
        if at < 0:
            break
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            moves += found.moves()
        at = text.find("{", end)
    return moves


class _Pairs(list[tuple[str, Any]]):
    """The names and values of a JSON object, also of names that it has twice."""

    def moves(self) -> Iterator[Any]:
        for name, value in self:
            if name.strip().lower() == "move":
                yield value
            elif isinstance(value, _Pairs):
                yield from value.moves()


def _given(said: str) -> Sequence[Any]:
    """What an answer gives as its move: in objects or marked, else in a box or under its name."""
    in_objects, marked = objects_in(said), MARKED.findall(unescape(said))
    if in_objects or marked:
        return [*in_objects, *marked]
    if found := CLOSED_OTHERWISE.findall(unescape(said)) or BOXED.findall(said):
        return found
    end = said.rfind("}") if "{" in said else len(said)  # an object that is cut off gives nothing
    return ["".join(each.groups("")) for each in KEYED.finditer(said, 0, end + 1)]


def _is_empty(given: Any) -> bool:
    return isinstance(given, str) and given.strip().strip("'\"").lower() in EMPTY


def _move_of(given: Any, read: Read, hear: Hear) -> Move:
    """The move that is meant by a JSON value or a text."""
    if isinstance(given, bool):
        given = "yes" if given else "no"
    elif isinstance(given, float) and given.is_integer():
        given = int(given)
    elif isinstance(given, _Pairs):
        given = [value for _, value in given]
    if isinstance(given, list) and all(isinstance(each, str | int) for each in given):
        given = " ".join(map(str, given))
    if not isinstance(given, str | int) or isinstance(given, bool):
        raise NotUnderstood("Your answer has no move that is a text or a number.")
    return _first_legal(str(given), read, hear)


def _first_legal(text: str, read: Read, hear: Hear) -> Move:
    """The legal move that a text is, as it stands or without what is around it."""
    first: Refusal | None = None
    for each in _readings(hear(" ".join(text.split()))):
        try:
            return read(hear(each))
        except Refusal as refusal:
            if first is None or (isinstance(refusal, NotLegal) > isinstance(first, NotLegal)):
                first = refusal  # that a move is not legal tells more than that nothing is one
    assert first is not None
    raise first


def _readings(text: str) -> Iterator[str]:
    """A text as it stands, then without its decoration, then without words that say nothing."""
    yield text
    plain = _plain(text)
    yield plain
    if len(plain) > LONGEST_SENTENCE:
        return
    if answered := ANSWERED.fullmatch(plain):
        yield answered[1] or answered[2]
        return
    plain = _plain(ASIDE.sub("", text))
    plain = re.sub(r"^\d+[.)] (?=\S)", "", plain)
    yield plain
    yield re.sub(r"^(?:\w+ ){0,3}\w+(?: \d+)?: ", "", plain)
    words = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", plain.lower())
    if words and not {*words} - {*NEUTRAL.split()}:
        yield " ".join(re.findall(r"\d+", plain))
    said = plain.removesuffix(" please").rstrip(",")
    while said.partition(" ")[0].lower() in NEUTRAL.split():
        said = said.partition(" ")[2]
        yield said


def _plain(text: str) -> str:
    """A text without quotes, brackets, bold, and other decoration.

    >>> _plain("**4.**"), _plain("[2, 1, 3]"), _plain("dial 2 → 4"), _plain("4.0")
    ('4', '2, 1, 3', 'dial 2 4', '4')
    """
    text = normalize("NFKC", text).translate(LIKE)
    text = re.sub(r"\\text\{([^{}]*)\}", r"\1", text)
    text = DECORATION.sub(" ", text)
    text = re.sub(r"\b(\d+)\.0+\b", r"\1", text)
    return " ".join(text.split()).strip("' .!,;_")
