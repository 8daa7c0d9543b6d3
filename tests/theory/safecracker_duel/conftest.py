"""The duel as shipped, and the same duel on smaller safes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from strongroom.games.codes import Code, CodeSpace
from strongroom.games.safecracker_duel import rules
from strongroom.games.safecracker_duel.rules import SafecrackerDuel, SafecrackerDuelOptions
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import read


@pytest.fixture(scope="session")
def game() -> SafecrackerDuel:
    return SafecrackerDuel()


@pytest.fixture(scope="session")
def solution(game: SafecrackerDuel) -> SafecrackerDuelSolution:
    """The shipped solution; a test checks that solving gives the same table."""
    return SafecrackerDuelSolution(game, read(game)[0])


@pytest.fixture
def resized() -> Iterator[Callable[..., SafecrackerDuel]]:
    """Makes a game with the same rules and shorter codes or fewer digits."""
    with pytest.MonkeyPatch.context() as patch:

        def resize(length: int, highest: int, same: bool = False) -> SafecrackerDuel:
            codes = CodeSpace(length=length, highest=highest)
            patch.setattr(rules, "CODES", codes)
            patch.setattr(rules, "INITIAL_SAFE", Code((1,) * length))
            changes = product(range(1, length + 1), range(1, highest + 1))
            patch.setattr(rules, "CHANGES", tuple(rules.Change(*each) for each in changes))
            return SafecrackerDuel(SafecrackerDuelOptions(allow_same_digit=same))

        yield resize
