"""What all commands of the command line share: the look of help and errors, and naming a game."""

from __future__ import annotations

import argparse
import os
import sys

from strongroom import registry

TYPE_CHECKING = False  # typing's own constant would cost a tenth of the start
if TYPE_CHECKING:
    from typing import NoReturn

    from strongroom.game import Game

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

USAGE = 2


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
