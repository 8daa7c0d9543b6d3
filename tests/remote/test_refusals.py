"""What `host` and `join` refuse: wrong links, servers, games, clocks and names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from starting import Port

from strongroom.remote import api
from tests.remote.conftest import Serving, SomebodySits, invitation
from tests.terminal.conftest import Strongroom

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32
KINDS = pytest.mark.parametrize(
    "kind", [f"watch/{GAME}", f"play/{GAME}/{TOKEN}", f"join/{GAME}/{TOKEN}"]
)


@pytest.mark.parametrize(
    ("arguments", "lines", "why"),
    [
        (["join"], [], "You have no unfinished game on a server."),
        (["join", "hello"], [], "is not a link to a game"),
        (["join", f"http://127.0.0.1:8000/#join/{GAME}/123"], [], "damaged"),
        (["join", "-"], [], "Standard input contains no link."),
        (["join", "-"], ["hello"], "not a link to a game"),
        *(
            (
                ["host", "quantum-duel", "--server", "http://127.0.0.1:1", f"--clock={clock}"],
                [],
                why,
            )
            for clock in ("", "five", "5+", "5+3+1", "-1")
            for why in ["is not a clock. For example: --clock 5+3"]
        ),
    ],
)
def test_wrong_usage_is_refused_in_one_line(
    strongroom: Strongroom, arguments: list[str], lines: list[str], why: str
) -> None:
    ran = strongroom(*arguments, lines=lines)
    assert ran.code == 2
    assert why in ran.err
    assert ran.err.count("\n") == 1


@KINDS
def test_the_error_names_a_server_that_does_not_answer(
    strongroom: Strongroom, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "PAUSES", (0.0,) * 2)
    port = Port()
    ran = strongroom("join", f"{port.address}/#{kind}")
    assert ran.code == 2
    assert "No server answers at" in ran.err
    assert "Check the address, and that the server is running." in ran.err


@KINDS
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
    game = f"{serving.url}/#%s/{link.split('/')[-2]}/{TOKEN}"
    wrong = strongroom("join", game % "play")
    assert (wrong.code, "does not know this seat" in wrong.err) == (2, True)
    wrong = strongroom("join", game % "join", "--name", "Eve")
    assert (wrong.code, "requires a valid invitation" in wrong.err) == (2, True)
    bob = somebody("bob", "join", link, "--name", "Bob")
    ada.shows("Bob 0")
    third = strongroom("join", link, "--name", "Eve")
    assert (third.code, "Both seats of this game are taken." in third.err) == (2, True)
    assert strongroom("join").code == 2, "a refused seat is not saved"
    bob.shows("Waiting for Ada")


def test_a_refusal_of_the_server_is_shown_in_its_own_words(
    strongroom: Strongroom, serving: Serving
) -> None:
    game = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "You")
    ran = strongroom(*game)
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
