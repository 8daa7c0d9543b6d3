"""An analysis that a person can read: curves, a row a decision, what was wrong, and totals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Console, RenderableType
from rich.text import Text

from strongroom.analysis import MARKS, TIE, Analysis, Decision
from strongroom.contract import Ending, Move, Seat, owned, whom
from strongroom.terminal.faces.curves import Note, columns, in_ascii, plotted
from strongroom.terminal.screen.palette import BRASS, INK, PLAYERS, SOFT
from strongroom.terminal.signs import has_unicode
from strongroom.terminal.tables import Column, table

GLYPHS: Final = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
HEIGHT: Final = 7
"""The lines of a curve in a report."""
LEAST: Final = 30
"""In fewer columns nobody could read a report."""
MOST_ROWS: Final = 200
"""A longer game's report lists the decisions that moved most."""
SHORT: Final = 9
"""A longer text of a move stands in the list and not on the curve."""
PROMISE: Final = (
    "The certified player keeps its promise whatever the opponent does, and is never marked. The "
    "estimate is about one opponent."
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
    """Print the report in the width of the console."""
    for line in report(analysis, console.width, has_unicode()):
        console.print(line, soft_wrap=True)


def report(analysis: Analysis, width: int, unicode: bool = True) -> list[Text]:
    """The whole report in lines of no more than `width` characters, 30 or more."""
    width = max(LEAST, width)
    lines = [*_plots(analysis, width, unicode)]
    lines += [Text(), *_list(analysis, width)]
    if words := comments(analysis):
        lines += [Text(), *_lines(Text("What was given away", style=f"bold {INK}"), width)]
        lines += [line for each in words for line in _lines(Text(each), width)]
    if differences := doubts(analysis):
        heading = Text("Certified play beside the estimate", style=f"bold {INK}")
        lines += [Text(), *_lines(heading, width), *_lines(Text(PROMISE, style=SOFT), width)]
        lines += [line for each in differences for line in _lines(Text(each), width)]
    lines += [Text(), Text("In all", style=f"bold {INK}")]
    lines += [line for each in _totals(analysis) for line in _lines(each, width)]
    return lines if unicode else [in_ascii(line) for line in lines]


def plot(
    analysis: Analysis, seat: Seat | None, width: int, height: int, unicode: bool = True
) -> list[Text]:
    """One curve: a player's chance to win by what it knew, or for None the truth."""
    curve = analysis.curve(seat)
    if not curve:
        return []
    marked = {
        each.number: _note(analysis, each)
        for each in analysis.decisions
        if each.mark and seat in (None, each.seat)
    }
    style = f"bold {INK}" if seat is None else PLAYERS[seat.index]
    lines = plotted(curve, style, marked, analysis.record.turns(), width, height, unicode)
    room = columns(width)
    if len(curve) > room:
        left_out = (
            f"There are {len(curve):,} points for {room} columns: each column shows the one of "
            "its stretch that is farthest from the column before."
        )
        lines += _lines(Text(left_out, style=SOFT), width)
    return lines


def heading(analysis: Analysis, seat: Seat | None, name: str = "") -> str:
    """What a curve shows: a player's chance by what it knew, or for None the truth.

    Where nothing is hidden, both are one. `name`: what the player is called, if not by name.
    """
    name = name or _name(analysis, seat or Seat.ONE)
    known = ", both secrets known, had both gone on as certified"
    if seat is not None:
        known = f", by what {whom(name)} knew"
    return f"{owned(name)} chance to win{known if analysis.record.game.secrets_each else ''}"


def comments(analysis: Analysis, seat: Seat | None = None, most: int | None = None) -> list[str]:
    """The marked moves in words, in order: of one player, or of both with their names.

    `most`: no more than so many, the dearest.
    """
    marked = [each for each in analysis.decisions if each.mark and seat in (None, each.seat)]
    dearest = sorted(marked, key=lambda each: -each.cost)[:most]
    said = []
    for each in marked:
        if each in dearest:
            place = placed(each, "" if seat else _name(analysis, each.seat))
            said.append(f"{place} {each.remark(analysis.record.game.words)}")
    return said


def placed(each: Decision, name: str = "") -> str:
    """Where in the game a decision was made, and perhaps by whom, as a sentence on it begins."""
    if each.turn is None:
        return f"Set-up, {name}:" if name else "Set-up:"
    return f"{each.turn}. {name}:" if name else f"{each.turn}."


def doubts(analysis: Analysis) -> list[str]:
    """Where the estimate and certified play differ by as much as a mark: both, and why."""
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
            f"{placed(each)} {name} {chose} {certified}, as the certified player does here; that "
            f"has {doubt.certified_chance:.0%} by the estimate, and {best} has "
            f"{doubt.chance:.0%}, if {doubt.assumes}."
        )
    return said


# --- the parts of the report --------------------------------------------------------------------


def _plots(analysis: Analysis, width: int, unicode: bool) -> Iterator[Text]:
    """A curve a player and one of the truth; where nothing is hidden, they are all one."""
    hidden = bool(analysis.record.game.secrets_each)
    for seat in Seat if hidden or not analysis.truth else ():
        yield from _lines(Text(heading(analysis, seat), style=PLAYERS[seat.index]), width)
        yield from plot(analysis, seat, width, HEIGHT, unicode)
        yield Text()
    if not analysis.truth:
        yield from _lines(Text("Nobody has worked out what the secrets made of it.", SOFT), width)
        return
    yield from _lines(Text(heading(analysis, None), style=f"bold {INK}"), width)
    yield from plot(analysis, None, width, HEIGHT, unicode)


def _list(analysis: Analysis, width: int) -> list[Text]:
    """A row a decision; of a long game, those that moved most."""
    listed = list(analysis.decisions)
    if len(listed) > MOST_ROWS:
        moved = sorted(listed, key=lambda each: -(each.cost + abs(each.luck) + each.gifts))
        listed = sorted(moved[:MOST_ROWS], key=lambda each: each.number)
    lines = _lines(table(COLUMNS, [_row(analysis, each) for each in listed], width), width)
    if left_out := len(analysis.decisions) - len(listed):
        words = f"The {left_out:,} decisions that moved least are left out; --json has them all."
        lines += _lines(Text(words, style=SOFT), width)
    return lines


def _row(analysis: Analysis, each: Decision) -> list[Text]:
    better = "" if each.move == each.best else _spoken(analysis, each.best)
    verdict = f"{GLYPHS[each.mark]} {each.mark}" if each.mark else ""
    return [
        Text("set-up" if each.turn is None else str(each.turn), style=SOFT),
        Text(_name(analysis, each.seat), style=PLAYERS[each.seat.index]),
        Text(_spoken(analysis, each.move)),
        Text(f"{each.before:.1%}"),
        Text(f"{each.after:.1%}"),
        Text(_signed(-each.cost)),
        Text(verdict, style=f"bold {BRASS}"),
        Text(better),
        Text(_signed(each.luck)),
        Text(_signed(each.gifts)),
    ]


def _totals(analysis: Analysis) -> Iterator[Text]:
    """For each player how the start came to the result."""
    for seat in Seat:
        name = Text(_name(analysis, seat), style=PLAYERS[seat.index])
        start, cost = analysis.start(seat), analysis.cost(seat)
        luck, gifts = analysis.luck(seat), analysis.gifts(seat)
        yield name.append_text(
            Text(
                f": {start:.1%} at the start, {_signed(-cost) or '0'} points given away, "
                f"{_signed(luck) or '0'} by luck, {_signed(gifts) or '0'} from the opponent's "
                f"errors: {_end(analysis, seat, start - cost + luck + gifts)}.",
                style=INK,
            )
        )
    outcome = analysis.record.outcome
    if outcome is not None and outcome.reason is Ending.RESIGNED:
        yield Text("Resigning is no move, and what it cost is not counted.")


def _end(analysis: Analysis, seat: Seat, stood: float) -> str:
    outcome = analysis.record.outcome
    if outcome is None or outcome.reason not in analysis.record.game.reasons:
        return f"{stood:.1%} when it was broken off"
    return "won" if outcome.winner is seat else "lost"


# --- words and lines ----------------------------------------------------------------------------


def _name(analysis: Analysis, seat: Seat) -> str:
    return analysis.record.sitters[seat.index].name


def _spoken(analysis: Analysis, move: Move) -> str:
    return analysis.record.game.words.spoken(move)


def _note(analysis: Analysis, each: Decision) -> Note:
    glyph = GLYPHS[each.mark]
    move = analysis.record.game.words.text(each.move)
    texts = (f"{move}{glyph}", glyph) if len(move) <= SHORT else (glyph,)
    return Note(texts, PLAYERS[each.seat.index])


def _signed(chance: float) -> str:
    """Points with their sign; nothing for nothing."""
    points = f"{100 * chance:+.1f}"
    return "" if points in ("+0.0", "-0.0") else points.replace("-", "−")


def _lines(drawn: RenderableType, width: int) -> list[Text]:
    """What is drawn, line by line."""
    console = Console(width=width, color_system="truecolor", legacy_windows=False)
    lines = []
    for segments in console.render_lines(drawn, pad=False):
        line = Text.assemble(*((part.text, part.style or "") for part in segments))
        line.rstrip()
        lines.append(line)
    return lines
