"""How a model is asked as an experiment: what is sent, what is refused, and what is read."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest

from strongroom.contract import Json, Refusal, Seat
from strongroom.contract.codec import from_json, to_json
from strongroom.minds.allowance import Allowance, Bill, Prices
from strongroom.minds.asking import Form
from strongroom.minds.dialogue import NoLegalAnswer, Reply, Style, TextPlayer
from strongroom.minds.endpoint import Endpoint
from strongroom.minds.model import Experiment, ModelSeats
from strongroom.minds.settings import (
    Conversation,
    Example,
    Settings,
    parse_setting,
    parse_settings,
)
from strongroom.players import Stops
from strongroom.plugins.registry import load
from tests.minds.api_server import KEY, MODEL, ApiServer, Deed, Fails, Says, in_form

GAME = load("quantum-duel")
START = GAME.start()
VIEW = START.view(Seat.ONE)


def plays_4(body: Json) -> Deed:
    return Says(in_form(body, "4"))


def seated(
    server: ApiServer, settings: Settings, allowance: Allowance | None = None, **more: object
) -> tuple[TextPlayer, ModelSeats]:
    endpoint = Endpoint(server.address, KEY, pause=lambda seconds: None)
    seats = ModelSeats(
        MODEL,
        Style(),
        endpoint,
        allowance or Allowance(),
        settings=settings,
        **more,  # type: ignore[arg-type]
    )
    return seats(GAME, Random(1)), seats


def test_settings_are_sent_in_the_names_of_the_api() -> None:
    settings = Settings.read(
        {
            "temperature": 0.5,
            "top_p": 1,
            "seed": 7,
            "max_tokens": 300,
            "reasoning_effort": "low",
            "extra_body": {"top_k": 20},
        }
    )
    with ApiServer(plays_4) as server:
        seated(server, settings)[0].choose(VIEW)
    (request,) = server.requests
    sent = {"temperature": 0.5, "top_p": 1, "seed": 7, "max_tokens": 300, "top_k": 20}
    assert request.items() >= (sent | {"reasoning_effort": "low"}).items()
    assert from_json(Settings, to_json(settings)) == settings


def test_a_system_text_and_examples_stand_before_the_first_question() -> None:
    shown = (Example("Which?", "This."), Example("No?", "Yes.", "safe-cracker"))
    settings = Settings(system="Play well.", examples=shown)
    with ApiServer(plays_4) as server:
        player, _ = seated(server, settings)
        player.choose(VIEW)
    (request,) = server.requests
    opening, question, example, asked = (each["content"] for each in request["messages"])
    assert opening == player.opening == f"Play well.\n\n{player.dialogue.opening}"
    assert (question, example, asked) == ("Which?", "This.", player.dialogue.ask(VIEW))


@pytest.mark.parametrize("conversation", Conversation)
def test_a_conversation_is_kept_or_begins_afresh_with_each_move(conversation: Conversation) -> None:
    later = START.play(GAME.move("4")).play(GAME.move("1")).view(Seat.ONE)
    moves = iter(["9", "4", "7"])
    with ApiServer(lambda body: Says(in_form(body, next(moves)))) as server:
        player, _ = seated(server, Settings(conversation=conversation))
        player.choose(VIEW)
        player.choose(later)
    said = [each["content"] for each in server.requests[-1]["messages"][1:]]
    first, refused, last = (each.asked for each in player.exchanges)
    if conversation is Conversation.FRESH:
        assert said == [last]
    else:
        assert said[::2] == [first, refused, last]
        assert '"move": "9"' in said[1]
        assert '"move": "4"' in said[3]


def test_as_many_tries_are_given_as_are_set() -> None:
    with ApiServer(lambda body: Says("Hm.")) as server:
        player, _ = seated(server, Settings(tries=1, form=Form.TEXT))
        with pytest.raises(NoLegalAnswer, match="the only answer was no legal move"):
            player.choose(VIEW)
    assert len(server.requests) == 1
    assert "response_format" not in server.requests[0]


def test_constrained_answers_have_the_legal_moves_in_the_schema() -> None:
    def with_objects(body: Json) -> Deed:
        form = body.get("response_format", {})
        if form.get("type") == "json_schema":
            return Fails(500, "Input should be 'text' or 'json_object'")
        choices = form["schema"]["properties"]["move"]["enum"]
        return Says(in_form(body, choices[3]))

    with ApiServer(with_objects) as server:
        player, seats = seated(server, Settings(constrained=True))
        assert str(player.choose(VIEW)) == "4"
        schema = server.requests[-1]["response_format"]["schema"]
        assert schema["properties"]["move"]["enum"] == [*map(str, VIEW.moves)]
        assert "Legal moves" not in player.exchanges[0].asked
    assert seats.experiment.asked.form is Form.SCHEMED_OBJECT


def test_a_list_of_moves_that_is_too_long_is_left_out_of_the_schema_and_that_is_told() -> None:
    def few_choices(body: Json) -> Deed:
        schema = body["response_format"]["json_schema"]["schema"]
        choices = schema["properties"]["move"].get("enum", ["The number is even."])
        if len(choices) > 50:
            return Fails(400, f"Invalid schema: enum has {len(choices)} values.")
        return Says(in_form(body, choices[1 % len(choices)]))

    with ApiServer(few_choices) as server:
        _, seats = seated(server, Settings(constrained=True))
        codes, clues = (
            seats(load("digit-deductions"), Random(1)),
            seats(load("safe-code"), Random(1)),
        )
        start = clues.dialogue.game.start()
        hidden = clues.choose(start.view(Seat.ONE))  # one of 30
        clues.choose(start.play(hidden).view(Seat.ONE))  # one of hundreds, which are not listed
        assert len(server.requests) == 2
        with pytest.raises(NoLegalAnswer):  # one of 81, which the endpoint refuses once
            codes.choose(codes.dialogue.game.start().view(Seat.ONE))
    assert len(server.requests) == 2 + 1 + 3
    assert [each.reply.constrained for each in clues.exchanges] == [True, False]
    assert [each.reply.constrained for each in codes.exchanges] == [False] * 3
    assert (clues.unconstrained, codes.unconstrained) == (1, 3)
    assert to_json(clues.exchanges[1])["constrained"] is False


def test_an_endpoint_that_takes_no_schema_cannot_be_constrained() -> None:
    def plain_objects(body: Json) -> Deed:
        form = body.get("response_format", {})
        is_plain = "tools" not in body and form.keys() == {"type"}
        return plays_4(body) if is_plain else Fails(400, "response_format: unknown schema")

    with ApiServer(plain_objects) as server:
        player, _ = seated(server, Settings(constrained=True))
        with pytest.raises(Stops, match=r"leave constrained out, or list the moves with --legal"):
            player.choose(VIEW)


REFUSED: list[tuple[Settings, Fails, str]] = [
    (
        Settings(temperature=0.2),
        Fails(400, "Unsupported value: 'temperature' does not support 0.2 with this model."),
        "refuses the setting temperature: Unsupported value",
    ),
    (
        Settings(extra_body={"top_k": 5}),
        Fails(422, body={"detail": [{"loc": ["body", "top_k"], "msg": "Extra inputs"}]}),
        "refuses the setting top_k: Extra inputs. Set it otherwise, or leave it out.",
    ),
    (
        Settings(conversation=Conversation.KEPT),
        Fails(400, "This model's maximum context length is 2048 tokens; you sent 2100."),
        "Serve the model with a larger context, or set conversation=fresh.",
    ),
]


@pytest.mark.parametrize(("settings", "refusal", "told"), REFUSED, ids=str)
def test_a_setting_that_is_refused_and_a_question_that_is_too_long_stop_the_run_at_once(
    settings: Settings, refusal: Fails, told: str
) -> None:
    with ApiServer(lambda body: refusal) as server, pytest.raises(Stops) as stopped:
        seated(server, settings)[0].choose(VIEW)
    assert told in str(stopped.value)
    assert len(server.requests) == 1


def test_an_experiment_tells_how_a_model_was_asked_and_what_all_answers_took() -> None:
    said: list[str] = []
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 600},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    untold = iter([usage, None])
    allowance = Allowance(Prices.read("2/10/1/5"))
    with ApiServer(lambda body: Says(in_form(body, "4"), usage=next(untold))) as server:
        settings = Settings(temperature=0, form=Form.SCHEMA)
        player, seats = seated(server, settings, allowance, announce=said.append)
        player.choose(VIEW)
        experiment = seats.experiment
        player.choose(VIEW)
    assert said == ["tester answers by json_schema, streamed."]
    bill = experiment.spent
    assert (bill.calls, bill.tokens_in, bill.cached_tokens) == (1, 1000, 600)
    assert (bill.tokens_out, bill.reasoning_tokens, bill.guessed_tokens) == (100, 40, 0)
    assert bill.money == pytest.approx((400 * 2 + 600 * 1 + 60 * 10 + 40 * 5) / 1e6)
    assert player.money == pytest.approx(bill.money)
    assert (player.cached_tokens, player.reasoning_tokens, player.untold) == (600, 40, 1)
    guessed = allowance.bill
    assert guessed.calls == 2
    assert guessed.guessed_tokens == guessed.tokens - 1100 > 0
    assert guessed.guessed_money == pytest.approx(guessed.money - bill.money)
    other = replace(seats, style=Style(scratch=False))
    assert other.experiment.spent == Bill()  # of what players share, each has its own
    allowance.pay(allowance.reserve(""), Reply("4", tokens_in=7, tokens_out=1), other.player)
    assert (other.experiment.spent.calls, seats.experiment.spent.calls) == (1, 2)
    assert allowance.bill.calls == 3
    assert from_json(Experiment, to_json(experiment)) == experiment
    assert experiment.libraries.keys() == {"openai"}


def test_the_latency_of_an_answer_is_without_what_it_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], time=time.time)
    monkeypatch.setattr("strongroom.minds.endpoint.time", clock)

    def wait(seconds: float) -> None:
        now[0] += seconds

    deeds: list[Deed | None] = [Fails(429, retry_after="50"), None]
    with ApiServer(lambda body: deeds.pop(0) or plays_4(body)) as server:
        endpoint = Endpoint(server.address, KEY, pause=wait)
        player = ModelSeats(MODEL, Style(), endpoint)(GAME, Random(1))
        player.choose(VIEW)
    assert now[0] >= 50
    assert player.exchanges[0].seconds == player.seconds == 0.0


WRONG: list[tuple[Callable[[], object], str]] = [
    (
        lambda: Settings.read({"temprature": 0}),
        "no setting 'temprature'. Did you mean temperature?",
    ),
    (lambda: Settings.read({"temperature": 9}), "temperature: '9' should be a number from 0 to 2"),
    (lambda: Settings.read({"form": "xml"}), "form: 'xml' should be json_schema or"),
    (lambda: Settings.read({"tries": 0}), "tries: '0' should be a number from 1 to 100"),
    (lambda: Settings.read({"extra_body": {"model": "x"}}), "extra_body cannot have 'model'"),
    (lambda: Settings.read({"constrained": True, "form": "text"}), "text cannot be constrained"),
    (lambda: parse_settings("temperature: 0"), "neither JSON nor TOML"),
    (lambda: parse_setting("temperature"), "--ask takes NAME=VALUE; you gave 'temperature'"),
]


@pytest.mark.parametrize(("read", "told"), WRONG, ids=[told for _, told in WRONG])
def test_what_is_no_setting_is_refused(read: Callable[[], object], told: str) -> None:
    with pytest.raises(Refusal) as refused:
        read()
    assert told in str(refused.value)


def test_a_file_of_settings_is_json_or_toml() -> None:
    toml = 'temperature = 0\n[[examples]]\nquestion = "Which?"\nanswer = "This."\n'
    data = {"temperature": 0, "examples": [{"question": "Which?", "answer": "This."}]}
    assert parse_settings(toml) == data
    assert Settings.read(parse_settings('{"tries": 2}')).tries == 2
