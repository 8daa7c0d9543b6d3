"""What is asked of the HTTP side to make a game, and how it says no."""

from __future__ import annotations

from typing import Any

import httpx
from playing import fresh


def form(**parts: Any) -> dict[str, Any]:
    """What makes a game by link, with some parts changed."""
    usual = {"game": "quantum-duel", "name": "Ada", "token": fresh(), "invitation": fresh()}
    return {**usual, **parts}


def trouble(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of a request that was not granted."""
    told = answer.json()
    assert set(told) == {"error", "text"}
    assert told["text"]
    return answer.status_code, told["error"]
