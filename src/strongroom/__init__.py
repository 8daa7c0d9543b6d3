"""Five two-player duels of codes and nerve, perfectly refereed and solved."""

from __future__ import annotations

from importlib import import_module

from strongroom.plugins.registry import load
from strongroom.version import __version__

TYPE_CHECKING = False  # without importing typing, which takes a tenth of the time to start
if TYPE_CHECKING:
    from typing import Any, Final

    from strongroom.accounts.analysis import analyze
    from strongroom.measuring.measure import measure

__all__ = ["__version__", "analyze", "load", "measure"]

LATE: Final = {"analyze": "strongroom.accounts.analysis", "measure": "strongroom.measuring.measure"}
"""The functions that load numpy, which only those who call them should wait for."""


def __getattr__(name: str) -> Any:
    """Import a function when it is first asked for."""
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(LATE[name]), name)
