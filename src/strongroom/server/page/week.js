/* The days of the vault: which day it is here, the week, and how many days in a row. */

import { h } from "./dom.js";
import * as own from "./own.js";

/** What differs by less is equal. */
const TIE = 1e-6;

const DAYS = 7;
const SIGNS = { full: "●", pale: "◐", open: "○" };

const at = (day) => new Date(`${day}T12:00`);
const written = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
const told = (day, how) => at(day).toLocaleDateString("en-GB", how);

/** The day so many days before another, as `2026-11-16`. */
function before(day, days) {
  const date = at(day);
  date.setDate(date.getDate() - days);
  return written(date);
}

/** Which day it is where this browser is. */
export const today = () => written(new Date());

/** A day as a person writes it: "16 November". */
export const dated = (day) => told(day, { day: "numeric", month: "long" });

/** Whether an answer loses anything. */
export const loses = (cost) => cost > TIE;

/** What an answer loses, in points: "nothing", "4.2 points". */
export const lost = (cost) => (loses(cost) ? `${(100 * cost).toFixed(1)} points` : "nothing");

/**
 * How many days in a row were answered up to a day; one that is not over need not be answered yet.
 */
function inRow(day) {
  const kept = own.vaults();
  return kept[day]?.row ?? kept[before(day, 1)]?.row ?? 0;
}

/** The same in words; one day is no row. */
export const row = (day) => (inRow(day) > 1 ? `${inRow(day)} days in a row` : "");

/**
 * Remembers an answer to a day and returns all that is known of that day; null gives up.
 *
 * The first answer is what counts, and continues the row of the day before; it is done once an
 * answer loses nothing, or all tries are made.
 */
export function keep(day, answer, most = 1) {
  const known = own.vaults()[day];
  if (known?.done) return known;
  const first = known ?? { ...answer, row: (own.vaults()[before(day, 1)]?.row ?? 0) + 1 };
  const last = answer ?? first.last;
  const tries = (first.tries ?? 0) + (answer ? 1 : 0);
  const kept = {
    ...first,
    last: { move: last.move, cost: last.cost },
    tries,
    done: !answer || !loses(answer.cost) || tries >= most,
  };
  own.keepVault(day, kept);
  return kept;
}

/** The week up to a day: each day with how its answer looks. */
export function week(day) {
  const kept = own.vaults();
  return Array.from({ length: DAYS }, (_, index) => before(day, DAYS - 1 - index)).map((each) => {
    const cost = kept[each]?.cost;
    const look = cost === undefined ? "open" : loses(cost) ? "pale" : "full";
    return {
      day: each,
      look,
      sign: SIGNS[look],
      says: cost === undefined ? "not answered" : `${lost(cost)} lost`,
    };
  });
}

/** The week as a row of lamps. */
export const weekOf = (day) =>
  h(
    "ol.week",
    { "aria-label": "This week" },
    week(day).map(({ day: each, look, says }) =>
      h(
        "li",
        h("span.unseen", `${told(each, { weekday: "long" })}: ${says}`),
        h("span.soft", { "aria-hidden": "true" }, told(each, { weekday: "short" }).slice(0, 2)),
        h(`i.dot.${look}`, { "aria-hidden": "true" }),
      ),
    ),
  );
