"""The page's own checks find what Python's find."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from strongroom.contract import CHANCE, Seat
from strongroom.games.quantum_duel.rules import COIN
from strongroom.games.safe_code.clues import CLUES
from strongroom.referee.coins import draw_by
from strongroom.referee.fairness import Seen, check, holds, unchecked
from strongroom.referee.record import Record, commit
from tests.network_games import OPTIONS, as_seen, bound_parts, played, seen_of, some_coins
from tests.page.modules import FOLDER, opened_modules

Seeing = dict[str, Any] | None
Changes = Sequence[tuple[int, str]]
"""Places in a text, each with another character for it."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with opened_modules(browser) as page:
        yield page


def verified(
    page: Page, *texts: str, seen: Seeing = None, changes: Changes = ()
) -> list[list[dict[str, Any]]]:
    """The page's checks of each of these records, or of the first with each change.

    The page makes the changes and answers in one text, because that transfers much less.
    """
    found: str = page.evaluate(
        """async ([texts, seen, changes]) => {
            const { verify } = await import("/verify.js");
            const changed = ([place, other]) =>
                texts[0].slice(0, place) + other + texts[0].slice(place + 1);
            const all = changes.length ? changes.map(changed) : texts;
            return JSON.stringify(await Promise.all(all.map((text) => verify(text, seen))));
        }""",
        [texts, seen, changes],
    )
    checks: list[list[dict[str, Any]]] = json.loads(found)
    return checks


def fits(checks: list[dict[str, Any]]) -> bool:
    return all(each["ok"] is not False for each in checks)


def test_the_modules_are_small() -> None:
    for name, most in (("verify.js", 10_000), ("referee.js", 7_000)):
        assert (FOLDER / name).stat().st_size <= most


def test_coins_fall_the_same_in_python_and_in_the_browser(page: Page) -> None:
    random = Random(8)
    throws = [
        (some_coins(random), random.randbytes(16).hex(), random.randrange(1, 10_000))
        for _ in range(500)
    ]
    fallen = page.evaluate(
        """async (throws) => {
            const { coin } = await import("/verify.js");
            return Promise.all(throws.map((each) => coin(...each)));
        }""",
        [[coins.to_json(), game_id, number] for coins, game_id, number in throws],
    )
    due = [
        str(draw_by(coins, game_id)(number, COIN, (0.5, 0.5))) for coins, game_id, number in throws
    ]
    assert fallen == due
    assert {"heads", "tails"} == set(due)


def test_every_clue_means_the_same_in_python_and_in_the_browser(page: Page) -> None:
    meanings = page.evaluate(
        """async (clues) => {
            const { fitting } = await import("/clues.js");
            return clues.map(fitting);
        }""",
        [str(clue) for clue in CLUES],
    )
    assert meanings == [sorted(clue.meaning) for clue in CLUES]


@pytest.mark.parametrize(
    "sentence",
    ["", "It is.", "It is even", " It is odd.", "The number is not even.", "It is less than 31."],
)
def test_a_clue_that_python_does_not_know_is_refused(page: Page, sentence: str) -> None:
    lines = lines_of(played("safe-code", 1))
    lines[2] |= {"move": sentence, "commitment": commit(lines[2]["nonce"], sentence)}
    (checks,) = verified(page, text_of(lines))
    assert [each["ok"] for each in checks[1:3]] == [True, False]


@pytest.mark.parametrize("name", OPTIONS)
def test_a_game_as_it_was_played_passes_the_browsers_checks_too(page: Page, name: str) -> None:
    for options in OPTIONS[name]:
        for seed in range(8):
            record = played(name, seed, options)
            for seat in (None, Seat.ONE):
                (found,) = verified(page, record.dumps(), seen=seen_of(record, seat))
                due = check(record, as_seen(record, seat))
                assert [(each["check"], each["ok"]) for each in found] == [
                    (each.name, each.ok) for each in due
                ], found


def lines_of(record: Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.dumps().splitlines()]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_a_switch_of_the_aids_is_an_entry_for_both(page: Page) -> None:
    lines = lines_of(played("quantum-duel", 1))
    lines.insert(2, {"aids": True})
    (found,) = verified(page, text_of(lines))
    assert [each["ok"] for each in found] == [each.ok for each in check(text_of(lines))]
    assert fits(found)


def turned(value: Any) -> Any:
    """Another value of the same form, about one byte away."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return [turned(value[0]), *value[1:]]
    if value is None:
        return 1
    last = "1" if value[-1:] == "0" else "0"
    return value[:-1] + last


@pytest.mark.parametrize("name", OPTIONS)
def test_one_changed_byte_in_any_kind_of_field_is_found_by_both(page: Page, name: str) -> None:
    record = played(name, 1)
    seen = seen_of(record)
    forged: dict[str, str] = {}
    for number, line in enumerate(lines_of(record)):
        kind = next((key for key in ("step", "hint", "end") if key in line), "header")
        kind += " private" if "keeper" in line else ""
        target = line["end"] if kind == "end" else line
        parts = {"header": ["schema", "id", "game"]}.get(kind, [*target])
        for part in set(parts) - {"time"}:
            lines = lines_of(record)
            place = lines[number]["end"] if kind == "end" else lines[number]
            place[part] = turned(place[part])
            forged.setdefault(f"{kind} {part}", text_of(lines))
    for part in ("hash", "seeds", "seed"):
        lines = lines_of(record)
        lines[0]["coins"][part] = turned(lines[0]["coins"][part])
        forged[f"coins {part}"] = text_of(lines)
    found = verified(page, *forged.values(), seen=seen)
    missed = [kind for kind, checks in zip(forged, found, strict=True) if fits(checks)]
    assert missed == []
    told = Seen.from_json(seen)
    assert [kind for kind, text in forged.items() if holds(check(text, told))] == []
    assert len(forged) > 12


@pytest.mark.parametrize("name", OPTIONS)
def test_the_browser_finds_any_changed_character_that_matters(page: Page, name: str) -> None:
    record, random = played(name, 2), Random(name)
    text, told = record.dumps(), as_seen(record)
    bound = bound_parts(text)
    assert text.isascii(), "Python and the browser count characters the same way"
    changes = [
        (random.randrange(len(text)), random.choice('0123456789abcdef "{}[]:,-\n\\'))
        for _ in range(400)
    ]
    found = verified(page, text, seen=seen_of(record), changes=changes)
    for (place, other), checks in zip(changes, found, strict=True):
        changed = text[:place] + other + text[place + 1 :]
        if holds(check(changed, told)):  # the browser refuses nothing that Python accepts
            assert fits(checks), (changed, checks)
        if fits(checks):  # and what it accepts means the same as before
            assert bound_parts(changed) == bound


def weakened(record: Record) -> dict[str, str]:
    """Copies of a record, each without a part whose absence leaves less to check."""
    texts = {}
    for part in ("coins", "hash", "seeds", "seed", "end", "seed and end", "null coins"):
        lines = lines_of(record)
        if "end" in part:
            lines = [*lines[:1], *lines[1:5]]
        if part == "coins":
            del lines[0]["coins"]
        elif part == "null coins":
            lines[0]["coins"] = None
        elif part != "end":
            del lines[0]["coins"][part.removesuffix(" and end")]
        texts[part] = text_of(lines)
    for part in ("turn_limit", "seats", "id", "options", "game", "schema"):
        lines = lines_of(record)
        del lines[0][part]
        texts[part] = text_of(lines)
    return texts


@pytest.mark.parametrize("name", OPTIONS)
def test_missing_parts_are_reported_the_same_by_both(page: Page, name: str) -> None:
    texts = weakened(played(name, 1))
    found = verified(page, *texts.values())
    for (part, text), theirs in zip(texts.items(), found, strict=True):
        ours = check(text)
        assert fits(theirs) == holds(ours), part
        if holds(ours):
            said = [(each.name, each.ok, each.matters) for each in ours]
            assert [(each["check"], each["ok"], each["matters"]) for each in theirs] == said, part
            assert unchecked(ours), part
    told = page.evaluate(
        """async (texts) => {
            const { verify, verdict } = await import("/verify.js");
            return texts.map((text) => verdict(verify(text, null)));
        }""",
        [texts["coins"], played(name, 1).dumps()],
    )
    assert "Not checked: seed" in told[0]
    assert told[1] == "Everything fits."


@pytest.mark.parametrize("rest", [" ", "0", "}", "{}", '"', "\0 "])
def test_a_changed_end_of_the_text_is_found_by_both(page: Page, rest: str) -> None:
    text = played("safe-cracker", 1).dumps()[:-1]
    changed, cut = verified(page, text + rest, text)
    assert not fits(changed)
    assert not holds(check(text + rest))
    assert fits(cut)


def test_a_coin_that_does_not_match_the_seeds_is_found(page: Page) -> None:
    random = Random(4)
    records = (played("quantum-duel", seed) for seed in range(100))
    record = next(each for each in records if any(step.actor is CHANCE for step in each.steps))
    lines = lines_of(record)
    texts = []
    for _ in range(20):  # another seed with its own hash: some coin must fall differently
        lines[0]["coins"] = some_coins(random).to_json()
        texts.append(text_of(lines))
    for text, checks in zip(texts, verified(page, *texts), strict=True):
        ours = {each.name: each.ok for each in check(text)}
        theirs = {each["check"]: each["ok"] for each in checks}
        assert theirs["seed"] is True
        assert theirs["coins"] == ours["coins"]
    assert False in {checks[5]["ok"] for checks in verified(page, *texts)}


def test_a_false_clue_is_found_though_its_commitment_fits(page: Page) -> None:
    record = played("safe-code", 1)
    code = int(str(record.steps[0].move))
    lines = lines_of(record)
    texts = []
    for clue in CLUES[::7]:
        lines[2]["move"] = str(clue)
        lines[2]["commitment"] = commit(lines[2]["nonce"], str(clue))
        lines[2]["meaning"] = code in clue.meaning
        texts.append(text_of(lines))
    for text, checks in zip(texts, verified(page, *texts), strict=True):
        ours = {each.name: each.ok for each in check(text)}
        theirs = {each["check"]: each["ok"] for each in checks}
        assert theirs["secrets"] is True
        assert theirs["rules"] is ours["rules"]


def test_a_game_that_the_page_does_not_know_is_left_to_the_command(page: Page) -> None:
    lines = lines_of(played("quantum-duel", 1))
    lines[0]["game"] = "toString"
    (checks,) = verified(page, text_of(lines))
    theirs = {each["check"]: each for each in checks}
    for name in ("rules", "end"):
        assert theirs[name]["ok"] is None
        assert "no rules of toString" in theirs[name]["text"]
        assert "were not recomputed here. Use: strongroom verify" in theirs[name]["text"]
        assert theirs[name]["matters"]


@pytest.mark.parametrize("text", ["", "null", "{}\n", "[]\n[]\n", "\x00", '{"schema":2}\n'])
def test_garbage_is_a_failed_check(page: Page, text: str) -> None:
    (checks,) = verified(page, text)
    assert not fits(checks)
