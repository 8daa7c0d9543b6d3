"""The commands `host` and `join`: links, bots, scripts, spectators, clocks and QR codes."""

from __future__ import annotations

import json
import re
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from starting import STRONGROOM, Piped

from tests.remote.conftest import invitation, last_link
from tests.terminal.conftest import wrapped

if TYPE_CHECKING:
    from tests.remote.conftest import Seated, Serving, SomebodySits
    from tests.terminal.conftest import Clean, Strongroom


def test_a_host_names_the_server_only_once(strongroom: Strongroom, serving: Serving) -> None:
    assert "Name a server: --server URL." in strongroom("host", "quantum-duel").err
    for server in (["--server", serving.url], []):
        ran = strongroom("host", "quantum-duel", "--vs", "random", "--name", "Ada", *server)
        assert ran.code == 4
        assert "Welcome to Quantum Duel!" in ran.out


def test_a_link_can_be_read_from_standard_input(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    host = ("host", "digit-deductions", "--server", serving.url, "--vs", "random", "--name", "Ada")
    assert strongroom(*host, lines=["3 7"]).code == 4
    link = last_link(games.parent)
    ran = strongroom("join", "-", lines=[link, "quit"])
    assert ran.code == 4
    assert "Back at Digit Deductions." in ran.out
    assert link.split("/")[-1] not in ran.out + ran.err


def test_games_on_servers_are_listed_without_their_links_and_joined_by_number(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    for game in ("digit-deductions", "quantum-duel"):
        host = ("host", game, "--server", serving.url, "--vs", "random", "--name", "Ada")
        assert strongroom(*host).code == 4
    ran = strongroom("list")
    at = serving.url.removeprefix("http://")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.lines if at in line] == [
        ["1", "Quantum", "Duel", at],
        ["2", "Digit", "Deductions", at],
    ]
    assert ran.lines[-1] == "Resume a game: strongroom join NUMBER"
    assert strongroom("list", "--json").events == [
        {"join": 1, "title": "Quantum Duel", "server": serving.url},
        {"join": 2, "title": "Digit Deductions", "server": serving.url},
    ]
    assert not re.search(r"[0-9a-f]{32}", ran.out)
    second = strongroom("join", "2", lines=["quit"])
    assert f"Resuming Digit Deductions at {serving.url}." in second.err
    assert "Choose your secret number" in second.out
    third = strongroom("join", "3")
    assert (third.code, "You have no game 3 on a server." in third.err) == (2, True)


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_what_is_typed_before_the_other_comes_is_neither_shown_nor_kept(
    serving: Serving, somebody: SomebodySits, face: tuple[str, ...]
) -> None:
    """Somebody may take the waiting screen for a prompt, and type a secret there."""
    game = ("host", "safe-cracker", "--server", serving.url, "--name", "Ada", *face)
    ada = somebody("ada", *game)
    link = invitation(ada)
    ada.shows("Waiting for your opponent")
    assert not ada.terminal.echo_is_on
    for line in ("1-2-2", "3-1"):
        ada.types(line)
    ada.presses("2-2-1")
    bob = somebody("bob", "join", link, "--name", "Bob")
    ada.until(lambda: ada.asked.endswith("from 1-3):"), "the first question")
    printed = re.sub(r"http://\S+", "", ada.terminal.text)
    assert not re.search("1-2-2|3-1|2-2-1|your code|not your turn", printed)
    ada.answers("331")
    bob.answers("111")
    ada.shows("Enter your guess")
    assert "3-3-1" in ada.shown or face


def is_asked(who: Seated, prompt: str) -> bool:
    return prompt in who.asked


def test_a_name_is_asked_for_and_filled_in_the_next_time(
    serving: Serving, somebody: SomebodySits
) -> None:
    """Nobody is called after the user of this computer without being asked."""
    for typed, usual, name in (("Bo", "Guest", "Bo"), ("", "Bo", "Bo")):
        ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
        bob = somebody("bob", "join", invitation(ada))
        bob.until(partial(is_asked, bob, f"(Enter: {usual}):"))
        bob.types(typed)
        ada.shows(f"{name} .*●")
        ada.types("quit")
        assert ada.ends() == 4


def test_a_script_that_names_nobody_joins_as_a_guest(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    strongroom("join", invitation(ada))
    ada.shows("Guest .*●")


def test_a_script_plays_a_bot_to_the_end_and_the_record_is_verified(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    guesses = [f"{a}-{b}" for a in range(1, 10) for b in range(1, 10)]
    ran = strongroom(
        *("host", "digit-deductions", "--server", serving.url, "--vs", "random", "--name", "Ada"),
        lines=["3 7", *guesses],
    )
    assert ran.code == 0, ran.err
    assert "Verified: secrets, answers and coins are as promised." in ran.lines
    (file,) = games.iterdir()
    assert f"Record: {file}" in ran.lines
    assert strongroom("verify", str(file)).code == 0
    assert "Random" in strongroom("list").out
    seats = games.with_name("seats")
    assert stat.S_IMODE(seats.stat().st_mode) == 0o600
    assert strongroom("join").code == 2, "the game is over"


def test_a_program_reads_events_and_gets_the_invitation(
    serving: Serving, clean: Clean, strongroom: Strongroom, tmp_path: Path
) -> None:
    command = ["host", "digit-deductions", "--server", serving.url, "--name", "Ada", "--json"]
    environment = clean(XDG_STATE_HOME=str(tmp_path / "ada"))
    with Piped([*STRONGROOM, *command], environment=environment) as host:
        waiting: dict[str, Any] = json.loads(host.stdout.readline())
        assert waiting["event"] == "waiting"
        host.stdin.write("3 7\n5 6\n")
        host.stdin.close()
        bob = strongroom("join", waiting["invitation"], "--name", "Bob", "--json", lines=["5 6"])
        assert bob.code == 0, bob.err
        events = [json.loads(line) for line in host.stdout]
    for mine in (events, bob.events):
        assert [each["event"] for each in mine if each["event"] != "ask"] == [
            "start",
            "move",
            "end",
        ]
    assert events[0]["names"] == ["You", "Bob"]
    assert bob.events[-1]["secrets"] == [["3-7"], ["5-6"]]


def test_an_illegal_line_ends_a_strict_script(strongroom: Strongroom, serving: Serving) -> None:
    ran = strongroom(
        *("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada"),
        *("--strict",),
        lines=["8"],
    )
    assert ran.code == 3


def test_a_spectator_sees_the_moves_and_no_secrets(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "digit-deductions", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    bob = somebody("bob", "join", link, "--name", "Bob")
    eve = somebody("eve", "join", f"{serving.url}/#watch/{link.split('/')[-2]}", "--plain")
    ada.answers("3 7")
    bob.answers("8 4")
    ada.answers("5 5")
    eve.shows("Ada: 5-5|Ada guesses")
    eve.types("resign")
    eve.shows("It is not your turn.|You are watching.")
    printed = re.sub(r"http://\S+", "", eve.terminal.text)
    assert not re.search(r"3[- ]?7|8[- ]?4", printed)
    bob.answers("3 7")
    eve.shows("Game over: Bob")


def test_running_clocks_are_shown_beside_the_names(
    serving: Serving, somebody: SomebodySits
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ada = somebody("ada", *host, "--clock", "5+3")
    ada.shows(r"You +X +\d:\d\d", "Random +O +5:00")
    first = re.search(r"X +\d:\d\d", ada.shown)
    assert first
    ada.until(lambda: first[0] not in ada.shown, "a second")


def test_a_player_who_runs_out_of_time_forfeits_even_at_an_open_prompt(
    serving: Serving, somebody: SomebodySits
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ada = somebody("ada", *host, "--clock", "0.03")
    ada.shows(wrapped("Game over: Random won, because your time ran out."))


def test_the_link_is_drawn_as_a_qr_code_while_the_host_waits(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody(
        *("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada", "--qr"),
        rows=50,
    )
    invitation(ada)
    ada.shows("█▀▀▀▀▀█", "Waiting for your opponent to open it")
    assert not ada.terminal.screen.on_second_screen
    ada.presses("\x03")
    ada.answers("no")
    assert ada.ends() == 130
    assert "Your place is kept. Come back with: strongroom join" in ada.terminal.text
    again = somebody("ada", "join")
    assert invitation(again) == invitation(ada)


def test_the_link_stays_visible_below_a_qr_code_on_a_low_screen(
    serving: Serving, somebody: SomebodySits
) -> None:
    command = ("host", "quantum-duel", "--server", serving.url, "--name", "Ada", "--qr")
    ada = somebody("ada", *command, columns=120, rows=24)
    ada.shows("Waiting for your opponent to open it")
    assert invitation(ada) in ada.shown


def test_a_resized_terminal_is_redrawn_while_a_player_waits(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    bob.shows("Waiting for Ada")
    bob.terminal.resizes(50, 20)
    bob.until(lambda: bob.shown.count("─" * 50) == 2 and "Waiting for Ada" in bob.shown)
    bob.presses("\x03")
    assert bob.ends() == 130
    assert "Come back with: strongroom join" in bob.terminal.text
    assert not bob.terminal.screen.on_second_screen
