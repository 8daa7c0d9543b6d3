"""The commands `host` and `join`: links, bots, scripts, spectators, clocks and QR codes."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from starting import STRONGROOM, Piped

from strongroom.remote import api
from strongroom.remote.link import Link
from tests.remote.conftest import Serve, Serving, SomebodySits, invitation, last_link
from tests.terminal.conftest import Clean, Strongroom, wrapped


def hosting(serving: Serving, game: str, *options: str) -> tuple[str, ...]:
    return ("host", game, "--server", serving.url, "--name", "Ada", *options)


# --- scripts --------------------------------------------------------------------------------------


def test_a_host_names_the_server_only_once(strongroom: Strongroom, serving: Serving) -> None:
    assert "Name a server: --server URL." in strongroom("host", "quantum-duel").err
    for server in (["--server", serving.url], []):
        ran = strongroom("host", "quantum-duel", "--vs", "random", "--name", "Ada", *server)
        assert ran.code == 4
        assert "Welcome to Quantum Duel!" in ran.out


def test_a_game_that_a_script_broke_off_can_be_resumed(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    ran = strongroom(*hosting(serving, "quantum-duel", "--vs", "random"), lines=["5"])
    assert ran.code == 4  # nobody can win by luck
    assert ran.lines[-1].endswith("Come back with: strongroom join"), "no token is shown"
    link = last_link(games.parent)
    for argument, lines in (([], []), ([link], []), (["-"], [link])):
        again = strongroom("join", *argument, lines=[*lines, "history"])
        assert again.code == 4
        assert "Back at Quantum Duel." in again.out
        assert "1. You: 5" in again.out
        assert link.split("/")[-1] not in again.out + again.err


def test_games_on_servers_are_listed_without_their_links_and_joined_by_number(
    strongroom: Strongroom, serving: Serving
) -> None:
    for game in ("digit-deductions", "quantum-duel"):
        assert strongroom(*hosting(serving, game, "--vs", "random")).code == 4
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


def test_a_script_plays_a_bot_to_the_end_and_the_record_is_verified(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    guesses = [f"{a}-{b}" for a in range(1, 10) for b in range(1, 10)]
    game = hosting(serving, "digit-deductions", "--vs", "random")
    ran = strongroom(*game, lines=["3 7", *guesses])
    assert ran.code == 0, ran.err
    assert "Verified: secrets, answers and coins are as promised." in ran.lines
    (file,) = games.iterdir()
    assert f"Record: {file}" in ran.lines
    assert strongroom("verify", str(file)).code == 0
    assert "Random" in strongroom("list").out
    assert stat.S_IMODE(games.with_name("seats").stat().st_mode) == 0o600
    assert strongroom("join").code == 2, "the game is over"


def test_a_program_reads_events_and_gets_the_invitation(
    serving: Serving, clean: Clean, strongroom: Strongroom, tmp_path: Path
) -> None:
    command = [*STRONGROOM, *hosting(serving, "digit-deductions", "--json")]
    with Piped(command, environment=clean(XDG_STATE_HOME=str(tmp_path / "ada"))) as host:
        waiting: dict[str, Any] = json.loads(host.stdout.readline())
        assert waiting["event"] == "waiting"
        host.stdin.write("3 7\n5 6\n")
        host.stdin.close()
        bob = strongroom("join", waiting["invitation"], "--name", "Bob", "--json", lines=["5 6"])
        assert bob.code == 0, bob.err
        events = [json.loads(line) for line in host.stdout]
    for mine in (events, bob.events):
        kinds = [each["event"] for each in mine if each["event"] != "ask"]
        assert kinds == ["start", "move", "end"]
    assert events[0]["names"] == ["You", "Bob"]
    assert bob.events[-1]["secrets"] == [["3-7"], ["5-6"]]


def test_an_illegal_line_ends_a_strict_script(strongroom: Strongroom, serving: Serving) -> None:
    game = hosting(serving, "quantum-duel", "--vs", "random", "--strict")
    assert strongroom(*game, lines=["8"]).code == 3


# --- people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_what_is_typed_before_the_other_comes_is_neither_shown_nor_kept(
    serving: Serving, somebody: SomebodySits, face: tuple[str, ...]
) -> None:
    """Somebody may take the waiting screen for a prompt, and type a secret there."""
    ada = somebody("ada", *hosting(serving, "safe-cracker", *face))
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


def test_a_name_is_asked_for_and_filled_in_the_next_time(
    serving: Serving, somebody: SomebodySits, strongroom: Strongroom
) -> None:
    """Nobody is called after the user of this computer without being asked."""
    for typed, usual in (("Bo", "(Enter: Guest):"), ("", "(Enter: Bo):")):
        ada = somebody("ada", *hosting(serving, "quantum-duel"))
        bob = somebody("bob", "join", invitation(ada))
        bob.until(lambda: usual in bob.asked)  # noqa: B023
        bob.types(typed)
        ada.shows("Bo .*●")
        ada.types("quit")
        assert ada.ends() == 4
    ada = somebody("ada", *hosting(serving, "quantum-duel"))
    strongroom("join", invitation(ada))
    ada.shows("Guest .*●")


def test_a_spectator_sees_the_moves_and_no_secrets_and_needs_no_input(
    serving: Serving, somebody: SomebodySits, clean: Clean
) -> None:
    ada = somebody("ada", *hosting(serving, "digit-deductions"))
    link = invitation(ada)
    watch = ("join", f"{serving.url}/#watch/{link.split('/')[-2]}")
    with Piped([*STRONGROOM, *watch], environment=clean()) as cy:
        cy.stdin.close()
        bob = somebody("bob", "join", link, "--name", "Bob")
        eve = somebody("eve", *watch, "--plain")
        for who, line in ((ada, "3 7"), (bob, "8 4"), (ada, "5 5")):
            who.answers(line)
        eve.shows("Ada: 5-5|Ada guesses")
        eve.types("resign")
        eve.shows("It is not your turn.|You are watching.")
        printed = re.sub(r"http://\S+", "", eve.terminal.text)
        assert not re.search(r"3[- ]?7|8[- ]?4", printed)
        bob.answers("3 7")
        eve.shows("Game over: Bob")
        told, _ = cy.communicate()
    assert cy.returncode == 0
    before, _, _ = told.partition("Game over: Bob")
    assert not re.search(r"3-7|8-4", before.rpartition("Bob")[0])


def test_a_player_sees_the_clock_and_forfeits_at_an_open_prompt_when_it_runs_out(
    serving: Serving, somebody: SomebodySits
) -> None:
    game = hosting(serving, "quantum-duel", "--vs", "random", "--clock", "0.03")
    ada = somebody("ada", *game)
    ada.shows(r"You +X +0:0\d", r"Random +O +0:02")
    ada.shows(wrapped("Game over: Random won, because your time ran out."))


# --- leaving --------------------------------------------------------------------------------------


def test_a_host_who_leaves_before_anybody_came_may_withdraw_the_game(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(serving, "quantum-duel", "--qr"), rows=50)
    link = invitation(ada)
    ada.shows("█▀▀▀▀▀█", "Waiting for your opponent to open it")
    assert not ada.terminal.screen.on_second_screen
    ada.presses("\x03")
    ada.answers("no")
    assert ada.ends() == 130
    assert "Your place is kept. Come back with: strongroom join" in ada.terminal.text
    again = somebody("ada", "join")
    assert invitation(again) == link
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


def test_the_link_stays_visible_below_a_qr_code_on_a_low_screen(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(serving, "quantum-duel", "--qr"), columns=120, rows=24)
    ada.shows("Waiting for your opponent to open it")
    assert invitation(ada) in ada.shown


def test_a_game_withdrawn_elsewhere_cannot_be_resumed(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(serving, "quantum-duel"))
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


@pytest.mark.parametrize("answer", ["yes\r", "\x04"], ids=["taken back", "kept"])
def test_control_d_leaves_before_the_other_has_come(
    serving: Serving, somebody: SomebodySits, answer: str
) -> None:
    ada = somebody("ada", *hosting(serving, "quantum-duel"))
    ada.shows("Waiting for your opponent")
    ada.presses("\x04")
    ada.shows("Take the game back")
    ada.presses(answer)
    assert ada.ends() == 4
    is_kept = "Your place is kept. Come back with: strongroom join" in ada.terminal.text
    assert is_kept is (answer == "\x04")


@pytest.mark.parametrize("face", [[], ["--json"]], ids=["plain", "json"])
def test_end_of_input_leaves_the_game_before_the_other_has_come_or_moved(
    strongroom: Strongroom, serving: Serving, face: list[str], tmp_path: Path
) -> None:
    def patient(printed: str) -> str:
        """What was printed, without the words for those who wait for a slow server."""
        return re.sub(r"Waiting for \S+ to .* …\n", "", printed)

    ran = strongroom(*hosting(serving, "quantum-duel"), *face)
    assert (ran.code, patient(ran.err)) == (4, "")
    if face:
        assert [each["event"] for each in ran.events] == ["waiting", "left"]
        assert ran.events[-1]["resume"] == "strongroom join"
    else:
        assert ran.lines[-1] == "Your place is kept. Come back with: strongroom join"
    again = strongroom("join", *face)
    assert again.code == 4
    link = re.search(r'http://[^\s"]+/#join/[^\s"]+', again.out)
    assert link, "the seat is saved"
    home = {"XDG_STATE_HOME": str(tmp_path / "bob")}
    bob = strongroom("join", link[0], "--name", "Bob", env=home)
    assert (bob.code, patient(bob.err)) == (4, "Quantum Duel. Hints and notebook: off.\n")
    assert bob.lines[-1] == "Your place is kept. Come back with: strongroom join"
    assert f"Resuming Quantum Duel at {serving.url}." in strongroom("join", env=home).err


def test_a_game_can_be_claimed_once_the_other_is_away_for_too_long(
    serve: Serve, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(serve("--claim-after", "1"), "digit-deductions"))
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
