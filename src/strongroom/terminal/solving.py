"""Solving games and verifying tables, each game in its own process."""

from __future__ import annotations

import json as json_text
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from fractions import Fraction
from queue import Empty
from typing import Any

from strongroom.contests.workers import Workers, defer_signals
from strongroom.contract import Game
from strongroom.plugins.extras import MissingExtra
from strongroom.terminal.reports.progress import Bars
from strongroom.terminal.reports.tables import Column, print_table
from strongroom.theory import shelf
from strongroom.theory.certificate import Verdict, compute, verify
from strongroom.theory.solution import Report
from strongroom.theory.worth import Probability

COLUMNS = (
    Column("game"),
    Column("value", right=True),
    Column("about", worth=1, right=True),
    Column("lower", worth=2, right=True),
    Column("upper", worth=2, right=True),
    Column("exploitable", worth=3, right=True),
    Column("time", worth=4, right=True),
    Column("memory", worth=5, right=True),
    Column("shipped"),
    Column("recomputed"),
)

STILL_WORKS = (
    "Without it, --verify still proves the shipped table, which master, hint and analyze use."
)


@dataclass(frozen=True)
class Solved:
    """The verdict on a game, and what it cost to compute."""

    verdict: Verdict
    seconds: float
    peak_mb: float

    def to_json(self) -> dict[str, Any]:
        """The verdict and its cost as JSON data."""
        cost = {"seconds": round(self.seconds, 1), "peak_mb": round(self.peak_mb)}
        return {**self.verdict.to_json(), **cost}


def solve(games: Sequence[Game], verifying: bool, json: bool, write: bool) -> int:
    """Solve or verify the games in parallel and print the results; 1 if verification fails."""
    try:
        solved = _in_processes(games, verifying and not write, write)
    except MissingExtra as missing:
        if not all(map(shelf.is_certified, games)):
            raise
        raise MissingExtra(missing.reason, f"{STILL_WORKS} {missing.accepted}") from None
    if json:
        for each in solved:
            print(json_text.dumps(each.to_json()))
    else:
        _print(solved)
    return int(verifying and not all(each.verdict.verified for each in solved))


def _in_processes(games: Sequence[Game], verifying: bool, write: bool) -> list[Solved]:
    # Each game gets its own process, so that its peak memory can be measured.
    workers = max(1, min(len(games), os.cpu_count() or 1))
    with defer_signals():
        manager = multiprocessing.get_context("spawn").Manager()
    with manager, Workers(workers, tasks_each=1) as pool:
        news: Any = manager.Queue()
        futures = [pool.submit(_solve_one, game, verifying, write, news) for game in games]
        _show_progress(games, futures, news)
        return [future.result() for future in futures]


def _solve_one(game: Game, verifying: bool, write: bool, news: Any) -> Solved:
    # One core per game: libraries that use all cores would only compete with the other games.
    label = shelf.label(game)
    return solve_here(game, verifying, write, lambda done, words: news.put((label, done, words)))


def solve_here(game: Game, verifying: bool, write: bool, report: Report) -> Solved:
    """Solve or verify a game in this process, and measure the cost."""
    begin = time.perf_counter()
    verdict = verify(game, report) if verifying else compute(game, report, write)
    return Solved(verdict, time.perf_counter() - begin, _peak_mb())


def _peak_mb() -> float:
    """The peak memory of this process; Linux reports kilobytes, macOS bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3


def _show_progress(games: Iterable[Game], futures: Sequence[Future[Solved]], news: Any) -> None:
    with Bars() as bars:
        works = {shelf.label(game): bars.wait_for(shelf.label(game)) for game in games}
        while True:
            ended = [future.done() for future in futures]
            try:
                label, done, words = news.get(timeout=0.2)
                bars.hear(works[label], min(done, 0.99), words)  # 100% only once its process ends
            except Empty:
                for work, over in zip(works.values(), ended, strict=True):
                    if over:
                        bars.hear(work, 1.0, "done")
                if all(ended):
                    break


def _print(solved: Iterable[Solved]) -> None:
    rows: list[list[str]] = []
    troubles = []
    for each in solved:
        verdict = each.verdict
        cost = [f"{each.seconds:.0f} s", f"{each.peak_mb:.0f} MB"]
        verdicts = [verdict.shipped.value, verdict.recomputed.value]
        rows.append([shelf.label(verdict.game), *_certificate_cells(verdict), *cost, *verdicts])
        for name, number in verdict.certificate.figures.items() if verdict.certificate else ():
            figure = [f"  {name}", _short(number), f"{float(number):.6f}"]
            rows.append(figure + [""] * (len(COLUMNS) - len(figure)))
        if verdict.trouble:
            troubles.append(f"{shelf.label(verdict.game)}: {verdict.trouble}")
    print_table(COLUMNS, rows)
    for trouble in troubles:
        print(trouble, file=sys.stderr)


def _certificate_cells(verdict: Verdict) -> list[str]:
    """The value and the bounds of a game, if they are proved."""
    certificate = verdict.certificate
    if certificate is None:
        return ["-"] * 5
    gap, value = certificate.upper - certificate.lower, certificate.value
    return [
        "not known" if value is None else _short(value),
        "-" if value is None else f"{float(value):.6f}",
        f"{float(certificate.lower):.9f}",
        f"{float(certificate.upper):.9f}",
        "0" if gap == 0 else f"{float(gap):.1e}",
    ]


def _short(number: Probability) -> str:
    text = str(number) if isinstance(number, Fraction) else f"{number:.9f}"
    return text if len(text) <= 24 else f"a fraction of {len(text)} characters"
