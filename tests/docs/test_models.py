"""The page about models: its example runs, its prompt is the real one, its numbers are right."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

from starting import PATIENCE

from strongroom.agents.dialogue import MOST_LISTED, TRIES
from strongroom.agents.endpoint import FEW_RETRIES, RETRIES, TIMEOUT
from strongroom.agents.model import CONCURRENCY
from strongroom.agents.redaction import DEPTH, FRAGMENT
from strongroom.agents.text_player import MOST_MONEY, MOST_TOKENS
from strongroom.measuring.forecast import ANSWER
from tests.agents.api_server import ApiServer, Deed, Says, asked, in_form
from tests.docs.pages import page
from tests.terminal.conftest import Strongroom, clean, strongroom  # noqa: F401

if TYPE_CHECKING:
    from strongroom.contract import Json

PAGE = page("models.md")


def first_legal(body: Json) -> Deed:
    """A legal move, from either set of words."""
    question = asked(body)
    own, other = re.findall(r"\[ (.) \]", question), re.findall(r"\d:(.)", question)
    empty = [cell in "_-" for cell in own or other]
    replies = re.search("challenge|doubt", question.rpartition("\n")[2])
    return Says(in_form(body, "no" if replies else str(empty.index(True) + 1)))


def test_the_example_of_the_page_runs(strongroom: Strongroom) -> None:  # noqa: F811
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    with ApiServer(first_legal) as server:
        server.model = "gpt-4o-mini"
        for line in block.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "strongroom"
            ran = strongroom(*arguments, env=server.environment)
            assert ran.code == 0, (line, ran.err)
    assert server.requests


def test_the_prompt_on_the_page_is_the_real_one() -> None:
    ((code, output),) = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == output


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    text = " ".join(PAGE.split())
    for told in (
        f"no answer in {TIMEOUT / 60:g} minutes",
        f"no whole answer in {TIMEOUT / 120:g} minutes, half of",
        f"an answer may take ({TIMEOUT:g})",
        f"whole number below {MOST_TOKENS // 10**6} million",
        f"no amount below {MOST_MONEY // 10**6} million dollars",
        f"up to {DEPTH} times",
        f"{FRAGMENT} characters in a row",
        f"repeated up to {RETRIES} times",
        f"the same, up to {FEW_RETRIES} times",
        f"at once ({CONCURRENCY})",
        f"less than {FRAGMENT} characters",
        f"have {ANSWER[True]} tokens, or {ANSWER[False]} without",
        f"unless there are more than {MOST_LISTED}",
    ):
        assert told in text
    assert TRIES == 3
    assert "after three, the game is forfeited" in text
