"""The store knows which game was played last, whatever else is in its folder."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from starting import PATIENCE

from strongroom.contract import Seat
from strongroom.referee.match import Match
from strongroom.terminal import store
from strongroom.terminal.store import Journal
from tests.terminal.store.games import command, refused, saved


def some_games(count: int) -> list[Path]:
    """Begin a number of games, one after the other."""
    files = [store.new_file("digit-deductions") for _ in range(count)]
    for each in files:
        saved(each)
    return files


def test_the_game_last_played_is_the_latest_whatever_the_clock_and_the_files_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = itertools.count(2 * 10**18, -(10**15))
    monkeypatch.setattr(time, "time_ns", lambda: next(now))
    one, two, three = some_games(3)
    assert store.played() == [three, two, one]
    assert store.latest_unfinished() == three
    Journal.resume(one)[0].close()
    os.utime(two)
    assert store.played() == [one, three, two]
    assert store.latest_unfinished() == one


def test_the_latest_is_unfinished_and_being_looked_at_is_not_being_played() -> None:
    assert store.played() == []
    none = "There is no unfinished game to resume. Start one: strongroom play GAME"
    assert refused(store.latest_unfinished) == none
    assert not store.folder().exists()
    one, two = some_games(2)
    journal, record = Journal.resume(two)
    with journal:
        journal.update(Match.resume(record).resign(Seat.ONE).record)
    assert store.latest_unfinished() == one
    store.read(one)
    Journal.resume(two)[0].close()
    assert store.latest_unfinished() == one
    one.unlink()
    assert refused(store.latest_unfinished) == none


def test_copies_and_games_elsewhere_are_not_the_game_last_played(file: Path) -> None:
    one, two = some_games(2)
    saved(file)
    store.save_copy(store.read(one), store.folder() / "zzz.json")
    assert store.played() == [two, one, store.folder() / "zzz.json"]


def test_things_that_are_not_games_are_skipped() -> None:
    (game,) = some_games(1)
    place = store.folder()
    os.mkfifo(place / "zz-fifo.json")
    (place / "zz-folder.json").mkdir()
    (place / "zz-damaged.json").write_text("rubbish")
    (place / "zz-zero.json").symlink_to("/dev/zero")
    (place / "zz-loop.json").symlink_to("zz-loop.json")
    (place / ".hidden").write_text("rubbish")
    with (place / "zz-huge.json").open("wb") as out:
        out.truncate(2**40)
    names = [path.name for path in place.iterdir()]
    index = place.with_name("played")
    index.write_bytes(index.read_bytes() + "".join(f"\n{json.dumps(n)}\n" for n in names).encode())
    assert store.latest_unfinished() == game
    found = {path.name for path in store.played()}
    assert found == {game.name, "zz-damaged.json", "zz-huge.json"}


def test_garbage_and_a_cut_line_in_the_index_harm_no_other_line() -> None:
    one, two = some_games(2)
    index = store.folder().with_name("played")
    rubbish = b'\xff\0\n7\n[[[\nnull\n"../../etc/passwd"\n"/etc/passwd"\n""\n"."\n"' + b"x" * 10**6
    index.write_bytes(rubbish + b"\n" + index.read_bytes() + b'"2026')
    Journal.resume(one)[0].close()
    assert store.played() == [one, two]
    assert index.read_bytes().startswith(rubbish)


@pytest.mark.parametrize("obstacle", ["folder", "fifo", "/dev/full", "/dev/zero"])
def test_an_unusable_index_does_not_stop_anybody(obstacle: str) -> None:
    index = store.folder().with_name("played")
    index.parent.mkdir(parents=True)
    make = {"folder": index.mkdir, "fifo": lambda: os.mkfifo(index)}
    make.get(obstacle, lambda: index.symlink_to(obstacle))()
    one, two = some_games(2)
    assert store.played() == [two, one], "then sorted by name"


def test_games_begun_by_several_processes_at_once_are_all_in_the_index() -> None:
    program = """
from strongroom.terminal import store
for number in range(20):
    Journal.create(store.folder() / f"{sys.argv[1]}-{number}", match.record).close()
"""
    crowd = [subprocess.Popen(command(program, each)) for each in "abc"]
    assert [process.wait(PATIENCE) for process in crowd] == [0, 0, 0]
    order = [path.name for path in store.played()]
    for each in "abc":
        own = [name for name in order if name.startswith(each)]
        assert own == [f"{each}-{number}" for number in reversed(range(20))]


def test_odd_names_are_in_the_index_too() -> None:
    names = ["b\n.json", "\x1b[2J", "\udcff", "é ", "-a"]
    for name in names:
        saved(store.folder() / name)
    assert [path.name for path in store.played()] == names[::-1]
