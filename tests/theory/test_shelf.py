from __future__ import annotations

import re
from ast import literal_eval
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from strongroom import __version__, load
from strongroom.contract import Refusal
from strongroom.plugins.registry import THEORIES
from strongroom.terminal.main import main
from strongroom.theory import shelf
from strongroom.theory.shelf import DamagedTable
from strongroom.theory.solution import NoTheory, Solution


@pytest.fixture
def other_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(Solution, "tables", tmp_path)
    return tmp_path


def test_all_shipped_tables_together_are_small() -> None:
    assert 0 < sum(file.stat().st_size for file in Solution.tables.iterdir()) < 4_000_000


@pytest.mark.parametrize("name", THEORIES)
def test_every_game_has_a_solution_that_is_loaded_once_and_says_where_it_comes_from(
    name: str,
) -> None:
    game = load(name)
    table, provenance = shelf.read(game)
    assert provenance["command"] == f"strongroom solve {name} --write"
    assert provenance["version"] == __version__
    assert set(provenance) == {"command", "version", "sha256", "lower", "upper"}
    solution = shelf.solution_of(game)
    assert isinstance(solution, Solution)
    assert type(solution) is shelf.solution_type(name)
    assert shelf.fingerprint(solution.table) == provenance["sha256"] == shelf.fingerprint(table)
    assert shelf.solution_of(load(name)) is solution


def test_the_same_table_gives_the_same_file(other_shelf: Path) -> None:
    game = load("quantum-duel")
    table = {"a": np.arange(6).reshape(2, 3), "b": np.array([0.5])}
    files = [other_shelf / name for name in ("one.npz", "two.npz")]
    for file in files:
        shelf.write(game, table, 0.5, 0.5, file)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    "other",
    [
        {"a": np.arange(4)},
        {"b": np.arange(3)},
        {"a": np.arange(3, dtype=np.int16)},
        {"a": np.arange(3).reshape(3, 1)},
    ],
)
def test_a_fingerprint_tells_tables_apart(other: dict[str, np.ndarray]) -> None:
    assert shelf.fingerprint(other) != shelf.fingerprint({"a": np.arange(3)})


def test_a_changed_table_is_refused_for_its_hash(other_shelf: Path) -> None:
    game = load("quantum-duel")
    shelf.write(game, {"a": np.arange(3)}, 0.5, 0.5, shelf.file_of(game))
    with np.load(shelf.file_of(game)) as arrays:
        provenance = arrays["provenance"]
    np.savez_compressed(shelf.file_of(game), a=np.arange(4), provenance=provenance)
    with pytest.raises(DamagedTable, match="hash does not match"):
        shelf.read(game)


@pytest.mark.parametrize("content", [b"", b"no table at all", b"PK\x03\x04"])
def test_a_file_that_is_not_a_table_is_refused(other_shelf: Path, content: bytes) -> None:
    game = load("quantum-duel")
    shelf.file_of(game).write_bytes(content)
    with pytest.raises(DamagedTable, match=r"quantum-duel\.npz is damaged"):
        shelf.read(game)


def test_unsolved_options_are_refused_with_the_solved_ones() -> None:
    with pytest.raises(NoTheory) as refused:
        shelf.solution_of(load("safe-cracker", attempts=9))
    assert refused.value.reason == "Nothing is certified for safe-cracker,attempts=9."
    assert "the default options; digits=4; digits=4 length=4; digits=5;" in refused.value.accepted


def test_the_sentence_about_certified_play_claims_no_more_than_is_proved() -> None:
    for file in Solution.tables.iterdir():
        name, *settings = file.stem.split(",")
        pairs = (setting.split("=") for setting in settings)
        game = load(name, **{key: literal_eval(value) for key, value in pairs})
        assert shelf.is_certified(game)
        lower, upper = (Fraction(shelf.read(game)[1][each]) for each in ("lower", "upper"))
        one, two = re.findall(r"(\d+\.\d) % as Player", shelf.certified(game))
        assert 0 <= lower - Fraction(one) / 100 < Fraction(1, 1000)
        assert 0 <= 1 - upper - Fraction(two) / 100 < Fraction(1, 1000)


@pytest.mark.parametrize("options", [{"attempts": 3}, {"digits": 9, "length": 6}], ids=str)
def test_nothing_is_claimed_for_what_is_not_certified(options: dict[str, int]) -> None:
    game = load("safe-cracker", **options)
    assert not shelf.is_certified(game)
    with pytest.raises(NoTheory, match="Nothing is certified"):
        shelf.certified(game)


def test_a_missing_table_of_a_solved_game_is_refused_with_how_to_make_it(other_shelf: Path) -> None:
    with pytest.raises(NoTheory, match="Create it: strongroom solve quantum-duel --write"):
        shelf.read(load("quantum-duel"))


def test_a_damaged_table_is_one_line_and_exit_code_2_at_the_command_line(
    other_shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(other_shelf))
    (other_shelf / "quantum-duel.npz").write_bytes(b"torn")
    shelf.solution_of.cache_clear()
    assert main(["play", "quantum-duel", "--vs", "master"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "quantum-duel.npz is damaged" in told


def test_a_failed_write_keeps_the_old_table_and_leaves_no_partial_file(
    other_shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("quantum-duel")
    file = shelf.file_of(game)
    shelf.write(game, {"cell": np.array(4)}, 0.5, 0.5, file)
    before = file.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(Refusal, match=r"Cannot write the table quantum-duel\.npz: No space left"):
        shelf.write(game, {"cell": np.array(5)}, 0.5, 0.5, file)
    assert file.read_bytes() == before
    assert list(other_shelf.iterdir()) == [file]
