"""The set-up page: rows that arrows change, names that are typed, and what it starts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import strongroom_bluff
from rich.text import Text

from strongroom.plugins import registry
from strongroom.terminal.asking import Item, WantsNothing
from strongroom.terminal.faces import Looks
from strongroom.terminal.lines import InputEnded
from strongroom.terminal.preferences import remember, remembered
from strongroom.terminal.screen.form import Form, Numbers, Row
from strongroom.terminal.screen.keys import Key, Pressed
from strongroom.terminal.setup_page import SetupPage
from strongroom.terminal.table.local_sitting import Wishes
from tests.terminal.screen.paper import Paper


def down(rows: int) -> list[Pressed]:
    return [Key.DOWN] * rows


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remembered choices and saved games of this test alone."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def started(*keys: Pressed, size: tuple[int, int] = (80, 24)) -> Wishes:
    """What is played if these keys are pressed, and then Enter."""
    paper = Paper(size=size)
    paper.press([*keys, Key.ENTER])
    wanted = SetupPage(Looks(), paper).read()
    assert isinstance(wanted, Wishes)
    return wanted


def shown(*keys: Pressed, size: tuple[int, int] = (80, 24), unicode: bool = True) -> str:
    """The page after these keys."""
    paper = Paper(size=size, unicode=unicode)
    paper.press([*keys, Key.ESCAPE])
    with pytest.raises(WantsNothing):
        SetupPage(Looks(), paper).read()
    return paper.page


def test_a_number_among_many_is_typed_and_huge_ranges_cost_nothing() -> None:
    none = [Item("none", "none")]
    for digits, chosen in (("7", "none"), ("70", "70"), ("705", "705"), ("9999", "999")):
        form, paper = form_of(Numbers(none, range(50, 2001), ""))
        paper.press([*digits, Key.ENTER])
        while form.key() is not Key.ENTER:
            pass
        assert form.row.shown == chosen
    form, paper = form_of(Numbers([], range(50, 10**12), ""))
    paper.press(["7", Key.ENTER])
    assert form.key() is Key.ENTER
    assert "‹ 7_ ›" in paper.page
    paper.press([Key.LEFT])
    assert form.key() is form.row
    assert form.row.shown == str(10**12 - 1)


def form_of(numbers: Numbers) -> tuple[Form, Paper]:
    paper = Paper()
    rows = [Row("many", "Many", numbers)]
    return Form(paper, Text("form"), Text(), rows, marked="many"), paper


def test_enter_starts_a_game_against_a_bot_from_every_row() -> None:
    for row in range(6):
        wishes = started(*down(row))
        assert wishes.game.name == "safecracker-duel"
        assert [sitter.name for sitter in wishes.sitters] == ["You", "Casual"]
        assert wishes.looks.aids


def test_everything_is_chosen_on_one_page() -> None:
    wishes = started(
        *(Key.RIGHT, *down(1), "4", *down(3), "1", *down(1), Key.RIGHT),
        *(*down(1), *"Ada", *down(1), *"Bob"),
    )
    assert wishes.game == registry.load("safe-cracker", digits=4)
    assert [sitter.name for sitter in wishes.sitters] == ["Bob", "Ada"]
    assert not wishes.looks.aids, "between two people, aids have to be switched on"


def test_the_last_choices_are_filled_in() -> None:
    started("5", *down(1), "1", *down(1), Key.RIGHT, *down(1), *"Ada", *down(2), Key.RIGHT)
    wishes = started()
    assert wishes.game.name == "quantum-duel"
    assert [sitter.name for sitter in wishes.sitters] == ["Player 1", "Ada"]
    assert not wishes.looks.aids, "two people agree on them anew"
    assert re.search("Your name +Ada", shown())


def test_the_marked_value_is_named_and_explained_and_arrows_go_round() -> None:
    goal = "Turn the shared safe to your own code, digit by digit."
    cases: tuple[tuple[list[Pressed], list[str]], ...] = (
        ([], ["‹ Safecracker Duel ›", goal]),
        (down(2), ["‹ Casual ›", "plays sensibly, but forgets and overlooks things"]),
        (down(3), ["You move first."]),
        ([*down(5), Key.RIGHT], ["The bare record."]),
        ([Key.LEFT], ["‹ Quantum Duel ›"]),
        ([Key.UP], ["› Aids"]),
        (down(6), ["› Game"]),
        ([*"²٣5"], ["‹ Quantum Duel ›"]),
    )
    for keys, texts in cases:
        page = shown(*keys)
        assert [text for text in texts if text not in page] == []
        assert "safecracker-duel" not in page


def test_digits_choose_a_number_as_it_is_typed_or_the_place_of_a_value() -> None:
    wishes = started("2", *down(3), "1", "2")
    assert wishes.game == registry.load("safe-cracker", attempts=12)
    assert started("3").game.name == "safe-code"


def test_a_variation_that_a_bot_cannot_play_offers_another_opponent() -> None:
    remember(menu={"game": "safe-cracker", "opponent": "master"})
    assert "Master" in shown()
    assert "Master" not in shown(*down(3), Key.RIGHT)


def test_an_invalid_remembered_name_is_not_offered_and_names_that_are_alike_are_refused() -> None:
    remember(menu={"opponent": "person", "yours": "\x1b]0;owned\x07", "others": "x" * 25})
    assert re.search(r"(?s)› Game .*another person.*Your name +Player 1.*name +Player 2", shown())
    assert [sitter.name for sitter in started().sitters] == ["Player 1", "Player 2"]
    remember(menu={"game": "quantum-duel", "opponent": "person", "yours": "Ada", "others": "Ada"})
    paper = Paper()
    paper.press([Key.ENTER, *down(3), Key.BACKSPACE, "m", "y", Key.ENTER])
    wanted = SetupPage(Looks(), paper).read()
    assert isinstance(wanted, Wishes)
    assert any("The two names must differ." in page for page in paper.pages)
    assert {sitter.name for sitter in wanted.sitters} == {"Ada", "Admy"}


def test_q_leaves_except_where_a_name_is_typed() -> None:
    paper = Paper()
    paper.press(["q"])
    with pytest.raises(WantsNothing):
        SetupPage(Looks(), paper).read()
    assert [sitter.name for sitter in started(*down(4), "q").sitters] == ["q", "Casual"]


def test_aids_are_remembered_against_a_bot_but_two_people_agree_anew() -> None:
    assert not started(*down(5), Key.RIGHT).looks.aids
    assert not started().looks.aids
    assert started(*down(2), "1", *down(4), Key.RIGHT).looks.aids
    assert remembered()["aids"] == {"alone": False}
    assert not started(*down(2), "1").looks.aids


def test_every_row_can_be_seen_at_every_size_and_the_marked_one_on_a_tiny_screen() -> None:
    for size in ((40, 12), (80, 24), (120, 40)):
        for game in registry.GAMES:
            for opponent in ("person", "casual"):
                yours = {"yours": "A" * 24, "alone": "W" * 24}
                remember(menu={"game": game, "opponent": opponent, **yours})
                page = shown(size=size)
                title = f"‹ {registry.load(game).title} ›"
                labels = ("Game", "Opponent", "Who starts", "Your name", "Aids")
                wanted = (title, *labels, "Enter play", "Esc leave")
                assert [text for text in wanted if text not in page] == []
    remember(menu={"game": "safecracker-duel", "opponent": "casual"})
    for size in ((12, 4), (20, 6), (9, 2)):
        for row, label in enumerate(("Game", "Allow", "Opp", "Who", "Your", "Aids")):
            assert f"› {label}" in shown(*down(row), size=size)
    assert shown(unicode=False).isascii()


def test_the_cursor_is_where_the_name_is_typed() -> None:
    paper = Paper()
    paper.press([*down(4), *"Ada"])
    with pytest.raises(InputEnded):
        SetupPage(Looks(), paper).read()
    assert paper.cursor is not None
    column, row = paper.cursor
    assert paper.page.split("\n")[row][:column].endswith("Ada")


def test_an_added_game_is_offered_with_the_bots_that_can_play_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = tmp_path / "bluff-1.dist-info" / "entry_points.txt"
    points.parent.mkdir()
    points.write_text("[strongroom.games]\nbluff = strongroom_bluff.game:Bluff\n")
    monkeypatch.syspath_prepend(str(Path(strongroom_bluff.__file__).parents[1]))
    monkeypatch.syspath_prepend(str(tmp_path))
    page = shown(Key.LEFT)
    assert "‹ Bluff ›" in page
    assert "Random" in page
    assert "Casual" not in page
