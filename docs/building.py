"""For `make docs`: what the site shows that the program itself knows.

Options are those of `--help`, figures on the first page those of the pages that measure them, and
the reference has a page for each module that `reference.md` names.
"""

from __future__ import annotations

import ast
import re
from argparse import PARSER, Action
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

import strongroom
from strongroom.plugins.registry import GAMES
from strongroom.terminal.arguments import Parser
from strongroom.terminal.main import build_parser
from strongroom.theory import shelf
from strongroom.version import __version__

DOCS: Final = Path(__file__).resolve().parent
SOURCE: Final = Path(strongroom.__file__).parent.parent
CONTRACT: Final = "strongroom.contract"
BAR: Final = r"\|"  # in a table
MARK: Final = re.compile(r"<!-- (\w+) ([\w-]+) -->")
EXPLAINED: Final = re.compile(r"(?<=\S)(  +)(?=\S)")
OUTSIDE: Final = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]+)\)")
BLOCK: Final = re.compile(r"^::: (\S+)\n((?: +.*\n)*)", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Say which version it is, and list the pages of the reference."""
    config["copyright"] = f"strongroom {__version__}, MIT licensed"
    listed = [{module.removeprefix("strongroom."): page_of(module)} for module in reference()]
    config["nav"][-1] = {"Reference": ["reference.md", *listed]}
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the reference."""
    generated = resolve_name("mkdocs.structure.files:File").generated
    for module, text in reference().items():
        files.append(generated(config, page_of(module), content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Fill in what a page leaves to the program."""
    here = (DOCS / page.file.src_uri).parent
    markdown = OUTSIDE.sub(lambda found: _link(here, *found.groups()), markdown)
    if page.file.src_uri == "reference.md":
        return BLOCK.sub(lambda found: _entry(found[1]), markdown)
    return MARK.sub(lambda found: FILLED[found[1]](found[2]), markdown)


def _link(here: Path, text: str, target: str) -> str:
    """A link to a page, or the text of one to a file that is not on the site."""
    on_site = (here / target).resolve().is_relative_to(DOCS)
    return f"[{text}]({target})" if on_site else text


# --- the reference --------------------------------------------------------------------------------


def reference() -> dict[str, str]:
    """The pages of the reference by module; the contract has one for each of its modules."""
    pages: dict[str, str] = {}
    for name, options in BLOCK.findall((DOCS / "reference.md").read_text(encoding="utf-8")):
        if name == CONTRACT:
            pages |= contract()
        else:
            options = options or "    options:\n"
            block = f"::: {name}\n{options}      show_root_heading: false\n"
            pages[name] = f"# {name}\n\n{block}"
    return pages


def contract() -> dict[str, str]:
    """The public names of the contract by the module that defines them."""
    tree = ast.parse((SOURCE / CONTRACT.replace(".", "/") / "__init__.py").read_text())
    pages: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(CONTRACT):
            names = "\n".join(f"::: {CONTRACT}.{each.name}\n" for each in node.names)
            pages[node.module] = f"# {node.module}\n\nImport from `{CONTRACT}`.\n\n{names}"
    return pages


def page_of(module: str) -> str:
    """The page about a module."""
    return f"reference/{module.removeprefix('strongroom.')}.md"


def _entry(name: str) -> str:
    if name == CONTRACT:
        return "\n".join(_entry(module) for module in contract())
    path = SOURCE / name.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8")) if file.exists() else None
    told = ast.get_docstring(tree) if tree else resolve_name(name).__doc__
    sentence = " ".join((told or "").partition("\n\n")[0].split())
    return f"- [`{name}`]({page_of(name)}): {sentence}\n"


# --- commands -------------------------------------------------------------------------------------


def command(name: str) -> str:
    """What `--help` says about a command: what it does, examples, and its options as a table."""
    (commands,) = (each for each in build_parser()._actions if each.nargs == PARSER)
    parser: Parser = dict(commands.choices or {})[name]
    examples, _, words = (parser.description or "").partition("\n\n")
    lines = [EXPLAINED.sub(r"\1# ", line.strip()) for line in examples.splitlines()[1:]]
    rows = [row for action in parser._actions if (row := _row(parser, action))]
    table = ["| argument | meaning |", "|---|---|", *rows] if rows else []
    return "\n".join([words, "", "```sh", *lines, "```", "", *table])


def _row(parser: Parser, action: Action) -> str:
    if "--help" in action.option_strings:
        return ""
    value = action.metavar or "|".join(map(str, action.choices or ()))
    value = " ".join(value) if isinstance(value, tuple) else value
    if action.nargs == "+":
        value = f"{value} ..."
    names = [f"{each} {value}".strip() for each in action.option_strings] or [value]
    meaning = parser._get_formatter()._expand_help(action) if action.help else ""
    default = action.default
    if isinstance(default, list):
        default = ", ".join(default)
    told = "default" in meaning or f"({default})" in meaning
    if default not in (None, "") and action.nargs != 0 and not told:
        meaning += f"; default: {default}"
    cells = (", ".join(f"`{each}`" for each in names), meaning.replace("*", r"\*"))
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


# --- facts ----------------------------------------------------------------------------------------


def fact(name: str) -> str:
    """A fact of the first page: a headline, and what it means."""
    headline, *words = FACTS[name]()
    return f"<strong>{headline}</strong> {'<br>'.join(words)}"


def solved() -> tuple[str, ...]:
    """How many games are solved, and what each is worth."""
    found = [shelf.read(strongroom.load(name))[1] for name in GAMES]
    exact = [each["lower"] for each in found if each["lower"] == each["upper"]]
    return (
        f"{len(exact)} of {len(found)} games solved",
        "The first player's chance, as a fraction with a proof:",
        " · ".join(exact),
    )


def speed() -> tuple[str, ...]:
    """How fast games in batches are."""
    page = (DOCS / "vector.md").read_text(encoding="utf-8")
    titles = "|".join(strongroom.load(name).title for name in GAMES)
    rates = re.findall(
        rf"^\| (?:{titles}) \| \S+ \| \S+ \| (\S+)e10 \|(?: \S+ \|){{3}}$", page, re.MULTILINE
    )
    (device,) = re.findall(r"^On one (\w+), with JAX", page, re.MULTILINE)
    assert len(rates) == len(GAMES)
    low, *_, high = sorted(rates, key=float)
    where = f"step by step on one {device},"
    return f"{low}–{high} × 10<sup>10</sup> moves a second", where, "a million games in a batch"


def saving() -> tuple[str, ...]:
    """How many games the measure saves, where it saves most."""
    page = (DOCS / "measure.md").read_text(encoding="utf-8")
    row = r"^\| ([A-Z][\w ]+) \| `(\w+)` (?:\| [\d.,]+ ){7}\| ([\d.,]+) \|"
    found = [
        (float(ratio.replace(",", "")), player, game)
        for game, player, ratio in re.findall(row, page, re.MULTILINE)
    ]
    ratio, player, game = max(found)
    words = f"for the same error: {player.title()} at {game},", "luck taken out"
    return f"1 game instead of {ratio:,.0f}", *words


FACTS: Final = {"solved": solved, "speed": speed, "saving": saving}
FILLED: Final = {"command": command, "fact": fact}
