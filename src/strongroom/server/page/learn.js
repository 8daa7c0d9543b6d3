/* A first game of a kind: a card a turn says what to touch and why, and points to it. */

import { fill, h, set, svg, write } from "./dom.js";
import { LESSONS } from "./lessons.js";
import * as own from "./own.js";
import { button } from "./parts.js";
import { placed } from "./placing.js";
import { say } from "./status.js";

const PARTS = ".grid, .dials, .wheels, .ledger, .pins, .below"; // of a board: what is touched or read

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
    placed(this.#card, target, [desk.actions], [[1, ...board.querySelectorAll(PARTS)], [0.3, desk.foot], [0.15, desk.players.node, document.querySelector(".top")]]);
    const points = this.#ringed !== desk.confirm;
    set(this.#line, { d: points && between(this.#card.getBoundingClientRect(), this.#ringed.getBoundingClientRect()) });
    fill(this.#arrow, this.#line);
  }

  #key(event) {
    if (event.key !== "Escape" || this.#card.hidden || document.querySelector("dialog")) return;
    event.preventDefault();
    event.stopPropagation();
    this.skip();
  }
}

const GAP = 8, HEAD = 6, LONGEST = 120;

/** An arrow from one box to another, straight across the room between them; nothing if they touch. */
function between(from, to) {
  const middle = (one, two, low, high) => Math.min(Math.min(from[high], to[high]), Math.max(Math.max(from[low], to[low]), (two[low] + two[high]) / 2));
  const x = middle(from, to, "left", "right"), y = middle(from, to, "top", "bottom");
  const beside = from.left < to.right && from.right > to.left;
  if (beside && from.top >= to.bottom) return arrow(x, from.top, x, to.bottom + GAP);
  if (beside && from.bottom <= to.top) return arrow(x, from.bottom, x, to.top - GAP);
  if (from.left >= to.right) return arrow(from.left, y, to.right + GAP, y);
  return from.right <= to.left ? arrow(from.right, y, to.left - GAP, y) : "";
}

/** Its last part, where it is long: what lies between can be read. */
function arrow(fromX, fromY, toX, toY) {
  const near = (from, to) => Math.max(to - LONGEST, Math.min(from, to + LONGEST)), x = near(fromX, toX), y = near(fromY, toY);
  const dx = Math.sign(toX - x) * HEAD, dy = Math.sign(toY - y) * HEAD;
  return Math.hypot(toX - x, toY - y) < HEAD ? "" : `M${x} ${y}L${toX} ${toY}M${toX - dx - dy} ${toY - dy - dx}L${toX} ${toY}L${toX - dx + dy} ${toY - dy + dx}`;
}
