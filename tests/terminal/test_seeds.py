"""Randomness at the table: one stream for each purpose, so that none reveals another."""

from __future__ import annotations

import re
from random import Random

import pytest

from strongroom.contract import Game, Move, Seat, View
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, stream
from strongroom.referee.record import Record
from strongroom.referee.sitter import Sitter
from strongroom.terminal.faces.face import Face
from strongroom.terminal.table import bot
from strongroom.terminal.table.local_table import LocalTable
from tests.terminal.conftest import SitDown, Strongroom
from tests.terminal.test_prompts import Typed


def secrets(text: str) -> list[str]:
    return re.findall(r"(?:Player [12]'s|Your|Random's) secret: (\S+)", text)


def test_the_secret_of_a_bot_does_not_depend_on_what_is_picked_or_tossed(
    strongroom: Strongroom,
) -> None:
    arguments = ["play", "digit-deductions", "--vs", "random", "--seed", "5"]
    typed = strongroom(*arguments, lines=["37", "resign", "y"])
    picked = strongroom(*arguments, lines=["r", "resign", "y"])
    assert secrets(typed.out)[1] == secrets(picked.out)[1]
    assert secrets(picked.out)[0] != secrets(picked.out)[1]
    again = strongroom(*arguments, lines=["r", "resign", "y"])
    assert secrets(again.out) == secrets(picked.out)


def test_each_seat_gets_its_own_random_secrets(strongroom: Strongroom) -> None:
    arguments = ["play", "digit-deductions", "--seed", "5"]
    both = secrets(strongroom(*arguments, lines=["r", "r", "resign", "y"]).out)
    second = secrets(strongroom(*arguments, lines=["37", "r", "resign", "y"]).out)
    assert both[0] != both[1]
    assert both[1] == second[1], "the second does not depend on the first"


def test_coins_do_not_depend_on_who_plays(strongroom: Strongroom) -> None:
    for seed in ("1", "2", "3"):
        game = ("play", "quantum-duel", "--seed", seed)
        coins = [
            re.findall("Result: .*", strongroom(*game, *seat, lines=["1", "7", "2", "y"]).out)
            for seat in ([], ["--seat", "toss"])
        ]
        assert coins[0] == coins[1] != []


def test_a_rematch_has_its_own_streams(sit_down: SitDown) -> None:
    arguments = ["--vs", "random", "--seed", "7", "--fast", "--plain"]
    terminal = sit_down("play", "digit-deductions", *arguments)
    for again in ("y", "y", "n"):
        terminal.answers("from 1-9): ", "37")
        terminal.answers("Input Guess: ", "resign")
        terminal.answers("(yes/no): ", "yes")
        terminal.comes_to_the_rematch()
        terminal.types(again)
    assert terminal.ends() == 0
    bots = [each for each in secrets(terminal.text) if each != "3-7"]
    assert len(set(bots)) == 3, "no match repeats another"


class Snoops:
    """A bot that looks for the coin in its own generator."""

    seen: Random

    def __init__(self, game: Game, rng: Random) -> None:
        Snoops.seen = rng

    def choose(self, view: View) -> Move:
        """The first legal move."""
        return view.moves[0]


def test_a_bot_never_holds_the_generator_of_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(name: str, game: Game, rng: Random) -> Snoops:
        return Snoops(game, rng)

    monkeypatch.setattr(bot, "player", make)
    game = load("quantum-duel")
    sitters = (Sitter("Ada"), Sitter("Bot", "snoops"))
    LocalTable(Match.start(game, sitters, draw=draws(9)), Face(Typed([]), game.words), seed=9)
    state = Snoops.seen.getstate()
    assert state == stream(9, f"player {Seat.TWO.value}").getstate()
    others = ["toss", "pick 1", "pick 2", "player 1", *(f"chance at step {n}" for n in range(50))]
    assert all(state != stream(9, other).getstate() for other in others)


class StoredGame:
    """Records what it was told to store, and how much had been announced by then."""

    def __init__(self, face: Announcing) -> None:
        self.face = face
        self.seen: list[tuple[int, int]] = []

    def update(self, record: Record) -> None:
        self.seen.append((len(record.steps), self.face.announced))


class Announcing(Face):
    announced = 0

    def write(self, text: str) -> None:
        """Show nothing."""

    def happened(self, view: View) -> None:
        self.announced = view.number


def test_every_step_is_stored_before_it_is_announced() -> None:
    game = load("quantum-duel")
    sitters = (Sitter("Bot", "random"), Sitter("Other", "random"))
    face = Announcing(Typed([]), game.words)
    table = LocalTable(Match.start(game, sitters, 40, draws(3)), face, seed=3)
    kept = StoredGame(face)
    table.play(kept)  # type: ignore[arg-type]
    assert len(kept.seen) > 10
    assert all(stored > announced for stored, announced in kept.seen)
    assert face.announced == len(table.match.record.steps)
