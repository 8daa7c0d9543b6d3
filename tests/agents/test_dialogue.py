"""A seat in text: what is told, which answers are read as which move, and what they lead to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from strongroom.agents.dialogue import TRIES, Dialogue, Style, marked
from strongroom.agents.text_player import Message, Reply, TextPlayer
from strongroom.agents.text_sitting import RESULTS, TextSitting
from strongroom.contract import (
    Ambiguous,
    Ending,
    Game,
    Move,
    NotLegal,
    NotUnderstood,
    Refusal,
    Seat,
    View,
)
from strongroom.players import player
from strongroom.players.drive import Drive
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.testing.playouts import playout

STYLES = [Style(), Style(disguise=True, legal_moves=True), Style(scratch=False)]


def asked(game: Game, seed: int = 1) -> list[View]:
    """The views of both players, whenever they are asked, in a game of random moves."""
    states, _ = playout(game, Random(seed), longest=30)
    return [
        state.view(state.actor)
        for state in states
        if isinstance(state.actor, Seat) and state.outcome is None
    ]


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_read_as_itself_and_any_two_views_are_told_apart(
    name: str, style: Style
) -> None:
    game = load(name)
    dialogue = Dialogue(game, style)
    meant: dict[str, View] = {}
    for seed in range(12):
        for view in asked(game, seed):
            assert meant.setdefault(dialogue.ask(view), view) == view
            for move in view.moves[:40] if seed == 1 else ():
                assert dialogue.read(marked(str(move)), view) == move
    assert len(meant) > 30


@pytest.mark.parametrize("name", GAMES)
def test_a_disguised_game_has_none_of_its_own_words(name: str) -> None:
    game = load(name)
    dialogue = Dialogue(game, Style(disguise=True))
    own = "safe|crack|duel|quantum|guess|code|observe|challenge|dial|secret"
    assert not re.findall(own, dialogue.opening.lower())
    for view in asked(game):
        assert not re.findall(own, dialogue.ask(view).lower())
        for answer in ("no mark at all", marked("999"), marked("9-9-9-9"), marked("")):
            with pytest.raises(Refusal) as refused:
                dialogue.read(answer, view)
            assert not re.findall(own, dialogue.again(refused.value, view).lower())


def cracking() -> tuple[Dialogue, View]:
    game = load("safe-cracker")
    return Dialogue(game), asked(game)[2]


def test_only_the_marked_move_counts() -> None:
    dialogue, view = cracking()
    for answer in (
        "<move>2-1-3</move>",
        "It could be 1-1-1 or 3 3 3. I think <move> 2 1 3 </move>, because 2 of 3 fit.",
        "<think>Perhaps <move>1-1-1</move>? No.</think>\n<MOVE>213</MOVE>",
        "<move>2-1-3</move> Once more: <move>2-1-3</move>",
        "I write <move> and then: <move>2-1-3</move>",
        "<move>" * 15_000 + "2-1-3</move>",
    ):
        assert str(dialogue.read(answer, view)) == "2-1-3"


@pytest.mark.parametrize(
    ("answer", "kind", "why"),
    [
        ("My guess is 2-1-3.", NotUnderstood, "no marked move"),
        ("", NotUnderstood, "no marked move"),
        ("<move>2-1-3", NotUnderstood, "no marked move"),
        ("<move>1-1-1</move> or <move>2-2-2</move>", Ambiguous, "2 different moves"),
        ("<move>2-1-4</move>", NotUnderstood, "1-3"),
        ("<move>\x1b[31m2-1-9\x07</move>", NotUnderstood, ""),
        ("<move>" + "1" * 300_000 + "</move>", NotUnderstood, "at most"),
    ],
)
def test_anything_else_is_refused_with_a_reason(answer: str, kind: type[Refusal], why: str) -> None:
    dialogue, view = cracking()
    with pytest.raises(kind) as refused:
        dialogue.read(answer, view)
    told = dialogue.again(refused.value, view)
    assert why in told
    assert told.isprintable()


def test_only_the_move_of_a_structured_answer_counts_and_many_blanks_take_no_time() -> None:
    told, view = cracking()
    dialogue = replace(told, in_json=True)
    for answer in (
        '{"thinking": "1-1-1?", "move": "2-1-3"}',
        ' ```json\n{"move": "2-1-3"}\n``` ',
        '```{"move": 213}```',
        '```JSON\n{"move": "2-1-3"' + " " * 90_000 + "}\n```",
    ):
        assert str(dialogue.read(answer, view)) == "2-1-3"
    with pytest.raises(NotUnderstood, match="not a JSON object"):
        dialogue.read("```" + " " * 90_000 + "x", view)


def test_a_move_that_is_not_legal_here_is_refused() -> None:
    game = load("quantum-duel")
    state = game.start().play(game.move("4"))
    with pytest.raises(NotLegal, match="'4' is not legal here"):
        Dialogue(game).read(marked("4"), state.view(Seat.TWO))


def test_without_scratch_work_an_answer_is_the_move_alone() -> None:
    game = load("safe-cracker")
    dialogue, view = Dialogue(game, Style(scratch=False)), asked(game)[2]
    assert str(dialogue.read(" <move>1-1-1</move>\n", view)) == "1-1-1"
    with pytest.raises(NotUnderstood, match="more than a move"):
        dialogue.read("Well, <move>1-1-1</move>", view)


def test_legal_moves_are_listed_only_if_they_should_be() -> None:
    game = load("quantum-duel")
    view = game.start().view(Seat.ONE)
    assert "Legal moves: 1, 2, 3, 4, 5, 6, 7." in Dialogue(game, Style(legal_moves=True)).ask(view)
    assert "Legal moves" not in Dialogue(game).ask(view)


def test_the_rules_of_a_variation_say_what_is_different() -> None:
    rules = Dialogue(load("safe-cracker", digits=4, attempts=6)).rules
    assert "This game has digits=4, length=3, attempts=6." in rules
    assert "`attempts`: how many guesses" in rules
    assert "## What to type" not in rules


def test_codes_of_another_length_are_disguised_and_other_variations_have_no_disguise() -> None:
    disguised = Style(disguise=True)
    rules = Dialogue(load("safe-cracker", digits=5, length=4), disguised).rules
    assert "a row of four marks hidden. A mark is 1, 2, 3, 4 or 5, and" in rules
    assert rules.endswith("Write a row like 3-1-2-1.")
    for game in (load("safe-cracker", attempts=4), load("safecracker-duel", allow_same_digit=True)):
        with pytest.raises(Refusal, match="no other words"):
            Dialogue(game, disguised)


def test_a_style_is_read_back_from_its_text_and_an_unknown_setting_is_refused() -> None:
    for style in STYLES:
        assert Style.read(str(style)) == style
    for name in ("fast", "legal_moves", "no-no-scratch"):
        told = f"no setting '{name}'. Choose from: disguise, legal-moves, scratch, or no- with"
        with pytest.raises(Refusal, match=told):
            Style.read(name)


# --- a seat and a player in text ---


QUANTUM = load("quantum-duel")
RUBBISH = "I would rather not."


@pytest.mark.parametrize("name", GAMES)
def test_legal_answers_lead_to_the_end_of_a_game(name: str) -> None:
    sitting, rng = TextSitting(load(name), "random", Seat.TWO, seed=4), Random(4)
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


# --- players who are asked in text ---


def played(*answers: str) -> tuple[Match, TextPlayer]:
    """A game of a player who gives these answers by turns, against random."""
    left = list(answers)

    def speak(dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        return Reply(left.pop(0) if len(left) > 1 else left[0], tokens_in=10, tokens_out=2)

    seated = TextPlayer(QUANTUM, speak)
    match = Match.start(QUANTUM, turn_limit=20)
    drive = Drive(match, {Seat.ONE: seated, Seat.TWO: player("random", QUANTUM, Random(1))})
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
