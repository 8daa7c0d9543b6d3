"""`strongroom`, `play` and `resume`: a game at this keyboard."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from strongroom.plugins.registry import is_by_scheme
from strongroom.terminal.arguments import (
    PlayerNames,
    add_faces,
    add_game,
    add_number,
    add_opponent,
    add_option,
    add_saved,
    add_settings,
    check_seats,
    chosen_looks,
    chosen_words,
    named_game,
    refuse,
    saved_game,
    seat_players,
    typed_game,
)
from strongroom.terminal.contests import add_asking, add_styles, seating, with_style
from strongroom.terminal.exits import EXIT_CODES, FINISHED, INPUT_ENDED
from strongroom.terminal.printing import shell_quote, tell_why_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from pathlib import Path

    from strongroom.contests.schedule import Make
    from strongroom.terminal.faces.face import Looks
    from strongroom.terminal.table.local import Wishes

PLAY_HELP = """\
examples:
  strongroom play safecracker-duel                      two people, one keyboard
  strongroom play safe-code --vs expert --seat toss     you against a bot
  strongroom play safe-cracker --set digits=4 --set attempts=6
  strongroom play digit-deductions --plain < lines.txt  a scripted game
  strongroom play safe-cracker --vs model:gpt-4o-mini   a language model

Play a game. Every prompt accepts help, rules, hint, notebook, aids, history,
board, secret, resign, save and quit.
"""


def define_play(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom play`."""
    parser.epilog = EXIT_CODES
    add_game(parser)
    add_opponent(parser, "", "NAME", PlayerNames("person"))
    parser.add_argument("--names", nargs=2, metavar=("A", "B"), help="you, and your opponent")
    add_option(parser, "--seed N", "make chance and bots reproducible", type=int)
    add_settings(parser)
    add_number(parser, "--turn-limit", "end undecided after N turns in total")
    add_option(parser, "--save FILE", "keep the record in this file")
    add_option(parser, "--fast", "no pauses and no animation")
    aids = "hints, and a page that counts what is left; remembered against a bot"
    add_option(parser, "--[no-]aids", aids)
    add_faces(parser)
    add_styles(parser)
    add_asking(parser)


def run_play(chosen: argparse.Namespace) -> int:
    """Play the game."""
    from dataclasses import replace

    from strongroom.players import stand_in
    from strongroom.referee.randomness import stream
    from strongroom.referee.record import PERSON
    from strongroom.terminal.store import games, preferences
    from strongroom.terminal.table.local import Wishes

    game = typed_game(named_game(chosen.game), chosen.set)
    opponent, told = stand_in(with_style(chosen.vs, chosen), game)
    check_seats(game, [opponent], "--vs")
    sitters, toss = seat_players(opponent, chosen.seat, chosen.names, stream(chosen.seed, "toss"))
    together = opponent == PERSON
    if chosen.aids is not None and not together:
        preferences.remember_aids(chosen.aids)
    aids = bool(chosen.aids) if together else preferences.aids_on()
    wishes = Wishes(
        game=game,
        sitters=sitters,
        words=chosen_words(game, chosen.words),
        seed=chosen.seed,
        turn_limit=chosen.turn_limit,
        save=games.typed_file(chosen.save) if chosen.save else None,
        looks=replace(chosen_looks(chosen), aids=aids),
        strict=chosen.strict,
        toss=toss,
        told=told,
        make=seating([opponent], chosen),
    )
    return wishes.series().play()


OPEN_ELSEWHERE = "This game is open in another window."
LONGEST_SHOWN = 80
"""How much of a command is shown."""

RESUME_HELP = """\
examples:
  strongroom resume                 the unfinished game you played last
  strongroom resume 3               the third game in strongroom list
  strongroom resume my-game.jsonl   the game in this file
"""


def define_resume(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom resume`."""
    add_saved(parser)
    add_faces(parser)
    trust = "let the engine or model play that a file from elsewhere names"
    add_option(parser, "--trust", trust)
    add_asking(parser)


def run_resume(chosen: argparse.Namespace) -> int:
    """Resume the game."""
    from strongroom.terminal.store import games
    from strongroom.terminal.store.files import games_folder

    file = saved_game(chosen.file, games.latest_unfinished)
    called = chosen.file or str(file)
    if not chosen.trust and file.resolve().parent != games_folder().resolve():
        _refuse_programs(file, called)
    asking = partial(seating, chosen=chosen)
    code, _ = go_on(file, chosen_looks(chosen), chosen.words, chosen.strict, called, asking)
    return code


def _refuse_programs(file: Path, called: str) -> None:
    """Refuse a game from elsewhere whose file names a program to run, or a model to pay for."""
    from strongroom.contract import quote
    from strongroom.terminal.store import games

    for sitter in games.read(file).sitters:
        if is_by_scheme(sitter.player):
            refuse(
                f"The file lets {quote(sitter.player, LONGEST_SHOWN)} play, and it is not one of "
                "your saved games.",
                f"If you trust it: strongroom resume {shell_quote(called)} --trust",
            )


def go_on(
    file: Path,
    looks: Looks,
    words: str | None = None,
    strict: bool = False,
    called: str = "",
    asking: Callable[[Sequence[str]], Make] | None = None,
) -> tuple[int, bool]:
    """Resume the game in a file; return the exit code, and whether the player quit.

    `called`: what the user typed for it, if not the file's name; `asking`: what seats its players.
    """
    from strongroom.players import player
    from strongroom.terminal.store import games
    from strongroom.terminal.table.local import Wishes

    journal, record = games.Journal.resume(file)
    if record.outcome is not None:
        journal.close()
        refuse("That game is over.", f"Look at it: strongroom replay {shell_quote(called or file)}")
    wishes = Wishes(
        game=record.game,
        sitters=record.sitters,
        words=chosen_words(record.game, words),
        turn_limit=record.turn_limit,
        looks=looks,
        strict=strict,
        make=asking([each.player for each in record.sitters]) if asking else player,
    )
    series = wishes.series(record, journal)
    return series.play(), series.was_quit


def run_menu() -> int:
    """Set up a game and play it; a page comes back after a game that is finished or quit."""
    from strongroom.terminal.faces.face import Looks
    from strongroom.terminal.lines import InputEnded, can_page, is_typed, open_lines
    from strongroom.terminal.setup import Questions, WantsNothing
    from strongroom.terminal.store import games, preferences

    looks = Looks(motion=preferences.is_on("motion"), mouse=preferences.is_on("mouse"))
    try:
        if not can_page():
            if is_typed():
                tell_why_plain()
            return _play_chosen(Questions(open_lines(), looks).ask(), looks)[0]
        note = ""
        while True:
            try:
                code, was_quit = _play_chosen(_choose_on_a_page(looks, note), looks)
            except games.InUse:
                note = OPEN_ELSEWHERE
                continue
            note = ""
            if code != FINISHED and not was_quit:
                return code
    except InputEnded:
        return INPUT_ENDED
    except WantsNothing:
        return FINISHED


def _choose_on_a_page(looks: Looks, note: str) -> Wishes | Path | date:
    from strongroom.terminal.screen.display import Display
    from strongroom.terminal.setup_page import SetupPage

    page = SetupPage(looks, Display(looks.mouse))
    page.form.note = note
    with page.display:
        return page.read()


def _play_chosen(wanted: Wishes | Path | date, looks: Looks) -> tuple[int, bool]:
    """Play a game, or put a puzzle; return the exit code, and whether the player quit."""
    from datetime import date
    from pathlib import Path

    if isinstance(wanted, date):
        from strongroom.terminal.table.puzzle import PuzzleTable, find_puzzle  # it loads numpy

        code = PuzzleTable(find_puzzle(wanted), looks, counts=True).solve()
        return code, code == INPUT_ENDED

    if isinstance(wanted, Path):
        return go_on(wanted, looks)
    series = wanted.series()
    return series.play(), series.was_quit
