"""An analysis as a table, and as a picture."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from strongroom.analysis import Analysis, curve
from strongroom.contract import Ending, Seat
from strongroom.terminal.faces.screen import STYLES, has_unicode

COLOURS = {"blunder": "bold red", "mistake": "red", "inaccuracy": "yellow"}
GLYPHS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
BARS, ASCII_BARS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"

WIDTH, HEIGHT, MARGIN = 720, 320, 44
MOST_NUMBERS = 30
"""Below a longer game not every move has its number."""


def show(analysis: Analysis, console: Console) -> None:
    """Print an analysis: the curve, a row a decision, and what each player gave away."""
    names = [sitter.name for sitter in analysis.record.sitters]
    bars = BARS if has_unicode() else ASCII_BARS
    line = "".join(bars[round(chance * (len(bars) - 1))] for _, chance in curve(analysis))
    console.print(f"{names[0]}'s win probability, move by move: |{line}|")
    grid = Grid(box=box.SIMPLE if has_unicode() else box.ASCII)
    for heading in ("", "player", "move", "best", "got", "cost", "", "better", "luck"):
        grid.add_column(heading, justify="right" if heading in ("best", "got", "cost") else "left")
    for each in analysis.decisions:
        better = "" if each.move == each.best else str(each.best)
        grid.add_row(
            str(each.number),
            Text(names[each.seat.index], style=STYLES[each.seat.index]),
            str(each.move),
            f"{each.before:.1%}",
            f"{each.after:.1%}",
            f"{each.cost:.1%}" if each.cost > 0.0005 else "",
            Text(
                f"{GLYPHS[each.mark]} {each.mark}" if each.mark else "", COLOURS.get(each.mark, "")
            ),
            better,
            f"{each.luck:+.1%}",
        )
    console.print(grid)
    for each in analysis.decisions:
        if each.mark:
            console.print(f"{each.number}. {each.move}: {each.best} was better. {each.why}")
    for seat in Seat:
        cost = analysis.cost(seat)
        console.print(f"{names[seat.index]} gave away {cost:.1%} of a game in all.")
    outcome = analysis.record.outcome
    if outcome is not None and outcome.reason is Ending.RESIGNED:
        console.print("Resigning is no move, and what it cost is not counted.")


def draw(analysis: Analysis) -> str:
    """The win probability over the game as an SVG."""
    names = [sitter.name for sitter in analysis.record.sitters]
    points = curve(analysis)
    last = points[-1][0]

    def place(number: float, chance: float) -> tuple[float, float]:
        x = MARGIN + (WIDTH - 2 * MARGIN) * (number - 1) / max(1, last - 1)
        return round(x, 1), round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * chance, 1)

    path = " ".join(f"{x},{y}" for x, y in (place(n, chance) for n, chance in points))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for chance in (0, 0.25, 0.5, 0.75, 1):
        x, y = place(1, chance)
        right, _ = place(last, chance)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{right}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{chance:.0%}</text>')
    for each in analysis.decisions[:: len(analysis.decisions) // MOST_NUMBERS + 1]:
        x, y = place(each.number, 0)
        parts.append(f'<text x="{x}" y="{y + 16}" text-anchor="middle">{each.number}</text>')
    parts.append(f'<polyline points="{path}" fill="none" stroke="#157a8c" stroke-width="2"/>')
    for each in analysis.decisions:
        if each.mark:
            chance = each.before if each.seat is Seat.ONE else 1 - each.before
            x, y = place(each.number, chance)
            words = _escape(f"{names[each.seat.index]}: {each.move}, {each.mark}, {each.cost:.1%}")
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="5" fill="#c0392b"><title>{words}</title></circle>'
                f'<text x="{x}" y="{y - 9}" text-anchor="middle">{GLYPHS[each.mark]}</text>'
            )
    title = _escape(
        f"{analysis.record.game.title}: {names[0]}'s win probability ({names[1]} plays second)"
    )
    parts.append(f'<text x="{MARGIN}" y="24" font-size="15">{title}</text>')
    parts.append(
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">move</text></svg>\n'
    )
    return "\n".join(parts)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
