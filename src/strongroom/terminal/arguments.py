"""The arguments that commands share: help, errors, and how games and players are named."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import ArgumentTypeError
from collections.abc import Collection, Iterator
from functools import partial

from strongroom.plugins import registry
from strongroom.terminal.exits import USAGE
from strongroom.terminal.printing import fit, paste_examples, program
from strongroom.text.quoting import harmless, quote
from strongroom.text.spelling import did_you_mean

TYPE_CHECKING = False  # without importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from random import Random
    from typing import Any, Final, NoReturn, TypeAlias

    from strongroom.contract import Game, Refusal, Words
    from strongroom.referee.record import Sitter
    from strongroom.terminal.faces.face import Looks

MOST: Final = 1_000_000
"""The most turns or games, unless an option allows more."""

Fits: TypeAlias = "Callable[[Game], bool]"
"""Whether a game from another package is one of those that are meant."""
DRAWN: Final = "play the same games again; by default a seed is drawn, which no player can know"
"""What a seed does where one is drawn."""

Commands: TypeAlias = "argparse._SubParsersAction[Command]"
"""The subparsers to which each command is added."""

COMMANDS: Final = {
    "games": ("games", "list the games"),
    "rules": ("games", "print the rules of a game"),
    "play": ("play", "play a game"),
    "host": ("online", "create a game on a server and invite an opponent"),
    "join": ("online", "play or watch a game on a server"),
    "puzzle": ("puzzles", "solve the puzzle of the day"),
    "list": ("saved", "list the saved games"),
    "replay": ("saved", "show a recorded game"),
    "resume": ("play", "resume a saved game"),
    "solve": ("solve", "solve a game and certify the solution"),
    "analyze": ("saved", "show what each move of a game cost"),
    "verify": ("saved", "check that a game was played fairly"),
    "tournament": ("tournament", "let players play each other, and rate them"),
    "exploit": ("solve", "show what a best response wins against a bot"),
    "measure": ("measure", "measure how good a player is, with luck taken out"),
    "compare": ("measure", "compare measured players"),
    "leaderboard": ("publish", "rank measured players, by their reports"),
    "dataset": ("publish", "write games and decisions to learn from"),
    "engine": ("engine", "check a program that plays"),
    "puzzles": ("puzzles", "write a set of puzzles to test a player with"),
    "serve": ("serve", "serve the games to browsers and terminals"),
    "mcp": ("serve", "serve the games to language models' clients"),
    "gg-bench": ("publish", "write the games as environments of gg-bench"),
    "doctor": ("installation", "say what is installed, and what to install"),
    "completion": ("installation", "print a shell completion script"),
}
"""The module and the summary of every command, in the order of the help."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help kept as written; finding the width here avoids the imports that argparse would need."""

    def __init__(self, prog: str) -> None:
        columns = os.get_terminal_size().columns if sys.stdout.isatty() else 80
        super().__init__(prog, max_help_position=28, width=min(max(columns, 40), 90))

    def add_argument(self, action: argparse.Action) -> None:
        """Make room for the commands, which are indented deeper than argparse assumes."""
        super().add_argument(action)
        if action.nargs == argparse.PARSER:
            self._action_max_length += 2


class Parser(argparse.ArgumentParser):
    """A parser whose errors are short, safe to print, and say what to do next."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **settings)

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """Parse the arguments; the command reports an unknown one, so its own help is suggested."""
        chosen, unknown = self.parse_known_args(arguments)
        if unknown:
            parser: Parser = getattr(chosen, "parser", self)
            parser.error(parser._unknown(unknown[0]))
        return chosen

    def _unknown(self, argument: str) -> str:
        name, _, _ = argument.partition("=")
        if not name.startswith("-"):
            takers = [each for each in self._actions if each.metavar == "GAME"]
            options = [each for action in takers for each in action.option_strings]
            told = f"A game is named with {options[0]}." if options else ""
            return f"Unexpected argument: {quote(argument)}. {told}".rstrip()
        reason, bare = f"There is no option {quote(name)}.", name.lstrip("-")
        options = [each for action in self._actions for each in action.option_strings]
        if any(action.dest == bare == "game" for action in self._actions):
            games = ", ".join(registry.names("game"))
            return f"{reason} A game is named without it: {self.prog} GAME. Choose from: {games}."
        setting = bare.replace("-", "_")
        if "--set" in options and setting in _settings_of_games():
            return f"{reason} An option of a game is set with --set {setting}=VALUE."
        there_are = ", ".join(each for each in options if each.startswith("--"))
        return f"{reason} {did_you_mean(name, options) or f'Choose from: {there_are}.'}"

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices or value == []:  # none of a list
            return
        names, typed = [*map(str, action.choices)], str(value)
        if action.nargs == argparse.PARSER:
            reason = f"There is no command {quote(typed)}."
        else:
            reason = f"{(action.option_strings or [action.dest])[-1]} cannot be {quote(typed)}."
        there_are = f"Choose from: {', '.join(names)}".removesuffix(".")
        meant = did_you_mean(typed, names) or f"{there_are}."
        raise argparse.ArgumentError(None, f"{reason} {meant}")

    def format_help(self) -> str:
        """The help, with its examples as they can be called from here."""
        return paste_examples(super().format_help())

    def error(self, message: str) -> NoReturn:
        """Exit with two lines: the reason, and how to get help."""
        called = self.prog.replace("strongroom", program(), 1)
        told = f"{self.prog}: {harmless(message, 1000)}\nTry: {called} --help\n"
        self.exit(USAGE, fit(told, sys.stderr))


class Command(Parser):
    """The parser of a command; without a description only its name, which the help lists."""

    def __init__(self, description: str, **settings: Any) -> None:
        if description:  # making two dozen parsers takes longer than all the rest of the help
            super().__init__(description=description, **settings)


def _settings_of_games() -> set[str]:
    from dataclasses import fields

    return {each.name for game in registry.load_all() for each in fields(game.options)}


def add_command(commands: Commands, name: str, words: str = "") -> Command:
    """Add a command with its help."""
    parser = commands.add_parser(name, help=COMMANDS[name][1], description=words)
    if words:
        parser.set_defaults(parser=parser)
    return parser


def refuse(reason: str, advice: str = "") -> NoReturn:
    """Refuse what was typed, and say what to do instead."""
    from strongroom.contract import Refusal  # importing it earlier would double startup time

    raise Refusal(reason, advice)


# --- arguments shared by several commands ---------------------------------------------------------


def add_option(
    parser: argparse._ActionsContainer, written: str, help: str, default: Any = None, **how: Any
) -> None:
    """Add an option, written as its help writes it.

    That is `--fast`, `--[no-]mouse`, `--port N` or, if it can be repeated, `--bot ENGINE ...`.
    """
    name, _, value = written.partition(" ")
    if value.endswith("..."):
        how |= {"action": "append", "default": [], "metavar": value.removesuffix(" ...")}
    elif value:
        how |= {"default": default, "metavar": value}
    elif "[no-]" in name:
        how |= {"action": argparse.BooleanOptionalAction, "default": default}
    else:
        how |= {"action": "store_true"}
    parser.add_argument(name.replace("[no-]", ""), help=help, **how)


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the name of a game."""
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="the game's name, or the beginning of it"
    )


def add_games(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """Add the name of a game, or of several, and the option for all."""
    if several:
        parser.add_argument("game", metavar="GAME", nargs="*", help="the names of the games")
    else:
        add_game(parser)
    add_option(parser, "--all", "all games that are installed")


class PlayerNames(Collection[str]):
    """The players to choose from, between others; with schemes, also those that they name.

    They are listed only to be read, because other packages are searched for them.
    """

    def __init__(self, *first: str, last: tuple[str, ...] = (), schemes: bool = True) -> None:
        self._first, self._last, self._schemes = first, last, schemes

    def __contains__(self, name: object) -> bool:
        text = str(name)
        known = text in (*self._first, *self._last) or registry.is_registered("player", text)
        return known or (self._schemes and registry.is_by_scheme(text))

    def __iter__(self) -> Iterator[str]:
        yield from self._first
        yield from (*registry.names("player"), *self._last)
        if self._schemes:
            yield from (f"{scheme}:..." for scheme in registry.names("scheme"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def add_contest(
    parser: argparse.ArgumentParser,
    who: str,
    games: str,
    players: list[str] | None = None,
    *others: str,
    most: int = MOST,
    seed: int | None = 1,
) -> None:
    """Add the options for many games between bots; `who` and `games` say what they mean.

    Without a `seed`, one is drawn unless it is given.
    """
    names = PlayerNames(last=others)
    add_option(parser, "--players NAME", f"{who}: %(choices)s", players, nargs="+", choices=names)
    add_number(parser, "--games", games, 1000, most)
    again = DRAWN if seed is None else "the same seed gives the same games"
    add_option(parser, "--seed N", again, seed, type=int)


def add_opponent(
    parser: argparse.ArgumentParser, who: str, metavar: str, names: PlayerNames
) -> None:
    """Add the options for the opponent, by default the first of the names, and for the seat."""
    told, usual = f"your opponent: {who}%(choices)s", next(iter(names))
    add_option(parser, f"--vs {metavar}", told, usual, choices=names)
    parser.add_argument(
        "--seat", choices=("1", "2", "toss"), default="1", help="your seat; 1 moves first"
    )


def add_number(
    parser: argparse.ArgumentParser,
    option: str,
    help: str,
    default: int | None = None,
    most: int = MOST,
) -> None:
    """Add an option that takes a positive number."""
    add_option(parser, f"{option} N", help, default, type=partial(parse_positive, most=most))


def add_saved(parser: argparse.ArgumentParser) -> None:
    """Add the file of a saved game."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a saved game's file, or its number in strongroom list; by default the last one",
    )


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options of the game itself."""
    add_option(parser, "--set KEY=VALUE ...", "set an option of the game")


def add_faces(parser: argparse.ArgumentParser, strict: bool = True) -> None:
    """Add the options for how a game is shown and, if it is played, for how a script is read."""
    face = parser.add_mutually_exclusive_group()
    add_option(face, "--plain", "plain lines, without colour or drawing")
    add_option(face, "--json", "print one JSON event per line")
    add_option(parser, "--words NAME", "use another set of words for the game")
    motion = "whether the coin and the dots are animated; remembered"
    add_option(parser, "--[no-]motion", motion)
    add_option(parser, "--[no-]mouse", "whether a click chooses on the page; remembered")
    if strict:
        add_option(parser, "--strict", "stop a script at its first illegal line")


# --- interpreting them ----------------------------------------------------------------------------


def refuse_unused(chosen: argparse.Namespace, mode: str, unused: Iterable[str]) -> None:
    """Refuse those of these options that were given, because another one would ignore them."""
    for name in unused:
        if getattr(chosen, name) != chosen.parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            refuse(f"{option} cannot be used with {mode}.", "Leave it out.")


def typed_game(name: str, settings: list[str]) -> Game:
    """The game with this name, with options typed as `key=value`."""
    from strongroom.contract import BadOption

    game_type: type[Game] = registry.find_entry("game", registry.find(name))
    texts = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            told = f"--set takes KEY=VALUE; you gave {quote(setting)}."
            raise BadOption(told, "For example: --set digits=4")
        texts[key.strip()] = value
    return game_type(game_type.options_type.from_texts(texts))


def named_game(typed: str | None) -> str:
    """The name typed for the game; if there is none, a refusal lists the games."""
    if typed is None:
        refuse("Name a game.", f"Choose from: {', '.join(registry.names('game'))}.")
    return typed


def typed_games(
    chosen: argparse.Namespace, fits: Fits, why: str = "Not all of these players play them."
) -> list[Game]:
    """The named game or games, or all that fit."""
    if chosen.all == bool(chosen.game):
        refuse("Name a game, or use --all.", "For example: quantum-duel")
    named = [chosen.game] if isinstance(chosen.game, str) else chosen.game
    names = names_of_all(fits, why) if chosen.all else named
    return [typed_game(name, getattr(chosen, "set", [])) for name in names]


def names_of_all(
    fits: Fits, why: str, needed: Collection[str] = tuple(registry.GAMES)
) -> list[str]:
    """The names of the needed games, the five, and of others that fit; says what is left out."""
    games = registry.load_all()
    names = [game.name for game in games if game.name in needed or fits(game)]
    if left_out := ", ".join(game.title for game in games if game.name not in names):
        print(f"Left out: {left_out}. {why}", file=sys.stderr)
    return names


def played_by(*players: str) -> Fits:
    """Whether all these players can play a game."""
    return lambda game: not any(_trouble(player, game) for player in players)


def chosen_looks(chosen: argparse.Namespace) -> Looks:
    """The looks of a match, from the arguments and the saved preferences."""
    from strongroom.terminal.faces.face import Looks
    from strongroom.terminal.store.preferences import is_on, remember

    for name in ("motion", "mouse"):
        if (wanted := getattr(chosen, name)) is not None:
            remember(**{name: wanted})
    fast = getattr(chosen, "fast", False)
    return Looks(chosen.plain, chosen.json, motion=is_on("motion"), fast=fast, mouse=is_on("mouse"))


def saved_game(typed: str | None, latest: Callable[[], Path]) -> Path:
    """The file that the user means: a path, a number in the list, or the latest.

    Unless a path was typed, the game is described on standard error, apart from the output.
    """
    from pathlib import Path

    from strongroom.terminal.store import games

    is_number = typed and typed.isascii() and typed.isdigit() and len(typed) < 10
    if typed and not (is_number and not Path(typed).exists()):
        return Path(typed)
    file = games.file_at(int(typed)) if typed else latest()
    found = games.summarize(file)
    number = games.list_files().index(file) + 1
    told = f"Game {number}: {found.game}, {found.sitters}, played {found.when}."
    print(told, file=sys.stderr, flush=True)
    return file


def chosen_words(game: Game, name: str | None) -> Words[Any]:
    """The words of a game: the rule book's, or the set with this name."""
    return game.words if name is None else game.in_words(registry.words_of(game, name)).words


def bots_for(game: Game) -> list[str]:
    """The bots that can play this game."""
    return [name for name in registry.names("player") if not _trouble(name, game)]


def check_seats(game: Game, players: Iterable[str], option: str) -> None:
    """Refuse players who cannot play a game, before anything is asked or played."""
    for player in players:
        if trouble := _trouble(player, game):
            advice = f"{option} can be: {', '.join(bots_for(game))}."
            own = trouble.accepted if registry.is_by_scheme(player) else ""
            refuse(trouble.reason, own or advice)


def _trouble(player: str, game: Game) -> Refusal | None:
    """The reason why a player cannot play a game, or None."""
    from contextlib import redirect_stdout
    from io import StringIO
    from random import Random

    from strongroom.contract import Refusal
    from strongroom.players import check
    from strongroom.players import player as seated_player

    usual = game.options == type(game)().options
    if player == "person" or (player in registry.PLAYERS and game.name in registry.GAMES and usual):
        return None  # known to work: no need to load its tables
    try:
        with redirect_stdout(StringIO()):  # a player's own prints are not part of our output
            check(seated_player(player, game, Random()))
    except Refusal as refusal:
        return refusal
    return None


def seat_players(
    opponent: str, seat: str, names: list[str] | None, toss: Random
) -> tuple[tuple[Sitter, Sitter], str]:
    """The sitters in their seats, and a sentence on what the toss decided.

    The first-named player takes the requested seat, or the one the toss gives.
    """
    from strongroom.contract import NAMES, YOU, Refusal, does
    from strongroom.players import seat_name
    from strongroom.referee.record import Sitter, called_by_seat, check_names_differ

    tossed = seat == "toss"
    if tossed:
        seat = toss.choice(("1", "2"))
    usual = [*NAMES.values()] if opponent == "person" else [YOU, seat_name(opponent)]
    yours, others = names or usual
    try:
        you, other = Sitter(yours, "person"), Sitter(others, opponent)
        check_names_differ(you, other)
    except Refusal as refusal:
        raise Refusal(refusal.reason, "For example: Ada Bob" if names else "") from None
    first, second = called_by_seat(*((other, you) if seat == "2" else (you, other)))
    told = f"{does(first.name, 'won the toss and begins', 'won the toss and begin')}."
    if first.is_nameless:  # a default name does not tell who won the toss
        started = "started" if seat == "1" else "did not start"
        told = f"Whoever {started} this game won the toss and begins."
    return (first, second), told if tossed else ""


# --- numbers that are typed as options -----------------------------------------------------------


def parse_positive(text: str, most: int = MOST) -> int:
    """Parse a number of turns or games.

    >>> parse_positive("2000000", most=2**24)
    2000000
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not 1 <= int(text) <= most:
        raise ArgumentTypeError(f"must be a number from 1 to {most}; you gave {text[:20]!r}")
    return int(text)


def parse_port(text: str) -> int:
    """Parse the number of a port; 0 means any free one."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise ArgumentTypeError("must be a number from 0 to 65535")
    return int(text)
