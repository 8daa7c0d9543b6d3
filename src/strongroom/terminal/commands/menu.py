"""The menu: what `strongroom` alone asks before it plays."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom import registry
from strongroom.contract import Refusal, shown, whole_number
from strongroom.randomness import stream
from strongroom.terminal.arguments import opponents, seated, typed_game
from strongroom.terminal.exits import FINISHED, INPUT_ENDED
from strongroom.terminal.lines import InputEnded, Lines, open_lines
from strongroom.terminal.table.sitting import Sitting, Wishes


class WantsNoGame(Exception):
    """The person wants no game."""


def run() -> int:
    """Ask for a game, an opponent, who starts and the names, then play."""
    lines = open_lines()
    print("strongroom: five duels of codes and nerve\n")
    try:
        wishes = ask_wishes(lines)
    except InputEnded:
        return INPUT_ENDED
    except WantsNoGame:
        return FINISHED
    return Sitting(wishes).play()


def ask_wishes(lines: Lines) -> Wishes:
    """What the person wants to play, with whom, from which seat and under which names."""
    names = registry.names("game")
    width = max(map(len, names))
    games = [f"{name:{width}}  {registry.summary('game', name)}" for name in names]
    game = _choose(lines, "Which game?", names, games)
    print(f"\nHow it goes: strongroom rules {game}, or type rules once you play.\n")
    kinds = ["another person at this keyboard"]
    kinds += [_character(name) for name in registry.names("player")]
    opponent = _choose(lines, "Against whom?", opponents(), kinds)
    print()
    seats = ["you", "the other", "a toss decides"]
    seat = _choose(lines, "Who starts?", ("1", "2", "toss"), seats, ("you", "other", "toss"))
    while True:
        print()
        yours = _name(lines, "Your name (or Enter): ") or "You"
        if opponent == "person":
            others = _name(lines, "The other's name (or Enter): ") or "Other"
        else:
            others = opponent.title()
        try:
            sitters = seated(opponent, seat, [yours, others], stream(None, "toss"))
        except Refusal as refusal:
            print(refusal)
            continue
        print()
        return Wishes(typed_game(game, []), sitters, tossed=seat == "toss")


def _character(player: str) -> str:
    line = registry.summary("player", player)
    return f"{player}, who {line}" if player in registry.PLAYERS else f"{player}: {line}"


def _name(lines: Lines, question: str) -> str:
    name = lines.read(question).strip()
    if name.lower() == "quit":
        raise WantsNoGame
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
            raise WantsNoGame
        if typed.isascii() and typed.isdigit():
            if 1 <= whole_number(typed) <= len(values):
                return values[whole_number(typed) - 1]
        elif typed:
            fits = [v for v, n in zip(values, names or values, strict=True) if n.startswith(typed)]
            if len(fits) == 1:
                return fits[0]
        print(f"{shown(typed)} is none of these. Type a number from 1 to {len(values)}.")
