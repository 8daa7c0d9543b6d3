"""The drawn page: the board, the record, what is said, and nothing that is private to another."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.text import Text

from strongroom.contract import Game, Repetition, Seat
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.terminal.faces import page
from strongroom.terminal.faces.face import Looks, Wish
from strongroom.terminal.screen import pager
from strongroom.terminal.screen.keys import Key
from strongroom.terminal.screen.layout import BELOW
from strongroom.terminal.store.games import read
from tests.contract.lettered import Lettered
from tests.terminal.conftest import SitAtPage
from tests.terminal.screen.at_page import LAST_PAGE, AtPage, Paper
from tests.terminal.test_store import after
from tests.terminal.whole_games import AGAIN, ALONE, WHOLE, Whole

SIZES = [(80, 24), (40, 24)]
BOT = ("--vs", "random", "--seed", "1", "--fast")
KEEP = 'type "again" for another:'


@pytest.fixture
def face(monkeypatch: pytest.MonkeyPatch) -> page.PageFace:
    """A page on paper, for a game that is set afterwards."""
    monkeypatch.setattr(page, "Display", Paper)
    return page.PageFace(load("quantum-duel").words, Looks(fast=True))


def begun(face: page.PageFace, game: Game, size: tuple[int, int] = (80, 24)) -> tuple[Match, Paper]:
    face.words, face.display = game.words, Paper(size=size)
    match = Match.start(game, draw=draws(1))
    face.begin(match.view(None), ["person", "person"])
    return match, face.display


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_game_fits_the_page(face: page.PageFace, name: str) -> None:
    for size in ((30, 10), (40, 15), (80, 24), (200, 60)):
        match, paper = begun(face, game := load(name), size)
        rng = Random(1)
        while len(match.record.steps) < 30 and isinstance(match.actor, Seat):
            match = match.step(match.actor, rng.choice(match.state.moves))
            if match.record.steps[-1].keeper is None:
                face.happened(match.view(None))
        assert len(paper.pages) > 20 or match.outcome is not None
        drawn = [row.plain.strip() for row in face.scene.board(size[0] - 2, 0)]
        assert paper.page.startswith(f" {game.title[:3]}") or len(drawn) + BELOW >= size[1]


@pytest.mark.parametrize("name", GAMES)
def test_no_message_moves_the_board_which_a_low_page_shows_whole(
    face: page.PageFace, name: str
) -> None:
    for size in ((40, 12), (60, 20), (80, 24), (100, 30)):
        _, paper = begun(face, load(name), size)
        wide = size[0] // 2 if size[0] >= 70 else size[0] - 2
        first, *rest = (row.plain.strip() for row in face.scene.board(wide, 0))
        places = set()
        for rows in range(1, 5):
            face.scene.says = ["He said so."] * rows
            face.draw()
            shown = [line[: wide + 2].strip() for line in paper.page.split("\n")]
            places.add(at := shown.index(first))
            assert shown[at + 1 :][: len(rest)] == rest
            assert "He said so." in paper.page
        assert len(places) == 1


def test_no_message_and_no_key_moves_the_record(at_page: SitAtPage) -> None:
    person = at_page("play", "safe-cracker", *BOT)
    person.answers("from 1-3):", "333")
    for _ in range(6):
        person.answers("from 1-3):", "111")
    person.sees("earlier")
    before = person.shown.index("earlier")
    person.types("x")
    person.sees("A code is digits only")
    assert person.shown.index("earlier") == before
    person.presses("1", "1-3): 1")
    assert person.shown.index("earlier") == before


def test_once_the_coin_lies_it_is_not_in_the_air_any_more(face: page.PageFace) -> None:
    match, paper = begun(face, game := load("quantum-duel"))
    state, told = match.state, []
    for move in ("3", "6", "4", "yes", "tails"):
        state = state.play(game.move(move))
        face.happened(state.view(None))
        told.append(paper.page)
    assert "Flipping a coin..." in told[-2]
    assert "Tails" in told[-1]
    assert "Flipping a coin..." not in told[-1]


def test_the_record_stands_beside_the_board_and_is_empty_in_a_rematch(face: page.PageFace) -> None:
    game = load("quantum-duel")
    for cells in ("35", "46"):
        match, paper = begun(face, game)
        assert "Welcome to Quantum Duel!" in paper.page
        for seat, cell in zip(Seat, cells, strict=True):
            match = match.step(seat, game.move(cell))
            face.happened(match.view(None))
    assert "│   ││   ││   ││ X ││   ││ O ││   │" in paper.page
    assert re.search(r" #  Player 1 +Player 2\n.* 1  4\n.* 2 +6\n", paper.page)
    assert not re.search(r" \d  3\n", paper.page)
    assert "Player 2 observes cell 6." in paper.page
    for face.aids in (True, False):
        _, paper = begun(face, game, (40, 24))
        assert f"aids {'on' if face.aids else 'off'} " in paper.page.split("\n")[0]


OTHER_SECRETS = {
    "safecracker-duel": {"342": "352", "5 1 3": "5 2 3"},
    "safe-cracker": {"2-1-3": "2-2-2", "331": "221"},
    "safe-code": {"18": "12", "7": "3"},
    "digit-deductions": {"3 7": "3 3", "56": "65"},
}
"""Other secrets for which the same guesses get the same answers."""


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "whole", [each for each in WHOLE if each.hidden], ids=lambda each: each.name
)
def test_with_other_secrets_every_page_of_two_people_is_the_same(
    at_page: SitAtPage, whole: Whole, size: tuple[int, int]
) -> None:
    drawn = []
    for secrets in ({}, OTHER_SECRETS[whole.name]):
        person = at_page("play", whole.name, "--fast", size=size)
        set_up = tuple(secrets.get(line, line) for line in whole.set_up)
        person.plays(replace(whole, set_up=set_up, turns=whole.turns[:-1]))
        person.types("quit", code=4)
        drawn.append(person.paper.drawn)
    assert drawn[0] == drawn[1]


def test_a_secret_is_typed_as_dots_and_no_refusal_tells_it(
    at_page: SitAtPage, tmp_path: Path
) -> None:
    person = at_page("play", "digit-deductions", "--save", "a.json")
    person.answers(ALONE, "3-2")
    prompt = "from 1-9):"
    assert not re.search("3-2|•", person.shown), "nor what was typed before"
    person.presses("8\x1b[A7")
    person.shows(r"from 1-9\): ••$")
    person.sees("Typing is hidden: each key shows a dot. Arrows show it.")
    person.types("")
    person.answers(AGAIN, "86", "The two did not match. Nothing is chosen yet.")
    person.answers(prompt, "", "Nothing typed.")
    person.presses("\x1b[B", "What arrows choose is in sight until Enter; what you type is not.")
    person.presses("\x1b")
    for line in ("70", "2x1", "21 8"):
        person.answers(prompt, line, "That was not accepted.")
        assert not re.search(f"{line}|you typed", person.shown)
    person.answers(prompt, "8\x1b[A7")
    person.answers(AGAIN, "87", "Player 2 is next, to choose in private.", ALONE)
    assert not re.search("•|not accepted|did not match", person.shown)
    board = r"(?:1[1-9]|[2-9]\d) .*"
    assert not re.search("8.?7|8.?6|7.?0", re.sub(board, "", person.pages))
    person.interrupts()
    assert person.code == 130
    assert [str(step.move) for step in read(tmp_path / "a.json").steps] == ["8-7"]


def test_a_secret_picked_at_random_or_asked_for_is_shown_to_its_owner_only(
    at_page: SitAtPage,
) -> None:
    person = at_page("play", "safe-cracker", "--set", "digits=9", "--set", "length=6")
    person.answers(ALONE, "")
    person.answers("from 1-9):", "random")
    picked = []
    for answer in ("again", ""):
        picked.append(person.shows(r"Picked for you: (\S+)")[1])
        person.answers(KEEP, answer)
    person.sees("Player 2 is next", ALONE)
    assert len(set(picked)) == 2, "a different one the second time"
    assert not any(each in person.shown for each in ("Picked", *picked))
    person = at_page("play", "digit-deductions")
    person.chooses("87")
    person.chooses("65")
    assert "8-7" not in person.pages
    person.answers("Input Guess:", "secret")
    person.answers(ALONE, "", "Your secret: 8-7", "Press Enter to hide it:")
    person.types("")
    person.sees("Player 1's Turn", "Input Guess:")
    assert "8-7" not in person.shown
    person.types("34")
    person.sees("Player 2's Turn", "Input Guess:")
    person.presses("\x1b[A\x1b[A\x10")
    person.sees("Input Guess: 3-5")  # where two steps lead from the middle of the board
    person.presses("\x1b")
    person.shows(r"Input Guess:\s*\Z")
    person.presses("7\x1b[A")
    assert person.shown.splitlines()[-1] == " Input Guess: 7"
    assert not re.search(r"8-?7|6-?5", person.shown.replace("87", "", 1).replace("65", "", 1))


def test_clues_are_read_back_rewritten_and_cleared_at_the_hand_over(at_page: SitAtPage) -> None:
    person = at_page("play", "safe-code")
    person.chooses("23")
    person.answers("clue 1 of 3:", "even")
    person.writes("clue 1 of 3:", "it is over twenty")
    person.writes("of 3:", "not even")
    person.answers("clue 3 of 3:", "prime", "Taken as: The number is a prime.")
    assert "Player 2 is next" not in person.shown
    person.answers("keep it", "agin", "That is neither Enter nor again.")
    person.answers("keep it", "again")
    person.writes("clue 3 of 3:", "two digits")
    person.sees("Player 2 is next, to choose in private.", ALONE)
    assert not re.search("prime|twenty|odd|even|digits", person.shown)
    person.types("")
    person.answers("(1-30):", "quit")
    assert person.code == 4
    assert "Saved. Resume with: strongroom resume" in person.printed


def test_a_mistyped_and_a_refused_first_turn_leave_the_same_page(at_page: SitAtPage) -> None:
    pages = []
    for line, told in (("1 2", "That would set the safe to your own code."), ("1 9", "1 to 5")):
        person = at_page("play", "safecracker-duel")
        person.chooses("211")
        person.chooses("513")
        person.sees("Player 1 is next, in private.")
        person.answers(ALONE, "")
        person.answers("(1-3):", line, told)
        person.answers("(1-3):", "3 4", "Player 2 is next, in private.", ALONE)
        person.shows("dial 3 → 4 +1-1-4")
        pages.append(person.shown)
    assert pages[0] == pages[1]
    assert not re.search("own code|1 2", pages[0])


def test_alone_against_a_bot_the_secret_is_typed_once_and_stays_visible(at_page: SitAtPage) -> None:
    person = at_page("play", "safecracker-duel", "--vs", "casual", "--fast")
    person.answers("from 1-5):", "342", "your code 3-4-2", "Enter position to change (1-3):")
    person.presses("\x18", "your code hidden (^X)")
    assert "3-4-2" not in person.shown
    person.presses("\x18", "your code 3-4-2")


@pytest.mark.parametrize("name", ["safecracker-duel", "safe-cracker"])
def test_a_page_too_low_for_the_players_says_ones_own_code_with_the_turn(
    at_page: SitAtPage, name: str
) -> None:
    person = at_page("play", name, "--vs", "casual", "--fast", size=(40, 12))
    person.answers("code", "312", "Your turn · your code 3-1-2")
    person.presses("\x18", "Your turn · your code hidden")
    assert "3-1-2" not in person.shown


def test_control_d_and_quit_save_and_exit_4(at_page: SitAtPage, games: Path) -> None:
    deductions = "digit-deductions"
    places = (("quantum-duel", "\x04"), (deductions, "\r \x04"), (deductions, "quit\r"))
    for number, (game, pressed) in enumerate(places, 1):
        person = at_page("play", game)
        for keys in pressed.split(" "):
            person.presses(keys)
        assert person.code == 4
        assert "Saved. Resume with: strongroom resume\n" in person.printed
        assert len([*games.iterdir()]) == number


def test_a_refusal_replaces_the_announcement_and_does_not_stay(at_page: SitAtPage) -> None:
    person = at_page("play", "quantum-duel")
    person.answers("observe:", "9", "Cells run from 1 to 7; you typed 9.", "observe:")
    person.types("hitn")
    person.sees("Did you mean hint?")
    person.presses("9\x7f6\x1b[D\x0b5\r", "Player 1 observes cell 5.")
    assert not re.search("you typed 9|Did you mean", person.shown)
    person = at_page("play", "safecracker-duel", *BOT)
    person.answers("from 1-5):", "342")
    person.answers("(1-3):", "1")
    for line in ("9", "x", "7"):
        person.answers("(1-5):", line)
        person.shows(rf"(?s)'{line}' is not a digit from 1 to 5.*\(1-5\): *$")
    assert person.shown.count("Enter new digit (1-5):") == 1


def test_the_next_of_two_people_is_told_what_the_other_did(at_page: SitAtPage) -> None:
    ada, bob = "[/red]" + "A" * 18, "[bold]" + "B" * 18
    person = at_page("play", "quantum-duel", "--names", ada, bob, "--fast")
    person.turns("observe:", "3", "7", "4")
    person.sees(f"{bob}, do you want to challenge?", f"{ada} observes cell 4, adjacent to cell 3.")
    person.types("no")
    assert f"{bob} does not challenge. Cell 4 stands." in person.plainly
    assert not re.search("your symbol|is now yours", person.pages)
    drawn = person.shown.splitlines()
    assert any(line.count("│ X │") + line.count("│ O │") == 3 for line in drawn)
    person.shows(r"1 +2 +▲?3 +▲?4 +5 +6 +▲?7")
    for line in drawn:
        assert sum(map(line.count, "╭╰")) == sum(map(line.count, "╮╯")), person.shown
    person.shows(r"(?m)^ \[bold\]B{18} \(O\), it's your turn\.$")


def test_a_bot_is_seen_thinking_also_without_motion(at_page: SitAtPage, tmp_path: Path) -> None:
    game = ("play", "quantum-duel", "--vs", "random", "--seat", "2", "--no-motion")
    person = at_page(*game)
    person.sees("Random is thinking...", "Random observes cell ")
    person.shows(r"Your turn \(O\)\.|Do you want to challenge\?")
    assert "You have observed" not in person.pages
    assert preferences(tmp_path)["motion"] is False


def preferences(folder: Path) -> dict[str, object]:
    file = folder / "config" / "strongroom" / "preferences.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


@pytest.mark.parametrize("size", SIZES)
def test_the_count_moves_no_board(at_page: SitAtPage, size: tuple[int, int]) -> None:
    person = at_page("play", "safecracker-duel", *BOT, size=size)
    person.answers("from 1-5):", "342")
    person.shows(r"(?s)Your turn.*\(1-3\):")
    (before,) = {line.index("╭") for line in person.shown.splitlines() if "╭" in line}
    person.types("1 5")
    person.shows(r"(?s)Random sets dial \d to \d\.\s+The\s+safe\s+shows .*\(1-3\):")
    person.shows(r"Random can have \d+ of 125")
    (after,) = {line.index("╭") for line in person.shown.splitlines() if "╭" in line}
    assert before == after
    assert "Updated Safe Combination" not in person.shown


def test_a_position_that_comes_up_three_times_is_named_once(at_page: SitAtPage) -> None:
    person = at_page("play", "safecracker-duel", "--fast")
    person.chooses("555")
    person.chooses("444")
    # After the first turn it was not yet known that nobody hides 1-1-1.
    for turn, line in enumerate(("1 2", "1 1", "1 2", "1 1", "1 2", "1 1", "1 2")):
        if turn < 2:
            person.answers(ALONE, "")
        person.answers("(1-3):", line)
    person.sees("This position has now come up three times.")
    person.types("1 1")
    person.shows(r"(?s) 8 +dial 1 → 1.*Player 1's Turn")
    assert "three times" not in person.shown


def test_rules_open_in_a_pager_with_search_and_the_game_is_as_it_was(at_page: SitAtPage) -> None:
    person = at_page("play", "quantum-duel")
    person.types("4", "rules")
    person.sees("Quantum Duel: the rules", "q back")
    assert "observe:" not in person.shown
    person.presses("/coin\r", "coin")
    person.presses("/no such words\r", "Not found from here on.")
    person.presses("q", "observe:", "│ X │", "Player 2 (O), it's your turn.")


class Narrow(Paper):
    """Paper that crops its rows, as a terminal narrower than any page does."""

    def draw(self, rows: Sequence[Text], *how: Any) -> None:
        super().draw([Text(row.plain[: self.size[0]]) for row in rows], *how)


def test_n_goes_to_the_next_match_and_shift_n_to_the_one_before_and_all_on_a_very_narrow_page() -> (
    None
):
    paper = Paper(size=(40, 12))
    paper.press([*"/coin", Key.ENTER, *"nnN", "q"])
    lines = ("a coin" if number % 20 == 0 else f"line {number}" for number in range(100))
    pager.Pager(paper, "Coins", pager.plain("\n".join(lines))).read()
    assert "line 21" in paper.page
    assert "line 41" not in paper.page
    paper = Narrow(size=(9, 12))
    paper.press([*"/coin", Key.ENTER, "q"])
    pager.Pager(paper, "Quantum Duel", pager.plain("word\n" * 30 + "the coin\n" * 9)).read()
    assert "coin" in paper.page


def test_a_long_game_keeps_board_newest_turn_and_question_in_sight(at_page: SitAtPage) -> None:
    person = at_page("play", "safe-cracker", "--no-aids")
    person.chooses("213")
    person.chooses("331")
    for turn in range(1, 31):
        person.answers("from 1-3):", "111", f"Player {turn % 2 + 1}'s Turn")
    head = next(line for line in person.shown.splitlines() if " # " in line)
    assert head.split()[-4:] == ["Player", "1", "Player", "2"], "the headings of the record"
    person.shows(r"(?m)30 +1-1-1: 1 exact$")
    person.shows(r"⋮ \d+ earlier")
    assert not re.search(r" 2 +1-1-1", person.shown)
    person.presses("\x1b[5~")
    person.shows(r"(?s)\A(?!.*30 +1-1-1).*25 +1-1-1(?!.*26 +1-1-1)")
    person.types("history")
    person.sees("q back")
    person.presses("G", "30. Player 2: 1-1-1: 1 exact")
    person.presses("g", " 1. Player 1: 1-1-1: 1 exact")
    person.presses("q", "from 1-3):")


@pytest.mark.parametrize("game", ["quantum-duel", "digit-deductions"])
def test_on_a_narrow_page_nothing_is_cut_off(at_page: SitAtPage, game: str) -> None:
    person = at_page("play", game, "--vs", "random", "--seed", "3", "--fast", size=(30, 40))
    if game == "quantum-duel":
        person.answers("observe:", "4")
        assert "Random observes cell " in person.plainly
        person.shows(r"(?m)^ +[_O] [_O] [_O] X [_O] [_O] [_O]$")
    else:
        person.answers("1-9):", "37")
        person.answers("Input Guess:", "55")
        assert "Random guesses " in person.plainly
        person.sees("[55]", "5-5: ", "Input Guess:")
        person.shows(r"(?m)9[1-9·.]? ?$")
    title, _, players, *rows = person.shown.splitlines()
    assert title.endswith("0 : 0"), "only the title may be shortened"
    assert players.startswith(" ● You")
    assert not any("…" in row for row in rows)
    for line in person.shown.splitlines():
        assert not line.startswith(tuple("╭╰│├")) or line[-1] in "╮╯│┤", f"broken:\n{person.shown}"


def test_two_people_have_no_aids_until_both_agree(at_page: SitAtPage, tmp_path: Path) -> None:
    person = at_page("play", "quantum-duel", "--names", "Ada", "Bo")
    for line, told in (
        ("hint", "This game is played without hints and notebook. To switch them on: aids"),
        ("aids", "Bo is asked for it before the next turn there, as both have to agree."),
        ("hint", "This game is played without hints and notebook"),
        ("4", "Ada wants hints and notebook on for both. Do you agree? (yes/no):"),
        ("maybe", "'maybe' is neither yes nor no"),
        ("no", "Both have to agree: hints and notebook stay off."),
        ("aids", "Ada is asked for it before the next turn"),
        ("2", "Bo wants hints and notebook on for both. Do you agree? (yes/no):"),
        ("yes", "Hints and notebook are on"),
        ("hint", ALONE),
    ):
        person.types(line)
        assert told in person.plainly, person.shown
    person.types("")
    person.answers("hide it:", "")
    person.shows(r"(?m) X +││|│ X │")
    person.shows(r"(?m) 1 +4$")
    assert "Tab takes the hint" in person.shown, "nothing is secret here"
    assert "aids" not in preferences(tmp_path)


def test_aids_are_a_switch_that_is_remembered(at_page: SitAtPage, tmp_path: Path) -> None:
    for is_first in (True, False):
        person = at_page("play", "safe-cracker", *BOT)
        person.answers("from 1-3):", "213")
        person.answers("Enter your guess", "111")
        if is_first:
            person.shows("are left for you|of 27")
            person.types("aids")
            person.sees("Hints and notebook are off: you see the bare record.")
        person.shows("(?s)1-1-1.* 2 .*Enter your guess")
        assert "of 27" not in person.shown
        assert preferences(tmp_path)["aids"] == {"alone": False}


def test_game_and_score_survive_an_interrupt_and_resume(at_page: SitAtPage, games: Path) -> None:
    person = at_page("play", "quantum-duel", "--fast", "--names", "Ada", "Bob")
    person.resigns("observe:")
    person.presses("r", "observe:")
    person.types("3")
    person.interrupts()
    assert person.code == 130
    assert "Saved. Resume with: strongroom resume\n" in person.printed
    person = at_page("resume")
    person.sees("Bob 1   Ada 0", "Ada (O), it's your turn.")
    person.resigns("observe:")
    person.presses("q", code=0)
    assert "Turns: 1" in person.printed
    assert all(read(file).outcome is not None for file in games.iterdir())


def verdict(person: AtPage) -> str:
    """The framed result, in one line."""
    person.shows(r"(?m)[╰└]─{9,}╯ *$")
    framed = [re.findall(r"│ ([^│]*) │$", line) for line in person.shown.splitlines()]
    return " ".join(" ".join(text for (text,) in filter(None, framed)).split())


def test_it_offers_rematch_analysis_replay_the_result_and_saving(at_page: SitAtPage) -> None:
    person = at_page("play", "digit-deductions", *BOT)
    person.answers("from 1-9):", "r")
    secret = person.shows(r"Picked for you: (\S+)")[1]
    person.answers(KEEP, "")
    person.answers("Input Guess:", "55")
    person.answers("Input Guess:", "resign")
    person.answers("Resign? (yes/no):", "maybe", "'maybe' is neither yes nor no.")
    person.answers("Resign? (yes/no):", "yes", "How it went", LAST_PAGE)
    assert "out of 100" not in person.shown  # too few moves for a mark
    assert not any(each in person.pages for each in (ALONE, AGAIN, "You's"))
    assert "Random 1" in person.shown.splitlines()[0]
    for key, shown in (
        ("a", "what each move cost"),
        ("p", "Moment 0 of "),
        ("c", r"(?s)to copy.*strongroom: Digit Deductions.*resigned.*Turns: 2"),
    ):
        person.presses(key)
        person.shows(shown)
        assert key != "c" or secret not in person.shown
        person.presses("q", LAST_PAGE)
    person.presses("s", "Save as (a file's name):", "Game over: ")
    assert "Resign?" not in person.shown
    person.types("mine.jsonl")
    person.sees(LAST_PAGE)
    person.presses("r", "Choose your secret number")
    person.shows("You 0   Random 1|Random 1   You 0")
    person.types("quit", code=4)
    assert "Saved to mine.jsonl" in person.printed
    assert "Saved. Resume with: " in person.printed


def test_the_last_page_is_clicked_or_walked_with_arrows(at_page: SitAtPage) -> None:
    person = at_page("play", "quantum-duel", "--fast")
    person.turns("observe:", "1", "7")
    person.resigns("observe:")
    person.shows("How it went: Player 1's chance to win *\n")
    assert "secret" not in person.shown
    person.clicks(r"(p replay)", "[p replay]")
    person.presses("\x1b[C", "[s save as]")
    person.clicks(r"q (leave)", "[q leave]")
    person.presses("\r", code=0)


@pytest.mark.parametrize("options", [("--names", "Ada", "Bob"), ()], ids=["named", "by seat"])
def test_a_rematch_swaps_the_seats_and_the_score_runs_on(
    at_page: SitAtPage, games: Path, options: tuple[str, ...]
) -> None:
    """Without names of their own, whoever moves first is Player 1."""
    toss = ("--seat", "toss", "--seed", "2") if options else ()
    person = at_page("play", "quantum-duel", *options, *toss)
    one, two = options[1:] or ("Player 1", "Player 2")
    begun = 0
    for number, score in enumerate((f"{one} 0, {two} 1", f"{one} 1, {two} 1", f"{one} 1, {two} 2")):
        starter, other = (two, one) if options and number == 1 else (one, two)
        tossed = f"{one} won the toss and begins." in "\n".join(person.paper.pages[begun:])
        assert tossed is bool(options and not number), "a rematch is not tossed for again"
        if number and not options:
            person.sees("The seats are swapped: the former Player 2 is now Player 1.")
        person.sees(f"{starter} (X), it's your turn.")
        person.resigns("observe:")
        told = verdict(person)
        assert f"Game over: {other} won, because {starter} resigned." in told
        assert score in re.sub("(Player [12]):", r"\1", told)
        begun = len(person.paper.pages)
        person.presses("r" if number < 2 else "q")
    assert person.code == 0
    headers = [json.loads(file.read_text().splitlines()[0]) for file in games.iterdir()]
    seats = [[seat["name"] for seat in header["seats"]] for header in headers]
    assert sorted(seats) == (
        [["Ada", "Bob"]] * 2 + [["Bob", "Ada"]] if options else [[one, two]] * 3
    )
    assert sorted(header["score"] for header in headers) == [[0, 0], [1, 0], [1, 1]]


def test_a_guess_has_its_feedback_though_the_bot_ended_the_game(at_page: SitAtPage) -> None:
    person = at_page("play", "safe-cracker", "--set", "attempts=1", *BOT)
    person.answers("from 1-3):", "213")
    person.answers("Enter your guess", "111", LAST_PAGE)
    assert re.search(r"Your last turn: 1-1-1: \d exact", verdict(person))
    assert re.search(r"Random guesses \d-\d-\d\. Feedback: \d exact match", verdict(person))


@pytest.mark.parametrize(("name", "secret"), [("safe-cracker", "213"), ("digit-deductions", "37")])
def test_it_shows_the_loser_the_winning_board(at_page: SitAtPage, name: str, secret: str) -> None:
    person = at_page("play", name, "--fast", "--vs", "master", "--seed", "1")
    person.answers("):", secret)
    while LAST_PAGE not in person.shown:
        person.types("1" * len(secret))
    assert verdict(person).startswith("You lost. Game over: Master ")
    lit = re.findall(r"\[ ?(\d+)\]", person.shown.partition("How it went")[0])
    assert sorted("".join(lit)) == sorted(secret)
    person.presses("c")
    person.shows(r"(?s)to copy.*Play, out of 100: You \d+, Master \d+")


def resigned(
    face: page.PageFace, size: tuple[int, int], *moves: str, name: str = "quantum-duel"
) -> str:
    face.forget()
    match, paper = begun(face, load(name), size)
    match = after(match, *moves).resign(Seat.ONE)
    face.ended(match.view(None), face.the_end(match.view(None)))
    paper.press("q")
    assert face.wish(match.record, analysis=True) is Wish.LEAVE
    return paper.page


def test_the_curve_stands_beside_the_board_where_there_is_room(face: page.PageFace) -> None:
    for size in ((80, 24), (120, 40)):
        drawn = resigned(face, size, "1", "7", "2", "no", "6", "no", "3", "no", "5", "no")
        rows = drawn.split("\n")
        board = next(row for row, text in enumerate(rows) if text.count("╭──") >= 7)
        (headed,) = (row for row, text in enumerate(rows) if "How it went" in text)
        (ended,) = (row for row, text in enumerate(rows) if "Game over" in text)
        assert ended < headed, "the verdict comes first"
        assert (headed < board + 5) == (size[0] >= 110)
        without_a_turn = resigned(face, size)
        assert "Game over" in without_a_turn
        assert "How it went" not in without_a_turn
    moves = ["5-5-5", "5-5-4", *["1 2", "1 3", "1 4"] * 20]
    for size in ((40, 24), (80, 24), (120, 40)):
        shown = resigned(face, size, *moves, name="safecracker-duel")
        assert LAST_PAGE in shown.split("\n")[-1], "a long game leaves room for the choices"


def noticed(game: Game, moves: Sequence[str]) -> list[int]:
    """After which of these moves a repeated position is named."""
    repetition, state, found = Repetition(), game.start(), []
    for number, text in enumerate(moves, 1):
        state = state.play(game.move(text))
        if not state.setting_up and state.log and repetition.noticed(state.view(None)):
            found.append(number)
    return found


class Limited(Lettered):
    @cached_property
    def most_turns(self) -> int | None:
        return 40


def safe_code_set_up() -> list[str]:
    state, moves = load("safe-code").start(), []
    while state.setting_up:
        moves.append(str(state.moves[0]))
        state = state.play(state.moves[0])
    return moves


def test_repeated_guesses_repeat_a_position_and_others_do_not_but_where_a_board_says_it_all() -> (
    None
):
    guesses = [str(number) for number in range(2, 31) for _ in range(2)]
    assert noticed(load("safe-code"), [*safe_code_set_up(), *guesses]) == []
    assert noticed(Lettered(), ["A", "A", *"BBCCDDEE"]) == []
    setting_up = safe_code_set_up()
    assert noticed(load("safe-code"), [*setting_up, *["2", "3"] * 8]) == [len(setting_up) + 6]
    assert noticed(Lettered(), ["A", "A", *"BC" * 8]) == [2 + 6]
    assert noticed(Lettered(), ["A", "A", *"BCBCBD", *"BCBCBC"]) == [2 + 10], "D told something"
    assert noticed(Limited(), ["A", "A", *"BC" * 8]) == [], "the turns that are left differ"
    game = load("quantum-duel")
    for first in "14":
        state, repetition = game.start().play(game.move(first)), Repetition()
        counts = [repetition.noticed(state.view(None)) for _ in range(4)]
        assert counts == [False, False, True, False]


def test_a_first_game_is_coached_until_each_kind_of_move_is_made(at_page: SitAtPage) -> None:
    for sitting in ("first", "second"):
        person = at_page("play", "safecracker-duel", "--vs", "casual", "--seed", "1", "--fast")
        coached = sitting == "first"
        for line, lesson in (
            ("342", "Choose a code of your own, to keep"),
            ("1 2", "You win when the safe"),
            ("2 3", "Come nearer to your"),
            ("resign", ""),
        ):
            assert (lesson in person.shown) is (coached or not lesson)
            person.types(line)
        assert "Come nearer" not in person.shown
        person.types("yes")
        person.sees(LAST_PAGE)
        person.presses("q")
    person = at_page("play", "quantum-duel")
    person.sees("Observe an empty cell.")
    person.answers("observe:", "3", "Observe an empty cell.")
    person.answers("observe:", "6", "Observe another.")
    person.answers("observe:", "2", "Challenge, or let it stand.")
    person = at_page("play", "digit-deductions", size=(60, 24))
    person.chooses("37")
    person.chooses("56")
    person.sees("Guess 1-1, a corner.")


def test_a_typed_answer_is_marked_and_single_keys_are_seen_on_a_low_page(
    at_page: SitAtPage,
) -> None:
    person = at_page("play", "quantum-duel", "--fast", size=(40, 12))
    person.presses("\x1b", "[? help]")
    person.presses("\x1b")
    assert "[? help]" not in person.shown
    person.types("resign")
    person.presses("y", "[yes]")
