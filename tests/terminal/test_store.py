"""Saved games and seats: journals intact at every moment, where they lie, what is never touched."""

from __future__ import annotations

import itertools
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starting import Piped

from strongroom.contract import Refusal, Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.record import DamagedRecord, Record, Sitter
from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.store import games
from strongroom.terminal.store.files import CannotSave, games_folder
from strongroom.terminal.store.games import Journal
from strongroom.terminal.store.seats import KeptSeat, load_seats, save_seat
from tests.full_disk import room_for
from tests.terminal.conftest import Strongroom

WRITER = """
import sys
from pathlib import Path
from strongroom.referee.match import Match
from strongroom.plugins.registry import load
from strongroom.terminal.store import games
from strongroom.terminal.store.files import CannotSave, games_folder
from strongroom.terminal.store.games import Journal
match = Match.start(load("digit-deductions"))
file = Path(sys.argv[1])

def play(text):
    global match
    match = match.step(match.actor, match.record.game.move(text))
"""


@pytest.fixture(autouse=True)
def _own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.json"


def played(*moves: str) -> Match:
    # Names whose characters are several bytes each, so that a cut can go through one.
    return after(Match.start(load("digit-deductions"), (Sitter("Zoë"), Sitter("李雷"))), *moves)


def after(match: Match, *moves: str) -> Match:
    for text in moves:
        assert isinstance(match.actor, Seat)
        match = match.step(match.actor, match.record.game.move(text))
    return match


def saved(file: Path, *moves: str) -> Record:
    record = played(*moves).record
    Journal.create(file, record).close()
    return record


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def refused(call: Callable[..., object], *arguments: object) -> str:
    """The one harmless line with which a call refuses."""
    with pytest.raises(Refusal) as refusal:
        call(*arguments)
    line = str(refusal.value)
    assert line.isprintable()
    assert len(line) < 500
    return line


def start(program: str, *arguments: object) -> Piped:
    return Piped([sys.executable, "-c", WRITER + program, *map(str, arguments)])


ELSEWHERE = "The game in '{}' is being played elsewhere. Close it there first."


def test_a_journal_grows_by_the_lines_that_are_new_and_goes_on_where_it_stopped(file: Path) -> None:
    match = played()
    with Journal.create(file, match.record) as journal:
        assert journal.file == file
        for moves in (["4-7"], ["6-5", "1-1"], [], ["3-9"]):
            before = file.read_bytes()
            match = after(match, *moves)
            journal.update(match.record)
            assert file.read_bytes().startswith(before)
            games.save_copy(match.record, file)
            assert file.read_text() == match.record.dumps(), "a copy there changes nothing"
    journal, record = Journal.resume(file)
    assert record == match.record
    with journal:
        match = Match.resume(record).with_hint(Seat.ONE).resign(Seat.ONE)
        journal.update(match.record)
    assert games.read(file) == match.record
    assert os.listdir(file.parent) == [file.name]


def test_an_update_costs_the_same_at_the_end_of_a_long_game(file: Path) -> None:
    """The cost is counted in bytes, so it does not depend on the load of the machine."""
    match = played("4-7", "6-5")
    sizes, real = [], os.pwrite

    def counted(handle: int, data: bytes, place: int) -> int:
        sizes.append(len(data))
        return real(handle, data, place)

    with Journal.create(file, match.record) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pwrite", counted)
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(Record, "lines", None)
        for _ in range(300):
            match = after(match, "1-1")
            journal.update(match.record)
    assert len(sizes) == 300
    assert max(sizes) < 120
    assert games.read(file) == match.record


def test_a_journal_holds_one_game_with_one_course_until_it_is_closed(file: Path) -> None:
    match = played("4-7", "6-5")
    with Journal.create(file, after(match, "1-1").record) as journal:
        for other in (played().record, match.record, after(match, "2-2", "3-3").record):
            assert "Cannot save to" in refused(journal.update, other)
        for call, *arguments in (
            (Journal.resume, file),
            (Journal.create, file, played().record),
            (games.save_copy, played().record, file),
        ):
            assert refused(call, *arguments) == ELSEWHERE.format(file)
    assert games.read(file) == after(match, "1-1").record
    assert "Cannot save to" in refused(journal.update, after(match, "1-1").record)
    Journal.resume(file)[0].close()


def test_of_many_processes_one_begins_in_a_file_and_all_are_indexed(file: Path) -> None:
    program = """
print("ready", flush=True)
sys.stdin.readline()
try:
    journal = Journal.create(file, match.record)
    play("4-7")
    journal.update(match.record)
    print("won", match.record.id, flush=True)
except CannotSave as trouble:
    print(trouble, flush=True)
for number in range(15):
    game = Match.start(match.record.game).record
    Journal.create(games_folder() / f"{sys.argv[2]}-{number}", game).close()
sys.stdin.readline()
"""
    crowd = [start(program, file, each) for each in "abcd"]
    assert {each.stdout.readline() for each in crowd} == {"ready\n"}
    for each in crowd:
        each.stdin.write("go\n")
        each.stdin.flush()
    told = [each.stdout.readline().strip() for each in crowd]
    for each in crowd:
        each.communicate("\n")
        each.close()
    (won,) = [line for line in told if line.startswith("won")]
    assert sorted(told) == sorted([won, *[ELSEWHERE.format(file)] * 3])
    record = games.read(file)
    assert (record.id, len(record.steps)) == (won.split()[1], 1)
    order = [path.name for path in games.list_files()]
    for writer in "abcd":
        own = [name for name in order if name.startswith(writer)]
        assert own == [f"{writer}-{number}" for number in reversed(range(15))]


@pytest.mark.parametrize("seed", range(2))
def test_a_kill_at_any_moment_leaves_all_that_was_acknowledged(file: Path, seed: int) -> None:
    program = """
play("3-7")
play("5-6")
journal = Journal.create(file, match.record)
for _ in range(100_000):
    play("1-1")
    journal.update(match.record)
    print(len(match.record.steps), flush=True)
"""
    rng = Random(seed)
    with start(program, file) as process:
        for _ in range(rng.randrange(1, 200)):
            acknowledged = int(process.stdout.readline())
        assert refused(Journal.resume, file) == ELSEWHERE.format(file)
        time.sleep(rng.random() / 500)  # only to kill at another moment
        process.send_signal(signal.SIGKILL)
        acknowledged = max([acknowledged, *map(int, process.stdout.read().split()[:-1])])
    record = games.read(file)
    assert len(record.steps) >= acknowledged
    assert {str(step.move) for step in record.steps[2:]} <= {"1-1"}
    assert os.listdir(file.parent) == [file.name]
    journal, resumed = Journal.resume(file)
    with journal:
        journal.update(after(Match.resume(resumed), "2-2").record)
    assert len(games.read(file).steps) == len(record.steps) + 1


@pytest.mark.proof
def test_a_cut_or_garbled_end_loses_only_itself(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cuts at every byte behind the header, also in the middle of a line and a character."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    record = saved(file, "4-7", "6-5")
    data = file.read_bytes()
    header = data.index(b"\n")
    for end in (*range(0, header, 7), *range(header - 3, len(data))):
        file.write_bytes(data[:end])
        if end < header:
            assert "is damaged" in refused(Journal.resume, file)
            continue
        journal, resumed = Journal.resume(file)
        with journal:
            whole = data[:end].count(b"\n") - 1 + (data[end : end + 1] == b"\n")
            assert tuple(resumed.entries) == record.entries[:whole]
            assert file.read_bytes().endswith(b"\n")
            assert data.startswith(file.read_bytes())
            journal.update(record)
        assert games.read(file) == record
    # A disk that lost power can leave zeros at the end.
    for rest in (b"\0" * 500, b"\xff\xfe", b"123", b"  ", b'{"a":"\xff"}'):
        file.write_bytes(data + rest)
        assert games.read(file) == record
        Journal.resume(file)[0].close()
        assert file.read_bytes() == data


EARLIER = json.dumps({"schema": 1, "game": "safe-code", "moves": []}, indent=1).encode() + b"\n"


def test_garbage_is_refused_with_what_is_wrong_and_left_as_it_is(file: Path) -> None:
    rubbish = (b"", b"\n\n", b"\xff\n", b"[" * 10**6, b'{"schema":2}\n', b"9" * 9999 + b"\n")
    for content in (*rubbish, EARLIER):
        file.write_bytes(content)
        for call in (games.read, Journal.resume):
            with pytest.raises(DamagedRecord, match=r"is damaged|is not a saved game") as refusal:
                call(file)
        assert file.read_bytes() == content
    earlier = "It has an earlier, unreleased format that can no longer be read."
    assert str(refusal.value) == f"'{file}' is damaged. {earlier}"
    with file.open("wb") as out:
        out.truncate(2**40)
    assert refused(games.read, file) == f"Cannot read '{file}': it is too long, over 16 MiB."
    assert "too long" in refused(Journal.resume, file)
    assert "too long" in refused(Journal.create, file, played().record)


def test_a_full_disk_keeps_whole_lines_and_leaves_no_file_of_a_game_that_cannot_even_begin(
    file: Path,
) -> None:
    moments = [played("4-7", "6-5")]
    for _ in range(20):
        moments.append(after(moments[-1], "1-1"))
    kept, told = 0, set()
    with Journal.create(file, moments[0].record) as journal:
        size = file.stat().st_size
        for room in range(0, 300, 7):
            for moment in (20, kept + 1):
                with room_for(size + room):
                    try:
                        journal.update(moments[moment].record)
                        kept = moment
                    except CannotSave as trouble:
                        told.add(str(trouble))
                assert file.read_text() == moments[kept].record.dumps()
        assert 0 < kept < 20
        assert told == {f"Cannot save to '{file}': File too large."}
        journal.update(moments[20].record)
    assert file.read_text() == moments[20].record.dumps()
    file.unlink()
    with room_for(20):
        refused(Journal.create, file, played().record)
        assert not file.exists()
        file.touch()
        refused(Journal.create, file, played().record)
    assert file.stat().st_size == 0, "a file that was there before is left as it was"
    file.unlink()
    saved(file)


@pytest.mark.parametrize("call", ["fsync", "pwrite"])
def test_an_interrupted_write_is_repeated(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    real = getattr(os, call)

    def interrupted(*arguments: Any) -> None:
        real(*arguments)
        raise KeyboardInterrupt

    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        match = after(match, "6-5")
        with monkeypatch.context() as patch:
            patch.setattr(os, call, interrupted)
            with pytest.raises(KeyboardInterrupt):
                journal.update(match.record)
        match = after(match, "1-1")
        journal.update(match.record)
    assert file.read_text() == match.record.dumps()


def test_a_failing_disk_keeps_the_lines_before(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("4-7")

    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with Journal.create(file, match.record) as journal:
        ahead = after(match, "6-5")
        for calls in (["fsync"], ["fsync", "ftruncate"]):
            with monkeypatch.context() as patch:
                for call in calls:
                    patch.setattr(os, call, broken)
                assert "Input/output error" in refused(journal.update, ahead.record)
        ahead = after(ahead, "1-1")
        journal.update(ahead.record)
    assert file.read_text() == ahead.record.dumps()


def test_a_file_that_is_gone_is_written_again_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "stick" / "a.json"
    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        file.unlink()
        match = after(match, "6-5")
        journal.update(match.record)
        assert games.read(file) == match.record
        file.rename(tmp_path / "moved")
        file.parent.rmdir()
        journal.update(match.record)
        assert games.read(file) == match.record == games.read(tmp_path / "moved")
        assert "elsewhere" in refused(Journal.resume, file)
        file.unlink()
        file.parent.rmdir()
        file.parent.write_text("in the way")
        match = after(match, "1-1")
        assert refused(journal.update, match.record).endswith(": Not a directory.")
        file.parent.unlink()
        journal.update(match.record)
    assert games.read(file) == match.record


def test_a_file_that_another_program_changed_or_replaced_is_left_alone(file: Path) -> None:
    match = played("4-7")
    with Journal.create(file, match.record) as journal:
        with file.open("a") as other:
            other.write("mine\n")
        changed = file.read_bytes()
        match = after(match, "6-5")
        assert "another program has changed the file" in refused(journal.update, match.record)
        assert file.read_bytes() == changed
        file.unlink()
        file.write_text("mine")
        assert "something else" in refused(journal.update, match.record)
        assert file.read_text() == "mine"


def some_games(count: int) -> list[Path]:
    files = [games.new_file("digit-deductions") for _ in range(count)]
    for each in files:
        saved(each)
    return files


def test_games_are_saved_below_the_state_folder_or_whoever_has_none_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert games_folder() == tmp_path / "state" / "strongroom" / "games"
    file = games.new_file("safe-code")
    assert file.parent == games_folder()
    assert "safe-code" in file.name
    monkeypatch.setenv("XDG_STATE_HOME", "relative, and so ignored")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert games_folder() == tmp_path / ".local" / "state" / "strongroom" / "games"
    for home in ("", "not/absolute"):
        monkeypatch.setenv("HOME", home)
        for call in (games_folder, games.list_files, games.latest_unfinished):
            assert "Set XDG_STATE_HOME, or use --save FILE." in refused(call)
        assert "--save FILE" in refused(games.new_file, "safe-code")

    def of_nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(Path, "home", of_nobody)
    assert "There is no home folder to save games in." in refused(games_folder)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o377, 0o777])
def test_files_and_folders_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    file, named = games.new_file("digit-deductions"), tmp_path / "deep" / "er" / "a.json"
    before = os.umask(umask)
    try:
        saved(file)
        record = saved(named, "4-7")
    finally:
        os.umask(before)
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", games_folder()]
    assert [mode(each) for each in (*folders, *named.parents[:2])] == [0o700] * 5
    assert mode(file) == mode(games_folder().parent / "played") == mode(named) == 0o600
    assert games.read(named) == record
    assert games.list_files() == [file], "the named game is in one place only"


def test_existing_folders_keep_their_modes_except_our_own(tmp_path: Path) -> None:
    folders = [tmp_path / "state", tmp_path / "state" / "strongroom", games_folder()]
    games_folder().mkdir(parents=True)
    for each in folders:
        each.chmod(0o755)
    saved(games.new_file("digit-deductions"))
    assert [mode(each) for each in folders] == [0o755, 0o700, 0o700]


NAMES = ["-rf", "a b", " ", "~a", "\x1b[2Jé\n", "a" * 255, "\udcff", "b\n.json"]


def test_a_file_may_have_any_name_also_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in NAMES:
        file = Path(name) if name != "~a" else Path("./~a").absolute()
        record = saved(file, "4-7")
        assert os.listdir(folder) == [name]
        journal, resumed = Journal.resume(file)
        journal.close()
        assert resumed == record
        (folder / name).unlink()
        saved(games_folder() / name)
    assert [path.name for path in games.list_files()] == NAMES[::-1]


def test_files_and_links_are_found_by_tilde_and_symlink(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    record = saved(Path("~/mine/a.json"))
    assert games.read(tmp_path / "mine" / "a.json") == record
    assert games.read(Path("~/mine/a.json")) == record
    assert "Cannot save to" in refused(Journal.create, Path("~nobody-here/a"), record)
    assert "Cannot read" in refused(games.read, Path("~nobody-here/a"))
    link = tmp_path / "link"
    link.symlink_to(file)
    record = saved(link, "4-7")
    assert games.read(file) == record
    assert link.is_symlink()


def test_the_game_last_played_is_so_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = itertools.count(2 * 10**18, -(10**15))
    monkeypatch.setattr(time, "time_ns", lambda: next(now))
    one, two, three = some_games(3)
    assert games.list_files() == [three, two, one]
    assert games.latest_unfinished() == three
    Journal.resume(one)[0].close()
    os.utime(two)
    assert games.list_files() == [one, three, two]
    assert games.latest_unfinished() == one


def test_the_latest_is_unfinished_and_being_looked_at_is_not_being_played(file: Path) -> None:
    assert games.list_files() == []
    none = "There is no unfinished game to resume. Start one: strongroom play GAME"
    assert refused(games.latest_unfinished) == none
    assert not games_folder().exists()
    one, two = some_games(2)
    journal, record = Journal.resume(two)
    with journal:
        journal.update(Match.resume(record).resign(Seat.ONE).record)
    assert games.latest_unfinished() == one
    games.read(one)
    Journal.resume(two)[0].close()
    assert games.latest_unfinished() == one
    saved(file)
    games.save_copy(games.read(one), copy := games_folder() / "zzz.json")
    assert games.list_files() == [two, one, copy], (
        "neither a copy nor a game elsewhere is played last"
    )
    copy.unlink()
    one.unlink()
    assert refused(games.latest_unfinished) == none


def test_things_that_are_not_games_are_skipped_also_in_the_index() -> None:
    (game,) = some_games(1)
    place = games_folder()
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
    assert games.latest_unfinished() == game
    assert {path.name for path in games.list_files()} == {
        game.name,
        "zz-damaged.json",
        "zz-huge.json",
    }


def test_garbage_and_a_cut_line_in_the_index_harm_no_other_line() -> None:
    one, two = some_games(2)
    index = games_folder().with_name("played")
    rubbish = b'\xff\0\n7\n[[[\nnull\n"../../etc/passwd"\n"/etc/passwd"\n""\n"."\n"' + b"x" * 10**6
    index.write_bytes(rubbish + b"\n" + index.read_bytes() + b'"2026')
    Journal.resume(one)[0].close()
    assert games.list_files() == [one, two]
    assert index.read_bytes().startswith(rubbish)


@pytest.mark.parametrize("obstacle", ["folder", "fifo", "/dev/full", "/dev/zero"])
def test_an_unusable_index_does_not_stop_anybody(obstacle: str) -> None:
    index = games_folder().with_name("played")
    index.parent.mkdir(parents=True)
    make = {"folder": index.mkdir, "fifo": lambda: os.mkfifo(index)}
    make.get(obstacle, lambda: index.symlink_to(obstacle))()
    one, two = some_games(2)
    assert games.list_files() == [two, one], "then sorted by name"


def test_other_content_is_never_touched_and_an_empty_file_is_taken(file: Path) -> None:
    told = f"Cannot save to '{file}': the file contains something else. Name another file."
    for content in (b"my diary\n", b"\0" * 99, b"\xff\n", b"\n", b"{", b'{"schema":1}\n'):
        file.write_bytes(content)
        file.chmod(0o644)
        assert refused(Journal.create, file, played().record) == told
        assert refused(games.save_copy, played().record, file) == told
        assert file.read_bytes() == content
        assert mode(file) == 0o644
    file.write_bytes(b"")
    record = saved(file)
    assert games.read(file) == record
    assert mode(file) == 0o600


def test_the_same_game_is_saved_on_and_no_other_game_or_course_of_it(file: Path) -> None:
    match = played("4-7")
    games.save_copy(match.record, file)
    with_two = after(match, "6-5")
    match = after(with_two, "1-1")
    for _ in range(2):
        games.save_copy(match.record, file)
    assert file.read_text() == match.record.dumps()
    for other, what in (
        (played(), "another game"),
        (with_two, "another course of this game"),
        (after(with_two, "2-2"), "another course of this game"),
        (after(with_two, "2-2", "1-1"), "another course of this game"),
    ):
        assert f"the file contains {what}" in refused(games.save_copy, other.record, file)
        assert f"the file contains {what}" in refused(Journal.create, file, other.record)
    assert file.read_text() == match.record.dumps()
    Journal.create(file, after(match, "2-2").record).close()
    assert games.read(file) == after(match, "2-2").record


THINGS = ("/dev/null", "/dev/full", "/dev/zero", "/dev/tty", "/", ".", "fifo", "folder", "loop",
          "socket", "a.json/b", "no\0file", "n" * 300, "n" * 5000, "/proc/nowhere/a")  # fmt: skip


def test_anything_but_a_regular_file_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe is not even opened: a reader would notice that a writer had come and gone."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("a.json").touch()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    reader = os.open("fifo", os.O_RDONLY | os.O_NONBLOCK)
    noticed = select.poll()
    noticed.register(reader, select.POLLIN)
    record = played().record
    for file in map(Path, THINGS):
        for call, *arguments in (
            (Journal.create, file, record),
            (Journal.resume, file),
            (games.save_copy, record, file),
        ):
            assert refused(call, *arguments).startswith(("Cannot save to ", "There is no file "))
        assert refused(games.read, file).startswith(("Cannot read ", "There is no file "))
    assert noticed.poll(0) == []
    os.close(reader)
    assert Path("a.json").stat().st_size == 0


def test_names_are_shown_without_control_characters_and_shortened(tmp_path: Path) -> None:
    file = Path("\x1b" * 10**6)
    told = refused(Journal.create, file, played().record)
    assert told == f"Cannot save to '{'?' * 198}...': File name too long."
    assert "too long" in refused(games.read, file)
    file = tmp_path / "\x1b]0;title\x07\n\u202e"
    assert "?]0;title??" in refused(games.read, file)
    assert "There is no file" in refused(Journal.resume, file)
    file.write_text("rubbish")
    assert "is not a saved game" in refused(games.read, file)
    assert "something else" in refused(Journal.create, file, played().record)
    file.unlink()
    with Journal.create(file, played().record):
        assert "elsewhere" in refused(Journal.resume, file)


ONE = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "a" * 32, "1" * 32), "Safe Code")
TWO = KeptSeat(Link("https://duels.example", LinkKind.PLAY, "b" * 32, "2" * 32), joined="3" * 32)


def test_the_seat_saved_last_comes_first_and_as_it_was_saved_last_whatever_else_is_there(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(ONE, over=True, seed="4" * 32, commitments={1: "c"}, secrets={1: "3-7"})
    for seat in (ONE, TWO, changed):
        save_seat(seat)
    assert load_seats() == [changed, TWO]
    seats = tmp_path / "state" / "strongroom" / "seats"
    assert mode(seats) == 0o600
    seats.unlink()
    save_seat(ONE)
    line = seats.read_text().strip()
    torn = [line[:50], "[]", "1", "\xff", line.replace("play", "watch"), line.replace("null", "7")]
    seats.write_text("\n".join(torn) + "\n")
    save_seat(TWO)
    assert load_seats() == [TWO]
    file.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(file))
    save_seat(ONE)
    assert load_seats() == [], "nothing can be written"


def test_resume_points_to_join_for_a_game_on_a_server(strongroom: Strongroom) -> None:
    save_seat(ONE)
    there = "Safe Code on a server goes on with: strongroom join"
    assert strongroom("resume").refusal == f"No unfinished game is saved here. {there}"
