"""Puzzles are sound, fresh and the same everywhere; sets of them are read, answered and scored."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, partial
from itertools import chain, islice, pairwise
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.contract import CandidateTracker, Game, Move, Refusal, Seat, View
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import Coin, Observe, Reply
from strongroom.measuring import on_puzzles
from strongroom.measuring.on_puzzles import Answered, PuzzleResult, measure_on_puzzles
from strongroom.measuring.protocol import Spent
from strongroom.minds import dialogue
from strongroom.minds.dialogue import move_answer
from strongroom.players import Player, player
from strongroom.puzzles import Exercise, Puzzle, exercise, finding, read, score
from strongroom.puzzles.finding import SOURCES, TEMPTING, idea_of, positions, todays, worth_of
from strongroom.puzzles.puzzle import (
    EVERYWHERE,
    LADDER,
    OF_GAMES,
    RIGHT,
    Rung,
    asks_yes_or_no,
    describe_odds,
    misses,
    rules_of,
    share_right,
    shares,
)
from strongroom.puzzles.sets import BrokenSet
from strongroom.puzzles.symmetry import symmetry_of
from strongroom.puzzles.week import WEEK
from strongroom.testing.perft import after
from strongroom.theory.shelf import solution_of

MONDAY = date(2026, 11, 16)


@cache
def found() -> Mapping[str, Sequence[Puzzle]]:
    return {name: [*islice(finding.puzzles(1, [load(name)]), 5)] for name in SOURCES}


def every() -> Iterator[Puzzle]:
    return chain.from_iterable(found().values())


@cache
def plain() -> Sequence[Exercise]:
    return [exercise(first) for first, *_ in found().values()]


@cache
def week() -> Sequence[Puzzle]:
    return [todays(MONDAY + timedelta(days)) for days in range(7)]


@pytest.mark.proof
def test_one_idea_is_right_every_other_move_costs_clearly_and_a_bot_is_tempted() -> None:
    for some in found().values():
        assert len({(each.game, idea_of(each)) for each in some}) == len(some) == 5
    for each in every():
        assert {*each.worth} == {*each.view.moves}
        worth = solution_of(each.game).worth
        assert worth.optimal
        assert worth.move_values(each.view, None) == each.worth
        assert len({symmetry_of(each.game).idea(each.view, move) for move in each.best}) == 1
        assert len(each.best) <= max(1, len(each.worth) / 3)
        wrong = [cost for move, cost in each.costs.items() if move not in each.best]
        assert min(wrong) >= finding.CLEAR
        assert all(each.costs[move] == pytest.approx(0, abs=RIGHT) for move in each.best)
        (bot,) = (bot for bot in each.bots if bot.player == each.tempted)
        assert each.costs[each.tempting] >= TEMPTING
        assert bot.moves[each.tempting] > 0
        assert bot.cost > 0
        assert bot.solved < 1
        assert sum(bot.moves.values()) == pytest.approx(1)
        assert each.bots[0].player == "casual"
        assert each.bots[0].solved <= 1 / 2
        rules = rules_of(each.game)
        assert all(share_right(rule, each.view, each.costs) <= 1 / 2 for rule in rules.values())


@pytest.mark.proof
def test_each_player_of_the_ladder_who_misses_a_puzzle_adds_a_lamp() -> None:
    for each in every():
        rungs = {name: share_right(rung, each.view, each.costs) for name, rung in LADDER.items()}
        assert [*each.missed] == [name for name, share in rungs.items() if share <= 1 / 2]
        assert each.difficulty == 1 + len(each.missed) <= 5
    assert len({each.difficulty for each in every()}) >= 3


@pytest.mark.parametrize(
    ("name", "rule", "games"),
    [
        ("safe-code", EVERYWHERE["any secret that fits"], 60),
        ("safecracker-duel", OF_GAMES["safecracker-duel"]["undo the last turn"], 30),
    ],
)
def test_a_rule_is_nearly_always_right_at_the_games_that_have_next_to_no_puzzles(
    name: str, rule: Rung, games: int
) -> None:
    solves: list[float] = []
    for view in (view for n in range(games) for view in positions(load(name), f"costly {n}")):
        worth = worth_of(view)
        if worth and view.turns > 2 and max(worth.values()) - min(worth.values()) >= TEMPTING:
            costs = {move: max(worth.values()) - each for move, each in worth.items()}
            solves.append(share_right(rule, view, costs))
    assert len(solves) >= 10
    assert sum(solves) >= 0.99 * len(solves)


def test_what_a_bot_loses_is_the_mean_over_its_mixture() -> None:
    view = next(view for view in positions(load("quantum-duel"), "1") if view.turns > 3)
    costs = {move: float(number) for number, move in enumerate(view.moves)}
    casual = finding.losses("casual", view, costs)
    assert casual.cost == pytest.approx(sum(p * costs[move] for move, p in casual.moves.items()))
    assert casual.solved == pytest.approx(casual.moves.get(view.moves[0], 0.0))
    # A position in which all moves are equally good is no puzzle.
    assert finding.puzzle_of(load("quantum-duel").start().view(Seat.ONE)) is None


def test_yes_is_right_as_often_as_no() -> None:
    some = islice(finding.puzzles_of(load("quantum-duel"), 3), 16)
    answers = Counter(str(each.best[0]) for each in some if asks_yes_or_no(each.view))
    assert answers["yes"] == answers["no"] > 0


@pytest.mark.proof
def test_another_seed_gives_other_puzzles_and_those_of_several_games_come_by_turns() -> None:
    game = load("digit-deductions")
    one, other = (
        [each.view for each in islice(finding.puzzles_of(game, seed), 3)] for seed in (1, 2)
    )
    assert one != other
    games = [load("quantum-duel"), load("safe-cracker", digits=4)]
    assert [each.game for each in islice(finding.puzzles(1, games), 4)] == games * 2


@pytest.mark.proof
def test_puzzles_do_not_depend_on_the_order_of_hashes() -> None:
    export = ["puzzles", "export", "--count", f"{len(plain())}"]
    command = [sys.executable, "-m", "strongroom", *export]
    env = os.environ | {"PYTHONHASHSEED": "1"}  # here it is another one
    ran = subprocess.run(command, env=env, capture_output=True, check=True, timeout=PATIENCE)
    assert [json.loads(line) for line in ran.stdout.splitlines()] == [
        json.loads(json.dumps(each.to_json())) for each in plain()
    ]


@pytest.mark.proof
def test_puzzles_get_harder_from_monday_to_sunday_and_nearby_days_differ_in_ideas() -> None:
    difficulty = [each.difficulty for each in week()]
    assert difficulty == sorted(difficulty) == [slot.difficulty for slot in WEEK]
    assert difficulty[0] < difficulty[4] < difficulty[6]
    assert {each.game.name for each in week()} == {*SOURCES}
    assert all(one.game.name != other.game.name for one, other in pairwise(week()[:5]))
    for each in week():
        assert len(each.best) <= 4
        assert each.costs[each.tempting] >= 0.05
    some = [*week(), *(todays(MONDAY + timedelta(days)) for days in (7, 8, 9, 10))]
    for name in SOURCES:
        ideas = [idea_of(each) for each in some if each.game.name == name]
        assert len(ideas) >= finding.NEARBY
        assert all(
            len({*ideas[at : at + finding.NEARBY]}) == finding.NEARBY
            for at in range(len(ideas) - 2)
        )


@pytest.mark.proof
def test_the_puzzle_of_a_day_follows_from_the_date_and_the_game_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert todays(MONDAY).to_json() == week()[0].to_json()
    assert todays(MONDAY, load("digit-deductions")).game == load("digit-deductions")
    monkeypatch.setattr(finding, "BARREN", 3)
    with pytest.raises(Refusal, match="There are no puzzles of Safe Code"):
        todays(MONDAY, load("safe-code"))


@pytest.mark.proof
def test_a_puzzle_as_json_has_what_a_page_shows_and_the_nudge_does_not_give_the_move() -> None:
    for each in (*week(), *every()):
        assert each.view.seat is not None
        data = json.loads(json.dumps(each.to_json()))
        assert View.from_json(each.game, data["view"]) == each.view
        assert data["day"] == (each.day and each.day.isoformat())
        costs = {move["move"]: move["cost"] for move in data["moves"]}
        assert [move for move, cost in costs.items() if cost <= RIGHT] == data["best"]
        assert costs[data["tempting"]["move"]] == data["tempting"]["cost"]
        assert data["question"].endswith("?")
        counted = CandidateTracker(each.game).left_for(each.view.seat, each.view.history)
        left = {"-".join(map(str, code)) for code in counted or ()}
        assert data["odds"] is None or {*data["odds"]} <= left
        assert 1 <= data["lamps"] <= 5
        words = each.game.words
        telling = each.worth if len(each.worth) == 2 else each.best  # of two, the wrong one too
        for move in telling:
            assert not re.search(rf"\b{words.mention(move)}\b", each.nudge)
        assert words.mention(each.best[0]).lower() in each.answer.lower()
        assert words.mention(each.tempting) in each.answer
        right, wrong = each.best[0], each.tempting
        said = {words.mention(move).lower() for move in (right, wrong)}
        assert each.contrast(right) == each.contrast(wrong)
        assert all(move in each.contrast(right).lower() for move in said)


def test_a_share_is_the_mean_over_what_a_rule_may_choose_and_a_half_misses() -> None:
    state = load("quantum-duel").start()
    view, any_move = state.view(Seat.ONE), rules_of(state.game)["any legal move"]
    middle, half, most = (
        {move: float(move not in right) for move in view.moves}
        for right in ([Observe(4)], view.moves[:3], view.moves[:4])
    )
    shown = shares([(view, middle)])
    assert shown["any legal move"] == pytest.approx(1 / 7)
    assert shown["the cell nearest the middle"] == 1
    assert "the likeliest secret" not in shown
    assert misses(any_move, view, half)
    assert not misses(any_move, view, most)
    assert not asks_yes_or_no(view)
    assert asks_yes_or_no(state.play(Observe(4)).play(Observe(1)).play(Observe(5)).view(Seat.TWO))


def by_bayes(view: View) -> dict[Move, float]:
    """The odds from the certified player's mixtures along the game, by the rules."""
    game = view.game
    assert isinstance(game, Game)
    policy, seat = solution_of(game).policy, view.seat
    assert seat is not None
    weights: dict[Move, float] = {}
    for hidden in game.start().moves:
        secrets = {seat: view.secret[0], seat.other: hidden}
        state, weight = game.start(), 1.0
        for move in (secrets[Seat.ONE], secrets[Seat.TWO], *(event.move for event in view.history)):
            if state.actor is seat.other:
                weight *= float(policy(state.view(seat.other)).get(move, 0))
            state = state.play(move)
            if not weight or state.outcome is not None:
                break
        if weight and state.log == view.history:
            weights[hidden] = weight
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def test_the_odds_follow_from_how_master_hides_and_guesses() -> None:
    for each in (*found()["digit-deductions"][:2], *found()["safe-cracker"][:2]):
        assert each.odds == pytest.approx(by_bayes(each.view), abs=1e-9)
    one, two = load("digit-deductions").start().moves[:2]
    assert describe_odds({one: 1.0}) == "Only one is still possible."  # it is not named
    assert describe_odds({one: 0.997, two: 0.003}) == "Still possible: 1-1 (100%), 1-2 (under 1%)."


def test_a_renamed_view_is_one_of_the_game_and_a_renamed_puzzle_is_the_same() -> None:
    rng = Random(1)
    for each in every():
        # At Digit Deductions the certified player prefers some names, off its main line.
        if each.game.name != "digit-deductions":
            view, move = symmetry_of(each.game).rename(each.view, rng)
            worth = worth_of(view)
            assert worth is not None
            undone = {name: worth[move(name)] for name in each.worth}
            assert undone == pytest.approx(each.worth, abs=1e-12)
        again = finding.rename(each, rng).view
        assert View.from_json(each.game, again.to_json()) == again
        assert each.game.sample(again, rng).view(again.seat)._replace(secret=again.secret) == again
    duel = load("safecracker-duel")
    for view in islice(positions(duel, "some"), 5):
        again = symmetry_of(duel).rename(view, rng).view
        state = duel.sample(again, rng)
        assert state.view(again.seat)._replace(secret=again.secret) == again
    for some in found().values():
        others = [(each, finding.rename(each, rng)) for each in some]
        assert any(one.view != other.view for one, other in others)
        for one, other in others:
            symmetry = symmetry_of(one.game)
            assert symmetry.key(one.view) == symmetry.key(other.view)
            assert idea_of(one) == idea_of(other)
            assert worth_of(other.view) == other.worth
            assert sorted(other.costs.values()) == pytest.approx(sorted(one.costs.values()))
            assert other.costs[other.tempting] == pytest.approx(one.costs[one.tempting])
            assert len(other.best) == len(one.best)
    puzzle, *_ = found()["digit-deductions"]  # one whose worth no other names keep keeps its own
    odd = replace(puzzle, worth={move: worth / 2 for move, worth in puzzle.worth.items()})
    assert finding.rename(odd, Random(4)) == odd


def test_guesses_that_split_alike_and_cells_alike_on_either_side_are_one_idea() -> None:
    view = after("safe-cracker", "1-2-3", "1-1-3", "1-1-2", "2-2-2").view(Seat.ONE)
    idea = symmetry_of(view.game).idea
    assert idea(view, Code((1, 1, 1))) == idea(view, Code((1, 1, 3)))
    assert idea(view, Code((1, 1, 1))) != idea(view, Code((1, 1, 2)))
    assert idea(view, Code((3, 3, 1))) != idea(view, Code((1, 1, 1)))
    empty, idea = after("quantum-duel").view(Seat.ONE), symmetry_of(load("quantum-duel")).idea
    assert idea(empty, Observe(1)) == idea(empty, Observe(7)) != idea(empty, Observe(4))
    view = after("quantum-duel", "2").view(Seat.TWO)
    assert idea(view, Observe(1)) != idea(view, Observe(3))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "set.jsonl"


def write(file: Path, *lines: Any) -> None:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_a_line_has_the_rules_and_all_that_the_player_knows_also_in_disguise(file: Path) -> None:
    rng = Random(1)
    disguised = [exercise(first, rng) for first, *_ in found().values()]
    both = [*plain(), *disguised]
    write(file, *(each.to_json() for each in both))
    assert [*read(file)] == both
    for each in both:
        for event in each.view.history:
            assert str(event.move) in each.text or isinstance(event.move, Reply | Coin)
        worth = worth_of(each.view)
        assert worth is not None
        best = max(worth.values())
        assert {move: best - one for move, one in worth.items()} == pytest.approx(each.costs)
    for each in plain():
        assert each.rules.startswith(f"# {each.game.title}")
        assert "## Winning" in each.rules
        assert each.game.words.puzzle(each.view) in each.text.splitlines()
        assert all(str(secret) in each.text for secret in each.view.secret)
    own_words = "safe|crack|duel|quantum|guess|code|observe|challenge|dial"
    for each in disguised:
        assert not re.findall(own_words, f"{each.rules}\n{each.text}".lower())


def test_a_broken_line_is_refused_with_its_number(file: Path, subtests: pytest.Subtests) -> None:
    good = plain()[0].to_json()
    broken: list[tuple[str, Any, str]] = [
        ("format", "x", "its format is not strongroom puzzle."),
        ("version", 9, "its version is '9'; this program reads 1."),
        ("game", "chess", "there is no game 'chess'"),
        ("lamps", 6, "lamps run from 1 to 5, not '6'."),
        ("rules", None, "its rules and its text must be texts."),
        ("moves", {"1": 0.0}, "its moves are not the legal ones."),
        ("losses", {"casual": -1}, "a cost cannot be '-1'."),
        ("view", {}, "a part is missing"),
        ("options", [], "it does not name a game."),
        ("moves", 0.1, "none of its moves is right."),
    ]
    for part, value, why in broken:
        if isinstance(value, float):
            value = {move: cost + value for move, cost in good[part].items()}
        write(file, good, {**good, part: value})
        where = r"^Line 2 of .*set\.jsonl is not a puzzle: "
        with subtests.test(why):
            with pytest.raises(BrokenSet, match=where) as refused:
                [*read(file)]
            assert why in str(refused.value)
            assert str(refused.value).count("\n") == 0
    for line in ("{", "[]", "7", '{"format": "strongroom puzzle"}', ""):
        file.write_text(f"{line}\n", encoding="utf-8")
        with subtests.test(line), pytest.raises(BrokenSet, match="Line 1 of"):
            [*read(file)]


def test_a_file_that_cannot_be_read_as_lines_of_text_is_refused_in_a_line(file: Path) -> None:
    def refused(why: str) -> None:
        with pytest.raises(BrokenSet, match=why):
            [*read(file)]
        file.unlink(missing_ok=True)

    refused(r"^Cannot read .*: No such file or directory\.$")
    file.write_bytes(b"\xff\xfe\x00")
    refused("not text")
    os.mkfifo(file)
    refused("it is not a plain file")
    with file.open("wb") as out:
        out.truncate(2**40)  # a line without an end is not read to the end
    refused(r"Line 1 of .* more than 1,048,576 characters\.")


def test_an_answer_is_asked_for_once_may_be_typed_as_in_a_game_and_is_judged_by_its_cost() -> None:
    asked: list[Exercise] = []

    def worst(puzzle: Exercise) -> str:
        asked.append(puzzle)
        return str(max(puzzle.costs, key=lambda move: puzzle.costs[move]))

    result = score(plain(), worst)
    assert asked == [*plain()]
    costs = tuple(max(each.costs.values()) for each in plain())
    assert (result.solved, result.illegal) == (0, 0)
    assert result.cost == pytest.approx(sum(costs) / len(costs))
    refused = score(plain(), lambda puzzle: "I resign")
    assert (refused.illegal, refused.costs) == (len(plain()), costs)
    perfect = score(plain(), lambda puzzle: puzzle.best[0])
    assert (perfect.cost, perfect.solved, perfect.illegal) == (0.0, 1.0, 0)
    assert score(plain(), lambda puzzle: str(puzzle.best[0]).replace("-", " ")).solved == 1


def test_a_player_is_asked_for_the_answers_that_are_missing_and_charged_where_it_fails() -> None:
    def master(game: Game, rng: Random) -> Player:
        return player("master", game, rng)

    some = [each for each in plain() if each.game.name == "safe-cracker"] * 3
    (found,) = measure_on_puzzles(master, some).values()
    assert (found.puzzles, found.solved, found.cost, found.illegal) == (3, 1.0, 0.0, 0)
    fails = Mock(spec=["choose"], choose=Mock(side_effect=RuntimeError("no idea")))
    (found,) = measure_on_puzzles(lambda *_: fails, some).values()
    assert found.illegal == 3
    assert found.cost == pytest.approx(max(some[0].costs.values()))  # of the worst move
    replies = map(dialogue.Reply, ("Let me think.", move_answer(str(some[0].best[0]))))
    asked = partial(dialogue.TextPlayer, speak=lambda *_: next(replies))
    (found,) = measure_on_puzzles(lambda game, _: asked(game), some[:1]).values()
    assert (found.solved, found.illegal, found.first_try) == (1, 0, 0)  # there are more tries
    kept = [Answered(number, "", Spent()) for number in (1, 3)]
    assert on_puzzles.open_exercises(some, kept) == [(2, some[1])]
    (found,) = measure_on_puzzles(master, some, kept=kept).values()
    assert (found.solved, found.illegal) == (1 / 3, 2)


def test_each_puzzle_weighs_alike_in_all_games_together() -> None:
    bots = {"casual": 0.5, "expert": 0.4}
    one = PuzzleResult("One", 1, 1.0, 0.0, None, (0.0, 0.4), 0, 1, 0.0, {"casual": 0.1})
    three = PuzzleResult("Three", 3, 0.0, 0.4, 0.2, (0.2, 0.8), 2, 0, 0.6, bots)
    found = on_puzzles.combine([one, three])
    assert (found.puzzles, found.solved, found.illegal, found.first_try) == (4, 0.25, 2, 1)
    assert found.answered_cost == pytest.approx(0.3)  # of the two that were answered
    assert found.cost == pytest.approx(0.3)
    assert found.error == pytest.approx(0.15)
    assert found.interval == pytest.approx((0.15, 0.3 + (0.1**2 + 0.3**2) ** 0.5))
    assert found.bots == pytest.approx({"casual": 0.4, "expert": 0.3})
