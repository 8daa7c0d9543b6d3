"""A real HTTP server that speaks the chat API, as well or as badly as a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from strongroom.contract import Json

KEY = "sk-test-0123456789-secret"
MODEL = "tester"


@dataclass(frozen=True)
class Says:
    """An answer, streamed in small pieces or given as a whole."""

    text: str
    reasoning: str = ""
    finish: str = "stop"
    streams: bool = True
    tool_calls: list[Json] | None = None
    """The functions that it calls."""
    breaks: bool = False
    """Whether the connection ends in the middle."""
    usage: Json | None = field(
        default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    )


@dataclass(frozen=True)
class Fails:
    """A status, with what goes with it."""

    status: int
    message: str = "out of order"
    retry_after: str = "0"
    body: Any = None
    """All that is sent; by default an error with the message, as OpenAI writes it."""


@dataclass(frozen=True)
class Sends:
    """Whatever bytes."""

    body: bytes
    kind: str = "text/html"


class Hangs:
    """No answer at all, until the test is over."""


class Drips:
    """A sign of life again and again, but no answer, until the test is over."""


@dataclass(frozen=True)
class Redirects:
    """Somewhere else."""

    to: str
    status: int


Deed = Says | Fails | Sends | Hangs | Drips | Redirects
Behaviour = Callable[[Json], Deed]


class ApiServer:
    def __init__(self, behaviour: Behaviour, in_json: bool = True) -> None:
        """`in_json` is whether it gives structured answers."""
        self.behaviour = behaviour
        self.in_json = in_json
        self.model = MODEL
        self.requests: list[Json] = []
        self.over = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                try:
                    server._do(self, body)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def environment(self) -> dict[str, str]:
        return {"OPENAI_BASE_URL": self.address, "OPENAI_API_KEY": KEY}

    def __enter__(self) -> ApiServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def _do(self, to: BaseHTTPRequestHandler, body: Json) -> None:
        with self._lock:
            self.requests.append(body)
        deed = self._deed(to, body)
        match deed:
            case Hangs():
                self.over.wait()
                to.close_connection = True
            case Drips():
                _begin_stream(to)
                while not self.over.wait(0.05):
                    to.wfile.write(b": still here\n\n")
            case Redirects():
                _send(to, deed.status, "text/plain", b"", location=deed.to)
            case Fails():
                error = {"message": deed.message, "type": "error", "code": None}
                data = json.dumps(deed.body or {"error": error}).encode()
                _send(to, deed.status, "application/json", data, retry_after=deed.retry_after)
            case Sends():
                _send(to, 200, deed.kind, deed.body)
            case Says():
                _say(to, deed, deed.streams and "stream" in body)

    def _deed(self, to: BaseHTTPRequestHandler, body: Json) -> Deed:
        given = to.headers["authorization"].removeprefix("Bearer ")
        if given != KEY:
            return Fails(401, f"Incorrect API key provided: {given}.")
        if not to.path.startswith("/v1/") or body["model"] != self.model:
            return Fails(404, f"No model {body['model']}")
        if not self.in_json and not {"response_format", "tools"}.isdisjoint(body):
            return Fails(400, "neither response_format nor tools are supported")
        return self.behaviour(body)


def _send(to: BaseHTTPRequestHandler, status: int, kind: str, data: bytes, **more: str) -> None:
    to.send_response(status)
    told = {"content-type": kind, "content-length": str(len(data))}
    for name, value in (told | more).items():
        to.send_header(name.replace("_", "-"), value)
    to.end_headers()
    to.wfile.write(data)


def _begin_stream(to: BaseHTTPRequestHandler) -> None:
    to.send_response(200)
    to.send_header("content-type", "text/event-stream")
    to.send_header("connection", "close")
    to.end_headers()
    to.close_connection = True


def _say(to: BaseHTTPRequestHandler, said: Says, streams: bool) -> None:
    if not streams:
        message: Json = {"role": "assistant", "content": said.text, "tool_calls": said.tool_calls}
        message["reasoning_content"] = said.reasoning
        choice = {"index": 0, "message": message, "finish_reason": said.finish}
        whole = {"id": "1", "object": "chat.completion", "created": 1, "model": MODEL}
        told = whole | {"choices": [choice], "usage": said.usage}
        _send(to, 200, "application/json", json.dumps(told).encode())
        return
    _begin_stream(to)
    pieces: list[Json] = [{"reasoning_content": said.reasoning}] if said.reasoning else []
    pieces += [{"tool_calls": said.tool_calls}] if said.tool_calls else []
    size = max(1, len(said.text) // 5)
    pieces += [{"content": said.text[at : at + size]} for at in range(0, len(said.text), size)]
    for piece in pieces[: len(pieces) // 2] if said.breaks else pieces:
        _event(to, {"choices": [{"index": 0, "delta": piece, "finish_reason": None}]})
    if said.breaks:
        to.wfile.write(b'data: {"choi')
        return
    _event(to, {"choices": [{"index": 0, "delta": {}, "finish_reason": said.finish}]})
    if said.usage is not None:
        _event(to, {"choices": [], "usage": said.usage})
    to.wfile.write(b"data: [DONE]\n\n")


def _event(to: BaseHTTPRequestHandler, data: Json) -> None:
    told: Any = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": MODEL, **data}
    to.wfile.write(f"data: {json.dumps(told)}\n\n".encode())


def asked(body: Json) -> str:
    """The first question of a conversation, which has all that the player knows."""
    return str(next(each["content"] for each in body["messages"] if each["role"] == "user"))


def in_form(body: Json, move: str, thinking: str = "Let me see.") -> str:
    if {"response_format", "tools"}.isdisjoint(body):
        return f"{thinking} <move>{move}</move>"
    said = {"thinking": thinking, "move": move}
    form = body.get("response_format", {})
    wanted = form["json_schema"]["schema"]["required"] if "json_schema" in form else said
    return json.dumps({name: said[name] for name in said if name in wanted})
