"""What all commands of the command line share: help and errors, and naming games and players."""

from __future__ import annotations

import argparse
import os
import sys

from strongroom import registry

TYPE_CHECKING = False  # typing's own constant would cost a tenth of the start
if TYPE_CHECKING:
    from random import Random
    from typing import NoReturn

    from strongroom.game import Game
    from strongroom.record import Sitter

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

USAGE = 2
OPPONENTS = ("person", *registry.PLAYERS)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as it is written, in a width found without the imports of argparse's own way."""

    def __init__(self, prog: str) -> None:
        columns = os.get_terminal_size().columns if sys.stdout.isatty() else 80
        super().__init__(prog, max_help_position=28, width=min(max(columns, 40), 90))


class _Parser(argparse.ArgumentParser):
    """A parser whose errors say what to do next."""

    def error(self, message: str) -> NoReturn:
        """One line with the reason, one with the way to help."""
        self.exit(USAGE, f"{self.prog}: {message}\nTry: {self.prog} --help\n")


def command(
    commands: Commands | None, name: str, words: str, brief: str = ""
) -> argparse.ArgumentParser:
    """A command with its help, or the whole command line itself."""
    if commands is None:
        return _Parser(prog=name, description=words, formatter_class=_Help, allow_abbrev=False)
    return commands.add_parser(
        name, help=brief, description=words, formatter_class=_Help, allow_abbrev=False
    )


def typed_game(name: str, settings: list[str]) -> Game:
    """The game that a person named, with options typed as `key=value`."""
    from strongroom.refusal import BadOption

    game_type = registry.game_type(registry.find(name))
    texts = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise BadOption(f"--set takes KEY=VALUE; you gave {setting!r}.", "Like: --set digits=4")
        texts[key.strip()] = value
    return game_type(game_type.options_type.typed(texts))


def positive(text: str) -> int:
    """A number of turns or games, as typed."""
    if not (
        text.isascii() and text.isdigit() and 1 <= int(text[-9:]) <= 1_000_000 and len(text) < 10
    ):
        raise argparse.ArgumentTypeError(f"runs from 1 to 1000000; you gave {text[:20]!r}")
    return int(text)


def seated(opponent: str, seat: str, names: list[str] | None, rng: Random) -> tuple[Sitter, Sitter]:
    """Who sits where: the first-named player takes the seat that was wished or tossed for."""
    from strongroom.record import Sitter
    from strongroom.refusal import Refusal

    tossed = seat == "toss"
    if tossed:
        seat = rng.choice(("1", "2"))
    second = seat == "2"
    usual = ["Player 2", "Player 1"] if second else ["Player 1", "Player 2"]
    if tossed and opponent == "person":
        usual = ["Player A", "Player B"]  # else the names would say nothing about the toss
    names = [" ".join(name.split()) for name in names or usual]
    for name in names:
        if not (name.isprintable() and 1 <= len(name) <= 24):
            raise Refusal("A name has 1 to 24 printable characters.", "Like: --names Ada Bob")
    if names[0] == names[1]:
        raise Refusal("The two names must differ.", "Like: --names Ada Bob")
    you, other = Sitter(names[0], "person"), Sitter(names[1], opponent)
    return (other, you) if second else (you, other)
