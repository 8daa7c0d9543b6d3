"""The commands `host` and `join`: links, bots, scripts, spectators, clocks and refusals."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from starting import STRONGROOM, Piped, Port

from strongroom.remote import api
from strongroom.remote.link import Link
from tests.remote.conftest import SomebodySits, invitation, last_link
from tests.server.local import Locals, LocalServer
from tests.terminal.conftest import Clean, Strongroom, wrapped

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32


def hosting(serving: LocalServer, game: str, *options: str) -> tuple[str, ...]:
    return ("host", game, "--server", serving.address, "--name", "Ada", *options)


# --- scripts --------------------------------------------------------------------------------------


def test_a_host_names_the_server_only_once(strongroom: Strongroom, serving: LocalServer) -> None:
    assert "Name a server: --server URL." in strongroom("host", "quantum-duel").err
    bot = ("host", "quantum-duel", "--vs", "random", "--strict", "--name")
    for server in (["--server", serving.address], []):
        ran = strongroom(*bot, "Ada", *server)
        assert ran.code == 4
        assert "Welcome to Quantum Duel!" in ran.out
    assert strongroom(*bot, "Ada", lines=["8"]).code == 3, "an illegal line ends a strict script"
    refused = strongroom(*bot, "You")
    assert (refused.code, "Choose another name." in refused.err) == (2, True)


def test_a_game_that_a_script_broke_off_can_be_resumed(
    strongroom: Strongroom, serving: LocalServer, games: Path
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
    strongroom: Strongroom, serving: LocalServer
) -> None:
    for game in ("digit-deductions", "quantum-duel"):
        assert strongroom(*hosting(serving, game, "--vs", "random")).code == 4
    ran = strongroom("list")
    at = serving.address.removeprefix("http://")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.lines if at in line] == [
        ["1", "Quantum", "Duel", at],
        ["2", "Digit", "Deductions", at],
    ]
    assert ran.lines[-1] == "Resume a game: strongroom join NUMBER"
    assert strongroom("list", "--json").events == [
        {"join": 1, "title": "Quantum Duel", "server": serving.address},
        {"join": 2, "title": "Digit Deductions", "server": serving.address},
    ]
    assert not re.search(r"[0-9a-f]{32}", ran.out)
    second = strongroom("join", "2", lines=["quit"])
    assert f"Resuming Digit Deductions at {serving.address}." in second.err
    assert "Choose your secret number" in second.out
    third = strongroom("join", "3")
    assert (third.code, "You have no game 3 on a server." in third.err) == (2, True)


def test_a_script_plays_a_bot_to_the_end_and_the_record_is_verified(
    strongroom: Strongroom, serving: LocalServer, games: Path
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
    serving: LocalServer, clean: Clean, strongroom: Strongroom, tmp_path: Path
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


# --- people ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_what_is_typed_before_the_other_comes_is_neither_shown_nor_kept(
    serving: LocalServer, somebody: SomebodySits, face: tuple[str, ...]
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
    serving: LocalServer, somebody: SomebodySits, strongroom: Strongroom
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
    serving: LocalServer, somebody: SomebodySits, clean: Clean
) -> None:
    ada = somebody("ada", *hosting(serving, "digit-deductions"))
    link = invitation(ada)
    watch = ("join", f"{serving.address}/#watch/{link.split('/')[-2]}")
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
    local: Locals, somebody: SomebodySits
) -> None:
    game = hosting(local(), "quantum-duel", "--vs", "random", "--clock", "0.03")
    ada = somebody("ada", *game)
    ada.shows(r"You +X +0:0\d", r"Random +O +0:02")
    local.pass_time(2)
    ada.shows(wrapped("Game over: Random won, because your time ran out."))


# --- leaving --------------------------------------------------------------------------------------


def test_a_host_who_leaves_before_anybody_came_may_withdraw_the_game(
    strongroom: Strongroom, serving: LocalServer, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(serving, "quantum-duel", "--qr"), rows=50)
    link = invitation(ada)
    ada.shows("█▀▀▀▀▀█", "Waiting for your opponent to open it")
    assert not ada.terminal.screen.on_second_screen
    for leave, answer, code, told in (
        ("\x03", "no\r", 130, "Your place is kept. Come back with: strongroom join"),
        ("\x04", "\x04", 4, "Your place is kept. Come back with: strongroom join"),
        ("\x03", "yes\r", 130, "The game was taken back."),
    ):
        ada.presses(leave)
        ada.shows("Take the game back")
        ada.presses(answer)
        assert ada.ends() == code
        assert told in ada.terminal.text
        assert ("Come back with" in ada.terminal.text) is ("Come back with" in told)
        if answer != "yes\r":
            ada = somebody("ada", "join")
            assert invitation(ada) == link
            ada.shows("Waiting for your opponent")
    late = strongroom("join", link, "--name", "Bob")
    assert (late.code, "taken back before it began" in late.err) == (2, True)
    nothing = somebody("ada", "join")
    assert nothing.ends() == 2
    assert "You have no unfinished game on a server." in nothing.terminal.text


def test_a_game_withdrawn_elsewhere_cannot_be_resumed(
    strongroom: Strongroom, serving: LocalServer, somebody: SomebodySits
) -> None:
    game = hosting(serving, "quantum-duel", "--qr")
    ada = somebody("ada", *game, columns=120, rows=24)
    ada.shows("Waiting for your opponent to open it")
    assert invitation(ada) in ada.shown, "below a QR code on a low screen"
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
def test_end_of_input_leaves_the_game_before_the_other_has_come_or_moved(
    strongroom: Strongroom, serving: LocalServer, face: list[str], tmp_path: Path
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
    game = f"{serving.address}/#%s/{link[0].split('/')[-2]}/{TOKEN}"
    for wrong, why in (
        (game % "play", "does not know this seat"),
        (game % "join", "requires a valid invitation"),
    ):
        refused = strongroom("join", wrong, "--name", "Eve")
        assert (refused.code, why in refused.err) == (2, True)
    homes = [{"XDG_STATE_HOME": str(tmp_path / name)} for name in ("bob", "eve")]
    bob = strongroom("join", link[0], "--name", "Bob", env=homes[0])
    assert (bob.code, patient(bob.err)) == (4, "Quantum Duel. Hints and notebook: off.\n")
    assert bob.lines[-1] == "Your place is kept. Come back with: strongroom join"
    back = strongroom("join", env=homes[0])
    assert f"Resuming Quantum Duel at {serving.address}." in back.err
    third = strongroom("join", link[0], "--name", "Eve", env=homes[1])
    assert (third.code, "Both seats of this game are taken." in third.err) == (2, True)
    assert strongroom("join", env=homes[1]).code == 2, "a refused seat is not saved"


def test_a_game_is_claimed_once_the_other_is_away_too_long(
    local: Locals, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(local(), "digit-deductions"))
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    ada.answers("3 7")
    bob.until(lambda: bob.asked.endswith(":"))
    bob.types("quit")
    ada.shows("Bob is away. After 120 seconds")
    ada.types("claim")
    ada.shows("can be claimed in")
    local.pass_time(120)
    ada.types("claim")
    ada.shows(wrapped("Game over: You won, because Bob was away for too long."))


# --- refusals -------------------------------------------------------------------------------------


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
                "is not a clock. For example: --clock 5+3",
            )
            for clock in ("", "five", "5+", "5+3+1", "-1")
        ),
    ],
)
def test_wrong_usage_is_refused_in_one_line(
    strongroom: Strongroom, arguments: list[str], lines: list[str], why: str
) -> None:
    ran = strongroom(*arguments, lines=lines)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert why in ran.err


@pytest.mark.parametrize("kind", ["watch/{}", "play/{}/{}", "join/{}/{}"])
def test_a_server_that_does_not_answer_or_does_not_know_the_game_is_named(
    strongroom: Strongroom, serving: LocalServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "PAUSES", (0.0,) * 2)
    nobody = Port()
    for server, why in (
        (nobody.address, "No server answers at"),
        (serving.address, "This game does not exist"),
    ):
        ran = strongroom("join", f"{server}/#{kind.format(GAME, TOKEN)}", "--name", "Bob")
        assert ran.code == 2
        assert why in ran.err
        advice = "Check the address, and that the server is running."
        assert (advice in ran.err) is (server != serving.address)


def test_without_websockets_an_error_names_the_extra(
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
