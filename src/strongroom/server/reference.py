"""The HTTP reference page, rendered from the OpenAPI description without third-party scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from strongroom.contract import Json
from strongroom.server.files import BARE


def reference(openapi: Json) -> str:
    """The whole page."""
    body = "\n".join(_lines(openapi))
    return BARE.format(title="strongroom: HTTP", look=' class="reference"', body=body)


def _lines(openapi: Json) -> Iterator[str]:
    info = openapi["info"]
    yield f"<h1>{escape(info['title'])} {escape(info['version'])}: HTTP</h1>"
    yield f"<p>{escape(info['summary'])} Play itself goes over <code>/ws</code>.</p>"
    yield '<p>For programs: <a href="/api/openapi.json">openapi.json</a></p>'
    schemas = openapi["components"]["schemas"]
    for path, methods in openapi["paths"].items():
        for method, route in methods.items():
            yield "<section>"
            yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
            yield f"<p>{escape(route.get('summary', ''))}.</p>"
            yield from _fields("Parameters", route.get("parameters", []))
            body = route.get("requestBody", {}).get("content", {}).get("application/json")
            if body:
                form = schemas[body["schema"]["$ref"].rsplit("/", 1)[1]]
                required = form.get("required", [])
                fields = [
                    {"name": name, "required": name in required, "schema": schema}
                    for name, schema in form["properties"].items()
                ]
                yield from _fields("Body", fields)
            yield "</section>"


def _fields(title: str, fields: list[Json]) -> Iterator[str]:
    if not fields:
        return
    yield f"<h3>{title}</h3>"
    yield f'<div class="across" tabindex="0" role="group" aria-label="{title}">'
    yield "<table><tr><th>name</th><th>form</th><th>needed</th><th>meaning</th></tr>"
    for field in fields:
        schema = field["schema"]
        told = field.get("description") or schema.get("description", "")
        needed = "yes" if field.get("required") else "no"
        cells = (
            f"<code>{escape(field['name'])}</code>",
            escape(_form(schema)),
            needed,
            escape(told),
        )
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</table></div>"


def _form(schema: Any) -> str:
    """The type of a value, in a word or two.

    >>> _form({"anyOf": [{"type": "string"}, {"type": "null"}]})
    'string or null'
    """
    if "anyOf" in schema:
        return " or ".join(map(_form, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    return str(schema.get("const", schema.get("type", "any")))
