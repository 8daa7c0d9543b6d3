"""Writes the tables of docs/leaderboard.md, and its picture, from the reports in docs/leaderboard.

    python docs/make_leaderboard.py [--unchecked]

Every report is checked first. To add one: `strongroom leaderboard REPORT --brief docs/leaderboard`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from strongroom.contract import Refusal
from strongroom.measuring.leaderboard import Leaderboard, markdown, plot
from strongroom.measuring.reports import check, read
from strongroom.report.page import picture
from strongroom.terminal.store.files import replace_text

DOCS: Final = Path(__file__).parent
PAGE: Final = DOCS / "leaderboard.md"
PICTURE: Final = DOCS / "charts" / "leaderboard.svg"
BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->\n"
SHOWN: Final = f"![Each player's score, with its interval](charts/{PICTURE.name})"


def leaderboard(checked: bool) -> Leaderboard:
    """The leaderboard of the reports; one that does not hold is refused."""
    board = Leaderboard()
    for file in sorted((DOCS / "leaderboard").glob("*.json")):
        report = read(file.read_text(encoding="utf-8"), brief=True)
        if checked and (troubles := check(report)):
            raise Refusal(f"{file.name} does not hold: {troubles[0]}")
        board.add(report, file.name)
    return board


def tables(board: Leaderboard) -> str:
    """All tables, the first with the picture."""
    (first, text), *others = markdown(board)
    parts = [f"## {first}\n\n{SHOWN}\n\n{text}"]
    return "\n\n".join([*parts, *(f"## {title}\n\n{each}" for title, each in others)]) + "\n"


def page(board: Leaderboard) -> str:
    """The page with its tables written anew."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return f"{before}{BEGIN}\n{tables(board)}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Check the reports, and write the page and the picture."""
    board = leaderboard(checked="--unchecked" not in sys.argv)
    replace_text(PICTURE, picture(plot(board.tables[0][1])))
    replace_text(PAGE, page(board))
    print(f"Written: {PAGE}")


if __name__ == "__main__":
    main()
