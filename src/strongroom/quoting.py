"""How somebody else's text is quoted: in one short line that does nothing to a screen.

It stands by itself, because the way to `--help` needs it and nothing else of the contract.
"""

from __future__ import annotations


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
