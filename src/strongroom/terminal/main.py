"""The command `strongroom`: reads its arguments and hands over to the part that is asked for.

It imports nothing heavy on its way to `--help` and `games`, which have to be there at once.
"""

from __future__ import annotations

import argparse
import os
import sys

from strongroom import __version__, registry
from strongroom.terminal.arguments import OPPONENTS, USAGE, command, positive, seated, typed_game
from strongroom.terminal.study import add_study_commands

TYPE_CHECKING = False  # typing's own constant would cost a tenth of the start
if TYPE_CHECKING:
    from strongroom.terminal.arguments import Commands


EPILOG = """\
Exit codes: 0 finished, 2 usage, 3 an illegal line in a script with --strict,
4 the input ended (the game is saved), 130 Ctrl-C (the game is saved).
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    _harden_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except OSError as error:
        # The output has nowhere to go: its reader has left, or the disk is full.
        if not isinstance(error, BrokenPipeError):
            print(f"strongroom: {error.strerror}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(arguments: list[str] | None) -> int:
    try:
        chosen = build_parser().parse_args(arguments)
        if hasattr(chosen, "run"):
            code: int = chosen.run(chosen)
            return code
        from strongroom.terminal.menu import menu

        return menu()
    except SystemExit as finished:  # argparse has printed help or an error
        return int(finished.code or 0)
    except KeyboardInterrupt:
        print()
        return 130
    except ValueError as error:
        from strongroom.refusal import Refusal

        if not isinstance(error, Refusal):
            raise
        print(f"strongroom: {error}", file=sys.stderr)
        return USAGE


def _harden_streams() -> None:
    """Let no strange byte in or out, and no closed stream, become a traceback."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def build_parser() -> argparse.ArgumentParser:
    """The whole command line; shell completion is made from it too."""
    parser = command(
        None,
        "strongroom",
        """\
examples:
  strongroom                                a menu, then play
  strongroom play quantum-duel              two people at this keyboard
  strongroom play safe-cracker --vs master  you against a bot
  strongroom rules safe-code                how a game goes
  strongroom resume                         go on with the last unfinished game

Five two-player duels of codes and nerve, perfectly refereed.
""",
    )
    parser.epilog = EPILOG
    parser.add_argument("--version", action="version", version=f"strongroom {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_games(commands)
    _add_rules(commands)
    _add_play(commands)
    _add_replay(commands)
    _add_resume(commands)
    add_study_commands(commands)
    _add_completion(commands)
    return parser


# --- games, rules -----------------------------------------------------------------------------


def _add_games(commands: Commands) -> None:
    words = "example:\n  strongroom games\n\nList the games: the five, and those that are added."
    parser = command(commands, "games", words, "list the games")
    parser.add_argument("--names", action="store_true", help="the names alone, one a line")
    parser.set_defaults(run=_games)


def _games(chosen: argparse.Namespace) -> int:
    names = registry.game_names()
    width = max(map(len, names))
    for name in names:
        print(name if chosen.names else f"{name:{width}}  {registry.summary(name)}")
    return 0


def _add_rules(commands: Commands) -> None:
    words = "example:\n  strongroom rules quantum-duel\n\nPrint a game's rules, with every ruling."
    parser = command(commands, "rules", words, "print the rules of a game")
    parser.add_argument("game", metavar="GAME", help="its name, or the beginning of it")
    parser.set_defaults(run=_rules)


def _rules(chosen: argparse.Namespace) -> int:
    page = registry.load(registry.find(chosen.game)).rules
    from strongroom.terminal.screen import print_page

    print_page(page)
    return 0


# --- play, resume, replay ---------------------------------------------------------------------


def _add_play(commands: Commands) -> None:
    words = """\
examples:
  strongroom play safecracker-duel                      two people, one keyboard
  strongroom play safe-code --vs expert --seat toss     you against a bot
  strongroom play safe-cracker --set digits=4 --set attempts=6
  strongroom play digit-deductions --plain < lines.txt  a scripted game

Play a game. At every prompt: help, rules, board, history, hint, secret, resign,
save, quit.
"""
    parser = command(commands, "play", words, "play a game")
    parser.epilog = EPILOG
    parser.add_argument("game", metavar="GAME", help="its name, or the beginning of it")
    parser.add_argument("--vs", choices=OPPONENTS, default="person", help="who plays against you")
    parser.add_argument(
        "--seat", choices=("1", "2", "toss"), default="1", help="where you sit; 1 moves first"
    )
    parser.add_argument("--names", nargs=2, metavar=("A", "B"), help="your name and the other's")
    parser.add_argument("--seed", type=int, metavar="N", help="makes coins, tosses and bots repeat")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game"
    )
    parser.add_argument(
        "--turn-limit", type=positive, metavar="N", help="end undecided after N turns of both"
    )
    parser.add_argument("--save", metavar="FILE", help="keep the record in this file")
    parser.add_argument("--fast", action="store_true", help="bots answer at once")
    _add_face_options(parser)
    parser.set_defaults(run=_play)


def _add_face_options(parser: argparse.ArgumentParser) -> None:
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--plain", action="store_true", help="lines only: no colour, no drawing")
    face.add_argument("--json", action="store_true", help="print one JSON event a line")
    parser.add_argument(
        "--strict", action="store_true", help="a script ends at its first illegal line"
    )


def _play(chosen: argparse.Namespace) -> int:
    from pathlib import Path
    from random import Random, SystemRandom

    from strongroom.terminal.sitting import Sitting, Wishes

    game = typed_game(chosen.game, chosen.set)
    rng = Random(chosen.seed) if chosen.seed is not None else SystemRandom()
    wishes = Wishes(
        game=game,
        sitters=seated(chosen.vs, chosen.seat, chosen.names, rng),
        seed=chosen.seed,
        turn_limit=chosen.turn_limit,
        save=Path(chosen.save) if chosen.save else None,
        plain=chosen.plain,
        json=chosen.json,
        strict=chosen.strict,
        fast=chosen.fast,
        tossed=chosen.seat == "toss",
    )
    return Sitting(wishes).play()


def _add_resume(commands: Commands) -> None:
    words = """\
examples:
  strongroom resume                go on with the newest unfinished game
  strongroom resume my-game.json   go on with this one
"""
    parser = command(commands, "resume", words, "go on with a saved game")
    parser.add_argument("file", metavar="FILE", nargs="?", help="a saved game")
    _add_face_options(parser)
    parser.set_defaults(run=_resume)


def _resume(chosen: argparse.Namespace) -> int:
    from pathlib import Path

    from strongroom.refusal import Refusal
    from strongroom.terminal import store
    from strongroom.terminal.sitting import Sitting, Wishes

    file = Path(chosen.file) if chosen.file else store.latest_unfinished()
    record = store.read(file)
    if record.outcome is not None:
        raise Refusal(f"The game in {file} is over.", f"Look at it: strongroom replay {file}")
    wishes = Wishes(
        game=record.game,
        sitters=record.sitters,
        turn_limit=record.turn_limit,
        plain=chosen.plain,
        json=chosen.json,
        strict=chosen.strict,
    )
    return Sitting(wishes).resume(record, file)


def _add_replay(commands: Commands) -> None:
    words = """\
example:
  strongroom replay my-game.json

Show a recorded game turn by turn. Secrets are shown only if it is over.
"""
    parser = command(commands, "replay", words, "show a recorded game")
    parser.add_argument("file", metavar="FILE", help="a saved game")
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--plain", action="store_true", help="lines only: no colour, no drawing")
    face.add_argument("--json", action="store_true", help="print one JSON event a line")
    parser.set_defaults(run=_replay)


def _replay(chosen: argparse.Namespace) -> int:
    from pathlib import Path

    from strongroom.terminal import store
    from strongroom.terminal.replay import replay

    replay(store.read(Path(chosen.file)), plain=chosen.plain, json=chosen.json)
    return 0


# --- completion -------------------------------------------------------------------------------


def _add_completion(commands: Commands) -> None:
    words = """\
examples:
  source <(strongroom completion bash)      add it to ~/.bashrc
  source <(strongroom completion zsh)       add it to ~/.zshrc
  strongroom completion fish | source       add it to config.fish
"""
    parser = command(commands, "completion", words, "print a script for shell completion")
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))
    parser.set_defaults(run=_completion)


def _completion(chosen: argparse.Namespace) -> int:
    from strongroom.terminal.completion import script

    print(script(chosen.shell, build_parser()), end="")
    return 0
