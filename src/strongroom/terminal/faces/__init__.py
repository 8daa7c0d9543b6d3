"""Faces: how a match is shown. Plain lines, JSON events, or a drawn screen."""

from __future__ import annotations

import sys
from typing import Any

from strongroom.contract import Words
from strongroom.terminal.faces.events import JsonFace
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import Lines


def make_face(lines: Lines, words: Words[Any], plain: bool, json: bool) -> Face:
    """The face that fits the wishes and the screen."""
    if json:
        return JsonFace(lines, words)
    if plain or not lines.interactive or not sys.stdout.isatty():
        return Face(lines, words)
    from strongroom.terminal.faces.screen import Screen, can_draw  # no script waits for rich

    return Screen(lines, words) if can_draw() else Face(lines, words)
