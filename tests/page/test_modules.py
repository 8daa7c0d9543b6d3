"""What the page's modules compute: checks as Python makes them, QR codes, steps and words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Error, Page

from strongroom.contract import CHANCE, Seat
from strongroom.games.quantum_duel.rules import COIN
from strongroom.games.safe_code.clues import CLUES
from strongroom.referee.coins import draw_by
from strongroom.referee.fairness import Seen, check, holds, unchecked
from strongroom.referee.record import Record, commit
from tests.independent_qr import independent
from tests.network_games import OPTIONS, as_seen, bound_parts, played, seen_of, some_coins

Checks = list[dict[str, Any]]
"""What the page finds: a check with its result and its text."""
Changes = Sequence[tuple[int, str]]
"""Places in a text, each with another character for it."""
MOST = {6: 134, 7: 154, 8: 192, 9: 230}
"""The capacity of each version of a QR code at level L, in bytes."""


def called(page: Page, module: str, script: str, given: object = None) -> Any:
    """What a script computes of `given` with the exports of a module, as `it`."""
    text = f"async (given) => {{ const it = await import('/page/{module}.js'); {script} }}"
    return page.evaluate(text, given)


def verified(page: Page, *texts: str, seen: Any = None, changes: Changes = ()) -> list[Checks]:
    """The page's checks of each of these records, or of the first with each change.

    The page makes the changes and answers in one text, because that transfers much less.
    """
    found: str = called(
        page,
        "verify",
        """const [texts, seen, changes] = given;
        const changed = ([place, other]) =>
            texts[0].slice(0, place) + other + texts[0].slice(place + 1);
        const all = changes.length ? changes.map(changed) : texts;
        return JSON.stringify(await Promise.all(all.map((text) => it.verify(text, seen))));""",
        [texts, seen, changes],
    )
    checks: list[Checks] = json.loads(found)
    return checks


def fits(checks: Checks) -> bool:
    return all(each["ok"] is not False for each in checks)


def by_name(checks: Checks) -> dict[str, bool | None]:
    return {each["check"]: each["ok"] for each in checks}


@cache
def game(name: str, seed: int = 1) -> Record:
    """A game that several tests damage."""
    return played(name, seed)


def lines_of(record: Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.dumps().splitlines()]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


# --- checks ---


def test_coins_fall_the_same_in_python_and_in_the_browser(modules: Page) -> None:
    random = Random(8)
    throws = [
        (some_coins(random), random.randbytes(16).hex(), random.randrange(1, 10_000))
        for _ in range(200)
    ]
    told = [[coins.to_json(), game_id, number] for coins, game_id, number in throws]
    throw = "return Promise.all(given.map((each) => it.coin(...each)));"
    due = [str(draw_by(coins, each)(number, COIN, (0.5, 0.5))) for coins, each, number in throws]
    assert called(modules, "verify", throw, told) == due
    assert {"heads", "tails"} == set(due)


def test_every_clue_means_the_same_in_python_and_in_the_browser(modules: Page) -> None:
    meanings = called(modules, "clues", "return given.map(it.fitting);", [*map(str, CLUES)])
    assert meanings == [sorted(clue.meaning) for clue in CLUES]


def test_a_clue_that_is_false_or_unknown_is_found_though_its_commitment_fits(
    modules: Page,
) -> None:
    lines = lines_of(game("safe-code", 2))

    def with_clue(clue: str) -> str:
        lines[4] |= {"move": clue, "commitment": commit(lines[4]["nonce"], clue)}
        return text_of(lines)

    unknown = ("", "It is.", "It is even", " It is odd.", "The number is not even.")
    texts = [with_clue(each) for each in (*unknown, "It is less than 31.")]
    for checks in verified(modules, *texts):
        assert [each["ok"] for each in checks[1:3]] == [True, False]
    texts = [with_clue(str(clue)) for clue in CLUES[::29]]
    rules = set()
    for text, checks in zip(texts, verified(modules, *texts), strict=True):
        theirs = by_name(checks)
        assert theirs["secrets"] is True
        assert theirs["rules"] is {each.name: each.ok for each in check(text)}["rules"]
        rules.add(theirs["rules"])
    assert rules == {True, False}


@pytest.mark.parametrize("name", OPTIONS)
def test_a_game_as_it_was_played_passes_the_browsers_checks_too(modules: Page, name: str) -> None:
    for options in OPTIONS[name]:
        for seed in range(3):
            record = played(name, seed, options)
            for seat in (None, Seat.ONE):
                (found,) = verified(modules, record.dumps(), seen=seen_of(record, seat))
                due = check(record, as_seen(record, seat))
                assert [*by_name(found).items()] == [(each.name, each.ok) for each in due], found
    lines = lines_of(game(name))
    lines.insert(len(lines) // 2, {"aids": True})  # an entry for both
    (found,) = verified(modules, text_of(lines))
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
    return value[:-1] + ("1" if value[-1:] == "0" else "0")


@pytest.mark.parametrize("name", OPTIONS)
def test_one_changed_byte_in_any_kind_of_field_is_found_by_both(modules: Page, name: str) -> None:
    record = game(name)
    seen = seen_of(record)
    forged: dict[str, str] = {}
    for number, line in enumerate(lines_of(record)):
        kind = next((key for key in ("step", "hint", "end") if key in line), "header")
        kind += " private" if "keeper" in line else ""
        target = line["end"] if kind == "end" else line
        parts = {"header": ["schema", "id", "game"]}.get(kind, [*target])
        for part in set(parts) - {"time"}:
            if f"{kind} {part}" in forged:
                continue
            lines = lines_of(record)
            place = lines[number]["end"] if kind == "end" else lines[number]
            place[part] = turned(place[part])
            forged[f"{kind} {part}"] = text_of(lines)
    for part in ("hash", "seeds", "seed"):
        lines = lines_of(record)
        lines[0]["coins"][part] = turned(lines[0]["coins"][part])
        forged[f"coins {part}"] = text_of(lines)
    found = verified(modules, *forged.values(), seen=seen)
    assert [kind for kind, checks in zip(forged, found, strict=True) if fits(checks)] == []
    told = Seen.from_json(seen)
    assert [kind for kind, text in forged.items() if holds(check(text, told))] == []
    assert len(forged) > 12


@pytest.mark.parametrize("name", OPTIONS)
def test_the_browser_finds_any_changed_character_that_matters(modules: Page, name: str) -> None:
    record, random = game(name, 2), Random(name)
    text, told = record.dumps(), as_seen(record)
    bound = bound_parts(text)
    assert text.isascii(), "Python and the browser count characters the same way"
    changes = [
        (random.randrange(len(text)), random.choice('0123456789abcdef "{}[]:,-\n\\'))
        for _ in range(120)
    ]
    found = verified(modules, text, seen=seen_of(record), changes=changes)
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
def test_missing_parts_are_reported_the_same_by_both(modules: Page, name: str) -> None:
    texts = weakened(game(name))
    found = verified(modules, *texts.values())
    for (part, text), theirs in zip(texts.items(), found, strict=True):
        ours = check(text)
        assert fits(theirs) == holds(ours), part
        if holds(ours):
            said = [(each.name, each.ok, each.matters) for each in ours]
            assert [(each["check"], each["ok"], each["matters"]) for each in theirs] == said, part
            assert unchecked(ours), part
    verdicts = "return given.map((text) => it.verdict(it.verify(text, null)));"
    told = called(modules, "verify", verdicts, [texts["coins"], game(name).dumps()])
    assert "Not checked: seed" in told[0]
    assert told[1] == "Everything fits."


def test_garbage_and_a_changed_end_of_the_text_are_failed_checks(modules: Page) -> None:
    text = game("safe-cracker").dumps()[:-1]
    (cut,) = verified(modules, text)
    assert fits(cut)
    bad = [text + rest for rest in (" ", "0", "}", "{}", '"', "\0 ")]
    assert not any(holds(check(each)) for each in bad)
    bad += ["", "null", "{}\n", "[]\n[]\n", "\x00", '{"schema":2}\n']
    found = verified(modules, *bad)
    assert [each for each, checks in zip(bad, found, strict=True) if fits(checks)] == []


def test_a_coin_that_does_not_match_the_seeds_is_found(modules: Page) -> None:
    random = Random(4)
    records = (played("quantum-duel", seed) for seed in range(100))
    record = next(each for each in records if any(step.actor is CHANCE for step in each.steps))
    lines = lines_of(record)
    texts = []
    for _ in range(20):  # another seed with its own hash: some coin must fall differently
        lines[0]["coins"] = some_coins(random).to_json()
        texts.append(text_of(lines))
    fallen = set()
    for text, checks in zip(texts, verified(modules, *texts), strict=True):
        theirs = by_name(checks)
        assert theirs["seed"] is True
        assert theirs["coins"] == {each.name: each.ok for each in check(text)}["coins"]
        fallen.add(theirs["coins"])
    assert False in fallen


def test_a_game_that_the_page_does_not_know_is_left_to_the_command(modules: Page) -> None:
    lines = lines_of(game("quantum-duel"))
    lines[0]["game"] = "toString"
    (checks,) = verified(modules, text_of(lines))
    theirs = {each["check"]: each for each in checks}
    for name in ("rules", "end"):
        assert theirs[name]["ok"] is None
        assert "no rules of toString" in theirs[name]["text"]
        assert "were not recomputed here. Use: strongroom verify" in theirs[name]["text"]
        assert theirs[name]["matters"]


# --- QR codes ---


def test_qr_codes_match_an_independent_encoder_in_the_smallest_version(modules: Page) -> None:
    random = Random(6)
    lengths = [most - less for most in MOST.values() for less in (0, 9)]
    texts = [random.randbytes(230).hex()[:length] for length in lengths]
    texts += [f"https://a.example/#join/{random.randbytes(16).hex()}/{n}" for n in range(8)]
    texts += ["", "é→ϕ", "#" * 100]
    texts += ["a" * (most + more) for most in MOST.values() for more in (0, 1)][:-1]
    codes = called(modules, "qr", "return given.map(it.matrix);", texts)
    assert {code["version"] for code in codes} == set(MOST)
    assert [code["version"] for code in codes[-7:]] == [6, 7, 7, 8, 8, 9, 9]
    for text, code in zip(texts, codes, strict=True):
        assert code["modules"] == independent(text, code["version"], mask=0), text
    with pytest.raises(Error, match="too long for a QR code"):
        called(modules, "qr", "return it.matrix(given);", "a" * 231)


def test_the_drawing_shows_every_module_inside_a_quiet_zone_and_has_a_name(modules: Page) -> None:
    text = "https://play.example.org/#join/0123456789abcdef0123456789abcdef/fedcba98"
    code = called(modules, "qr", "return it.matrix(given).modules;", text)
    pixels: list[list[int]] = called(
        modules,
        "qr",
        """const svg = it.qr(given), size = svg.viewBox.baseVal.width;
        svg.setAttribute("width", 4 * size);
        svg.setAttribute("height", 4 * size);
        const image = new Image();
        image.src = `data:image/svg+xml,${
            encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
        await image.decode();
        const canvas = new OffscreenCanvas(4 * size, 4 * size).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const { data } = canvas.getImageData(0, 0, 4 * size, 4 * size);
        const each = [...Array(size).keys()];
        return each.map((y) => each.map((x) => data[4 * ((4 * y + 2) * 4 * size + 4 * x + 2)]));""",
        text,
    )
    shown = [[int(light < 128) for light in row] for row in pixels]
    assert shown[:4] == shown[-4:] == [[0] * len(shown)] * 4
    assert [row[4:-4] for row in shown[4:-4]] == code
    assert not any(any(row[:4] + row[-4:]) for row in shown)
    assert {light for row in pixels for light in row} == {0x1D, 0xFF}
    script = """return [it.qr("x"), it.qr("x", "Invitation")].map((svg) =>
        [svg.getAttribute("role"), svg.getAttribute("aria-label"), svg.outerHTML]);"""
    (role, name, markup), (_, other, _) = called(modules, "qr", script)
    assert (role, name, other) == ("img", "QR code of this link", "Invitation")
    assert "style=" not in markup


# --- words ---


def test_lines_become_a_paragraph_of_whole_sentences(modules: Page) -> None:
    failed = "Observation failed! Cell 2 is unobserved again."
    paragraphs = {
        f"Result: Tails\n\n{failed}": f"Result: Tails. {failed}",
        "\nChallenge initiated!\nFlipping a coin...\n": "Challenge initiated! Flipping a coin...",
        "You won": "You won",
    }
    flat = called(modules, "parts", "return given.map(it.flat);", [*paragraphs])
    assert flat == [*paragraphs.values()]


def test_the_pill_says_of_chance_what_the_words_of_the_game_say(modules: Page) -> None:
    for history, said, pill in (
        ([1, 2, 3, 4], "Ada challenges. The coin is in the air.", "The coin is in the air"),
        ([], "Welcome to Bluff!", "Chance decides"),
    ):
        view = {"actor": "chance", "outcome": None, "setting_up": False, "history": history}
        seats = [{"name": "Ada", "here": True}, {"name": "Bob", "here": True}]
        table = {"info": {"seats": seats}, "seat": 1, "view": view, "words": {"said": said}}
        assert called(modules, "turn", "return it.status(given);", table)[0] == pill


def test_what_was_in_the_air_is_not_said_once_it_has_fallen(modules: Page) -> None:
    frames = [
        ({"step": 1, "seat": 1, "move": "4", "answer": "open"}, "Ada observes cell 4."),
        ({"hint": 2}, ""),
        ({"step": 2, "seat": 2, "move": "yes", "answer": "open"}, "Bob challenges. It flies."),
        ({"step": 3, "seat": "chance", "move": "tails", "answer": "fails"}, "Tails."),
        ({"end": {"winner": 1, "reason": "resigned"}}, ""),
    ]
    view = {"history": [], "setting_up": False}
    welcome = {"type": "welcome", "number": 0, "view": view, "words": {"said": ""}}
    sent = [
        {"type": "entries", "number": at, "entries": [entry], "words": {"said": said}}
        for at, (entry, said) in enumerate(frames, 1)
    ]
    steps = """return it.stepsOf(given)
        .map(({ seat, numbers, hints, said }) => [seat, numbers, hints, said]);"""
    assert called(modules, "replay", steps, {"welcome": welcome, "frames": sent}) == [
        [None, [], [], ""],
        [1, [1], [], "Ada observes cell 4."],
        [2, [2, 3], [2], "Bob challenges. Tails."],
        [None, [], [], ""],
    ]
    told = "Bob challenges. It flies.\nTails."
    last = called(modules, "parts", "return it.sentences(given, true);", told)
    assert last == ["Tails.", "Bob challenges."]
