"""Faces: how a match is shown, as plain lines, JSON events, or a drawn page."""

from __future__ import annotations

from typing import Any

from strongroom.contract import Words
from strongroom.terminal.faces.face import Face, JsonFace, Looks
from strongroom.terminal.lines import can_page, is_typed, open_lines
from strongroom.terminal.printing import tell_why_plain


def make_face(words: Words[Any], looks: Looks) -> Face:
    """The face that fits the options and the terminal."""
    if looks.json or looks.plain or not can_page():
        if is_typed() and not looks.plain:
            tell_why_plain()
        face = JsonFace(open_lines(echo=False), words) if looks.json else Face(open_lines(), words)
        face.aids = looks.aids
        return face
    from strongroom.terminal.faces.page import PageFace  # scripts should not wait for rich

    return PageFace(words, looks)
