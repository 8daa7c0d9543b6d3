"""`strongroom play`: its options, who sits where, variations of the games, and chance."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from strongroom_bluff.game import Bluff

from strongroom import measure
from strongroom.arena.standings import Standings
from strongroom.contests.schedule import Schedule
from strongroom.contract import Game, Move, Seat, View
from strongroom.plugins import registry
from strongroom.plugins.registry import load
from strongroom.referee.randomness import stream
from strongroom.referee.record import Record, Sitter, called_by_seat
from strongroom.terminal.arguments import bots_for, names_of_all, played_by, seat_players
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import Script
from strongroom.terminal.table.local import LocalTable, Wishes
from tests.plugins.packages import BLUFF, add_package
from tests.terminal.conftest import SitDown, Strongroom

DUEL = ("play", "quantum-duel")
CRACKER = ("play", "safe-cracker")
DEDUCTIONS = ("play", "digit-deductions")


def test_a_strict_script_is_saved_at_its_first_illegal_line(strongroom: Strongroom) -> None:
    ran = strongroom(*DUEL, "--strict", lines=["3", "3", "5"], code=3)
    assert "Cell 3 is already observed." in ran.out
    assert "You have observed cell 5." not in ran.lines
    assert "You have observed cell 5." in strongroom(*ran.resume, lines=["5"]).lines


def test_names_and_options_are_used_everywhere(strongroom: Strongroom) -> None:
    lines = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10", "1", "2", "16", "2", "7"]
    ran = strongroom("play", "safe-code", "--names", "Ada", "Bob", lines=lines)
    assert "Player" not in ran.out
    assert "Bob's Clue: " in ran.out
    assert "Congratulations, Ada! You have cracked the safe." in ran.lines
    assert "Game over: Ada cracked the safe." in ran.lines
    assert "Score: Ada 1, Bob 0" in ran.lines
    chosen = [part for each in ("digits=4", "length=4", "attempts=1") for part in ("--set", each)]
    ran = strongroom(*CRACKER, *chosen, lines=["4444", "3333", "3-3-3-1", "1111"])
    assert "Enter your guess (four digits from 1-4): 3-3-3-1" in ran.lines
    assert "Feedback: 0 exact matches" in ran.lines
    assert "Game over: Player 1 had the most exact matches in one guess." in ran.lines
    lines = ["342", "513", "1 1"]
    ran = strongroom("play", "safecracker-duel", "--set", "allow_same_digit=yes", lines=lines)
    assert "Updated Safe Combination: 1-1-1" in ran.lines


def test_a_turn_limit_ends_a_match_unless_its_last_turn_wins(strongroom: Strongroom) -> None:
    ran = strongroom(*DEDUCTIONS, "--turn-limit", "2", lines=["37", "56", "55", "35", "56"], code=0)
    assert "Game over: undecided at the turn limit." in ran.lines
    assert "Turns: 2" in ran.lines
    assert "Player 1's secret: 3-7" in ran.lines
    assert "Score: Player 1: 0, Player 2: 0" in ran.lines
    assert "Feedback: 0" not in ran.lines
    ran = strongroom(*DEDUCTIONS, "--turn-limit", "1", lines=["37", "56", "56"])
    assert "Game over: Player 1 guessed the secret number." in ran.lines


def test_a_whole_game_against_a_bot_shows_nothing_of_its_secret_before_the_end(
    strongroom: Strongroom,
) -> None:
    every_code = [f"{a}{b}{c}" for a in "123" for b in "123" for c in "123"]
    ran = strongroom(*CRACKER, "--vs", "random", "--seed", "4", lines=["213", *every_code], code=0)
    feedback = r"Feedback: \d exact match(es)?"
    assert re.search(
        rf"\n{feedback}\n\nRandom guesses \d-\d-\d\. {feedback}\.\n\nYour turn:\n", ran.out
    )
    assert re.search(r"Game over: (You|Random) cracked the code\.", ran.out)
    assert "Choose your secret code (three digits from 1-3): ***" in ran.lines
    assert not re.search("Player [12]|You's", ran.out)
    ran = strongroom(*DEDUCTIONS, "--vs", "random", "--seed", "5", lines=["37"])
    over = strongroom(*ran.resume, lines=["resign", "y"])
    secret = re.search(r"Random's secret: (\d-\d)", over.out)
    assert secret
    assert secret[1] not in ran.before_the_goodbye + ran.err


def test_bots_that_cannot_play_a_game_are_not_offered() -> None:
    for name in registry.GAMES:
        assert bots_for(load(name)) == ["master", "expert", "casual", "random"]
    assert bots_for(load("safe-cracker", attempts=9)) == ["expert", "casual", "random"]
    assert bots_for(Bluff()) == ["expert", "casual", "random"]


def test_all_means_every_installed_game_that_the_players_play(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    strongroom: Strongroom,
) -> None:
    points = f"{BLUFF}broken = no_such_module:Game\n"
    monkeypatch.syspath_prepend(add_package(tmp_path / "packages", "bluff", points))
    assert names_of_all(played_by("casual", "random"), "") == [*registry.GAMES, "bluff"]
    assert names_of_all(lambda game: False, "Nobody solved it.") == list(registry.GAMES)
    assert capsys.readouterr().err == "Left out: Bluff. Nobody solved it.\n"
    measured = measure("random", rounds=1, seats=(1,), against="random").report.results
    assert [*measured] == [*registry.GAMES, "bluff"]
    ran = strongroom("play", "bluff", "--vs", "random", "--seat", "1", "--aids", lines=["hint"])
    assert "There are no hints here: Bluff has not been solved.\n" in ran.out
    legend = Standings(Schedule((load("bluff"), load("safe-code")), ("casual", "random"), 2)).legend
    assert legend.endswith("games; none at Bluff, for which there is no solution.")


def test_seat_2_lets_the_bot_move_first(strongroom: Strongroom) -> None:
    arguments = [*DUEL, "--vs", "random", "--seed", "1"]
    ran = strongroom(*arguments, "--seat", "2", "--names", "Ada", "Bot")
    assert re.search(r"7\n\nBot observes cell \d\.\n\nCurrent Board:\n.* X ", ran.out)
    assert "Bot (X), it's your turn." not in ran.out, "nobody asks a bot"
    assert "Ada (O), it's your turn." in ran.lines
    first = strongroom(*arguments, "--seat", "1", "--names", "Ada", "Bot")
    assert "Ada (X), it's your turn." in first.lines


def test_without_names_the_players_are_called_after_their_seats() -> None:
    told = set[str]()
    for seat in ("1", "2", "toss"):
        for seed in range(20):
            sitters, toss = seat_players("person", seat, None, Random(seed))
            assert [sitter.name for sitter in sitters] == ["Player 1", "Player 2"]
            told.add(f"{seat}: {toss}".strip())
    assert told == {
        "1:",
        "2:",
        "toss: Whoever started this game won the toss and begins.",
        "toss: Whoever did not start this game won the toss and begins.",
    }
    ada, nameless = Sitter("Ada"), Sitter("Player 2")
    assert called_by_seat(ada, nameless) == (ada, nameless)
    assert called_by_seat(nameless, ada) == (Sitter("Player 1"), ada), "a chosen name is kept"


FOUR_DIGITS = ("--set", "digits=4")
LARGE = ("--set", "digits=9", "--set", "length=6")
ATTEMPTS = ("--set", "attempts=2")
INSTEAD = "expert plays instead of master.\n"


def seats(games: Path) -> list[str]:
    """The players of the only saved game, according to its record."""
    (file,) = games.iterdir()
    return [seat["player"] for seat in json.loads(file.read_text().splitlines()[0])["seats"]]


def test_master_plays_a_certified_variation_and_its_certified_score_is_shown(
    strongroom: Strongroom, sit_down: SitDown, games: Path
) -> None:
    every_code = [f"{a}{b}{c}" for a in "1234" for b in "1234" for c in "1234"]
    ran = strongroom(*CRACKER, *FOUR_DIGITS, "--vs", "master", lines=every_code)
    assert (ran.code, ran.err) == (0, "")
    assert seats(games) == ["person", "master"]
    terminal = sit_down(*CRACKER, *FOUR_DIGITS, "--vs", "master", "--plain")
    terminal.sees("from 1-4): ")
    told = " ".join(terminal.text.split())
    assert "Master plays the certified strategy" in told
    certified = "Certified: against anybody master scores at least 64.6 % as Player 1, "
    assert f"{certified}35.1 % as Player 2." in told


@pytest.mark.parametrize(
    ("options", "code"), [(LARGE, "123456"), (ATTEMPTS, "123")], ids=["large", "attempts"]
)
def test_expert_plays_what_is_not_certified_and_the_record_says_so(
    strongroom: Strongroom, games: Path, options: tuple[str, ...], code: str
) -> None:
    play = (*CRACKER, *options, "--vs", "master", "--seed", "1")
    ran = strongroom(*play, lines=[code, code])
    label = "safe-cracker," + ",".join(options[1::2])
    assert ran.err == f"Nothing is certified for {label}: {INSTEAD}"
    assert seats(games) == ["person", "expert"]
    assert ran.out.count("Feedback: ") == 2, "one guess by the person and one by expert"
    ran = strongroom(*play, "--json", lines=[code])
    assert ran.events[0]["event"] == "start"
    assert ran.err.endswith(INSTEAD)


@pytest.mark.proof
def test_hints_and_an_analysis_need_a_table(strongroom: Strongroom) -> None:
    four = (*CRACKER, "--save", "four.jsonl", "--aids", *FOUR_DIGITS)
    ran = strongroom(*four, lines=["111", "222", "hint", "222"])
    best = "It may hit, and splits the 64 codes left into 27, 27, 9 and 1."
    assert f" (65% to win, as Master plays): {best}" in ran.err
    ran = strongroom("analyze", "four.jsonl", "--json")
    assert json.loads(ran.out)["decisions"][2]["before"] == 0.648193  # the race: 0.647705
    ran = strongroom(*CRACKER, "--aids", *LARGE, lines=["1" * 6, "2" * 6, "hint"])
    told = "There are no hints here: Safe Cracker has not been solved with these options."
    assert told in ran.err
    strongroom(*CRACKER, "--save", "limited.jsonl", *ATTEMPTS, lines=["111", "222", "222"])
    refusal = strongroom("analyze", "limited.jsonl").refusal
    assert refusal.startswith("Nothing is certified for safe-cracker,attempts=2. ")


def secrets(text: str) -> list[str]:
    return re.findall(r"(?:Player [12]'s|Your|Random's) secret: (\S+)", text)


def test_the_same_seed_gives_the_same_transcript(strongroom: Strongroom) -> None:
    arguments = [*DUEL, "--vs", "random", "--seat", "toss", "--seed", "7"]
    lines = [x for cell in range(1, 8) for x in ("yes", str(cell))] * 3
    first, second = (strongroom(*arguments, lines=lines).before_the_goodbye for _ in range(2))
    one, two = (re.sub(r"Record: .*", "", text) for text in (first, second))
    assert one == two
    assert "Result: " in one, "a coin was flipped"


def test_the_secret_of_each_seat_and_coins_depend_on_nothing_else(strongroom: Strongroom) -> None:
    def chosen(lines: str, *arguments: str) -> list[str]:
        typed = [*lines.split(), "resign", "y"]
        return secrets(strongroom(*DEDUCTIONS, "--seed", "5", *arguments, lines=typed).out)

    against = ("--vs", "random")
    typed, picked = chosen("37", *against), chosen("r", *against)
    assert typed[1] == picked[1] != picked[0]
    assert chosen("r", *against) == picked
    both = chosen("r r")
    assert both[0] != both[1] == chosen("37 r")[1]
    for seed in ("1", "2", "3"):
        ran = [
            strongroom(*DUEL, "--seed", seed, *seat, lines=["1", "7", "2", "y"])
            for seat in ([], ["--seat", "toss"])
        ]
        one, two = (re.findall("Result: .*", each.out) for each in ran)
        assert one == two != []


def test_a_rematch_has_its_own_streams(sit_down: SitDown) -> None:
    terminal = sit_down(*DEDUCTIONS, "--vs", "random", "--seed", "7", "--fast", "--plain")
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

    def __init__(self, name: str, game: Game, rng: Random) -> None:
        Snoops.seen = rng

    def choose(self, view: View) -> Move:
        return view.moves[0]


def test_a_bot_never_holds_the_generator_of_the_referee() -> None:
    game = load("quantum-duel")
    sitters = (Sitter("Ada"), Sitter("Bot", "snoops"))
    LocalTable(Wishes(game, sitters, seed=9, make=Snoops), Face(Script(), game.words))
    state = Snoops.seen.getstate()
    assert state == stream(9, f"player {Seat.TWO.value}").getstate()
    others = ["toss", "pick 1", "pick 2", "player 1", *(f"chance at step {n}" for n in range(50))]
    assert all(state != stream(9, other).getstate() for other in others)


class Announcing(Face):
    """Shows nothing; it is also told what to store, and how much was announced by then."""

    announced = 0
    stored: tuple[tuple[int, int], ...] = ()

    def write(self, text: str) -> None:
        """Show nothing."""

    def happened(self, view: View) -> None:
        self.announced = view.number

    def update(self, record: Record) -> None:
        self.stored += ((len(record.steps), self.announced),)


def test_every_step_is_stored_before_it_is_announced() -> None:
    game = load("quantum-duel")
    sitters = (Sitter("Bot", "random"), Sitter("Other", "random"))
    face = Announcing(Script(), game.words)
    wishes = Wishes(game, sitters, seed=3, turn_limit=40)
    table = LocalTable(wishes, face, journal=face)  # type: ignore[arg-type]
    table.play()
    assert len(face.stored) > 10
    assert all(stored > announced for stored, announced in face.stored)
    assert face.announced == len(table.match.record.steps)
