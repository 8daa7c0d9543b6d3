"""The values that rules are made of: actions and answers with numbers, options, histories."""

from __future__ import annotations

import pickle
from array import array
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import (
    Actions,
    Answers,
    BadOption,
    Block,
    History,
    Options,
    Phase,
    Refusal,
    Sublist,
    option,
)
from strongroom.contract.history import HistoryFold
from strongroom.games.codes import CodeList, CodeSpace
from strongroom.games.quantum_duel.rules import OBSERVATIONS, REPLIES
from strongroom.games.safe_code.clues import CLUES, LATER_CLUES
from strongroom.games.safe_cracker.rules import SafeCrackerOptions
from strongroom.games.safecracker_duel.rules import SafecrackerDuelOptions
from strongroom.plugins.registry import load, names
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout


def test_the_sections_are_set_up_turn_and_chance_and_every_action_has_one_number() -> None:
    # The numbers of the moves in the set-up, of turns and of chance; how many answers there are.
    last = 1747 + len(LATER_CLUES) if LATER_CLUES else 1746
    numbered = {
        "safecracker-duel": ((range(125), range(125, 140), range(0)), 125),
        "safe-cracker": ((range(27), range(27), range(0)), 4),
        "safe-code": ((range(last), range(1716, 1747), range(0)), 2 + len(CLUES)),
        "digit-deductions": ((range(81), range(81), range(0)), 17),
        "quantum-duel": ((range(0), range(9), range(9, 11)), 4),
    }
    for name, (sections, answers) in numbered.items():
        actions = load(name).actions
        assert tuple(actions.section(phase) for phase in Phase) == sections
        assert len(actions) == max(section.stop for section in sections)
        for number, move in enumerate(actions):
            assert actions.index(move) == number
            assert actions[number] == move
            assert move in actions
        assert len(load(name).answers) == answers
    assert [*load("safe-cracker", digits=9, length=6).answers] == [0, 1, 2, 3, 4, 5, 6]
    both = [str(load("safe-code").actions[number]) for number in range(1716, 1747)]
    assert both == [*map(str, range(1, 31)), "clue"], "one action hides a number and guesses it"


@pytest.mark.parametrize("name", names("game"))
def test_legal_moves_convert_to_ranges_and_masks_and_back(name: str) -> None:
    game = load(name)
    for state in playout(game, Random(3)).states[:30]:
        ranges = game.actions.ranges(state.moves)
        assert list(game.actions.moves_in(ranges)) == list(state.moves)
        assert game.actions.numbers(state.moves) == [*map(game.actions.index, state.moves)]
        mask = game.actions.mask(state.moves)
        assert [game.actions[number] for number in mask.nonzero()[0]] == list(state.moves)


def test_what_is_not_an_action_an_answer_or_a_run_of_actions_has_no_number() -> None:
    actions, answers = load("quantum-duel").actions, Answers([None, 0, 1])
    stranger = load("safe-cracker").move("1-1-1")
    assert stranger not in actions
    with pytest.raises(ValueError, match="not an action"):
        actions.index(stranger)
    with pytest.raises(IndexError):
        actions[11]
    runs: list[Any] = [[1], [None], [[]], [[1]], [[2, 1]], [[-1, 1]], [[0, 12]], [[0.0, 1.0]]]
    for ranges in (*runs, [[True, 2]]):
        with pytest.raises(Refusal, match="not a run of actions"):
            actions.moves_in(ranges)
    assert [answers.index(answer) for answer in (None, 0, 1)] == [0, 1, 2]
    assert 2 not in answers
    with pytest.raises(ValueError, match="not an answer"):
        answers.index(2)
    turn, chance = Phase.TURN, Phase.CHANCE
    first, rest = OBSERVATIONS[:2], OBSERVATIONS[2:]
    with pytest.raises(ValueError, match="do not stand together"):
        Actions(Block(first, turn), Block(REPLIES, chance), Block(rest, turn)).section(turn)


def test_a_lazy_list_equals_the_same_list_made_at_once() -> None:
    space = CodeSpace(3, 4)
    lazy = CodeList(space)
    assert lazy == space.codes
    assert space.codes == lazy
    assert hash(lazy) == hash(space.codes)
    assert list(lazy) == [lazy[i] for i in range(len(lazy))]
    assert lazy[-2:] == space.codes[-2:]
    assert lazy != space.codes[1:]
    assert [lazy.index(code) for code in lazy] == list(range(64))
    with pytest.raises(IndexError):
        lazy[64]


def test_a_sublist_knows_its_numbers_behind_other_blocks_and_without_its_gaps() -> None:
    block = CodeSpace(2, 3).codes
    actions = Actions(Block(REPLIES, Phase.TURN), Block(block, Phase.TURN))
    some = Sublist(block, array("q", (0, 1, 2, 4, 5, 8)))
    assert [*some] == [block[0], block[1], block[2], block[4], block[5], block[8]]
    assert actions.ranges(some) == [(2, 5), (6, 8), (10, 11)]
    assert actions.numbers(some) == [2, 3, 4, 6, 7, 10]
    less = some.without([(1, 2), (4, 6)])
    assert less == (block[0], block[2], block[8])
    assert less[-2:] == (block[2], block[8])
    assert actions.ranges(less) == [(2, 3), (4, 5), (10, 11)]
    assert actions.numbers(less) == [2, 4, 10]
    assert actions.mask(less).nonzero()[0].tolist() == [2, 4, 10]
    assert actions.ranges(some.without([(0, 3), (4, 6), (8, 9)])) == []
    assert [place for place in range(9) if less.has_place(place)] == [0, 2, 8]
    stranger = Sublist(tuple(CodeSpace(2, 3).codes), array("q", (3, 4)))
    assert actions.ranges(stranger) == [(5, 7)], "of another block, and looked up move by move"
    assert actions.mask(stranger).nonzero()[0].tolist() == [5, 6]


def test_the_clues_left_are_those_that_say_something_new() -> None:
    state = after("safe-code", "18", "The number is even.", "It is divisible by 3.")
    left = state.moves
    every = after("safe-code", "18").moves
    said = {frozenset(range(2, 31, 2)), frozenset(range(3, 31, 3))}
    expected = [clue for clue in every if clue.meaning not in said]  # type: ignore[attr-defined]
    assert list(left) == expected
    assert [left[i] for i in range(len(left))] == expected
    assert left[-1] == expected[-1]
    assert [clue for clue in every if clue in left] == expected
    with pytest.raises(IndexError):
        left[len(left)]


def test_json_that_is_not_an_answer_to_the_move_is_refused() -> None:
    odd: tuple[Any, ...] = (True, 1.0, "1", None, -1, 4, [], [[]], {}, float("nan"), 10**5000)
    safes = ([1, 1], [1, 1, 6], [True, 1, 1], [1.0, 1, 1], "1-1-1", [[1, 1, 1]])
    for name, text, values, told in (
        ("safe-cracker", "1-1-1", odd, "not an answer of safe-cracker"),
        ("safecracker-duel", "1 2", safes, "not an answer"),
        ("safe-code", "7", ("The number is even.", 1), "not an? (answer|move)"),
        ("safe-code", "clue", (True, "7"), "not an? (answer|move)"),
    ):
        game = load(name)
        for data in values:
            with pytest.raises(Refusal, match=told):
                game.answer_from_json(game.move(text), data)


@dataclass(frozen=True)
class Sizes(Options):
    size: int = option(3, "how big", low=2, high=5)
    limit: int | None = option(None, "how many", low=1, high=9)
    strict: bool = option(False, "whether it is strict")


@given(st.integers(-(10**19), 10**19))
def test_a_number_is_accepted_exactly_in_its_range(size: int) -> None:
    if 2 <= size <= 5:
        assert Sizes(size=size).size == size
    else:
        with pytest.raises(BadOption, match=f"size must be a number from 2 to 5; you gave {size}"):
            Sizes(size=size)


def test_any_other_value_is_refused_with_the_range_and_quoted_harmlessly() -> None:
    odd: list[Any] = ["\x1b]0;x\x07", "a\nb", "x" * 10**6, [1], {}, 1.5, float("nan")]
    for name, value in product(("size", "limit", "strict"), [*odd, 10**20, -(10**5000)]):
        with pytest.raises(BadOption) as refusal:
            Sizes(**{name: value})
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 100
        if type(value) is int and name != "strict":
            assert "you gave one with more than 20 digits" in str(refusal.value)
    values: dict[tuple[str, Any], str] = {
        **{("size", each): "a number from 2 to 5" for each in (6, None, "3", 3.0)},
        ("limit", 0): "a number from 1 to 9, or none",
        ("strict", 1): "yes or no",
        ("strict", None): "yes or no",
    }
    for (name, value), form in (*values.items(), (("size", True), "a number from 2 to 5")):
        with pytest.raises(BadOption, match=f"^{name} must be {form}; you gave {value}.$"):
            Sizes(**{name: value})
    with pytest.raises(BadOption):
        replace(Sizes(), size=9)


def test_an_unknown_option_is_refused_with_the_options_there_are() -> None:
    for name in ("colour", "name"):
        named = rf"^There is no option '{name}'\. Choose from: digits, length, attempts\.$"
        with pytest.raises(BadOption, match=named):
            load("safe-cracker", **{name: 3})
    with pytest.raises(BadOption, match="This game has none"):
        load("quantum-duel", cells=9)


def test_options_are_typed_as_words() -> None:
    typed: tuple[tuple[dict[str, str], Sizes], ...] = (
        ({}, Sizes()),
        *(({"size": text}, Sizes(size=4)) for text in ("4", " 4 ")),
        *(({"limit": text}, Sizes()) for text in ("none", "Off")),
        ({"limit": "9"}, Sizes(limit=9)),
        *(({"strict": text}, Sizes(strict=True)) for text in ("yes", "TRUE", "on")),
        ({"strict": "no"}, Sizes(strict=False)),
        ({"size": "2", "strict": "true"}, Sizes(size=2, strict=True)),
    )
    assert [Sizes.from_texts(texts) for texts, _ in typed] == [options for _, options in typed]
    for name, text in (
        *(("size", text) for text in ("four", "-4", "", "none", "yes", "9" * 5000)),
        *(("strict", "perhaps"), ("sise", "4")),
    ):
        with pytest.raises(BadOption):
            Sizes.from_texts({name: text})


def test_options_survive_json_and_those_that_are_not_the_defaults_are_named_as_they_are_typed() -> (
    None
):
    for options in (SafeCrackerOptions(4, 5, 6), SafecrackerDuelOptions(True)):
        assert type(options).from_values(options.to_json()) == options
    changed = Sizes(size=4, strict=True).changes()
    assert changed == ["size=4", "strict=True"]
    assert Sizes.from_texts(dict(each.split("=") for each in changed)) == Sizes(size=4, strict=True)
    assert Sizes().changes() == []


def made(items: list[int]) -> History[int]:
    history: History[int] = History()
    for item in items:
        history = history.then(item)
    return history


@given(st.lists(st.integers()))
def test_a_history_reads_like_the_tuple_of_its_items(items: list[int]) -> None:
    history = made(items)
    assert tuple(history) == tuple(items)
    assert tuple(reversed(history)) == tuple(reversed(items))
    assert len(history) == len(items)
    assert [history[i] for i in range(-len(items), len(items))] == items + items
    for part in (slice(None), slice(1, 3), slice(-2, None), slice(5, 2), slice(None, None, -1)):
        assert history[part] == tuple(items[part])
    assert history == made(items) == History(*items)
    assert hash(history) == hash(made(items))


def test_branches_of_one_history_stay_separate() -> None:
    trunk = made([1, 2])
    branches = [trunk.then(item) for item in (3, 4, 5)]
    twigs = [branch.then(9) for branch in branches]
    assert [tuple(each) for each in branches] == [(1, 2, 3), (1, 2, 4), (1, 2, 5)]
    assert [tuple(each) for each in twigs] == [(1, 2, 3, 9), (1, 2, 4, 9), (1, 2, 5, 9)]
    assert tuple(trunk) == (1, 2)
    for place in (2, -3):
        with pytest.raises(IndexError):
            trunk[place]


def test_a_history_begins_with_every_earlier_one_and_with_equal_ones() -> None:
    items = [1, 2, 3, 4]
    histories = [made(items[:n]) for n in range(5)]
    for n, one in enumerate(histories):
        for m, other in enumerate(histories):
            assert one.begins_with(other) == (m <= n)
    assert not made([1, 2, 3]).begins_with(made([1, 3]))
    assert made([1, 2]) not in (made([1, 2, 3]), made([1, 3]), (1, 2))
    assert repr(made([1, 2])) == "History(1, 2)"


class Reads:
    count = 0

    def __eq__(self, other: object) -> bool:
        Reads.count += 1
        return self is other

    __hash__ = object.__hash__


def test_comparing_histories_does_not_read_what_they_share() -> None:
    trunk: History[Reads] = History(*(Reads() for _ in range(1000)))
    last = Reads()
    assert trunk.then(last) == trunk.then(last)
    assert trunk.then(Reads()) != trunk.then(last)
    assert trunk.then(last).begins_with(trunk)
    assert Reads.count <= 2


def test_a_history_of_thousands_of_items_can_be_compared_pickled_and_dropped() -> None:
    long, other = made(list(range(20_000))), made(list(range(20_000)))
    assert long == other
    assert long != other.then(1)
    assert hash(long) == hash(other)
    assert pickle.loads(pickle.dumps(long)) == long
    assert long[-2:] == (19_998, 19_999)
    del long, other


def test_a_fold_reads_each_item_once_unless_another_history_or_moment_is_asked_for() -> None:
    read: list[int] = []

    def step(text: str, item: int) -> str:
        read.append(item)
        return text + str(item)

    fold, history = HistoryFold("", step), History[int]()
    for item in (1, 2, 3):
        history = history.then(item)
        assert fold.after(history) == fold.after(history) == "123"[:item]
    assert read == [1, 2, 3]
    assert fold.after(History(1, 4)) == "14"
    assert fold.after(History(*history[:2])) == "12"
    assert fold.after(history) == "123"
    assert fold.after(History()) == ""


def test_threads_that_extend_one_history_at_once_each_get_their_own() -> None:
    trunk, found = made([0]), dict[int, tuple[int, ...]]()

    def go_on(item: int) -> None:
        history = trunk
        for _ in range(1000):
            history = history.then(item)
        found[item] = tuple(history)

    threads = [Thread(target=go_on, args=(item,)) for item in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {item: (0, *[item] * 1000) for item in (1, 2, 3)}
