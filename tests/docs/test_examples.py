"""The examples on the pages of the documentation run, and print what the pages say."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module, resources
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect
from starting import PATIENCE, surroundings

from docs.whole_games import PLAYED, on_post_build, whole_game
from strongroom import load
from strongroom.contract import Json, Seat
from strongroom.minds.engine import LONGEST_LINE, PROTOCOL, choose_message, new_message, seats
from strongroom.plugins import registry
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.table import Table
from strongroom.terminal.main import main
from strongroom.testing.engine_check import check
from tests.docs.pages import DOCS, named, page, run
from tests.examples.installing import install
from tests.minds.api_server import ApiServer, Deed, Says, in_form
from tests.minds.api_server import asked as question_in
from tests.page.conftest import browser  # noqa: F401

pytestmark = pytest.mark.proof
Written = Callable[[str], Path]
EXAMPLE = DOCS.parent / "examples" / "bluff"
Capsys = pytest.CaptureFixture[str]
PAGE = page("adding-a-game.md")
PROJECT, RULES = (
    PAGE.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("toml", "markdown")
)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Writes the Python code of a page into files, and returns the folder, which is importable.

    A block that begins with `# NAME.py` begins that file; any other continues the last one.
    """

    def write(name: str) -> Path:
        files: dict[str, list[str]] = {}
        file = ""
        for block in re.findall(r"^```python\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE):
            if begins := re.match(r"# (\S+\.py)\n", block):
                file, block = begins[1], block[begins.end() :]
            files.setdefault(file, []).append(block)
        for file, blocks in files.items():
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).write_text("\n\n".join(blocks), encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return tmp_path

    return write


def commanded(line: str) -> None:
    program, *arguments = shlex.split(line)
    assert program == "strongroom"
    assert main(arguments) == 0, line


@pytest.mark.parametrize("name", ["fairness.md", "models.md"])
def test_an_example_on_the_page_prints_the_output_below_it(name: str, capsys: Capsys) -> None:
    examples = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", page(name), re.DOTALL)
    assert len(examples) == page(name).count("```python")
    for code, output in examples:
        run(code)
        assert capsys.readouterr().out == output
    assert name != "fairness.md" or "strongroom" not in examples[0][0]


@pytest.mark.parametrize(
    ("name", "file", "printed"),
    [
        ("adding-a-theory.md", "explore.py", "3/7\n3/7 3/7\n"),
        ("doors.md#Gymnasium", "first_game.py", r"\w+: [+-]\d, given away \d\.\d\d of a win\n"),
        ("doors.md#Gymnasium", "measured_policy.py", r"It gives away 0\.\d\d of a win a game\.\n"),
        ("doors.md#OpenSpiel", "against_master.py", ""),
        ("leaderboard.md", "search.py", r"Safe Cracker +0\.\d+ \(.*\), \d+ % perfect\n"),
    ],
)
def test_the_example_of_a_page_prints_what_it_says(
    name: str, file: str, printed: str, written: Written, capsys: Capsys
) -> None:
    runpy.run_path(str(written(name) / file))
    output = capsys.readouterr().out
    assert re.fullmatch(printed, output) if printed else f"```\n{output}```" in page(name)


def test_the_examples_about_playing_and_measuring_print_what_the_pages_say(capsys: Capsys) -> None:
    (game,) = re.findall(r"```python\n(.*?)```", page("reference.md"), re.DOTALL)
    run(game)
    outcome = r"Outcome\(winner=<Seat\.(ONE|TWO): \d>, reason=<SafeCrackerReason\.CRACKED"
    assert re.match(outcome, capsys.readouterr().out)
    (measured,) = re.findall(r"```python\n(.*?)```", page("measure.md"), re.DOTALL)
    run(measured)
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 5
    assert f"```\n{printed}```" in page("measure.md")


def test_the_complete_example_about_the_arena_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    example = page("arena.md").partition("## A complete example\n")[2].partition("\n## ")[0]
    command, table, code, printed = re.findall(r"```\w*\n(.*?)```", example, re.DOTALL)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    commanded(command)
    assert capsys.readouterr() == (table, "")
    run(code)
    assert capsys.readouterr().out == printed


def test_the_programs_about_pettingzoo_and_mcp_run(written: Written, capsys: Capsys) -> None:
    won = runpy.run_path(str(written("doors.md#PettingZoo") / "against_a_bot.py"))["won"]
    assert won["player_1"] < won["player_2"]
    assert capsys.readouterr().out == f"{won}\n"
    program = [sys.executable, str(written("doors.md#MCP") / "play_over_mcp.py")]
    terms: dict[str, Any] = {"capture_output": True, "text": True, "env": surroundings()}
    ran = subprocess.run(program, check=True, timeout=PATIENCE, **terms)
    assert f"```text\n{ran.stdout}```" in page("doors.md#MCP")


def test_the_commands_about_models_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_legal(body: Json) -> Deed:
        """A legal move, from either set of words."""
        question = question_in(body)
        own, other = re.findall(r"\[ (.) \]", question), re.findall(r"\d:(.)", question)
        empty = [cell in "_-" for cell in own or other]
        replies = re.search("challenge|doubt", question.rpartition("\n")[2])
        return Says(in_form(body, "no" if replies else str(empty.index(True) + 1)))

    (block,) = re.findall(r"```console\n(.*?)```", page("models.md"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with ApiServer(first_legal) as server:
        server.model = "gpt-4o-mini"
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        for line in block.splitlines():
            commanded(line)
    assert server.requests


def test_the_bot_of_the_page_plays_every_game_and_its_test_passes(written: Written) -> None:
    folder = written("adding-a-bot.md")
    test = runpy.run_path(str(folder / "test_fresh_player.py"))
    other = runpy.run_path(str(folder / "any_move.py"))["AnyMove"]
    test["test_it_plays_and_guesses_nothing_twice"]()
    for name in GAMES:
        game = load(name)
        kinds = {Seat.ONE: test["FreshPlayer"], Seat.TWO: other}
        players = {seat: kinds[seat](game, Random(seat.value)) for seat in Seat}
        match = Table(Match.start(game, turn_limit=30, draw=draws(1)), players).run()
        assert match.outcome is not None
        assert match.outcome.detail == ""


def test_the_page_about_theories_shows_the_one_of_the_example_as_it_is(written: Written) -> None:
    file = "strongroom_bluff/theory.py"
    shown = (written("adding-a-theory.md") / file).read_text(encoding="utf-8")
    assert shown == (EXAMPLE / file).read_text(encoding="utf-8")
    point = page("adding-a-theory.md").partition("```toml\n")[2].partition("```")[0].strip()
    assert point in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")


def test_the_engine_of_the_page_is_fine_as_the_page_says(written: Written) -> None:
    command = shlex.join([sys.executable, str(written("engines.md") / "fox.py")])
    report = check(seats(f"{command}?seconds=60"), [load(name) for name in GAMES])
    assert (report.all_faults, report.notes) == ([], [])
    told = page("engines.md")
    assert f"It says hello: {report.name}, protocol {PROTOCOL}." in told
    for played in report.games:
        assert re.search(rf"^{played.game.title} +fine: {played.moves} moves", told, re.MULTILINE)


def test_the_page_lists_the_messages_to_an_engine_and_what_is_in_them() -> None:
    kinds = named("engines.md", "message", "what is in it", "what to do")
    assert kinds == ["hello", "new", "choose", "over", "bye"]
    told = page("engines.md")
    view = Match.start(load("quantum-duel")).view(Seat.ONE)
    for message in (new_message(view, 1), choose_message(view, 10.0)):
        assert [name for name in message if f'"{name}"' not in told] == []
    lines = re.findall(r"^[→←] (.*)", told, re.MULTILINE)
    shown = [json.loads(line.replace("{…}", "{}"))["type"] for line in lines]
    turns = ("choose", "move") * 2
    assert shown == ["hello", "hello", "new", *turns, "over", "bye"]
    assert f"{LONGEST_LINE:,} bytes" in told


@pytest.fixture
def folder(written: Written, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delitem(sys.modules, "higher_lower", raising=False)
    made = written("adding-a-game.md")
    (made / "higher_lower.md").write_text(RULES, encoding="utf-8")
    return made


def test_the_game_of_the_page_keeps_the_contract_in_either_set_of_words(folder: Path) -> None:
    module: Any = import_module("higher_lower")
    game = module.HigherLower()
    tests = runpy.run_path(str(folder / "test_higher_lower.py"))
    its_own = [each for name, each in tests.items() if name.startswith("test_")]
    assert len(its_own) == 3
    for test in its_own:
        test()
    hunt = game.in_words(module.TreasureHunt)
    assert hunt == game
    assert (game.title, hunt.title) == ("Higher or Lower", "Treasure Hunt")
    state = game.start()
    for text in ("3", "8", "5"):
        state = state.play(game.move(text))
    assert hunt.words.say(state.view(None)) == "floor 5, warmer upstairs."
    assert hunt.words.note(state.play(module.ASK).log[-1]) == "by threes, 0 floors are left over"
    end = state.play(game.move("5")).play(game.move("8"))
    assert end.outcome.winner is Seat.ONE
    assert game.words.ending(end.outcome) == "Player 1 found the number."


def test_the_project_of_the_page_installs_with_its_rules_and_names_groups_of_the_registry(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = {*registry.GROUPS.values()}
    assert {*tomllib.loads(PROJECT)["project"]["entry-points"]} < groups
    assert all(group in PAGE for group in groups)
    package = folder / "project" / "higher_lower"
    package.mkdir(parents=True)
    (folder / "higher_lower.py").rename(package / "__init__.py")
    (folder / "higher_lower.md").rename(package / "rules.md")
    (package.parent / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    monkeypatch.syspath_prepend(install(folder / "site", package.parent))
    game = load("higher-lower")
    assert game.rules_page == RULES
    assert registry.words_of(game, "treasure").title == "Treasure Hunt"


def test_the_code_of_the_page_is_typed_and_formatted(folder: Path) -> None:
    config, code = str(DOCS.parent / "pyproject.toml"), str(folder / "higher_lower.py")
    for tool in ("ruff check --config", "ruff format --check --config", "mypy --config-file"):
        command = [sys.executable, "-m", *tool.split(), config, code]
        done = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of what the documentation adds to its pages."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS / "step", folder / "step")
    on_post_build({"site_dir": str(folder)})
    assert not (folder / "page" / "index.html").exists()
    files = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/step/index.html"
        server.shutdown()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_whole_game_that_somebody_wins(name: str) -> None:
    told = whole_game(load(name), *PLAYED[name])
    (end,) = told["frames"][-1]["entries"]
    assert end["end"]["winner"] in (1, 2)
    assert 8 <= len(told["frames"]) <= 20
    assert f"step/index.html?game={name}" in page(f"rules/{name}.md")


def test_a_whole_game_wears_every_style_of_the_page() -> None:
    styles = re.compile(r'rel="stylesheet" href="[./]*(page/\w+\.css)"')
    own = resources.files("strongroom").joinpath("server/page/index.html").read_text("utf-8")
    told = (DOCS / "step" / "index.html").read_text(encoding="utf-8")
    assert styles.findall(told) == styles.findall(own) != []


def test_a_reader_steps_through_every_whole_game(
    site: str,
    browser: Browser,  # noqa: F811
    subtests: pytest.Subtests,
) -> None:
    phone: ViewportSize = {"width": 356, "height": 398}  # the frame's on the first page there
    with browser.new_context(reduced_motion="reduce", viewport=phone) as context:
        reader, errors = context.new_page(), list[str]()
        reader.on("pageerror", lambda error: errors.append(str(error)))
        moment = reader.get_by_role("slider", name="Moment of the game")
        won = re.compile("cracked|guessed|set the safe|chain")
        for name in GAMES:
            with subtests.test(name):
                reader.goto(f"{site}?game={name}")
                expect(moment).to_have_value("0")
                before = reader.locator(".board").inner_html()
                reader.get_by_role("button", name="Play").click()
                expect(moment).to_have_value("1")
                reader.get_by_role("slider", name="Moment of the game").press("End")
                expect(reader.locator(".large")).to_contain_text(won)
                assert reader.locator(".board").inner_html() != before
                assert errors == []
                wide = "each => each.scrollWidth > each.clientWidth"
                wide = f"[...document.querySelectorAll('main, main > p, .replay')].some({wide})"
                for width in (286, 356):  # the narrower one, at 320 pixels
                    reader.set_viewport_size({"width": width, "height": 398})
                    reader.wait_for_function(f"!{wide}")
