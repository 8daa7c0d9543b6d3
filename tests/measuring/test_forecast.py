"""What a measurement of a model is expected to take."""

from __future__ import annotations

from strongroom.agents.allowance import Prices, in_tokens
from strongroom.agents.dialogue import Dialogue, Style
from strongroom.contract import Seat
from strongroom.measuring.forecast import SAMPLE, Forecast, forecast
from strongroom.measuring.protocol import Protocol
from strongroom.plugins.registry import load

GAME = load("safe-cracker")
PLAIN = Style()


def test_the_forecast_of_a_few_games_counts_the_questions_that_casual_would_be_asked() -> None:
    protocol = Protocol("model:tester", (GAME,), rounds=SAMPLE // 2, against="random")
    fixtures = [*protocol.fixtures]
    found = forecast(protocol, fixtures, PLAIN)
    records = [each.play("casual", "random").record for each in fixtures]
    asked = [
        Dialogue(GAME).ask(state.view(fixture.seat))
        for fixture, record in zip(fixtures, records, strict=True)
        for state, step in zip(record.states(), record.steps, strict=False)
        if step.actor is fixture.seat
    ]
    opening = in_tokens(Dialogue(GAME).opening)
    assert found.calls == len(asked)
    assert found.tokens_in == sum(opening + in_tokens(text) for text in asked)


def test_more_games_of_the_same_kind_take_more_in_proportion() -> None:
    few = Protocol("model:tester", (GAME,), rounds=SAMPLE // 2, against="random")
    many = Protocol("model:tester", (GAME,), rounds=10 * SAMPLE // 2, against="random")
    one = forecast(few, [*few.fixtures], PLAIN)
    ten = forecast(many, [*many.fixtures], PLAIN)
    assert (ten.calls, ten.tokens_in) == (10 * one.calls, 10 * one.tokens_in)


def test_nothing_is_expected_of_games_that_were_played() -> None:
    protocol = Protocol("model:tester", (GAME,), seats=(Seat.ONE,))
    assert forecast(protocol, [], PLAIN) == Forecast()


def test_money_is_told_only_if_there_are_prices() -> None:
    found = Forecast(10, 20_000_000, 5_000)
    assert found.told(None) == "About 10 calls with 20.0m tokens in and 5,000 out."
    assert found.told(Prices(1, 1)).endswith(", about $20.00.")
