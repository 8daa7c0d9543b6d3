"""The user's last choices, saved for the next time."""

from __future__ import annotations

import contextlib
import json
import os
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from strongroom.terminal.store import files

NAME: Final = "preferences.json"
MOST: Final = 10_000
"""A file with more bytes was not written by `remember`, and is ignored."""


def _file() -> Path | None:
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(folder):
        return Path(folder) / "strongroom" / NAME
    home = os.path.expanduser("~")
    return Path(home) / ".config" / "strongroom" / NAME if os.path.isabs(home) else None


def recall() -> dict[str, Any]:
    """The saved choices; empty if the file is missing or not as `remember` wrote it."""
    file = _file()
    try:
        if file is None or not file.is_file() or file.stat().st_size > MOST:
            return {}
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}


def remember(**choices: Any) -> None:
    """Save these choices with the others; if the file cannot be written, they are lost."""
    file = _file()
    kept = recall()
    if file is None or kept | choices == kept:
        return
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        files.replace_text(file, json.dumps(kept | choices, indent=1) + "\n")


def is_on(name: str) -> bool:
    """Whether something is on that is on until somebody switches it off, like the mouse."""
    return recall().get(name) is not False


def aids_on() -> bool:
    """Whether aids are on against a bot; two people agree on them anew in every sitting."""
    kept = recall().get("aids")
    on = kept.get("alone") if isinstance(kept, dict) else None
    return on if isinstance(on, bool) else True


def remember_aids(on: bool) -> None:
    """Save whether aids are on against a bot."""
    remember(aids={"alone": on})


def games_taught() -> list[str]:
    """The games that have been played to their end here, so that nobody is told how they go."""
    kept = recall().get("taught")
    return [each for each in kept if isinstance(each, str)] if isinstance(kept, list) else []


def remember_taught(game: str) -> None:
    """Save that a game has been played to its end here."""
    remember(taught=sorted({*games_taught(), game}))


DAYS_KEPT: Final = 60
"""For how many days the answers to puzzles are kept."""


def vault_answers() -> dict[str, float]:
    """What the first answer to each day's puzzle cost, by the day, the latest last."""
    kept = recall().get("vault")
    each = kept.items() if isinstance(kept, dict) else ()
    return {day: cost for day, cost in sorted(each) if isinstance(cost, int | float)}


def remember_answer(day: date, cost: float) -> None:
    """Save what an answer to a day's puzzle cost; only the first one counts."""
    answers = {day.isoformat(): cost} | vault_answers()
    remember(vault=dict(sorted(answers.items())[-DAYS_KEPT:]))


def _week_of(day: date) -> list[tuple[date, str]]:
    """The days of a week, each with the square of its puzzle: solved, not solved, not answered."""
    answers = vault_answers()
    monday = day - timedelta(days=day.weekday())
    week = []
    for each in (monday + timedelta(days=number) for number in range(7)):
        cost = answers.get(each.isoformat())
        week.append((each, "·" if cost is None else "□" if cost else "■"))
    return week


def vault_signs(day: date) -> str:
    """The week of a day as seven squares."""
    return "".join(sign for _, sign in _week_of(day))


def vault_squares(day: date) -> str:
    """The week of a day in squares, and how many days in a row the puzzle was solved."""
    answers = vault_answers()
    week = [f"{each:%a}"[:2] + f" {sign}" for each, sign in _week_of(day)]
    streak = 0
    while answers.get((day - timedelta(days=streak)).isoformat()) == 0:
        streak += 1
    return "  ".join(week) + (f"   {streak} days in a row" if streak > 1 else "")
