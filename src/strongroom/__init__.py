"""Five two-player duels of codes and nerve, perfectly refereed."""

from strongroom.registry import load

__version__ = "0.1.0"
__all__ = ["__version__", "load"]
