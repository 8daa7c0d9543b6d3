"""The files of the page: read once, packed once, and kept by browsers until they change."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

FOLDER: Final = Path(__file__).parent / "page"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
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
"""A page of the same look that needs no script but for the chosen theme."""
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
"""What a browser gets for an address that leads nowhere."""
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
        """The file, or that the browser has it already."""
        headers = {"ETag": self.tag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.packed, media_type=self.kind, headers=headers)
        return Response(self.plain, media_type=self.kind, headers=headers)


def _file(kind: str, plain: bytes) -> File:
    tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    return File(kind, plain, gzip.compress(plain, 9, mtime=0), tag)


class Page:
    """The page and its files, under an address that changes when any of them does."""

    def __init__(self, folder: Path = FOLDER) -> None:
        found = {
            str(file.relative_to(folder)): (TYPES[file.suffix], file.read_bytes())
            for file in sorted(folder.rglob("*"))
            if file.suffix in TYPES
        }
        everything = b"".join(data for _, data in found.values())
        self.version = hashlib.sha256(everything).hexdigest()[:12]
        """What the address of the files holds."""
        self._files = {name: _file(*each) for name, each in found.items()}
        kind, index = found["index.html"]
        versioned = index.replace(b'"/page/', f'"/page/{self.version}/'.encode())
        self._index = _file(kind, versioned)

    def index(self, request: Request) -> Response:
        """The page itself."""
        return self._index.answer(request, ALWAYS_ASK)

    def file(self, request: Request, name: str) -> Response:
        """One of its files; whoever names the version can keep it for ever.

        A page that was opened before the server changed gets what there is now.
        """
        version, _, rest = name.partition("/")
        found = self._files.get(name) or self._files.get(rest)
        if found is None:
            raise HTTPException(404, "There is no such file.")
        return found.answer(request, FOR_EVER if version == self.version else ALWAYS_ASK)
