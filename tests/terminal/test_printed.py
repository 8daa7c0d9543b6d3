"""What is printed in a shell: the rules in a pager, tables, QR codes, colours that can be read."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qrcode.util import QRData  # type: ignore[import-untyped]
from rich.color import Color
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from strongroom.contract import Refusal
from strongroom.plugins.registry import load
from strongroom.terminal import online
from strongroom.terminal.online import is_own_machine
from strongroom.terminal.printing import paste, paste_examples
from strongroom.terminal.reports.tables import Column, table
from strongroom.terminal.screen import palette
from strongroom.terminal.screen.pager import show_in_users_pager
from strongroom.terminal.screen.palette import LIGHT, PAPER, page_colours, printed_colours
from tests.independent_qr import Terminated, independent
from tests.terminal.conftest import SitDown, Strongroom

PAGE = load("quantum-duel").rules_page


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager with a blank in its name that prints its arguments and its input."""
    script = tmp_path / "my pager"
    script.write_text('#!/bin/sh\necho "PAGER<$*>"\nsed "s/^/| /"\n')
    script.chmod(0o755)
    return f"'{script}'"


def shown(capfd: pytest.CaptureFixture[str], **environment: str) -> str:
    """What the user sees of the rules with these variables."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"TERM": "xterm", "PAGER": "cat", **environment}.items():
            patch.setenv(name, value)
        show_in_users_pager(PAGE)
    return capfd.readouterr().out


def test_the_users_pager_gets_the_page_and_without_one_it_is_printed_once(
    capfd: pytest.CaptureFixture[str], pager: str
) -> None:
    text = shown(capfd, PAGER=f"{pager} -a 'b c'")
    assert "PAGER<-a b c>" in text
    assert "| " in text
    assert text.count("Quantum Duel") == 1
    assert len(shown(capfd, PAGER="head -1").splitlines()) < 5, "it may be left early"
    for without in (
        *({"PAGER": name} for name in ("cat", "", "no-such-pager", "'unbalanced", "false")),
        {"PAGER": "echo", "NO_PAGER": "1"},
        {"PAGER": "echo", "TERM": "dumb"},
    ):
        text = shown(capfd, **without)
        assert text.count("Quantum Duel") == 1, without
        assert "seven cells" in text.lower()
    for columns in (30, 130):
        text = shown(capfd, COLUMNS=str(columns))
        assert columns - 15 < max(len(line.rstrip()) for line in text.splitlines()) <= columns
        assert "[ _ ]" in text


def test_ctrl_c_belongs_to_the_pager(sit_down: SitDown, tmp_path: Path) -> None:
    script = tmp_path / "pager"
    script.write_text(
        "#!/bin/sh\ntrap 'echo caught; exit 0' INT\ncat >/dev/null\necho ready\n"
        "while :; do sleep 0.1; done\n"  # a trap runs after each command
    )
    script.chmod(0o755)
    terminal = sit_down("rules", "quantum-duel", env={"PAGER": str(script)})
    terminal.sees("ready")
    terminal.presses("\x03")
    terminal.sees("caught")
    assert terminal.ends() == 0


def test_less_is_the_default_pager(sit_down: SitDown) -> None:
    if shutil.which("less") is None:
        pytest.skip("less is not installed")
    terminal = sit_down("rules", "quantum-duel", rows=10)
    terminal.sees(":")
    assert terminal.ends("q") == 0
    assert "Quantum Duel" in terminal.shown
    assert "ESC[" not in terminal.text, "colours are passed through"


def test_a_pipe_gets_the_page_as_it_is_and_a_terminal_without_unicode_ascii(
    strongroom: Strongroom, sit_down: SitDown, pager: str
) -> None:
    ran = strongroom("rules", "quantum-duel", env={"PAGER": pager})
    assert ran.lines[0] == "# Quantum Duel"
    assert "PAGER<" not in ran.out
    terminal = sit_down("rules", "safe-code", env={"LANG": "C", "PAGER": "cat"})
    assert terminal.ends() == 0
    assert bytes(terminal.raw).isascii()


COLUMNS = [
    Column("game"),
    Column("value", right=True),
    Column("lower bound", worth=2, right=True),
    Column("time", worth=3, right=True),
    Column("recomputed"),
]
ROWS = [
    ["digit-deductions", "140488/172225", "0.815723617", "160 s", "other bytes, proved too"],
    ["safe-code", "31/60", "0.516666667", "3 s", "the same"],
]


def printed(columns: list[Column], rows: Sequence[Sequence[str | Text]], width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(table(columns, rows, width))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_on_narrower_screens_words_wrap_then_columns_go_and_then_each_row_is_a_block() -> None:
    head = "game                      value  lower bound   time  recomputed"
    last = "safe-code                 31/60  0.516666667    3 s  the same"
    assert printed(COLUMNS, ROWS, 100) == [
        head,
        "digit-deductions  140488/172225  0.815723617  160 s  other bytes, proved too",
        last,
    ]
    assert printed(COLUMNS, ROWS, 70) == [
        head,
        "digit-deductions  140488/172225  0.815723617  160 s  other bytes,",
        "                                                     proved too",
        last,
    ]
    for width, left in {
        60: "game value lower bound recomputed",
        50: "game value recomputed",
    }.items():
        assert " ".join(printed(COLUMNS, ROWS, width)[0].split()) == left, "the least important go"
    assert printed(COLUMNS, ROWS, 40)[:7] == [
        "game: digit-deductions",
        "value: 140488/172225",
        "lower bound: 0.815723617",
        "time: 160 s",
        "recomputed: other bytes, proved too",
        "",
        "game: safe-code",
    ]
    assert printed([Column(""), Column("")], [["a", "b c"]], 40) == ["a  b c"], "no headings"


def test_nothing_in_a_cell_is_taken_for_markup_and_wide_characters_count_twice() -> None:
    rows: list[list[str | Text]] = [["[bold]x[/bold]", Text("棋")], ["y", ":smile:"]]
    assert printed([Column("a"), Column("b", right=True)], rows, 40) == [
        "a                     b",
        "[bold]x[/bold]       棋",
        "y               :smile:",
    ]


WORD = st.text("abcxyz0189/.", min_size=1, max_size=20)
CELL = st.lists(WORD, max_size=6).map(" ".join)


@given(
    st.lists(st.tuples(WORD, st.integers(0, 3), st.booleans()), min_size=1, max_size=7),
    st.data(),
    st.integers(40, 120),
)
def test_no_line_is_too_long_and_no_word_of_a_column_that_must_stay_is_cut(
    headings: list[tuple[str, int, bool]], data: st.DataObject, width: int
) -> None:
    columns = [Column(*each) for each in headings]
    # A value is never broken, so it must fit the narrowest screen.
    cells = [WORD if column.right else CELL for column in columns]
    rows = data.draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=4))
    lines = printed(columns, rows, width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            if column.worth == 0:
                assert all(word in words for word in str(cell).split())


def test_every_drawn_module_matches_an_independent_encoder_and_more_than_fits_is_refused() -> None:
    signs = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    for text, version in (("", 1), ("é→ϕ", 1), ("7" * 91, 5), ("#" * 271, 10)):
        lines = online.draw_qr(text).splitlines()
        inner = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines]
        pairs = [[signs[sign] for sign in line] for line in inner]
        rows = [[pair[half] for pair in line] for line in pairs for half in (0, 1)]
        quiet = [[0] * (17 + 4 * version + 2 * online.QUIET_ZONE)] * (online.QUIET_ZONE + 1)
        assert [*rows[: online.QUIET_ZONE], *rows[-1 - online.QUIET_ZONE :]] == [*quiet[1:], *quiet]
        assert not any(any(row[: online.QUIET_ZONE] + row[-online.QUIET_ZONE :]) for row in rows)
        symbol = [
            row[online.QUIET_ZONE : -online.QUIET_ZONE]
            for row in rows[online.QUIET_ZONE : -1 - online.QUIET_ZONE]
        ]
        # In ours a zero byte may follow the text, where there is room for it.
        kind = QRData if version == 10 else Terminated
        assert symbol in [independent(text, version, mask, kind) for mask in range(8)]
    with pytest.raises(Refusal, match="at most 271 bytes"):
        online.draw_qr("#" * 272)


def test_without_segno_the_error_names_the_extra_before_a_game_is_created(
    strongroom: Strongroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    ran = strongroom("host", "quantum-duel", "--server", "http://127.0.0.1:1", "--qr")
    install = "Install it: pip install 'strongroom[network]'"
    assert ran.refusal == f"A QR code needs the extra network. {install}"


BLACK, WHITE = (0, 0, 0), (255, 255, 255)
NORMAL_AND_BRIGHT = {
    "xterm": (
        "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
        "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    ),
    "VGA": (
        "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa",
        "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    ),
    "Windows": (
        "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc",
        "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
    ),
}
SYSTEMS = ("standard", "256", "truecolor")


def rgb(text: str) -> list[tuple[int, int, int]]:
    return [(each[0], each[1], each[2]) for each in map(bytes.fromhex, text.split())]


THEMES = {
    name: TerminalTheme(BLACK, WHITE, rgb(normal), rgb(bright))
    for name, (normal, bright) in NORMAL_AND_BRIGHT.items()
}


def luminance(colour: tuple[int, ...]) -> float:
    """The relative luminance of WCAG 2."""
    parts = (each / 255 for each in colour)
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_page_is_readable_on_its_paper(system: str, light: bool, theme: str) -> None:
    shown = {
        name: tuple(Color.parse(colour).get_truecolor(THEMES[theme]))
        for name, colour in page_colours(system, light).items()
    }
    assert shown.keys() == LIGHT.keys()
    least = {name: 3.0 for name in shown if name != PAPER} | {palette.INK: 7.0, palette.SOFT: 4.5}
    if system != "standard":
        least[palette.LINE] = 2.0  # rules and what is ruled out, which stand back
    for name, ratio in least.items():
        assert contrast(shown[name], shown[PAPER]) >= ratio, name
    assert (luminance(shown[PAPER]) > 0.5) is light


@pytest.mark.parametrize("background", [BLACK, WHITE], ids=["black", "white"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_printed_is_readable_anywhere(system: str, background: tuple[int, ...]) -> None:
    for colour in printed_colours(system).values():
        if colour != "default":  # which the terminal's owner can read
            shown = Color.parse(colour).get_truecolor(THEMES["xterm"])
            assert contrast(tuple(shown), background) >= 3.0, colour


def test_commands_are_printed_as_they_can_be_called_from_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = "Look at a game: strongroom replay 1, strongroom analyze 1; strongroom is a program."
    assert paste(told) == told
    monkeypatch.setattr(sys, "argv", [str(tmp_path / ".venv" / "bin" / "strongroom")])
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert paste(told).count(".venv/bin/strongroom") == 2
    clone = Path(__file__).parents[2]
    monkeypatch.chdir(clone)
    monkeypatch.setattr(sys, "argv", [".venv/bin/strongroom"])
    told = "Install it: pip install 'strongroom[network]'"
    assert paste(told) == "Install it: .venv/bin/pip install -e '.[network]'"
    examples = "  strongroom list\n  echo 1 | strongroom puzzle\nstrongroom plays strongroom games"
    assert paste_examples(examples).count(".venv/bin/strongroom") == 2
    for before in ("PAGER=cat ", "source <("):
        assert paste_examples(f"  {before}strongroom rules") == (
            f"  {before}.venv/bin/strongroom rules"
        )
    for address in ("http://127.0.0.1:8000/", "http://[::1]:80/#join/a/b"):
        assert is_own_machine(address)
    assert not is_own_machine("http://192.168.1.7:8000/")
