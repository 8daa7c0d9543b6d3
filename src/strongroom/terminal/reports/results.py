"""The results of many games: a player's measurement, a tournament's standings, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from strongroom.arena.standings import HEADINGS, Results, Standings, cross_table, rows
from strongroom.contract import Game, harmless
from strongroom.measuring.on_puzzles import PuzzleResult, combine
from strongroom.measuring.reports import Comparison, Difference
from strongroom.measuring.result import (
    FORM_HEADINGS,
    FORM_LEGEND,
    FORM_TITLE,
    VACUOUS,
    Figures,
    Form,
    GameFigures,
    Mistake,
    form_row,
)
from strongroom.minds.allowance import Bill, Prices
from strongroom.minds.model import Experiment
from strongroom.referee.randomness import describe_seed
from strongroom.report.text import POINTS, percent, points, with_interval
from strongroom.terminal.printing import has_unicode, paste, spell
from strongroom.terminal.reports.progress import Bars
from strongroom.terminal.reports.tables import Column, print_lines, print_table, render_lines, table
from strongroom.terminal.screen.layout import board
from strongroom.terminal.screen.palette import BRASS, INK, LINE, PLAYERS, SOFT

if TYPE_CHECKING:  # what plays in batches takes long to import
    from strongroom.measuring.in_batches import BatchedMeasurement, BatchedResult

WIDEST: Final = 100
"""The widest that a measurement is set, in columns."""
MOST: Final = 28
"""The most columns for the name of a kind of decision."""
LONGEST: Final = 40
"""The length of the longest bar."""
EIGHTHS: Final = " ▏▎▍▌▋▊▉"
"""The end of a bar, in eighths of a column."""
LEAST: Final = 40
"""The least width of a readable report."""
BOARD: Final = 40
"""The width of the widest board."""
BESIDE: Final = 70
"""From this width on, what the player knew stands beside the board."""
LATEST: Final = 6
"""How many lines of a game's record are shown with a position."""
COLUMNS: Final = (
    Column("game"),
    Column("score", right=True),
    Column("counted", 1, right=True),
    Column("saved", 3, right=True),
    Column("exact", 4, right=True),
    Column("cost", right=True),
    Column("perfect", 2, right=True),
)
LEGEND: Final = {
    "score": "won a game, with luck taken out, ± or in brackets its interval of at least 95 %",
    "counted": "by results alone",
    "saved": "how many times as many games counting needs for an interval as narrow",
    "exact": "the score itself, computed without a game",
    "cost": "points lost a decision, of which a won game has 100",
    "perfect": "decisions that cost nothing",
}
"""What the headings mean."""
NO_COSTS: Final = (
    "What a move costs is known exactly against master only, so results are counted and there "
    "are no costs."
)
BATCHED_LEGEND: Final = (
    "counted: what is won a game, by results alone, ± or in brackets its interval of at least "
    "95 %; by costs: the same, by what a best response wins minus what the decisions cost; exact: "
    "the score itself, computed without a game; cost: points lost a game, of which a won game has "
    "100."
)
ONLY_SUMS: Final = (
    "Only sums are kept of games in batches, so there is no profile and no worst move."
)
LONGEST_NAME = 60
"""The most characters of a player's name: enough to tell two files apart."""
Told = Callable[[str], str]
"""A text as the terminal can show it."""


def show_measurement(figures: Figures, console: Console, whole: bool = True) -> None:
    """Print a measurement below its title, at the width of the console, or only its table."""
    lines = measurement_report(figures, console.width, has_unicode())
    if not whole:
        lines = [*takewhile(lambda line: bool(line.plain), lines)]
    told: Told = str if has_unicode() else in_ascii
    title = Text(told(f"{figures.player} against {figures.against}"), f"bold {INK}")
    width = max(line.cell_len for line in lines)
    print_lines([title, Text(told("─" * width), LINE), *lines], console)


def measurement_report(figures: Figures, width: int, unicode: bool = True) -> list[Text]:
    """The report below its title, in lines of at most `width` characters; the least is 40."""
    width = min(max(LEAST, width), WIDEST)
    return render_lines(Group(*_parts(figures, width, str if unicode else in_ascii)), width)


def _parts(figures: Figures, width: int, told: Told) -> Iterator[RenderableType]:
    games, bold = figures.results.values(), f"bold {INK}"
    scores = render_lines(
        table(COLUMNS, [[*map(told, _row(game))] for game in games], width), width
    )
    yield Group(*scores)
    if formed := figures.with_form:
        title, _, *rest = FORM_HEADINGS  # there is only one player
        # What stands in the first table, too, goes first where there is no room.
        heads = [Column(title), *(Column(each, int(each == "as played"), True) for each in rest)]
        cells = [
            [told(first), *map(told, row)]
            for first, _, *row in (form_row(figures.player, each) for each in formed)
        ]
        yield from ("", Text(told(FORM_TITLE), bold), table(heads, cells, width))
        yield Text(told(FORM_LEGEND), SOFT)
    if not all(game.profile for game in games):
        yield from ("", Text(NO_COSTS, SOFT), *_spending_rows(figures, told))
        return
    yield from ("", Text(told(_legend(scores)), SOFT))
    yield from ("", Text("Where points are lost, in points a game", bold))
    yield from _profiles(figures, width, told)
    if any(game.worst for game in games):
        yield from ("", Text("The worst moves", bold))
    for game in games:
        if game.worst:
            yield from ("", Text(told(game.title), f"bold {BRASS}"))
        for number, mistake in enumerate(game.worst or (), 1):
            yield from _mistake(mistake, number, width, told)
    yield from _spending_rows(figures, told)


def _row(game: GameFigures) -> list[str]:
    cost = game.cost_per_decision
    return [
        game.title,
        with_interval(game.score, game.interval),
        with_interval(game.counted, game.counted_interval),
        "–" if game.ratio is None else f"× {game.ratio:,.1f}",
        "–" if game.exact is None else f"{game.exact:.5f}",
        "–" if cost is None else f"{POINTS * cost:.2f}",
        "–" if game.perfect is None else percent(game.perfect),
    ]


def _legend(scores: Sequence[Text]) -> str:
    """What those headings mean that are shown."""
    shown = " ".join(line.plain for line in scores)
    meant = (f"{name}: {meaning}" for name, meaning in LEGEND.items() if name in shown)
    return f"{'; '.join(meant)}."


def _profiles(figures: Figures, width: int, told: Told) -> Iterator[RenderableType]:
    """A bar for each kind of decision, all on one scale."""
    games = figures.results.values()
    longest = min(MOST, max(len(kind.name) for game in games for kind in game.profile or ()))
    most = max(POINTS * game.lost_by(kind) for game in games for kind in game.profile or ())
    room = max(1, min(LONGEST, width - longest - 11))
    for game in games:
        lost = points(POINTS * game.total_cost)
        yield ""
        yield Text(told(game.title), f"bold {BRASS}").append(told(f"  {lost} in all"), SOFT)
        for kind in game.profile or ():
            value = POINTS * game.lost_by(kind)
            line = Text(told(f"  {harmless(kind.name, longest):<{longest}}"), INK)
            line.append(told(f" {points(value):>6}  "), f"bold {INK}")
            bar = _bar(value / most if most > 0 else 0.0, room)
            empty = kind.perfect is None and len(VACUOUS) <= room
            yield line.append(VACUOUS, SOFT) if empty else line.append(told(bar), PLAYERS[0])


def _bar(share: float, room: int) -> str:
    """A bar of a share of the room; the least cost still shows.

    >>> _bar(0.5, 4), _bar(0.3, 4), _bar(0, 4)
    ('██', '█▎', '')
    """
    eighths = round(8 * room * max(0.0, share)) or int(share > 0)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).rstrip()


def _mistake(one: Mistake, number: int, width: int, told: Told) -> Iterator[RenderableType]:
    """A move with its position, what it cost and what was better."""
    when = "set-up" if one.turn is None else f"turn {one.turn}"
    place = f"round {one.round}, Player {one.seat.value}, {when}, {one.kind}"
    head = Text(told(f"  {number}. {one.said}"), f"bold {INK}")
    head.append(told(f"  −{points(POINTS * one.cost)} points"), f"bold {BRASS}")
    yield ""
    yield head
    yield _indent(Text(told(place), SOFT))
    drawn = [] if one.drawing is None else board(one.drawing, min(BOARD, width - 5), told is str)
    for row in drawn:
        row.plain = told(row.plain)
    known = [_hanging_line(told(line)) for line in _position(one.picture, bool(drawn))]
    if drawn and width >= BESIDE:
        beside = Table.grid(padding=(0, 4, 0, 0))
        beside.add_column(width=max(line.cell_len for line in drawn))
        beside.add_row(Group(*drawn), Group(*known))
        yield _indent(beside)
    else:
        yield from map(_indent, (*drawn, *known))
    why = f" {one.why[:1].upper()}{one.why[1:]}" if one.why else ""
    yield _indent(Text(told(f"Better: {one.better_said}.{why}"), INK))
    if one.thought:
        yield _indent(Text(told(f"It said: {one.thought}"), SOFT))


def _position(picture: str, drawn: bool) -> Iterator[str]:
    """The lines of a position that the drawing does not show: a secret, and the latest turns."""
    parts = [part.split("\n") for part in picture.split("\n\n") if part]
    if drawn:
        parts = [part for part in parts if part[0].startswith("Own ") or _is_record(part)]
    for lines in parts:
        if _is_record(lines) and len(lines) > LATEST:
            yield f"… {len(lines) - LATEST} earlier turns"
            lines = lines[-LATEST:]
        yield from lines


def _hanging_line(line: str) -> RenderableType:
    """A line of a position; if it wraps, a turn's text stays clear of its number."""
    number, _, turn = line.partition(". ")
    if not number.isdecimal():
        return Text(line, SOFT)
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(width=len(number) + 1)
    row.add_row(Text(f"{number}.", SOFT), Text(turn, SOFT))
    return row


def _is_record(lines: list[str]) -> bool:
    return lines[0].startswith("1. ")


def _spending_rows(figures: Figures, told: Told) -> Iterator[RenderableType]:
    """What was played, and what it took."""
    games = figures.results.values()
    count = sum(game.games for game in games)
    seconds = sum(game.spent.seconds for game in games)
    parts = [f"{count:,} games", describe_seed(figures.seed, figures.seed_known)]
    totals = (
        (sum(game.forfeits for game in games), "{:,} forfeits"),
        (sum(game.spent.illegal for game in games), "{:,} illegal answers"),
        (seconds if seconds >= 1 else 0, "{:,.1f} seconds of its own"),
        (sum(game.spent.tokens or 0 for game in games), "{:,} tokens"),
        (sum(game.spent.money or 0.0 for game in games), "${:,.2f}"),
    )
    parts += [shown.format(total) for total, shown in totals if total]
    baselines = {game.baseline: game.title for game in games if game.baseline}
    yield from ("", Text(told(f"{', '.join(parts)}."), SOFT))
    for baseline in baselines:
        titles = ", ".join(game.title for game in games if game.baseline == baseline)
        yield Text(told(f"V is {baseline}: {titles}."), SOFT)
    lucks = [f"{game.luck_z:.1f} at {game.title}" for game in games if game.luck_z is not None]
    if lucks:
        yield Text(told(f"Luck taken out, in standard errors: {', '.join(lucks)}."), SOFT)
    for warning in figures.warnings:
        yield Text(told(warning), f"bold {BRASS}")


def _indent(part: RenderableType) -> Padding:
    return Padding(part, (0, 0, 0, 5), expand=False)


def in_ascii(text: str) -> str:
    """A text in plain ASCII, also a stranger's."""
    plain = spell(text, unicode=False).replace("±", "+/-")
    return plain.encode("ascii", "replace").decode()


STANDINGS_COLUMNS = (Column("player"), *(Column(name, right=True) for name in HEADINGS[1:]))
LIVE = (Column("player"), Column("games", 1, right=True), Column("score", right=True))
NO_RATINGS = "Ratings need the extra arena: pip install 'strongroom[arena]'"


def standings_report(standings: Standings, width: int, unicode: bool = True) -> list[Text]:
    """The results in lines of at most `width` characters; the least width is 40."""
    width = min(max(LEAST, width), WIDEST)
    return render_lines(
        Group(*_standings_parts(standings, width, str if unicode else in_ascii)), width
    )


def _standings_parts(standings: Standings, width: int, told: Told) -> Iterator[RenderableType]:
    schedule = standings.schedule
    yield Text(told(", ".join(schedule.players)), f"bold {INK}")
    yield Text(told("─" * width), LINE)
    for results in standings.tables:
        yield Text(told(results.title), f"bold {BRASS}")
        yield table(STANDINGS_COLUMNS, [[*map(told, row)] for row in rows(results)], width)
        yield ""
        crossed = (Column(""), *(Column(told(f"against {n}"), right=True) for n in results.players))
        yield table(crossed, [[*map(told, row)] for row in cross_table(results)], width)
        yield from (Text(told(line), INK) for line in results.notes)
        yield ""
    yield Text(told(standings.legend), SOFT)
    if not standings.together.ratings():
        yield Text(told(paste(NO_RATINGS)), SOFT)
    seed = describe_seed(schedule.seed, schedule.seed_known)
    yield Text(told(f"{standings.games:,} games, {seed}."), SOFT)


class LiveStandings(Bars):
    """The standings above a bar for each game, while they are played."""

    def __init__(self, standings: Standings) -> None:
        self._standings = standings
        self._told: Told = str if has_unicode() else in_ascii
        super().__init__()
        self._counts = self.count_games(standings.schedule.games, " games")

    def show_count(self, game: Game, more: int = 0) -> None:
        """Show how often a game has been played, with `more` games that are not counted yet."""
        schedule = self._standings.schedule
        of = schedule.rounds * len(schedule.pairs)
        self._counts(game, self._standings.count(game.name) + more, of)

    def get_renderables(self) -> Iterator[RenderableType]:
        """The table, as long as games are left, and the bars below it.

        Of many players, it shows the best, so that the bars stay on the screen.
        """
        results = self._standings.together
        if not self.finished and any(results.total(name) for name in results.players):
            best = islice(_live(results), max(1, self.console.height - len(self.tasks) - 2))
            yield table(LIVE, [[*map(self._told, row)] for row in best], self.width)
        yield from super().get_renderables()


def _live(results: Results) -> Iterator[tuple[str, str, str]]:
    for name in results.ranking:
        total = results.total(name)
        yield name, f"{total.games:,}" if total else "0", str(total or "–")


# --- in batches, on puzzles, and compared ---------------------------------------------------------


def print_batched(measured: BatchedMeasurement) -> None:
    """Print the figures of a player who was measured in batches."""
    protocol, results = measured.protocol, measured.results.values()
    columns = [Column("game"), *(Column(name, right=True) for name in ("counted", "by costs"))]
    columns += [Column("exact", worth=1, right=True), Column("cost", right=True)]
    print(f"{protocol.player} against {protocol.against}")
    print_table(columns, [_batched_row(each) for each in results])
    games = sum(tally.games for each in results for tally in each.tallies.values())
    print(BATCHED_LEGEND)
    unit = "game" if games == 1 else "games"
    seed = describe_seed(protocol.seed, protocol.seed_known)
    print(f"{games:,} {unit} on {measured.device}, {seed}. {ONLY_SUMS}")


def _batched_row(result: BatchedResult) -> list[str]:
    cost, costs, exact = result.cost, result.by_costs, result.exact
    return [
        result.game.title,
        with_interval(result.counted.mean, result.counted.interval, 5),
        "–" if costs is None else with_interval(costs.mean, costs.interval, 5),
        "–" if exact is None else f"{exact:.5f}",
        "–" if cost is None else f"{100 * cost:.2f}",
    ]


def print_answers(found: Sequence[PuzzleResult]) -> None:
    """Print what a player's answers to puzzles cost, game by game and together."""
    shown = [*found]
    if len(shown) > 1:
        shown.append(combine(shown))
    bots = shown[-1].bots
    columns = [Column("game"), *(Column(name, right=True) for name in ("puzzles", "solved"))]
    columns += [Column("lost", right=True)]
    columns += [Column(f"{bot} loses", worth=1, right=True) for bot in bots]
    rows = [
        [
            each.title,
            str(each.puzzles),
            f"{100 * each.solved:.0f} %",
            with_interval(each.cost, each.interval, 1, scale=POINTS),
            *(f"{100 * each.bots.get(bot, 0.0):.1f}" for bot in bots),
        ]
        for each in shown
    ]
    print_table(columns, rows)
    print(
        "What is lost is in points a puzzle, of which a won game has 100, ± or in brackets its "
        "interval of at least 95 %."
    )
    if tokens := sum(each.tokens or 0 for each in found):
        money = sum(each.money or 0.0 for each in found)
        print(f"Tokens: {tokens:,}" + (f", for ${money:.2f}." if money else "."))
    if illegal := sum(each.illegal for each in found):
        print(f"No legal answer: {illegal}, after all tries. They count as the worst move.")
    last, puzzles = shown[-1], max(1, shown[-1].puzzles)
    if last.first_try < puzzles:
        any_try = percent((puzzles - last.illegal) / puzzles)
        told = f"Legal at the first try: {percent(last.first_try / puzzles)}, at any: {any_try}."
        lost = "" if last.answered_cost is None else f" {points(POINTS * last.answered_cost)}"
        print(f"{told} Lost over the answers that were legal:{lost or ' –'}.")


def print_account(experiment: Experiment) -> None:
    """Print how a model was asked and what its answers took, kind by kind."""
    bill, prices = experiment.spent, experiment.prices
    counts = (bill.tokens_in, bill.tokens_out, bill.cached_tokens, bill.reasoning_tokens)
    items = (prices or Prices(0.0, 0.0)).items(*counts)
    shown = [each for each in items if each.tokens or each.kind in ("in", "out")]
    columns = [Column("tokens"), Column("number", right=True)]
    columns += [Column(name, right=True) for name in ("$ a million", "$") if prices]
    rows = [
        [each.kind, f"{each.tokens:,}"]
        + [f"{each.price:g}", f"{each.money:,.4f}"] * (prices is not None)
        for each in shown
    ]
    told = [f"{name}={each}" for name, each in experiment.settings.chosen.items()]
    print()
    print(harmless(", ".join([f"Asked by {experiment.asked}", *told]), 400))
    print_table(columns, rows)
    print(harmless(_bill_text(bill, experiment), 400))


def _bill_text(bill: Bill, experiment: Experiment) -> str:
    """What answers took, in sentences."""
    told = f"{bill.calls:,} calls, {bill.seconds / max(1, bill.calls):.2f} seconds each"
    if bill.money:
        told += f", ${bill.money:,.4f} in all"
    told += "; games that were broken off count, too."
    if experiment.at_once is not None:
        told += f" The endpoint bears {experiment.at_once} at once."
    if bill.guessed_tokens:
        told += f" {bill.guessed_tokens:,} of the tokens are guessed"
        told += f", and ${bill.guessed_money:,.4f}." if bill.guessed_money else "."
    return told


def print_comparisons(found: Sequence[Comparison]) -> None:
    """Print how players compare, a table for each pair of them."""
    for players in dict.fromkeys(each.players for each in found):
        those = [each for each in found if each.players == players]
        one, two = (harmless(name, LONGEST_NAME) for name in players)
        columns = [
            Column("game"),
            Column("", worth=1),
            Column(one, right=True),
            Column(two, right=True),
            Column("difference", right=True),
            Column("better"),
        ]
        pairs = min(each.pairs for each in those)
        paired = f"paired game by game: {pairs}" if pairs else "not paired: other seeds"
        print(f"{one} and {two}, {paired}")
        print_table(columns, list(_comparison_rows(those)))
        print()


def _comparison_rows(those: Sequence[Comparison]) -> Iterator[list[str]]:
    for each in those:
        one, two = each.scores
        better = harmless(each.better, LONGEST_NAME)
        yield [
            harmless(each.title),
            "score",
            f"{one:.3f}",
            f"{two:.3f}",
            _difference_text(each.score, 3),
            better,
        ]
        yield from _form_rows(each)
        for kind, difference in each.kinds.items():
            better = harmless(each.better_at(kind), LONGEST_NAME)
            cost = f"points lost by {harmless(kind)}"
            yield ["", cost, "", "", _difference_text(difference, 1, POINTS), better]


def _form_rows(each: Comparison) -> Iterator[list[str]]:
    """How often each player answered legally, and the score apart from that, if it matters."""
    if each.answered is not None:
        told = _difference_text(each.answered, 3)
        yield ["", "score of what was answered", *_form_cells(each, _answered_text), told, ""]
    if not all(form is None or form.is_clean for form in each.forms):
        yield ["", "legal at the first try", *_form_cells(each, _first_try), "", ""]
        yield ["", "legal at any try", *_form_cells(each, _any_try), "", ""]


def _form_cells(each: Comparison, told: Callable[[Form], str]) -> Iterator[str]:
    return ("–" if form is None else told(form) for form in each.forms)


def _answered_text(form: Form) -> str:
    return "–" if form.score is None else f"{form.score:.3f}"


def _first_try(form: Form) -> str:
    return "–" if form.first_try is None else percent(form.share(form.first_try))


def _any_try(form: Form) -> str:
    return percent(form.share(form.answered))


def _difference_text(difference: Difference, digits: int, scale: int = 1) -> str:
    return with_interval(difference.mean, difference.interval, digits, sign="+", scale=scale)
