"""The published counts match the code and an independent derivation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path

import pytest

from strongroom.games.safe_code.clues import FIRST_CLUES
from strongroom.testing.perft import after, histories, perft, positions

PAGE = Path(__file__).parents[2] / "docs" / "perft.md"

BOOK_CLUES = (
    *("18", "The number is even.", "It is divisible by 3.", "It is less than 20."),
    *("7", "The number is a prime.", "It is less than 10.", "The number is odd."),
)


def published() -> dict[str, int]:
    """The counts in the page's table, by expression."""
    rows = re.findall(r"^\|.*\| `(.+)` \| ([\d,]+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
    return {expression: int(count.replace(",", "")) for expression, count in rows}


def test_every_game_has_two_published_counts_or_more_and_the_clues_are_all_there() -> None:
    assert published().keys() == DERIVATIONS.keys()
    counts = Counter(re.findall(r'after\("([a-z-]+)"', " ".join(published())))
    assert min(counts.values()) >= 2
    assert len(counts) == 5
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    listed = page.partition("sample game: ")[2]
    places = [listed.index(text) for text in BOOK_CLUES]
    assert places == sorted(places)
    assert Counter(clue.meaning for clue in FIRST_CLUES) == clue_meanings()


def walks_over_the_safes() -> int:
    """Turns counted safe by safe, without any game."""
    codes = [(3, 4, 2), (5, 1, 3)]
    ways: Counter[tuple[int, ...]] = Counter({(1, 1, 1): 1})
    for turn in range(5):
        reached: Counter[tuple[int, ...]] = Counter()
        for safe, count in ways.items():
            for place, digit in product(range(3), range(1, 6)):
                new = (*safe[:place], digit, *safe[place + 1 :])
                forbidden = turn < 2 and new == codes[turn]
                if new != safe and safe not in codes and not forbidden:
                    reached[new] += count
        ways = reached
    return ways.total()


def told_by_two_guesses() -> int:
    """Games of two guesses with their feedback and any wrong guess of the other in between."""
    codes = list(product((1, 2, 3), repeat=3))
    told = {
        (one, sum(map(int.__eq__, code, one)), two, sum(map(int.__eq__, code, two)))
        for code, one, two in product(codes, repeat=3)
        if code != one
    }
    return len(told) * 26


def clue_meanings() -> Counter[frozenset[int]]:
    """The numbers that each clue is true of: the clue language written a second time."""
    every = frozenset(range(1, 31))
    prime = {n for n in every if sum(n % d == 0 for d in every) == 2}
    sums = {n: n // 10 + n % 10 for n in every}
    products = {n: n if n < 10 else n // 10 * (n % 10) for n in every}
    tau = {n: sum(n % d == 0 for d in every) for n in every}
    with_contrary: list[set[int]] = [
        {n for n in every if n % 2 == 0},
        prime,
        set(every) - prime - {1},
        *({n for n in every if n > limit} for limit in range(1, 30)),
        *({n for n in every if n < limit} for limit in range(2, 31)),
        *(set(range(a, b + 1)) for a, b in combinations(every, 2) if (a, b) != (1, 30)),
        *({n for n in every if n % by == 0} for by in range(2, 31)),
        *({n for n in every if of % n == 0} for of in range(1, 101)),
        *({n for n in every if tau[n] == count} for count in {*tau.values()}),
        *({base**k for k in range(5)} & every for base in range(2, 11)),
        {n * n for n in range(1, 6)},
        {n**3 for n in range(1, 4)},
        {n * (n + 1) // 2 for n in range(1, 8)},
        {1, 2, 3, 5, 8, 13, 21},
        set(range(1, 10)),
        {11, 22},
        {n for n in every if n > 9 and n // 10 != n % 10},
        {n for n in every if not {*str(n)} & {*"13579"}},
        {n for n in every if not {*str(n)} & {*"02468"}},
        *({n for n in every if products[n] == each} for each in {*products.values()}),
        *({n for n in every if str(n).startswith(str(first))} for first in range(1, 10)),
        *({n for n in every if sums[n] == total} for total in range(1, 12)),
        *({n for n in every if sums[n] > total} for total in range(1, 11)),
        *({n for n in every if sums[n] < total} for total in range(2, 12)),
        *({n for n in every if n % 10 == last} for last in range(10)),
        *({n for n in every if str(digit) in str(n)} for digit in range(10)),
        *({n for n in every if n % by == rest} for by in range(2, 16) for rest in range(by)),
    ]
    different = [every - {n} for n in every]
    return Counter(
        [*map(frozenset, with_contrary), *(every - each for each in with_contrary), *different]
    )


Duel = tuple[str, int, int | None, bool]
"""A position of Quantum Duel: the board, whose turn (0 or 1), the contested cell, the coin."""


def duel_moves(board: str, mover: int, contested: int | None, coin: bool) -> list[Duel]:
    """Every position after one move; none when the game is over."""
    if contested is not None:
        stands = settle(board, mover)
        if not coin:
            return [(board, mover, contested, True), stands]
        return [stands, (board[:contested] + "_" + board[contested + 1 :], 1 - mover, None, False)]
    if "XXXX" in board or "OOOO" in board:
        return []
    found: list[Duel] = []
    for cell in (at for at in range(7) if board[at] == "_"):
        placed = board[:cell] + "XO"[mover] + board[cell + 1 :]
        beside = "XO"[mover] in board[max(0, cell - 1) : cell + 2]
        found.append((placed, mover, cell, False) if beside else settle(placed, mover))
    return found


def settle(board: str, mover: int) -> Duel:
    full = "_" not in board and "XXXX" not in board and "OOOO" not in board
    return ("_" * 7 if full else board), 1 - mover, None, False


def duel_sequences() -> int:
    level: Counter[Duel] = Counter([("_" * 7, 0, None, False)])
    for _ in range(10):
        reached: Counter[Duel] = Counter()
        for position, count in level.items():
            for after_move in duel_moves(*position):
                reached[after_move] += count
        level = reached
    return level.total()


def duel_positions() -> int:
    waiting: list[Duel] = [("_" * 7, 0, None, False)]
    seen = set(waiting)
    while waiting:
        for found in duel_moves(*waiting.pop()):
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    return len({(board, coin or mover, cell is None, coin) for board, mover, cell, coin in seen})


FARTHEST = [max(digit - 1, 9 - digit) for digit in range(1, 10)]
"""The distance from each digit to the farthest."""
DERIVATIONS: dict[str, Callable[[], int]] = {
    'perft(after("safecracker-duel"), 3)': lambda: 125 * (125 * 12 - 3 * 4),
    'perft(after("safecracker-duel", "3-4-2", "5-1-3"), 5)': walks_over_the_safes,
    'perft(after("safe-cracker", "2-1-3", "3-3-1"), 4)': lambda: 26**3 * 27,
    'histories(after("safe-cracker", "2-1-3"), 4)': told_by_two_guesses,
    'perft(after("safe-code", *BOOK_CLUES), 4)': lambda: 30**3 * 31,
    'positions(after("safe-code", *BOOK_CLUES))': lambda: 4 * 4 * 2 * 2,
    'perft(after("digit-deductions", "4-7", "6-5"), 3)': lambda: 80**2 * 81,
    'histories(after("digit-deductions", "4-7"), 2)': lambda: sum(
        1 + one + two for one, two in product(FARTHEST, FARTHEST)
    ),
    'perft(after("quantum-duel"), 10)': duel_sequences,
    'positions(after("quantum-duel"), 2)': duel_positions,
}


@pytest.mark.proof
@pytest.mark.parametrize("expression", published())
def test_a_published_count_matches_the_code_and_an_independent_derivation(expression: str) -> None:
    counting = {each.__name__: each for each in (after, perft, histories, positions)}
    counted = eval(expression, {**counting, "BOOK_CLUES": BOOK_CLUES})
    assert published()[expression] == counted == DERIVATIONS[expression]()
