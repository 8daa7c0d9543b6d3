"""Solving games and proving tables, each game in a process of its own."""

from __future__ import annotations

import json as json_text
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from queue import Empty
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from strongroom.contract import Game
from strongroom.theory import shelf
from strongroom.theory.solution import Report, Worth
from strongroom.theory.verification import Verdict, compute, verify

HEADINGS = (
    *("game", "value", "about", "lower", "upper", "exploitable"),
    *("time", "memory", "shipped", "recomputed"),
)


@dataclass(frozen=True)
class Solved:
    """What was found out about a game, and what that cost."""

    verdict: Verdict
    seconds: float
    peak_mb: float

    def to_json(self) -> dict[str, Any]:
        """The verdict and its cost as JSON data."""
        cost = {"seconds": round(self.seconds, 1), "peak_mb": round(self.peak_mb)}
        return {**self.verdict.to_json(), **cost}


def solve(games: Sequence[Game], verifying: bool, json: bool, write: bool) -> int:
    """Solve or verify the games side by side and print what came out; 1: something is unproved."""
    solved = _in_processes(games, verifying and not write, write)
    if json:
        for each in solved:
            print(json_text.dumps(each.to_json()))
    else:
        _print(solved)
    return int(verifying and not all(each.verdict.verified for each in solved))


def _in_processes(games: Sequence[Game], verifying: bool, write: bool) -> list[Solved]:
    # A process of its own for each game, so that the peak of its memory is its own, too.
    spawn = multiprocessing.get_context("spawn")
    workers = max(1, min(len(games), os.cpu_count() or 1))
    with (
        spawn.Manager() as manager,
        ProcessPoolExecutor(workers, spawn, max_tasks_per_child=1) as pool,
    ):
        news: Any = manager.Queue()
        futures = [pool.submit(_solve_one, game, verifying, write, news) for game in games]
        _show_progress(games, futures, news)
        return [future.result() for future in futures]


def _solve_one(game: Game, verifying: bool, write: bool, news: Any) -> Solved:
    # One core a game: libraries that take all cores would only fight with the other games.
    def report(done: float, words: str) -> None:
        news.put((shelf.label(game), done, words))

    return measured(game, verifying, write, report)


def measured(game: Game, verifying: bool, write: bool, report: Report) -> Solved:
    """Solve or verify a game in this process, and say what it cost."""
    begin = time.perf_counter()
    verdict = verify(game, report) if verifying else compute(game, report, write)
    return Solved(verdict, time.perf_counter() - begin, _peak_mb())


def _peak_mb() -> float:
    """The most memory this process has had; Linux counts in kilobytes, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def _show_progress(games: Iterable[Game], futures: Sequence[Future[Solved]], news: Any) -> None:
    columns = (
        TextColumn("{task.description:18}"),
        BarColumn(20),
        TextColumn("{task.percentage:3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[words]}"),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        tasks: dict[str, TaskID] = {
            shelf.label(game): bar.add_task(game.name, total=1.0, words="waiting") for game in games
        }
        while not all(future.done() for future in futures) or not news.empty():
            try:
                label, done, words = news.get(timeout=0.2)
            except Empty:
                continue
            bar.update(tasks[label], completed=done, words=words)


def _print(solved: Iterable[Solved]) -> None:
    grid = Grid(box=None, pad_edge=False)
    for heading in HEADINGS:
        grid.add_column(heading, no_wrap=True)
    troubles = []
    for each in solved:
        verdict = each.verdict
        grid.add_row(
            shelf.label(verdict.game),
            *_proved(verdict),
            f"{each.seconds:.0f} s",
            f"{each.peak_mb:.0f} MB",
            verdict.shipped.value,
            verdict.recomputed.value,
        )
        for name, number in verdict.certificate.figures.items() if verdict.certificate else ():
            grid.add_row(f"  {name}", _short(number), f"{float(number):.6f}")
        if verdict.trouble:
            troubles.append(f"{shelf.label(verdict.game)}: {verdict.trouble}")
    console = Console(width=None if sys.stdout.isatty() else 180, markup=False, highlight=False)
    console.print(grid)
    for trouble in troubles:
        print(trouble, file=sys.stderr)


def _proved(verdict: Verdict) -> list[str]:
    """The value and the bounds of a game, as far as they are proved."""
    certificate = verdict.certificate
    if certificate is None:
        return ["-"] * 5
    gap = certificate.upper - certificate.lower
    return [
        _short(certificate.value),
        f"{float(certificate.value):.6f}",
        f"{float(certificate.lower):.9f}",
        f"{float(certificate.upper):.9f}",
        "0" if gap == 0 else f"{float(gap):.1e}",
    ]


def _short(number: Worth) -> str:
    text = str(number) if isinstance(number, Fraction) else f"{number:.9f}"
    return text if len(text) <= 24 else f"a fraction of {len(text)} characters"
