"""Today's vault: answered on the game's board, judged by cost, and kept in the browser alone."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import SitsDown
from tests.page.fitting import AT_A_TABLE, HARD_TO_HIT, LOOKS, PHONE, faults, places
from tests.page.people import House, Person
from tests.page.plays import touches

DAYS = [date(2026, 11, 9) + timedelta(days) for days in range(5)]
"""From Monday to Friday, all games that have puzzles have a vault."""
TODAY, QUICK = DAYS[:2]
KEPT = "localStorage['strongroom.vaults']"


def puzzle(house: House, day: date) -> Any:
    """The vault of a day, as the server tells it, with what each move is called."""
    told = house.asked(f"/api/vault?day={day}")
    for each in told["moves"]:
        each.setdefault("said", each["move"])
    return told


def right(vault: Any) -> Any:
    return next(each for each in vault["moves"] if each["move"] in vault["best"])


def wrong(vault: Any) -> Any:
    """The most expensive answer."""
    return max(vault["moves"], key=lambda each: each["cost"])


def dated(costs: dict[int, tuple[float, int]]) -> dict[str, Any]:
    """Answers to earlier days: by days ago, what each lost and its row of days."""
    return {
        str(TODAY - timedelta(ago)): {"move": "1", "cost": cost, "row": row}
        for ago, (cost, row) in costs.items()
    }


def opens(person: Person, house: House, day: date) -> None:
    """Open the vault in a browser where it is this day."""
    person.clock.set_fixed_time(f"{day}T12:00:00")
    person.page.goto("about:blank")
    person.opens(f"{house.address}#vault")
    expect(person.board).to_be_visible()


def answers(person: Person, vault: Any, move: Any) -> None:
    """Choose a move on the board, and answer it."""
    touches(person, vault["game"], move["move"])
    expect(person.button).to_have_text(f"Answer {move['said']}")
    person.button.click()
    if move["move"] not in vault["best"]:
        person.presses("Show it")
    expect(person.button).to_have_text("Share")


def noted(person: Person) -> list[str]:
    """What a puzzle has written on its board."""
    html = "(all) => all.map((each) => each.innerHTML)"
    told: list[str] = person.board.locator(".noted, .chip").evaluate_all(html)
    return told


def week(person: Person) -> list[str]:
    """What each lamp of the week says."""
    told = person.page.locator(".week .unseen").all_text_contents()
    return [each.partition(": ")[2] for each in told]


def test_a_vault_fits_every_window_and_a_wrong_answer_is_judged_and_explained(
    house: House, sits_down: SitsDown, subtests: pytest.Subtests
) -> None:
    ada = sits_down(viewport=PHONE, has_touch=True)
    for day in DAYS:
        with subtests.test(str(day)):
            vault = puzzle(house, day)
            move = wrong(vault)
            ada.page.set_viewport_size(PHONE)
            opens(ada, house, day)
            expect(ada.page.get_by_role("heading", level=1)).to_have_text(vault["question"])
            assert ada.page.evaluate(HARD_TO_HIT, AT_A_TABLE) == []
            before = places(ada)
            touches(ada, vault["game"], right(vault)["move"])
            assert places(ada) == before
            for text in (vault["answer"], vault["nudge"], "data-hinted"):
                assert text not in ada.page.content()  # nothing of it can be seen or read before
            ada.presses("Nudge")
            assert places(ada) == before
            assert faults(ada.page, LOOKS[1:]) == []
            ada.page.set_viewport_size(PHONE)
            answers(ada, vault, move)
            assert ada.page.evaluate(HARD_TO_HIT, AT_A_TABLE) == []
            points = f"{100 * move['cost']:.1f}"
            word = ada.page.get_by_role("heading", level=1)
            expect(word).to_have_text(f"{points} points short.")
            expect(ada.page.locator(".verdict .large")).to_have_text(move["contrast"])
            expect(ada.means).to_contain_text(f"First answer: {points} points lost")
            assert week(ada)[-1] == f"{points} points lost"
            assert noted(ada)  # what proves it
            before = noted(ada)
            ada.presses(f"Why not {move['said']}?")
            expect(ada.means).to_contain_text(move["why"])
            assert (noted(ada) == before) is (vault["odds"] is None)  # the board proves it
            ada.presses(f"Back to {right(vault)['said']}")
            assert noted(ada) == before
            ada.page.reload()
            expect(word).to_have_text(f"{points} points short.")
            assert not ada.page.get_by_role("button", name=re.compile("Nudge|Undo")).is_visible()


def test_a_right_answer_by_keyboard_loses_nothing_and_continues_the_row_of_days(
    house: House, sits_down: SitsDown
) -> None:
    """A nudge is told in the result."""
    vault, ada = puzzle(house, TODAY), sits_down()
    ada.opens(house.address)
    answered = {1: (0.0, 4), 2: (0.06, 3), 4: (0.0, 1)}
    ada.page.evaluate(f"(kept) => {{ {KEPT} = kept; }}", json.dumps(dated(answered)))
    opens(ada, house, TODAY)
    row = ada.page.locator(".streak")
    expect(row).to_contain_text("4 days in a row")
    days = ["not answered"] * 2
    days += ["nothing lost", "not answered", "6.0 points lost", "nothing lost"]
    assert week(ada) == [*days, "not answered"]
    move = right(vault)
    ada.reaches(ada.page.get_by_role("button", name="Nudge"))
    ada.types("Enter")
    expect(ada.means).to_have_text(vault["nudge"])
    ada.reaches(ada.board.get_by_role("spinbutton", name="Digit 1"), back=True)
    ada.types(*move["move"].split("-"))
    expect(ada.button).to_have_text(f"Answer {move['said']}")
    ada.types("Enter")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Right.")
    expect(ada.page.get_by_role("button", name="Share")).to_be_focused()
    assert ada.page.evaluate("window.heard.at(-1)") == f"Right. {move['contrast']}"
    expect(row).to_contain_text("5 days in a row")
    assert week(ada) == [*days, "nothing lost"]
    assert ada.context.cookies() == []
    sent = [each.url for each in ada.requests if "/api/vault" in each.url]
    assert sent[1:] == [f"{house.address}api/vault?day={TODAY}"]  # the lobby shows that of today
    assert ada.copied.splitlines() == [
        f"strongroom · Today's vault, {TODAY.day} November",
        f"{vault['title']}, level {vault['lamps']} of 5: nothing lost, with a nudge",
        "○ ○ ● ○ ◐ ● ●  5 days in a row",
    ]


def test_a_week_of_whole_answers_is_remembered_and_days_in_a_row_are_counted(modules: Page) -> None:
    whole: dict[str, Any] = {"move": "1", "cost": 0.5, "row": 5}
    parts: tuple[dict[str, Any], ...]
    parts = ({"row": 1e300}, {"row": "5"}, {"cost": "0.5"}, {"cost": "much"}, {"move": None})
    damaged = {str(TODAY - timedelta(ago)): whole | part for ago, part in enumerate(parts, 1)}
    for memory, row, after, days in (
        (dated({1: (0.0, 4), 2: (0.06, 3), 4: (0.0, 1)}), "4 days in a row", 5, 4),
        (dated({2: (0.0, 9)}), "", 1, 2),
        (dated({ago: (0.0, 20 - ago) for ago in range(1, 9)}), "19 days in a row", 20, 7),
        (damaged, "", 1, 1),
    ):
        said, shown, now = modules.evaluate(
            f"""async ([kept, day]) => {{
                const {{ keep, row, week }} = await import("/page/week.js");
                {KEPT} = JSON.stringify(kept);
                const before = [week(day).map(({{ says }}) => says), row(day)];
                keep(day, {{ move: "1", cost: 0 }});
                return [...before, JSON.parse({KEPT})];
            }}""",
            [memory | {"2026": None}, str(TODAY)],
        )
        answered = sum(each != "not answered" for each in said)
        assert (shown, now[str(TODAY)]["row"], len(now)) == (row, after, days), memory
        assert answered == min(days - 1, 6)
        assert max(now) == str(TODAY)


def test_the_vault_is_loaded_when_it_is_opened_and_again_on_a_new_day(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down()
    ada.forgives("422")
    ada.clock.set_fixed_time("1999-12-31T12:00:00")
    ada.opens(f"{house.address}#vault")
    expect(ada.page.locator("#stage")).to_contain_text("Check the date of this device.")
    ada.clock.set_fixed_time(f"{QUICK}T12:00:00")
    ada.page.goto("about:blank")
    ada.requests.clear()
    ada.opens(house.address)
    links = ada.page.get_by_role("navigation").get_by_role("link")
    expect(links).to_have_text(["Games", "Today's vault", "Watch", "Rules"])
    assert not [each.url for each in ada.requests if "vault.js" in each.url]
    ada.presses("Today's vault", "link")
    expect(ada.board).to_be_visible()
    expect(ada.page.locator("nav [aria-current]")).to_have_text("Today's vault")
    after = QUICK + timedelta(1)
    ada.clock.set_fixed_time(f"{after}T00:00:10")
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(puzzle(house, after)["question"])


def test_the_first_answer_of_a_day_counts_in_every_tab_and_any_is_judged_where_nothing_is_kept(
    house: House, sits_down: SitsDown
) -> None:
    vault, ada = puzzle(house, QUICK), sits_down()
    opens(ada, house, QUICK)
    first = wrong(vault)
    kept = json.dumps({str(QUICK): {"move": first["move"], "cost": first["cost"], "row": 1}})
    ada.page.evaluate(f"(kept) => {{ {KEPT} = kept; }}", kept)  # as another tab does
    answers(ada, vault, right(vault))
    expect(ada.means).to_contain_text(f"First answer: {100 * first['cost']:.1f} points lost")
    vault = puzzle(house, DAYS[2])
    opens(ada, house, DAYS[2])
    full = "() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }"
    ada.page.evaluate(full)
    answers(ada, vault, right(vault))
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Right.")
