"""One seat of a game in text: what it is told, and what its answers lead to."""

from __future__ import annotations

from random import Random

import pytest

from strongroom.agents.dialogue import TRIES, Dialogue, Style, marked
from strongroom.agents.text_sitting import RESULTS, TextSitting
from strongroom.contract import Ending, Move, NotLegal, Seat, View
from strongroom.plugins.registry import GAMES, load

RUBBISH = "I would rather not."


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("name", GAMES)
def test_legal_answers_lead_to_the_end_of_a_game(name: str, seat: Seat) -> None:
    sitting, rng = TextSitting(load(name), "random", seat, seed=4), Random(4)
    while not sitting.over:
        assert sitting.question == Dialogue(sitting.game).ask(sitting.view)
        sitting.answer(marked(str(rng.choice(sitting.view.moves))))
    assert sitting.illegal == 0
    assert sitting.closing.endswith(RESULTS[sitting.result])
    assert sitting.question == sitting.closing


def test_a_refused_answer_says_why_and_changes_nothing_else() -> None:
    sitting = TextSitting(load("safe-cracker"), "random", seed=1)
    before = sitting.view
    for count in range(1, TRIES):
        sitting.answer(RUBBISH)
        assert sitting.question.endswith("Answer again.")
        assert (sitting.illegal, sitting.view, sitting.over) == (count, before, False)
    sitting.answer(marked("2-1-3"))
    assert sitting.question == Dialogue(sitting.game).ask(sitting.view)


def test_an_answer_that_was_cut_off_is_refused_whatever_it_marks() -> None:
    sitting = TextSitting(load("safe-cracker"), "random", seed=1)
    sitting.answer(marked("2-1-3"), cut_off=True)
    assert (sitting.illegal, sitting.decided) == (1, [])
    assert "cut off" in sitting.question


def test_refused_answers_lose_the_game_only_if_they_follow_each_other() -> None:
    sitting = TextSitting(load("safe-cracker"), "random", seed=1)
    for answer in ("2-1-3", "1-1-1"):
        for _ in range(TRIES - 1):
            sitting.answer(RUBBISH)
        sitting.answer(marked(answer))
    assert not sitting.over
    for _ in range(TRIES):
        sitting.answer(RUBBISH)
    assert sitting.result == -1
    assert sitting.outcome is not None
    assert sitting.outcome.reason is Ending.FORFEITED
    assert sitting.record.outcome == sitting.outcome
    with pytest.raises(NotLegal, match="over"):
        sitting.answer(marked("1-1-1"))


def test_a_disguised_end_tells_nothing_but_who_won() -> None:
    sitting = TextSitting(load("quantum-duel"), "random", seed=2, style=Style(disguise=True))
    rng = Random(2)
    while not sitting.over:
        sitting.answer(marked(str(rng.choice(sitting.view.moves))))
    assert sitting.closing in ("You won.", "You lost.", "Nobody won.")


def test_an_opponent_that_fails_loses_and_the_record_says_why() -> None:
    class Fails:
        def choose(self, view: View) -> Move:
            raise RuntimeError("out of ideas\x1b")

    sitting = TextSitting(load("quantum-duel"), Fails(), seed=2)
    sitting.answer(marked("4"))
    assert sitting.result == 1
    assert sitting.record.outcome == sitting.outcome
    assert sitting.closing == "You won. RuntimeError: out of ideas?"
