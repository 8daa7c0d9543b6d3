"""Profiles for Hypothesis, and the markers, order and parallelism of tests."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import signal
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import luck
import pytest
from hypothesis import HealthCheck, settings
from starting import PATIENCE

settings.register_profile(
    "patient",
    deadline=None,
    derandomize=True,  # the same examples in every run, so that no luck decides
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("quick", settings.get_profile("patient"), max_examples=20)
settings.register_profile(
    "explore", settings.get_profile("patient"), derandomize=False, max_examples=200
)
settings.load_profile("patient")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell makes what it runs in the background ignore Ctrl-C, which is tested too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

HERE = Path(__file__).parent
PROGRAMS = {
    *("browser", "sit_down", "serve", "server", "postgres"),
    *("address", "installed", "program"),
}
"""The fixtures that run a whole program; tests in folders called `whole` run one too."""
NOT_INSTALLED = re.compile("Skipped: (.*) is not installed")
"""Why `missing` skips a test."""
ELSEWHERE = "batches (make batches), heavy doors (make doors), lowest versions (make lowest)"
"""What `make test` leaves out on every machine, and what runs it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests, and put files with proofs first so that none runs alone at the end."""
    for item in items:
        folders = item.path.relative_to(HERE).parts if item.path.is_relative_to(HERE) else ()
        if "whole" in folders or PROGRAMS & set(getattr(item, "fixturenames", ())):
            item.add_marker("whole")
    proofs = {item.path for item in items if item.get_closest_marker("proof")}
    items.sort(key=lambda item: item.path not in proofs)


@pytest.fixture(autouse=True)
def _luck(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fresh randomness is the same in every run; the seed of `make explore` changes it."""
    seed = request.config.getoption("hypothesis_seed", None)
    luck.fix(f"{request.node.nodeid} {'' if seed is None else seed}")
    yield
    luck.free()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine as a test, with the asynchronous fixtures that it asks for open."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    given = {name: pyfuncitem.funcargs[name] for name in names}

    async def run() -> None:
        async with asyncio.timeout(PATIENCE), AsyncExitStack() as opened:
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await opened.enter_async_context(value)
            await pyfuncitem.obj(**given)

    asyncio.run(run())
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use three processes for two cores: all but cheap tests wait a quarter of the time."""
    cores = os.cpu_count() or 1
    return cores if config.option.markexpr else cores + cores // 2


def pytest_unconfigure(config: pytest.Config) -> None:
    """After a run of everything, say in the last line what was left out."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if reporter is None or not everything or config.option.markexpr or config.option.collectonly:
        return
    reasons = {str(each.longrepr[2]) for each in reporter.stats.get("skipped", ())}
    lost = sorted(found[1] for found in map(NOT_INSTALLED.fullmatch, reasons) if found)
    installed = f"; not installed here: {', '.join(lost)}" if lost else ""
    reporter.write_line(f"Left out: {ELSEWHERE}{installed}.")
