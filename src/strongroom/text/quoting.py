"""How foreign text is quoted: in one short line that cannot affect a screen.

It is a module of its own because `--help` needs it, and nothing else of the contract.
"""

from __future__ import annotations

from unicodedata import category

BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
)
"""Invisible characters, though Unicode calls them letters, marks or symbols."""
SELECTORS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors, which choose another form of the character before them."""
EMOJI_FORM = "\ufe0f"
"""The variation selector that people type, after a symbol."""


def is_visible(text: str) -> bool:
    r"""Whether every character of a printable text is visible, apart from blanks between words.

    A combining mark needs a character before it, and an emoji selector a symbol.

    >>> is_visible("Zoë 2"), is_visible("Z\u0308"), is_visible("\u2764\ufe0f")
    (True, True, True)
    >>> is_visible("\u3164"), is_visible("Ada\u2800"), is_visible("\u0308"), is_visible("a\ufe0f")
    (False, False, False, False)
    >>> is_visible("\u20dd"), is_visible("a\u20dd")  # an enclosing circle
    (False, True)
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
    """A text of the same length without unprintable characters, so it cannot affect a screen.

    >>> printable("a\x1bb")
    'a?b'
    """
    return "".join(char if char.isprintable() else "?" for char in text)


def printable_lines(text: str) -> str:
    r"""A text with unprintable characters replaced, except for the ends of its lines.

    >>> printable_lines("a\x1bb\nc")
    'a?b\nc'
    """
    return "\n".join(map(printable, text.split("\n")))


def harmless(text: str, width: int = 24) -> str:
    """A foreign text, shortened and made printable for any screen.

    >>> harmless("a\x1b]0;b"), harmless("ab" * 40)
    ('a?]0;b', 'ababababababababababab...')
    """
    begin = printable(text[: 8 * width].strip()[: width + 1])
    return begin if len(begin) <= width else begin[: width - 2] + "..."


def shown_value(value: object, width: int = 24) -> str:
    """Any value, quoted, even one that is nested too deeply or too long a number to be printed.

    >>> shown_value([1, "a"]), shown_value(10**5000)
    ("'[1, 'a']'", "'a value of type int'")
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    return quote(text, width)


def quote(text: str, width: int = 24) -> str:
    """A foreign text, quoted so that any screen can show it.

    >>> quote("hello ")
    "'hello'"
    """
    return f"'{harmless(text, width)}'"
