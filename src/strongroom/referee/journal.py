"""A journal: an append-only text of one JSON object per line.

An interrupted write can only truncate its end.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from strongroom.contract import Json, Refusal, shown


class DamagedRecord(Refusal):
    """A text that cannot be what was written, with what is wrong and where."""


def line_of(data: Json) -> str:
    """A line of a journal."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def objects(text: str) -> list[Any]:
    """The JSON objects of a journal's lines, without a truncated last one."""
    if text.startswith(("{\n", "{\r\n")) and _is_one_object(text):
        raise DamagedRecord("It has an earlier, unreleased format that can no longer be read.")
    whole, newline, last = text.rpartition("\n")
    lines = whole.split("\n") if newline else []
    objects = [_object(line, number) for number, line in enumerate(lines, 1)]
    if last:
        _check_cut(last, len(objects) + 1)
        try:
            objects.append(_object(last, len(objects) + 1))
        except DamagedRecord:
            if not objects:
                raise
    if not objects:
        raise DamagedRecord("It is empty.")
    return objects


def _is_one_object(text: str) -> bool:
    """Whether a text is one object over many lines, the earlier form of a record."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _check_cut(last: str, number: int) -> None:
    """Refuse text after the object in an unterminated last line: truncation never adds any."""
    try:
        _, end = json.JSONDecoder().raw_decode(last)
    except (ValueError, RecursionError):
        return  # it is truncated, or not JSON at all
    if last[end:].strip("\0"):  # a machine that crashes while writing leaves zeros
        raise DamagedRecord(f"Line {number} ends with {shown(last[end:])}, not with a new line.")


def _object(line: str, number: int) -> Any:
    try:
        data = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"Line {number} is not JSON: {shown(str(error), 80)}.") from None
    if not isinstance(data, dict):
        raise DamagedRecord(f"Line {number} is not a JSON object.")
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
