"""The menu: what `strongroom` alone asks before it plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

from strongroom import registry
from strongroom.refusal import Refusal, shown, whole_number
from strongroom.terminal.arguments import OPPONENTS, seated, typed_game
from strongroom.terminal.lines import InputEnded, Lines, open_lines
from strongroom.terminal.sitting import INPUT_ENDED, Sitting, Wishes


class _Leaves(Exception):
    """The person wants no game."""


def menu() -> int:
    """Ask for a game, an opponent, who starts and the names, then play."""
    lines = open_lines()
    print("strongroom: five duels of codes and nerve\n")
    try:
        wishes = _ask_wishes(lines)
    except InputEnded:
        return INPUT_ENDED
    except _Leaves:
        return 0
    return Sitting(wishes).play()


def _ask_wishes(lines: Lines) -> Wishes:
    names = registry.game_names()
    width = max(map(len, names))
    games = [f"{name:{width}}  {registry.summary(name)}" for name in names]
    game = _choose(lines, "Which game?", names, games)
    print(f"\nHow it goes: strongroom rules {game}, or type rules once you play.\n")
    kinds = ["another person at this keyboard"]
    kinds += [f"{name}, who {line}" for name, line in registry.PLAYERS.items()]
    opponent = _choose(lines, "Against whom?", OPPONENTS, kinds)
    print()
    seats = ["you", "the other", "a toss decides"]
    seat = _choose(lines, "Who starts?", ("1", "2", "toss"), seats, ("you", "other", "toss"))
    rng = SystemRandom()
    while True:
        print()
        yours = _name(lines, "Your name (or Enter): ") or "You"
        if opponent == "person":
            others = _name(lines, "The other's name (or Enter): ") or "Other"
        else:
            others = opponent.title()
        try:
            sitters = seated(opponent, seat, [yours, others], rng)
        except Refusal as refusal:
            print(refusal)
            continue
        print()
        return Wishes(typed_game(game, []), sitters, tossed=seat == "toss")


def _name(lines: Lines, question: str) -> str:
    name = lines.read(question).strip()
    if name.lower() == "quit":
        raise _Leaves
    return name


def _choose(
    lines: Lines,
    question: str,
    values: Sequence[str],
    words: Sequence[str],
    names: Sequence[str] = (),
) -> str:
    """One of the values, picked by its number or by the beginning of its name."""
    print(question)
    for number, text in enumerate(words, 1):
        print(f"  {number}. {text}")
    while True:
        typed = lines.read(f"Enter 1 to {len(values)} (or quit): ").strip().lower()
        if typed in ("quit", "q", "exit"):
            raise _Leaves
        if typed.isascii() and typed.isdigit():
            if 1 <= whole_number(typed) <= len(values):
                return values[whole_number(typed) - 1]
        elif typed:
            fits = [v for v, n in zip(values, names or values, strict=True) if n.startswith(typed)]
            if len(fits) == 1:
                return fits[0]
        print(f"{shown(typed)} is none of these. Type a number from 1 to {len(values)}.")
