"""`strongroom doctor`: which extras can be used on this machine, and what to install."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from strongroom.terminal.exits import FAILED, FINISHED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strongroom.plugins.installed import Examined

WORDS = """\
examples:
  strongroom doctor                 what is installed, and what to install
  strongroom doctor gymnasium mcp   only these; exit code 1 unless both are open
  strongroom doctor --try           import each, to find what is broken
  strongroom doctor --json

Say for every framework in which the games can be used, and for every other
extra, whether it is installed in a version that strongroom accepts, and how to
install it if not. Nothing is imported, unless --try is given. Exit code 1 means
that an extra is broken or in another version than is needed, or that one that
was named is not open.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    from strongroom.plugins.installed import EXTRAS

    parser.add_argument(
        "extra", metavar="EXTRA", nargs="*", choices=list(EXTRAS), help="only these"
    )
    parser.add_argument(
        "--try", dest="trying", action="store_true", help="import each one, which takes a while"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(chosen: argparse.Namespace) -> int:
    """Print what was found; something that is broken is a failure."""
    import json
    import platform

    from strongroom.plugins.installed import EXTRAS, State, examine
    from strongroom.version import __version__

    found = examine(dict.fromkeys(chosen.extra) or EXTRAS, chosen.trying)
    python = platform.python_version()
    if chosen.json:
        extras = [each.to_json() for each in found]
        print(json.dumps({"strongroom": __version__, "python": python, "extras": extras}))
    else:
        print(f"strongroom {__version__}, Python {python}\n")
        _print(found)
    fine = {State.OPEN} if chosen.extra else {State.OPEN, State.MISSING}
    return FINISHED if {each.state for each in found} <= fine else FAILED


def _print(found: Sequence[Examined]) -> None:
    from strongroom.plugins.installed import EXTRAS, State
    from strongroom.terminal.signs import has_unicode
    from strongroom.terminal.text_tables import Column, print_table
    from strongroom.text.quoting import harmless

    okay, absent, wrong = ("✓", "–", "✗") if has_unicode() else ("ok", "-", "NO")
    signs = {State.OPEN: okay, State.MISSING: absent}
    rows = [
        [
            signs.get(each.state, wrong),
            each.name,
            EXTRAS[each.name].purpose,
            harmless(_told(each), 400),
        ]
        for each in found
    ]
    found_or_how = Column("installed, or to install")
    print_table([Column(""), Column("extra"), Column("for", worth=1), found_or_how], rows)


def _told(extra: Examined) -> str:
    from strongroom.plugins.installed import State

    if extra.state is State.OPEN:
        return ", ".join(f"{need.name} {need.installed}" for need in extra.needs)
    if extra.state is State.BROKEN:
        return f"{extra.trouble}; try: {extra.install}"
    if extra.state is State.MISSING:
        return extra.install
    wrong = [
        f"{need.name} {need.installed} is not {need.wanted}"
        for need in extra.needs
        if need.state is State.OUTSIDE
    ]
    return f"{', '.join(wrong)}; {extra.install}"
