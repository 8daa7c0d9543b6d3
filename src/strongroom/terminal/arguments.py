"""What the commands share: their help and errors, and how games and players are named."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from strongroom import registry
from strongroom.quoting import harmless, shown
from strongroom.spelling import did_you_mean
from strongroom.terminal.exits import EXIT_CODES, USAGE
from strongroom.terminal.signs import fitted

if TYPE_CHECKING:  # with dataclasses and enums behind it, the contract would double the start
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from random import Random

    from strongroom.contract import Game, Words
    from strongroom.sitter import Sitter
    from strongroom.terminal.faces import Looks

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
"""What a command adds itself to."""

COMMANDS = {
    "games": "list the games",
    "rules": "print the rules of a game",
    "play": "play a game",
    "host": "make a game on a server and invite somebody",
    "join": "play or watch a game on a server",
    "list": "list the saved games",
    "replay": "show a recorded game",
    "resume": "go on with a saved game",
    "solve": "solve a game and certify the solution",
    "analyze": "show what each move of a game cost",
    "verify": "check that a game was played fairly",
    "tournament": "let the bots play each other",
    "exploit": "show what a best response wins against a bot",
    "serve": "serve the games to browsers and terminals",
    "completion": "print a script for shell completion",
}
"""Every command, in the order of the help; the module of each has the same name."""

GAME = "its name, or the beginning of it"
SAVED = "a saved game, or its number in strongroom list; without it, the last one"


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


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short, harmless, and say what to do next."""

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """What the arguments mean; one that nobody knows is the error of the command it is for."""
        chosen, unknown = self.parse_known_args(arguments)
        if unknown:
            parser: Parser = getattr(chosen, "parser", self)
            parser.error(parser._unknown(unknown[0]))
        return chosen

    def _unknown(self, argument: str) -> str:
        name, _, _ = argument.partition("=")
        if not name.startswith("-"):
            return f"{shown(argument)} is one argument too many."
        options = [each for action in self._actions for each in action.option_strings]
        return f"There is no option {shown(name)}. {did_you_mean(name, options)}".strip()

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        names, typed = [str(name) for name in action.choices], str(value)
        if action.nargs == argparse.PARSER:
            reason = f"There is no command {shown(typed)}."
        else:
            reason = f"{(action.option_strings or [action.dest])[-1]} takes no {shown(typed)}."
        meant = did_you_mean(typed, names) or f"There are: {', '.join(names)}."
        raise argparse.ArgumentError(None, f"{reason} {meant}")

    def error(self, message: str) -> NoReturn:
        """One line with the reason, one with the way to help."""
        told = f"{self.prog}: {harmless(message, 400)}\nTry: {self.prog} --help\n"
        self.exit(USAGE, fitted(told, sys.stderr))


def command_line(words: str) -> Parser:
    """The whole command line, still without its commands."""
    return Parser(
        prog="strongroom",
        description=words,
        epilog=EXIT_CODES,
        formatter_class=_Help,
        allow_abbrev=False,
    )


def command(commands: Commands, name: str, words: str = "") -> argparse.ArgumentParser:
    """A command with its help."""
    parser = commands.add_parser(
        name, help=COMMANDS[name], description=words, formatter_class=_Help, allow_abbrev=False
    )
    parser.set_defaults(parser=parser)
    return parser


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
    parser.add_argument(
        "--motion",
        action=argparse.BooleanOptionalAction,
        help="let the coin spin, or stand still; remembered",
    )


def add_strict(parser: argparse.ArgumentParser) -> None:
    """How a script is read."""
    parser.add_argument(
        "--strict", action="store_true", help="a script ends at its first illegal line"
    )


def positive(text: str) -> int:
    """A number of turns or games, as typed."""
    is_number = text.isascii() and text.isdigit() and len(text) < 10
    if not is_number or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(
            f"it is a number from 1 to 1000000; you gave {text[:20]!r}"
        )
    return int(text)


# --- what they mean -------------------------------------------------------------------------------


def typed_game(name: str, settings: list[str]) -> Game:
    """The game that a person named, with options typed as `key=value`."""
    from strongroom.contract import BadOption

    game_type: type[Game] = registry.find_entry("game", registry.find(name))
    texts = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            told = f"--set takes KEY=VALUE; you gave {shown(setting)}."
            raise BadOption(told, "Like: --set digits=4")
        texts[key.strip()] = value
    return game_type(game_type.options_type.typed(texts))


def named_game(typed: str | None) -> str:
    """What a person named as the game; who named none is told which there are."""
    from strongroom.contract import Refusal

    if typed is None:
        raise Refusal("Name a game.", f"There are: {', '.join(registry.names('game'))}.")
    return typed


def typed_games(chosen: argparse.Namespace) -> list[Game]:
    """The game that was named, or all five."""
    from strongroom.contract import Refusal

    if chosen.all == bool(chosen.game):
        raise Refusal("Name a game, or say --all.", "Like: quantum-duel")
    names = list(registry.GAMES) if chosen.all else [chosen.game]
    return [typed_game(name, getattr(chosen, "set", [])) for name in names]


def chosen_looks(chosen: argparse.Namespace) -> Looks:
    """How a match is to be shown, by what was typed now or remembered."""
    from strongroom.terminal.faces import Looks
    from strongroom.terminal.preferences import remember, remembered

    if chosen.motion is not None:
        remember(motion=chosen.motion)
    motion = remembered().get("motion") is not False
    aids, fast = getattr(chosen, "aids", True), getattr(chosen, "fast", False)
    return Looks(chosen.plain, chosen.json, aids, motion, fast)


def saved_game(typed: str | None, latest: Callable[[], Path]) -> Path:
    """The file that a person means, by its name, by its number in the list, or as the latest.

    Who did not name it is told which one it is, where it mixes with no output.
    """
    from pathlib import Path

    from strongroom.terminal import store

    is_number = typed and typed.isascii() and typed.isdigit() and len(typed) < 10
    if typed and not (is_number and not Path(typed).exists()):
        return Path(typed)
    file = store.numbered(int(typed)) if typed else latest()
    found = store.look(file)
    number = store.played().index(file) + 1
    told = f"Game {number}: {found.game}, {found.sitters}, played {found.when}."
    print(told, file=sys.stderr, flush=True)
    return file


def chosen_words(game: Game, name: str | None) -> Words[Any]:
    """The words of a game: the rule book's, or the set with this name."""
    return game.words if name is None else game.in_words(registry.words_of(game, name)).words


def opponents() -> list[str]:
    """Who can sit opposite a person, at one game or another."""
    return ["person", *registry.names("player")]


def opponents_for(game: Game) -> list[str]:
    """Who can sit opposite a person at this game."""
    return ["person", *(name for name in registry.names("player") if not _trouble(name, game))]


def check_seats(game: Game, players: Iterable[str], option: str) -> None:
    """Refuse players who cannot sit down at a game, before anything is asked or played."""
    from strongroom.contract import Refusal

    for player in players:
        if trouble := _trouble(player, game):
            able = [name for name in registry.names("player") if not _trouble(name, game)]
            raise Refusal(trouble, f"{option} can be: {', '.join(able)}.")


def _trouble(player: str, game: Game) -> str:
    """Why a player cannot sit down at a game; nothing if it can."""
    from contextlib import redirect_stdout
    from io import StringIO
    from random import Random

    from strongroom.contract import Refusal
    from strongroom.players import player as seated_player

    usual = game.options == type(game)().options
    if player == "person" or (player in registry.PLAYERS and game.name in registry.GAMES and usual):
        return ""  # known, and so nobody waits for tables
    try:
        with redirect_stdout(StringIO()):  # what a player says for itself is no output of ours
            seated_player(player, game, Random())
    except Refusal as refusal:
        return refusal.reason
    return ""


def seated(
    opponent: str, seat: str, names: list[str] | None, toss: Random
) -> tuple[tuple[Sitter, Sitter], str]:
    """Who sits where, and what a toss decided, in a sentence.

    The first-named player takes the seat that was wished or tossed for.
    """
    from strongroom.contract import NAMES, YOU, Refusal, does
    from strongroom.sitter import Sitter, called_by_seat, check_names_differ

    tossed = seat == "toss"
    if tossed:
        seat = toss.choice(("1", "2"))
    usual = [*NAMES.values()] if opponent == "person" else [YOU, opponent.title()]
    yours, others = names or usual
    try:
        you, other = Sitter(yours, "person"), Sitter(others, opponent)
        check_names_differ(you, other)
    except Refusal as refusal:
        raise Refusal(refusal.reason, "Like: Ada Bob") from None
    first, second = called_by_seat(*((other, you) if seat == "2" else (you, other)))
    told = f"{does(first.name, 'won the toss and begins', 'won the toss and begin')}."
    if first.is_nameless:  # whose name says nothing about the toss
        started = "started" if seat == "1" else "did not start"
        told = f"Whoever {started} this game won the toss and begins."
    return (first, second), told if tossed else ""
