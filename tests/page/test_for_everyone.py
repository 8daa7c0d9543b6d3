"""Accessibility: axe finds nothing on any page in either theme, at a desk or on a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import LOOKS, SETTLED, window
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import PLAYS, Play, chooses, touches

AXE = Axe()
WIDE, NARROW = window(1280, 820), window(320, 640)
FOUND = """async () => {
    await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
    const visible = [...document.querySelectorAll("*")].map((each) => each.checkVisibility());
    const shown = JSON.stringify([document.documentElement.outerHTML, visible]);
    const drawn = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];
    const rules = shown === window.lookedAt ? { runOnly: { type: "rule", values: drawn } } : {};
    window.lookedAt = shown;
    const { violations } = await axe.run({ resultTypes: ["violations"], ...rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`));
}"""
"""The violations of all of axe's rules, once all animations have finished.

Where another theme or window changed neither the markup nor what is visible, only the rules about
colours and scrolling can find something new.
"""
TOO_WIDE = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll("body *")]
        .filter((each) => each.getBoundingClientRect().right > clientWidth + 0.5)
        .map((each) => `${each.tagName} ${each.className?.baseVal ?? each.className}`);
}"""
TOO_SMALL = """() => [...document.querySelectorAll("button, a, input, [role=spinbutton]")]
    .filter((each) => each.checkVisibility() && !each.closest(".skip, .prose, p"))
    .map((each) => [each, (each.closest("label") ?? each).getBoundingClientRect()])
    .filter(([, { width, height }]) => width && Math.min(width, height) < 24)
    .map(([each]) => `${each.tagName} ${each.className} ${each.textContent}`)"""


def suits_everyone(person: Person, where: str) -> None:
    """Check the page with axe in both themes, at a desk and on a narrow phone."""
    page = person.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        page.evaluate(SETTLED)  # what does not fit any more can now be scrolled by keys
        for theme, _ in LOOKS:
            page.emulate_media(color_scheme=theme)
            found = page.evaluate(FOUND)
            assert found == [], f"{where}, {theme}, {size['width']} pixels wide"
    assert page.evaluate(TOO_WIDE) == [], f"{where}, 320 pixels wide"
    assert page.evaluate(TOO_SMALL) == [], f"{where}: smaller than a finger"
    page.set_viewport_size(WIDE)


PAGES = {
    "": "Five duels of codes and nerve",
    "#new/safe-cracker": "Safe Cracker",
    "#new/quantum-duel/link": "Quantum Duel",
    "#watch": "Watch",
    "#rules": "Rules",
    "#rules/safe-code": "Rules of Safe Code",
    "#new/nothing": "There is no such game",
    f"#play/{'0' * 32}/{'1' * 32}": "There is no such game",
    "api/docs": "strongroom",
    "nothing": "There is no such page",
}
"""The pages outside a game, with their headings."""


def test_pages_outside_a_game_suit_everyone(
    house: House, sits_down: SitsDown, subtests: pytest.Subtests
) -> None:
    ada = sits_down(viewport=WIDE)
    ada.forgives("404")
    for path, heading in PAGES.items():
        with subtests.test(path):
            ada.opens(house.address + path)
            expect(ada.page.get_by_role("heading", level=1)).to_contain_text(heading)
            for more in ada.page.locator("summary:visible").all():
                more.click()
            suits_everyone(ada, path or "lobby")


def test_the_vault_suits_everyone(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(viewport=WIDE)
    ada.clock.set_fixed_time("2026-11-12T12:00:00")
    ada.opens(f"{house.address}#vault")
    expect(ada.board).to_be_visible()
    touches(ada, "digit-deductions", "1-1")
    suits_everyone(ada, "the vault")
    ada.presses("Answer 1-1")
    expect(ada.page.get_by_role("button", name="Copy result")).to_be_visible()
    suits_everyone(ada, "the vault, answered")


def test_the_menu_and_a_notice_suit_everyone(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada", viewport=NARROW).opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    ada.presses("Menu")
    expect(ada.page.get_by_role("button", name="Dark theme")).to_be_visible()
    suits_everyone(ada, "the open menu")
    ada.forgives()
    ada.context.set_offline(True)
    expect(ada.page.get_by_role("button", name="Try now")).to_be_visible()
    suits_everyone(ada, "a lost connection")


def test_meeting_an_opponent_suits_everyone(house: House, sits_down: SitsDown) -> None:
    ada, bob = sits_down("Ada", viewport=WIDE), sits_down("Bob", viewport=WIDE)
    ada.makes_a_game(house.address, "Safe Code", "Somebody you send a link")
    link = ada.invitation
    expect(ada.page.locator("svg[aria-label*=QR]")).to_be_visible()
    suits_everyone(ada, "waiting room")
    bob.opens(link)
    expect(bob.page.get_by_role("heading", level=1)).to_contain_text("Ada asks you")
    suits_everyone(bob, "invitation")
    bob.presses("Sit down")
    expect(bob.page.get_by_text("Type a name first.")).to_be_visible()
    suits_everyone(bob, "invitation without a name")
    bob.accepts(link)
    ada.is_asked()
    ada.presses("Rules")
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    suits_everyone(ada, "rules over a game")
    ada.presses("Back to the game")
    ada.presses("Resign")
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    suits_everyone(ada, "resigning")
    ada.presses("Play on")
    cy = sits_down("Cy", viewport=WIDE)
    cy.opens(link)
    expect(cy.page.get_by_role("heading", level=1)).to_have_text("Both seats are taken")
    suits_everyone(cy, "both seats taken")
    cy.presses("Watch it", "link")
    expect(cy.board).to_be_visible()
    suits_everyone(cy, "watching")
    cy.opens(house.address)
    cy.makes_a_game(house.address, "Quantum Duel", "Anyone in the lobby")
    expect(cy.page.get_by_text("Waiting in the lobby")).to_be_visible()
    suits_everyone(cy, "waiting in the lobby")
    bob.opens(house.address + "#")
    expect(bob.page.get_by_role("link", name="Join Cy at Quantum Duel")).to_be_visible()
    suits_everyone(bob, "lobby where somebody waits, and with a game of one's own")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_every_state_of_a_game_suits_everyone(pair: Pair, play: Play) -> None:
    people = ada, _ = pair(play.name, viewport=WIDE)
    for person in people:
        expect(person.board).to_be_visible()
    looked_at = {0, len(play.set_up), len(play.moves) - 1}
    for number, (seat, move) in enumerate(play.moves):
        mover, other = people[seat - 1], people[2 - seat]
        mover.is_asked()
        if number in looked_at:
            if not number:
                suits_everyone(mover, "one's own turn")
            suits_everyone(other, f"move {number + 1}, the other's turn")
            chooses(mover, play.name, move)
            suits_everyone(mover, f"move {number + 1}, chosen")
        mover.moves(move)
    ada.is_over()
    suits_everyone(ada, "how it went, at the end")
    ada.presses("One step back")
    suits_everyone(ada, "one step before the end")
    ada.presses("How it ended")
    suits_everyone(ada, "the end")
    ada.looks_into_the_checks()
    suits_everyone(ada, "the checks")
