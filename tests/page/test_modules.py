"""The page's files, and what its modules compute."""

from __future__ import annotations

import json
import re
import struct
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from orjson import dumps
from playwright.sync_api import Error, Page, ViewportSize, expect

import strongroom
from strongroom.contract import CHANCE, Seat
from strongroom.contract.codec import to_json
from strongroom.games.quantum_duel.rules import COIN
from strongroom.games.safe_code.clues import CLUES
from strongroom.referee.fairness import Seen, check, holds, open_checks
from strongroom.referee.randomness import draw_by
from strongroom.referee.record import Record, commit
from strongroom.server.files import FOR_EVER, SHEETS, joined_files, make_file, page_files
from strongroom.server.vault import vault
from strongroom.testing.perft import after
from tests.independent_qr import independent
from tests.network_games import OPTIONS, played, seen_of, some_coins
from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import DESK, LOW, PHONE
from tests.page.people import House, Person
from tests.page.plays import NAMED, are_played

FOLDER = Path(strongroom.__file__).parent / "server" / "page"
MOST_SENT, MOST_OF_SCRIPTS, MOST_AT_FIRST = 100_000, 200_000, 60_000
"""The bytes of all files as they are sent, of the scripts before that, and of the first page."""
MOST_OF_A_VAULT, HEADERS = 4_000, 640
"""The bytes of a day's vault as it is sent, which is part of the first page; those of headers."""
MOST_PICTURE = 40_000
MOST_SHIFT = 0.1
"""The layout shift of a page, all of it together."""
ALL = sorted(file for file in FOLDER.rglob("*") if file.is_file())
PICTURES = [file for file in ALL if file.suffix == ".png"]
"""The pictures that are loaded only by whoever installs the page or shows a link to it."""
FILES = [file for file in ALL if file not in PICTURES]


def fetched(address: str, **headers: str) -> tuple[bytes, Any]:
    """What an address answers, and its headers."""
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.read(), answer.headers


def test_the_files_are_small_as_they_are_sent() -> None:
    files = {
        name: make_file(*each)
        for name, each in joined_files().items()
        if not name.endswith((".png", ".map"))
    }
    sent = sum(len(file.packed) for file in files.values())
    assert sent < MOST_SENT, f"{sent} bytes are sent"
    scripts = sum(len(file.plain) for name, file in files.items() if name.endswith(".js"))
    assert scripts < MOST_OF_SCRIPTS, f"{scripts} bytes of scripts"
    assert [file.name for file in PICTURES if file.stat().st_size >= MOST_PICTURE] == []


def test_the_style_sheet_that_is_sent_says_what_the_written_ones_say(sits_down: SitsDown) -> None:
    written = page_files()
    index = written["index.html"][1].decode()
    sheets = [written[name][1].decode() for name in SHEETS.findall(index)]
    sent = joined_files()["style.css"][1].decode()
    rules = """(text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        const told = [...sheet.cssRules].map((rule) => rule.cssText);
        return told.map((text) => text.replace(/\\s+/g, " ").replaceAll(", ", ","));
    }"""  # a variable keeps its spaces
    page = sits_down().page
    told: list[str] = page.evaluate(rules, sent)
    assert told == page.evaluate(rules, "\n".join(sheets))
    assert len(told) > 500
    assert len(sent) < 0.9 * sum(map(len, sheets))


@pytest.mark.parametrize("day", [23, 25, 29])
def test_a_vault_of_many_moves_is_small_as_it_is_sent(day: int) -> None:
    packed = make_file("", dumps(vault(date(2026, 11, day)))).packed
    assert len(packed) + HEADERS < MOST_OF_A_VAULT


def test_a_bots_board_is_there_after_few_requests(house: House, sits_down: SitsDown) -> None:
    ada = sits_down()
    tools = ada.context.new_cdp_session(ada.page)
    asked, sent, urls = list[str](), dict[str, int](), dict[str, str]()

    def begin(event: dict[str, Any]) -> None:
        urls[event["requestId"]] = url = event["request"]["url"]
        asked.append(url)

    tools.send("Network.enable")
    tools.send("Network.clearBrowserCache")
    tools.on("Network.requestWillBeSent", begin)
    tools.on("Network.webSocketCreated", lambda event: asked.append(event["url"]))
    tools.on(
        "Network.loadingFinished",
        lambda event: sent.update({urls[event["requestId"]]: event["encodedDataLength"]}),
    )
    ada.opens(house.address)
    expect(ada.page.locator("#waiting")).to_contain_text(re.compile("Nobody is waiting|Join"))
    expect(ada.board).to_be_visible()  # the lobby's own
    expect(ada.page.locator("#today svg")).to_be_visible()
    assert len({*asked}) <= 8, asked  # with the vault, and who waits or plays
    first = sum(size for url, size in sent.items() if "/api/vault" not in url)
    assert first < MOST_AT_FIRST - MOST_OF_A_VAULT, first  # another one every day
    ada.presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    # A browser with a window also asks for the manifest, and the lobby later who plays.
    assert len({each for each in asked if "playing" not in each}) <= 10, asked
    expect(ada.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("^data:"))


@contextmanager
def slowed(person: Person) -> Iterator[None]:
    """Slow the line and the processor down, so that pages paint before their scripts run."""
    tools = person.context.new_cdp_session(person.page)
    slow = {"latency": 100, "downloadThroughput": 400_000, "uploadThroughput": 400_000}
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", {"offline": False, **slow})
    tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    try:
        yield
    finally:
        tools.detach()  # the next test may have the same page


@pytest.mark.parametrize("size", [PHONE, LOW, DESK], ids=["phone", "low", "desk"])
def test_nothing_jumps_while_a_page_opens_over_a_slow_line(
    house: House, pair: Pair, size: ViewportSize
) -> None:
    ada, bob = pair("safe-cracker", viewport=size)
    game = ada.page.url

    def opened(link: str, shown: str) -> None:
        ada.page.goto("about:blank")
        ada.opens(link)
        expect(ada.page.locator(shown).first).to_be_visible()
        ada.page.wait_for_load_state("networkidle")
        shifts = ada.page.evaluate("window.shifts.map(({ value }) => value)")
        assert sum(shifts) < MOST_SHIFT, link

    with slowed(ada):
        opened(house.address, "#waiting")
        opened(house.address + "#vault", ".board")
        opened(game, ".board")
    are_played((ada, bob), NAMED["safe-cracker"].moves)
    with slowed(ada):
        opened(game, ".point:not(.awaited)")


def test_no_file_names_another_host_or_makes_markup_or_code_of_text() -> None:
    for file in FILES:
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        found = r"https?://[^\s\"'`)]|\.innerHTML|document\.write|\beval\(|new Function"
        assert not re.search(found, text), file.name


def test_a_whole_visit_sets_no_cookie_stores_only_ones_own_data_and_sends_no_token_in_an_address(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down()
    ada.makes_a_game(house.address, "Quantum Duel", "A bot")
    ada.is_asked()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert ada.page.evaluate(ground) == "rgb(246, 241, 228)"
    ada.presses("Dark theme")
    assert ada.page.evaluate(ground) == "rgb(18, 23, 31)"
    ada.page.reload(wait_until="commit")
    ada.page.wait_for_selector("body", state="attached")
    assert ada.page.evaluate(ground) == "rgb(18, 23, 31)"  # before the first paint
    ada.is_asked()
    assert ada.context.cookies() == []
    kept = ada.page.evaluate("Object.keys(localStorage)")
    known = ("name", "games", "theme", "sound", "lessons")
    assert set(kept) <= {f"strongroom.{each}" for each in known}
    assert ada.page.evaluate("sessionStorage.length") == 0
    token = ada.page.url.rpartition("/")[2]
    assert ada.requests
    assert not [each.url for each in ada.requests if token in each.url.partition("#")[0]]


def size(picture: bytes) -> tuple[int, int]:
    """The width and height of a PNG."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", picture[16:24])
    return wide, high


def test_the_manifest_has_all_that_a_phone_needs_for_installing(house: House, ada: Person) -> None:
    (path,) = re.findall(r'rel="manifest" href="([^"]+)"', house.asked("/"))
    address, manifest = urljoin(house.address, path), house.asked(path)
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}
    for icon in manifest["icons"]:
        data, headers = fetched(urljoin(address, icon["src"]))
        assert headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*size(data)) == icon["sizes"]
    expect(ada.page.locator("#lobby h1")).to_be_visible()
    told = ada.context.new_cdp_session(ada.page).send("Page.getAppManifest")
    assert told["errors"] == []
    assert json.loads(told["data"])["display"] == "standalone"


@pytest.mark.proof
def test_apple_phones_and_link_previews_find_pictures_at_the_host_asked(house: House) -> None:
    def page_for(host: str) -> str:
        return fetched(house.address, Host=host)[0].decode()

    def preview_of(page: str) -> str:
        (address,) = re.findall(r'property="og:image" content="([^"]+)"', page)
        return str(address)

    page = house.asked("/")
    (path,) = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', page)
    preview = preview_of(page)
    assert preview.startswith(house.address)  # others can open it
    for address, due in ((urljoin(house.address, path), (180, 180)), (preview, (1200, 630))):
        data, headers = fetched(address)
        assert size(data) == due
        assert headers["Content-Type"] == "image/png"
        assert headers["Cache-Control"] == FOR_EVER
    host = "duels.example:8443"
    assert urlsplit(preview_of(page_for(host))).netloc == host
    assert '<script src="y' not in page_for('x"><script src="y')  # it stays inside its attribute


Checks = dict[str, dict[str, Any]]
"""What the page finds: each check by its name, with its result and its text."""
CAPACITY = {6: 134, 7: 154, 8: 192, 9: 230}
"""The capacity of each version of a QR code at level L, in bytes."""


def called(page: Page, module: str, script: str, given: object = None) -> Any:
    """What a script computes of `given` with the exports of a module, as `it`."""
    text = f"async (given) => {{ const it = await import('/page/{module}.js'); {script} }}"
    return page.evaluate(text, given)


def verified(page: Page, *texts: str, seen: Any = None) -> list[Checks]:
    """The page's checks of each of these records."""
    check_all = "return Promise.all(given[0].map((text) => it.verify(text, given[1])));"
    found = called(page, "verify", check_all, [texts, seen])
    return [{each["check"]: each for each in checks} for checks in found]


def verified_by_both(page: Page, *texts: str, seen: Any = None) -> list[dict[str, bool | None]]:
    """The results of the checks of each of these records, which are the same in Python."""
    found = verified(page, *texts, seen=seen)
    theirs = [{name: each["ok"] for name, each in checks.items()} for checks in found]
    told = seen and Seen.from_json(seen)
    assert theirs == [{each.name: each.ok for each in check(text, told)} for text in texts]
    return theirs


def fits(checks: Checks) -> bool:
    return all(each["ok"] is not False for each in checks.values())


@cache
def game(name: str, seed: int = 1) -> Record:
    """A game that several tests damage."""
    return played(name, seed)


def lines_of(record: Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.dumps().splitlines()]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_coins_fall_the_same_in_python_and_in_the_browser(modules: Page) -> None:
    random = Random(8)
    throws = [
        (some_coins(random), random.randbytes(16).hex(), random.randrange(1, 10_000))
        for _ in range(200)
    ]
    told = [[to_json(coins), game_id, number] for coins, game_id, number in throws]
    throw = "return Promise.all(given.map((each) => it.coin(...each)));"
    due = [str(draw_by(coins, each)(number, COIN, (0.5, 0.5))) for coins, each, number in throws]
    assert called(modules, "verify", throw, told) == due
    assert {"heads", "tails"} == set(due)


def test_a_claim_is_counted_down_by_the_clock_of_the_server(modules: Page) -> None:
    clocks = """
        const here = Date.now() / 1000, away = { here: false, away_since: here + given - 10 };
        const info = { seats: [{ here: true }, away], claim_after: 60 };
        return it.claimable({ table: { info, seat: 1, view: { actor: 2 } }, behind: given });
    """
    for behind in (0, 100, -100):
        assert called(modules, "turn", clocks, behind) == pytest.approx(51, abs=5)


def test_entries_that_come_twice_are_one_step_and_what_was_seen_first_is_kept(
    modules: Page,
) -> None:
    folded = """
        const step = (number) => ({ step: number, seat: 1, move: `${number}` });
        const table = { ...it.NOTHING, view: { history: [{}, {}] }, have: 2 };
        const frame = { type: "entries", number: 2, entries: [2, 3].map(step), view: {} };
        return it.fold(table, frame).view.history.map(({ move }) => move ?? "");
    """
    assert called(modules, "net", folded) == ["", "", "3"]
    witnessed = """
        const info = { coins: { seeds: [] }, seats: [{}, {}] };
        const { keep } = it.witnessOf("a game", "a token", "a hash");
        for (const commitment of given) keep({ info, seat: 1 }, [{ step: 4, commitment }]);
        return it.seenOf({ info: { id: "a game" }, seat: 1, view: {} }).commitments;
    """
    assert called(modules, "witness", witnessed, ["one", "two"]) == {"4": "one"}
    both = """
        const info = { id: "both", coins: { seeds: [] }, seats: [{}, {}] };
        const sat = given.map((token) => it.witnessOf("both", token, "a hash"));
        info.coins.seeds = sat.map(({ seed }) => seed);
        sat.forEach(({ keep }, at) => keep({ info, seat: at + 1 }));
        const seen = it.seenOf({ info, seat: 1, view: {} });
        return seen.seeds.every((seed, at) => !seed || seed === sat[at].seed);
    """
    assert called(modules, "witness", both, ["one", "two"]), "two seats of one browser"


def test_a_request_that_a_server_has_no_time_or_place_for_is_sent_again(modules: Page) -> None:
    sent = """
        const { WebSocket, setTimeout } = window, sent = [];
        let socket;
        window.WebSocket = class {
            static OPEN = 1;
            readyState = 1;
            constructor() { socket = this; }
            send(text) { sent.push(JSON.parse(text)); }
            close() {}
        };
        window.setTimeout = (act) => act();
        const line = it.lineTo("game", "token", "seed");
        const hears = (frame) => socket.onmessage({ data: JSON.stringify(frame) });
        line.open();
        hears({ type: "welcome", game: {}, seat: 1, number: 0, view: {} });
        line.ask("move", { move: "4-7" });
        hears({ type: "error", code: given, id: sent.at(-1).id });
        line.close();
        Object.assign(window, { WebSocket, setTimeout });
        return sent.filter(({ type }) => type === "move").length;
    """
    answers = {"unavailable": 2, "slow-down": 2, "no-hint": 1}
    assert {code: called(modules, "net", sent, code) for code in answers} == answers


def test_every_clue_means_the_same_in_python_and_in_the_browser(modules: Page) -> None:
    meanings = called(modules, "clues", "return given.map(it.fitting);", [*map(str, CLUES)])
    both = zip(CLUES, meanings, strict=True)
    assert not [str(clue) for clue, meant in both if meant != sorted(clue.meaning)]
    offered = called(
        modules, "clues", "return given.map((x) => it.trueClues(x, []));", [*range(1, 31)]
    )
    states = [after("safe-code", str(code)) for code in range(1, 31)]
    picks = [[*map(str, it.game.words.picks(it.view(Seat.ONE)))] for it in states]
    assert offered == picks, "the page suggests what a terminal draws"


def test_a_clue_that_is_false_or_unknown_is_found_though_its_commitment_fits(modules: Page) -> None:
    lines = lines_of(game("safe-code", 2))

    def with_clue(clue: str) -> str:
        lines[4] |= {"move": clue, "commitment": commit(lines[4]["nonce"], clue)}
        return text_of(lines)

    unknown = ("", "It is.", "It is even", " It is odd.", "The number is not even.")
    for checks in verified(modules, *map(with_clue, (*unknown, "It is less than 31."))):
        assert (checks["secrets"]["ok"], checks["rules"]["ok"]) == (True, False)
    texts = [with_clue(str(clue)) for clue in CLUES[::29]]
    found = [checks["rules"]["ok"] for checks in verified(modules, *texts)]
    assert found == [{each.name: each.ok for each in check(text)}["rules"] for text in texts]
    assert {*found} == {True, False}


def test_a_duel_that_the_second_player_wins_on_a_first_turn_breaks_the_rules(modules: Page) -> None:
    *lines, end = lines_of(game("safecracker-duel"))
    for line, code in zip(lines[1:], ("5-5-5", "2-5-1"), strict=False):
        line |= {"move": code, "commitment": commit(line["nonce"], code)}
    lines[3] |= {"move": "1 2", "answer": [2, 1, 1]}
    lines[4] |= {"move": "2 5", "answer": [2, 5, 1]}
    end["end"] |= {"winner": 2, "reason": "matched"}
    (found,) = verified_by_both(modules, text_of([*lines[:5], end]))
    assert (found["secrets"], found["rules"]) == (True, False)


@pytest.mark.parametrize("name", OPTIONS)
def test_a_game_as_it_was_played_passes_the_browsers_checks_too(modules: Page, name: str) -> None:
    for options in OPTIONS[name]:
        for seed in range(2):
            record = played(name, seed, options)
            for seat in (None, Seat.ONE):
                verified_by_both(modules, record.dumps(), seen=seen_of(record, seat))
    lines = lines_of(game(name))
    lines.insert(len(lines) // 2, {"aids": True})  # an entry for both
    (found,) = verified_by_both(modules, text_of(lines))
    assert False not in found.values()


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
def test_missing_parts_are_reported_the_same_by_both(modules: Page, name: str) -> None:
    record = game(name)
    texts = {}  # each without a part whose absence leaves less to check
    for part in ("turn_limit", "seats", "id", "options", "game", "schema", "coins", "no coins"):
        lines = lines_of(record)
        del lines[0][part.removeprefix("no ")]
        if part == "no coins":
            lines[0]["coins"] = None
        texts[part] = text_of(lines)
    for part in ("hash", "seeds", "seed", "end", "seed and end"):
        lines = lines_of(record)
        if "end" in part:
            lines = lines[:5]
        if part != "end":
            del lines[0]["coins"][part.removesuffix(" and end")]
        texts[part] = text_of(lines)
    checked = verified(modules, *texts.values())
    for (part, text), theirs in zip(texts.items(), checked, strict=True):
        ours = check(text)
        assert fits(theirs) == holds(ours), part
        if holds(ours):
            said = [(each.name, each.ok, each.matters) for each in ours]
            found = [(name, each["ok"], each["matters"]) for name, each in theirs.items()]
            assert found == said, part
            assert open_checks(ours), part
    verdicts = "return given.map((text) => it.verdict(it.verify(text, null)));"
    told = called(modules, "verify", verdicts, [texts["coins"], record.dumps()])
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
        lines[0]["coins"] = to_json(some_coins(random))
        texts.append(text_of(lines))
    found = verified_by_both(modules, *texts)
    assert all(each["seed"] for each in found)
    assert False in {each["coins"] for each in found}


def test_a_game_that_the_page_does_not_know_is_left_to_the_command(modules: Page) -> None:
    lines = lines_of(game("quantum-duel"))
    lines[0]["game"] = "toString"
    (checks,) = verified(modules, text_of(lines))
    for each in (checks["rules"], checks["end"]):
        assert each["ok"] is None
        assert "no rules of toString" in each["text"]
        assert "were not recomputed here. Use: strongroom verify" in each["text"]
        assert each["matters"]


def test_qr_codes_match_an_independent_encoder_in_the_smallest_version(modules: Page) -> None:
    random = Random(6)
    lengths = [most - less for most in CAPACITY.values() for less in (0, 9)]
    texts = [random.randbytes(230).hex()[:length] for length in lengths]
    texts += [f"https://a.example/#join/{random.randbytes(16).hex()}/{n}" for n in range(8)]
    texts += ["", "é→ϕ", "#" * 100]
    texts += ["a" * (most + more) for most in CAPACITY.values() for more in (0, 1)][:-1]
    codes = called(modules, "qr", "return given.map(it.matrix);", texts)
    assert {code["version"] for code in codes} == set(CAPACITY)
    assert [code["version"] for code in codes[-7:]] == [6, 7, 7, 8, 8, 9, 9]
    for text, code in zip(texts, codes, strict=True):
        assert code["modules"] == independent(text, code["version"], mask=0), text
    with pytest.raises(Error, match="too long for a QR code"):
        called(modules, "qr", "return it.matrix(given);", "a" * 231)


def test_the_drawing_shows_every_module_inside_a_quiet_zone_and_has_a_name(modules: Page) -> None:
    text = "https://play.example.org/#join/0123456789abcdef0123456789abcdef/fedcba98"
    code, shown, drawn = called(
        modules,
        "qr",
        """const svg = it.qr(given), [paper, ink] = svg.children, { width } = svg.viewBox.baseVal;
        const each = [...Array(width).keys()];
        const dark = (x, y) => ink.isPointInFill(new DOMPoint(x + 0.5, y + 0.5));
        document.documentElement.append(svg);
        const shown = each.map((y) => each.map((x) => Number(dark(x, y))));
        svg.remove();
        return [it.matrix(given).modules, shown,
            [svg.ariaLabel, paper.getAttribute("fill"), ink.getAttribute("fill")]];""",
        text,
    )
    assert drawn == ["QR code of this link", "#fffdf6", "#1d2230"]
    assert shown[:4] == shown[-4:] == [[0] * len(shown)] * 4
    assert [row[4:-4] for row in shown[4:-4]] == code
    assert not any(any(row[:4] + row[-4:]) for row in shown)


def test_no_line_breaks_inside_a_code(modules: Page) -> None:
    shown = called(
        modules,
        "dom",
        """const link = it.h("a", { href: "#3-4" }, "at 5-6");
        return [it.h("p", "Ada guesses 2-9, Bob 1-1-1.", link), it.write(it.h("b"), "4-7"),
            it.svg("text", "8-9"), it.h("i", "dial 1 - 3")].map((node) => node.innerHTML);""",
    )
    code = '<span class="whole">{}</span>'.format
    link = f'<a href="#3-4"><span>at {code("5-6")}</span></a>'
    sentence = f"<span>Ada guesses {code('2-9')}, Bob {code('1-1-1')}.</span>{link}"
    assert shown == [sentence, f"<span>{code('4-7')}</span>", "8-9", "dial 1 - 3"]


def test_lines_become_a_paragraph_of_whole_sentences(modules: Page) -> None:
    failed = "Observation failed! Cell 2 is unobserved again."
    paragraphs = {
        f"Result: Tails\n\n{failed}": f"Result: Tails. {failed}",
        "\nChallenge initiated!\nFlipping a coin...\n": "Challenge initiated! Flipping a coin...",
        "You won": "You won",
    }
    flat = called(modules, "parts", "return given.map(it.flat);", [*paragraphs])
    assert flat == [*paragraphs.values()]


def test_the_referee_says_of_chance_what_the_words_of_the_game_say(modules: Page) -> None:
    for history, said, said_of_chance in (
        ([1, 2, 3, 4], "Ada challenges. The coin is in the air.", "The coin is in the air"),
        ([], "Welcome to Bluff!", "Chance decides"),
    ):
        view = {"actor": "chance", "outcome": None, "setting_up": False, "history": history}
        seats = [{"name": "Ada", "here": True}, {"name": "Bob", "here": True}]
        table = {"info": {"seats": seats}, "seat": 1, "view": view, "words": {"said": said}}
        assert called(modules, "turn", "return it.thinking(given);", table) == said_of_chance


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
