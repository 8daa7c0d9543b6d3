"""Models behind a real local endpoint: what is asked, what is read, and all that goes wrong."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain, repeat
from random import Random

import pytest

from strongroom.contract import Json, Refusal, Seat
from strongroom.contract.codec import from_json, to_json
from strongroom.minds.allowance import Allowance, Bill, Budget, Prices
from strongroom.minds.dialogue import (
    LONGEST_ANSWER,
    TRIES,
    Exchange,
    NoLegalAnswer,
    Reply,
    Style,
    TextPlayer,
)
from strongroom.minds.endpoint import FEW_RETRIES, RETRIES, Endpoint
from strongroom.minds.model import ModelSeats, from_environment, seats
from strongroom.players import Stops
from strongroom.plugins.foreign import TookTooLong
from strongroom.plugins.registry import load
from tests.minds import api_server
from tests.minds.api_server import KEY, MODEL, ApiServer, Deed, Fails, Says, in_form

GAME = load("quantum-duel")
VIEW = GAME.start().view(Seat.ONE)

Serve = Callable[..., ApiServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers that do these things one after the other, the last one for ever."""
    with ExitStack() as stack:

        def started(*deeds: Deed | Callable[[Json], Deed], in_json: bool = True) -> ApiServer:
            left = chain(deeds, repeat(deeds[-1]))

            def behaviour(body: Json) -> Deed:
                deed = next(left)
                return deed(body) if callable(deed) else deed

            return stack.enter_context(ApiServer(behaviour, in_json))

        yield started


def plays(move: str) -> Callable[[Json], Deed]:
    return lambda body: Says(in_form(body, move))


def at(
    server: ApiServer, allowance: Allowance | None = None, timeout: float = 60.0
) -> tuple[TextPlayer, list[float]]:
    """A model at a game, and how long it waited between calls."""
    waits: list[float] = []
    endpoint = Endpoint(server.address, KEY, pause=waits.append)
    seated = ModelSeats(MODEL, Style(), endpoint, allowance or Allowance(), timeout=timeout)
    return seated(GAME, Random(1)), waits


def test_a_structured_answer_is_asked_for_and_read(serve: Serve) -> None:
    server = serve(plays("4"))
    player, _ = at(server)
    assert str(player.choose(VIEW)) == "4"
    (request,) = server.requests
    assert request["messages"][0] == {"role": "system", "content": player.opening}
    assert request["messages"][1] == {"role": "user", "content": player.dialogue.ask(VIEW)}
    assert "JSON object" in player.opening
    schema = request["response_format"]["json_schema"]["schema"]
    assert [*schema["properties"]] == ["thinking", "move"]


def test_an_endpoint_that_offers_less_is_asked_for_less_from_then_on(serve: Serve) -> None:
    server = serve(plays("4"), in_json=False)
    endpoint = Endpoint(server.address, KEY)
    for _ in range(2):
        player = ModelSeats(MODEL, Style(), endpoint)(GAME, Random(1))
        assert str(player.choose(VIEW)) == "4"
        assert "<move>" in player.opening
        assert len(player.exchanges) == 1
    forms = [each.get("response_format", {}).get("type") for each in server.requests]
    assert forms == ["json_schema", "json_object", "json_object", None, None, None]
    assert ["tools" in each for each in server.requests].index(True) == 3

    def behaviour(body: Json) -> Deed:
        return (
            Fails(422, "stream_options: unknown")
            if "stream_options" in body
            else Says(in_form(body, "4"), usage=None)
        )

    server = serve(behaviour)
    player, _ = at(server)
    player.choose(VIEW)
    player.choose(VIEW)
    assert ["stream_options" in each for each in server.requests] == [True, False, False]


REFUSALS = [
    Fails(500, "[{'loc': ('body', 'response_format'), 'msg': \"Input should be 'text'\"}]"),
    Fails(404, "No endpoints found that support structured outputs"),
    Fails(422, "Extra inputs are not permitted"),
    Fails(501),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda each: str(each.status))
def test_a_refusal_under_any_status_leads_to_the_next_form(serve: Serve, refusal: Fails) -> None:
    def only_objects(body: Json) -> Deed:
        form = body.get("response_format", {}).get("type")
        return Says(in_form(body, "4")) if form == "json_object" else refusal

    server = serve(only_objects)
    player, waits = at(server)
    for _ in range(3):
        assert str(player.choose(VIEW)) == "4"
    assert len(server.requests) == 4
    assert not waits


def test_a_form_that_is_ignored_leads_to_the_next_and_a_call_of_a_function_is_an_answer(
    serve: Serve,
) -> None:
    def calls_only(body: Json) -> Deed:
        if "tools" not in body:
            return Says("I play 4.")
        told = {"name": "answer", "arguments": in_form(body, "5")}
        return Says("", tool_calls=[{"index": 0, "id": "1", "type": "function", "function": told}])

    server = serve(calls_only)
    player, _ = at(server)
    assert [str(player.choose(VIEW)) for _ in range(5)] == ["4", "4", "4", "5", "5"]
    assert ["tools" in each for each in server.requests] == [False, False, False, True, True]
    (function,) = [each["function"] for each in server.requests[3]["tools"]]
    assert [*function["parameters"]["properties"]] == ["thinking", "move"]
    assert not player.illegal


def test_streams_are_given_up_where_they_are_refused_or_tell_no_tokens(serve: Serve) -> None:
    def whole_only(body: Json) -> Deed:
        return Fails(400, "stream is not supported") if "stream" in body else plays("4")(body)

    def counts_whole(body: Json) -> Deed:
        usage = None if "stream" in body else {"prompt_tokens": 90, "completion_tokens": 9}
        return Says(in_form(body, "4"), usage=usage)

    for behaviour, tokens in ((whole_only, 120), (counts_whole, 99)):
        server = serve(behaviour)
        player, _ = at(server)
        player.choose(VIEW)
        player.choose(VIEW)
        assert ["stream" in each for each in server.requests][:2] == [True, False]
        last = player.exchanges[-1].reply
        assert (last.tokens_in or 0) + (last.tokens_out or 0) == tokens


def test_fewer_games_at_once_ask_an_endpoint_that_serves_one(serve: Serve) -> None:
    """As llama_cpp.server does: a request ends the stream of whoever asked before it."""
    newest: list[Json] = []

    def interrupts(body: Json) -> Deed:
        newest.append(body)
        time.sleep(0.05)
        return Says(in_form(body, "4"), breaks=newest[-1] is not body)

    server = serve(interrupts)
    waits: list[float] = []
    endpoint = Endpoint(server.address, KEY, pause=waits.append)
    players = [ModelSeats(MODEL, Style(), endpoint)(GAME, Random(1)) for _ in range(8)]
    with ThreadPoolExecutor(8) as at_once:
        moves = list(at_once.map(lambda player: str(player.choose(VIEW)), players))
    assert moves == ["4"] * 8
    assert endpoint.most in (1, 2, 3, 4)


@pytest.mark.parametrize("streams", [True, False])
def test_reasoning_is_kept_apart_from_the_answer(serve: Serve, streams: bool) -> None:
    text = '<think>Or <move>1</move>?</think>\n{"thinking": "", "move": "4"}'
    player, _ = at(serve(Says(text, reasoning="The middle is best.", streams=streams)))
    assert str(player.choose(VIEW)) == "4"
    (reply,) = (each.reply for each in player.exchanges)
    assert reply.text == '{"thinking": "", "move": "4"}'
    assert reply.reasoning == "The middle is best.\n<think>Or <move>1</move>?</think>"
    assert (reply.tokens_in, reply.tokens_out) == (100, 20)


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        (Says('{"move": "9"}'), "Cells run from 1 to 7"),
        (Says('{"move": "4"}', finish="length"), "was cut off"),
        (Says('{"thinking": "', finish="length"), "was cut off"),
        (Says("x" * 1_000_000), "at most"),
        (Says("x" * 1_000_000, streams=False), "at most"),
        (Says("\ud800\x1b[2J"), "has no move"),
    ],
)
def test_what_is_no_move_is_refused_and_asked_for_again(serve: Serve, deed: Deed, why: str) -> None:
    server = serve(deed, plays("4"))
    player, waits = at(server)
    assert str(player.choose(VIEW)) == "4"
    first, second = player.exchanges
    assert why in first.refused
    assert second.asked.startswith(first.refused)
    assert server.requests[1]["messages"][-1]["content"] == second.asked
    assert len(first.reply.text) <= LONGEST_ANSWER + 1
    assert player.illegal == 1
    assert not waits


@pytest.mark.parametrize(
    "deed",
    [
        *(Fails(status, retry_after="7") for status in (429, 500, 503)),
        *(Fails(status, retry_after="soon") for status in (408, 429, 502)),
        Fails(429, retry_after=f"Mon, 01 Jan {10**20} 00:00:00 GMT"),
        Says('{"move": "4"}', breaks=True),
        api_server.Sends(b"<html>Bad gateway</html>"),
        api_server.Sends(b"data: rubbish\n\n", "text/event-stream"),
        api_server.Sends(b"", "text/event-stream"),
        api_server.Sends(b'{"choices": 7, "usage": []}', "application/json"),
        api_server.Sends(b'data: {"error": {"message": "overloaded"}}\n\n', "text/event-stream"),
        # Too much to read: a line, a body, and an error.
        api_server.Sends(b"data: " + b"x" * 9999, "text/event-stream"),
        api_server.Sends(b" " * 9999),
        Fails(500, "x" * 9999),
    ],
    ids=lambda deed: str(deed)[:80],
)
def test_what_may_go_over_is_tried_again_after_a_while(
    serve: Serve, deed: Deed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strongroom.minds.endpoint.MOST_BYTES", 5000)
    server = serve(deed, deed, plays("4"))
    player, waits = at(server)
    assert str(player.choose(VIEW)) == "4"
    assert len(player.exchanges) == 1
    assert not player.illegal
    asked_for = 7 if isinstance(deed, Fails) and deed.retry_after == "7" else 0
    first, second = waits
    assert asked_for + 0.3 < first < second < asked_for + 2


def test_it_really_waits_as_long_as_it_is_asked_to(serve: Serve) -> None:
    server, began = serve(Fails(429, retry_after="0.1"), plays("4")), time.monotonic()
    ModelSeats(MODEL, Style(), Endpoint(server.address, KEY))(GAME, Random(1)).choose(VIEW)
    assert time.monotonic() - began >= 0.4


def test_an_answer_that_took_half_of_its_time_is_asked_for_once_more(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []

    def first_too_long(seconds: float, call: Callable[[], Reply]) -> Reply:
        limits.append(seconds)
        if len(limits) == 1:
            raise TookTooLong
        return call()

    monkeypatch.setattr("strongroom.minds.endpoint.call_within", first_too_long)
    player, waits = at(serve(plays("4")), timeout=60.0)
    assert str(player.choose(VIEW)) == "4"
    assert limits[0] == pytest.approx(30.0)
    assert waits == [0.0]
    assert len(player.exchanges) == 1


@pytest.mark.parametrize(
    "deed", [api_server.Hangs(), api_server.Drips()], ids=["silence", "signs of life"]
)
def test_an_endpoint_that_gives_no_answer_in_time_stops_the_run(serve: Serve, deed: Deed) -> None:
    server = serve(deed)
    player, _ = at(server, timeout=0.2)
    with pytest.raises(Stops, match=r"no answer in 0\.2 seconds\. Check it; .* longer --timeout"):
        player.choose(VIEW)
    assert len(server.requests) <= 2


def test_no_redirect_is_followed(serve: Serve) -> None:
    other = serve(plays("4"))
    for origin, status in ((other.address, 301), ("/elsewhere", 308)):
        server = serve(api_server.Redirects(f"{origin}/chat/completions?key={KEY}", status))
        player, _ = at(server)
        with pytest.raises(Stops, match="The endpoint redirects, and nothing is sent") as stopped:
            player.choose(VIEW)
        assert KEY not in str(stopped.value)
        assert "127.0.0.1" not in str(stopped.value)
        assert (len(server.requests), len(other.requests)) == (1, 0)


ASKED = 7
"""In how many ways an endpoint is asked, before it is believed that it refuses all of them."""
ECHO = f"key {KEY} at http://127.0.0.1"
ESCAPED = KEY.replace("-", r"\u002d")


@pytest.mark.parametrize(
    ("deed", "why", "calls"),
    [
        (Fails(401, ECHO), "refuses the key. Check OPENAI_API_KEY", 1),
        (Fails(404, ECHO), "does not know the model 'tester', or OPENAI_BASE_URL", 1),
        (Fails(429, ECHO), "refuses further calls for now: key [redacted]", RETRIES + 1),
        (Fails(429, ECHO, "3600"), "refuses further calls for now", 1),
        (Fails(500, ECHO), "fails with status 500: key [redacted]", ASKED + RETRIES + 2),
        (Fails(500, ESCAPED), "fails with status 500: [redacted].", ASKED + RETRIES + 2),
        (Fails(400, ECHO), "fails with status 400: key [redacted]", ASKED),
        (api_server.Sends(ECHO.encode()), "does not answer like a chat API", FEW_RETRIES + 1),
    ],
    ids=str,
)
def test_a_broken_endpoint_stops_the_run(serve: Serve, deed: Deed, why: str, calls: int) -> None:
    server = serve(deed)
    player, waits = at(server)
    with pytest.raises(Stops) as stopped:
        player.choose(VIEW)
    told = str(stopped.value)
    assert why in told
    assert told.isprintable()
    assert KEY not in told
    assert "127.0.0.1" not in told
    assert stopped.value.__cause__ is None
    assert stopped.value.__suppress_context__
    assert len(server.requests) == calls
    assert calls > 1 or not waits


@pytest.mark.proof
def test_an_endpoint_that_is_not_there_stops_the_run() -> None:
    waits: list[float] = []
    endpoint = Endpoint("http://127.0.0.1:9/v1", KEY, pause=waits.append)
    with pytest.raises(Stops, match=r"cannot be reached\. Check OPENAI_BASE_URL"):
        ModelSeats(MODEL, Style(), endpoint)(GAME, Random(1)).choose(VIEW)
    assert len(waits) == FEW_RETRIES


@pytest.mark.parametrize("key", [KEY, ESCAPED, KEY[:-4]], ids=["whole", "in JSON", "cut short"])
@pytest.mark.parametrize("streams", [True, False])
def test_a_key_that_the_endpoint_echoes_is_not_kept(serve: Serve, key: str, streams: bool) -> None:
    text = f'{{"thinking": "My key is {key}.", "move": "{key}"}}'
    player, _ = at(serve(Says(text, reasoning=key, streams=streams)))
    with pytest.raises(NoLegalAnswer) as failed:
        player.choose(VIEW)
    kept = to_json(player.exchanges)
    read = [json.loads(each["answered"]) for each in kept]
    assert not any(part in f"{kept} {read} {failed.value}" for part in (KEY[:8], KEY[8:16]))
    assert {each["reasoning"] for each in kept} == {"[redacted]"}
    assert read == TRIES * [{"thinking": "My key is [redacted].", "move": "[redacted]"}]


@pytest.mark.parametrize(
    "odd", [True, -1, 1.5, 10**300, float("nan"), float("inf"), "12", None, [], {}], ids=str
)
def test_what_an_answer_cannot_have_taken_counts_as_untold(serve: Serve, odd: object) -> None:
    usage = {"prompt_tokens": odd, "completion_tokens": odd, "cost": odd}
    player, _ = at(serve(Says('{"move": "4"}', usage=usage)))
    player.choose(VIEW)
    (exchange,) = player.exchanges
    reply, money = exchange.reply, 1.5 if odd == 1.5 else None
    assert (reply.tokens_in, reply.tokens_out, reply.money) == (None, None, money)
    assert from_json(Exchange, json.loads(json.dumps(to_json(exchange)))) == exchange


def test_what_answers_cost_is_told_or_follows_from_the_prices(serve: Serve) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 100}
    priced = Allowance(Prices.read("2/10"))
    by_price, _ = at(serve(Says('{"move": "4"}', usage=usage)), allowance=priced)
    by_price.choose(VIEW)
    assert by_price.money == pytest.approx(0.003)
    assert by_price.tokens == 1100
    told, _ = at(serve(Says('{"move": "4"}', usage=usage | {"cost": 0.25})), allowance=priced)
    told.choose(VIEW)
    assert told.money == 0.25
    silent, _ = at(serve(Says('{"move": "4"}', usage=None)))
    silent.choose(VIEW)
    assert (silent.tokens, silent.money) == (None, None)


def test_a_budget_stops_the_run_before_a_call_and_a_stopped_run_all_who_wait(serve: Serve) -> None:
    usage = {"prompt_tokens": 700, "completion_tokens": 300}
    server = serve(lambda body: Says(in_form(body, "4"), usage=usage))
    allowance = Allowance(budget=Budget.read("2.9k-tokens"))
    player, _ = at(server, allowance=allowance)
    player.choose(VIEW)
    player.choose(VIEW)
    with pytest.raises(Stops, match=r"budget of 2,900 tokens\. Give a larger one"):
        player.choose(VIEW)
    assert len(server.requests) == 2
    assert allowance.spent == 2000
    assert not player.illegal
    # One in dollars holds also where the endpoint tells nothing of tokens.
    allowance = Allowance(Prices.read("1000/1000"), Budget.read("3"))
    player, _ = at(serve(Says('{"move": "4"}', usage=None)), allowance=allowance)
    player.choose(VIEW)
    assert player.money is None
    assert 0 < allowance.bill.guessed_money == allowance.bill.money < 3
    allowance.bills = {"model:other": Bill(money=2.9)}
    with pytest.raises(Stops, match=r"could exceed the budget of \$3\.00"):
        player.choose(VIEW)
    allowance = Allowance(budget=Budget.read("3k-tokens"))
    short = allowance.reserve("Short?")
    allowance.pay(short, Reply("Long.", tokens_in=2, tokens_out=1600), MODEL)
    allowance.release(short)
    with pytest.raises(Stops, match="could exceed"):  # the next answer may be as long
        allowance.reserve("Short?")
    allowance = Allowance(budget=Budget.read("9k-tokens"))
    player, _ = at(serve(Fails(401)), allowance=allowance)
    with pytest.raises(Stops):
        player.choose(VIEW)
    allowance.reserve("x" * 30_000)
    with pytest.raises(Stops, match="refuses the key"):
        allowance.reserve("x" * 30_000)


def test_budgets_prices_and_models_are_read_and_what_is_none_is_refused() -> None:
    for text, amount in (("5", 5), ("$0.50", 0.5), ("2 dollars", 2)):
        assert Budget.read(text) == Budget(amount, in_dollars=True)
    for text, amount in (("500k tokens", 500_000), ("1.5m-tokens", 1_500_000), ("900TOKENS", 900)):
        assert Budget.read(text) == Budget(amount, in_dollars=False)
    wrong: list[tuple[Callable[[str], object], list[str], str]] = [
        (Budget.read, ["0", "0 tokens", "$0.00"], "A budget of nothing pays for no answer"),
        (Budget.read, ["", "much", "-1", "5k", "nan", "1e3", "$5 tokens"], "is not a budget"),
        (Budget.read, ["9" * 50], "is not a budget"),
        (Prices.read, ["", "2", "2/", "a/b", "-1/2", "1/2/3/4/5"], "is not a price"),
        (Prices.read, ["1/999999999999999999"], "at most 100,000 dollars per million tokens"),
        (seats, ["", "?disguise", "two words", "x" * 200, "a\nb"], "does not name a model"),
    ]
    for read_text, texts, why in wrong:
        for text in texts:
            with pytest.raises(Refusal, match=why):
                read_text(text)
    with pytest.raises(Refusal, match="needs prices"):
        Allowance(budget=Budget.read("1"))


def test_an_odd_key_or_address_is_refused_and_a_missing_package_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variables = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
    odd_addresses = ("localhost:80", "http://[::1", "http://a.b\x1b[31m", "http://a.b:99999")
    for *values, why in (
        ("no key to the endpoint in OPENAI_API_KEY",),
        ("  ", "no key"),
        ("schlüssel-123", "odd characters"),
        (KEY, "http://host:abc/v1", "OPENAI_BASE_URL"),
        *((KEY, address, "is not an address") for address in odd_addresses),
    ):
        for name in variables:
            monkeypatch.delenv(name, raising=False)
        for name, value in zip(variables, values, strict=False):
            monkeypatch.setenv(name, value)
        with pytest.raises(Refusal, match=why) as refused:
            from_environment()
        assert not any(value.strip() and value in str(refused.value) for value in values)
    monkeypatch.setitem(sys.modules, "openai", None)
    install = r"A model needs the extra models. .*pip install 'strongroom\[models\]'"
    with pytest.raises(Refusal, match=install):
        seats("gpt-4o")
