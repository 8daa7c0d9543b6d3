"""The example on the page about the arena prints what it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from starting import PATIENCE

from tests.docs.pages import page


def test_the_complete_example_of_the_page_prints_what_it_shows(tmp_path: Path) -> None:
    example = page("arena.md").partition("## A complete example\n")[2].partition("\n## ")[0]
    command, table, code, printed = re.findall(r"```\w*\n(.*?)```", example, re.DOTALL)
    env = os.environ | {"XDG_STATE_HOME": str(tmp_path / "state")}
    programs = ([sys.executable, "-m", *shlex.split(command)], [sys.executable, "-c", code])
    for program, shown in zip(programs, (table, printed), strict=True):
        done = subprocess.run(
            program, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=PATIENCE
        )
        assert (done.stderr, done.stdout) == ("", shown)
