"""Players who are asked in text: told why an answer is refused, and asked again."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from strongroom.agents.dialogue import TRIES, Dialogue, marked
from strongroom.agents.text_player import Message, Reply, TextPlayer
from strongroom.contract import Ending, Seat
from strongroom.players import player
from strongroom.players.drive import Drive
from strongroom.plugins.registry import load
from strongroom.referee.match import Match

GAME = load("quantum-duel")


def played(*answers: str) -> tuple[Match, TextPlayer]:
    """A game of a player who gives these answers by turns, against random."""
    left = list(answers)

    def speak(dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        return Reply(left.pop(0) if len(left) > 1 else left[0], tokens_in=10, tokens_out=2)

    seated = TextPlayer(GAME, speak)
    match = Match.start(GAME, turn_limit=20)
    drive = Drive(match, {Seat.ONE: seated, Seat.TWO: player("random", GAME, Random(1))})
    return drive.run(), seated


def test_a_player_is_told_why_an_answer_is_refused_and_asked_again() -> None:
    match, seated = played("four", marked("9"), marked("4"), "I resign")
    first, second, third = seated.exchanges[:3]
    assert first.refused == "Your answer has no marked move."
    assert second.asked.startswith("Your answer has no marked move. Write it between <move>")
    assert second.refused == "Cells run from 1 to 7; you typed 9."
    assert third.asked.startswith("Cells run from 1 to 7; you typed 9. Type the number")
    assert not third.refused
    assert str(match.record.steps[0].move) == "4"


def test_a_player_without_a_legal_answer_forfeits_and_the_record_says_why() -> None:
    match, seated = played("nothing \x1b[2J")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.TWO, Ending.FORFEITED)
    assert f"none of {TRIES} answers was a legal move" in outcome.detail
    assert seated.illegal == TRIES
    assert len(seated.exchanges) == TRIES


def test_what_was_spent_is_summed_over_the_game() -> None:
    _, seated = played(marked("4"), "enough")
    assert seated.tokens == 12 * len(seated.exchanges)
    assert seated.money is None
