"""Sentences that are read as clues, sentences that are refused, and what is offered instead."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import islice, product
from operator import eq, ge, gt, le, lt
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strongroom.contract import Ambiguous, NotLegal, NotUnderstood, Refusal
from strongroom.contract.refusal import LONGEST_LINE
from strongroom.games.safe_code.clues import CLUES, EVERY, Clue, check_clue
from strongroom.games.safe_code.grammar import LONGEST, grammar, readings
from strongroom.games.safe_code.kinds import KINDS
from strongroom.games.safe_code.reading import CLUE_HELP, parse_clue
from strongroom.games.safe_code.wording import words
from tests.tries import tries

BY_SENTENCE = {str(clue): clue for clue in CLUES}
COMPARED = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq}


def read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def numbers(text: str) -> frozenset[int]:
    """The numbers that a text like `1 4 10-19` lists; none for `vague`."""
    spans = [span.split("-") for span in text.replace("vague", "").split()]
    return frozenset(n for span in spans for n in range(int(span[0]), int(span[-1]) + 1))


def corpus() -> Iterator[tuple[str, str]]:
    """What is meant, and a sentence that means it."""
    meant = ""
    for line in read("clues.txt").splitlines():
        if line.startswith(" "):
            yield from ((meant, sentence) for sentence in line.strip().split(" | "))
        else:
            meant = line.removesuffix(":")


CORPUS = [*corpus()]
REFUSALS, FALSE_OF_18 = (
    [line.split(" => ") for line in block.splitlines()]
    for block in read("clue_refusals.txt").split("\n\n")[1::2]
)
EVERYDAY = [
    [(sentence, numbers(meant)) for sentence, meant in (line.split(" | ") for line in block)]
    for block in map(str.splitlines, read("everyday_clues.txt").split("\n\n"))
]
"""Five lists of 80 sentences that people say, each with the numbers that it means."""
SERVED = ((67, 11), (66, 13), (60, 15), (44, 31), (45, 19))
"""How many of each list are taken, and how many are answered with clues that follow from them.

The last list was written before the words of the fourth were added, and nothing was added for it.
"""


def answer(text: str, code: int | None = None) -> Clue | Refusal:
    try:
        return parse_clue(text, code)
    except Refusal as refusal:
        return refusal


def offered(refusal: Refusal) -> list[Clue]:
    """The clues that a refusal shows; each is a sentence of the table."""
    return [BY_SENTENCE[sentence] for sentence in refusal.accepted.split('"')[1::2]]


# --- the table's own sentences --------------------------------------------------------------------


def test_sentences_of_every_kind_are_read_back_as_their_clue() -> None:
    """The checks that every game passes read all that are true of some codes."""
    for kind, negated in product(KINDS, (False, True)):
        clues = [clue for clue in CLUES if (clue.kind, clue.negated) == (kind.name, negated)]
        some = {*clues[:: len(clues) // 8 + 1], *clues[-1:]}
        assert [clue for clue in some if parse_clue(str(clue)) != clue] == []


@given(
    st.sampled_from(CLUES),
    st.sampled_from(["{}", "  {}  ", '"{}"', "**{}**", "{}.", "\t{}\n", "'{}'", "- {}", "2) {}"]),
    st.sampled_from([str.upper, str.lower, str.title, str.swapcase]),
)
def test_case_and_ornament_never_change_the_meaning(
    clue: Clue, ornament: str, case: Callable[[str], str]
) -> None:
    assert parse_clue(ornament.format(case(str(clue)))) == clue


def test_the_help_fits_a_small_screen_and_shows_a_readable_example_of_every_kind() -> None:
    lines = CLUE_HELP.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    for kind in KINDS:
        shown, brief = Clue(kind.name, kind.example), kind.brief.format(*kind.example)
        assert str(shown) in CLUE_HELP
        assert brief in CLUE_HELP
        assert parse_clue(brief) == shown


# --- lists of sentences ---------------------------------------------------------------------------


def fits(meant: str, said: Clue | Refusal) -> bool:
    """Whether an answer is what the corpus says."""
    if isinstance(said, Refusal):
        return meant == ("senseless" if isinstance(said, NotLegal) else "refused")
    return said.meaning == numbers(meant) if meant[0].isdigit() else str(said) == meant


def test_a_sentence_means_what_people_mean_by_it_and_is_refused_if_it_could_be_misread() -> None:
    heard = [(meant, sentence, answer(sentence)) for meant, sentence in CORPUS]
    assert [(sentence, str(said)) for meant, sentence, said in heard if not fits(meant, said)] == []
    worded = {said.kind for meant, _, said in heard if isinstance(said, Clue) and meant[-1] == "."}
    assert worded == {kind.name for kind in KINDS}


@pytest.mark.parametrize(("sentences", "served"), [*zip(EVERYDAY, SERVED, strict=True)])
def test_what_is_taken_means_what_was_said_and_what_is_offered_is_true(
    sentences: list[tuple[str, frozenset[int]]], served: tuple[int, int]
) -> None:
    assert len(sentences) == 80
    taken = follows = 0
    for sentence, meaning in sentences:
        answers = {code: answer(sentence, code) for code in meaning or EVERY}
        assert all(each.meaning == meaning for each in answers.values() if isinstance(each, Clue))
        offers = [
            (code, offered(each)) for code, each in answers.items() if isinstance(each, Refusal)
        ]
        for code, clues in offers:
            assert clues, sentence
            assert all(code in each.meaning != EVERY - meaning for each in clues), sentence
        shown = [each for _, clues in offers for each in clues]
        taken += bool(meaning) and not offers
        follows += bool(meaning and offers) and all(meaning <= each.meaning for each in shown)
    assert taken + follows >= 64, "four fifths"
    assert (taken, follows) == served


def test_the_denial_of_a_sentence_means_all_other_numbers() -> None:
    said = [sentence for sentences in EVERYDAY for sentence, meaning in sentences if meaning]
    for sentence in (*map(str, CLUES[::43]), *said[::2]):
        plain = sentence.removeprefix("yeah ").removeprefix("nope, ")
        affirmed = {fact.meaning for fact in readings(words(plain))}
        denied = {fact.meaning for fact in readings(words(f"It is not true that {plain}"))}
        assert denied == {EVERY - each for each in affirmed}, plain


def test_a_sentence_that_is_no_clue_is_refused_with_the_reason_and_ones_that_are() -> None:
    told = [(text, answer(text)) for text, _ in REFUSALS]
    assert [[text, f"{type(said).__name__}: {said}"] for text, said in told] == REFUSALS


def test_a_false_clue_is_refused_with_the_truth() -> None:
    told = []
    for text, _ in FALSE_OF_18:
        with pytest.raises(NotLegal) as refusal:
            check_clue(parse_clue(text), 18, [])
        told.append([text, f"NotLegal: {refusal.value}"])
    assert told == FALSE_OF_18


# --- combinations ---------------------------------------------------------------------------------


@tries(0.3)
@given(st.sampled_from(CLUES), st.sampled_from(CLUES))
def test_and_means_the_numbers_of_both_and_or_those_of_either(one: Clue, other: Clue) -> None:
    both, either = (
        {fact.meaning for fact in readings(words(f"{one} {link} {other}".replace(". ", " ")))}
        for link in ("and", "or")
    )
    assert one.meaning & other.meaning in both
    assert one.meaning | other.meaning in either


OPERANDS = st.just("n") | st.integers(0, 31).map(str)


@given(
    OPERANDS, st.lists(st.tuples(st.sampled_from([*COMPARED]), OPERANDS), min_size=1, max_size=4)
)
@example("n", [("<", "5"), ("<", "3")])
@example("n", [(">", "5"), ("<", "10")])
@example("n", [("=", "5"), (">=", "n")])
def test_a_chain_of_comparisons_is_taken_only_for_all_of_its_parts(
    first: str, rest: list[tuple[str, str]]
) -> None:
    sides = [first, *(side for _, side in rest)]
    parts = [*zip(sides, [sign for sign, _ in rest], sides[1:], strict=False)]

    def holds(number: int) -> bool:
        return all(
            COMPARED[sign](*(number if side == "n" else int(side) for side in (one, other)))
            for one, sign, other in parts
        )

    said = answer(" ".join([first, *(part for pair in rest for part in pair)]))
    assert isinstance(said, Refusal) or said.meaning == frozenset(filter(holds, EVERY))


@pytest.mark.parametrize("sentence", ["a factor of 20 but not 5", "a multiple of 6 but not 12"])
def test_an_exception_that_may_be_the_number_itself_is_left_open(sentence: str) -> None:
    assert len(readings(words(sentence))) == 2


# --- what a refusal offers ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["It is 18.", "18", "n = 18", "my number equals eighteen"])
def test_a_sentence_that_names_the_number_is_refused_with_clues_about_it(text: str) -> None:
    with pytest.raises(Ambiguous, match="names a number; say something about it") as refusal:
        parse_clue(text, 18)
    assert '"It is greater than 17."' in refusal.value.accepted


@pytest.mark.parametrize(
    "text",
    [
        "It is 18.", "It's 7", "digit 3", "even and > 10", "square or prime", "an odd prime",
        "my favourite", "less than 31", "not divisible by 31", "it is not evn",
        "The next number is prime", "both digits are even", "the sum of its digits is even",
    ],
)  # fmt: skip
def test_offered_clues_are_true_of_the_code_and_do_not_give_it_away(text: str) -> None:
    for code in EVERY:
        refusal = answer(text, code)
        assert isinstance(refusal, Refusal)
        assert offered(refusal)
        for clue in offered(refusal):
            assert code in clue.meaning, (code, clue)
            assert len(clue.meaning) > 1, (code, clue)


VOCABULARY = [*sorted(grammar().vocabulary - {"$", "!"}), "<", ">=", "=", "²", "n"]
SAID = [word for _, sentence in CORPUS for word in sentence.split()]


@given(
    st.lists(
        st.sampled_from(VOCABULARY) | st.sampled_from(SAID) | st.integers(-1, 32).map(str)
    ).map(lambda some: " ".join(islice(some, 60)))
    | st.tuples(st.text(max_size=30), st.sampled_from(CLUES)).map("{0[0]} {0[1]}".format)
    | st.text(max_size=200),
    st.none() | st.integers(1, 30),
)
@example("\ud800 is even", None)
@example("\x1b[2J\x00even\u202e", 18)
@example("n < " * 49, 18)
@example("9" * LONGEST_LINE, None)
@example("\ufdfa" * LONGEST_LINE, 18)
def test_any_text_is_a_listed_clue_or_a_short_printable_refusal_with_true_ones(
    text: str, code: int | None
) -> None:
    said = answer(text, code)
    if isinstance(said, Clue):
        assert said in CLUES
    else:
        assert isinstance(said, NotUnderstood | NotLegal | Ambiguous)
        assert str(said).isprintable()
        assert len(said.reason) < 120
        assert said.accepted.startswith("Try: ")
        assert all(code is None or code in clue.meaning for clue in offered(said))


# --- effort ---------------------------------------------------------------------------------------


def calls_of(function: Callable[[str], object], text: str) -> int:
    """How many Python functions are called to read a text."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    grammar()  # built once
    sys.setprofile(count)
    try:
        function(text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("some", ["even ", "not ", "9", ".", "("])
def test_an_endless_line_is_refused_before_it_is_read(some: str) -> None:
    line = some * (100_000 // len(some))
    with pytest.raises(NotUnderstood, match="at most 200 characters"):
        parse_clue(line)
    assert calls_of(answer, line) < 100


@pytest.mark.parametrize(
    "words",
    [".", "…", "a,", "digits ", "ﷺ", "5 or ", "not 5 , ", "has 5 , ", "1 or 2 , ", "even , "],
)
def test_the_longest_lines_are_read_in_a_few_steps(words: str) -> None:
    """A server reads them between the moves of others."""
    assert calls_of(answer, (words * LONGEST_LINE)[:LONGEST_LINE]) < 150_000
    assert calls_of(answer, " ".join((words.split() * LONGEST)[:LONGEST])) < 150_000
