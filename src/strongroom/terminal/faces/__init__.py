"""Faces: how a match is shown. Plain lines, JSON events, or a drawn page."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from strongroom.contract import Words
from strongroom.terminal.faces.events import JsonFace
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import is_typed, open_lines


@dataclass(frozen=True)
class Looks:
    """How a match is to be shown."""

    plain: bool = False
    json: bool = False
    aids: bool = True
    motion: bool = True
    fast: bool = False


def make_face(words: Words[Any], looks: Looks) -> Face:
    """The face that fits the wishes and the screen."""
    if looks.json:
        return JsonFace(open_lines(echo=False), words)
    if looks.plain or not is_typed() or not sys.stdout.isatty():
        return Face(open_lines(), words)
    from strongroom.terminal.screen.display import can_draw  # no script waits for rich

    if not can_draw():
        return Face(open_lines(), words)
    from strongroom.terminal.faces.page import Page

    return Page(words, aids=looks.aids, motion=looks.motion, fast=looks.fast)
