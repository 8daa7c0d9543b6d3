"""What `host` and `join` refuse: wrong links, servers, games, clocks and names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starting import Port

from tests.remote.conftest import invitation

if TYPE_CHECKING:
    from tests.remote.conftest import Serving, SomebodySits
    from tests.terminal.conftest import Strongroom

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("hello", "is not a link to a game"),
        ("http://127.0.0.1:8000/", "nothing follows a #"),
        (f"http://127.0.0.1:8000/#join/{GAME}/123", "damaged"),
    ],
)
def test_an_invalid_link_is_refused_in_one_line(
    strongroom: Strongroom, link: str, why: str
) -> None:
    ran = strongroom("join", link)
    assert ran.code == 2
    assert why in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("kind", [f"watch/{GAME}", f"play/{GAME}/{TOKEN}", f"join/{GAME}/{TOKEN}"])
def test_the_error_names_a_server_that_does_not_answer(strongroom: Strongroom, kind: str) -> None:
    port = Port()
    ran = strongroom("join", f"{port.address}/#{kind}")
    assert ran.code == 2
    assert "No server answers at" in ran.err
    assert "Check the address, and that the server is running." in ran.err


@pytest.mark.parametrize("kind", [f"watch/{GAME}", f"play/{GAME}/{TOKEN}", f"join/{GAME}/{TOKEN}"])
def test_an_unknown_game_is_refused_by_the_server(
    strongroom: Strongroom, serving: Serving, kind: str
) -> None:
    ran = strongroom("join", f"{serving.url}/#{kind}", "--name", "Bob")
    assert ran.code == 2
    assert "This game does not exist" in ran.err


def test_a_wrong_token_a_wrong_invitation_and_a_third_player_are_refused(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    game = link.split("/")[-2]
    wrong = strongroom("join", f"{serving.url}/#play/{game}/{TOKEN}")
    assert (wrong.code, "does not know this seat" in wrong.err) == (2, True)
    wrong = strongroom("join", f"{serving.url}/#join/{game}/{TOKEN}", "--name", "Eve")
    assert (wrong.code, "requires a valid invitation" in wrong.err) == (2, True)
    bob = somebody("bob", "join", link, "--name", "Bob")
    ada.shows("Bob 0")
    third = strongroom("join", link, "--name", "Eve")
    assert (third.code, "Both seats of this game are taken." in third.err) == (2, True)
    assert strongroom("join").code == 2, "a refused seat is not saved"
    bob.shows("Waiting for Ada")


def test_joining_without_a_link_needs_an_unfinished_game(strongroom: Strongroom) -> None:
    ran = strongroom("join")
    assert ran.code == 2
    assert "You have no unfinished game on a server." in ran.err


@pytest.mark.parametrize("clock", ["", "five", "5+", "5+3+1", "-1"])
def test_an_invalid_clock_is_refused(strongroom: Strongroom, clock: str) -> None:
    server = ["--server", "http://127.0.0.1:1"]
    ran = strongroom("host", "quantum-duel", *server, f"--clock={clock}")
    assert ran.code == 2
    assert "is not a clock. For example: --clock 5+3" in ran.err


def test_a_refusal_of_the_server_is_shown_in_its_own_words(
    strongroom: Strongroom, serving: Serving
) -> None:
    ran = strongroom(
        *("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "You")
    )
    assert ran.code == 2
    assert "Choose another name." in ran.err


def test_without_websockets_the_error_names_the_extra(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    (tmp_path / "missing" / "websockets").mkdir(parents=True)
    (tmp_path / "missing" / "websockets" / "__init__.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path / "missing"), os.environ.get("PYTHONPATH", "")])
    ran = strongroom("join", f"http://127.0.0.1:1/#watch/{GAME}", env={"PYTHONPATH": path})
    assert ran.code == 2
    assert ran.err == (
        "strongroom: A network game needs the extra network. "
        "Install it: pip install 'strongroom[network]'\n"
    )


def test_standard_input_without_a_link_is_refused(strongroom: Strongroom) -> None:
    for lines, why in (
        ([], "Standard input contains no link."),
        (["hello"], "not a link to a game"),
    ):
        ran = strongroom("join", "-", lines=lines)
        assert (ran.code, why in ran.err) == (2, True)
