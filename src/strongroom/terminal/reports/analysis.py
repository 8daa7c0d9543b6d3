"""An analysis of a game: curves, one row per decision, the mistakes, and an SVG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from strongroom.accounts.account import MARKS
from strongroom.accounts.analysis import Analysis, JudgedMove
from strongroom.contract import Ending, Move, Seat, possessive, whom
from strongroom.report.curves import Curve, Mark, count_columns, draw_svg, draw_text
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
    "figures here are for one particular opponent."
)
LEGEND: Final = (
    "had and got: the chance before and after the move; cost: what it gave away; luck: what "
    "chance and hidden answers changed; gifts: what the opponent's next move gave away."
)
STYLES: Final = {
    "one": PLAYERS[0],
    "two": PLAYERS[1],
    "truth": f"bold {INK}",
    "scale": SOFT,
    "axis": LINE,
}
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
        parts += [Text(), Text("Where another move may win more", bold), Text(PROMISE, SOFT)]
        parts += map(Text, differences)
    parts += [Text(), Text("In total", bold), *_totals(analysis)]
    plots = _plots(analysis, width) if curves else ()
    return [*plots, *render_lines(Group(*parts), width)]


def draw(analysis: Analysis) -> str:
    """Draw each player's chance by what it knew, and the truth, as an SVG."""
    curves = (_curve(analysis, seat) for seat in (*Seat, None))
    return draw_svg([each for each in curves if each.points], analysis.record.turns())


def plot(analysis: Analysis, seat: Seat | None, width: int, height: int) -> list[Text]:
    """One curve: a player's chance to win by what it knew, or, for None, the truth."""
    curve, room = _curve(analysis, seat), count_columns(width)
    if not curve.points:
        return []
    lines = draw_text(curve, analysis.record.turns(), width, height, STYLES)
    if len(curve.points) > room:
        left_out = (
            f"The curve has {len(curve.points):,} points in {room} columns: each column shows its "
            "point that is farthest from the previous column."
        )
        lines += render_lines(Text(left_out, style=SOFT), width)
    return lines


def _curve(analysis: Analysis, seat: Seat | None) -> Curve:
    words, marks = analysis.record.game.words, {}
    for each in analysis.decisions:
        if each.mark and seat in (None, each.seat):
            move, glyph = words.text(each.move), GLYPHS[each.mark]
            texts = (f"{move}{glyph}", glyph) if len(move) <= SHORT else (glyph,)
            label = decision_label(each, _name(analysis, each.seat))
            title = f"{label} {words.mention(each.move)}, {each.mark}, {each.cost:.0%}"
            marks[each.number] = Mark(texts, each.seat.name.lower(), title)
    owner = "truth" if seat is None else seat.name.lower()
    return Curve(analysis.curve(seat), owner, heading(analysis, seat), marks)


def heading(analysis: Analysis, seat: Seat | None, name: str = "") -> str:
    """The heading of a curve: a player's chance by what it knew, or, for None, the truth.

    If nothing is hidden, both are the same. `name` replaces the player's own name.
    """
    name = name or _name(analysis, seat or Seat.ONE)
    known = ", given both secrets and certified play from there on"
    if seat is not None:
        known = f", by what {whom(name)} knew"
    return f"{possessive(name)} chance to win{known if analysis.record.game.secrets_each else ''}"


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


def decision_label(each: JudgedMove, name: str = "") -> str:
    """The beginning of a sentence on a decision: when it was made, and perhaps by whom."""
    if each.turn is None:
        return f"Set-up, {name}:" if name else "Set-up:"
    return f"{each.turn}. {name}:" if name else f"{each.turn}."


def doubts(analysis: Analysis) -> list[str]:
    """The decisions where another move is worth a mark more than certified play, in words."""
    said = []
    for each in analysis.decisions:
        doubt = each.doubt
        if doubt is None or doubt.chance - doubt.certified_chance < MARKS[-1][0] - TIE:
            continue
        name = _name(analysis, each.seat)
        spoken = analysis.record.game.words.mention
        certified, best = spoken(doubt.certified), spoken(doubt.estimated)
        chose = "played" if each.certified else "could have played"
        said.append(
            f"{decision_label(each)} {name} {chose} {certified}, as the certified player does "
            f"here; it wins {doubt.certified_chance:.0%}, and {best} {doubt.chance:.0%}, if "
            f"{doubt.assumes}."
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


def _row(analysis: Analysis, each: JudgedMove) -> list[Text]:
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
        yield Text(f"{possessive(_name(analysis, seat))} moves are valued {words}.", SOFT)


def _end(analysis: Analysis, seat: Seat, stood: float) -> str:
    outcome = analysis.record.outcome
    if outcome is None or outcome.reason not in analysis.record.game.reasons:
        return f"{stood:.1%} when the game was broken off"
    return "won" if outcome.winner is seat else "lost"


# --- words and lines ----------------------------------------------------------------------------


def _name(analysis: Analysis, seat: Seat) -> str:
    return analysis.record.sitters[seat.index].name


def _move_text(analysis: Analysis, move: Move) -> str:
    return analysis.record.game.words.mention(move)


def _points(chance: float) -> str:
    """Percentage points with their sign; empty for zero."""
    points = f"{100 * chance:+.1f}"
    return "" if points in ("+0.0", "-0.0") else points.replace("-", "−")
