"""The commands `host` and `join`: links, bots, scripts, refusals, and two people at terminals."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serving import Server
from starting import STRONGROOM, Piped, Port

from strongroom.referee.record import Record
from strongroom.remote import api
from strongroom.remote.link import Link
from strongroom.terminal.store.games import read
from tests.remote.conftest import Seated, SomebodySits, invitation, last_link
from tests.server.conftest import Serve
from tests.server.local import Locals, LocalServer
from tests.terminal.conftest import LAST_PAGE, Clean, Strongroom, wrapped
from tests.terminal.whole_games import WHOLE, Whole

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32
KEPT = "Kept here; it is sent as soon as it is your turn"
FACES: dict[str, list[str]] = {"page": [], "plain": ["--plain"]}
FACES_OF_GAMES = ("page page", "plain plain", "page plain", "plain page", "page page")
Meet = Callable[..., tuple[Seated, Seated]]


def hosting(server: Server | LocalServer, game: str, *options: str) -> tuple[str, ...]:
    return ("host", game, "--server", server.address, "--name", "Ada", *options)


def test_a_host_names_the_server_only_once(strongroom: Strongroom, shared: LocalServer) -> None:
    assert "Name a server: --server URL." in strongroom("host", "quantum-duel").err
    bot = ("host", "quantum-duel", "--vs", "random", "--strict", "--name")
    for server in (["--server", shared.address], []):
        assert "Welcome to Quantum Duel!" in strongroom(*bot, "Ada", *server, code=4).out
    assert strongroom(*bot, "Ada", lines=["8"]).code == 3, "an illegal line ends a strict script"
    assert "Choose another name." in strongroom(*bot, "You", code=2).err


def test_games_are_listed_without_their_links_and_resumed(
    strongroom: Strongroom, shared: LocalServer, games: Path
) -> None:
    assert strongroom(*hosting(shared, "digit-deductions", "--vs", "random")).code == 4
    # Nobody can win by luck.
    ran = strongroom(*hosting(shared, "quantum-duel", "--vs", "random"), lines=["5"], code=4)
    assert ran.lines[-1].endswith("Come back with: strongroom join"), "no token is shown"
    ran = strongroom("list")
    at = shared.address.removeprefix("http://")
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.lines if at in line] == [
        ["1", "Quantum", "Duel", at],
        ["2", "Digit", "Deductions", at],
    ]
    assert ran.lines[-1] == "Resume a game: strongroom join NUMBER"
    assert strongroom("list", "--json").events == [
        {"join": 1, "title": "Quantum Duel", "server": shared.address},
        {"join": 2, "title": "Digit Deductions", "server": shared.address},
    ]
    assert not re.search(r"[0-9a-f]{32}", ran.out)
    link = last_link(games.parent)
    for argument, lines in (([], []), (["1"], []), ([link], []), (["-"], [link])):
        again = strongroom("join", *argument, lines=[*lines, "history"], code=4)
        assert "Back at Quantum Duel." in again.out
        assert "1. You: 5" in again.out
        assert link.split("/")[-1] not in again.out + again.err
    second = strongroom("join", "2", lines=["quit"])
    assert f"Resuming Digit Deductions at {shared.address}." in second.err
    assert "Choose your secret number" in second.out
    assert "You have no game 3 on a server." in strongroom("join", "3").refusal


def test_a_script_plays_a_bot_to_the_end_and_the_record_is_verified(
    strongroom: Strongroom, shared: LocalServer, games: Path
) -> None:
    guesses = [f"{a}-{b}" for a in range(1, 10) for b in range(1, 10)]
    game = hosting(shared, "digit-deductions", "--vs", "random")
    ran = strongroom(*game, lines=["3 7", *guesses], code=0)
    assert "Verified: secrets, answers and coins are as promised." in ran.lines
    (file,) = games.iterdir()
    assert f"Record: {file}" in ran.lines
    assert strongroom("verify", str(file)).code == 0
    assert "Random" in strongroom("list").out
    assert stat.S_IMODE(games.with_name("seats").stat().st_mode) == 0o600
    assert strongroom("join").code == 2, "the game is over"


def test_a_record_that_is_not_what_was_seen_is_called_so(
    strongroom: Strongroom, shared: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = api.record

    def with_another_id(link: Link) -> str:
        return re.sub(r'"id": ?"[0-9a-f]+"', f'"id":"{"f" * 32}"', fetch(link))

    monkeypatch.setattr(api, "record", with_another_id)
    ran = strongroom(*hosting(shared, "quantum-duel", "--vs", "random"), lines=["resign", "y"])
    assert "THIS RECORD IS NOT WHAT WAS PLAYED. " in ran.out
    assert "Verified: " not in ran.out


def test_a_program_reads_events_and_an_answer_that_is_lost_costs_no_seat(
    shared: LocalServer,
    clean: Clean,
    strongroom: Strongroom,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    join = api.join

    def joined_and_stopped(*given: Any) -> None:
        join(*given)
        raise KeyboardInterrupt

    command = [*STRONGROOM, *hosting(shared, "digit-deductions", "--json")]
    with Piped(command, environment=clean(XDG_STATE_HOME=str(tmp_path / "ada"))) as host:
        waiting: dict[str, Any] = json.loads(host.stdout.readline())
        assert waiting["event"] == "waiting"
        host.stdin.write("3 7\n5 6\n")
        host.stdin.close()
        as_bob = ("join", waiting["invitation"], "--name", "Bob", "--json")
        with monkeypatch.context() as patch:
            patch.setattr(api, "join", joined_and_stopped)
            assert strongroom(*as_bob).code == 130
        bob = strongroom(*as_bob, lines=["5 6"])
        assert bob.code == 0, bob.err
        events = [json.loads(line) for line in host.stdout]
    for mine in (events, bob.events):
        kinds = [each["event"] for each in mine if each["event"] != "ask"]
        assert kinds == ["start", "move", "end"]
    assert events[0]["names"] == ["You", "Bob"]
    assert bob.events[-1]["secrets"] == [["3-7"], ["5-6"]]


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_what_is_typed_before_the_other_comes_is_neither_shown_nor_kept(
    shared: LocalServer, somebody: SomebodySits, face: tuple[str, ...]
) -> None:
    """Somebody may take the waiting screen for a prompt, and type a secret there."""
    ada = somebody("ada", *hosting(shared, "safe-cracker", *face))
    link = invitation(ada)
    ada.shows("Waiting for your opponent")
    assert not ada.echo_is_on
    for line in ("1-2-2", "3-1"):
        ada.types(line)
    ada.presses("2-2-1")
    bob = somebody("bob", "join", link, "--name", "Bob")
    ada.until(lambda: ada.asked.endswith("from 1-3):"), "the first question")
    printed = re.sub(r"http://\S+", "", ada.text)
    assert not re.search("1-2-2|3-1|2-2-1|your code|not your turn", printed)
    ada.replies("331")
    bob.replies("111")
    ada.shows("Enter your guess")
    assert "3-3-1" in ada.shown or face


def test_a_name_is_asked_for_and_filled_in_the_next_time(
    shared: LocalServer, somebody: SomebodySits, strongroom: Strongroom
) -> None:
    """Nobody is called after the user of this computer without being asked."""
    for typed, usual in (("Bo", "(Enter: Guest):"), ("", "(Enter: Bo):")):
        ada = somebody("ada", *hosting(shared, "quantum-duel"))
        bob = somebody("bob", "join", invitation(ada))
        bob.until(lambda: usual in bob.asked)  # noqa: B023
        bob.types(typed)
        ada.shows("Bo .*●")
        assert ada.ends("quit\n") == 4
    ada = somebody("ada", *hosting(shared, "quantum-duel"))
    strongroom("join", invitation(ada))
    ada.shows("Guest .*●")


def test_on_one_machine_the_hosts_name_is_neither_filled_in_nor_taken(
    shared: LocalServer, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(shared, "quantum-duel"))
    beside = somebody("ada", "join", invitation(ada))
    beside.until(lambda: "(Enter: Guest):" in beside.asked)
    beside.types("ada")
    beside.shows("The other player is called 'ada' too. Choose another name.")
    beside.types("")
    ada.shows("Guest .*●")


def test_spectators_see_no_secret(
    shared: LocalServer, somebody: SomebodySits, clean: Clean
) -> None:
    ada = somebody("ada", *hosting(shared, "digit-deductions"))
    link = invitation(ada)
    watch = ("join", f"{shared.address}/#watch/{link.split('/')[-2]}")
    with Piped([*STRONGROOM, *watch], environment=clean()) as cy:
        cy.stdin.close()
        bob = somebody("bob", "join", link, "--name", "Bob")
        eve = somebody("eve", *watch, "--plain")
        for who, line in ((ada, "3 7"), (bob, "8 4"), (ada, "5 5")):
            who.replies(line)
        eve.shows("Ada: 5-5|Ada guesses")
        eve.types("resign")
        eve.shows("It is not your turn.|You are watching.")
        assert not re.search(r"3[- ]?7|8[- ]?4", re.sub(r"http://\S+", "", eve.text))
        bob.replies("3 7")
        eve.shows("Game over: Bob")
        told, _ = cy.communicate()
    assert cy.returncode == 0
    before, _, _ = told.partition("Game over: Bob")
    assert not re.search(r"3-7|8-4", before.rpartition("Bob")[0])


def test_a_clock_that_runs_out_ends_an_open_prompt(local: Locals, somebody: SomebodySits) -> None:
    game = hosting(local(), "quantum-duel", "--vs", "random", "--clock", "0.03")
    ada = somebody("ada", *game)
    ada.shows(r"You +X +0:0\d", r"Random +O +0:02")
    local.pass_time(2)
    ada.shows(wrapped("Game over: Random won, because your time ran out."))


def test_a_host_who_leaves_before_anybody_came_may_withdraw_the_game_also_elsewhere(
    strongroom: Strongroom, shared: LocalServer, somebody: SomebodySits
) -> None:
    ada = somebody("ada", *hosting(shared, "quantum-duel", "--qr"), columns=120)
    link = invitation(ada)
    ada.reads("█▀▀▀▀▀█", "Waiting for your opponent to open it")
    assert link in ada.shown, "below a QR code on a low screen"
    assert not ada.screen.on_second_screen
    for leave, answer, code, told in (
        ("\x03", "no\r", 130, "Your place is kept. Come back with: strongroom join"),
        ("\x04", "\x04", 4, "Your place is kept. Come back with: strongroom join"),
        ("\x03", "yes\r", 130, "The game was taken back."),
    ):
        ada.presses(leave)
        ada.shows("Take the game back")
        ada.presses(answer)
        assert ada.ends() == code
        assert told in ada.text
        assert ("Come back with" in ada.text) is ("Come back with" in told)
        if answer != "yes\r":
            ada = somebody("ada", "join")
            assert invitation(ada) == link
            ada.shows("Waiting for your opponent")
    assert "taken back before it began" in strongroom("join", link, "--name", "Bob", code=2).err
    elsewhere = somebody("ada", *hosting(shared, "quantum-duel"))
    elsewhere.shows("Waiting for your opponent")
    api.withdraw(Link.parse(last_link(elsewhere.home / "state/strongroom")))
    assert elsewhere.ends() == 2
    assert "This game was taken back before it began." in elsewhere.text
    nothing = somebody("ada", "join")
    assert nothing.ends() == 2
    assert "You have no unfinished game on a server." in nothing.text


@pytest.mark.parametrize("face", [[], ["--json"]], ids=["plain", "json"])
def test_end_of_input_leaves_the_game_before_the_other_has_come_or_moved(
    strongroom: Strongroom, shared: LocalServer, face: list[str], tmp_path: Path
) -> None:
    ran = strongroom(*hosting(shared, "quantum-duel"), *face, code=4)
    if face:
        assert [each["event"] for each in ran.events] == ["waiting", "left"]
        assert ran.events[-1]["resume"] == "strongroom join"
    else:
        assert ran.lines[-1] == "Your place is kept. Come back with: strongroom join"
    link = re.search(r'http://[^\s"]+/#join/[^\s"]+', strongroom("join", *face, code=4).out)
    assert link, "the seat is saved"
    homes = [{"XDG_STATE_HOME": str(tmp_path / name)} for name in ("bob", "eve")]
    bob = strongroom("join", link[0], "--name", "Bob", env=homes[0])
    assert (bob.code, "Quantum Duel. Hints and notebook: off.\n" in bob.err) == (4, True)
    assert bob.lines[-1] == "Your place is kept. Come back with: strongroom join"
    assert f"Resuming Quantum Duel at {shared.address}." in strongroom("join", env=homes[0]).err
    wrong = f"{shared.address}/#play/{link[0].split('/')[-2]}/{TOKEN}"
    for refusing, why in (
        (link[0], "Both seats of this game are taken."),
        (wrong, "not know this"),
    ):
        assert why in strongroom("join", refusing, "--name", "Eve", env=homes[1], code=2).err
    assert strongroom("join", env=homes[1]).code == 2, "a refused seat is not saved"


@pytest.mark.parametrize(
    ("command", "lines", "why"),
    [
        ("join", [], "You have no unfinished game on a server."),
        (f"join http://127.0.0.1:8000/#join/{GAME}/123", [], "damaged"),
        ("join -", [], "Standard input contains no link."),
        ("join -", ["hello"], "is not a link to a game"),
        *(
            (f"host quantum-duel --server http://127.0.0.1:1 --clock={clock}", [], "is not a clock")
            for clock in ("", "five", "5+", "5+3+1", "-1")
        ),
    ],
)
def test_wrong_usage_is_refused_in_one_line(
    strongroom: Strongroom, command: str, lines: list[str], why: str
) -> None:
    ran = strongroom(*command.split(), lines=lines, code=2)
    assert (why in ran.err, ran.err.count("\n")) == (True, 1)


@pytest.mark.parametrize("kind", ["watch/{}", "play/{}/{}", "join/{}/{}"])
def test_a_server_that_does_not_answer_or_does_not_know_the_game_is_named(
    strongroom: Strongroom, shared: LocalServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "RETRY_PAUSES", (0.0,) * 2)
    nobody = Port()
    for server, why in (
        (nobody.address, "No server answers at"),
        (shared.address, "This game does not exist"),
    ):
        link = f"{server}/#{kind.format(GAME, TOKEN)}"
        told = strongroom("join", link, "--name", "Bob", code=2).err
        assert why in told
        advice = "Check the address, and that the server is running."
        assert (advice in told) is (server != shared.address)


def test_without_websockets_the_extra_is_named(strongroom: Strongroom, tmp_path: Path) -> None:
    (tmp_path / "missing" / "websockets").mkdir(parents=True)
    (tmp_path / "missing" / "websockets" / "__init__.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path / "missing"), os.environ.get("PYTHONPATH", "")])
    ran = strongroom("join", f"http://127.0.0.1:1/#watch/{GAME}", env={"PYTHONPATH": path})
    install = "Install it: pip install 'strongroom[network]'"
    assert ran.refusal == f"A network game needs the extra network. {install}"


@pytest.fixture
def meet(shared: LocalServer, somebody: SomebodySits) -> Meet:
    """Seats Ada, who hosts a game, and Bob, who joins it; they see a page or plain lines."""

    def seat(
        game: str, *options: str, faces: str = "page page", server: Server | LocalServer = shared
    ) -> tuple[Seated, Seated]:
        hers, his = (FACES[face] for face in faces.split())
        ada = somebody("ada", *hosting(server, game, *options, *hers))
        return ada, somebody("bob", "join", invitation(ada), "--name", "Bob", *his)

    return seat


def lines_of(whole: Whole, ada: Seated, bob: Seated) -> list[tuple[Seated, str]]:
    """The lines of a whole game with the player who types each, in order."""
    half = len(whole.set_up) // 2
    lines = []
    for at, line in enumerate(whole.set_up):
        lines.append((ada if at < half else bob, line))
        if at % half:  # a clue, which is read back and confirmed
            lines.append((ada if at < half else bob, ""))
    for number, turn in enumerate(whole.turns):
        mover, other = (ada, bob) if number % 2 == 0 else (bob, ada)
        first, *rest = turn
        replies = other if whole.name == "quantum-duel" else mover
        lines += [(mover, first), *((replies, line) for line in rest)]
    return lines


def leaves(who: Seated, is_plain: bool) -> None:
    """Decline an analysis and a rematch."""
    if is_plain:
        who.until(lambda: "(yes/no):" in who.asked)
        while "Analyze" in who.asked:
            who.replies("no")
        who.types("no")
    else:
        who.shows(LAST_PAGE)
        who.presses("q")
    assert who.ends() == 0


@pytest.mark.parametrize(
    ("whole", "faces"),
    [*zip(WHOLE, FACES_OF_GAMES, strict=True)],
    ids=[whole.name for whole in WHOLE],
)
def test_two_people_play_a_whole_game_and_nobody_sees_the_others_secret(
    meet: Meet, strongroom: Strongroom, whole: Whole, faces: str
) -> None:
    ada, bob = meet(whole.name, faces=faces)
    lines = lines_of(whole, ada, bob)
    half = len(whole.set_up) // 2
    if half:  # Bob chooses his secret while Ada chooses hers
        ada.until(lambda: ada.asked.endswith(":"), "a question")
        bob.shows("you may choose yours already")
        before = ada.shown
        bob.replies(whole.set_up[half])
        bob.shows(KEPT)
        assert ada.shown == before, "the other is told nothing before the turn"
        lines.remove((bob, whole.set_up[half]))
    for who, line in lines[: -len(whole.turns[-1])]:
        who.replies(line)
    if whole.name != "safe-code":  # its clues are public
        half = len(whole.hidden) // 2
        for who, hidden in ((ada, whole.hidden[half:]), (bob, whole.hidden[:half])):
            printed = re.sub(r"http://\S+", "", who.text)
            if whole.name == "digit-deductions":  # its board shows every number
                hidden = tuple(each.replace("?", "") for each in hidden)
            assert [each for each in hidden if re.search(each, printed)] == []
    for who, line in lines[-len(whole.turns[-1]) :]:
        who.replies(line)
    for who, winner, other in ((ada, "You", "Bob"), (bob, "Ada", "Ada")):
        # A terminal takes a page in pieces, so each of these is waited for.
        who.reads(f"Game over: {winner} ", "Verified: ", rf"{other} \d")
    for who, face in zip((ada, bob), faces.split(), strict=True):
        leaves(who, is_plain=face == "plain")
        (file,) = who.records
        assert [each.name for each in read(file).sitters] == ["Ada", "Bob"]
        strongroom("verify", str(file), code=0)
    assert Record.loads(ada.records[0].read_text()) == Record.loads(bob.records[0].read_text())


def test_a_game_survives_a_server_shut_down_or_killed(serve: Serve, meet: Meet) -> None:
    server = serve("--fast")
    ada, bob = meet("digit-deductions", server=server)
    ada.replies("3 7")
    server.stop()
    ada.shows("Nothing is lost")
    server.start()
    ada.shows("Reconnected|Bob is back")  # one replaces the other
    bob.replies("5 6")
    ada.replies("5 5")
    bob.until(lambda: bob.asked.endswith(":"), "a question")
    server.kill()
    for who in (ada, bob):
        who.shows("Connection lost. Nothing is lost")
    bob.types("3 5")  # typed while the server is down
    server.start()
    ada.shows("Bob guesses|3-5")
    ada.replies("5 6")
    for who in (ada, bob):
        who.shows(LAST_PAGE, "Verified: ")


def test_whoever_comes_back_reads_what_happened(meet: Meet, somebody: SomebodySits) -> None:
    ada, bob = meet("quantum-duel")
    bob.shows("Waiting for Ada")
    bob.resizes(50, 20)
    bob.until(lambda: bob.shown.count("─" * 50) == 2 and "Waiting for Ada" in bob.shown)
    bob.resizes(80, 24)
    for who, cell in ((ada, "3"), (bob, "7"), (ada, "4")):
        who.replies(cell)
    bob.until(lambda: "challenge?" in bob.shown)
    assert bob.ends("quit\n") == 4
    assert re.search(r"Come back with: strongroom join\s", bob.text)
    assert "#play" not in bob.text, "somebody looking over the shoulder gets no seat"
    ada.shows(r"Bob is away\. After 120 seconds you may type claim")
    again = somebody("bob", "join")
    again.shows("(?s)Ada observes cell 4, adjacent to cell 3.*challenge?")
    ada.shows("Bob is back")
    second = somebody("ada", "join")
    second.shows("Waiting for Bob")
    assert ada.ends() == 4
    assert "has taken over this seat" in ada.text
    assert second.ends("\x03") == 130
    assert "Come back with: strongroom join" in second.text
    assert not second.screen.on_second_screen


def colour_of(who: Seated, name: str) -> str:
    """The colour of a name in the first row, where the score is."""
    screen = who.screen
    colour: str = screen.buffer[0][screen.display[0].index(name)].fg
    return colour


def test_who_resigns_loses_and_a_rematch_swaps_seats(meet: Meet) -> None:
    ada, bob = meet("quantum-duel")
    ada.replies("1")
    ada.shows("Waiting for Bob")
    ada.types("resign")
    ada.replies("yes")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
    colours = [colour_of(who, "You") for who in (ada, bob)]
    assert colours[0] != colours[1]
    ada.shows(wrapped("Game over: Bob won, because you resigned."))
    bob.shows(wrapped("Game over: You won, because Ada resigned."))
    ada.presses("r")
    ada.shows("Bob is asked for a rematch", "(?s)╭───╮.*Waiting for Bob")
    bob.shows("Ada wants a rematch")
    bob.presses("r")
    bob.replies("4")
    ada.shows("Bob observes cell 4", r"You 0 +Bob 1|Bob 1 +You 0")
    assert [colour_of(who, "You") for who in (ada, bob)] == colours
    ada.replies("resign")
    ada.replies("yes")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
    assert bob.ends("q") == 0


def test_a_player_who_waits_can_do_all_but_move(meet: Meet) -> None:
    ada, bob = meet("digit-deductions")
    for who in (ada, bob):
        who.shows("Hints and notebook: off")
    bob.shows("Ada is choosing; you may choose yours already.")
    bob.replies("5 6")
    bob.shows(KEPT)
    assert "is choosing" not in bob.shown
    for typed, answer in (
        ("secret", "Your secret: 5-6"),
        ("hint", "This game is played without hints and notebook."),
        ("save", "Every move is kept on the server"),
        ("claim", "The other player is here."),
        ("5 5", "It is not your turn."),
        ("help", "Keys and words"),
    ):
        bob.types(typed)
        bob.shows(re.escape(answer))
    bob.presses("q")
    bob.types("again")
    bob.replies("9 9")
    bob.shows(KEPT)
    ada.replies("3 7")
    ada.shows("Your turn")
    bob.until(lambda: "Kept here" not in bob.shown and "not your turn" not in bob.shown)
    ada.replies("1 1")
    bob.shows("(?s)Ada guesses 1-1.*Your turn")
    ada.presses("9 ")  # half a line, typed before the turn
    bob.replies("1 2")
    ada.shows("Guess: 9")
    for who in (ada, bob):
        assert not re.search(r"help.*\bhint\b.*quit", who.shown), "no command offers it"
    ada.types("9")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
        assert not re.search(r"\d+ numbers|took a hint", who.text)


def test_hints_are_agreed_on_and_told_the_other(meet: Meet, somebody: SomebodySits) -> None:
    ada, bob = meet("digit-deductions", "--aids")
    bob.shows("Hints and notebook: on for both", "Join it")
    assert bob.ends("no\n") == 0
    assert "Bob" not in ada.shown
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    bob.shows(r"Hints and notebook: on for both\.")
    bob.replies("yes")
    ada.replies("3 7")
    bob.replies("5 6")
    ada.until(lambda: ada.asked.endswith(":"), "a question")
    ada.types("hint")
    bob.shows("Ada took a hint")
