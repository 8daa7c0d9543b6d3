"""`strongroom solve`: computing tables and certificates, each game in a process of its own."""

from __future__ import annotations

import json as json_text
import multiprocessing
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from fractions import Fraction
from queue import Empty
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from strongroom.game import Game
from strongroom.theory import NoTheory, Number, shelf
from strongroom.theory.certificate import Certificate, compute

Result = tuple[Certificate, str]
"""A certificate, and how the shipped table compares."""

HEADINGS = ["game", "value", "about", "lower", "upper", "exploitable", "time", "memory", "shipped"]
SAME, DIFFERENT, NOT_SHIPPED, WRITTEN = "the same", "DIFFERENT", "not shipped", "written"


def solve(games: Sequence[Game], verify: bool, json: bool, write: bool) -> int:
    """Solve the games side by side and print what came out; 1 if a shipped table differs."""
    results = _in_processes(games, write)
    for certificate, _ in results:
        if json:
            print(json_text.dumps(certificate.to_json()))
    if not json:
        _print(results)
    differs = any(shipped in (DIFFERENT, NOT_SHIPPED) for _, shipped in results)
    return int(verify and differs)


def _in_processes(games: Sequence[Game], write: bool) -> list[Result]:
    # A process of its own for each game, so that the peak of its memory is its own, too.
    spawn = multiprocessing.get_context("spawn")
    workers = max(1, min(len(games), os.cpu_count() or 1))
    with (
        spawn.Manager() as manager,
        ProcessPoolExecutor(workers, spawn, max_tasks_per_child=1) as pool,
    ):
        news: Any = manager.Queue()
        futures = [pool.submit(_solve_one, game, write, news) for game in games]
        _show_progress(games, futures, news)
        return [future.result() for future in futures]


def _solve_one(game: Game, write: bool, news: Any) -> Result:
    # One core a game: libraries that take all cores would only fight with the other games.
    def report(done: float, words: str) -> None:
        news.put((shelf.label(game), done, words))

    table, certificate = compute(game, report)
    if write:
        shelf.write(game, table, certificate.lower, certificate.upper, shelf.file_of(game))
        return certificate, WRITTEN
    try:
        _, provenance = shelf.read(game)
    except NoTheory:
        return certificate, NOT_SHIPPED
    proved = (str(certificate.lower), str(certificate.upper))
    agrees = (
        provenance["sha256"] == certificate.fingerprint
        and (provenance["lower"], provenance["upper"]) == proved
    )
    return certificate, SAME if agrees else DIFFERENT


def _show_progress(games: Iterable[Game], futures: Sequence[Future[Result]], news: Any) -> None:
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


def _print(results: Iterable[Result]) -> None:
    grid = Grid(box=None, pad_edge=False)
    for heading in (
        "game",
        "value",
        "about",
        "lower",
        "upper",
        "exploitable",
        "time",
        "memory",
        "shipped",
    ):
        grid.add_column(heading, no_wrap=True)
    for certificate, shipped in results:
        gap = certificate.upper - certificate.lower
        grid.add_row(
            shelf.label(certificate.game),
            _short(certificate.value),
            f"{float(certificate.value):.6f}",
            f"{float(certificate.lower):.9f}",
            f"{float(certificate.upper):.9f}",
            "0" if gap == 0 else f"{float(gap):.1e}",
            f"{certificate.seconds:.0f} s",
            f"{certificate.peak_mb:.0f} MB",
            shipped,
        )
        for name, number in certificate.extra.items():
            grid.add_row(f"  {name}", _short(number), f"{float(number):.6f}")
    Console(width=None if sys.stdout.isatty() else 160).print(grid)


def _short(number: Number) -> str:
    text = str(number) if isinstance(number, Fraction) else f"{number:.9f}"
    return text if len(text) <= 24 else f"a fraction of {len(text)} characters"
