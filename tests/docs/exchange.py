"""The exchanges on the protocol's page, performed with a real server.

A block ```` ```exchange ```` has a line for each message, `Ada → …` to the server and `Ada ← …`
from it; a line that begins with blanks continues the one before.

- `Ada → POST /path {…}` and `Ada ← 201 {…}` are HTTP; `, Bearer NAME` goes into the header.
- Every other message is a frame. A `hello` opens a new WebSocket under that name.
- `Ada ✕` drops the connection without a close frame; in `Ada ← closed 4001` the server closes it.
- A name in capitals stands for a value. If a client uses it first, it is 32 random hexadecimal
  digits; if the server does, it is what the server sent. `TIME` is any time.
- `…` stands for parts that are left out.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

LINE: Final = re.compile(r"(?P<who>\S.*?) (?P<how>[→←✕])\s*(?P<what>.*)")
REQUEST: Final = re.compile(r"(GET|POST) ([^\s,]+)(?:, Bearer (\S+))? ?(.*)")
ANSWER: Final = re.compile(r"(\d{3}) (.*)")
TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Z][A-Z0-9_]*[A-Z0-9]|…')
NAMES: Final = re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")
PATIENCE: Final = 30.0
REST: Final = "…"


class Name(NamedTuple):
    """A name in capitals."""

    text: str


class Line(NamedTuple):
    """A message, or the loss of a connection."""

    who: str
    how: str
    what: str


def lines_of(page: str) -> list[Line]:
    """The lines of all exchanges in a page, in order."""
    found: list[str] = []
    for block in re.findall(r"^```exchange\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith(" "):
                found[-1] += f" {line.strip()}"
            elif line:
                found.append(line)
    matches = [LINE.fullmatch(line) for line in found]
    assert all(matches), [line for line, match in zip(found, matches, strict=True) if not match]
    return [Line(match["who"], match["how"], match["what"]) for match in matches if match]


def parsed(text: str) -> Any:
    """Parse JSON that may contain names in capitals and `…`."""

    def marked(match: re.Match[str]) -> str:
        token = match[0]
        if token == REST:
            before = text[: match.start()].rstrip()[-1:]
            return '"…"' if before == "[" or _in_list(text, match.start()) else '"…": "…"'
        return token if token.startswith('"') else json.dumps({"": token})

    return json.loads(TOKENS.sub(marked, text), object_hook=_name)


def _in_list(text: str, at: int) -> bool:
    opened = []
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[][{}]', text[:at]):
        if match[0] in "[{":
            opened.append(match[0])
        elif match[0] in "]}":
            opened.pop()
    return bool(opened) and opened[-1] == "["


def _name(data: dict[str, Any]) -> Any:
    return Name(data[""]) if list(data) == [""] else data


class Bound:
    """The values that names stand for."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def said(self, name: str) -> Any:
        """The value that a client sends for a name."""
        return self._values.setdefault(name, secrets.token_hex(16))

    def filled(self, form: Any) -> Any:
        """A message with its names replaced by values."""
        if isinstance(form, Name):
            return self.said(form.text)
        if isinstance(form, dict):
            return {key: self.filled(value) for key, value in form.items()}
        return [self.filled(value) for value in form] if isinstance(form, list) else form

    def differs(self, form: Any, value: Any, at: str = "") -> Iterator[str]:
        """The differences between what came and what is written."""
        if isinstance(form, Name):
            if form.text == "TIME":
                if not (isinstance(value, float) and value > 1e9):
                    yield f"{at}: {value!r} is no time"
            elif self._values.setdefault(form.text, value) != value:
                yield f"{at}: {value!r} is not {form.text}"
        elif isinstance(form, dict) and isinstance(value, dict):
            for key in sorted(form.keys() | value.keys() if REST not in form else form.keys()):
                if key == REST:
                    continue
                if key not in form or key not in value:
                    yield f"{at}.{key}: only {'written' if key in form else 'sent'}"
                else:
                    yield from self.differs(form[key], value[key], f"{at}.{key}")
        elif isinstance(form, list) and isinstance(value, list):
            more = form[-1:] == [REST]
            wanted = form[:-1] if more else form
            if len(value) < len(wanted) or (len(value) > len(wanted) and not more):
                yield f"{at}: {len(value)} elements, not {len(wanted)}"
            for number, (each, other) in enumerate(zip(wanted, value, strict=False)):
                yield from self.differs(each, other, f"{at}[{number}]")
        elif type(form) is not type(value) or form != value:
            yield f"{at}: {value!r} is not {form!r}"


class Performance:
    """Performs exchanges, and compares what arrives with what is written."""

    def __init__(self, address: str) -> None:
        self._open = ExitStack()
        self._http = self._open.enter_context(httpx.Client(base_url=address, timeout=PATIENCE))
        self._socket_address = f"{address.replace('http', 'ws', 1)}/ws"
        self._sockets: dict[str, ClientConnection] = {}
        self._answers: dict[str, httpx.Response] = {}
        self.bound = Bound()
        self.heard: dict[str, list[Any]] = {}
        """The frames that arrived, by recipient."""

    def __enter__(self) -> Performance:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def perform(self, line: Line) -> list[str]:
        """Perform a line, and return the differences from what it says."""
        if line.how == "✕":
            self._sockets.pop(line.who).socket.shutdown(2)
            return []
        if line.how == "→":
            self._send(line)
            return []
        return list(self._heard(line))

    def unwritten(self) -> list[str]:
        """The connections that received something that is not written."""
        return [who for who, socket in self._sockets.items() if not _is_silent(socket)]

    def _send(self, line: Line) -> None:
        if request := REQUEST.fullmatch(line.what):
            method, path, token, body = request.groups()
            self._answers[line.who] = self._http.request(
                method,
                NAMES.sub(lambda name: str(self.bound.said(name[0])), path),
                json=self.bound.filled(parsed(body)) if body else None,
                headers={"Authorization": f"Bearer {self.bound.said(token)}"} if token else {},
            )
            return
        frame = self.bound.filled(parsed(line.what))
        if frame["type"] == "hello":
            opening = connect(self._socket_address, open_timeout=PATIENCE)
            self._sockets[line.who] = self._open.enter_context(opening)
        self._sockets[line.who].send(json.dumps(frame))

    def _heard(self, line: Line) -> Iterator[str]:
        if answer := ANSWER.fullmatch(line.what):
            came = self._answers.pop(line.who)
            if str(came.status_code) != answer[1]:
                yield f"{line.who} got {came.status_code}: {came.text}"
            elif answer[2] != REST:
                yield from self.bound.differs(parsed(answer[2]), came.json(), line.who)
        elif line.what.startswith("closed "):
            try:
                yield f"{line.who} was not closed: {self._sockets[line.who].recv(PATIENCE)!r}"
            except ConnectionClosed as closed:
                code = closed.rcvd and closed.rcvd.code
                if line.what != f"closed {code}":
                    yield f"{line.who} was closed with {code}"
            del self._sockets[line.who]
        else:
            frame = json.loads(self._sockets[line.who].recv(PATIENCE))
            self.heard.setdefault(line.who, []).append(frame)
            for difference in self.bound.differs(parsed(line.what), frame, line.who):
                yield f"{difference}, in {json.dumps(frame)}"


def _is_silent(socket: ClientConnection) -> bool:
    """Whether the next message on a connection is the answer to a ping."""
    socket.send('{"type":"ping"}')
    return bool(json.loads(socket.recv(PATIENCE))["type"] == "pong")
