/* A first game of a kind: a card a turn says what to touch and why, and points to it. */

import { fill, h, set, svg, write } from "./dom.js";
import { LESSONS } from "./lessons.js";
import * as own from "./own.js";
import { button } from "./parts.js";
import { placed } from "./placing.js";
import { say } from "./status.js";

/* The parts of a board, and what it costs to cover one: most where it can be touched or tells something. */
const PARTS = [
  [1, ".grid:has(button:not([aria-disabled='true'])), .dials, .wheels, .guess, .pin, .writing, .below > *"],
  [0.3, ".grid, .stage:not(.rest)"],
  [0.1, ".pins :is(h2, .empty), .ledger, .caption"],
];
const WRITTEN = "button, p, li, h2, label, input, .note, .head, .guess, .cell-numbers span, [role=spinbutton]"; // no arrow crosses these

/** The cards of a table's game; none if it is not this browser's first game of its kind. */
export class Lessons {
  #all;
  #at = null; // the card that is shown
  #number = 0; // the moment for which it is shown
  #count = h("span.soft");
  #what = h("h2");
  #why = h("p.soft");
  #card = h("section.lesson", { "aria-label": "First game", hidden: true },
    h("div.lesson-head", this.#count, button("Skip", () => this.skip(), "quiet")), this.#what, this.#why);
  #line = svg("path", { fill: "none" });
  #arrow = svg("svg.lesson-arrow", { "aria-hidden": "true" }, this.#line);
  #ringed = null;
  #leaving = new AbortController();

  constructor(table) {
    const { game, line: { id }, desk } = table, known = own.lessons()[game.name];
    Object.assign(this, { table, id });
    this.#all = known && known.id !== id ? [] : LESSONS[game.name] ?? [];
    if (!this.#all.length) return;
    const { signal } = this.#leaving, place = () => this.#place();
    desk.node.prepend(this.#card, this.#arrow);
    addEventListener("resize", place, { signal });
    addEventListener("scroll", place, { signal, passive: true });
    document.addEventListener("keydown", (event) => this.#key(event), { signal, capture: true });
  }

  /** Shows the card that fits this moment, if one is left. */
  show() {
    const { table, table: { board } } = this;
    if (!this.#all.length || !board?.moment) return;
    const { view } = board.moment;
    if (view.outcome || !board.moment.canMove) return this.#hide();
    if (this.#at === null || this.#number !== view.number) this.#next(view.number);
    if (this.#at === null) return this.#hide();
    this.#ring(table.choice && !table.desk.confirm.disabled ? table.desk.confirm : this.#all[this.#at].place(board) || board);
    this.#place();
  }

  /** Shows no more of them, now or later. */
  skip() {
    own.keepLessons(this.table.game.name, { id: this.id, seen: this.#all.map((_, at) => at) });
    this.#at = null;
    this.#hide();
    this.table.desk.focus();
  }

  /** Leaves the page. */
  stop() {
    this.#leaving.abort();
    this.#ring(null);
  }

  get #seen() {
    return own.lessons()[this.table.game.name]?.seen ?? [];
  }

  #next(number) {
    const { board, game, opponent } = this.table, seen = this.#seen;
    const at = this.#all.findIndex(({ place }, each) => !seen.includes(each) && place(board));
    this.#at = at < 0 ? null : at;
    this.#number = number;
    if (at < 0) return;
    own.keepLessons(game.name, { id: this.id, seen: [...seen, at] });
    const [what, why] = [this.#all[at].what, this.#all[at].why].map((text) => text.replaceAll("{other}", () => opponent.name));
    write(this.#count, `First game: ${seen.length + 1} of ${this.#all.length}`);
    write(this.#what, what);
    write(this.#why, why);
    this.#card.hidden = false;
    this.#card.removeAttribute("style"); // it finds another place
    say(`First game: ${what} ${why} Escape skips these.`);
  }

  #hide() {
    this.#card.hidden = true;
    fill(this.#arrow);
    this.#ring(null);
  }

  #ring(node) {
    if (this.#ringed === node) return;
    this.#ringed?.removeAttribute("data-ringed");
    this.#ringed = node;
    if (node) set(node, { "data-ringed": true });
  }

  #place() {
    if (this.#card.hidden || !this.#ringed) return;
    const { desk, board } = this.table, target = this.#all[this.#at].place(board) || board;
    const parts = PARTS.map(([cost, found]) => [cost, ...board.querySelectorAll(found)]);
    placed(this.#card, target, [desk.actions], [...parts, [0.3, ...desk.foot.children], [0.15, desk.players.node, document.querySelector(".top")]]);
    const points = this.#ringed !== desk.confirm;
    set(this.#line, { d: points && between(this.#card.getBoundingClientRect(), this.#ringed.getBoundingClientRect(), this.#written()) });
    fill(this.#arrow, this.#line);
  }

  /** The places of what is written outside the ring. */
  #written() {
    const all = [...this.table.desk.node.querySelectorAll(WRITTEN)], ringed = this.#ringed, text = new Range();
    return all.filter((node) => !(ringed.contains(node) || node.contains(ringed) || this.#card.contains(node)) && (node.textContent || node.matches("input"))).map((node) => {
      text.selectNodeContents(node);
      return (node.matches("button, input, [role]") ? node : text).getBoundingClientRect();
    });
  }

  #key(event) {
    if (event.key !== "Escape" || this.#card.hidden || document.querySelector("dialog")) return;
    event.preventDefault();
    event.stopPropagation();
    this.skip();
  }
}

const GAP = 8, HEAD = 6, LONGEST = 120, STEP = 6;

/** An arrow from one box to another, straight across the room between them, beside what is written there; nothing if they touch. */
function between(from, to, written) {
  const upright = from.left < to.right && from.right > to.left;
  const [low, high, near, far] = upright ? ["left", "right", "top", "bottom"] : ["top", "bottom", "left", "right"];
  const after = from[near] >= to[far];
  if (!after && from[far] > to[near]) return "";
  const first = Math.max(from[low], to[low]), last = Math.min(from[high], to[high]), middle = Math.min(last, Math.max(first, (to[low] + to[high]) / 2));
  if (first > last) return "";
  const tip = after ? to[far] + GAP : to[near] - GAP, sign = after ? 1 : -1;
  const room = (at) => Math.min(...written.filter((each) => each[low] - HEAD < at && each[high] + HEAD > at)
    .map((each) => (after ? each[near] - tip : tip - each[far])).filter((long) => long > -GAP), sign * (from[after ? near : far] - tip), LONGEST);
  const spots = Array.from({ length: Math.max(1, Math.ceil((last - first) / STEP)) }, (_, at) => middle + (at % 2 ? 1 : -1) * Math.ceil(at / 2) * STEP).filter((at) => at === middle || (at > first && at < last));
  const best = spots.reduce((one, two) => (room(two) > room(one) ? two : one)), long = room(best);
  return long < 2 * HEAD ? "" : arrow(best, tip, sign * long, upright);
}

/** Its tip at a point, its tail so far away. */
function arrow(at, tip, long, upright) {
  const point = (aside, back) => (upright ? `${at + aside} ${tip + back}` : `${tip + back} ${at + aside}`), back = Math.sign(long) * HEAD;
  return `M${point(0, long)}L${point(0, 0)}M${point(-HEAD, back)}L${point(0, 0)}L${point(HEAD, back)}`;
}
