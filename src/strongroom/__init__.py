"""Five two-player duels of codes and nerve, perfectly refereed and solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strongroom.plugins.registry import load
from strongroom.version import __version__

if TYPE_CHECKING:
    from strongroom.analysis import Analysis
    from strongroom.referee.record import Record

__all__ = ["__version__", "analyze", "load"]


def analyze(record: Record) -> Analysis:
    """What each decision of a finished match cost, given what the mover knew."""
    from strongroom import analysis  # loads numpy, which only an analysis should wait for

    return analysis.analyze(record)
