"""Engines that tests write."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent, indent

from strongroom.minds.engine import Engine

LOOP = """\
import json, os, signal, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

hello = dict(type="hello", protocol=1, name="Test")
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
{body}
    if kind == "hello":
        say(**hello)
    if kind == "choose":
        say(type="move", move=message["moves"][0])
    if kind == "bye":
        break
"""
"""An engine that plays the first legal move, after the lines of a test."""


def written(file: Path, body: str) -> tuple[str, ...]:
    """The command of an engine that does what the lines say with each message first."""
    file.write_text(LOOP.format(body=indent(dedent(body), "    ")))
    return sys.executable, "-S", str(file)


def engine(folder: Path, body: str = "", seconds: float = 60.0) -> Engine:
    return Engine(written(folder / "bot.py", body), seconds)


def is_alive(pid: int) -> bool:
    """Whether a process runs, or is stopped."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False
