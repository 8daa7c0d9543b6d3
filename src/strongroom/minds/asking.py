"""How an endpoint is asked: in the fullest form at first, and in less where it refuses that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Condition
from typing import Final

from strongroom.contract import Json
from strongroom.contract.codec import json_form

HINT: Final = re.compile(
    r"stream|usage|response.?format|json|schema|tool|function|grammar|structured|support|parameter",
    re.IGNORECASE,
)
"""What an endpoint speaks of that refuses how it is asked, under whatever status."""
REFUSED: Final = frozenset({400, 405, 406, 415, 422, 501})
"""Statuses that refuse a request, whatever is said with them."""
OTHER_LIMIT: Final = "max_completion_tokens"
"""What some models want `max_tokens` to be called."""
FUNCTION: Final = "answer"
"""The name of the schema, and of the function that a model calls to answer."""


class Form(StrEnum):
    """What makes an endpoint give an answer as JSON, from the surest to none."""

    SCHEMA = "json_schema"
    SCHEMED_OBJECT = "json_object_schema"
    """A JSON object with a schema beside its type, as llama_cpp.server takes it."""
    OBJECT = "json_object"
    TOOL = "tool"
    TEXT = "text"


SCHEMED: Final = (Form.SCHEMA, Form.SCHEMED_OBJECT, Form.TOOL)
"""The forms that have a schema."""


@json_form("form streams counts")
@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked of an endpoint besides an answer."""

    form: Form = Form.SCHEMA
    streams: bool = True
    """Whether the answer is to come in pieces, so that silence is noticed."""
    counts: bool = True
    """Whether the tokens are to be told at the end of a stream."""
    forms: tuple[Form, ...] = field(default=(*Form,), compare=False)
    """The forms that may be asked for."""
    limit: str = "max_tokens"
    """What the endpoint calls the limit of an answer."""

    @classmethod
    def first(cls, form: Form | None, constrained: bool) -> Asking:
        """What is asked for before anything is found out; with a form, only in that one."""
        forms = (form,) if form else SCHEMED if constrained else (*Form,)
        return cls(forms[0], forms=forms)

    def body(self, schema: Json) -> Json:
        """What stands in a request for it."""
        body: Json = {"stream": True} if self.streams else {}
        if self.streams and self.counts:
            body["stream_options"] = {"include_usage": True}
        named = {"name": FUNCTION, "strict": True}
        match self.form:
            case Form.SCHEMA:
                form = {"type": "json_schema", "json_schema": {**named, "schema": schema}}
                body["response_format"] = form
            case Form.SCHEMED_OBJECT:
                body["response_format"] = {"type": "json_object", "schema": schema}
            case Form.OBJECT:
                body["response_format"] = {"type": "json_object"}
            case Form.TOOL:
                told = {**named, "description": "Makes a move.", "parameters": schema}
                body["tools"] = [{"type": "function", "function": told}]
                body["tool_choice"] = {"type": "function", "function": {"name": FUNCTION}}
        return body

    def __str__(self) -> str:
        how = "streamed" if self.streams else "whole"
        return f"{self.form}, {how}" + (", without counts" * (self.streams and not self.counts))

    def less(self, refusal: str = "") -> Asking | None:
        """The next to ask for after a refusal: without what it speaks of, or in the next form.

        >>> Asking().less("stream_options is unknown") == Asking(counts=False)
        True
        >>> Asking().less("Input should be 'text' or 'json_object'").form
        <Form.SCHEMED_OBJECT: 'json_object_schema'>
        """
        without_counts = replace(self, counts=False) if self.streams and self.counts else None
        without_stream = replace(self, streams=False) if self.streams else None
        later = self.forms[self.forms.index(self.form) + 1 :]
        next_form = replace(self, form=later[0]) if later else None
        told = refusal.lower()
        if OTHER_LIMIT in told:
            renamed = replace(self, limit=OTHER_LIMIT) if self.limit != OTHER_LIMIT else None
            first: Sequence[Asking | None] = (renamed,)
        elif "stream_options" in told or "include_usage" in told:
            first = (without_counts, without_stream, next_form)
        elif "stream" in told:
            first = (without_stream, next_form)
        else:
            first = (next_form, without_counts, without_stream)
        return next(filter(None, first), None)


class Gate:
    """How many calls are made at once: fewer where an endpoint breaks off all but one."""

    def __init__(self) -> None:
        self.most: int | None = None
        """The most calls at once; None while any number does."""
        self._inside = 0
        self._changed = Condition()

    @contextmanager
    def call(self) -> Iterator[int | None]:
        """Wait for a place and hold it; with the most calls there could be then."""
        with self._changed:
            while self.most is not None and self._inside >= self.most:
                self._changed.wait()
            self._inside += 1
            most = self.most
        try:
            yield most
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify()

    def narrow(self, most: int | None) -> bool:
        """Whether other calls may be why one failed that began among so `most`; then halve them.

        It is called by who still holds a place.
        """
        with self._changed:
            if self.most != most:
                return True
            if self._inside < 2:
                return False
            self.most = self._inside // 2
            return True
