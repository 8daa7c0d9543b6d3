"""Sentences that are read as clues, and the help that shows them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.games.safe_code.clues import CLUES, Clue
from strongroom.games.safe_code.kinds import KINDS, Kind
from strongroom.games.safe_code.reading import CLUE_HELP, parse_clue
from tests.games.clue_wordings import UNDERSTOOD, WORDINGS

any_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def test_every_sentence_is_read_back_as_its_clue() -> None:
    assert [clue for clue in CLUES if parse_clue(str(clue)) != clue] == []


@any_kind
def test_the_short_wording_in_the_help_is_read_as_the_example(kind: Kind) -> None:
    assert parse_clue(kind.brief.format(*kind.example)) == Clue(kind.name, kind.example)


@pytest.mark.parametrize(("wording", "sentence"), WORDINGS)
def test_everyday_wordings_are_understood(wording: str, sentence: str) -> None:
    assert str(parse_clue(wording)) == sentence


@any_kind
def test_every_kind_has_everyday_wordings(kind: Kind) -> None:
    assert any(parse_clue(sentence).kind == kind.name for sentence in UNDERSTOOD)


@given(
    st.sampled_from(CLUES),
    st.sampled_from(
        ["{}", "  {}  ", '"{}"', "**{}**", "{}.", "\t{}\n", "'{}'", "- {}", "* {}", "2) {}"]
    ),
    st.sampled_from([str.upper, str.lower, str.title, str.swapcase]),
)
def test_case_and_ornament_never_change_the_meaning(
    clue: Clue, ornament: str, case: Callable[[str], str]
) -> None:
    assert parse_clue(ornament.format(case(str(clue)))) == clue


def test_the_help_fits_a_small_screen() -> None:
    lines = CLUE_HELP.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@any_kind
def test_the_help_shows_an_example_of_every_kind(kind: Kind) -> None:
    assert str(Clue(kind.name, kind.example)) in CLUE_HELP
    assert kind.brief.format(*kind.example) in CLUE_HELP
