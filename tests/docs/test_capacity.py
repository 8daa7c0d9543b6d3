"""The arithmetic on the page about capacity is right."""

from __future__ import annotations

from math import ceil

from tests.docs.pages import page, rows

MOVES_OF_A_GAME = 0.1
MOVES_OF_A_PROCESS = 500
KIB_OF_A_GAME = 100


def number(cell: str) -> float:
    return float(cell.replace(",", "").removesuffix(" GB"))


def test_each_row_follows_from_the_assumptions() -> None:
    text = " ".join(page("capacity.md").split())
    assert f"a game makes {MOVES_OF_A_GAME} moves a second" in text
    assert f"Take {MOVES_OF_A_PROCESS} moves a second" in text
    assert f"{KIB_OF_A_GAME} KiB for a game" in text
    heads = ("players at once", "games", "moves a second", "processes", "memory")
    for row in rows("capacity.md", *heads):
        players, games, moves, processes, memory = map(number, row)
        assert games == players / 2
        assert moves == games * MOVES_OF_A_GAME
        assert processes == max(1, ceil(moves / MOVES_OF_A_PROCESS))
        assert abs(memory - games * KIB_OF_A_GAME * 1024 / 1e9) < 0.05 * memory
