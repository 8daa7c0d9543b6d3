r"""Secrets taken out of foreign text, in all the ways in which software usually escapes text.

A text is searched as it stands, and decoded again and again: an answer is JSON, and what it quotes
may be JSON, an address or HTML once more.

>>> redact = Redaction(["sk-0123456789"], ["models.example"])
>>> redact("The key sk-0123456789 at MODELS.EXAMPLE")
'The key [redacted] at [redacted]'
>>> redact(r'{"key": "sk\u002d0123\\u0034567%2538&#57;"}')
'{"key": "[redacted]"}'
>>> redact("sk-01234..., which ends with 6789")
'[redacted]..., which ends with 6789'
"""

from __future__ import annotations

import re
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final, NamedTuple
from urllib.parse import urlsplit

REDACTED: Final = "[redacted]"
"""What stands in the place of a secret."""
FRAGMENT: Final = 8
"""How many characters in a row of a key are redacted; fewer reveal little and occur by chance."""
DEPTH: Final = 8
"""How many times a text is decoded."""
ESCAPE: Final = re.compile(
    r"(?P<unseen>%e2%80%(?:8[b-f]|a[a-e])|%ef%bb%bf|&zerowidthspace;)"  # blanks without a width
    r"|(?:\\u000000|\\x|%|=)(?P<hex>[0-9a-f]{2})"
    r"|(?:\\u|%u)(?P<four>[0-9a-f]{4})"
    r"|\\u\{0*(?P<braced>[0-9a-f]{2,6})\}"
    r"|\\(?P<octal>[01][0-7]{2})"
    r"|(?P<entity>&(?:#0*[0-9]{2,7};?|#x0*[0-9a-f]{2,6};?|[a-z]{2,31};))"
    r"|\\(?P<blank>[bfnrtv])"
    r"|\\(?P<itself>[^a-z0-9])"
)
"""One character as JSON, other languages, addresses, HTML or Markdown write it, in lower case."""


class _Written(NamedTuple):
    """A character, and where in the text it is written."""

    char: str
    start: int
    end: int


class Redaction:
    """Takes secrets out of texts.

    Of `keys`, fragments are secret, too, and what they are in base64 or hexadecimal; `names` are
    secret as a whole. Upper and lower case are not told apart, and invisible characters do not
    count.
    """

    def __init__(self, keys: Iterable[str], names: Iterable[str] = ()) -> None:
        self._secrets: dict[int, set[str]] = {}
        """By their length, in lower case."""
        for form in (form for key in keys if len(key) >= FRAGMENT for form in _forms(key)):
            self._secrets.setdefault(FRAGMENT, set()).update(
                form[at : at + FRAGMENT] for at in range(len(form) - FRAGMENT + 1)
            )
        for name in (name.lower() for name in names if len(name) >= FRAGMENT):
            self._secrets.setdefault(len(name), set()).add(name)

    @classmethod
    def of(cls, address: str, key: str) -> Redaction:
        """Takes out a key, and an address with its parts."""
        parts = urlsplit(address)
        names = {address, address.rstrip("/"), parts.netloc, parts.hostname or ""}
        names |= {parts.username or "", parts.path.rstrip("/"), parts.query}
        return cls([key, parts.password or ""], names)

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        is_secret = bytearray(len(text))
        written = [_Written(char, at, at + 1) for at, char in enumerate(text)]
        for _ in range(DEPTH + 1):
            written = [each for each in written if each.char.isprintable()]
            read = "".join(each.char.lower()[0] for each in written)
            for first, last in self._secret_spans(read):
                start, end = written[first].start, written[last].end
                is_secret[start:end] = b"\1" * (end - start)
            if not ESCAPE.search(read):
                break
            written = list(_decode(read, written))
        kept, at = [], 0
        for run in re.finditer(b"\1+", is_secret):
            kept += [text[at : run.start()], REDACTED]
            at = run.end()
        return "".join([*kept, text[at:]])

    def _secret_spans(self, read: str) -> Iterator[tuple[int, int]]:
        """Where a secret begins and ends."""
        for size, secrets in self._secrets.items():
            for at in range(len(read) - size + 1):
                if read[at : at + size] in secrets:
                    yield at, at + size - 1


def _decode(read: str, written: list[_Written]) -> Iterator[_Written]:
    """The characters, each escape as the one that it stands for."""
    at = 0
    for escape in ESCAPE.finditer(read):
        yield from written[at : escape.start()]
        at = escape.end()
        for char in _meaning(escape):
            yield _Written(char, written[escape.start()].start, written[at - 1].end)
    yield from written[at:]


def _meaning(escape: re.Match[str]) -> str:
    if code := escape["hex"] or escape["four"] or escape["braced"]:
        return chr(min(int(code, 16), sys.maxunicode))
    if code := escape["octal"]:
        return chr(int(code, 8))
    if entity := escape["entity"]:
        return unescape(entity)
    return escape["itself"] or ""  # nothing for blanks


def _forms(key: str) -> Iterator[str]:
    """A key as it is and in other alphabets, in lower case."""
    yield key.lower()
    data = key.encode()
    yield data.hex()
    for before, mixed in enumerate((0, 2, 3)):  # it may stand behind something else, like a name
        form = b64encode(bytes(before) + data).decode().rstrip("=")[mixed:].lower()
        yield form
        yield form.replace("+", "-").replace("/", "_")
