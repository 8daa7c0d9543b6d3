"""`strongroom host` and `strongroom join`: a game on a server, played or watched here."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import (
    PlayerNames,
    add_faces,
    add_game,
    add_opponent,
    add_option,
    add_settings,
)
from strongroom.terminal.exits import EXIT_CODES

NAME_HELP = "the name your opponent sees; remembered, and asked for at a keyboard"

JOIN_HELP = """\
examples:
  strongroom join 'https://duels.example/#join/…/…'   play against the sender
  strongroom join 'https://duels.example/#watch/…'    watch
  strongroom join 'https://duels.example/#play/…/…'   return to your own seat
  strongroom join                                     resume your last game
  strongroom join 2                                   the second in the list
  strongroom join -                                   ask for the link

Play a game on a server. A lost connection loses nothing: the server has every
move, and your seat is kept here until the game is over. With -, the link is the
first line of standard input, so it appears neither in the process list nor in
the history of the shell.
"""


def define_join(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom join`."""
    parser.epilog = EXIT_CODES
    parser.add_argument(
        "link",
        metavar="LINK",
        nargs="?",
        help="the link you were sent, - to be asked for it, or a game's number in "
        "strongroom list; by default your last game",
    )
    add_option(parser, "--name NAME", NAME_HELP)
    add_faces(parser)


def run_join(chosen: argparse.Namespace) -> int:
    """Play or watch the game."""
    from strongroom.terminal.online import join_game

    return join_game(chosen)


HOST_HELP = """\
examples:
  strongroom host safe-code --server https://duels.example       invite a friend
  strongroom host quantum-duel --server https://duels.example --vs lobby
  strongroom host safe-cracker --server http://127.0.0.1:8000 --vs expert
  strongroom host safe-cracker --server https://duels.example --clock 5+3

Create a game on a server (strongroom serve starts one), print the link for your
opponent on a line of its own, and play.
"""


def define_host(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom host`."""
    parser.epilog = EXIT_CODES
    add_game(parser)
    add_option(parser, "--server URL", "the server's address; remembered")
    who = "whoever has the link, anyone in the lobby, or a bot: "
    add_opponent(parser, who, "WHO", PlayerNames("link", "lobby", schemes=False))
    add_option(parser, "--clock M+S", "M minutes each, plus S seconds per move, like 5+3")
    aids = "hints and a notebook for both players; by default only against a bot"
    add_option(parser, "--[no-]aids", aids)
    add_option(parser, "--[no-]watch", "allow spectators", True)
    add_option(parser, "--qr", "also draw the link as a QR code")
    add_option(parser, "--name NAME", NAME_HELP)
    add_settings(parser)
    add_faces(parser)


def run_host(chosen: argparse.Namespace) -> int:
    """Create the game and play it."""
    from strongroom.terminal.online import host_game

    return host_game(chosen)
