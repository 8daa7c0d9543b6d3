"""A server, and a person at a browser, who does what a person can do and sees what is shown."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    ViewportSize,
    WebSocket,
    expect,
)
from serving import PATIENCE, SAME_LUCK, Server

WATCHED = """
    window.Date = class extends Date {
        constructor(...given) { super(...(given.length ? given : ["2026-11-16T12:00"])); }
    };
    if (origin !== "null") {
        const games = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions",
            "quantum-duel"];
        const known = JSON.stringify(Object.fromEntries(games.map((game) => [game, {}])));
        localStorage["strongroom.lessons"] ??= known;
    }
    document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`forbidden by the policy: ${event.violatedDirective} ${event.blockedURI}`));
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) {
            const nodes = shift.sources.map(({ node }) => node?.parentElement && node);
            const free = nodes.every((node) => !node || (node.closest ? node : node.parentElement)
                .closest(".table:has(.pins) .pinned, .books"));
            window.shifts.push({ value: shift.value, free });
        }
    }).observe({ type: "layout-shift", buffered: true });
    window.tones = window.contexts = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...given) {
        window.tones += 1;
        return start.apply(this, given);
    };
    window.AudioContext = class extends AudioContext {
        constructor(...given) {
            super(...given);
            window.contexts += 1;
        }
    };
    window.heard = [];
    document.addEventListener("DOMContentLoaded", () => {
        const region = document.getElementById("said");
        if (!region) return;
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes)
                for (const node of addedNodes) window.heard.push(node.textContent);
        }).observe(region, { childList: true });
    });
"""
"""Somebody who has played before, on one day, whose vault never changes; and a record of what
happens inside a page: policy violations, layout shifts, tones, and what a screen reader hears.

Anything below the clues of Safe Code may move.
"""

MOVED = """async ([move, patience]) => {
    const late = performance.now() + patience;
    const until = async (ready) => {
        for (; !ready(); await new Promise(requestAnimationFrame))
            if (performance.now() > late) throw new Error(`${move} could not be made`);
    };
    const link = () => document.querySelector("strongroom-table").link;
    const asked = () => document.querySelector(".board")?.checkVisibility()
        && /your turn/.test(
            document.querySelector(".player.me.now .turn")?.textContent);
    await until(asked);
    const { have } = link().table;
    link().ask("move", { move });
    await until(() => link().table.have > have);
}"""
"""Makes a move once it is asked for, and waits until it is accepted."""
CHOSEN = re.compile("^(Check|Hide|Guess|Make|Write|Observe|Set|Request|Challenge|Let|Sending|Kept)")
"""The text of the main button while a move is chosen or being sent."""
OFFLINE = "net::ERR_|WebSocket connection to"
"""What a browser logs about a lost connection, whatever the reason."""


class House(Server):
    """A server with its own database in a subprocess, which can be killed and restarted."""

    def __init__(self, folder: Path, *more: str, packages: Path | None = None) -> None:
        """`packages`: a folder with further packages for the server."""
        super().__init__(str(folder / "games.db"), folder / "log", "--fast", *more)
        self._preparation = SAME_LUCK
        if packages is not None:
            paths = (str(packages), self._environment.get("PYTHONPATH", ""))
            self._environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))

    @property
    def address(self) -> str:
        return f"{super().address}/"

    def opens(self) -> House:
        """Start it, at the same address each time."""
        self.start()
        return self

    def asked(self, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
        """Send a request without a browser, and return the server's answer."""
        method = "GET" if body is None else "POST"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        address = self.address.rstrip("/") + path
        told = httpx.request(method, address, json=body, headers=headers, timeout=PATIENCE)
        told.raise_for_status()
        return told.json() if told.text.startswith("{") else told.text

    def arranges(self, game: str, opponent: str = "", **wishes: Any) -> tuple[str, ...]:
        """Create a game without a browser, and return the links to its seats in order."""
        seats = [token_hex(16)] if opponent else [token_hex(16), token_hex(16)]
        invitation = {} if opponent else {"invitation": token_hex(16)}
        form = {"game": game, "opponent": opponent or "link", "seat": "1", "name": "Ada"}
        form |= {"token": seats[0], **invitation, **wishes}
        made = self.asked("/api/games", form)["game"]["id"]
        if not opponent:
            body = {"name": "Bob", "token": seats[1], **invitation}
            self.asked(f"/api/games/{made}/join", body)
        return tuple(f"{self.address}#play/{made}/{token}" for token in seats)


USUAL = ViewportSize(width=1280, height=720)
"""The default window."""
BROWSERS = ("chromium-headless-shell", "chromium")
"""Two builds of one browser; the first draws no window, which saves CPU time."""


def browser_file() -> str | None:
    """The path of the browser, if one is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def frames_of(frames: Sequence[str], *kinds: str) -> list[dict[str, Any]]:
    """The frames of these kinds, in order."""
    return [frame for frame in map(json.loads, frames) if frame["type"] in kinds]


class Part:
    """A part of the page that a person looks at, by its selector."""

    def __init__(self, selector: str) -> None:
        self._selector = selector

    def __get__(self, person: Person, owner: object) -> Locator:
        return person.page.locator(self._selector)


class Person:
    """A browser with a page, and everything that it sent and received."""

    board = Part(".board:not(.point *)")
    pill = Part(".player.now .turn")
    """Whose turn it is."""
    moment = Part(".replay output")
    """Where one looks in a finished game."""
    large = Part(".referee .large")
    """What the referee says."""
    means = Part(".referee .means")
    button = Part(".actions .main:visible")
    """The main button, which sends what is chosen."""
    fair = Part(".fair")
    """Whether the game was fair, as found without a press; a press shows the details."""
    figures = Part("ul[aria-label='In figures'] > li")
    """What is told in figures at the end."""
    picture = Part(".finale-picture[role=img]")
    """What is drawn of the end."""
    notice = Part("#notice")

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(WATCHED)
        context.on("page", self._watch)
        self.page = context.new_page()
        self._tools = context.new_cdp_session(self.page)
        self.reusable = True
        """Whether nothing has changed that cannot be changed back."""

    def arrives(self, name: str, viewport: ViewportSize = USUAL, motion: bool = False) -> Person:
        """Start with the empty browser, in a window of this size; `motion`: things may move."""
        self.name = name
        self.troubles, self.requests = list[str](), list[Request]()
        self.frames, self.sent = list[str](), list[str]()
        self._forgiven = "(?!)"
        self._hosts = set[str]()
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(
            color_scheme="light", reduced_motion="no-preference" if motion else "reduce"
        )
        return self

    def beside(self, name: str) -> Person:
        """Somebody in another tab of the same browser."""
        other = Person(self.context).arrives(name)
        other.troubles = self.troubles
        self.reusable = False
        return other

    def leaves(self, rest: str = "about:blank") -> None:
        """Close all other pages, and clear everything that a browser stores."""
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.context.set_offline(False)
        origins = {"{0.scheme}://{0.netloc}".format(urlsplit(each.url)) for each in self.requests}
        self.page.evaluate("() => { if (origin !== 'null') sessionStorage.clear(); }")
        self.page.goto(rest)
        for origin in origins:
            about = {"origin": origin, "storageTypes": "all"}
            self._tools.send("Storage.clearDataForOrigin", about)
        self.context.clear_cookies()
        self.context.clear_permissions()

    def _watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(f"uncaught: {error}"))
        page.on("request", lambda request: self.requests.append(request))
        page.on("request", self._visits)
        page.on("websocket", self._socket)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not re.search(self._forgiven, message.text):
            self.troubles.append(f"{message.type}: {message.text}")

    def _socket(self, socket: WebSocket) -> None:
        self._visits(socket)
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
        socket.on("framesent", lambda frame: self.sent.append(str(frame)))

    def _visits(self, made: Request | WebSocket) -> None:
        parts = urlsplit(made.url)
        if parts.scheme not in ("data", "blob") and self._hosts and parts.netloc not in self._hosts:
            self.troubles.append(f"asked another host: {made.url}")

    def forgives(self, pattern: str = OFFLINE) -> None:
        """Allow this on the console, because the test itself cuts the connection."""
        self._forgiven = pattern

    @property
    def clock(self) -> Any:  # a class that Playwright does not export
        """A clock that tests set, and that the browser keeps."""
        self.reusable = False
        return self.page.clock

    # --- going somewhere ---

    def opens(self, link: str) -> Person:
        """Open a link, even if only its fragment differs from the current address."""
        self._hosts.add(urlsplit(link).netloc)
        if "#" in link and self.page.url.split("#")[0] == link.split("#")[0]:
            self.page.evaluate("(link) => { location.href = link; }", link)
        else:
            self.page.goto(link)
        return self

    def is_new(self, house: str) -> Person:
        """Open the lobby as somebody who has never played."""
        self.opens(house)
        self.page.evaluate("localStorage['strongroom.lessons'] = '{}'")
        return self

    def presses(self, name: str | re.Pattern[str], role: str = "button") -> None:
        """Press the control with this name, which may be in the menu of a small screen."""
        more = self.page.get_by_role("button", name="More", exact=True)
        if name in ("Rules", "Another bot", "Resign") and more.is_visible():
            more.click()
        self.page.get_by_role(role, name=name).click()  # type: ignore[arg-type]

    def makes_a_game(self, house: str, title: str, opponent: str, begins: str = "I do") -> None:
        """Create a game with the lobby's form, choosing `opponent`, also a bot, and `begins`."""
        self.opens(house)
        self.presses(f"Invite a friend to {title}", "link")
        if not opponent.startswith(("Somebody", "Anyone")):
            self.page.get_by_role("radio", name="A bot", exact=True).check()
        self.page.get_by_role("radio", name=opponent).check()
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("radio", name=begins).check()
        self.presses("Start")

    @property
    def invitation(self) -> str:
        return self.page.get_by_label("Whoever opens it plays").input_value()

    def accepts(self, link: str) -> None:
        """Open an invitation and sit down."""
        self.opens(link)
        self.page.get_by_label("Your name").fill(self.name)
        self.presses("Sit down")

    def reaches(self, wanted: Locator, back: bool = False) -> None:
        """Press Tab until an element has the focus."""
        expect(wanted).to_be_visible()
        for _ in range(60):  # more tab stops than any page has
            if wanted.evaluate("(node) => node === document.activeElement"):
                return
            self.types("Shift+Tab" if back else "Tab")
        raise AssertionError(f"Tab does not reach {wanted}")

    def types(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    # --- at the table ---

    def player(self, seat: int) -> Locator:
        return self.page.locator(f".player.of-{seat}")

    def is_asked(self) -> None:
        """Wait for this person's turn, and for the board."""
        expect(self.pill).to_have_text(re.compile("your turn"))
        expect(self.board).to_be_visible()

    def sends(self) -> None:
        """Press the main button, and wait until the move is accepted."""
        expect(self.button).to_have_text(CHOSEN)
        self.button.click()
        self.is_done()

    def is_done(self) -> None:
        """Wait until nothing is chosen or being sent."""
        chosen = self.page.locator(".actions .main:not(.offered)").filter(has_text=CHOSEN)
        expect(chosen).to_have_count(0)

    def resigns(self) -> None:
        self.presses("Resign")
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()

    def is_over(self) -> None:
        """Wait for the end, and look back at how it went."""
        self.has_ended()
        self.presses("See how it went")
        expect(self.page.get_by_role("slider", name="Moment of the game")).to_be_enabled()
        line = self.page.locator("svg.curve path.path").first  # a level one has no height
        expect(line).to_have_attribute("d", re.compile("L"))

    def claims(self) -> None:
        """Claim the game until it is given: time in which the server stood still does not count."""
        claim = self.page.get_by_role("button", name="Claim the game")
        claim.click()
        deadline = time.monotonic() + PATIENCE
        while not self.fair.is_visible():
            assert time.monotonic() < deadline, "the game was never given"
            claim.evaluate_all("(found) => found.forEach((each) => each.click())")
            self.page.wait_for_timeout(200)

    def has_ended(self) -> None:
        """Wait until the end is shown, and its fairness is checked."""
        expect(self.fair).to_contain_text("fair")

    def looks_into_the_checks(self) -> Locator:
        """Open the details of the checks, from either page of the end."""
        ended = self.page.get_by_role("button", name="How it ended")
        if ended.is_visible():
            ended.click()
        self.fair.click()
        checks = self.page.get_by_role("dialog").locator(".checks")
        expect(checks.locator("li")).to_have_count(7)
        return checks

    @property
    def pasted(self) -> str:
        """The result as text to paste."""
        return self.page.get_by_label("The result as text").text_content() or ""

    @property
    def copied(self) -> str:
        """What "Copy result" puts on the clipboard."""
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.presses(re.compile("^(Copy result|Share)"))
        expect(self.page.get_by_role("button", name="Copied")).to_be_visible()
        return str(self.page.evaluate("navigator.clipboard.readText()"))

    def moves(self, *texts: str) -> None:
        """Make moves without touching the board, for tests that are not about that."""
        for text in texts:
            self.page.evaluate(MOVED, [text, PATIENCE * 1000])

    @property
    def moves_sent(self) -> list[str]:
        """The moves that the page has sent, in order."""
        return [frame["move"] for frame in frames_of(self.sent, "move")]

    def state(self, words: str) -> None:
        """Wait until the connection is shown in this state."""
        expect(self.page.locator("#state")).to_have_text(re.compile(words))

    @property
    def heard(self) -> str:
        """All that the live region has said since the page was loaded."""
        said: list[str] = self.page.evaluate("window.heard")
        return "\n".join(said)
