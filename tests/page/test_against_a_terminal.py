"""A browser and a terminal play the same game, and both survive a restart of the server."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, plays
from tests.remote.conftest import Seated, SomebodySits, invitation, somebody  # noqa: F401
from tests.terminal.conftest import clean, sit_down  # noqa: F401

LAST_PAGE = "q leave"


@pytest.fixture
def motion() -> bool:
    """No motion: the terminal sees none of it."""
    return False


def is_played(play: Play, ada: Person, bob: Seated, moves: slice = slice(None)) -> None:
    """Play a game: the first seat touches, the second types."""
    for seat, move in play.moves[moves]:
        if seat == 1:
            plays(ada, play.name, move)
        else:
            bob.answers(move)
            if play.name == "safe-code" and not move.isdigit() and move != "clue":
                bob.shows("Taken as: ")
                bob.answers("")  # confirms it


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_browser_plays_a_terminal(
    house: House,
    sits_down: SitsDown,
    somebody: SomebodySits,  # noqa: F811
    play: Play,
) -> None:
    ada = sits_down("Ada")
    ada.makes_a_game(house.address, play.title, "Somebody you send a link")
    bob = somebody("bob", "join", ada.invitation, "--name", "Bob")
    is_played(play, ada, bob)
    ada.is_over()
    bob.shows(LAST_PAGE)
    assert "Verified: " in bob.terminal.text
    expect(ada.looks_into_the_checks().locator(".bad")).to_have_count(0)


def test_a_terminal_invites_a_browser_and_both_survive_a_restart(
    own_house: House,
    sits_down: SitsDown,
    somebody: SomebodySits,  # noqa: F811
) -> None:
    play = NAMED["digit-deductions"]
    server = own_house.address.rstrip("/")
    host = somebody("bob", "host", play.name, "--server", server, "--name", "Bob", "--seat", "2")
    ada = sits_down("Ada")
    ada.forgives()
    ada.accepts(invitation(host))
    is_played(play, ada, host, slice(3))
    own_house.is_killed()
    ada.state("connection lost")
    host.shows("Connection lost. Nothing is lost")
    own_house.opens()
    ada.state("^connected$")
    is_played(play, ada, host, slice(3, None))
    ada.is_over()
    host.shows(LAST_PAGE)
