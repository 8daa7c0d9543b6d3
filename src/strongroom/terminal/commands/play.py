"""`strongroom play`: a game from its beginning."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import (
    GAME,
    Commands,
    add_faces,
    add_settings,
    add_strict,
    check_seats,
    chosen_looks,
    chosen_words,
    command,
    named_game,
    opponents,
    positive,
    seated,
    typed_game,
)
from strongroom.terminal.exits import EXIT_CODES

WORDS = """\
examples:
  strongroom play safecracker-duel                      two people, one keyboard
  strongroom play safe-code --vs expert --seat toss     you against a bot
  strongroom play safe-cracker --set digits=4 --set attempts=6
  strongroom play digit-deductions --plain < lines.txt  a scripted game

Play a game. At every prompt: help, rules, hint, history, board, secret, resign,
save, quit.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "play", WORDS)
    parser.epilog = EXIT_CODES
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.add_argument(
        "--vs",
        choices=opponents(),
        default="person",
        metavar="NAME",
        help="who plays against you: " + ", ".join(opponents()),
    )
    parser.add_argument(
        "--seat", choices=("1", "2", "toss"), default="1", help="where you sit; 1 moves first"
    )
    parser.add_argument("--names", nargs=2, metavar=("A", "B"), help="your name and the other's")
    parser.add_argument("--seed", type=int, metavar="N", help="makes coins, tosses and bots repeat")
    add_settings(parser)
    parser.add_argument(
        "--turn-limit", type=positive, metavar="N", help="end undecided after N turns of both"
    )
    parser.add_argument("--save", metavar="FILE", help="keep the record in this file")
    parser.add_argument("--fast", action="store_true", help="bots answer at once, nothing moves")
    parser.add_argument(
        "--aids",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="on the drawn page, count what is left; the record says so",
    )
    add_faces(parser)
    add_strict(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Sit down and play."""
    from strongroom.players import stand_in
    from strongroom.randomness import stream
    from strongroom.terminal import store
    from strongroom.terminal.table.local_sitting import LocalSitting, Wishes

    game = typed_game(named_game(chosen.game), chosen.set)
    opponent, told = stand_in(chosen.vs, game)
    check_seats(game, [opponent], "--vs")
    sitters, toss = seated(opponent, chosen.seat, chosen.names, stream(chosen.seed, "toss"))
    wishes = Wishes(
        game=game,
        sitters=sitters,
        words=chosen_words(game, chosen.words),
        seed=chosen.seed,
        turn_limit=chosen.turn_limit,
        save=store.typed_file(chosen.save) if chosen.save else None,
        looks=chosen_looks(chosen),
        strict=chosen.strict,
        toss=toss,
        told=told,
    )
    return LocalSitting(wishes).play()
