"""`strongroom measure` and `compare`, of bots and of models behind a real endpoint."""

from __future__ import annotations

import json
import re
import signal
from argparse import ArgumentParser
from functools import cache
from pathlib import Path

import pytest

from strongroom import measure
from strongroom.contract import Json
from strongroom.measuring.measure import Measurement, play_games
from strongroom.measuring.protocol import Protocol
from strongroom.measuring.reports import check
from strongroom.minds.dialogue import Style, disguise_of
from strongroom.minds.endpoint import TIMEOUT, Endpoint
from strongroom.minds.model import ModelSeats
from strongroom.plugins.registry import load
from strongroom.terminal.contests import add_spending
from strongroom.terminal.runs import Models
from tests.minds.api_server import KEY, ApiServer, Deed, Fails, Says, asked, in_form
from tests.minds.good_player import answers_perfectly
from tests.terminal.conftest import Ran, SitDown, Strongroom

DUEL = ["--only", "quantum-duel"]


@cache
def measured(player: str) -> str:
    found = measure(player, ["quantum-duel"], rounds=12, seed=1, workers=1)
    return json.dumps(found.to_json())


def test_a_measurement_is_shown_written_and_checked(strongroom: Strongroom, tmp_path: Path) -> None:
    asked = ["measure", "casual", *DUEL, "--rounds", "3"]
    ran = strongroom(*asked, "--json", "casual.json", "--html", "page.html", code=0)
    data = json.loads((tmp_path / "casual.json").read_text())
    found = data["results"]["quantum-duel"]
    assert found.keys() >= {"score", "error", "counted", "counted_error", "ratio", "exact"}
    assert found["exact"] == pytest.approx(0.19745, abs=5e-6)
    assert found["games"] == 6
    assert ran.lines[0] == "casual against master"
    assert f"{found['score']:.3f} (" in ran.out
    assert (tmp_path / "page.html").read_text().count("<svg") > 2
    checked = strongroom("measure", "--check", "casual.json", code=0)
    assert checked.lines == [
        "Every figure follows from the 6 games, and every game from its seed.",
        "Not checked: how long moves took, on which versions of Python and numpy, what a model "
        "thought and what its answers took, what its endpoint said of itself, and when "
        "the seed was drawn.",
    ]
    data["results"]["quantum-duel"]["perfect"] = 1.0
    (tmp_path / "casual.json").write_text(json.dumps(data))
    checked = strongroom("measure", "--check", "casual.json", code=1)
    assert checked.lines[0].startswith("'results.quantum-duel.perfect' is 1.0, but 0.")
    assert checked.lines[-1] == "This report does not hold."


@pytest.mark.proof
def test_two_reports_are_compared_drawn_and_told_apart_by_their_files(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    (tmp_path / "of-today").mkdir()
    for file in ("casual.json", "master.json", "of-today/casual.json"):
        (tmp_path / file).write_text(measured(Path(file).stem))
    ran = strongroom("compare", "casual.json", "master.json", "--html", "both.html")
    assert ran.lines[0] == "casual and master, paired game by game: 24"
    score = r"score +0\.\d{3} +0\.500 +-0\.\d{3} \(-0\.\d{3} to -0\.\d{3}\) +master"
    assert re.search(score, ran.out)
    assert (tmp_path / "both.html").read_text().count("master") > 2
    (found,) = json.loads(strongroom("compare", "casual.json", "master.json", "--json").out)
    assert found["better"] == "master"
    one, two = files = ("casual.json", "of-today/casual.json")
    ran = strongroom("compare", *files)
    assert ran.lines[0] == f"casual ({one}) and casual ({two}), paired game by game: 24"


def test_a_set_of_puzzles_is_put_to_a_player_game_by_game(strongroom: Strongroom) -> None:
    games = ("safe-cracker", "quantum-duel")
    strongroom("puzzles", "export", "--only", *games, "--count", "4", "--output", "set.jsonl")
    ran = strongroom("measure", "master", "--puzzles", "set.jsonl", "--json", "master.json")
    rows = [re.split(r" {2,}| \(", line)[:4] for line in ran.lines[1:4]]
    perfect = [("Safe Cracker", "2"), ("Quantum Duel", "2"), ("all", "4")]
    assert rows == [[*each, "100 %", "0.0"] for each in perfect]
    assert ran.lines[-1] == "Written: master.json"


QUICK = [*DUEL, "--against", "random"]
"""Without the exact worth of every decision, which takes seconds to load."""
TESTER = "model:tester"


def first_cell(body: Json) -> Deed:
    """The lowest empty cell, or no challenge."""
    cells = re.findall(r"\[ (.) \]", asked(body))
    at = cells.index("_") + 1 if "_" in cells else 1
    question = asked(body).rpartition("\n")[2]
    return Says(in_form(body, "no" if "yes" in question.lower() else str(at)))


def is_secret_safe(server: ApiServer, ran: Ran, folder: Path) -> bool:
    """Whether neither key nor address is in what was printed or written."""
    texts = [ran.out, ran.err, *(f.read_text() for f in folder.rglob("*") if f.is_file())]
    return not any(secret in text for text in texts for secret in (KEY, server.address[7:-3]))


@pytest.mark.proof
def test_a_model_that_plays_well_is_measured_and_the_report_holds(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    typed = ["measure", TESTER, *DUEL, "--rounds", "1", "--json", "m.json", "--price", "1/10"]
    with ApiServer(answers_perfectly) as server:
        ran = strongroom(*typed, env=server.environment)
    assert ran.code == 0, ran.err
    assert re.match(r"About [\d,]+ calls with [\d,k]+ tokens in and [\d,k]+ out, about \$", ran.err)
    report = json.loads((tmp_path / "m.json").read_text())
    found = report["results"]["quantum-duel"]
    assert (report["player"], found["perfect"], found["illegal"]) == (TESTER, 1.0, 0)
    assert found["tokens"] == 120 * len(server.requests)
    assert found["money"] == pytest.approx(0.0003 * len(server.requests))
    games = report["records"]["quantum-duel"]
    exchanges = [each for game in games for each in game["transcript"]["exchanges"]]
    assert len(exchanges) == len(server.requests)
    assert {each["reasoning"] for each in exchanges} == {"I know this one."}
    assert is_secret_safe(server, ran, tmp_path)
    holds = "Every figure follows from the 2 games, and every game from its seed."
    assert strongroom("measure", "--check", "m.json").lines[0] == holds


ILLOGICAL: list[tuple[Json, str]] = [
    ({"answered": '{"thinking": "", "move": "7"}'}, "An answer leads to another move."),
    ({"asked": "What now?"}, "Something was asked or refused otherwise."),
    ({"refused": "Because."}, "Something was asked or refused otherwise."),
    ({"tokens_out": 9999}, "did not take what its answers took."),
    ({"cut_off": True}, "is not the game that was talked about."),
    ({"asked": 7}, "exchanges[1].asked: '7' should be a text."),
    ({"seconds": "long"}, "exchanges[1].seconds: 'long' should be a number"),
]
"""What somebody changes in an exchange, and what is said of that."""


@pytest.mark.proof
def test_a_report_whose_exchanges_do_not_lead_to_its_moves_does_not_hold() -> None:
    rubbish = Says("\x1b[2J I think it is \ud800 4.")

    def behaves(body: Json) -> Deed:  # the second game is lost by a third refused answer
        is_first = len(server.requests) == 1
        return rubbish if is_first or "You are Player 2" in asked(body) else first_cell(body)

    with ApiServer(behaves) as server:
        seats = ModelSeats("tester", Style(), Endpoint(server.address, KEY), concurrency=1)
        protocol = Protocol(TESTER, (load("quantum-duel"),), rounds=1, against="random")
        report = json.dumps(Measurement(protocol, play_games(protocol, seats)).to_json())
    assert check(json.loads(report)) == []
    found = json.loads(report)["results"]["quantum-duel"]
    assert (found["forfeits"], found["illegal"]) == (1, 4)
    assert "none of 3 answers was a legal move; the last: Your answer has no move" in report
    data = json.loads(report)
    for each in (*data["results"].values(), *data["records"]["quantum-duel"]):
        del each["tokens_in"], each["tokens_out"], each["untold"]  # as an earlier version wrote it
    assert check(data) == []
    for edit, told in ILLOGICAL:
        data = json.loads(report)
        exchanges = data["records"]["quantum-duel"][0]["transcript"]["exchanges"]
        assert exchanges[0]["refused"]
        exchanges[1] |= edit
        assert told in "\n".join(check(data)), edit
    data = json.loads(report)
    first, second = data["records"]["quantum-duel"]
    del first["transcript"]
    second["transcript"]["style"] = "legal-moves"
    lacking, other = check(data)[:2]
    older = json.loads(report)
    older["records"]["quantum-duel"][0]["transcript"]["opening"] = "The rules, as once told."
    assert "other words than this version of strongroom uses" in check(older)[0]
    assert lacking.endswith("lacks what was said.")
    assert other.endswith("It was put in another style.")


@pytest.mark.proof
@pytest.mark.parametrize(
    ("budget", "larger", "calls"), [("3,000 tokens", "1m-tokens", 25), ("$0.01", "1", 17)]
)
def test_a_run_stops_at_its_budget_and_goes_on_with_a_larger_one(
    strongroom: Strongroom, tmp_path: Path, budget: str, larger: str, calls: int
) -> None:
    asked = ["measure", TESTER, *QUICK, "--rounds", "3", "--json", "m.json", "--parallel", "2"]
    asked += ["--price", "1/10"]
    typed = ["--budget", re.sub("[$,]", "", budget).replace(" ", "-")]
    with ApiServer(first_cell) as server:
        ran = strongroom(*asked, *typed, env=server.environment, code=1)
        assert is_secret_safe(server, ran, tmp_path)
        assert f"The next answer could exceed the budget of {budget}. Give a larger" in ran.err
        (kept,) = map(int, re.findall(r"(\d+) games? kept; the same command goes on", ran.err))
        assert len(server.requests) <= calls
        assert not (tmp_path / "m.json").exists()
        again = strongroom(*asked, *typed, env=server.environment)
        assert "could exceed the budget" in again.err
        assert len(server.requests) <= calls  # what was broken off counts, too
        more = strongroom(*asked, "--budget", larger, env=server.environment)
    assert more.code == 0
    assert not kept or f"Going on after {kept} game" in more.err
    assert len(json.loads((tmp_path / "m.json").read_text())["records"]["quantum-duel"]) == 6


def test_settings_are_told_in_the_report_and_runs_with_others_are_not_mixed(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    (tmp_path / "s.toml").write_text('conversation = "kept"\nlegal_moves = true\ntries = 2\n')
    typed = ["measure", TESTER, *QUICK, "--rounds", "2", "--json", "m.json", "--parallel", "1"]
    asked = ["--settings", "s.toml", "--ask", "temperature=0.5", "--ask", "tries=4"]
    with ApiServer(first_cell) as server:
        env = server.environment
        stopped = strongroom(*typed, *asked, "--budget", "2k-tokens", env=env, code=1)
        assert len(server.requests) > 1
        assert "tester answers by json_schema, streamed.\n" in stopped.err
        other = strongroom(*typed, *asked, "--ask", "top_p=0.5", "--json", "o.json", env=env)
        assert "Going on after" not in other.err
        ran = strongroom(*typed, *asked, env=env, code=0)
    assert "Asked by json_schema, streamed, temperature=0.5, tries=4, conversation=kept" in ran.out
    report = json.loads((tmp_path / "m.json").read_text())
    assert report["player"] == f"{TESTER}?legal-moves"
    experiment = report["experiment"]
    assert experiment["settings"].items() >= {"tries": 4, "conversation": "kept"}.items()
    assert (experiment["served"], experiment["asked"]["form"]) == ("tester", "json_schema")
    spent, found = experiment["spent"], report["results"]["quantum-duel"]
    assert spent["tokens_in"] + spent["tokens_out"] > found["tokens"]  # a game was broken off
    assert (found["tokens_in"], found["untold"]) == (found["tokens"] * 100 // 120, 0)
    assert strongroom("measure", "--check", "m.json", code=0)
    report["experiment"]["settings"]["conversation"] = "fresh"
    report["experiment"]["spent"]["tokens_in"] = 1
    (tmp_path / "m.json").write_text(json.dumps(report))
    checked = strongroom("measure", "--check", "m.json", code=1)
    assert "The whole run took fewer tokens than its games." in checked.out


def test_a_run_begins_if_its_price_is_accepted_and_goes_on_after_an_interruption(
    sit_down: SitDown, tmp_path: Path
) -> None:
    typed = ["measure", TESTER, *QUICK, "--rounds", "8", "--json", "m.json"]
    with ApiServer(first_cell) as server:
        for answer, code in (("no", 4), ("yes", 128 + signal.SIGTERM)):
            terminal = sit_down(*typed, env=server.environment, slow=True)
            terminal.sees("About ", " calls with ", "Begin? (yes/no): ")
            assert not server.requests
            terminal.types(answer)
            if answer == "yes":
                terminal.shows(r"[1-9]\d* of 16")
                terminal.process.kill(signal.SIGTERM)
                terminal.sees(" kept; the same command goes on from there.")
            assert terminal.ends() == code
            assert not (tmp_path / "m.json").exists()
        terminal = sit_down(*typed, "--yes", env=server.environment)
        terminal.sees("Going on after ")
        terminal.shows(f"{TESTER} against random")
        terminal.presses("q")
        terminal.sees("Written: m.json")
        assert terminal.ends() == 0
    assert re.search(rf"{TESTER} against random\n─+\ngame +score", terminal.everything)
    data = json.loads((tmp_path / "m.json").read_text())
    places = {(each["round"], each["seat"]) for each in data["records"]["quantum-duel"]}
    assert (len(places), data["seed_known"], check(data)) == (16, False, [])


@pytest.mark.proof
def test_the_library_that_calls_the_endpoint_logs_no_secret(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    with ApiServer(first_cell) as server:
        env = server.environment | {"OPENAI_LOG": "debug"}  # read when the library is imported
        typed = ["measure", TESTER, *QUICK, "--rounds", "1", "--seats", "1"]
        ran = strongroom(*typed, env=env, afresh=True)
        assert is_secret_safe(server, ran, tmp_path)
    assert ran.code == 0
    assert ran.err.splitlines()[1:] == ["tester answers by json_schema, streamed."]


def test_a_model_is_played_as_the_settings_say_and_again_when_the_game_goes_on(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    typed = ["play", "quantum-duel", "--vs", TESTER, "--seat", "2", "--save", "g.jsonl"]
    (tmp_path / "s.toml").write_text("temperature = 0.5\ntries = 1\nlegal_moves = true\n")
    with ApiServer(first_cell) as server:
        env = server.environment
        strongroom(*typed, "--settings", "s.toml", lines=["quit"], env=env)
        again = ["resume", "g.jsonl", "--trust"]
        strongroom(*again, "--ask", "temperature=1", lines=["7", "quit"], env=env)
        strongroom(*again, lines=["no", "5", "quit"], env=env)
        refused = strongroom(*again, "--ask", "legal_moves=false", env=env).refusal
    sent = [each.get("temperature") for each in server.requests]
    assert (sent[0], sent[-1]) == (0.5, None)
    assert set(sent) == {0.5, 1, None}
    assert "Legal moves:" in asked(server.requests[-1])
    assert refused.startswith("What a model is told is part of the game's record.")


@pytest.mark.proof
def test_a_tournament_of_models_keeps_to_its_budget_and_goes_on(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    def first_listed(body: Json) -> Deed:
        return Says(in_form(body, re.findall(r"Legal moves: (\w+)", asked(body))[-1]))

    typed = ["tournament", "quantum-duel", "--players", TESTER, "random", "--games", "4"]
    typed += ["--disguise", "--legal-moves", "--no-scratch", "--ask", "temperature=0"]
    with ApiServer(first_listed) as server:
        ran = strongroom(*typed, "--budget", "2k-tokens", env=server.environment, code=1)
        assert ran.err.startswith("About ")
        assert "could exceed the budget of 2,000 tokens. Give a larger one to go on." in ran.err
        assert 120 * len(server.requests) <= 2000
        more = strongroom(*typed, "--json", "t.json", env=server.environment)
    assert f"| {TESTER}?disguise&legal-moves&no-scratch |" in more.out
    assert "Forfeited by" not in more.out
    (experiment,) = json.loads((tmp_path / "t.json").read_text())["experiments"].values()
    assert experiment["settings"]["temperature"] == 0
    assert is_secret_safe(server, more, tmp_path)


def test_options_say_how_long_an_answer_may_take_and_how_many_games_are_played_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}.items():
        monkeypatch.setenv(name, value)
    parser = ArgumentParser()
    add_spending(parser)
    assert f"with all retries ({TIMEOUT:g})" in " ".join(parser.format_help().split())
    for typed, told in (([], (TIMEOUT, 8)), (["--timeout", "1", "--parallel", "2"], (1, 2))):
        seats = Models([TESTER, "casual"], parser.parse_args(typed)).seats
        assert [*seats] == [TESTER]
        assert (seats[TESTER].timeout, seats[TESTER].concurrency) == told


def test_puzzles_are_put_to_a_model_in_the_words_of_the_set(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    exported = strongroom(
        *("puzzles", "export", *DUEL, "--count", "3", "--disguise-seed", "k-7"),
        *("--output", "set.jsonl"),
    )
    assert exported.code == 0, exported.err
    puzzles = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text().splitlines()]
    words = disguise_of(load("quantum-duel"), "k-7")
    assert {each["rules"] for each in puzzles} == {words.told_rules}
    right = {
        each["text"]: min(each["moves"], key=lambda move, each=each: each["moves"][move])  # type: ignore[misc]
        for each in puzzles
    }
    typed = ["measure", TESTER, "--puzzles", "set.jsonl", "--json", "m.json", "--parallel", "1"]
    with ApiServer(lambda body: Says(in_form(body, right[asked(body)]))) as server:
        few = strongroom(*typed, "--budget", "1150-tokens", env=server.environment, code=1)
        assert "1,150 tokens. Give a larger one to go on. " in few.err
        ran = strongroom(*typed, env=server.environment)
    assert ran.code == 0, ran.err
    assert re.match(r"Going on after [12] puzzles?, kept in ", ran.err)
    assert re.search(rf"Quantum Duel +{len(puzzles)} +100 %", ran.out)
    assert len(server.requests) == len(puzzles)
    (result,) = json.loads((tmp_path / "m.json").read_text())["results"].values()
    assert [each["exchanges"][0]["asked"] for each in result["transcripts"]] == [*right]
    assert all(puzzles[0]["rules"] in each["opening"] for each in result["transcripts"])


def test_a_person_plays_a_model_and_goes_on_after_the_endpoint_failed(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    works = True

    def behaviour(body: Json) -> Deed:
        return first_cell(body) if works else Fails(401, f"Not {KEY}")

    with ApiServer(behaviour) as server:
        asked = ["play", "quantum-duel", "--vs", TESTER, "--plain", "--seat", "2"]
        works = False
        ran = strongroom(*asked, lines=["4"], env=server.environment, code=1)
        assert "The endpoint refuses the key. Check OPENAI_API_KEY." in ran.out
        assert is_secret_safe(server, ran, tmp_path)
        works = True
        resumed = strongroom(*ran.resume, "--plain", lines=["4", "quit"], env=server.environment)
    assert "tester" in resumed.out
    assert "[ X ] [ _ ] [ _ ] [ O ]" in resumed.out
