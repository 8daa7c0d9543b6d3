"""The rules are shown by the user's pager at a terminal, and printed if that is impossible."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager with a blank in its name that prints its arguments and its input."""
    script = tmp_path / "my pager"
    script.write_text('#!/bin/sh\necho "PAGER<$*>"\nsed "s/^/| /"\n')
    script.chmod(0o755)
    return f"'{script}'"


def test_the_users_pager_gets_the_page(sit_down: SitDown, pager: str) -> None:
    terminal = sit_down("rules", "quantum-duel", env={"PAGER": f"{pager} -a 'b c'"})
    assert terminal.ends() == 0
    assert "PAGER<-a b c>" in terminal.text
    assert "| " in terminal.text
    assert terminal.text.count("Quantum Duel") == 1


WITHOUT = ({"PAGER": "cat"}, {"PAGER": ""}, {"PAGER": "no-such-pager"}, {"PAGER": "'unbalanced"},
           {"PAGER": "false"}, {"NO_PAGER": "1"}, {"TERM": "dumb"})  # fmt: skip


@pytest.mark.parametrize("env", WITHOUT, ids=str)
def test_the_page_is_printed_once_if_no_pager_works(sit_down: SitDown, env: dict[str, str]) -> None:
    terminal = sit_down("rules", "quantum-duel", env=env)
    assert terminal.ends() == 0
    assert terminal.text.count("Quantum Duel") == 1
    assert "seven cells" in terminal.text.lower()


def test_quitting_the_pager_early_is_fine(sit_down: SitDown) -> None:
    terminal = sit_down("rules", "quantum-duel", env={"PAGER": "head -1"})
    assert terminal.ends() == 0
    assert len(terminal.text.splitlines()) < 5


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


def test_the_page_is_as_wide_as_the_terminal(sit_down: SitDown) -> None:
    for columns in (30, 130):
        terminal = sit_down("rules", "quantum-duel", columns=columns, env={"PAGER": "cat"})
        assert terminal.ends() == 0
        longest = max(len(line.rstrip()) for line in terminal.text.splitlines())
        assert columns - 15 < longest <= columns
        assert "[ _ ]" in terminal.text


def test_a_pipe_gets_the_page_as_it_is(strongroom: Strongroom, pager: str) -> None:
    ran = strongroom("rules", "quantum-duel", env={"PAGER": pager})
    assert ran.lines[0] == "# Quantum Duel"
    assert "PAGER<" not in ran.out
