"""Browsers are reused between tests, and nothing of the last person is left in them."""

from __future__ import annotations

from tests.page.conftest import USUAL, SitsDown
from tests.page.house import House

KEEP = """async () => {
    localStorage.setItem("kept", "there");
    sessionStorage.setItem("kept", "there");
    document.cookie = "kept=there; max-age=1000";
    await caches.open("kept");
    await new Promise((done) => { indexedDB.open("kept").onsuccess = done; });
}"""
KEPT = """async () => [
    ...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie,
    ...await caches.keys(), ...(await indexedDB.databases()).map(({ name }) => name),
].filter((each) => each && each !== "strongroom.lessons")"""
"""What a browser keeps, but for the lessons that everybody in these tests knows."""


def test_a_browser_that_was_left_is_empty(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    for _ in range(2):
        assert ada.page.evaluate(KEPT) == []
        ada.page.evaluate(KEEP)
        ada.page.reload()
        assert len(ada.page.evaluate(KEPT)) == 5
        ada.context.new_page()
        ada.context.set_offline(True)
        ada.leaves()
        assert ada.context.pages == [ada.page]
        ada.arrives("Bob", USUAL, motion=False).opens(house.address)
        assert ada.sent == ada.troubles == []
