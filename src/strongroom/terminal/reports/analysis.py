"""An analysis of a game: curves, one row per decision, the mistakes, and an SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from rich.console import Console, Group, RenderableType
from rich.text import Text

from strongroom.accounts.account import MARKS
from strongroom.accounts.analysis import Analysis, Curve, Decision
from strongroom.contract import Ending, Move, Seat, owned, whom
from strongroom.terminal.reports.tables import Column, print_lines, render_lines, table
from strongroom.terminal.screen.palette import BRASS, INK, LINE, PLAYERS, SOFT
from strongroom.theory.solution import TIE

GLYPHS: Final = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
HEIGHT: Final = 7
"""The height of a curve in a report, in lines."""
LEAST: Final = 30
"""The least width of a readable report, in columns."""
MOST_ROWS: Final = 200
"""The report of a longer game lists only the decisions with the largest swings."""
SHORT: Final = 9
"""A move with a longer text is in the list, but not on the curve."""
PROMISE: Final = (
    "The certified player's guarantee holds against every opponent, so it is never marked. The "
    "estimate is for one particular opponent."
)
LEGEND: Final = (
    "had and got: the chance before and after the move; cost: what it gave away; luck: what "
    "chance and hidden answers changed; gifts: what the opponent's next move gave away."
)
COLUMNS: Final = (
    Column("#", right=True),
    Column("player"),
    Column("move"),
    Column("had", 3, right=True),
    Column("got", 2, right=True),
    Column("cost", right=True),
    Column("", 0),
    Column("better", 6),
    Column("luck", 4, right=True),
    Column("gifts", 5, right=True),
)


def show(analysis: Analysis, console: Console) -> None:
    """Print the report at the width of the console."""
    print_lines(report(analysis, console.width), console)


def report(analysis: Analysis, width: int, curves: bool = True) -> list[Text]:
    """The whole report in lines of at most `width` characters; the least width is 30."""
    width = max(LEAST, width)
    bold = f"bold {INK}"
    parts = [Text(), *_list(analysis, width)]
    if words := comments(analysis):
        parts += [Text(), Text("What was given away", bold), *map(Text, words)]
    if differences := doubts(analysis):
        parts += [Text(), Text("Certified play and the estimate", bold), Text(PROMISE, SOFT)]
        parts += map(Text, differences)
    parts += [Text(), Text("In total", bold), *_totals(analysis)]
    plots = _plots(analysis, width) if curves else ()
    return [*plots, *render_lines(Group(*parts), width)]


def plot(analysis: Analysis, seat: Seat | None, width: int, height: int) -> list[Text]:
    """One curve: a player's chance to win by what it knew, or, for None, the truth."""
    curve = analysis.curve(seat)
    if not curve:
        return []
    marked = {
        each.number: _note(analysis, each)
        for each in analysis.decisions
        if each.mark and seat in (None, each.seat)
    }
    style = f"bold {INK}" if seat is None else PLAYERS[seat.index]
    lines = draw_curve(curve, style, marked, analysis.record.turns(), width, height)
    room = columns(width)
    if len(curve) > room:
        left_out = (
            f"The curve has {len(curve):,} points in {room} columns: each column shows its point "
            "that is farthest from the previous column."
        )
        lines += render_lines(Text(left_out, style=SOFT), width)
    return lines


def heading(analysis: Analysis, seat: Seat | None, name: str = "") -> str:
    """What a curve shows: a player's chance by what it knew, or, for None, the truth.

    If nothing is hidden, both are the same. `name` replaces the player's own name.
    """
    name = name or _name(analysis, seat or Seat.ONE)
    known = ", given both secrets and certified play from there on"
    if seat is not None:
        known = f", by what {whom(name)} knew"
    return f"{owned(name)} chance to win{known if analysis.record.game.secrets_each else ''}"


def comments(analysis: Analysis, seat: Seat | None = None, most: int | None = None) -> list[str]:
    """The marked moves in words, in order: one player's, or both players' with their names.

    `most`: at most this many, the costliest ones.
    """
    marked = [each for each in analysis.decisions if each.mark and seat in (None, each.seat)]
    dearest = sorted(marked, key=lambda each: -each.cost)[:most]
    said = []
    for each in marked:
        if each in dearest:
            place = decision_label(each, "" if seat else _name(analysis, each.seat))
            said.append(f"{place} {each.remark(analysis.record.game.words)}")
    return said


def decision_label(each: Decision, name: str = "") -> str:
    """The beginning of a sentence on a decision: when it was made, and perhaps by whom."""
    if each.turn is None:
        return f"Set-up, {name}:" if name else "Set-up:"
    return f"{each.turn}. {name}:" if name else f"{each.turn}."


def doubts(analysis: Analysis) -> list[str]:
    """Where the estimate and certified play differ by at least a mark: both moves, and why."""
    said = []
    for each in analysis.decisions:
        doubt = each.doubt
        if doubt is None or doubt.chance - doubt.certified_chance < MARKS[-1][0] - TIE:
            continue
        name = _name(analysis, each.seat)
        spoken = analysis.record.game.words.spoken
        certified, best = spoken(doubt.certified), spoken(doubt.estimated)
        chose = "played" if each.certified else "could have played"
        said.append(
            f"{decision_label(each)} {name} {chose} {certified}, as the certified player does "
            f"here; the estimate gives it {doubt.certified_chance:.0%}, and {best} "
            f"{doubt.chance:.0%}, if {doubt.assumes}."
        )
    return said


# --- the parts of the report --------------------------------------------------------------------


def _plots(analysis: Analysis, width: int) -> Iterator[Text]:
    """A curve for each player and one for the truth; if nothing is hidden, they are the same."""
    hidden = bool(analysis.record.game.secrets_each)
    for seat in Seat if hidden or not analysis.truth else ():
        yield from render_lines(Text(heading(analysis, seat), style=PLAYERS[seat.index]), width)
        yield from plot(analysis, seat, width, HEIGHT)
        yield Text()
    if not analysis.truth:
        yield from render_lines(
            Text("The effect of the secrets has not been computed.", SOFT), width
        )
        return
    yield from render_lines(Text(heading(analysis, None), style=f"bold {INK}"), width)
    yield from plot(analysis, None, width, HEIGHT)


def _list(analysis: Analysis, width: int) -> Iterator[RenderableType]:
    """One row per decision; for a long game, only those with the largest swings."""
    listed = list(analysis.decisions)
    if len(listed) > MOST_ROWS:
        moved = sorted(listed, key=lambda each: -(each.cost + abs(each.luck) + each.gifts))
        listed = sorted(moved[:MOST_ROWS], key=lambda each: each.number)
    yield table(COLUMNS, [_row(analysis, each) for each in listed], width)
    yield Text(LEGEND, SOFT)
    if left_out := len(analysis.decisions) - len(listed):
        words = f"The {left_out:,} decisions that swung least are left out; --json has them all."
        yield Text(words, SOFT)


def _row(analysis: Analysis, each: Decision) -> list[Text]:
    better = "" if each.move == each.best else _move_text(analysis, each.best)
    verdict = f"{GLYPHS[each.mark]} {each.mark}" if each.mark else ""
    return [
        Text("set-up" if each.turn is None else str(each.turn), style=SOFT),
        Text(_name(analysis, each.seat), style=PLAYERS[each.seat.index]),
        Text(_move_text(analysis, each.move)),
        Text(f"{each.before:.1%}"),
        Text(f"{each.after:.1%}"),
        Text(_points(-each.cost)),
        Text(verdict, style=f"bold {BRASS}"),
        Text(better),
        Text(_points(each.luck)),
        Text(_points(each.gifts)),
    ]


def _totals(analysis: Analysis) -> Iterator[Text]:
    """For each player, how the result follows from the start."""
    for seat in Seat:
        name = Text(_name(analysis, seat), style=PLAYERS[seat.index])
        start, cost = analysis.start(seat), analysis.cost(seat)
        luck, gifts = analysis.luck(seat), analysis.gifts(seat)
        yield name.append_text(
            Text(
                f": {start:.1%} at the start, {_points(-cost) or '0'} points given away, "
                f"{_points(luck) or '0'} by luck, {_points(gifts) or '0'} from the opponent's "
                f"errors: {_end(analysis, seat, start - cost + luck + gifts)}.",
                style=INK,
            )
        )
    yield from _valuations(analysis)
    outcome = analysis.record.outcome
    if outcome is not None and outcome.reason is Ending.RESIGNED:
        yield Text("Resigning is not a move, and its cost is not counted.")


def _valuations(analysis: Analysis) -> Iterator[Text]:
    """By what the moves of each player are valued."""
    one, two = (each.words for each in analysis.valuations)
    if one == two:
        yield Text(f"All moves are valued {one}.", SOFT)
        return
    for seat, words in zip(Seat, (one, two), strict=True):
        yield Text(f"{owned(_name(analysis, seat))} moves are valued {words}.", SOFT)


def _end(analysis: Analysis, seat: Seat, stood: float) -> str:
    outcome = analysis.record.outcome
    if outcome is None or outcome.reason not in analysis.record.game.reasons:
        return f"{stood:.1%} when the game was broken off"
    return "won" if outcome.winner is seat else "lost"


# --- words and lines ----------------------------------------------------------------------------


def _name(analysis: Analysis, seat: Seat) -> str:
    return analysis.record.sitters[seat.index].name


def _move_text(analysis: Analysis, move: Move) -> str:
    return analysis.record.game.words.spoken(move)


def _note(analysis: Analysis, each: Decision) -> Note:
    glyph = GLYPHS[each.mark]
    move = analysis.record.game.words.text(each.move)
    texts = (f"{move}{glyph}", glyph) if len(move) <= SHORT else (glyph,)
    return Note(texts, PLAYERS[each.seat.index])


def _points(chance: float) -> str:
    """Percentage points with their sign; empty for zero."""
    points = f"{100 * chance:+.1f}"
    return "" if points in ("+0.0", "-0.0") else points.replace("-", "−")


GUTTER: Final = 5
"""The width of the scale at the left, including its axis."""
WIDEST_STEP: Final = 6
"""The most columns between two moves, so that a short game is not stretched."""
END: Final = "end"


class Note(NamedTuple):
    """A label for a move on the curve."""

    texts: tuple[str, ...]
    """The alternatives, from the longest to the shortest; the first that fits is used."""
    style: str


def thin(curve: Curve, most: int) -> Curve:
    """At most `most` points of a curve: of each stretch the one farthest from the last shown.

    So swings stay visible, however long the game was. The first and the last point are kept.
    """
    if len(curve) <= most:
        return curve
    shown, between = [curve[0]], curve[1:-1]
    bounds = [i * len(between) // (most - 2) for i in range(most - 1)]
    for begin, end in pairwise(bounds):
        shown.append(max(between[begin:end], key=lambda point: abs(point[1] - shown[-1][1])))
    return [*shown, curve[-1]]


def columns(width: int) -> int:
    """How many points there is room for."""
    return max(3, width - GUTTER - len(END))


def draw_curve(
    curve: Curve,
    style: str,
    notes: Mapping[int, Note],
    turns: Mapping[int, int],
    width: int,
    height: int,
) -> list[Text]:
    """The curve above the turn numbers, in `height` lines and two for the axis.

    `notes` and `turns` are keyed by step; a step without a turn has no number below it.
    """
    room = columns(width)
    points = thin(curve, room)
    step = min(WIDEST_STEP, room // len(points))
    canvas = Canvas(height, width - GUTTER)
    rows = [canvas.row(chance) for _, chance in points]
    canvas.draw(rows, step, style)
    for place, (number, _) in enumerate(points):
        if number in notes:
            canvas.write(notes[number], rows[place], place * step)
    scale = {0: "100", canvas.row(0.5): " 50", height - 1: "  0"}
    lines = []
    for row in range(height):
        axis = "┼" if row == rows[0] else "┤"
        line = Text(f"{scale.get(row, ''):>3} ", style=SOFT).append(axis, style=LINE)
        lines.append(line.append_text(canvas.line(row)))
    return lines + _axis([turns.get(number) for number, _ in points], step)


class Canvas:
    """A sparse grid of characters."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self._cells: dict[tuple[int, int], tuple[str, str]] = {}

    def row(self, chance: float) -> int:
        """The row of a probability, from the top."""
        return round((1 - chance) * (self.height - 1))

    def draw(self, rows: list[int], step: int, style: str) -> None:
        """Draw a line that changes rows at each step and is horizontal in between."""
        for place, row in enumerate(rows):
            before, column = rows[max(0, place - 1)], place * step
            for straight in range(step if place < len(rows) - 1 else min(step, len(END))):
                self._cells[row, column + straight] = ("─", style)
            if before == row:
                continue
            leaves, arrives = ("╯", "╭") if row < before else ("╮", "╰")
            for between in range(min(before, row) + 1, max(before, row)):
                self._cells[between, column] = ("│", style)
            self._cells[before, column] = (leaves, style)
            self._cells[row, column] = (arrives, style)

    def write(self, note: Note, row: int, column: int) -> None:
        """Write a note near a point where there is room; if there is none, leave it out."""
        for text in note.texts:
            for near in (row - 1, row + 1, row - 2, row + 2):
                for begin in (column, column + 1, column - len(text) + 1):
                    cells = [(near, begin + i) for i in range(len(text))]
                    if self._free(near, begin - 1, begin + len(text) + 1):
                        for cell, character in zip(cells, text, strict=True):
                            self._cells[cell] = (character, f"bold {note.style}")
                        return

    def _free(self, row: int, begin: int, end: int) -> bool:
        """Whether the inner cells are blank and no other text touches them."""
        inside = 0 <= row < self.height and begin >= -1 and end <= self.width + 1
        inner = range(begin + 1, end - 1)
        blank = all((row, column) not in self._cells for column in inner)
        apart = all(
            self._cells.get((row, column), (" ",))[0] in " ─│╭╮╰╯" for column in (begin, end - 1)
        )
        return inside and blank and apart

    def line(self, row: int) -> Text:
        """One row of characters."""
        last = max((column for r, column in self._cells if r == row), default=-1)
        text = Text()
        for column in range(last + 1):
            text.append(*self._cells.get((row, column), (" ", "")))
        return text


def _axis(turns: list[int | None], step: int) -> list[Text]:
    """The axis, with a tick above each turn number; as many numbers as there is room for."""
    end = (len(turns) - 1) * step
    ticks, below, last = ["─"] * (end + 1), "", None
    for place, turn in enumerate(turns[:-1]):
        column, label = place * step, str(turn)
        has_room = (column > len(below) or not below) and column + len(label) < end
        if turn not in (None, last) and has_room:
            below, last = f"{below:<{column}}{label}", turn
            ticks[column] = "┬"
    ticks[end] = "┬"
    below = f"{below:<{end}}{END}"
    return [
        Text(" " * (GUTTER - 1) + "└" + "".join(ticks), style=LINE),
        Text(" " * GUTTER + below, style=SOFT),
    ]


WIDTH: Final = 760
PANEL: Final = 190
"""The height of a panel, including its heading."""
LEFT, RIGHT, ABOVE, BELOW = 52, 28, 40, 12
"""The margins of the plot in a panel."""
FOOT: Final = 36
"""The height below the last panel, for the turn numbers."""
MOST_NUMBERS: Final = 24
"""In a game with more turns, some numbers are left out."""
LOW, HIGH = 0.12, 0.9
"""Chances below and above which there is no room for a label on that side."""
MOST_POINTS: Final = 600
"""The most points of a curve."""
STYLE: Final = """\
  .paper { fill: #f6f1e4 } .card { fill: #fffdf6 } .line { stroke: #d9cfb6 }
  text { fill: #6d6650; font: 13px system-ui, sans-serif; font-variant-numeric: tabular-nums }
  .head { fill: #1d2230; font: 16px 'Iowan Old Style', Palatino, Georgia, serif }
  .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke: #1d2230 }
  .one { stroke: #0f6f8f } .two { stroke: #a63a63 } .truth { stroke-dasharray: 5 3 }
  .mark { stroke: none; font-weight: 600 } .mark.one { fill: #0f6f8f } .mark.two { fill: #a63a63 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #12171f } .card { fill: #1a212c } .line { stroke: #2f3947 }
    text { fill: #a39c88 } .head { fill: #efe8d6 } .curve { stroke: #efe8d6 }
    .one { stroke: #5cc3e0 } .two { stroke: #f08bb1 }
    .mark.one { fill: #5cc3e0 } .mark.two { fill: #f08bb1 }
  }
"""
"""The colours of the paper, the ink and each player, in a light and a dark scheme."""


def draw(analysis: Analysis) -> str:
    """Draw each player's chance by what it knew, and the truth, as an SVG."""
    panels = [seat for seat in (*Seat, None) if analysis.curve(seat)]
    height = len(panels) * PANEL + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">',
        f"<style>\n{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
    ]
    last = len(analysis.record.steps) + 1
    for row, seat in enumerate(panels):
        parts += _Panel(analysis, seat, row * PANEL, last).parts()
    parts += _numbers(analysis, last, len(panels) * PANEL + 8)
    return "\n".join([*parts, "</svg>\n"])


def _across(number: int, last: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / max(1, last - 1), 1)


def _numbers(analysis: Analysis, last: int, y: float) -> Iterator[str]:
    """The turn numbers, each below its first step; the set-up has none."""
    firsts: dict[int, int] = {}
    for step, turn in analysis.record.turns().items():
        firsts.setdefault(turn, step)
    for turn in [*firsts][:: len(firsts) // MOST_NUMBERS + 1]:
        x = _across(firsts[turn], last)
        yield f'<text x="{x}" y="{y}" text-anchor="middle">{turn}</text>'
    yield f'<text x="{WIDTH / 2}" y="{y + 18}" text-anchor="middle">turn</text>'


class _Panel:
    """One curve with its heading and the marked moves."""

    def __init__(self, analysis: Analysis, seat: Seat | None, top: float, last: int) -> None:
        self.analysis, self.seat, self.top, self.last = analysis, seat, top, last
        self.curve: Curve = analysis.curve(seat)

    def parts(self) -> Iterator[str]:
        """The panel's elements."""
        y, high = self.top + ABOVE, PANEL - ABOVE - BELOW
        words = escape(heading(self.analysis, self.seat))
        yield f'<text class="head" x="{LEFT}" y="{self.top + 26}">{words}</text>'
        field = f'x="{LEFT}" y="{y}" width="{WIDTH - LEFT - RIGHT}" height="{high}"'
        yield f'<rect class="card" {field}/>'
        for chance in (0, 0.5, 1):
            y = self._down(chance)
            yield f'<path class="line" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
            yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{chance:.0%}</text>'
        owner = "truth" if self.seat is None else self.seat.name.lower()
        points = " ".join(self._steps(thin(self.curve, MOST_POINTS)))
        yield f'<polyline class="curve {owner}" points="{points}"/>'
        marked = {each.number: each for each in self.analysis.decisions if each.mark}
        before = 0.0
        for number, chance in self.curve:
            if number in marked and self.seat in (None, marked[number].seat):
                # If the line descends to the mark, the label fits below it.
                below = chance > HIGH or (before > chance > LOW)
                yield from self._marked(marked[number], chance, below)
            before = chance

    def _down(self, chance: float) -> float:
        return round(self.top + PANEL - BELOW - (PANEL - ABOVE - BELOW) * chance, 1)

    def _steps(self, curve: Curve) -> Iterator[str]:
        """The curve's points as a step function: a chance holds until the next one."""
        before: float | None = None
        for number, chance in curve:
            x, y = _across(number, self.last), self._down(chance)
            if before is not None and before != y:
                yield f"{x},{before}"
            yield f"{x},{y}"
            before = y

    def _marked(self, each: Decision, chance: float, below: bool) -> Iterator[str]:
        owner, glyph = each.seat.name.lower(), GLYPHS[each.mark]
        name = self.analysis.record.sitters[each.seat.index].name
        move = self.analysis.record.game.words.text(each.move)
        spoken = self.analysis.record.game.words.spoken(each.move)
        x, y = _across(each.number, self.last), self._down(chance)
        words = escape(f"{decision_label(each, name)} {spoken}, {each.mark}, {each.cost:.0%}")
        label = escape(f"{move}{glyph}" if len(move) <= SHORT else glyph)
        yield f'<circle class="mark {owner}" cx="{x}" cy="{y}" r="4">'
        yield f"<title>{words}</title></circle>"
        room = "start" if x < 2 * LEFT else "end" if x > WIDTH - 2 * LEFT else "middle"
        place = f'x="{x}" y="{y + (19 if below else -9)}" text-anchor="{room}"'
        yield f'<text class="mark {owner}" {place}>{label}</text>'
