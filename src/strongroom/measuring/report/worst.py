"""The worst moves, each on its board."""

from __future__ import annotations

from html import escape

from strongroom.measuring.figures import POINTS, Figures, Mistake, points
from strongroom.measuring.report.boards import board, fits
from strongroom.measuring.report.parts import folded, section


def worst(each: Figures, named: bool) -> str:
    """The worst moves of a player, who is named if there are others."""
    parts = [
        "<p>The moves that cost most, as the player saw the board. "
        '<span class="key"><i class="ring played"></i> played</span> '
        '<span class="key"><i class="ring better"></i> better</span></p>'
    ]
    for game in each.results.values():
        if game.worst:
            cards = "".join(_mistake(one) for one in game.worst)
            parts.append(f"<h3>{escape(game.title)}</h3><ol>{cards}</ol>")
    if len(parts) == 1:
        parts = ["<p>No move cost anything.</p>"]
    whose = f" of {each.player}" if named else ""
    return section(f"The worst moves{whose}", "".join(parts), "worst")


def _mistake(one: Mistake) -> str:
    when = "set-up" if one.turn is None else f"turn {one.turn}"
    drawn = (
        board(one.drawing, one.move, one.better)
        if one.drawing is not None and fits(one.drawing)
        else ""
    )
    picture = f"<pre>{escape(one.picture)}</pre>" if one.picture else ""
    if drawn and picture:
        picture = folded("What the player knew", picture)
    if one.thought:
        picture += folded("What the player said", f"<p>{escape(one.thought)}</p>")
    why = f"<p>{escape(_capital(one.why))}</p>" if one.why else ""
    return (
        f'<li class="card"><p class="soft">round {one.round}, Player {one.seat}, {when} · '
        f'{escape(one.kind)}</p><div class="drawn">{drawn}</div>'
        f'<p class="said"><b>{escape(_capital(one.said))}</b> '
        f'<span class="cost">−{points(POINTS * one.cost)} points</span></p>'
        f"<p>Better: <b>{escape(one.better_said)}</b>.</p>{why}{picture}</li>"
    )


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
