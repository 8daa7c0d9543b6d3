"""Two people at two terminals, with a real server between them."""

from __future__ import annotations

import re

import pytest
from serving import Server

from strongroom.referee.record import Record
from strongroom.terminal import store
from tests.remote.conftest import Seated, SomebodySits, invitation
from tests.server.conftest import Serve
from tests.server.local import LocalServer
from tests.terminal.conftest import LAST_PAGE, Strongroom, wrapped
from tests.terminal.whole_games import WHOLE, Whole

KEPT = "Kept here; it is sent as soon as it is your turn"
PAGE, PLAIN = "page", "plain"
FACES: dict[str, list[str]] = {PAGE: [], PLAIN: ["--plain"]}
FACES_OF_GAMES = ("page page", "plain plain", "page plain", "plain page", "page page")


def meet(
    serving: Server | LocalServer,
    somebody: SomebodySits,
    game: str,
    *options: str,
    faces: str = f"{PAGE} {PAGE}",
) -> tuple[Seated, Seated]:
    """Let Ada host a game and Bob join it."""
    hers, his = (FACES[face] for face in faces.split())
    ada = somebody(
        "ada", "host", game, "--server", serving.address, "--name", "Ada", *options, *hers
    )
    return ada, somebody("bob", "join", invitation(ada), "--name", "Bob", *his)


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
            who.answers("no")
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
    serving: LocalServer, somebody: SomebodySits, strongroom: Strongroom, whole: Whole, faces: str
) -> None:
    ada, bob = meet(serving, somebody, whole.name, faces=faces)
    lines = lines_of(whole, ada, bob)
    half = len(whole.set_up) // 2
    if half:  # Bob chooses his secret while Ada chooses hers
        ada.until(lambda: ada.asked.endswith(":"), "a question")
        bob.shows("you may choose yours already")
        before = ada.shown
        bob.answers(whole.set_up[half])
        bob.shows(KEPT)
        assert ada.shown == before, "the other is told nothing before the turn"
        lines.remove((bob, whole.set_up[half]))
    for who, line in lines[: -len(whole.turns[-1])]:
        who.answers(line)
    if whole.name != "safe-code":  # its clues are public
        half = len(whole.hidden) // 2
        for who, hidden in ((ada, whole.hidden[half:]), (bob, whole.hidden[:half])):
            printed = re.sub(r"http://\S+", "", who.terminal.text)
            if whole.name == "digit-deductions":  # its board shows every number
                hidden = tuple(each.replace("?", "") for each in hidden)
            assert [each for each in hidden if re.search(each, printed)] == []
    for who, line in lines[-len(whole.turns[-1]) :]:
        who.answers(line)
    for who, winner, other in ((ada, "You", "Bob"), (bob, "Ada", "Ada")):
        # A terminal takes a page in pieces, so each of these is waited for.
        who.reads(f"Game over: {winner} ", "Verified: ", rf"{other} \d")
    for who, face in zip((ada, bob), faces.split(), strict=True):
        leaves(who, is_plain=face == PLAIN)
        (file,) = who.records
        assert [each.name for each in store.read(file).sitters] == ["Ada", "Bob"]
        verified = strongroom("verify", str(file))
        assert verified.code == 0, verified.out
    assert Record.loads(ada.records[0].read_text()) == Record.loads(bob.records[0].read_text())


def test_a_game_survives_a_server_that_is_shut_down_or_killed_and_restarted(
    serve: Serve, somebody: SomebodySits
) -> None:
    serving = serve("--fast")
    ada, bob = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    serving.stop()
    ada.shows("Nothing is lost")
    serving.start()
    ada.shows("Reconnected|Bob is back")  # one replaces the other
    bob.answers("5 6")
    ada.answers("5 5")
    bob.until(lambda: bob.asked.endswith(":"), "a question")
    serving.kill()
    for who in (ada, bob):
        who.shows("Connection lost. Nothing is lost")
    bob.types("3 5")  # typed while the server is down
    serving.start()
    ada.shows("Bob guesses|3-5")
    ada.answers("5 6")
    for who in (ada, bob):
        who.shows(LAST_PAGE, "Verified: ")


def test_whoever_comes_back_reads_what_happened_and_takes_over_the_seat(
    serving: LocalServer, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "quantum-duel")
    bob.shows("Waiting for Ada")
    bob.terminal.resizes(50, 20)
    bob.until(lambda: bob.shown.count("─" * 50) == 2 and "Waiting for Ada" in bob.shown)
    bob.terminal.resizes(80, 24)
    for who, cell in ((ada, "3"), (bob, "7"), (ada, "4")):
        who.answers(cell)
    bob.until(lambda: "challenge?" in bob.shown)
    bob.types("quit")
    assert bob.ends() == 4
    assert re.search(r"Come back with: strongroom join\s", bob.terminal.text)
    assert "#play" not in bob.terminal.text, "somebody looking over the shoulder gets no seat"
    ada.shows(r"Bob is away\. After 120 seconds you may type claim")
    again = somebody("bob", "join")
    again.shows("(?s)Ada observes cell 4, adjacent to cell 3.*challenge?")
    ada.shows("Bob is back")
    second = somebody("ada", "join")
    second.shows("Waiting for Bob")
    assert ada.ends() == 4
    assert "has taken over this seat" in ada.terminal.text
    second.presses("\x03")
    assert second.ends() == 130
    assert "Come back with: strongroom join" in second.terminal.text
    assert not second.terminal.screen.on_second_screen


def colour_of(who: Seated, name: str) -> str:
    """The colour of a name in the first row, where the score is."""
    screen = who.terminal.screen
    colour: str = screen.buffer[0][screen.display[0].index(name)].fg
    return colour


def test_a_player_who_resigns_loses_and_a_rematch_swaps_the_seats(
    serving: LocalServer, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "quantum-duel")
    ada.answers("1")
    ada.shows("Waiting for Bob")
    ada.types("resign")
    ada.answers("yes")
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
    bob.answers("4")
    ada.shows("Bob observes cell 4", r"You 0 +Bob 1|Bob 1 +You 0")
    assert [colour_of(who, "You") for who in (ada, bob)] == colours
    ada.answers("resign")
    ada.answers("yes")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
    ada.presses("r")
    bob.shows("Ada wants a rematch")
    bob.presses("q")
    assert bob.ends() == 0
    ada.shows("Bob has left, and may not answer")


def test_a_rematch_that_was_asked_for_early_is_announced_to_the_other_later(
    serving: LocalServer, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "quantum-duel", faces="plain plain")
    ada.answers("resign")
    ada.answers("yes")
    ada.until(lambda: "(yes/no):" in ada.asked)
    while "Analyze" in ada.asked:
        ada.answers("no")
    ada.types("yes")
    bob.shows("Ada wants a rematch")


def test_a_player_can_do_everything_but_move_while_the_other_is_to_move(
    serving: LocalServer, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    for who in (ada, bob):
        who.shows("Hints and notebook: off")
    bob.shows("Ada is choosing; you may choose yours already.")
    bob.answers("5 6")
    bob.shows(KEPT)
    assert "is choosing" not in bob.shown
    for typed, answer in (
        ("secret", "Your secret: 5-6"),
        ("hint", "This game is played without hints and notebook."),
        ("save", "Every move is kept on the server"),
        ("claim", "The other player is here."),
        ("5 5", "It is not your turn."),
        ("help", "At every prompt: help, rules"),
    ):
        bob.types(typed)
        bob.shows(re.escape(answer))
    bob.types("again")
    bob.answers("9 9")
    bob.shows(KEPT)
    ada.answers("3 7")
    ada.shows("Your turn")
    bob.until(lambda: "Kept here" not in bob.shown and "not your turn" not in bob.shown)
    ada.answers("1 1")
    bob.shows("(?s)Ada guesses 1-1.*Your turn")
    ada.presses("9 ")  # half a line, typed before the turn
    bob.answers("1 2")
    ada.shows("Guess: 9")
    for who in (ada, bob):
        assert not re.search(r"help.*\bhint\b.*quit", who.shown), "no command offers it"
    ada.types("9")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
        assert not re.search(r"\d+ numbers|took a hint", who.terminal.text)


def test_hints_are_agreed_on_by_both_and_told_to_the_other_in_a_rematch_too(
    serving: LocalServer, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions", "--aids")
    bob.shows("Hints and notebook: on for both", "Join it")
    bob.types("no")
    assert bob.ends() == 0
    assert "Bob" not in ada.shown
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    bob.shows(r"Hints and notebook: on for both\.")
    bob.answers("yes")
    bob.until(lambda: bob.asked.endswith(":"), "a question")
    bob.presses("5")
    bob.until(lambda: bob.asked.endswith("•"), "a dot for the key")
    ada.answers("3 7")
    ada.shows("Waiting for Bob")
    bob.presses(" 6\r")  # what is typed when its turn comes is not lost
    ada.until(lambda: ada.asked.endswith(":"), "a question")
    ada.types("hint")
    bob.shows("Ada took a hint")
    ada.answers("5 6")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
        who.presses("r")
    bob.answers("3 7")
    ada.answers("5 6")
    for who in (ada, bob):
        who.shows("Hints and notebook: on for both")
    bob.types("hint")
    ada.shows("Bob took a hint")
