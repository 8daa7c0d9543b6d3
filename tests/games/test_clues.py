"""The clues of Safe Code: what each says, and the sentences that are read as one or refused."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby, islice, product
from operator import eq, ge, gt, le, lt
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import strongroom.games.safe_code
from strongroom.contract import Ambiguous, Game, NotLegal, NotUnderstood, Refusal, Seat
from strongroom.contract.refusal import LONGEST_LINE
from strongroom.games.safe_code import kinds
from strongroom.games.safe_code.clues import CLUES, FIRST_CLUES, Clue, check_clue, clues_about
from strongroom.games.safe_code.kinds import KINDS, NUMBERS
from strongroom.games.safe_code.language import LONGEST, grammar, readings
from strongroom.games.safe_code.reading import CLUE_HELP, parse_clue, render_help, words
from strongroom.plugins.registry import load
from strongroom.testing.conformance import check_random_play
from strongroom.testing.playouts import refusal_of
from tests.tries import tries

EVERY = frozenset(NUMBERS)
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
    return [BY_SENTENCE[sentence] for sentence in refusal.accepted.split('"')[1::2]]


def test_the_rule_books_own_clues_are_printed_to_the_letter() -> None:
    texts = {"even": "even", "odd": "odd", "prime": "a prime", "square": "a perfect square"}
    for kind, text in texts.items():
        assert str(Clue(kind)) == f"The number is {text}."
    assert str(Clue("greater", (15,))) == "It is greater than 15."
    assert str(Clue("less", (10,))) == "It is less than 10."
    assert str(Clue("divisible", (3,))) == "It is divisible by 3."
    assert EVERY - Clue("prime").meaning - Clue("composite").meaning == {1}
    assert not Clue("prime").meaning & Clue("composite").meaning


def test_a_clue_holds_for_its_meaning_and_its_contrary_exactly_where_it_is_false() -> None:
    for clue in CLUES:
        assert {number for number in NUMBERS if clue.holds(number)} == clue.meaning
        if clue.kind == "different":
            assert clue.contrary is None
        else:
            assert clue.contrary is not None
            assert clue.contrary.meaning == EVERY - clue.meaning
            assert clue.contrary.contrary == clue


def test_a_clue_without_a_sentence_cannot_be_built() -> None:
    cases: tuple[tuple[Any, ...], ...] = (
        *(("greater",), ("prime", (7,)), ("even", (), True), ("different", (7,), True)),
        *(("nonsense",), ("greater", (15.0,)), ("greater", [15]), ("greater", (True,))),
        ("prime", (), 1),
    )
    for parts in cases:
        with pytest.raises(NotUnderstood, match="No clue can be made of"):
            Clue(*parts)


def test_every_clue_says_something_in_its_own_sentence_and_those_alike_stand_together() -> None:
    assert all(0 < len(clue.meaning) < 30 for clue in CLUES)
    assert len({str(clue) for clue in CLUES}) == len(CLUES) == len(set(CLUES))
    firsts = [next(group) for _, group in groupby(FIRST_CLUES, key=lambda clue: clue.meaning)]
    assert len(firsts) == len({clue.meaning for clue in firsts})
    for clues in (firsts, CLUES[len(FIRST_CLUES) :]):
        order = [[kind.name for kind in KINDS].index(clue.kind) for clue in clues]
        assert order == sorted(order), "in the order of the table"


def test_the_clues_about_a_code_are_the_true_ones_in_order_and_tell_it_from_every_other() -> None:
    for code in NUMBERS:
        assert clues_about(code) == tuple(clue for clue in CLUES if code in clue.meaning)
        assert frozenset.intersection(*(clue.meaning for clue in clues_about(code))) == {code}


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
    lines = render_help([*KINDS, *KINDS[:10]]).splitlines()
    assert len(lines) <= 24, "also with ten more kinds"
    assert max(map(len, lines)) <= 80
    for kind in KINDS:
        shown, brief = Clue(kind.name, kind.example), kind.brief.format(*kind.example)
        assert f"{kind.subject} {kind.says.split()[0]}" in CLUE_HELP
        assert shown.predicate.partition(" ")[2] in CLUE_HELP
        assert brief in CLUE_HELP
        assert parse_clue(brief) == shown


def test_the_rules_page_lists_every_kind_of_the_table_with_its_short_form() -> None:
    lines = [
        f"{Clue(kind.name, kind.example)!s:<42}{kind.brief.format(*kind.example)}" for kind in KINDS
    ]
    assert "\n".join(["```", *lines, "```"]) in load("safe-code").rules_page


def test_a_new_kind_of_clue_is_one_entry_of_the_table_and_moves_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    package, before = "strongroom.games.safe_code", load("safe-code")
    monkeypatch.setattr(strongroom.games, "safe_code", strongroom.games.safe_code)
    for name in [name for name in sys.modules if name.startswith(package)]:
        monkeypatch.delitem(sys.modules, name)
    spec = importlib.util.spec_from_file_location(f"{package}.kinds", kinds.__file__)
    assert spec is not None
    assert spec.loader is not None
    table: Any = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, table)
    spec.loader.exec_module(table)
    table.TESTS["lucky"] = {3, 7, 9, 13, 15, 21, 25}.__contains__
    lucky = ("lucky", "The number", "is a lucky number", "lucky", table.N, ("lucky",))
    lower = ("lower", "It", "is in the lower half", "in lower half", table.N, ("<=", 15))
    for kind in (lucky, lower):
        table.KINDS += (table.Kind(*kind, phrases=kind[3]),)
    game: Game = importlib.import_module(f"{package}.rules").SafeCode()
    for old, new in ((before.actions, game.actions), (before.answers, game.answers)):
        assert [*map(str, new)][: len(old)] == [*map(str, old)]
    assert [str(clue) for clue in game.actions[len(before.actions) :]] == [
        "The number is a lucky number.",
        "The number is not a lucky number.",
        *("It is in the lower half.", "It is not in the lower half."),
    ]
    words, state = game.words, game.start()
    for line in ("7", "not even", "it's lucky", "> 5"):
        state = state.play(words.parse(line, state.view(Seat.ONE)))
    assert str(state.secrets[0][2]) == "The number is a lucky number."
    assert "a lucky number" in importlib.import_module(f"{package}.reading").CLUE_HELP
    for said, offered in (
        ("odd, in lower half", "in the lower half"),
        ("odd, < 16", "less than 16"),
    ):
        refusal = refusal_of(partial(words.parse, said, state.view(Seat.ONE)))
        assert f"It is {offered}." in str(refusal)
    state = game.start().play(game.move("7")).play(game.move("It is at most 15."))
    assert game.move("It is in the lower half.") not in state.moves
    check_random_play(game, Random(1))


def fits(meant: str, said: Clue | Refusal) -> bool:
    if isinstance(said, Refusal):
        return meant == ("senseless" if isinstance(said, NotLegal) else "refused")
    return said.meaning == numbers(meant) if meant[0].isdigit() else str(said) == meant


@pytest.mark.proof
def test_a_sentence_means_what_people_mean_by_it_and_is_refused_if_it_could_be_misread() -> None:
    heard = [(meant, sentence, answer(sentence)) for meant, sentence in CORPUS]
    assert [(sentence, str(said)) for meant, sentence, said in heard if not fits(meant, said)] == []
    worded = {said.kind for meant, _, said in heard if isinstance(said, Clue) and meant[-1] == "."}
    assert worded == {kind.name for kind in KINDS}


@pytest.mark.proof
@pytest.mark.parametrize(("sentences", "served"), [*zip(EVERYDAY, SERVED, strict=True)])
def test_what_is_taken_means_what_was_said_and_what_is_offered_is_true(
    sentences: list[tuple[str, frozenset[int]]], served: tuple[int, int]
) -> None:
    assert len(sentences) == 80
    taken = follows = 0
    for sentence, meaning in sentences:
        answers = {code: answer(sentence, code) for code in meaning or EVERY}
        assert all(each.meaning == meaning for each in answers.values() if isinstance(each, Clue))
        offers = {
            code: offered(each) for code, each in answers.items() if isinstance(each, Refusal)
        }
        for code, clues in offers.items():
            assert clues, sentence
            assert all(code in each.meaning != EVERY - meaning for each in clues), sentence
        shown = [each for clues in offers.values() for each in clues]
        taken += bool(meaning) and not offers
        follows += bool(meaning and offers) and all(meaning <= each.meaning for each in shown)
    assert taken + follows >= 64, "four fifths"
    assert (taken, follows) == served


@pytest.mark.proof
def test_the_denial_of_a_sentence_means_all_other_numbers() -> None:
    said = [sentence for sentences in EVERYDAY for sentence, meaning in sentences if meaning]
    for sentence in (*map(str, CLUES[::43]), *said[::2]):
        plain = sentence.removeprefix("yeah ").removeprefix("nope, ")
        affirmed = {fact.meaning for fact in readings(words(plain))}
        denied = {fact.meaning for fact in readings(words(f"It is not true that {plain}"))}
        assert denied == {EVERY - each for each in affirmed}, plain
    for sentence in ("a factor of 20 but not 5", "a multiple of 6 but not 12"):
        assert len(readings(words(sentence))) == 2, "the exception may be the number itself"


def test_a_sentence_that_is_no_clue_or_is_false_is_refused_as_the_list_says() -> None:
    told = [(text, answer(text)) for text, _ in REFUSALS]
    assert [[text, f"{type(said).__name__}: {said}"] for text, said in told] == REFUSALS
    false = [
        (text, refusal_of(partial(check_clue, parse_clue(text), 18, []))) for text, _ in FALSE_OF_18
    ]
    assert [[text, f"{type(said).__name__}: {said}"] for text, said in false] == FALSE_OF_18


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
@example("n", [("=", "1"), ("=", "1"), ("<", "n")])
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


@pytest.mark.proof
def test_offered_clues_are_true_of_the_code_and_do_not_give_it_away() -> None:
    naming = ("It is 18.", "18", "n = 18", "my number equals eighteen")
    for text in naming:
        with pytest.raises(Ambiguous, match="names a number; say something about it") as named:
            parse_clue(text, 18)
        assert '"It is greater than 17."' in named.value.accepted
    for text, code in product(
        (
            *("It is 18.", "It's 7", "digit 3", "even and > 10", "square or prime", "an odd prime"),
            *("my favourite", "less than 31", "not divisible by 31", "it is not evn"),
            *("The next number is prime", "both digits are even", "the sum of its digits is even"),
        ),
        EVERY,
    ):
        refusal = answer(text, code)
        assert isinstance(refusal, Refusal)
        assert offered(refusal)
        for clue in offered(refusal):
            assert code in clue.meaning, (text, code, clue)
            assert len(clue.meaning) > 1, (text, code, clue)


VOCABULARY = [*sorted(grammar().vocabulary - {"$", "!"}), "<", ">=", "=", "²", "n"]
SAID = [word for _, sentence in CORPUS for word in sentence.split()]


@tries(0.4)
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


def test_an_endless_line_is_refused_before_it_is_read_and_the_longest_ones_take_few_steps() -> None:
    """A server reads them between the moves of others."""
    for some in ("even ", "not ", "9", ".", "("):
        line = some * (100_000 // len(some))
        with pytest.raises(NotUnderstood, match="at most 200 characters"):
            parse_clue(line)
        assert calls_of(answer, line) < 100
    dense = ("has 5 , ", "1 or 2 , ", "even , ")
    for phrase in (".", "…", "a,", "digits ", "ﷺ", "5 or ", "not 5 , ", *dense):
        assert calls_of(answer, (phrase * LONGEST_LINE)[:LONGEST_LINE]) < 150_000
        assert calls_of(answer, " ".join((phrase.split() * LONGEST)[:LONGEST])) < 150_000
