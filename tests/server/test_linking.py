"""The page's modules joined into a few files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

from strongroom.server.files import page_files
from strongroom.server.linking import SIXES, TRAILING, link

SOURCES = {
    name: data.decode()
    for name, (_, data) in page_files().items()
    if name.endswith(".js") and name != "first.js"
}
LINKED = link(SOURCES)


def numbers(text: str) -> Iterator[int]:
    """The numbers of a segment of a source map."""
    number = shift = 0
    for sign in text:
        digit = SIXES.index(sign)
        number |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            yield -(number >> 1) if number & 1 else number >> 1
            number = shift = 0


def test_every_line_is_found_in_its_own_file_by_the_source_map() -> None:
    found = set[str]()
    for file in (name for name in LINKED if name.endswith(".js")):
        told = json.loads(LINKED[f"{file}.map"])
        sources = [name.removeprefix("../") for name in told["sources"]]
        at = line = 0
        for text, mapping in zip(
            LINKED[file].splitlines(), told["mappings"].split(";"), strict=True
        ):
            begins, places = list[int](), list[tuple[int, int]]()
            for segment in filter(None, mapping.split(",")):
                right, by, down, _ = numbers(segment)
                at, line = at + by, line + down
                begins.append((begins[-1] if begins else 0) + right)
                places.append((at, line))
            parts = (text[one:two] for one, two in pairwise([*begins, len(text)]))
            for (source, number), part in zip(places, parts, strict=True):
                written = SOURCES[sources[source]].splitlines()[number].strip()
                if not re.search(r"\bm\b|^return ?{.*};$|^\}\)\(\);$", part):
                    bare = TRAILING.sub("", re.sub("^export (default )?", "", written))
                    assert part.replace(" ", "") == bare.replace(" ", "")
        found.update(sources)
    assert found == set(SOURCES)


def test_a_module_is_in_one_file_and_after_all_that_it_needs() -> None:
    sources = {
        "app.js": 'import { b as c } from "./b.js";\nconst later = () => import("./late.js");\n',
        "b.js": "// one\nexport const b = 1; // two\nexport default class B {}\n",
        "late.js": 'import * as b from "./b.js";\nimport "./deep/d.js"; // why\n',
        "deep/d.js": 'export { b } from "../b.js";\n',
    }
    files = {name: text for name, text in link(sources).items() if name.endswith(".js")}
    assert set(files) == {"app.js", "deep-d.js", "late.js"}
    app = files["app.js"].splitlines()
    assert app[2:] == [
        "m.load = async (path) => (await import(HOMES[path]), m[path.slice(2, -3)]);",
        'm["b"] = (() => {const b=1;',
        "class B{}",
        "return {b, default: B};})();",
        'm["app"] = (() => {const{b:c}=m["b"];',
        'const later=()=>m.load("./late.js");',
        "return {};})();",
        "//# sourceMappingURL=app.js.map",
    ]
    assert files["late.js"].startswith('import "./deep-d.js";\nimport { m } from "./app.js";')
    assert 'const{b}=m["b"];\nreturn {b};' in files["deep-d.js"]
