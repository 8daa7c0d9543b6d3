"""Coins that nobody can choose, and records that can be checked."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strongroom import load
from strongroom.contract import CHANCE, Move, Refusal, Seat
from strongroom.contract.codec import from_json, to_json
from strongroom.games.quantum_duel.rules import COIN
from strongroom.games.safe_code.clues import CLUES
from strongroom.games.safe_code.rules import NUMBERS
from strongroom.referee.fairness import Seen, check, holds
from strongroom.referee.match import Match
from strongroom.referee.randomness import BOT_SEED, Coins, draw_by, fresh_seed, hash_of, nonces
from strongroom.referee.record import Record, Sitter, commit
from tests.network_games import OPTIONS, SITTERS, as_seen, bound_parts, played, seen_of, some_coins
from tests.tries import tries

recorded = cache(played)
"""A game is played once for all tests that look at it."""
GAMES = [(name, options) for name, all_options in OPTIONS.items() for options in all_options]
HEX32 = st.binary(min_size=16, max_size=16).map(bytes.hex)
HEX64 = st.binary(min_size=32, max_size=32).map(bytes.hex)


@st.composite
def complete_coins(draw: st.DrawFn) -> Coins:
    seed = draw(HEX64)
    return Coins(hash_of(seed), (draw(HEX32), draw(HEX32)), seed)


def found(record: Record | str, seen: Seen | None = None) -> dict[str, bool | None]:
    return {each.name: each.ok for each in check(record, seen)}


def changed(record: Record, line: int, **parts: Any) -> str:
    lines = [json.loads(each) for each in record.dumps().splitlines()]
    lines[line] |= parts
    return "".join(json.dumps(each) + "\n" for each in lines)


@given(
    complete_coins(),
    HEX32,
    st.integers(1, 10**6),
    st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=8).filter(any),
)
def test_the_drawn_move_is_the_first_whose_cumulative_odds_pass_the_mark_of_the_hmac(
    coins: Coins, game_id: str, number: int, odds: list[float]
) -> None:
    assert coins.seed is not None
    moves = NUMBERS[: len(odds)]
    key, message = coins.seed, f"{coins.seeds[0]}:{coins.seeds[1]}:{game_id}:{number}"
    digest = hmac.new(key.encode(), message.encode(), hashlib.sha256).hexdigest()
    mark = Fraction(int(digest, 16), 2**256) * sum(map(Fraction, odds))
    drawn = moves.index(draw_by(coins, game_id)(number, moves, odds))
    first_bit = int(digest[0], 16) // 8
    assert draw_by(coins, game_id)(number, COIN, (0.5, 0.5)) == COIN[first_bit]
    assert odds[drawn] > 0
    assert sum(map(Fraction, odds[:drawn])) <= mark < sum(map(Fraction, odds[: drawn + 1]))


@given(complete_coins())
def test_coins_survive_json_with_and_without_the_servers_seed(coins: Coins) -> None:
    assert from_json(Coins, json.loads(json.dumps(to_json(coins)))) == coins
    assert from_json(Coins, to_json(coins.public)) == coins.public
    assert coins.seed is not None
    assert coins.seed not in json.dumps(to_json(coins.public))
    assert fresh_seed() != fresh_seed()


def test_malformed_coins_odds_and_observations_are_refused() -> None:
    damaged: list[dict[str, Any]] = [
        *({"hash": value} for value in ("0" * 63, None)),
        *({"seed": value} for value in ("x" * 64, 5)),
        *({"seeds": ["0" * 32, value]} for value in ("A" * 32, 7)),
        *({"seeds": value} for value in (["0" * 32], "0" * 32)),
    ]
    for damage in damaged:
        with pytest.raises(Refusal):
            from_json(Coins, {"hash": "0" * 64, "seeds": [None, None], **damage})
    coins, bad_odds = some_coins(Random(1)), ((), (0.0, 0.0), (-1.0, 2.0), (1.0,))
    for odds in bad_odds:
        with pytest.raises(ValueError, match="Odds"):
            draw_by(coins, "0" * 32)(1, COIN, odds)
    for missing in (replace(coins, seed=None), replace(coins, seeds=(None, BOT_SEED))):
        with pytest.raises(Refusal, match="both players'"):
            draw_by(missing, "0" * 32)
    observed: list[Any] = [[], {"seeds": [1]}, {"commitments": {"x": ""}}, {"events": 3}]
    for data in observed:
        with pytest.raises(Refusal):
            Seen.from_json(data)


def test_a_match_with_coins_is_recorded_and_resumed_with_them() -> None:
    coins = some_coins(Random(3))
    match = Match.start(load("quantum-duel"), nonce=nonces(3), coins=coins)
    read = Record.loads(match.record.dumps())
    assert read.coins == coins
    assert read == match.record
    draws = (match.draw, Match.resume(read).draw, draw_by(coins, match.record.id))
    for number in range(1, 50):
        assert len({draw(number, COIN, (0.5, 0.5)) for draw in draws}) == 1
    assert "coins" not in Match.start(load("quantum-duel")).record.header()
    with pytest.raises(Refusal, match="Line 1: The hash"):
        Record.loads(changed(match.record, 0, coins={"hash": "", "seeds": [None, None]}))


@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_a_game_as_it_was_played_passes_every_check(name: str, options: dict[str, Any]) -> None:
    for seed in range(2):
        record = played(name, seed, options)
        hidden = True if record.game.secrets_each else None
        for seat in (*Seat, None):
            checks = check(record.dumps(), as_seen(record, seat))
            assert holds(checks)
            names = [each.name for each in checks]
            assert names == ["record", "secrets", "rules", "end", "seed", "coins", "published"]
            assert [each.ok for each in checks] == [True, hidden, *[True] * 5]
        assert check(record) == check(record.dumps())


def test_a_forged_secret_is_found_by_its_commitment_or_by_a_witness() -> None:
    record = recorded("safe-cracker", 1)
    step = record.steps[0]
    forged = next(str(code) for code in record.game.actions if code != step.move)
    assert found(changed(record, 1, move=forged))["secrets"] is False
    assert step.nonce is not None
    refitted = changed(record, 1, move=forged, commitment=commit(step.nonce, forged))
    assert found(refitted)["secrets"] is True
    checks = {each.name: each for each in check(refitted, as_seen(record))}
    assert checks["published"].ok is False
    assert checks["published"].text == "Step 1 had another commitment."


def test_a_wrong_answer_and_a_false_clue_whose_commitment_fits_are_found() -> None:
    record = recorded("digit-deductions", 1)
    step = next(step for step in record.steps if step.keeper is None)
    assert isinstance(step.answer, int)
    checks = check(changed(record, step.number, answer=step.answer + 1))
    assert [each.ok for each in checks] == [True, True, False, None, True, None, None]
    assert checks[2].text.endswith("has another answer by the rules.")
    clues = recorded("safe-code", 1)
    code, nonce = clues.steps[0].move, clues.steps[1].nonce
    false = next(str(each) for each in CLUES if int(str(code)) not in each.meaning)
    assert nonce is not None
    results = found(changed(clues, 2, move=false, commitment=commit(nonce, false)))
    assert (results["secrets"], results["rules"]) == (True, False)


def flipped() -> Record:
    records = (recorded("quantum-duel", seed) for seed in range(100))
    return next(each for each in records if any(step.actor is CHANCE for step in each.steps))


def test_a_changed_seed_is_found_by_its_hash_and_by_the_coins_and_a_bots_is_zero() -> None:
    record = flipped()
    assert record.coins is not None
    kept = to_json(record.coins)
    seeds = [some_coins(Random(trial)).seed for trial in range(8)]
    results = [found(changed(record, 0, coins=kept | {"seed": seed})) for seed in seeds]
    assert {each["seed"] for each in results} == {False}
    assert False in {each["coins"] for each in results}
    for against_a_bot in (True, False):
        coins = some_coins(Random(5), against_a_bot=against_a_bot)
        sitters = (Sitter("Ada"), Sitter("Master", "master"))
        of_a_bot = Match.start(load("quantum-duel"), sitters, coins=coins).record
        assert found(of_a_bot)["coins"] is against_a_bot


def test_a_coin_that_does_not_match_the_seeds_is_found() -> None:
    record = flipped()
    assert record.coins is not None
    due = draw_by(record.coins, record.id)
    first = next(step.number for step in record.steps if step.actor is CHANCE)
    short = Record(record.game, record.sitters, record.turn_limit, record.id, coins=record.coins)
    for step in record.steps[: first - 1]:
        short = short.then(step)

    def opposite(number: int, moves: Sequence[Move], odds: Sequence[float]) -> Move:
        return next(move for move in moves if move != due(number, moves, odds))

    settled = Match.resume(short, draw=opposite).settle()
    checks = {each.name: each for each in check(settled.record)}
    assert checks["coins"].ok is False
    assert checks["coins"].text.startswith(f"At step {first} the seeds give ")


def test_a_resignation_rests_on_the_servers_word_and_an_id_on_a_witness() -> None:
    match = Match.start(load("quantum-duel"), SITTERS, coins=some_coins(Random(5)))
    record = match.resign(Seat.ONE).record
    assert found(record)["end"] is None
    assert found(record, as_seen(record))["published"] is True
    told = seen_of(record) | {"end": {"winner": 1, "reason": "resigned", "detail": ""}}
    assert found(record, Seen.from_json(told))["published"] is False
    assert found(changed(flipped(), 0, id="f" * 32), as_seen(flipped()))["published"] is False


def test_a_truncated_record_is_found_by_a_witness_who_saw_more_and_by_nobody_who_saw_less() -> None:
    record = recorded("digit-deductions", 1)
    short = "".join(record.dumps().splitlines(keepends=True)[:-3])
    assert holds(check(short))
    checks = check(short, as_seen(record))
    assert checks[-1].text.endswith("is missing.")
    assert not holds(checks)
    seen = seen_of(record)
    first = Seen.from_json({"events": seen["events"][:2], "commitments": seen["commitments"]})
    last = check(record, first)[-1]
    assert last.ok is True
    assert last.text == "The record is what was seen: 2 commitments, 2 moves."
    assert found(record, Seen())["published"] is None
    seen["events"][-2]["answer"] += 1
    assert found(record, Seen.from_json(seen))["published"] is False


def test_coins_cannot_be_checked_before_the_end_and_the_seed_must_be_there_at_the_end() -> None:
    record = flipped()
    assert record.coins is not None
    text = changed(record, 0, coins=to_json(record.coins.public))
    assert (found(text)["seed"], found(text)["coins"]) == (False, None)
    middle = "".join(text.splitlines(keepends=True)[:-2])
    assert (found(middle)["seed"], found(middle)["coins"]) == (None, None)
    local = Match.start(load("safe-cracker"), SITTERS)
    local = local.step(Seat.ONE, local.state.moves[0])
    checks = {each.name: each for each in check(local.record)}
    assert "in one file" in checks["secrets"].text
    assert [checks[name].ok for name in ("seed", "coins", "published")] == [None] * 3


@pytest.mark.parametrize("name", OPTIONS)
@tries(0.4)
@given(
    seed=st.integers(0, 1),
    place=st.integers(0, 10**6),
    other=st.sampled_from('0123456789abcdef "{}[]:,-\n\\\ud800é'),
)
@example(seed=1, place=-1, other=" ")
@example(seed=1, place=-1, other="0")
def test_a_witness_finds_any_changed_character_that_matters(
    name: str, seed: int, place: int, other: str
) -> None:
    record = recorded(name, seed)
    text = record.dumps()
    place %= len(text)
    forged = text[:place] + other + text[place + 1 :]
    checks = check(forged, as_seen(record))
    if holds(checks):
        # Only names, times and the like may change, which the docs say are not bound.
        assert bound_parts(forged) == bound_parts(text)


@tries(0.4)
@given(st.text(max_size=200) | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_garbage_is_a_failed_check_and_no_traceback(text: str) -> None:
    assert not holds(check(text))


def test_a_deep_or_odd_line_is_a_failed_check_and_no_traceback() -> None:
    record = recorded("safe-cracker", 1)
    parts = ("move", "nonce", "commitment", "keeper", "step", "answer", "seat")
    odd = ("[" * 900 + "]" * 900, '"\\ud800"', "1e999", "9" * 4000, "{}", "-1")
    for part, value in product(parts, odd):
        text = changed(record, 1, **{part: "HERE"}).replace('"HERE"', value)
        assert not holds(check(text, as_seen(record))), (value, part)
