"""Three lists of 80 sentences that people say, each with the numbers that it means."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Refusal
from strongroom.games.safe_code.clues import CLUES, EVERY, Clue
from strongroom.games.safe_code.grammar import readings
from strongroom.games.safe_code.reading import parse_clue
from strongroom.games.safe_code.wording import words

BY_SENTENCE = {str(clue): clue for clue in CLUES}
FILE = Path(__file__).with_name("everyday_clues.txt")


def numbers(text: str) -> frozenset[int]:
    """The numbers that a text like `1 4 10-19` lists; none for `vague`."""
    spans = [span.split("-") for span in text.replace("vague", "").split()]
    return frozenset(n for span in spans for n in range(int(span[0]), int(span[-1]) + 1))


LISTS = [
    [(sentence, numbers(meant)) for sentence, meant in (line.split(" | ") for line in block)]
    for block in map(str.splitlines, FILE.read_text().split("\n\n"))
]
SENTENCES = [pair for sentences in LISTS for pair in sentences]
CLEAR = [(sentence, meaning) for sentence, meaning in SENTENCES if meaning]


def answer(sentence: str, code: int) -> Clue | list[Clue]:
    """The clue that a sentence is taken for, or those that are offered instead."""
    try:
        return parse_clue(sentence, code)
    except Refusal as refusal:
        return [BY_SENTENCE[offered] for offered in refusal.accepted.split('"')[1::2]]


@pytest.mark.parametrize(("sentence", "meaning"), SENTENCES)
def test_what_is_taken_means_what_was_said_and_what_is_offered_is_true(
    sentence: str, meaning: frozenset[int]
) -> None:
    for code in meaning or EVERY:
        match answer(sentence, code):
            case Clue(meaning=taken):
                assert taken == meaning
            case offered:
                assert offered
                assert all(code in clue.meaning for clue in offered)
                assert all(clue.meaning != EVERY - meaning for clue in offered)


@pytest.mark.parametrize("sentences", LISTS, ids=["first", "second", "third"])
def test_four_fifths_are_taken_or_answered_with_what_follows(
    sentences: list[tuple[str, frozenset[int]]],
) -> None:
    served = 0
    for sentence, meaning in sentences:
        answers = [answer(sentence, code) for code in meaning]
        clues = [each for some in answers for each in (some if isinstance(some, list) else [some])]
        served += bool(clues) and all(meaning <= clue.meaning for clue in clues)
    assert len(sentences) == 80
    assert served >= 64


@pytest.mark.parametrize(("sentence", "meaning"), CLEAR)
def test_the_denial_of_a_sentence_means_all_other_numbers(
    sentence: str, meaning: frozenset[int]
) -> None:
    affirmed = {fact.meaning for fact in readings(words(sentence))}
    denied = {fact.meaning for fact in readings(words(f"It is not true that {sentence}"))}
    assert denied == {EVERY - each for each in affirmed}


@given(st.sampled_from(CLUES))
def test_the_denial_of_a_clue_means_all_other_numbers(clue: Clue) -> None:
    facts = readings(words(f"It is not true that {clue}"))
    assert [fact.meaning for fact in facts] == [EVERY - clue.meaning]


@given(st.sampled_from(CLUES), st.sampled_from(CLUES))
def test_and_means_the_numbers_of_both_and_or_those_of_either(one: Clue, other: Clue) -> None:
    both, either = (
        {fact.meaning for fact in readings(words(f"{one} {link} {other}".replace(". ", " ")))}
        for link in ("and", "or")
    )
    assert one.meaning & other.meaning in both
    assert one.meaning | other.meaning in either
