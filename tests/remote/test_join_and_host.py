"""The commands `host` and `join`: links right and wrong, bots, spectators, programs, clocks."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from starting import STRONGROOM, Piped

from strongroom.remote import api
from strongroom.remote.link import Link
from tests.remote.conftest import invitation

if TYPE_CHECKING:
    from tests.remote.conftest import Serve, Serving, SomebodySits
    from tests.terminal.conftest import Clean, Strongroom

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32
LAST_PAGE = "q leave"


def nobody_listens() -> str:
    """An address at which there is no server."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{listening.getsockname()[1]}"


# --- wrong links ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("hello", "is no link to a game"),
        ("http://127.0.0.1:8000/", "nothing stands behind a #"),
        (f"http://127.0.0.1:8000/#join/{GAME}/123", "not whole"),
    ],
)
def test_what_is_no_link_is_refused_in_one_line(
    strongroom: Strongroom, link: str, why: str
) -> None:
    ran = strongroom("join", link)
    assert ran.code == 2
    assert why in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("kind", [f"watch/{GAME}", f"play/{GAME}/{TOKEN}", f"join/{GAME}/{TOKEN}"])
def test_a_server_that_is_not_there_is_named(strongroom: Strongroom, kind: str) -> None:
    ran = strongroom("join", f"{nobody_listens()}/#{kind}")
    assert ran.code == 2
    assert "No server answers at" in ran.err
    assert "Is it running" in ran.err


@pytest.mark.parametrize("kind", [f"watch/{GAME}", f"play/{GAME}/{TOKEN}", f"join/{GAME}/{TOKEN}"])
def test_a_game_that_is_not_there_is_refused_by_the_server(
    strongroom: Strongroom, serving: Serving, kind: str
) -> None:
    ran = strongroom("join", f"{serving.url}/#{kind}", "--name", "Bob")
    assert ran.code == 2
    assert "There is no such game" in ran.err


def test_a_wrong_token_a_wrong_invitation_and_a_third_player_are_refused(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    game = link.split("/")[-2]
    wrong = strongroom("join", f"{serving.url}/#play/{game}/{TOKEN}")
    assert (wrong.code, "knows no such seat" in wrong.err) == (2, True)
    wrong = strongroom("join", f"{serving.url}/#join/{game}/{TOKEN}", "--name", "Eve")
    assert (wrong.code, "this is not the one" in wrong.err) == (2, True)
    bob = somebody("bob", "join", link, "--name", "Bob")
    ada.shows("Bob 0")
    third = strongroom("join", link, "--name", "Eve")
    assert (third.code, "Both seats of this game are taken." in third.err) == (2, True)
    assert strongroom("join").code == 2, "what was refused is not kept"
    bob.shows("Waiting for Ada")


def test_without_a_link_there_must_be_a_game_to_go_on_with(strongroom: Strongroom) -> None:
    ran = strongroom("join")
    assert ran.code == 2
    assert "You have no network game that is not over." in ran.err


def test_a_host_names_a_server_once(strongroom: Strongroom, serving: Serving) -> None:
    assert "Name a server: --server URL." in strongroom("host", "quantum-duel").err
    for server in (["--server", serving.url], []):
        ran = strongroom("host", "quantum-duel", "--vs", "random", "--name", "Ada", *server)
        assert ran.code == 4
        assert "Welcome to Quantum Duel!" in ran.out


@pytest.mark.parametrize("clock", ["", "five", "5+", "5+3+1", "-1"])
def test_what_is_no_clock_is_refused(strongroom: Strongroom, clock: str) -> None:
    server = ["--server", "http://127.0.0.1:1"]
    ran = strongroom("host", "quantum-duel", *server, f"--clock={clock}")
    assert ran.code == 2
    assert "is no clock. Like: --clock 5+3" in ran.err


def test_what_the_server_refuses_is_told_in_its_words(
    strongroom: Strongroom, serving: Serving
) -> None:
    ran = strongroom(
        *("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "You")
    )
    assert ran.code == 2
    assert "Choose another name." in ran.err


def test_without_websockets_the_extra_is_named(strongroom: Strongroom, tmp_path: Path) -> None:
    (tmp_path / "missing" / "websockets").mkdir(parents=True)
    (tmp_path / "missing" / "websockets" / "__init__.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path / "missing"), os.environ.get("PYTHONPATH", "")])
    ran = strongroom("join", f"http://127.0.0.1:1/#watch/{GAME}", env={"PYTHONPATH": path})
    assert ran.code == 2
    assert ran.err == (
        "strongroom: A network game needs websockets. "
        "Install it: pip install 'strongroom[network]'\n"
    )


# --- taking a game back ---------------------------------------------------------------------------


def test_who_leaves_while_nobody_has_come_may_take_the_game_back(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    ada.shows("Waiting for somebody")
    ada.presses("\x03")
    ada.answers("no")
    assert ada.ends() == 130
    assert "Come back with: strongroom join" in ada.terminal.text
    again = somebody("ada", "join")
    again.shows("Waiting for somebody")
    again.presses("\x03")
    again.answers("yes")
    assert again.ends() == 130
    assert "It is taken back." in again.terminal.text
    assert "Come back with" not in again.terminal.text
    late = strongroom("join", link, "--name", "Bob")
    assert (late.code, "taken back before it began" in late.err) == (2, True)
    nothing = somebody("ada", "join")
    assert nothing.ends() == 2
    assert "You have no network game that is not over." in nothing.terminal.text


def test_a_game_that_was_taken_back_elsewhere_is_not_gone_on_with(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    invitation(ada)
    ada.shows("Waiting for somebody")
    kept = json.loads((ada.home / "state/strongroom/seats").read_text().splitlines()[-1])
    api.withdraw(Link.parse(kept["link"]))
    assert ada.ends() == 2
    assert "This game was taken back before it began." in ada.terminal.text
    watching = strongroom("join", kept["link"])
    assert (watching.code, "taken back before it began" in watching.err) == (2, True)
    again = somebody("ada", "join")
    assert again.ends() == 2
    assert "You have no network game that is not over." in again.terminal.text


def test_a_link_can_be_read_from_standard_input(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    host = ("host", "digit-deductions", "--server", serving.url, "--vs", "random", "--name", "Ada")
    assert strongroom(*host, lines=["3 7"]).code == 4
    link = json.loads(games.with_name("seats").read_text().splitlines()[-1])["link"]
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
    assert ran.lines[-1] == "Go on with one: strongroom join NUMBER"
    assert strongroom("list", "--json").events == [
        {"join": 1, "title": "Quantum Duel", "server": serving.url},
        {"join": 2, "title": "Digit Deductions", "server": serving.url},
    ]
    assert not re.search(r"[0-9a-f]{32}", ran.out)
    second = strongroom("join", "2", lines=["quit"])
    assert f"Going on with Digit Deductions at {serving.url}." in second.err
    assert "Choose your secret number" in second.out
    third = strongroom("join", "3")
    assert (third.code, "You have no network game 3." in third.err) == (2, True)


def test_standard_input_without_a_link_is_refused(strongroom: Strongroom) -> None:
    for lines, why in (([], "Standard input has no link in it."), (["hello"], "no link to a game")):
        ran = strongroom("join", "-", lines=lines)
        assert (ran.code, why in ran.err) == (2, True)


# --- input that has ended -------------------------------------------------------------------------


@pytest.mark.parametrize("face", [[], ["--json"]], ids=["plain", "json"])
def test_input_that_has_ended_leaves_before_the_other_has_come(
    strongroom: Strongroom, serving: Serving, face: list[str]
) -> None:
    ran = strongroom("host", "quantum-duel", "--server", serving.url, "--name", "Ada", *face)
    assert (ran.code, ran.err) == (4, "")
    if face:
        assert [each["event"] for each in ran.events] == ["waiting", "left"]
        assert ran.events[-1]["resume"] == "strongroom join"
    else:
        assert ran.lines[-1] == "Your place is kept. Come back with: strongroom join"
    again = strongroom("join", *face)
    assert again.code == 4
    assert "#join/" in again.out, "the seat was kept"


def test_input_that_has_ended_leaves_while_the_other_is_at_the_move(
    strongroom: Strongroom, serving: Serving, somebody: SomebodySits, games: Path
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    bob = strongroom("join", invitation(ada), "--name", "Bob")
    assert (bob.code, bob.err) == (4, "")
    assert bob.lines[-1] == "Your place is kept. Come back with: strongroom join"
    ada.types("1")
    ada.shows("Waiting for Bob")
    link = json.loads(games.with_name("seats").read_text().splitlines()[-1])["link"]
    again = strongroom("join", "-", lines=[link])
    assert (again.code, "Back at Quantum Duel." in again.out) == (4, True)
    assert link.split("/")[-1] not in again.out + again.err


def test_who_only_watches_needs_no_input(
    serving: Serving, somebody: SomebodySits, clean: Clean
) -> None:
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
    ada.shows("Waiting for somebody")
    ada.presses("\x04")
    ada.shows("Take the game back")
    ada.presses(answer if answer == "\x04" else f"{answer}\r")
    assert ada.ends() == 4
    is_kept = "Your place is kept. Come back with: strongroom join" in ada.terminal.text
    assert is_kept is (answer != "yes")


def test_what_is_typed_while_nobody_has_come_is_an_answer_later(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody(
        *("ada", "host", "digit-deductions", "--server", serving.url, "--name", "Ada", "--plain")
    )
    link = invitation(ada)
    ada.shows("Waiting for somebody")
    ada.types("history")
    somebody("bob", "join", link, "--name", "Bob")
    ada.shows("Nothing has been played yet.")


# --- a script, and a bot --------------------------------------------------------------------------


def test_a_script_plays_a_bot_to_the_end_and_the_record_is_verified(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    guesses = [f"{a}-{b}" for a in range(1, 10) for b in range(1, 10)]
    ran = strongroom(
        *("host", "digit-deductions", "--server", serving.url, "--vs", "random", "--name", "Ada"),
        lines=["3 7", *guesses],
    )
    assert ran.code == 0, ran.err
    assert "Verified: secrets, answers and coins are what was promised." in ran.lines
    (file,) = games.iterdir()
    assert f"Record: {file}" in ran.lines
    assert strongroom("verify", str(file)).code == 0
    assert "Random" in strongroom("list").out
    seats = games.with_name("seats")
    assert stat.S_IMODE(seats.stat().st_mode) == 0o600
    assert strongroom("join").code == 2, "the game is over"


def test_what_a_script_broke_off_is_gone_on_with(
    strongroom: Strongroom, serving: Serving, games: Path
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ran = strongroom(*host, lines=["5"])  # nobody can win by luck
    assert ran.code == 4
    assert ran.lines[-1].endswith("Come back with: strongroom join"), "and no secret is told"
    kept = json.loads(games.with_name("seats").read_text().splitlines()[-1])
    for link in ([], [kept["link"]]):
        again = strongroom("join", *link, lines=["history"])
        assert again.code == 4
        assert "Back at Quantum Duel." in again.out
        assert "1. You: 5" in again.out


def test_a_program_reads_events_and_is_told_the_invitation(
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


# --- at a terminal --------------------------------------------------------------------------------


def test_who_watches_sees_the_moves_and_no_secret(serving: Serving, somebody: SomebodySits) -> None:
    ada = somebody("ada", "host", "digit-deductions", "--server", serving.url, "--name", "Ada")
    link = invitation(ada)
    bob = somebody("bob", "join", link, "--name", "Bob")
    eve = somebody("eve", "join", f"{serving.url}/#watch/{link.split('/')[-2]}", "--plain")
    ada.answers("3 7")
    bob.answers("8 4")
    ada.answers("5 5")
    eve.shows("Ada: 5-5|Ada guesses")
    eve.types("resign")
    eve.shows("It is not your turn.|You watch.")
    assert not re.search(r"3[- ]?7|8[- ]?4", eve.terminal.text)
    bob.answers("3 7")
    eve.shows("Game over: Bob")


def test_the_clocks_stand_beside_the_names_and_run(
    serving: Serving, somebody: SomebodySits
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ada = somebody("ada", *host, "--clock", "5+3")
    ada.shows(r"You +X +\d:\d\d", "Random +O +5:00")
    first = re.search(r"X +\d:\d\d", ada.shown)
    assert first
    ada.until(lambda: first[0] not in ada.shown, "a second")


def test_who_runs_out_of_time_forfeits_though_a_question_is_open(
    serving: Serving, somebody: SomebodySits
) -> None:
    host = ("host", "quantum-duel", "--server", serving.url, "--vs", "random", "--name", "Ada")
    ada = somebody("ada", *host, "--clock", "0.03")
    ada.shows("Game over: Random won: your time ran out.")


def test_the_game_can_be_claimed_once_the_other_is_away_for_too_long(
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
        return "Game over: You won: Bob was away for too long." in ada.shown

    ada.until(is_given)


def test_the_link_is_drawn_as_a_qr_code_and_the_page_waits_for_the_other(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody(
        *("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada", "--qr"),
        rows=50,
    )
    invitation(ada)
    ada.shows("█▀▀▀▀▀█", "Waiting for somebody to open it")
    assert not ada.terminal.screen.on_second_screen
    ada.presses("\x03")
    ada.answers("no")
    assert ada.ends() == 130
    assert "Your place is kept. Come back with: strongroom join" in ada.terminal.text
    again = somebody("ada", "join")
    assert invitation(again) == invitation(ada)


def test_the_link_is_still_there_below_a_qr_code_on_a_low_screen(
    serving: Serving, somebody: SomebodySits
) -> None:
    command = ("host", "quantum-duel", "--server", serving.url, "--name", "Ada", "--qr")
    ada = somebody("ada", *command, columns=120, rows=24)
    ada.shows("Waiting for somebody to open it")
    assert invitation(ada) in ada.shown


def test_a_new_size_is_drawn_while_one_waits(serving: Serving, somebody: SomebodySits) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--name", "Ada")
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    bob.shows("Waiting for Ada")
    bob.terminal.resizes(50, 20)
    bob.until(lambda: bob.shown.count("─" * 50) == 2 and "Waiting for Ada" in bob.shown)
    bob.presses("\x03")
    assert bob.ends() == 130
    assert "Come back with: strongroom join" in bob.terminal.text
    assert not bob.terminal.screen.on_second_screen
