"""Two people at two terminals, with a real server between them."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest

from strongroom.referee.record import Record
from strongroom.terminal import store
from tests.remote.conftest import invitation
from tests.terminal.conftest import wrapped

if TYPE_CHECKING:
    from tests.remote.conftest import Seated, Serving, SomebodySits
    from tests.terminal.conftest import Strongroom
    from tests.terminal.whole_games import Whole

LAST_PAGE = "q leave"
KEPT = "Kept here; it is sent as soon as it is your turn"


def meet(
    serving: Serving, somebody: SomebodySits, game: str, *options: str
) -> tuple[Seated, Seated]:
    """Let Ada host a game and Bob join it."""
    ada = somebody("ada", "host", game, "--server", serving.url, "--name", "Ada", *options)
    link = invitation(ada)
    faces = [each for each in options if each == "--plain"]
    bob = somebody("bob", "join", link, "--name", "Bob", *faces)
    if "--aids" in options:
        bob.shows(r"Hints and notebook: on for both\.")
        bob.answers("yes")
    return ada, bob


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


def colour_of(who: Seated, name: str) -> str:
    """The colour of a name in the first row, where the score is."""
    screen = who.terminal.screen
    colour: str = screen.buffer[0][screen.display[0].index(name)].fg
    return colour


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_two_people_play_a_whole_game_and_nobody_sees_the_others_secret(
    serving: Serving,
    somebody: SomebodySits,
    strongroom: Strongroom,
    whole: Whole,
    face: tuple[str, ...],
) -> None:
    ada, bob = meet(serving, somebody, whole.name, *face)
    lines = lines_of(whole, ada, bob)
    for who, line in lines[: -len(whole.turns[-1])]:
        who.answers(line)
    half = len(whole.hidden) // 2
    if whole.name != "safe-code":  # its clues are public
        for who, hidden in ((ada, whole.hidden[half:]), (bob, whole.hidden[:half])):
            printed = re.sub(r"http://\S+", "", who.terminal.text)
            if whole.name == "digit-deductions":  # its board shows every number
                hidden = tuple(each.replace("?", "") for each in hidden)
            assert [each for each in hidden if re.search(each, printed)] == []
    for who, line in lines[-len(whole.turns[-1]) :]:
        who.answers(line)
    for who, other in ((ada, "Bob"), (bob, "Ada")):
        who.shows("Game over: ")
        winner = "You" if who is ada else "Ada"
        assert f"Game over: {winner} " in who.terminal.text
        assert "Verified: " in who.terminal.text
        assert re.search(rf"{other} \d", who.terminal.text)
    for who in (ada, bob):
        if face:
            who.until(lambda: "(yes/no):" in who.asked)  # noqa: B023
            while "Analyze" in who.asked:
                who.answers("no")
            who.types("no")
        else:
            who.shows(LAST_PAGE)
            who.presses("q")
        assert who.ends() == 0
        (file,) = who.records
        record = store.read(file)
        assert [each.name for each in record.sitters] == ["Ada", "Bob"]
        verified = strongroom("verify", str(file))
        assert verified.code == 0, verified.out
    assert Record.loads(ada.records[0].read_text()) == Record.loads(bob.records[0].read_text())


def test_a_game_survives_a_server_that_is_killed_and_restarted(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    bob.answers("5 6")
    ada.answers("5 5")
    bob.until(lambda: bob.asked.endswith(":"), "a question")
    serving.stop(signal.SIGKILL)
    ada.shows("Connection lost. Nothing is lost")
    bob.shows("Connection lost. Nothing is lost")
    bob.types("3 5")  # typed while the server is down
    serving.start()
    ada.shows("Bob guesses|3-5")
    ada.answers("5 6")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
        assert "Verified: " in who.shown, who.shown


def test_a_server_that_shuts_down_says_so_and_the_game_goes_on_after_its_restart(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    serving.stop(signal.SIGTERM)
    ada.shows("Nothing is lost")
    serving.start()
    ada.shows("Reconnected|Bob is back")  # one replaces the other
    bob.answers("5 6")
    ada.answers("5 6")
    bob.shows(LAST_PAGE)


def test_a_player_is_told_when_the_other_leaves_and_returns(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    ada.shows("Waiting for Bob")
    bob.until(lambda: bob.asked.endswith(":"))
    bob.types("quit")
    assert bob.ends() == 4
    assert re.search(r"Come back with: strongroom join\s", bob.terminal.text)
    assert "#play" not in bob.terminal.text, "somebody looking over the shoulder gets no seat"
    ada.shows(r"Bob is away\. After 120 seconds you may type claim")
    again = somebody("bob", "join")
    again.until(lambda: again.asked.endswith(":"))
    ada.shows("Bob is back")
    again.answers("5 6")
    ada.answers("5 6")
    again.shows(LAST_PAGE)


def test_a_second_terminal_takes_over_and_the_first_says_so(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, _ = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    second = somebody("ada", "join")
    second.shows("Waiting for Bob")
    assert ada.ends() == 4
    assert "has taken over this seat" in ada.terminal.text


def test_a_player_who_resigns_loses_and_a_rematch_swaps_the_seats(
    serving: Serving, somebody: SomebodySits
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
    ada.shows("Bob is asked for a rematch")
    ada.shows("(?s)╭───╮.*Waiting for Bob")
    bob.shows("Ada wants a rematch")
    bob.presses("r")
    bob.answers("4")
    ada.shows("Bob observes cell 4")
    assert re.search(r"You 0 +Bob 1|Bob 1 +You 0", ada.shown)
    assert [colour_of(who, "You") for who in (ada, bob)] == colours


def test_the_asker_of_a_rematch_is_told_that_the_other_has_left(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "quantum-duel")
    ada.answers("resign")
    ada.answers("yes")
    for who in (ada, bob):
        who.shows(LAST_PAGE)
    ada.presses("r")
    ada.shows("Bob is asked for a rematch")
    bob.shows("Ada wants a rematch")
    bob.presses("q")
    assert bob.ends() == 0
    ada.shows("Bob has left, and may not answer")


def test_no_announcement_outlives_what_it_says(serving: Serving, somebody: SomebodySits) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    bob.shows("Ada is choosing; you may choose yours already.")
    bob.answers("5 6")
    bob.shows(KEPT)
    assert "is choosing" not in bob.shown
    bob.types("hello")
    bob.shows("It is not your turn")
    ada.answers("3 7")
    ada.shows("Your turn")
    bob.until(lambda: "Kept here" not in bob.shown and "not your turn" not in bob.shown)
    ada.answers("1 1")
    bob.shows("(?s)Ada guesses 1-1.*Your turn")


def test_whoever_comes_back_to_a_challenge_reads_what_was_observed(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "quantum-duel")
    for who, cell in ((ada, "3"), (bob, "7"), (ada, "4")):
        who.answers(cell)
    bob.until(lambda: "challenge?" in bob.shown)
    bob.types("quit")
    assert bob.ends() == 4
    again = somebody("bob", "join")
    again.shows("(?s)Ada observes cell 4, adjacent to cell 3.*challenge?")


def test_commands_work_while_the_other_is_to_move(serving: Serving, somebody: SomebodySits) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    ada.shows("Waiting for Bob")
    for typed, answer in (
        ("secret", "Your secret: 3-7"),
        ("hint", "This game is played without hints and notebook."),
        ("save", "Every move is kept on the server"),
        ("claim", "The other player is here."),
        ("5 5", "It is not your turn."),
        ("help", "At every prompt: help, rules"),
    ):
        ada.types(typed)
        ada.shows(re.escape(answer))
    bob.answers("5 6")
    ada.answers("5 6")
    ada.shows(LAST_PAGE)


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_a_player_is_told_that_the_other_took_a_hint(
    serving: Serving, somebody: SomebodySits, face: tuple[str, ...]
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions", "--aids", *face)
    ada.answers("3 7")
    bob.answers("5 6")
    ada.until(lambda: ada.asked.endswith(":"), "a question")
    ada.types("hint")
    bob.shows("Ada took a hint")
    ada.answers("1 1")
    bob.until(lambda: bob.asked.endswith(":"), "a question")


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_both_terminals_say_that_there_are_no_hints_and_neither_gets_one(
    serving: Serving, somebody: SomebodySits, face: tuple[str, ...]
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions", *face)
    for who in (ada, bob):
        who.shows("Hints and notebook: off")
    ada.answers("3 7")
    bob.answers("5 6")
    ada.answers("1 1")
    bob.until(lambda: bob.asked.endswith(":"), "a question")
    bob.types("hint")
    bob.shows("This game is played without hints and notebook.")
    for who in (ada, bob):
        assert not re.search(r"\d+ numbers|took a hint", who.terminal.text)
        assert not re.search(r"help.*\bhint\b.*quit", who.shown), "no command offers it"


def test_hints_that_were_agreed_on_stay_agreed_on_in_a_rematch(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions", "--aids")
    for who, line in ((ada, "3 7"), (bob, "5 6"), (ada, "5 6")):
        who.answers(line)
    for who in (ada, bob):
        who.shows(LAST_PAGE)
        who.presses("r")
    bob.answers("3 7")
    ada.answers("5 6")
    for who in (ada, bob):
        who.shows("Hints and notebook: on for both")
    bob.types("hint")
    ada.shows("Bob took a hint")


@pytest.mark.parametrize("face", [(), ("--plain",)], ids=["page", "plain"])
def test_a_secret_chosen_while_the_other_chooses_is_sent_in_its_turn(
    serving: Serving, somebody: SomebodySits, whole: Whole, face: tuple[str, ...]
) -> None:
    if not whole.set_up:
        pytest.skip("nothing is hidden in this game")
    half = len(whole.set_up) // 2
    ada, bob = meet(serving, somebody, whole.name, *face)
    ada.until(lambda: ada.asked.endswith(":"), "a question")
    bob.shows("you may choose yours already")
    before = ada.shown
    bob.answers(whole.set_up[half])
    bob.shows(KEPT)
    assert ada.shown == before, "the other is told nothing before the turn"
    lines = lines_of(whole, ada, bob)
    lines.remove((bob, whole.set_up[half]))
    for who, line in lines:
        who.answers(line)
    for who in (ada, bob):
        who.shows("Game over: ")


def test_a_secret_kept_for_its_turn_can_be_chosen_again(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    bob.answers("5 6")
    bob.shows(KEPT)
    bob.types("secret")
    bob.shows("Your secret: 5-6")
    bob.types("again")
    bob.answers("9 9")
    bob.shows(KEPT)
    ada.answers("3 7")
    ada.answers("9 9")
    ada.shows(LAST_PAGE)


def test_a_secret_that_is_being_typed_when_its_turn_comes_is_not_lost(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    bob.until(lambda: bob.asked.endswith(":"), "a question")
    bob.presses("9")
    bob.until(lambda: bob.asked.endswith("•"), "a dot for the key")
    ada.answers("3 7")
    ada.shows("Waiting for Bob")
    bob.presses(" 8\r")
    ada.answers("9 8")
    ada.shows(LAST_PAGE)


def test_nobody_joins_a_game_with_hints_without_saying_yes(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada = somebody("ada", "host", "quantum-duel", "--server", serving.url, "--aids", "--name", "A")
    bob = somebody("bob", "join", invitation(ada), "--name", "Bob")
    bob.shows("Hints and notebook: on for both", "Join it")
    bob.types("no")
    assert bob.ends() == 0
    assert "Bob" not in ada.shown
    cy = somebody("cy", "join", invitation(ada), "--name", "Cy")
    cy.answers("yes")
    ada.answers("1")


def test_a_rematch_that_was_asked_for_early_is_announced_to_the_other_later(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "quantum-duel", "--plain")
    ada.answers("1")
    ada.shows("Waiting for Bob")
    ada.types("resign")
    ada.answers("yes")
    for _ in range(3):
        ada.until(lambda: "(yes/no):" in ada.asked)
        rematch = "Rematch" in ada.asked
        ada.types("yes" if rematch else "no")
        if rematch:
            break
        ada.until(lambda: "Analyze" not in ada.asked)
    bob.shows("Ada wants a rematch")


def test_a_half_typed_line_is_kept_when_the_turn_comes(
    serving: Serving, somebody: SomebodySits
) -> None:
    ada, bob = meet(serving, somebody, "digit-deductions")
    ada.answers("3 7")
    ada.shows("Waiting for Bob")
    ada.presses("5 ")
    bob.answers("5 6")
    ada.shows(r"Guess: 5 *$|Guess: 5")
    ada.types("6")
    ada.shows(LAST_PAGE)
