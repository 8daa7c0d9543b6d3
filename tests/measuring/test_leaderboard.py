"""Leaderboards: checked reports, ordered as far as their intervals separate them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from docs import make_leaderboard
from strongroom import load, measure
from strongroom.contests.schedule import play_from_seed
from strongroom.contract import Game, Json, Move, Refusal, Seat, View
from strongroom.measuring.leaderboard import Leaderboard, cells, headings, html, people
from strongroom.measuring.reports import check, in_brief, read
from strongroom.minds.dialogue import Dialogue, Message, Reply, TextPlayer, move_answer
from strongroom.minds.settings import Settings
from strongroom.players import Resigns, player
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.referee.record import Record, Sitter
from strongroom.terminal.main import main
from tests.measuring.reports import experiment, report
from tests.measuring.test_page import EVIL, Page


def scored(player: str, low: float, high: float, **settings: object) -> Json:
    found = report(player, score=(low + high) / 2, interval=[low, high])
    return found | ({"experiment": experiment(**settings)} if settings else {})


def test_players_are_ordered_as_far_as_intervals_separate_them_and_told_apart_by_settings() -> None:
    board = Leaderboard()
    board.add(scored("zed", 0.30, 0.45), "checked")
    board.add(scored("model:x", 0.10, 0.20, temperature=0, tries=3), "checked")
    board.add(scored("model:x", 0.40, 0.50, temperature=1, tries=3), "checked")
    ((title, rows),) = board.tables
    assert title == "Quantum Duel"
    assert [(row.rank, row.name) for row in rows] == [
        ("1 to 2", "model:x (temperature=1.0)"),
        ("1 to 2", "zed"),
        ("3", "model:x (temperature=0.0)"),
    ]
    assert cells(rows[1], rows)[2] == "0.375 ± 0.075"
    board.add(scored("model:x?no-scratch", 0.10, 0.20, temperature=0, constrained=True), "checked")
    assert "model:x?no-scratch (temperature=0.0, constrained=true)" in board.names.values()
    assert "model:x (temperature=1.0)" in board.names.values()
    with pytest.raises(Refusal, match="'zed' stands there already at 'Quantum Duel'"):
        board.add(scored("zed", 0.3, 0.4), "checked")
    with pytest.raises(Refusal, match="another opponent or other seats"):
        board.add(report("zed") | {"seats": [1]}, "checked")


def test_form_stands_beside_the_score_if_an_answer_was_no_legal_move() -> None:
    form = {"asked": 200, "first_try": 120, "answered": 180, "cost": 3.0}
    board = Leaderboard()
    told = report("model:x", form={**form, "score": 0.25, "interval": [0.2, 0.3]})
    legal = {"asked": 9, "first_try": 9, "answered": 9, "cost": 0.0, "score": 0.2}
    clean = report("casual", form={**legal, "interval": [0.1, 0.3]}, tokens=None)
    for each in (told, clean):
        board.add(each, "checked")
    ((_, rows),) = board.tables
    assert headings(rows)[-3:] == ["legal, first try", "legal, any try", "answered"]
    shown = {row.name: cells(row, rows)[-3:] for row in rows}
    assert shown == {"casual": ["–", "–", "–"], "model:x": ["60 %", "90 %", "0.250"]}


def test_the_page_needs_nothing_but_itself_and_nothing_in_a_report_becomes_markup() -> None:
    board = Leaderboard()
    board.add(report(EVIL, title=EVIL) | {"experiment": experiment(system=EVIL)}, "checked")
    page = html(board)
    found = Page(page)
    assert not found.tags & {"script", "link", "img", "iframe"}
    assert "://" not in page
    assert len(found.plots) == 1
    assert "\x1b" not in page


class Erratic:
    """Resigns in some games, and fails in others."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        if self._rng.random() < 0.1:
            raise self._rng.choice((Resigns, ZeroDivisionError))
        return self._rng.choice(view.moves)


@cache
def erratic() -> str:
    return json.dumps(measure(Erratic, "quantum-duel", rounds=4, seed=1).to_json())


def test_a_report_in_brief_is_small_and_holds_until_it_is_edited() -> None:
    whole = read(erratic())
    brief = in_brief(whole)
    assert len(json.dumps(brief["moves"])) < len(json.dumps(whole["records"])) / 3
    assert check(read(json.dumps(brief), brief=True)) == []
    with pytest.raises(Refusal, match="in brief, without its games"):
        read(json.dumps(brief))
    edited = json.loads(json.dumps(brief))
    edited["results"]["quantum-duel"]["score"] = 0.9
    (told,) = check(edited)
    assert told.startswith("'results.quantum-duel.score' is 0.9, but ")
    del edited["moves"]["quantum-duel"][2]
    with pytest.raises(Refusal, match="Round 1 in seat 1 at Quantum Duel is missing"):
        check(edited)


def test_a_report_in_brief_of_a_player_who_talks_keeps_what_its_answers_took() -> None:
    def speak(dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        took = Reply(move_answer("2"), tokens_in=100, tokens_out=5, cached_tokens=50)
        return replace(took, reasoning_tokens=2, constrained=False)

    def talker(game: Game, rng: Random) -> TextPlayer:
        return TextPlayer(game, speak, settings=Settings(constrained=True))

    whole = measure(talker, "quantum-duel", rounds=1, seed=1, name="talker").to_json()
    brief = read(json.dumps(in_brief(whole)), brief=True)
    told = brief["results"]["quantum-duel"]
    assert told["unconstrained"] > told["games"]
    assert (told["cached_tokens"], told["untold"]) == (50 * told["unconstrained"], 0)
    assert check(brief) == []


def test_the_command_checks_reports_before_it_ranks_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("brief", "other"):
        (tmp_path / folder).mkdir()
    file, page = tmp_path / "erratic.json", tmp_path / "page.html"
    file.write_text(erratic())
    asked = [str(file), "--html", str(page), "--brief", str(tmp_path / "brief")]
    assert main(["leaderboard", *asked]) == 0
    printed = capsys.readouterr().out
    assert "| 1 | `Erratic` |" in printed
    assert "every game replayed and every figure recomputed" in printed
    assert len(Page(page.read_text()).plots) == 1
    assert main(["leaderboard", str(tmp_path / "brief" / "erratic.json"), "--unchecked"]) == 0
    assert "not checked" in capsys.readouterr().out
    forged = json.loads(erratic())
    forged["results"]["quantum-duel"]["perfect"] = 1.0
    file.write_text(json.dumps(forged))
    assert main(["leaderboard", str(file)]) == 2
    assert "This report does not hold. 'results.quantum-duel.perfect' is" in capsys.readouterr().err


def person_against(opponent: str, seat: Seat, seed: str) -> Record:
    """A game of a person, who plays like casual."""
    game = load("quantum-duel")
    seats = {seat: player("casual", game, Random(1)), seat.other: player(opponent, game, Random(2))}
    mine, other = Sitter("Ada"), Sitter("Bot", opponent)
    sitters = (mine, other) if seat is Seat.ONE else (other, mine)
    return play_from_seed(game, seats, seed, sitters=sitters).record


def test_people_stand_in_a_row_by_records_of_their_games_against_the_certified_player() -> None:
    played = [person_against("master", seat, f"{seat}, {n}") for seat in Seat for n in range(3)]
    found, told = people([*played, person_against("random", Seat.ONE, "other")])
    assert told == "6 games of people, 1 others left out"
    assert found is not None
    board = Leaderboard()
    board.add(found, told)
    ((_, (row,)),) = board.tables
    assert (row.name, row.games[0].games) == ("people", 6)
    assert row.interval[0] <= row.score <= row.interval[1] <= 0.5
    nobody, told = people(played[:3])  # only from one seat
    assert (nobody, told) == (None, "0 games of people, 3 others left out")


def test_the_page_about_the_leaderboard_has_the_tables_of_its_reports() -> None:
    board = make_leaderboard.leaderboard(checked=False)
    assert make_leaderboard.page(board) == make_leaderboard.PAGE.read_text(encoding="utf-8")
    files = [*(make_leaderboard.DOCS / "leaderboard").glob("*.json")]
    assert sum(file.stat().st_size for file in files) < 1_000_000
    players = {each.player for each in board.entries.values()}
    assert players >= {*PLAYERS, "trained"}
    for title, rows in board.tables:
        assert rows[0].rank.startswith("1"), title
        assert "master" in {row.name for row in rows}, title
    assert {game for game, _ in board.games} == {*GAMES}
