"""A share of `proofs/lockstep.py`; and that it notices what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lockstep import CASES, Lockstep, lockstep, prove, tasks
from lockstep_sides import Batches, Case, Difference, Shown

from strongroom.plugins.registry import GAMES

PROOF = Path(__file__).parents[2] / "proofs" / "lockstep.py"
SHARE = 200
SHORT = 30
"""A turn limit that some games reach, and that keeps the tests short."""
TESTED = [
    *(Case(game, SHORT) for game in GAMES),
    CASES["safe-cracker attempts=5 digits=4"],
]


def test_all_games_are_among_the_cases() -> None:
    assert {case.game for case in CASES.values()} == set(GAMES)


@pytest.mark.parametrize("case", TESTED, ids=str)
def test_random_games_in_batches_agree_with_the_rules(case: Case) -> None:
    tally = Lockstep(case).play(seed=1, batch=0, games=SHARE)
    assert tally.games == SHARE
    assert (tally.undecided > 0) == (case.turn_limit == SHORT)


class Tampered(Batches):
    """A batch of which one thing is not as it should be, from its fifth move on."""

    spoiled: str

    def play(self, seed: int, batch: int, games: int) -> Any:
        for number, (shown, made) in enumerate(super().play(seed, batch, games)):
            if number < 5:
                yield shown, made
                continue
            if self.spoiled == "allowed":
                yield shown, made._replace(allowed=~made.allowed)
                continue
            value = np.array(getattr(shown, self.spoiled))
            value.flat[-1] = not value.flat[-1]
            yield shown._replace(**{self.spoiled: value}), made


SMALL = Case("safe-cracker", 20)
FEW = 8


@pytest.fixture
def compared() -> Lockstep:
    """A few games, compiled once for all tests."""
    return lockstep(SMALL)


@pytest.mark.parametrize("spoiled", [*Shown._fields, "allowed"])
def test_whatever_differs_is_told(
    compared: Lockstep, spoiled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compared.batches, "__class__", Tampered)
    monkeypatch.setattr(compared.batches, "spoiled", spoiled, raising=False)
    told = "the mask and `step` disagree" if spoiled == "allowed" else spoiled.replace("_", " ")
    where = r"safe-cracker turn_limit=20, seed 3, batch 0, game \d+, after 5 moves of players: "
    with pytest.raises(Difference, match=where + told):
        compared.play(seed=3, batch=0, games=FEW)


class Alone:
    """A pool that works in this process."""

    imap_unordered = map


def test_a_proof_says_what_agreed(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove(SMALL, tasks(SMALL, seed=5, games=FEW), Alone())
    assert "safe-cracker turn_limit=20: 8 games with " in capsys.readouterr().out


def test_the_command_names_its_cases_and_refuses_others() -> None:
    command = [sys.executable, str(PROOF), "--only", "checkers"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "safe-cracker attempts=5 digits=4" in refused.stderr
