"""`strongroom play`: a game from its beginning."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import (
    PlayerNames,
    add_aids,
    add_faces,
    add_game,
    add_number,
    add_opponent,
    add_settings,
    add_strict,
    check_seats,
    chosen_looks,
    chosen_words,
    named_game,
    seated,
    typed_game,
)
from strongroom.terminal.exits import EXIT_CODES
from strongroom.terminal.model_options import add_styles, styled

WORDS = """\
examples:
  strongroom play safecracker-duel                      two people, one keyboard
  strongroom play safe-code --vs expert --seat toss     you against a bot
  strongroom play safe-cracker --set digits=4 --set attempts=6
  strongroom play digit-deductions --plain < lines.txt  a scripted game
  strongroom play safe-cracker --vs model:gpt-4o-mini   a language model

Play a game. Every prompt accepts help, rules, hint, aids, history, board,
secret, resign, save and quit.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.epilog = EXIT_CODES
    add_game(parser)
    add_opponent(parser, "", "NAME", PlayerNames("person"))
    parser.add_argument("--names", nargs=2, metavar=("A", "B"), help="you, and your opponent")
    parser.add_argument("--seed", type=int, metavar="N", help="make chance and bots reproducible")
    add_settings(parser)
    add_number(parser, "--turn-limit", "end undecided after N turns in total")
    parser.add_argument("--save", metavar="FILE", help="keep the record in this file")
    parser.add_argument("--fast", action="store_true", help="no pauses and no animation")
    add_aids(parser, "hints, and a page that counts what is left; remembered against a bot")
    add_faces(parser)
    add_strict(parser)
    add_styles(parser)


def run(chosen: argparse.Namespace) -> int:
    """Play the game."""
    from dataclasses import replace

    from strongroom.players import stand_in
    from strongroom.referee.randomness import stream
    from strongroom.referee.record import PERSON
    from strongroom.terminal import preferences, store
    from strongroom.terminal.table.local_sitting import LocalSitting, Wishes

    game = typed_game(named_game(chosen.game), chosen.set)
    opponent, told = stand_in(styled(chosen.vs, chosen), game)
    check_seats(game, [opponent], "--vs")
    sitters, toss = seated(opponent, chosen.seat, chosen.names, stream(chosen.seed, "toss"))
    together = opponent == PERSON
    if chosen.aids is not None and not together:
        preferences.remember_aids(chosen.aids)
    aids = bool(chosen.aids) if together else preferences.aids()
    wishes = Wishes(
        game=game,
        sitters=sitters,
        words=chosen_words(game, chosen.words),
        seed=chosen.seed,
        turn_limit=chosen.turn_limit,
        save=store.typed_file(chosen.save) if chosen.save else None,
        looks=replace(chosen_looks(chosen), aids=aids),
        strict=chosen.strict,
        toss=toss,
        told=told,
    )
    return LocalSitting(wishes).play()
