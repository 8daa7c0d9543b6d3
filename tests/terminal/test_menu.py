"""Before a game: the menu or the set-up page, what it remembers, games, commands and help."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rich.text import Text

from strongroom.contract import BadOption
from strongroom.games.safe_cracker.rules import SafeCrackerOptions
from strongroom.plugins import registry
from strongroom.terminal.arguments import COMMANDS
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.lines import InputEnded
from strongroom.terminal.screen.keys import Key, Pressed
from strongroom.terminal.setup import Item, WantsNothing
from strongroom.terminal.setup_page import Form, Numbers, Row, SetupPage
from strongroom.terminal.store.preferences import MOST, NAME, recall, remember
from strongroom.terminal.table.local import Wishes
from tests.plugins.packages import BLUFF, add_package
from tests.terminal.conftest import Strongroom
from tests.terminal.screen.at_page import Paper

GAMES = ("safe-cracker", "digit-deductions", "quantum-duel", "safe-code", "safecracker-duel")


def test_games_and_rules_are_printed_and_the_version(strongroom: Strongroom) -> None:
    ran = strongroom("games")
    assert [line.split()[0] for line in ran.lines] == list(GAMES)
    assert all(len(line.split(maxsplit=1)[1]) > 20 for line in ran.lines)
    assert max(map(len, ran.lines)) <= 100
    assert strongroom("games", "--names").lines == list(GAMES)
    for name in GAMES:
        ran = strongroom("rules", name, code=0)
        assert ran.lines[0] == f"# {name.replace('-', ' ').title()}"
        assert len(ran.lines) > 40
    assert re.fullmatch(r"strongroom \d+\.\d+\S*\n", strongroom("--version").out)


def test_the_listed_options_are_the_ones_that_set_accepts(strongroom: Strongroom) -> None:
    settings = strongroom("games", "--options", "safe-cracker").lines
    assert settings[:2] == ["digits=3", "digits=4"]
    attempts = [setting for setting in settings if setting.startswith("attempts=")]
    assert attempts == ["attempts=none", *(f"attempts={each}" for each in range(1, 101))]
    for setting in settings:
        SafeCrackerOptions.from_texts(dict([setting.split("=")]))
    for beyond in ("attempts=0", "attempts=101", "digits=2", "digits=10"):
        assert beyond not in settings
        with pytest.raises(BadOption):
            SafeCrackerOptions.from_texts(dict([beyond.split("=")]))
    assert strongroom("games", "--options", "quantum").out == ""


def test_help_of_every_command_shows_an_example_first(
    strongroom: Strongroom, subtests: pytest.Subtests
) -> None:
    for command in ("", *COMMANDS):
        with subtests.test(command):
            ran = strongroom(*command.split(), "--help", code=0)
            example = re.search(rf"examples?:\n  .*strongroom {command}", ran.out)
            assert example, ran.out
            assert example.start() < ran.out.index("options:")
            assert max(map(len, ran.lines)) <= 80
    assert "4 quit, or the" in strongroom("play", "--help").out
    lines = strongroom("serve", "--help").lines
    examples = [line.split() for line in lines if line.startswith("  strongroom serve")]
    assert sum("--behind-proxy" in each for each in examples) == 1
    assert sum("--origin" in each for each in examples) == 1
    assert not any({"--behind-proxy", "--origin"} <= {*each} for each in examples)


def test_the_menu_asks_for_everything_and_then_plays(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["2", "1", "1", "Ada", "Bob", "37", "56", "5 6"], code=0)
    assert "Enter 1 to 5 (Enter: 1; back, help, rules, quit): 2" in ran.lines
    assert "Welcome to Digit Deductions!" in ran.lines
    assert "Ada Wins" in ran.lines
    ran = strongroom(lines=["Quantum", "person", "your opponent", "Ada", "Bob", "3"])
    assert "Bob (X), it's your turn." in ran.lines
    assert "You have observed cell 3." in ran.lines


def test_the_menu_says_who_starts_and_names_players_after_seats(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["3", "1", "2", "", ""])
    assert "Your name (Enter: Player 2): " in ran.out
    assert "Opponent's name (Enter: Player 1): " in ran.out
    tossed = strongroom(lines=["3", "1", "toss", "", ""])
    assert "Your name (Enter: named after the seat): " in tossed.out
    for each in (ran, tossed):
        assert "Player 1 (X), it's your turn." in each.lines
    ran = strongroom(lines=["3", "2", "toss", "Ada"])
    starts = re.search(r"^(Ada|Master) won the toss and begins\.$", ran.out, re.M)
    assert starts
    first = {"Ada": "Ada (X), it's your turn.", "Master": "Master observes cell "}[starts[1]]
    assert re.search(rf"7\n\n{re.escape(first)}", ran.out)


def test_the_menu_asks_again_after_a_wrong_answer_and_can_be_left(strongroom: Strongroom) -> None:
    wrong = ["9", "chess", "safe", "0", "-1", "0000000019", "9" * 5000]
    ran = strongroom(lines=[*wrong, "quit"], code=0)
    assert ran.out.count("is none of these. ") == len(wrong)
    assert ran.out.count("Against whom?") == 0
    ran = strongroom(lines=["3", "1", "1", "Ada", "Ada", "Ada", "Bob", "3"])
    assert "The two names must differ." in ran.out
    assert "Ada (X), it's your turn." in ran.lines
    assert strongroom().code == strongroom(lines=["3", "1", "1", "Ada"]).code == 4


def test_the_menu_has_defaults_variations_and_a_way_back(strongroom: Strongroom) -> None:
    ran = strongroom(lines=["5", *[""] * 5])
    assert "Which variation of Safecracker Duel?" in ran.lines
    assert "Welcome to Safecracker Duel!" in ran.lines
    assert "Player 1, choose your secret code" in ran.out
    ran = strongroom(lines=["1", "change digits", "12", "2", "4", "1", "1", "1", "", "", "444"])
    assert "digits must be a number from 3 to 9; you gave 12." in ran.out
    assert "(three digits from 1-4): ***" in ran.out
    ran = strongroom(lines=["3", "back", "2", "1", "1", "back", "2", "Ada", "Bob", "37"])
    assert ran.out.count("Which game?") == ran.out.count("Who starts?") == 2
    assert "Welcome to Digit Deductions!" in ran.lines
    assert "Bob, choose your secret number" in ran.out
    assert "(three digits from 1-4)" in strongroom(lines=["1", *[""] * 5]).out, "kept for each game"


def test_the_menu_offers_the_last_choices_and_open_games(strongroom: Strongroom) -> None:
    strongroom(lines=["digit", "random", "2", "Ada", "quit"], code=4)
    again = strongroom(lines=["", "", "", "", "quit"], code=4)
    assert "(Enter: 2; back, help, rules, quit): " in again.out
    assert "Your name (Enter: Ada): " in again.out
    assert "Ada, choose your secret number" in again.out
    strongroom("play", "quantum-duel", "--names", "Ada", "Bob", lines=["3"])
    ran = strongroom(lines=["6", "5"])
    assert "  6. Resume Quantum Duel: Ada and Bob; Bob is next" in ran.lines
    assert "Back at Quantum Duel." in ran.lines
    assert "You have observed cell 5." in ran.lines


def test_odd_preferences_change_only_the_offer(strongroom: Strongroom, file: Path) -> None:
    file.parent.mkdir(parents=True)
    odd: dict[str, object] = {
        "opponent": None,
        "seat": [],
        "yours": "x" * 90,
        "settings": {"quantum-duel": 3},
    }
    gone = {"game": "gone", "settings": {"safe-cracker": {"digits": 99}}}
    menus: list[object] = [7, [], {"game": 7}, gone, odd]
    for menu in menus:
        file.write_text(json.dumps({"menu": menu, "motion": "?"}))
        ran = strongroom(lines=["quantum", "1", "1", "Ada", "Bob", "quit"], code=4)
        assert "Ada (X), it's your turn." in ran.lines


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "strongroom" / NAME


def test_a_choice_is_remembered_privately_and_written_once_and_a_damaged_file_counts_as_empty(
    file: Path,
) -> None:
    assert recall() == {}
    remember(motion=False)
    remember(menu={"game": "safe-code"})
    assert recall() == {"motion": False, "menu": {"game": "safe-code"}}
    remember(motion=True)
    assert json.loads(file.read_text()) == {"motion": True, "menu": {"game": "safe-code"}}
    assert file.parent.stat().st_mode & 0o077 == 0
    before = file.stat()
    remember(motion=True)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert [each.name for each in file.parent.iterdir()] == [NAME], "no temporary file is left"
    long = b'{"a": "' + b"x" * MOST + b'"}'
    for content in (b"", b"{", b"[]", b"7", b"\xff\xfe", b"[" * 9_000, long):
        file.write_bytes(content)
        assert recall() == {}, content[:10]
        remember(motion=False)
        assert recall() == {"motion": False}, content[:10]


def test_nothing_is_kept_where_it_cannot_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", "nowhere")
    for place in ("/dev/null", "/proc/nowhere", ""):
        monkeypatch.setenv("XDG_CONFIG_HOME", place)
        remember(motion=False)
        assert recall() == {}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    remember(motion=False)
    assert not (tmp_path / "config").exists()
    assert (tmp_path / "home" / ".config" / "strongroom" / NAME).is_file()


def down(rows: int) -> list[Pressed]:
    return [Key.DOWN] * rows


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remembered choices and saved games of this test alone."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def chosen(paper: Paper, *keys: Pressed) -> Wishes:
    paper.press(keys)
    wishes = SetupPage(Looks(), paper).read()
    assert isinstance(wishes, Wishes)
    return wishes


def started(*keys: Pressed) -> Wishes:
    return chosen(Paper(), *keys, Key.ENTER)


PAGES: list[str] = []
"""Every page drawn for the last one that is shown."""


def shown(*keys: Pressed, size: tuple[int, int] = (80, 24), unicode: bool = True) -> str:
    paper = Paper(size=size, unicode=unicode)
    with pytest.raises(WantsNothing):
        chosen(paper, *keys, Key.ESCAPE)
    PAGES[:] = paper.pages
    return paper.page


def test_a_number_among_many_is_typed_and_huge_ranges_cost_nothing() -> None:
    none = [Item("none", "none")]
    for digits, number in (("7", "none"), ("70", "70"), ("705", "705"), ("9999", "999")):
        form, paper = form_of(Numbers(none, range(50, 2001), ""))
        paper.press([*digits, Key.ENTER])
        while form.key() is not Key.ENTER:
            pass
        assert form.row.value_text == number
    form, paper = form_of(Numbers([], range(50, 10**12), ""))
    paper.press(["7", Key.ENTER])
    assert form.key() is Key.ENTER
    assert "‹ 7_ ›" in paper.page
    paper.press([Key.LEFT])
    assert form.key() is form.row
    assert form.row.value_text == str(10**12 - 1)


def form_of(numbers: Numbers) -> tuple[Form, Paper]:
    paper = Paper()
    rows = [Row("many", "Many", numbers)]
    return Form(paper, Text("form"), Text(), rows, marked="many"), paper


MORE = [Key.RIGHT, *down(3), Key.ENTER]
"""From a game's row to the other page."""


def opens_more(*keys: Pressed) -> list[Pressed]:
    """From a game's row: the other page's keys, and back to a row that plays."""
    return [*MORE, *keys, Key.ENTER, Key.UP]


def test_enter_plays_and_all_that_is_chosen_is_filled_in_the_next_time() -> None:
    remember(menu={"game": "safecracker-duel"})
    for row in (0, 2, 3, 4):
        wishes = started(*down(row))
        assert wishes.game.name == "safecracker-duel"
        assert [sitter.name for sitter in wishes.sitters] == ["You", "Casual"]
        assert wishes.looks.aids
    more = opens_more("4", *down(3), *"Ada", *down(1), *"Bob")
    wishes = started("1", Key.RIGHT, "1", *down(1), Key.RIGHT, *[Key.UP] * 2, *more)
    assert wishes.game == registry.load("safe-cracker", digits=4)
    assert [sitter.name for sitter in wishes.sitters] == ["Bob", "Ada"]
    assert not wishes.looks.aids, "between two people, aids have to be switched on"
    remember(menu={})
    started("3", Key.RIGHT, "1", *down(1), Key.RIGHT)
    wishes = started(*opens_more(*down(1), *"Ada"))
    assert wishes.game.name == "quantum-duel"
    assert [sitter.name for sitter in wishes.sitters] == ["Ada", "Player 2"]
    assert not wishes.looks.aids, "two people agree on them anew"


def test_all_games_are_shown_and_the_marked_value_is_explained_where_no_row_moves() -> None:
    remember(menu={"game": "safecracker-duel"})
    goal = registry.load("safecracker-duel").words.goal.split(";")[0]
    cases: tuple[tuple[list[Pressed], list[str]], ...] = (
        ([], ["› Safecracker Duel", goal.rpartition(" ")[0]]),
        (down(1), ["› Today's vault", "the same for everybody"]),
        (down(2), ["‹ Casual ›", "plays sensibly, but forgets"]),
        (down(3), ["› First ‹ you ›", "You move first."]),
        ([*down(4), Key.RIGHT], ["The bare record."]),
        (down(5), ["• Safecracker Duel", "› More", "Names, allow same digit."]),
        ([Key.UP], ["› Safe Code"]),
        (down(6), ["› Safe Cracker"]),
        ([*"²٣3"], ["› Quantum Duel"]),
        (["?"], ["go on where you left"]),
        (["n"], ["serve --host 0.0.0.0"]),
    )
    places = set()
    for keys, texts in cases:
        page = shown(*keys, *([Key.ESCAPE] if keys in (["?"], ["n"]) else []))
        assert [text for text in texts if text not in "".join(PAGES)] == []
        assert "safecracker-duel" not in page
        rows = [re.sub("[›‹•]", " ", line)[:20] for line in page.split("\n")]
        places.add(tuple(rows.index(row) for row in rows if re.match("   [A-Z]", row)))
    assert len(places) == 1


def test_digits_choose_a_number_or_a_place_and_bots_only_what_they_can_play() -> None:
    wishes = started("1", *opens_more(*down(2), "1", "2"))
    assert wishes.game == registry.load("safe-cracker", attempts=12)
    assert started("4").game.name == "safe-code"
    remember(menu={"game": "safe-cracker", "opponent": "master"})
    assert "Master" in shown()
    assert "Master" not in shown(*opens_more(*down(2), Key.RIGHT))


def test_an_invalid_remembered_name_is_not_offered_and_names_that_are_alike_are_refused() -> None:
    remember(menu={"opponent": "person", "yours": "\x1b]0;owned\x07", "others": "x" * 25})
    assert "another person" in shown()
    assert [sitter.name for sitter in started().sitters] == ["Player 1", "Player 2"]
    remember(menu={"game": "quantum-duel", "opponent": "person", "yours": "Ada", "others": "Ada"})
    paper = Paper()
    keys = opens_more(Key.DOWN, Key.BACKSPACE, "m", "y")
    wishes = chosen(paper, Key.ENTER, *keys, Key.ENTER)
    assert any("The two names must differ." in page for page in paper.pages)
    assert {sitter.name for sitter in wishes.sitters} == {"Ada", "Admy"}


def test_a_name_is_typed_where_the_cursor_is_also_q_which_leaves_elsewhere() -> None:
    with pytest.raises(WantsNothing):
        chosen(Paper(), "q")
    remember(menu={"game": "quantum-duel"})
    assert [each.name for each in started(*opens_more("q")).sitters] == ["q", "Casual"]
    paper = Paper()
    with pytest.raises(InputEnded):
        chosen(paper, *MORE, *"Ada")
    assert paper.cursor is not None
    column, row = paper.cursor
    assert paper.page.split("\n")[row][:column].endswith("Ada")


def test_aids_are_remembered_against_a_bot_but_two_people_agree_anew() -> None:
    remember(menu={"game": "safecracker-duel"})
    assert not started(*down(4), Key.RIGHT).looks.aids
    assert not started().looks.aids
    assert started(*down(2), "1", *down(2), Key.RIGHT).looks.aids
    assert recall()["aids"] == {"alone": False}
    assert not started(*down(2), "1").looks.aids


def test_every_row_can_be_seen_at_every_size_and_the_marked_one_on_a_tiny_screen() -> None:
    for size in ((40, 14), (60, 20), (80, 24), (120, 40)):
        for game in registry.GAMES:
            for opponent in ("person", "casual"):
                remember(menu={"game": game, "opponent": opponent})
                page = shown(size=size)
                titles = [registry.load(each).title for each in registry.GAMES]
                labels = ("Today's vault", "Against", "First", "Hints", "More")
                wanted = (*titles, *labels, "Enter plays", "Esc leave")
                assert [text for text in wanted if text not in page] == []
    remember(menu={"game": "safecracker-duel", "opponent": "casual"})
    assert "…" not in shown(size=(40, 12)) + shown(size=(70, 24))  # what does not fit is left out
    for size in ((12, 4), (20, 6), (9, 2)):
        for row, label in enumerate(("Safec", "Today", "Agai", "First", "Hints", "More")):
            assert f"› {label}" in shown(*down(row), size=size)
    assert shown(unicode=False).isascii()


def test_an_added_game_is_offered_with_the_bots_that_can_play_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(add_package(tmp_path, "bluff", BLUFF))
    assert "› Bluff" in shown(*down(5))
    pages = "".join(shown(*down(5), Key.RIGHT, *[Key.RIGHT] * times) for times in range(4))
    opponents = re.findall(r"Against +‹ (.*?) ›", pages)
    assert sorted(opponents) == ["Casual", "Expert", "Random", "another person"]
