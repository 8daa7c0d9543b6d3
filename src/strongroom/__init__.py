"""Five two-player duels of codes and nerve, perfectly refereed and solved."""

from __future__ import annotations

from strongroom.registry import load

TYPE_CHECKING = False  # typing's own constant would cost a tenth of the start
if TYPE_CHECKING:
    from strongroom.analysis import Analysis
    from strongroom.record import Record

__version__ = "0.1.0"
__all__ = ["__version__", "analyze", "load"]


def analyze(record: Record) -> Analysis:
    """What each decision of a finished match cost, given what the mover knew."""
    from strongroom import analysis  # with numpy, which nobody who only plays should wait for

    return analysis.analyze(record)
