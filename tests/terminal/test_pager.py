"""The rules are shown by the user's pager at a terminal, and printed if that is impossible."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.plugins.registry import load
from strongroom.terminal.screen.pager import show_in_users_pager

if TYPE_CHECKING:
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


def test_the_users_pager_gets_the_page(capfd: pytest.CaptureFixture[str], pager: str) -> None:
    text = shown(capfd, PAGER=f"{pager} -a 'b c'")
    assert "PAGER<-a b c>" in text
    assert "| " in text
    assert text.count("Quantum Duel") == 1
    assert len(shown(capfd, PAGER="head -1").splitlines()) < 5, "it may be left early"


def test_the_page_is_printed_once_if_no_pager_works(capfd: pytest.CaptureFixture[str]) -> None:
    for without in (
        *({"PAGER": name} for name in ("cat", "", "no-such-pager", "'unbalanced", "false")),
        {"PAGER": "echo", "NO_PAGER": "1"},
        {"PAGER": "echo", "TERM": "dumb"},
    ):
        text = shown(capfd, **without)
        assert text.count("Quantum Duel") == 1, without
        assert "seven cells" in text.lower()


def test_the_page_is_as_wide_as_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    for columns in (30, 130):
        text = shown(capfd, COLUMNS=str(columns))
        longest = max(len(line.rstrip()) for line in text.splitlines())
        assert columns - 15 < longest <= columns
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
    terminal.presses("q")
    assert terminal.ends() == 0
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
