"""The page's modules joined into a few files, so that a board is there after few requests.

A module becomes a function that runs once, after those that it imports; its exports are an entry
of `m`. Comments, indents, spaces around signs and breaks within brackets are left out, and a
source map names each line's own file. Style sheets lose their comments and spaces, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import dumps
from posixpath import dirname, normpath
from typing import Final

Line = tuple[str, int, int]
"""A line as it is sent, the number of its source or -1 for none, and its line there from 0."""
JOINED: Final = {
    "app.js": ("app.js",),
    "board.js": ("board.js", "hero.js", "ledger.js", "boards/"),
    "play.js": ("bot.js", "play.js"),
    "end.js": ("end.js", "verify.js", "endings/"),
    "invite.js": ("invite.js", "qr.js"),
}
"""The modules, or the folder of modules, that each file is for.

A module is in the first file that needs it; one that none of them needs has its own.
"""
COMMENT: Final = re.compile(r"^ *(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)$", re.M | re.S)
TRAILING: Final = re.compile(
    r"(?<=[;,{}(\[>]) // (?:(?![\"`]).)*$|/\*\* @type (?:(?!\*/).)*\*/ ?", re.M
)
"""A comment behind code, or a type within it."""
IMPORT: Final = re.compile(
    r"^(?P<again>import|export) (?:(?P<names>\* as \w+|\{[^}]*\}) from )?"
    r'"(?P<path>[^"]+)";(?: //.*)?$',
    re.M,
)
LATER: Final = re.compile(r"import\([`\"]\./([^`\"$]+)")
"""The path, or the beginning of the paths, of what is imported while the page runs."""
EXPORT: Final = re.compile(
    r"^export (?P<default>default )?(?P<rest>(?:async )?\w+ (?P<name>\w+))", re.M
)
TEXT: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`$]|\$\{[^`{}]*\})*`)""")
"""A string on one line."""
SPACED: Final = re.compile(r" ?([=(){}\[\],;:?<>*&|!]+) ?")
"""Signs around which code needs no space."""
OPENING: Final = tuple("{([,")
"""How a line ends that the next one continues."""
CLOSING: Final = tuple("})].?:&|")
"""How a line begins that continues the one before."""
SHEET_COMMENT: Final = re.compile(r"/\*.*?\*/", re.S)
SHEET_SPACED: Final = re.compile(r" ?([{};,>]) ?|(?<=:) ")
"""Signs around which a style sheet needs no space, and the space after a colon."""
SIXES: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def link(sources: Mapping[str, str]) -> dict[str, str]:
    """The joined files of these modules, of which `app.js` is the first, and their source maps."""
    needs = {path: [*_needs(path, text)] for path, text in sources.items()}
    homes: dict[str, str] = {}
    files: dict[str, list[str]] = {}

    def place(path: str, file: str) -> None:
        if path not in homes:
            homes[path] = file
            for need in needs[path]:
                place(need, file)
            files.setdefault(file, []).append(path)

    for file, parts in JOINED.items():
        for path in sorted(sources):
            if path.startswith(parts):
                place(path, file)
    for path in sorted(sources):
        place(path, path.replace("/", "-"))
    linked: dict[str, str] = {}
    for file, inside in files.items():
        others = dict.fromkeys(homes[need] for path in inside for need in needs[path])
        head = [f'import "./{other}";' for other in others if other not in ("app.js", file)]
        if file == "app.js":
            begins = tuple(LATER.findall("".join(sources.values())))
            later = {path: home for path, home in homes.items() if path.startswith(begins)}
            where = dumps({f"./{path}": f"./{home}" for path, home in later.items()})
            head.append("export const m = {};")
            head.append(f"const HOMES = {where};")
            head.append(
                "m.load = async (path) => (await import(HOMES[path]), m[path.slice(2, -3)]);"
            )
        else:
            head.append('import { m } from "./app.js";')
        lines: list[Line] = [(line, -1, 0) for line in head]
        for number, path in enumerate(inside):
            lines += [(text, number, line) for line, text in _lines(path, sources[path])]
        lines.append((f"//# sourceMappingURL={file}.map", -1, 0))
        rows = _rows(lines)
        linked[file] = "".join("".join(text for text, _, _ in row) + "\n" for row in rows)
        linked[f"{file}.map"] = dumps(
            {
                "version": 3,
                "sources": [f"../{path}" for path in inside],
                "mappings": ";".join(_mappings(rows)),
            }
        )
    return linked


def _target(path: str, named: str) -> str:
    """The path of the module that the one at `path` imports by this name."""
    return normpath(f"{dirname(path)}/{named}").lstrip("/")


def _needs(path: str, text: str) -> Iterator[str]:
    for found in IMPORT.finditer(text):
        yield _target(path, found["path"])


def _lines(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The lines of a module as a function, each with the number of its line in the file from 0."""
    exported: list[str] = []

    def imported(found: re.Match[str]) -> str:
        module = f'm["{_target(path, found["path"]).removesuffix(".js")}"]'
        names = found["names"] or ""
        if found["again"] == "export":
            exported.extend(names.strip("{ }").split(", "))
        if names.startswith("*"):
            names = names.removeprefix("* as ")
        return names and f"const {names.replace(' as ', ': ')} = {module};"

    def bare(found: re.Match[str]) -> str:
        name = found["name"]
        exported.append(f"default: {name}" if found["default"] else name)
        return found["rest"]

    text = TRAILING.sub("", COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text))
    text = EXPORT.sub(bare, IMPORT.sub(imported, text)).replace("import(", "m.load(")
    yield 0, f'm["{path.removesuffix(".js")}"] = (() => {{'
    last = 0
    for last, line in enumerate(text.splitlines()):
        if line.strip():
            yield last, _tight(line.strip())
    yield last, f"return {{{', '.join(exported)}}};"
    yield last, "})();"


def _tight(line: str) -> str:
    """A line of code without spaces around signs; one with a long text or a pattern stays as it is.

    >>> _tight('const { a } = (b) => ({ c: "d = e" });')
    'const{a}=(b)=>({c:"d = e"});'
    >>> _tight('`${a ? `b ${c} d` : ""}`'), _tight("`${a} is ${b}` + c [0]")
    ('`${a ? `b ${c} d` : ""}`', '`${a} is ${b}` + c[0]')
    """
    parts = TEXT.split(line)
    if any(sign in part for part in parts[::2] for sign in "`/"):
        return line
    parts[::2] = [SPACED.sub(r"\1", part) for part in parts[::2]]
    return "".join(parts)


def tight_sheet(text: str) -> str:
    """A style sheet without comments and without spaces that mean nothing.

    >>> tight_sheet('a :is(b, c) > p { /* why */ content: "d, e"; }')
    'a :is(b,c)>p{content:"d, e";}'
    """
    parts = TEXT.split(SHEET_COMMENT.sub("", text))
    for at in range(0, len(parts), 2):
        parts[at] = SHEET_SPACED.sub(r"\1", re.sub(r"\s+", " ", parts[at]))
    return "".join(parts)


def _rows(lines: Iterable[Line]) -> list[list[Line]]:
    """The lines, with those in one row that can be: where a break means nothing to the browser.

    >>> [[text for text, *_ in row] for row in _rows([("f(", 0, 0), ("1", 0, 1), (");", 0, 2)])]
    [['f(', '1', ');']]
    """
    rows: list[list[Line]] = []
    last = ";"
    for line in lines:
        text = line[0]
        if "//" not in last and (last.endswith(OPENING) or text.startswith(CLOSING)):
            rows[-1].append(line)
        else:
            rows.append([line])
        last = text
    return rows


def _mappings(rows: Iterable[Sequence[Line]]) -> Iterator[str]:
    """What a source map says of each row: where in it each line begins, its source and place there.

    >>> [*_mappings([[("a", -1, 0)], [("b(", 0, 0), ("c", 0, 2)], [("d", 1, 1)]])]
    ['', 'AAAA,EAEA', 'ACDA']
    """
    before = (0, 0)
    for row in rows:
        told, at, column = list[str](), 0, 0
        for text, source, line in row:
            if source >= 0:
                steps = at - column, source - before[0], line - before[1], 0
                told.append("".join(map(_sixes, steps)))
                before, column = (source, line), at
            at += len(text)
        yield ",".join(told)


def _sixes(number: int) -> str:
    """A number as in source maps, the lowest five bits first.

    >>> _sixes(0), _sixes(-1), _sixes(16)
    ('A', 'D', 'gB')
    """
    left = abs(number) << 1 | (number < 0)
    text = ""
    while True:
        digit, left = left & 31, left >> 5
        text += SIXES[digit | (32 if left else 0)]
        if not left:
            return text
