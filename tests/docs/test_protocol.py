"""The exchanges on the protocol's page, performed with a real server, and its client, which plays.

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
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

import httpx
import pytest
from starting import PATIENCE, STRONGROOM, Piped
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.docs.pages import named, page

PAGE = "protocol.md"
LINE: Final = re.compile(r"(?P<who>\S.*?) (?P<how>[→←✕])\s*(?P<what>.*)")
REQUEST: Final = re.compile(r"(GET|POST) ([^\s,]+)(?:, Bearer (\S+))? ?(.*)")
ANSWER: Final = re.compile(r"(\d{3}) (.*)")
TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Z][A-Z0-9_]*[A-Z0-9]|…(?=(?P<in_list>\])?)')
NAMES: Final = re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")
REST: Final = "…"


class Name(NamedTuple):
    """A name in capitals."""

    text: str


def lines_of(page: str) -> list[tuple[str, str, str]]:
    """Who, how and what of each line of all exchanges in a page, in order."""
    found: list[str] = []
    for block in re.findall(r"^```exchange\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith(" "):
                found[-1] += f" {line.strip()}"
            elif line:
                found.append(line)
    matches = [LINE.fullmatch(line) for line in found]
    assert all(matches), [line for line, match in zip(found, matches, strict=True) if not match]
    return [(match["who"], match["how"], match["what"]) for match in matches if match]


def parsed(text: str) -> Any:
    """Parse JSON that may contain names in capitals and `…`."""

    def marked(match: re.Match[str]) -> str:
        if match[0] == REST:
            return '"…"' if match["in_list"] else '"…": "…"'
        return match[0] if match[0].startswith('"') else json.dumps({"": match[0]})

    def name(data: dict[str, Any]) -> Any:
        return Name(data[""]) if list(data) == [""] else data

    return json.loads(TOKENS.sub(marked, text), object_hook=name)


class Performance:
    """Performs exchanges, and compares what arrives with what is written."""

    def __init__(self, address: str, opened: ExitStack) -> None:
        self._open = opened
        self._http = opened.enter_context(httpx.Client(base_url=address, timeout=PATIENCE))
        self._socket_address = f"{address.replace('http', 'ws', 1)}/ws"
        self._sockets: dict[str, ClientConnection] = {}
        self._answers: dict[str, httpx.Response] = {}
        self._values: dict[str, Any] = {}
        self.heard: dict[str, list[Any]] = {}
        """The frames that arrived, by recipient."""

    def perform(self, who: str, how: str, what: str) -> list[str]:
        """Perform a line, and return the differences from what it says."""
        if how == "←":
            return list(self._heard(who, what))
        if how == "✕":
            self._sockets.pop(who).socket.shutdown(2)
        else:
            self._send(who, what)
        return []

    def unwritten(self) -> list[str]:
        """The connections that received something that is not written, before this ping."""
        for socket in self._sockets.values():
            socket.send('{"type":"ping"}')
        answers = {who: json.loads(each.recv(PATIENCE)) for who, each in self._sockets.items()}
        return [who for who, answer in answers.items() if answer["type"] != "pong"]

    def _said(self, name: str) -> str:
        """The value that a client sends for a name."""
        return str(self._values.setdefault(name, secrets.token_hex(16)))

    def _filled(self, form: Any) -> Any:
        """A message with its names replaced by values."""
        if isinstance(form, Name):
            return self._said(form.text)
        if isinstance(form, dict):
            return {key: self._filled(value) for key, value in form.items()}
        return [self._filled(value) for value in form] if isinstance(form, list) else form

    def _send(self, who: str, what: str) -> None:
        if request := REQUEST.fullmatch(what):
            method, path, token, body = request.groups()
            self._answers[who] = self._http.request(
                method,
                NAMES.sub(lambda name: self._said(name[0]), path),
                json=self._filled(parsed(body)) if body else None,
                headers={"Authorization": f"Bearer {self._said(token)}"} if token else {},
            )
            return
        frame = self._filled(parsed(what))
        if frame["type"] == "hello":
            opening = connect(self._socket_address, open_timeout=PATIENCE)
            self._sockets[who] = self._open.enter_context(opening)
        self._sockets[who].send(json.dumps(frame))

    def _heard(self, who: str, what: str) -> Iterator[str]:
        if answer := ANSWER.fullmatch(what):
            came = self._answers.pop(who)
            if str(came.status_code) != answer[1]:
                yield f"{who} got {came.status_code}: {came.text}"
            elif answer[2] != REST:
                yield from self._differs(parsed(answer[2]), came.json(), who)
        elif what.startswith("closed "):
            with pytest.raises(ConnectionClosed) as closed:
                self._sockets.pop(who).recv(PATIENCE)
            code = closed.value.rcvd and closed.value.rcvd.code
            if what != f"closed {code}":
                yield f"{who} was closed with {code}"
        else:
            frame = json.loads(self._sockets[who].recv(PATIENCE))
            self.heard.setdefault(who, []).append(frame)
            for difference in self._differs(parsed(what), frame, who):
                yield f"{difference}, in {json.dumps(frame)}"

    def _differs(self, form: Any, value: Any, at: str) -> Iterator[str]:
        """The differences between what came and what is written."""
        if form == Name("TIME"):
            if not (isinstance(value, float) and value > 1e9):
                yield f"{at}: {value!r} is no time"
        elif isinstance(form, Name):
            if self._values.setdefault(form.text, value) != value:
                yield f"{at}: {value!r} is not {form.text}"
        elif isinstance(form, dict) and isinstance(value, dict):
            keys = form.keys() | ({} if REST in form else value).keys()
            for key in sorted(keys - {REST}):
                if key not in form or key not in value:
                    yield f"{at}.{key}: only {'written' if key in form else 'sent'}"
                else:
                    yield from self._differs(form[key], value[key], f"{at}.{key}")
        elif isinstance(form, list) and isinstance(value, list):
            wanted = form[:-1] if form[-1:] == [REST] else form
            if len(value) < len(wanted) or (len(value) > len(wanted) and wanted is form):
                yield f"{at}: {len(value)} elements, not {len(wanted)}"
            for number, (each, other) in enumerate(zip(wanted, value, strict=False)):
                yield from self._differs(each, other, f"{at}[{number}]")
        elif type(form) is not type(value) or form != value:
            yield f"{at}: {value!r} is not {form!r}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that is set up as the page assumes."""
    folder = tmp_path_factory.mktemp("server")
    command = [*STRONGROOM, "serve", "--port", "0", "--fast"]
    database = ["--database", str(folder / "games.db")]
    with Piped([*command, *database], log=folder / "log") as server:
        yield server.stdout.readline().split()[-1].rstrip("/")
        server.send_signal(signal.SIGTERM)


def test_the_worked_exchange_matches_a_real_server_and_the_tables(address: str) -> None:
    lines = lines_of(page(PAGE))
    assert {how for _, how, _ in lines} == {"→", "←", "✕"}
    with ExitStack() as opened:
        performance = Performance(address, opened)
        for line in lines:
            assert not performance.perform(*line), line
        assert not performance.unwritten()
        welcome = performance.heard["Eve"][0]  # she asks for words
    for part in ("game", "view", "words"):
        head = "of words" if part == "words" else f"of a {part}"
        assert set(named(PAGE, head, "what it is")) == set(welcome[part])


def test_the_client_in_python_plays_a_game_to_its_end(address: str) -> None:
    (client,) = re.findall(r"```python\n(.*?)```", page(PAGE), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", client, address], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, "")
    *_, ending = done.stdout.splitlines()
    assert re.match(r"(You|Random) ", ending), done.stdout


def test_a_difference_from_what_is_written_is_found(address: str) -> None:
    with ExitStack() as opened:
        differs = Performance(address, opened)._differs
        form = parsed('{"a":ID,"b":[1,…],"c":{"d":"IN A …",…},"e":TIME}')
        came = {"a": "x", "b": [1, 2, 3], "c": {"d": "IN A …", "f": 1}, "e": 2e9}
        assert not list(differs(form, came, ""))
        assert [*differs(form, {**came, "a": "y"}, "")] == [".a: 'y' is not ID"]
        assert [*differs(form, {**came, "b": [2]}, "")] == [".b[0]: 2 is not 1"]
        assert [*differs(form, {**came, "e": 1}, "")] == [".e: 1 is no time"]
        assert [*differs({"a": 1}, {"a": True, "b": 1}, "")] == [
            ".a: True is not 1",
            ".b: only sent",
        ]
