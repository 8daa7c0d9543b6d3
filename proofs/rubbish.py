"""Rubbish: frames that no client should send to the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from playing import fresh
from websockets.frames import Frame, Opcode

from strongroom.contract import Json

EDGES: Final = (0, -1, 1, 2**31, 2**31 - 1, 2**63, 2**64, 10**30, 1.5, 1e308, -0.0, True)
TYPES: Final = (
    "hello",
    "move",
    "read",
    "resign",
    "claim",
    "hint",
    "phrase",
    "ping",
    "welcome",
    "entries",
    "",
    "x",
)


def framed(rubbish: str | bytes | Frame) -> Frame:
    """Something to send, as a WebSocket frame."""
    if isinstance(rubbish, str):
        return Frame(Opcode.TEXT, rubbish.encode("utf-8", "replace"))
    return Frame(Opcode.BINARY, rubbish) if isinstance(rubbish, bytes) else rubbish


class Odd(Frame):
    """A WebSocket frame that may break the protocol's rules."""

    def check(self) -> None:
        """Accept anything."""


@dataclass
class Victims:
    """The targets of the rubbish: what a stranger could know of their games, and more."""

    ids: list[str] = field(default_factory=list)
    """Games in progress."""
    tokens: list[str] = field(default_factory=list)
    """Tokens of people who play, but in none of these games."""
    frames: list[str] = field(default_factory=list)
    """Frames that the players of these games sent, for somebody else to replay."""
    own: list[tuple[str, str]] = field(default_factory=list)
    """Games that are over or waiting, with tokens of their players, who cannot move there."""


class Rubbish:
    """A source of frames that no client should send."""

    def __init__(self, victims: Victims, random: Random) -> None:
        self._victims = victims
        self._random = random
        self._kinds: tuple[Callable[[], str | bytes], ...] = (
            self._odd_message,
            self._odd_message,
            self._odd_message,
            self._odd_json,
            self._broken_json,
            self._deep,
            self._binary,
            self._replay,
        )
        self._last_kinds: tuple[Callable[[], str | Frame], ...] = (
            self._huge,
            self._bad_utf8,
            self._odd_frame,
        )

    def frame(self) -> Frame:
        """A frame that must be answered."""
        return framed(self._random.choice(self._kinds)())

    def last_frame(self) -> Frame:
        """A frame that may close the connection: too long, or in breach of WebSocket rules."""
        return framed(self._random.choice(self._last_kinds)())

    def _odd_message(self) -> str:
        """A message whose parts have the wrong type, are missing, or are edge cases."""
        parts: Json = {"type": self._random.choice((*TYPES, self._value()))}
        for name in ("game", "token", "id", "number", "move", "have", "words", "seed"):
            if self._random.random() < 0.6:
                parts[name] = self._value()
        return json.dumps(parts)

    def _value(self, depth: int = 0) -> Any:
        victims = self._victims
        choice = self._random.randrange(12 if depth < 3 else 10)
        makers: tuple[Callable[[], Any], ...] = (
            lambda: None,
            lambda: self._random.choice(EDGES),
            lambda: self._random.choice((*victims.ids, *victims.tokens)),
            fresh,
            lambda: fresh().upper(),
            lambda: fresh()[:31] + "\n",
            self._text,
            lambda: self._random.choice(("", "1", "5-5", "1-2-3", "resign", "0" * 32)),
            lambda: self._random.randrange(-3, 40),
            lambda: self._random.choice((True, False)),
            lambda: [self._value(depth + 1) for _ in range(self._random.randrange(4))],
            lambda: {self._text(): self._value(depth + 1)},
        )
        return makers[choice]()

    def _text(self) -> str:
        letters = "aZ09 -\x00\n\t\u202e\ud800\U0001f4a5é%s{}<>'\\\"\u0660"
        return "".join(self._random.choices(letters, k=self._random.randrange(12)))

    def _odd_json(self) -> str:
        return json.dumps(self._value())

    def _broken_json(self) -> str:
        text = self._odd_message()
        at = self._random.randrange(len(text))
        return text[:at] + self._random.choice(("", "}", '"', "\\u", "NaN", "Infinity", "1e999"))

    def _deep(self) -> str:
        depth = self._random.randrange(10, 2000)
        return '{"type":"move","id":' + "[" * depth + self._random.choice(("", "]" * depth + "}"))

    def _huge(self) -> str:
        size = self._random.choice((1000, 4000, 4095, 4097, 5000, 70_000))
        return json.dumps({"type": "move", "id": fresh(), "number": 1, "move": "9" * size})

    def _binary(self) -> bytes:
        if self._random.random() < 0.5:
            return self._random.randbytes(self._random.randrange(60))
        return self._odd_message().encode("utf-8", "replace")

    def _bad_utf8(self) -> Frame:
        return Frame(Opcode.TEXT, b'{"type":"ping' + self._random.randbytes(6) + b"\xff\xfe")

    def _replay(self) -> str:
        frames = self._victims.frames
        return self._random.choice(frames) if frames else '{"type":"ping"}'

    def _odd_frame(self) -> Frame:
        data = self._random.randbytes(self._random.randrange(130))
        opcode = self._random.choice((Opcode.CONT, Opcode.CLOSE, Opcode.PING, Opcode.PONG))
        return Odd(opcode, data, fin=self._random.random() < 0.7)
