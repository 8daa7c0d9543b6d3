"""Long texts on a terminal, shown by the pager that the person likes."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys


def page(text: str) -> None:
    """Show a text by the pager; print it where there is none, where it fails, or in a pipe."""
    command = _pager() if sys.stdout.isatty() else []
    if not command or not _shown_by(command, text):
        print(text, end="" if text.endswith("\n") else "\n", flush=True)


def _pager() -> list[str]:
    """The command of the pager, empty where none is wanted; `less` if nothing is said."""
    if os.environ.get("NO_PAGER") or os.environ.get("TERM", "dumb") == "dumb":
        return []
    try:
        wished = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:  # a quotation mark is missing
        return []
    return wished if wished and wished != ["cat"] and shutil.which(wished[0]) else []


def _shown_by(command: list[str], text: str) -> bool:
    """Whether a pager has shown the text; one that says it failed has not."""
    # Colours are shown, a text that fits is just printed, and the text stays when less is left.
    environment = {"LESS": "FRX", **os.environ}
    sys.stdout.flush()
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    except OSError:
        return False
    # Ctrl-C belongs to the pager, for which it may mean something else than the end.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.communicate(text.encode(sys.stdout.encoding or "utf-8", "replace"))
    finally:
        signal.signal(signal.SIGINT, before)
    return process.returncode <= 0
