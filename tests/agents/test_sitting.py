"""One seat against our players, in moves and in text: what it is told, and what answers lead to."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from unittest.mock import Mock

import pytest

from strongroom import contract
from strongroom.accounts.account import account
from strongroom.agents.dialogue import NO_LEGAL_ANSWER, TRIES, Dialogue, Style, marked
from strongroom.agents.sitting import Sitting
from strongroom.agents.text_sitting import RESULTS, TextSitting
from strongroom.contract import Ending, Game, NotLegal, Outcome, Refusal, Seat, View
from strongroom.players import Player, Resigns, player
from strongroom.players.drive import Drive
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, stream
from strongroom.testing.playouts import playout
from strongroom.theory.shelf import solution_of
from tests.agents.hears import seat_hears

QUANTUM, CRACKER = load("quantum-duel"), load("safe-cracker")
STYLES = [Style(), Style(disguise=True, legal_moves=True), Style(scratch=False)]
RUBBISH = "I would rather not."


def played(
    game: Game, opponent: str = "random", seat: Seat = Seat.ONE, seed: int | None = 1, **limit: int
) -> Sitting:
    """A whole game, with random moves that depend on the seed alone."""
    sitting, rng = Sitting(game, opponent, seat, seed, **limit), Random(seed or 1)
    while not sitting.over:
        sitting.play(rng.choice(sitting.view.moves))
    return sitting


def asked(game: Game, seed: int = 1) -> list[View]:
    """The views of both players, whenever they are asked, in a game of random moves."""
    states, _ = playout(game, Random(seed), longest=30)
    return [
        state.view(state.actor)
        for state in states
        if isinstance(state.actor, Seat) and state.outcome is None
    ]


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("name", GAMES)
def test_a_sitting_is_the_match_of_the_same_seed_and_moves(name: str, seat: Seat) -> None:
    game = load(name)
    sitting = played(game, "casual", seat, seed=7)
    players: dict[Seat, Player] = {
        seat: player("random", game, Random(7)),
        seat.other: player("casual", game, stream(7, "opponent")),
    }
    match = Drive(Match.start(game, turn_limit=TURN_LIMIT, draw=draws(7)), players).run()
    assert [step.move for step in sitting.record.steps] == [s.move for s in match.record.steps]
    assert sitting.outcome == sitting.record.outcome == match.outcome
    assert sitting.view == match.view(seat)


@pytest.mark.parametrize("name", GAMES)
def test_costs_are_those_of_the_record(name: str) -> None:
    seat = [*Seat][[*GAMES].index(name) % 2]
    sitting = played(load(name), "master", seat, seed=3)
    own = account(sitting.record, seat, solution_of(sitting.game).worth)
    assert sitting.costs == [each.cost for each in own.decisions]
    assert sitting.cost() == sitting.costs[-1]


def test_giving_up_costs_all_that_was_left_and_only_against_master_is_a_cost_known() -> None:
    sitting = Sitting(QUANTUM, "master", seed=1)
    left = solution_of(QUANTUM).worth.start(Seat.ONE, TURN_LIMIT)
    sitting.give_up("enough\x1b")
    assert (sitting.costs, sitting.result) == ([left], -1)
    assert sitting.outcome == sitting.record.outcome
    assert sitting.outcome == Outcome(Seat.TWO, Ending.FORFEITED, "enough?")
    assert account(sitting.record, Seat.ONE, solution_of(QUANTUM).worth).cost == left
    sitting.give_up("again")
    assert len(sitting.decided) == 1
    with pytest.raises(Refusal, match="master"):
        _ = played(QUANTUM, "expert").costs


@pytest.mark.parametrize(
    ("failure", "reason", "why"),
    [
        (None, Ending.FORFEITED, "rubbish"),
        (ValueError("no chair\x1b"), Ending.FORFEITED, "ValueError: no chair?"),
        (Resigns(), Ending.RESIGNED, ""),
    ],
)
def test_an_opponent_that_fails_or_resigns_loses_and_the_record_says_why(
    failure: Exception | None, reason: Ending, why: str
) -> None:
    choose = Mock(side_effect=failure, return_value="rubbish")
    opponent = Mock(spec=["choose"], choose=choose)
    sitting = TextSitting(CRACKER, opponent, Seat.TWO, seed=1)
    assert (sitting.over, sitting.result, sitting.decided) == (True, 1, [])
    assert sitting.outcome == sitting.record.outcome == sitting.forfeited
    assert sitting.outcome is not None
    assert sitting.outcome.reason is reason
    assert why in sitting.outcome.detail
    assert sitting.closing == f"You won. {sitting.outcome.detail}".strip()


def test_an_opponent_hears_once_how_each_game_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    sitting = played(QUANTUM, "hears")
    assert [view.outcome for view in ends] == [sitting.outcome]
    assert ends[0].seat is Seat.TWO
    Sitting(QUANTUM, "hears", seed=1).give_up("enough")
    assert len(ends) == 2
    sitting = Sitting(QUANTUM, "hears", seed=1)
    before = sitting.view
    with pytest.raises(NotLegal):
        sitting.play(QUANTUM.move("yes"))  # which changes nothing
    assert (sitting.view, sitting.decided) == (before, [])
    sitting.play(QUANTUM.move("4"))
    for _ in range(2):
        sitting.leave()
    assert [view.outcome for view in ends[2:]] == [UNDECIDED]
    assert sitting.record.outcome is None
    with pytest.raises(NotLegal, match="over"):
        sitting.play(QUANTUM.move("4"))


def test_a_game_without_a_seed_has_its_record_and_one_at_its_turn_limit_is_undecided() -> None:
    for _ in range(10):
        sitting = played(QUANTUM, seed=None)
        record = sitting.record
        assert record.replay().log == sitting.view.history
        assert record == sitting.record
    sitting = played(QUANTUM, turn_limit=3)
    assert sitting.outcome == UNDECIDED == sitting.record.outcome
    assert sitting.result == 0
    with pytest.raises(NotLegal, match="over"):
        sitting.play(QUANTUM.move("4"))


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_is_read_and_views_are_told_apart(name: str, style: Style) -> None:
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


MARKS = Dialogue(CRACKER)
IN_JSON = replace(MARKS, in_json=True)
BARE = Dialogue(CRACKER, Style(scratch=False))
BARE_JSON = replace(BARE, in_json=True)
READ = [
    (MARKS, "<move>2-1-3</move>"),
    (MARKS, "It could be 1-1-1 or 3 3 3. I think <move> 2 1 3 </move>, because 2 of 3 fit."),
    (MARKS, "<think>Perhaps <move>1-1-1</move>? No.</think>\n<MOVE>213</MOVE>"),
    (MARKS, "<move>2-1-3</move> Once more: <move>2-1-3</move>"),
    (MARKS, "I write <move> and then: <move>2-1-3</move>"),
    (MARKS, "<move>" * 15_000 + "2-1-3</move>"),
    (IN_JSON, '{"thinking": "1-1-1?", "move": "2-1-3"}'),
    (IN_JSON, ' ```json\n{"move": "2-1-3"}\n``` '),
    (IN_JSON, '```{"move": 213}```'),
    (IN_JSON, '```JSON\n{"move": "2-1-3"' + " " * 90_000 + "}\n```"),
    (BARE, " <move>2-1-3</move>\n"),
]
REFUSED: list[tuple[Dialogue, str, type[Refusal], str]] = [
    (MARKS, "My guess is 2-1-3.", contract.NotUnderstood, "no marked move"),
    (MARKS, "", contract.NotUnderstood, "no marked move"),
    (MARKS, "<move>2-1-3", contract.NotUnderstood, "no marked move"),
    (MARKS, "<move>1-1-1</move> or <move>2-2-2</move>", contract.Ambiguous, "2 different moves"),
    (MARKS, "<move>2-1-4</move>", contract.NotUnderstood, "1-3"),
    (MARKS, "<move>\x1b[31m2-1-9\x07</move>", contract.NotUnderstood, ""),
    (MARKS, "<move>" + "1" * 300_000 + "</move>", contract.NotUnderstood, "at most"),
    (IN_JSON, "```" + " " * 90_000 + "x", contract.NotUnderstood, "not a JSON object"),
    (IN_JSON, "[" * 50_000, contract.NotUnderstood, "not a JSON object"),
    (IN_JSON, '["move"]', contract.NotUnderstood, "not a JSON object with a move"),
    (BARE_JSON, '{"thinking": "4!", "move": "1-1-1"}', contract.NotUnderstood, "more than a move"),
    (BARE, "Well, <move>1-1-1</move>", contract.NotUnderstood, "more than a move"),
]


def test_only_the_move_of_an_answer_counts_and_many_blanks_take_no_time() -> None:
    view = asked(CRACKER)[2]
    for dialogue, answer in READ:
        assert str(dialogue.read(answer, view)) == "2-1-3", answer[:80]
    for dialogue, answer, kind, why in REFUSED:
        with pytest.raises(kind) as refused:
            dialogue.read(answer, view)
        told = dialogue.again(refused.value, view)
        assert why in told, answer[:80]
        assert told.isprintable()
    after = QUANTUM.start().play(QUANTUM.move("4"))
    with pytest.raises(NotLegal, match="'4' is not legal here"):
        Dialogue(QUANTUM).read(marked("4"), after.view(Seat.TWO))


def test_a_style_lists_moves_and_disguises_and_rules_say_what_a_variation_changes() -> None:
    view = QUANTUM.start().view(Seat.ONE)
    listing = Dialogue(QUANTUM, Style(legal_moves=True))
    assert "Legal moves: 1, 2, 3, 4, 5, 6, 7." in listing.ask(view)
    assert "Legal moves" not in Dialogue(QUANTUM).ask(view)
    disguised = Style(disguise=True)
    rules = Dialogue(load("safe-cracker", digits=5, length=4), disguised).rules
    assert "a row of four marks hidden. A mark is 1, 2, 3, 4 or 5, and" in rules
    assert rules.endswith("Write a row like 3-1-2-1.")
    for game in (load("safe-cracker", attempts=4), load("safecracker-duel", allow_same_digit=True)):
        with pytest.raises(Refusal, match="no other words"):
            Dialogue(game, disguised)
    for style in STYLES:
        assert Style.read(str(style)) == style
    for name in ("fast", "legal_moves", "no-no-scratch"):
        told = f"no setting '{name}'. Choose from: disguise, legal-moves, scratch, or no- with"
        with pytest.raises(Refusal, match=told):
            Style.read(name)
    rules = Dialogue(load("safe-cracker", digits=4, attempts=6)).rules
    assert "This game has digits=4, length=3, attempts=6." in rules
    assert "`attempts`: how many guesses" in rules
    assert "## What to type" not in rules


@pytest.mark.parametrize("style", [Style(), Style(disguise=True)], ids=["plain", "disguised"])
@pytest.mark.parametrize("name", GAMES)
def test_legal_answers_lead_to_the_end_of_a_game(name: str, style: Style) -> None:
    sitting, rng = TextSitting(load(name), "random", Seat.TWO, seed=4, style=style), Random(4)
    while not sitting.over:
        assert sitting.question == sitting.dialogue.ask(sitting.view)
        sitting.answer(marked(str(rng.choice(sitting.view.moves))))
    assert sitting.illegal == 0
    assert sitting.question == sitting.closing
    assert sitting.closing.endswith(result := RESULTS[sitting.result])
    assert (sitting.closing == result) == style.disguise


def test_a_refused_answer_says_why_and_changes_nothing_until_the_third_in_a_row_loses() -> None:
    sitting = TextSitting(CRACKER, "random", seed=1)
    before = sitting.view
    for count in range(1, TRIES):
        sitting.answer(marked("2-1-3") if count == 1 else RUBBISH, cut_off=count == 1)
        assert ("cut off" in sitting.question) == (count == 1)
        assert sitting.question.endswith("Answer again.")
        assert (sitting.illegal, sitting.view, sitting.decided) == (count, before, [])
    sitting.answer(marked("2-1-3"))
    for _ in range(TRIES - 1):
        sitting.answer(RUBBISH)
    sitting.answer(marked("1-1-1"))
    assert not sitting.over
    for _ in range(TRIES):
        sitting.answer(RUBBISH)
    assert sitting.outcome == Outcome(Seat.TWO, Ending.FORFEITED, NO_LEGAL_ANSWER)
    assert (sitting.result, sitting.record.outcome) == (-1, sitting.outcome)
    with pytest.raises(NotLegal, match="over"):
        sitting.answer(marked("1-1-1"))
