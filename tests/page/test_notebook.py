"""The notebook beside the board: what is still possible, in the order of numbers."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.plays import plays

PRIMES = ["2", "3", "5", "7", "11", "13", "17", "19", "23", "29"]
HIDDEN = (("18", "even", "divisible by 3", "less than 20"), ("7", "prime", "odd", "less than 9"))


def test_the_notebook_is_ordered_by_number_and_not_by_letter(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("safe-code", aids=True)
    people = ada, _ = [sits_down(motion=False).opens(link) for link in links]
    for person, secrets in zip(people, HIDDEN, strict=True):
        for secret in secrets:
            plays(person, "safe-code", secret)
    plays(ada, "safe-code", "clue")
    listed = ada.page.get_by_role("list", name="Still possible").get_by_role("listitem")
    expect(listed).to_have_text(PRIMES)
