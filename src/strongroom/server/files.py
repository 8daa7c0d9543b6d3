"""The page and what else is sent as a file: compressed once, cached by browsers until it changes.

The reference of the HTTP API is a page, too, rendered without scripts of others.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from json import dumps
from pathlib import Path
from string import Template
from typing import Any, Final
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from strongroom.contract import NUMBER_WORDS, Json
from strongroom.games.safe_code.clues import DRAWN, LATER_CLUES
from strongroom.server.linking import link, tight_sheet
from strongroom.server.settings import DEFAULTS, Settings

FOLDER: Final = Path(__file__).parent / "page"
GENERIC: Final = "generic"
"""The board and the emblem of the games that have none of their own."""
BOARDS: Final = frozenset(file.stem for file in FOLDER.glob("boards/*.js")) - {GENERIC}
"""The games that have a board of their own on the page."""
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".map": "application/json",
}
CARD: Final = Template("""\
<li class="card game" data-game="$name">
<div class="shows"><svg class="emblem" aria-hidden="true"$emblem</div>
<h2>$title</h2>
<p>$summary</p>
<div class="row">
<a class="button" href="#bot/$name" aria-label="Play a bot at $title">Play a bot</a>
<a class="button" href="#new/$name" aria-label="Invite a friend to $title">Invite</a>
<noscript><a class="button" href="/rules/$name" aria-label="Rules of $title">Rules</a></noscript>
</div>
</li>
""")
"""A game on the start page."""
BARE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/style.css">
<script src="/page/first.js"></script>
</head>
<body>
<header class="top">
<a class="brand" href="/"><span aria-hidden="true">◆</span> strongroom</a>
</header>
<main id="main"{look}>
{body}</main>
</body>
</html>
"""
"""A page with the same look that needs no script except for the chosen theme."""
NOWHERE: Final = BARE.format(
    title="Not found · strongroom",
    look="",
    body="""<div class="page">
<h1>There is no such page</h1>
<p class="lead soft">The address is mistyped, or what was here is gone.</p>
<a class="button main" href="/">All games</a>
</div>
""",
)
"""What a browser gets for an address that does not exist."""
SHEETS: Final = re.compile(r'<link rel="stylesheet" href="/page/([^"]+)">\n')
"""The style sheets of the page, which are sent as one."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
ALWAYS_ASK: Final = "no-cache"


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str

    def answer(self, request: Request, caching: str) -> Response:
        """The file, or 304 if the browser already has it."""
        headers = {"ETag": self.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.packed, media_type=self.kind, headers=headers)
        return Response(self.plain, media_type=self.kind, headers=headers)


def make_file(kind: str, plain: bytes) -> File:
    """A file with this content, compressed and tagged."""
    tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    return File(kind, plain, gzip.compress(plain, 9, mtime=0), tag)


def _card(game: Json) -> str:
    emblems = FOLDER / "emblems"
    own = emblems / f"{game['name']}.svg"
    texts = {part: escape(game[part]) for part in ("name", "title", "summary")}
    emblem = (own if own.exists() else emblems / f"{GENERIC}.svg").read_text("utf-8")
    return CARD.substitute(texts, emblem=emblem.removeprefix("<svg"))


def _clue_table() -> str:
    """The module with what the page cannot know of Safe Code's clues: `page.d.ts` describes it."""
    later = [(str(clue), sorted(clue.meaning)) for clue in LATER_CLUES]
    return f"export const DRAWN = {dumps([*map(str, DRAWN)])}, LATER = {dumps(later)};\n"


def page_files() -> dict[str, tuple[str, bytes]]:
    """The kind and the content of each of the page's files, the one that is computed included."""
    found = {
        str(file.relative_to(FOLDER)): (TYPES[file.suffix], file.read_bytes())
        for file in sorted(FOLDER.rglob("*"))
        if file.suffix in TYPES
    }
    return found | {"clue-table.js": (TYPES[".js"], _clue_table().encode())}


def joined_files() -> dict[str, tuple[str, bytes]]:
    """The files that a browser loads: modules joined into a few, and style sheets into one."""
    files = page_files()
    loose = {name: files.pop(name)[1] for name in [*files] if name.endswith((".js", ".css"))}
    files["first.js"] = (TYPES[".js"], loose.pop("first.js"))
    modules = {name: data.decode() for name, data in loose.items() if name.endswith(".js")}
    for name, text in link(modules).items():
        files[name] = (TYPES[Path(name).suffix], text.encode())
    kind, index = files["index.html"]
    first, *more = SHEETS.findall(index.decode())
    sheet = "".join(loose[name].decode() for name in (first, *more))
    files[first] = (TYPES[".css"], tight_sheet(sheet).encode())
    once = SHEETS.sub(lambda found: found[0] * (found[1] == first), index.decode())
    return files | {"index.html": (kind, once.encode())}


class PageFiles:
    """The page and its files, under an address that changes when any of them does.

    Under that address they are joined; without it, each file is as it was written.
    """

    def __init__(self, catalog: Json, settings: Settings = DEFAULTS) -> None:
        """Each of the catalog's games gets a card."""
        self._files = {name: make_file(*each) for name, each in page_files().items()}
        self._joined = {name: make_file(*each) for name, each in joined_files().items()}
        tags = "".join(file.tag for file in self._joined.values())
        self.version = hashlib.sha256(tags.encode()).hexdigest()[:12]
        """The part of the files' address that changes with them."""
        cards = [_card(game) for game in catalog["games"]]
        count = dict(enumerate(NUMBER_WORDS)).get(len(cards), str(len(cards))).capitalize()
        self._texts = {
            "count": count,
            "cards": "".join(cards),
            "catalog": dumps(catalog).replace("<", "\\u003c"),
            "icon": self._picture("icon.svg"),
            "turn": self._picture("icon-turn.svg"),
        }
        self._index = lru_cache(settings.cached_start_pages)(self._index_at)

    def _picture(self, name: str) -> str:
        """An address that is the picture itself, so that nothing is fetched for it."""
        return f"data:image/svg+xml,{quote(self._files[name].plain)}"

    def _index_at(self, address: str) -> File:
        """The page at this address, which a link preview needs to find its picture."""
        index = self._joined["index.html"]
        preview = escape(f"{address}page/{self.version}/preview.png")
        filled = Template(index.plain.decode()).substitute(self._texts, preview=preview)
        versioned = filled.replace('"/page/', f'"/page/{self.version}/')
        return make_file(index.kind, versioned.encode())

    def index(self, request: Request) -> Response:
        """The page itself, with the address under which it was asked for."""
        return self._index(str(request.base_url)).answer(request, ALWAYS_ASK)

    def file(self, request: Request, name: str) -> Response:
        """One of its files; if the current version is named, it may be cached for ever.

        A page that was opened before the server was updated gets the current files.
        """
        version, _, rest = name.partition("/")
        found = self._files.get(name) or self._joined.get(rest)
        if found is None:
            raise HTTPException(404, "There is no such file.")
        return found.answer(request, FOR_EVER if version == self.version else ALWAYS_ASK)


def rules_text(title: str, html: str) -> str:
    """The rules of a game as a page of their own, which needs no script."""
    rest = re.sub("<h1>.*?</h1>", "", html, count=1)
    body = f'<div class="page prose">\n<h1>Rules of {escape(title)}</h1>\n{rest}</div>\n'
    return BARE.format(title=f"{escape(title)} · strongroom", look="", body=body)


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
