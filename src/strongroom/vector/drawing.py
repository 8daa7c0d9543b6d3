"""Pictures of packed states, for those who look at what Pgx's tools save."""

from __future__ import annotations

from html import escape

import numpy as np

from strongroom.vector.packed_game import PackedGame
from strongroom.vector.words import Words

ROW, WIDTH = 22, 320


def drawn_fields(packed: PackedGame, position: Words, memory: Words) -> str:
    """An SVG that lists the fields of a state, or of the first state of a batch."""
    lines = [packed.game.title]
    for layout, words in ((packed.layout, position), (packed.memory, memory)):
        first = tuple(np.asarray(word).ravel()[0] for word in words)
        lines += [
            f"{name.replace('_', ' ')}: {int(field.get(first))}" for name, field in layout.items()
        ]
    texts = [
        f'<text x="12" y="{ROW * (place + 1)}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    ]
    height = ROW * (len(lines) + 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'font-family="monospace" font-size="14">'
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>{"".join(texts)}</svg>\n'
    )
