"""The form that creates a game over HTTP, and the errors in its answers."""

from __future__ import annotations

from typing import Any

import httpx
from playing import fresh


def form(**parts: Any) -> dict[str, Any]:
    """The form for a game by link, with some fields changed."""
    usual = {"game": "quantum-duel", "name": "Ada", "token": fresh(), "invitation": fresh()}
    return {**usual, **parts}


def trouble(answer: httpx.Response) -> tuple[int, str]:
    """The status and the error code of a refused request."""
    told = answer.json()
    assert set(told) == {"error", "text"}
    assert told["text"]
    return answer.status_code, told["error"]
