"""What tests of the whole server say and read: forms, refusals, clocks and claims."""

from __future__ import annotations

import re
from typing import Any

import httpx
from playing import fresh
from serving import FIGURES, PATIENCE
from talking import Talk

from strongroom.contract import Json
from strongroom.contract.codec import to_json


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


def bearer(token: str) -> dict[str, str]:
    """The header that opens a seat, if there is a token."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def figure(address: str, name: str) -> float:
    page = httpx.get(f"{address}/metrics", headers=FIGURES, timeout=PATIENCE).text
    found = re.search(rf"^{re.escape(name)} (\S+)$", page, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def left(frame: Json) -> list[float]:
    """The seconds that both have left according to a frame."""
    seconds: list[float] = frame["clock"]["left"]
    return seconds


def seated(talk: Talk, seat: int) -> Json:
    """What the last frame that a viewer got says about a player."""
    last = [frame["game"] for frame in talk.seen.frames if "game" in frame][-1]
    info: Json = last["seats"][seat - 1]
    return info


def see(talk: Talk, seat: int, here: bool) -> None:
    """Wait until a viewer hears that a player is here or away."""
    while seated(talk, seat)["here"] is not here:
        talk.hear("game", "welcome")


def claimed(talk: Talk) -> Json:
    talk.say("claim", id=(id := fresh()))
    while True:
        answer = talk.hear("error", "entries")
        if id in (answer.get("id"), answer.get("made")):
            return answer


def end_of(talk: Talk) -> Json:
    """Wait until a viewer hears the end of a game, and return it."""
    while talk.seen.view is None or talk.seen.view.outcome is None:
        talk.hear("entries", "welcome")
    return dict(to_json(talk.seen.view.outcome))
