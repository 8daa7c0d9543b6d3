"""Leaving a game on a server, returning to it, withdrawing it, and claiming it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starting import STRONGROOM, Piped

from strongroom.remote import api
from strongroom.remote.link import Link
from tests.remote.conftest import invitation, last_link
from tests.terminal.conftest import wrapped

if TYPE_CHECKING:
    from tests.remote.conftest import Serve, Serving, SomebodySits
    from tests.terminal.conftest import Clean, Strongroom


def patient(printed: str) -> str:
    """What was printed, without the words for those who wait for a slow server."""
    return re.sub(r"Waiting for \S+ to .* …\n", "", printed)


def test_a_host_who_leaves_before_anybody_came_may_withdraw_the_game(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    ada.shows("Waiting for your opponent")
    ada.presses("\x03")
    ada.answers("no")
    assert ada.ends() == 130
    assert "Come back with: strongroom join" in ada.terminal.text
    again = somebody("ada", "join")
    again.shows("Waiting for your opponent")
    again.presses("\x03")
    again.answers("yes")
    assert again.ends() == 130
    assert "The game was taken back." in again.terminal.text
    assert "Come back with" not in again.terminal.text
    late = strongroom("join", link, "--name", "Bob")
    assert (late.code, "taken back before it began" in late.err) == (2, True)
    nothing = somebody("ada", "join")
    assert nothing.ends() == 2
    assert "You have no unfinished game on a server." in nothing.terminal.text


def test_a_game_withdrawn_elsewhere_cannot_be_resumed(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    invitation(ada)
    ada.shows("Waiting for your opponent")
    link = last_link(ada.home / "state/strongroom")
    api.withdraw(Link.parse(link))
    assert ada.ends() == 2
    assert "This game was taken back before it began." in ada.terminal.text
    watching = strongroom("join", link)
    assert (watching.code, "taken back before it began" in watching.err) == (2, True)
    again = somebody("ada", "join")
    assert again.ends() == 2
    assert "You have no unfinished game on a server." in again.terminal.text


@pytest.mark.parametrize("face", [[], ["--json"]], ids=["plain", "json"])
def test_end_of_input_leaves_the_game_before_the_other_has_come(
    strongroom: Strongroom, serving: Serving, face: list[str]
) -> None:
    ran = strongroom("host", "quantum-duel", "--server", serving.url, "--name", "Ada", *face)
    assert (ran.code, patient(ran.err)) == (4, "")
    if face:
        assert [each["event"] for each in ran.events] == ["waiting", "left"]
        assert ran.events[-1]["resume"] == "strongroom join"
    else:
        assert ran.lines[-1] == "Your place is kept. Come back with: strongroom join"
    again = strongroom("join", *face)
    assert again.code == 4
    assert "#join/" in again.out, "the seat is saved"


def test_end_of_input_leaves_the_game_while_the_other_is_to_move(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits, games: Path
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    bob = strongroom("join", invitation(ada), "--name", "Bob")
    assert (bob.code, patient(bob.err)) == (4, "Quantum Duel. Hints and notebook: off.\n")
    assert bob.lines[-1] == "Your place is kept. Come back with: strongroom join"
    ada.types("1")
    ada.shows("Waiting for Bob")
    link = last_link(games.parent)
    again = strongroom("join", "-", lines=[link])
    assert (again.code, "Back at Quantum Duel." in again.out) == (4, True)
    assert link.split("/")[-1] not in again.out + again.err


def test_a_spectator_needs_no_input(serving: Serving, somebody: SomebodySits, clean: Clean) -> None:
    ada = somebody("ada", "host", "digit-deductions", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    watch = f"{serving.url}/#watch/{link.split('/')[-2]}"
    with Piped([*STRONGROOM, "join", watch], environment=clean()) as eve:
        eve.stdin.close()
        bob = somebody("bob", "join", link, "--name", "Bob")
        ada.answers("3 7")
        bob.answers("8 4")
        ada.answers("8 4")
        told, _ = eve.communicate()
    assert eve.returncode == 0
    assert "Game over: Ada" in told


@pytest.mark.parametrize("answer", ["no", "yes", "\x04"])
def test_control_d_leaves_before_the_other_has_come(
    serving: Serving, somebody: SomebodySits, answer: str
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    ada.shows("Waiting for your opponent")
    ada.presses("\x04")
    ada.shows("Take the game back")
    ada.presses(answer if answer == "\x04" else f"{answer}\r")
    assert ada.ends() == 4
    is_kept = "Your place is kept. Come back with: strongroom join" in ada.terminal.text
    assert is_kept is (answer != "yes")


def test_a_game_that_a_script_broke_off_can_be_resumed(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ran = strongroom(*host, lines=["5"])  # nobody can win by luck
    assert ran.code == 4
    assert ran.lines[-1].endswith("Come back with: strongroom join"), "no token is shown"
    for link in ([], [last_link(games.parent)]):
        again = strongroom("join", *link, lines=["history"])
        assert again.code == 4
        assert "Back at Quantum Duel." in again.out
        assert "1. You: 5" in again.out


def test_a_game_can_be_claimed_once_the_other_is_away_for_too_long(
    serve: Serve, somebody: SomebodySits
) -> None:
    serving = serve("--claim-after", "1")
    ada = somebody("ada", "host", "digit-deductions", "--server", serving.url, "--name", "Ada")
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    ada.answers("3 7")
    bob.until(lambda: bob.asked.endswith(":"))
    bob.types("quit")
    ada.shows("Bob is away. After 1 seconds")

    def is_given() -> bool:
        ada.types("claim")
        ada.until(lambda: "can be claimed in" in ada.shown or "Game over" in ada.shown)
        won = wrapped("Game over: You won, because Bob was away for too long.")
        return re.search(won, ada.shown) is not None

    ada.until(is_given)
