"""How somebody else's text is quoted: in one short line that does nothing to a screen.

It stands by itself, because the way to `--help` needs it and nothing else of the contract.
"""

from __future__ import annotations

from unicodedata import category

BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
)
"""Characters that show nothing, though Unicode calls them letters, marks or signs."""
SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Characters that choose another form of the one before them."""
EMOJI_FORM = "\ufe0f"
"""The one of these that people type, behind a sign."""


def is_visible(text: str) -> bool:
    r"""Whether every character of a printable text can be seen, blanks between words apart.

    A mark needs a character to stand on, and a form a sign to be the form of.

    >>> is_visible("Zoë 2"), is_visible("Z\u0308"), is_visible("\u2764\ufe0f")
    (True, True, True)
    >>> is_visible("\u3164"), is_visible("Ada\u2800"), is_visible("\u0308"), is_visible("a\ufe0f")
    (False, False, False, False)
    """
    before = "Zs"
    for char in text:
        kind = category(char)
        if char == EMOJI_FORM and before == "So":
            continue
        if char in BLANK or any(ord(char) in each for each in SELECTORS):
            return False
        if kind in ("Mn", "Me") and before == "Zs":
            return False
        before = kind
    return True


def printable(text: str) -> str:
    """A text of the same length that does nothing to a screen.

    >>> printable("a\x1bb")
    'a?b'
    """
    return "".join(char if char.isprintable() else "?" for char in text)


def printable_lines(text: str) -> str:
    r"""A text whose lines are lines, and which does nothing else to a screen.

    >>> printable_lines("a\x1bb\nc")
    'a?b\nc'
    """
    return "\n".join(map(printable, text.split("\n")))


def harmless(text: str, width: int = 24) -> str:
    """Somebody's text, short and printable enough for any screen.

    >>> harmless("a\x1b]0;b"), harmless("ab" * 40)
    ('a?]0;b', 'ababababababababababab...')
    """
    begin = printable(text[: 8 * width].strip()[: width + 1])
    return begin if len(begin) <= width else begin[: width - 2] + "..."


def shown_value(value: object, width: int = 24) -> str:
    """Any value, quoted: also one that is nested too deep, or too long a number, to be printed.

    >>> shown_value([1, "a"]), shown_value(10**5000)
    ("'[1, 'a']'", "'a value of type int'")
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return shown(text, width)


def shown(text: str, width: int = 24) -> str:
    """Somebody's text, quoted so that it can be answered on any screen.

    >>> shown("hello ")
    "'hello'"
    """
    return f"'{harmless(text, width)}'"
