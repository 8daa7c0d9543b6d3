"""The options of `play`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom


def test_a_strict_script_ends_at_its_first_illegal_line_and_is_saved(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("play", "quantum-duel", "--strict", lines=["3", "3", "5"])
    assert ran.code == 3
    assert "Cell 3 is already observed." in ran.out
    assert "You have observed cell 5." not in ran.lines
    again = strongroom(*ran.resume, lines=["5"])
    assert "You have observed cell 5." in again.lines


def test_the_same_seed_gives_the_same_transcript(strongroom: Strongroom) -> None:
    arguments = ["play", "quantum-duel", "--vs", "random", "--seat", "toss", "--seed", "7"]
    lines = [x for cell in range(1, 8) for x in ("yes", str(cell))] * 3
    first, second = (strongroom(*arguments, lines=lines).before_the_goodbye for _ in range(2))
    one, two = (re.sub(r"Record: .*", "", text) for text in (first, second))
    assert one == two
    assert "Result: " in one, "a coin was flipped"


def test_seeds_decide_the_coins_and_the_toss_either_way(strongroom: Strongroom) -> None:
    results, starters = set[str](), set[str]()
    names = ["--seat", "toss", "--names", "Ada", "Bob"]
    for seed in range(40):
        arguments = ["play", "quantum-duel", *names, "--seed", str(seed)]
        ran = strongroom(*arguments, lines=["3", "5", "4", "y"])
        results |= set(re.findall("Result: (.*)", ran.out))
        starters |= set(re.findall(r"(\w+) \(X\), it's your turn", ran.out))
        if len(results) == len(starters) == 2:
            break
    assert (results, starters) == ({"Heads", "Tails"}, {"Ada", "Bob"})


def test_seat_2_lets_the_bot_move_first(strongroom: Strongroom) -> None:
    arguments = ["play", "quantum-duel", "--vs", "random", "--seed", "1"]
    ran = strongroom(*arguments, "--seat", "2", "--names", "Ada", "Bot")
    assert re.search(r"7\n\nBot observes cell \d\.\n\nCurrent Board:\n.* X ", ran.out)
    assert "Bot (X), it's your turn." not in ran.out, "nobody asks a bot"
    assert "Ada (O), it's your turn." in ran.lines
    first = strongroom(*arguments, "--seat", "1", "--names", "Ada", "Bot")
    assert "Ada (X), it's your turn." in first.lines


def test_names_are_used_everywhere(strongroom: Strongroom) -> None:
    lines = ["18", "even", "> 15", "< 20", "7", "odd", "prime", "< 10", "1", "2", "16", "2", "7"]
    ran = strongroom("play", "safe-code", "--names", "Ada", "Bob", lines=lines)
    assert "Player" not in ran.out
    assert "Bob's Clue: " in ran.out
    assert "Congratulations, Ada! You have cracked the safe." in ran.lines
    assert "Game over: Ada cracked the safe." in ran.lines
    assert "Score: Ada 1, Bob 0" in ran.lines


def test_a_turn_limit_ends_the_match_undecided_unless_its_last_turn_wins(
    strongroom: Strongroom,
) -> None:
    play = ("play", "digit-deductions", "--turn-limit")
    ran = strongroom(*play, "2", lines=["37", "56", "55", "35", "56"])
    assert ran.code == 0
    assert "Game over: undecided at the turn limit." in ran.lines
    assert "Turns: 2" in ran.lines
    assert "Player 1's secret: 3-7" in ran.lines
    assert "Score: Player 1: 0, Player 2: 0" in ran.lines
    assert "Feedback: 0" not in ran.lines
    ran = strongroom(*play, "1", lines=["37", "56", "56"])
    assert "Game over: Player 1 guessed the secret number." in ran.lines


def test_options_of_a_game_are_set(strongroom: Strongroom) -> None:
    chosen = [part for each in ("digits=4", "length=4", "attempts=1") for part in ("--set", each)]
    ran = strongroom("play", "safe-cracker", *chosen, lines=["4444", "3333", "3-3-3-1", "1111"])
    assert "Enter your guess (four digits from 1-4): 3-3-3-1" in ran.lines
    assert "Game over: Player 1 had the most exact matches in one guess." in ran.lines
    lines = ["342", "513", "1 1"]
    ran = strongroom("play", "safecracker-duel", "--set", "allow_same_digit=yes", lines=lines)
    assert "Updated Safe Combination: 1-1-1" in ran.lines


def test_a_whole_game_against_a_bot(strongroom: Strongroom) -> None:
    every_code = [f"{a}{b}{c}" for a in "123" for b in "123" for c in "123"]
    ran = strongroom(
        "play", "safe-cracker", "--vs", "random", "--seed", "4", lines=["213", *every_code]
    )
    assert ran.code == 0
    feedback = r"Feedback: \d exact match(es)?"
    assert re.search(
        rf"\n{feedback}\n\nRandom guesses \d-\d-\d\. {feedback}\.\n\nYour turn:\n", ran.out
    )
    assert re.search(r"Game over: (You|Random) cracked the code\.", ran.out)
    assert "Choose your secret code (three digits from 1-3): ***" in ran.lines
    assert not re.search("Player [12]|You's", ran.out)


def test_a_bot_shows_nothing_of_its_secret_before_the_end(strongroom: Strongroom) -> None:
    ran = strongroom("play", "digit-deductions", "--vs", "random", "--seed", "5", lines=["37"])
    over = strongroom(*ran.resume, lines=["resign", "y"])
    secret = re.search(r"Random's secret: (\d-\d)", over.out)
    assert secret
    assert secret[1] not in ran.before_the_goodbye + ran.err


def test_a_game_is_found_by_the_beginning_of_its_name_in_upper_or_lower_case(
    strongroom: Strongroom,
) -> None:
    for name in ("QUANTUM", "quantum duel"):
        assert strongroom("play", name).lines[0] == "Welcome to Quantum Duel!"


def test_the_help_says_that_quitting_is_exit_code_4(strongroom: Strongroom) -> None:
    assert "4 quit, or the" in strongroom("play", "--help").out
    assert strongroom("play", "quantum-duel", lines=["quit"]).code == 4
