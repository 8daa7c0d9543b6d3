"""How real servers behave that speak the chat API, each played by a test endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest

from strongroom.contract import Json, Seat
from strongroom.minds.asking import Form
from strongroom.minds.dialogue import Reply, Style
from strongroom.minds.endpoint import Endpoint
from strongroom.minds.model import ModelSeats
from strongroom.minds.settings import USUAL, Settings
from strongroom.plugins.registry import load
from tests.minds.api_server import KEY, MODEL, ApiServer, Deed, Fails, Says, Sends, in_form

GAME = load("quantum-duel")
VIEW = GAME.start().view(Seat.ONE)


def form_of(body: Json) -> str:
    form = body.get("response_format", {})
    named = form.get("type", "tool" if "tools" in body else "text")
    return f"{named}_schema" if form.keys() >= {"type", "schema"} else named


def answer(body: Json, **usage: object) -> Says:
    counts = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return Says(in_form(body, "4"), usage={**counts, **usage})


def called(body: Json) -> Says:
    """The same, by a call of the function."""
    told = {"name": "answer", "arguments": in_form(body, "4")}
    call = {"index": 0, "id": "1", "type": "function", "function": told}
    return Says("", finish="tool_calls", tool_calls=[call])


def openai(body: Json) -> Deed:
    if "max_tokens" in body:
        told = "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        return Fails(400, f"{told}'max_completion_tokens' instead.")
    details = {"reasoning_tokens": 8}, {"cached_tokens": 64}
    return answer(body, completion_tokens_details=details[0], prompt_tokens_details=details[1])


def openai_before_schemas(body: Json) -> Deed:
    match form_of(body):
        case "json_schema":
            told = "Invalid parameter: 'response_format' of type 'json_schema' is not supported"
            return Fails(400, f"{told} with this model.")
        case "json_object_schema":
            return Fails(400, "Unknown parameter: 'response_format.schema'.")
    return answer(body)


def vllm_without_tools(body: Json) -> Deed:
    if form_of(body) == "json_schema":
        told = "The request contains a structured output that the backend does not support."
        return Fails(400, body={"object": "error", "message": told, "param": None, "code": 400})
    return answer(body)


def llama_cpp_python(body: Json) -> Deed:
    if form_of(body) == "json_schema":
        where = "'loc': ('body', 'response_format', 'type')"
        told = "[{'type': 'literal_error', " + where + ", 'msg': \"Input should be 'text' or "
        error = {"message": told + "'json_object'\"}]", "type": "internal_server_error"}
        return Fails(500, body={"error": error | {"param": None, "code": None}})
    usage = None if "stream" in body else {"prompt_tokens": 100, "completion_tokens": 20}
    return Says(in_form(body, "4"), usage=usage)


def llama_server(body: Json) -> Deed:
    return answer(body) if form_of(body) == "text" else Says("Well, I observe the middle one.")


def ollama(body: Json) -> Deed:
    if "tools" not in body and form_of(body) != "text":
        return Fails(400, body={"error": "invalid format: expected a JSON schema or 'json'"})
    return called(body)


def litellm(body: Json) -> Deed:
    if "response_format" in body:
        told = "litellm.UnsupportedParamsError: this model does not support parameters: "
        error = {"message": f"{told}['response_format']", "type": "None", "code": "400"}
        return Fails(400, body={"error": error})
    return called(body)


def openrouter(body: Json) -> Deed:
    if "response_format" in body:
        error = {"message": "No endpoints found that can handle the requested parameters."}
        return Fails(404, body={"error": error | {"code": 404}})
    delta = {"role": "assistant", "content": in_form(body, "4")}
    chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "cost": 0.25}
    last = {"choices": [], "usage": usage, "model": "maker/name:free"}
    lines = (": OPENROUTER PROCESSING", *(f"data: {json.dumps(each)}" for each in (chunk, last)))
    return Sends("\n\n".join((*lines, "data: [DONE]\n\n")).encode(), "text/event-stream")


def anthropic(body: Json) -> Deed:
    return called(body) if "tools" in body else Says("I take the middle: cell four.")


def groq(body: Json) -> Deed:
    if form_of(body) == "json_schema":
        return answer(body)
    return Fails(400, "This model does not support tool calling.")


def mistral(body: Json) -> Deed:
    if "stream_options" in body:
        where = ["body", "stream_options"]
        wrong = {"type": "extra_forbidden", "loc": where, "msg": "Extra inputs are not permitted"}
        return Fails(422, body={"detail": [wrong]})
    return answer(body)


def deepseek(body: Json) -> Deed:
    if form_of(body) == "json_schema":
        return Fails(400, "This response_format type is unavailable now")
    said = answer(body, prompt_cache_hit_tokens=64)
    return Says(said.text, reasoning="The middle.", usage=said.usage)


def gemini(body: Json) -> Deed:
    if form_of(body) == "json_schema":
        told = 'Invalid JSON payload received. Unknown name "additionalProperties" at schema'
        return Fails(400, body=[{"error": {"code": 400, "message": told}}])
    return answer(body)


def xai(body: Json) -> Deed:
    details = {"reasoning_tokens": 300}
    return answer(body, total_tokens=420, completion_tokens_details=details)


SERVERS: list[tuple[Callable[[Json], Deed], Form, int, Reply]] = [
    (openai, Form.SCHEMA, 4, Reply("", cached_tokens=64, reasoning_tokens=8)),
    (openai_before_schemas, Form.OBJECT, 5, Reply("")),
    (vllm_without_tools, Form.SCHEMED_OBJECT, 4, Reply("")),
    (llama_cpp_python, Form.SCHEMED_OBJECT, 4, Reply("")),
    (ollama, Form.TOOL, 6, Reply("")),
    (litellm, Form.TOOL, 6, Reply("")),
    (openrouter, Form.TOOL, 6, Reply("", money=0.25)),
    (groq, Form.SCHEMA, 3, Reply("")),
    (mistral, Form.SCHEMA, 4, Reply("")),
    (deepseek, Form.SCHEMED_OBJECT, 4, Reply("", "The middle.", cached_tokens=64)),
    (gemini, Form.SCHEMED_OBJECT, 4, Reply("")),
    (xai, Form.SCHEMA, 3, Reply("", tokens_out=320, reasoning_tokens=300)),
]
"""Each server, the form it is asked in at last, after how many requests for three answers, and
what else an answer has."""


@pytest.mark.parametrize(
    ("behaviour", "form", "requests", "more"),
    SERVERS,
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_server_is_asked_as_it_can_answer_and_its_accounts_are_read(
    behaviour: Callable[[Json], Deed], form: Form, requests: int, more: Reply
) -> None:
    settings = Settings(max_tokens=500) if behaviour is openai else USUAL
    waits: list[float] = []
    with ApiServer(behaviour) as server:
        endpoint = Endpoint(server.address, KEY, pause=waits.append)
        player = ModelSeats(MODEL, Style(), endpoint, settings=settings)(GAME, Random(1))
        assert [str(player.choose(VIEW)) for _ in range(3)] == ["4", "4", "4"]
    assert endpoint.asking(MODEL, settings).form is form
    assert len(server.requests) == requests
    assert (waits, player.illegal) == ([], 0)
    last = player.exchanges[-1].reply
    assert (last.cached_tokens, last.reasoning_tokens, last.money, last.reasoning) == (
        *(more.cached_tokens, more.reasoning_tokens, more.money),
        more.reasoning,
    )
    told = (last.tokens_in, last.tokens_out)
    assert told == ((100, more.tokens_out or 20))


@pytest.mark.parametrize("behaviour", [llama_server, anthropic], ids=["llama-server", "Anthropic"])
def test_a_server_that_ignores_the_form_is_asked_in_the_next_one(
    behaviour: Callable[[Json], Deed],
) -> None:
    with ApiServer(behaviour) as server:
        endpoint = Endpoint(server.address, KEY)
        seats = ModelSeats(MODEL, Style(), endpoint)
        for _ in range(2):
            player = seats(GAME, Random(1))
            player.tries = 5
            assert str(player.choose(VIEW)) == "4"
    assert endpoint.asking(MODEL).form is (Form.TOOL if behaviour is anthropic else Form.TEXT)
    assert not player.illegal


def test_an_answer_that_a_server_refuses_because_of_its_form_is_an_illegal_answer() -> None:
    """As Groq does: it gives what the model wrote."""
    broken = {"message": "Failed to generate JSON.", "code": "json_validate_failed"}
    refusal = Fails(400, body={"error": broken | {"failed_generation": "The middle is best!"}})
    deeds = [refusal, None]
    with ApiServer(lambda body: deeds.pop(0) or answer(body)) as server:
        player = ModelSeats(MODEL, Style(), Endpoint(server.address, KEY))(GAME, Random(1))
        assert str(player.choose(VIEW)) == "4"
    assert player.exchanges[0].reply.text == "The middle is best!"
    assert player.illegal == 1


def test_a_server_that_loads_its_model_or_fails_in_the_middle_is_asked_again() -> None:
    loading = Fails(503, body={"error": {"code": 503, "message": "Loading model"}})
    failed = Says("{", finish="error")
    deeds: list[Deed | None] = [loading, failed, None]
    waits: list[float] = []
    with ApiServer(lambda body: deeds.pop(0) or answer(body)) as server:
        endpoint = Endpoint(server.address, KEY, pause=waits.append)
        player = ModelSeats(MODEL, Style(), endpoint)(GAME, Random(1))
        assert str(player.choose(VIEW)) == "4"
    assert len(waits) == 2
    assert endpoint.asking(MODEL).form is Form.SCHEMA
