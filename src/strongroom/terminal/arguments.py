"""What the commands share: their help and errors, and how games and players are named."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from strongroom import registry
from strongroom.quoting import harmless
from strongroom.terminal.exits import EXIT_CODES, USAGE

if TYPE_CHECKING:  # with dataclasses and enums behind it, the contract would double the start
    from random import Random

    from strongroom.contract import Game, Words
    from strongroom.record import Sitter

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""What a command adds itself to."""

COMMANDS = {
    "games": "list the games",
    "rules": "print the rules of a game",
    "play": "play a game",
    "replay": "show a recorded game",
    "resume": "go on with a saved game",
    "solve": "solve a game and certify the solution",
    "analyze": "show what each move of a game cost",
    "tournament": "let the bots play each other",
    "completion": "print a script for shell completion",
}
"""Every command, in the order of the help; the module of each has the same name."""

GAME = "its name, or the beginning of it"


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as it is written, in a width found without the imports of argparse's own way."""

    def __init__(self, prog: str) -> None:
        columns = os.get_terminal_size().columns if sys.stdout.isatty() else 80
        super().__init__(prog, max_help_position=28, width=min(max(columns, 40), 90))

    def add_argument(self, action: argparse.Action) -> None:
        """Make room for the commands, which stand further in than argparse reckons."""
        super().add_argument(action)
        if action.nargs == argparse.PARSER:
            self._action_max_length += 2


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are short, harmless, and say what to do next."""

    def error(self, message: str) -> NoReturn:
        """One line with the reason, one with the way to help."""
        self.exit(USAGE, f"{self.prog}: {harmless(message, 400)}\nTry: {self.prog} --help\n")


def command_line(words: str) -> argparse.ArgumentParser:
    """The whole command line, still without its commands."""
    return _Parser(
        prog="strongroom",
        description=words,
        epilog=EXIT_CODES,
        formatter_class=_Help,
        allow_abbrev=False,
    )


def command(commands: Commands, name: str, words: str = "") -> argparse.ArgumentParser:
    """A command with its help."""
    return commands.add_parser(
        name, help=COMMANDS[name], description=words, formatter_class=_Help, allow_abbrev=False
    )


# --- arguments that several commands have ---------------------------------------------------------


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Options of the game itself."""
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game"
    )


def add_faces(parser: argparse.ArgumentParser) -> None:
    """How a game is shown."""
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--plain", action="store_true", help="lines only: no colour, no drawing")
    face.add_argument("--json", action="store_true", help="print one JSON event a line")
    parser.add_argument("--words", metavar="NAME", help="another set of words for the game")


def add_strict(parser: argparse.ArgumentParser) -> None:
    """How a script is read."""
    parser.add_argument(
        "--strict", action="store_true", help="a script ends at its first illegal line"
    )


def positive(text: str) -> int:
    """A number of turns or games, as typed."""
    is_number = text.isascii() and text.isdigit() and len(text) < 10
    if not is_number or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"runs from 1 to 1000000; you gave {text[:20]!r}")
    return int(text)


# --- what they mean -------------------------------------------------------------------------------


def typed_game(name: str, settings: list[str]) -> Game:
    """The game that a person named, with options typed as `key=value`."""
    from strongroom.contract import BadOption, shown

    game_type: type[Game] = registry.find_entry("game", registry.find(name))
    texts = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            told = f"--set takes KEY=VALUE; you gave {shown(setting)}."
            raise BadOption(told, "Like: --set digits=4")
        texts[key.strip()] = value
    return game_type(game_type.options_type.typed(texts))


def typed_games(chosen: argparse.Namespace) -> list[Game]:
    """The game that was named, or all five."""
    from strongroom.contract import Refusal

    if chosen.all == bool(chosen.game):
        raise Refusal("Name a game, or say --all.", "Like: quantum-duel")
    names = list(registry.GAMES) if chosen.all else [chosen.game]
    return [typed_game(name, getattr(chosen, "set", [])) for name in names]


def chosen_words(game: Game, name: str | None) -> Words[Any]:
    """The words of a game: the rule book's, or the set with this name."""
    return game.words if name is None else game.in_words(registry.words_of(game, name)).words


def opponents() -> list[str]:
    """Who can sit opposite a person."""
    return ["person", *registry.names("player")]


def seated(
    opponent: str, seat: str, names: list[str] | None, toss: Random
) -> tuple[Sitter, Sitter]:
    """Who sits where: the first-named player takes the seat that was wished or tossed for."""
    from strongroom.contract import Refusal
    from strongroom.record import Sitter, check_names_differ

    tossed = seat == "toss"
    if tossed:
        seat = toss.choice(("1", "2"))
    second = seat == "2"
    usual = ["Player 2", "Player 1"] if second else ["Player 1", "Player 2"]
    if tossed and opponent == "person":
        usual = ["Player A", "Player B"]  # else the names would say nothing about the toss
    yours, others = names or usual
    try:
        you, other = Sitter(yours, "person"), Sitter(others, opponent)
        check_names_differ(you, other)
    except Refusal as refusal:
        raise Refusal(refusal.reason, "Like: Ada Bob") from None
    return (other, you) if second else (you, other)
