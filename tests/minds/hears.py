"""An opponent that wants to know how its games ended."""

from __future__ import annotations

from typing import ClassVar

import pytest

from strongroom.contract import Move, View
from strongroom.players import Follows
from strongroom.plugins.registry import PLAYERS


class Hears(Follows):
    """Makes the first legal move, and remembers the ends of its games."""

    ends: ClassVar[list[View]] = []

    def __init__(self, *_: object) -> None: ...

    def choose(self, view: View) -> Move:
        return view.moves[0]

    def over(self, view: View) -> None:
        self.ends.append(view)


def seat_hears(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """Let a player `hears` sit down anywhere; what it will hear."""
    monkeypatch.setitem(PLAYERS, "hears", (f"{__name__}:Hears", ""))
    monkeypatch.setattr(Hears, "ends", [])
    return Hears.ends
