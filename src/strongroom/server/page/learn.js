/* A first game of a kind: a card a turn says what to touch and why, in a room of its own, and
   points to it. */

import { h, set, write } from "./dom.js";
import { fitted } from "./fit.js";
import { lessonsOf } from "./lessons.js";
import * as own from "./own.js";
import { button } from "./parts.js";
import { say } from "./status.js";
import { asked } from "./turn.js";

const EDGE = 24; // how far from a corner of the card its notch stays, in pixels

/** The cards of a table's game; none if it is not this browser's first game of its kind. */
export class Lessons {
  #all;
  #at = null; // the card that is shown
  #number = 0; // the moment for which it is shown
  #count = h("span.soft");
  #what = h("h2");
  #why = h("p.soft");
  #card = h(
    "section.lesson",
    { "aria-label": "First game" },
    h(
      "div.lesson-head",
      this.#count,
      button("Skip", () => this.skip(), "quiet"),
    ),
    fitted(h("div.lesson-text", this.#what, this.#why)),
  );
  #ringed = null;
  #leaving = new AbortController();

  constructor(table) {
    const { game, desk } = table;
    const { id } = table.line;
    const known = own.lessons()[game.name];
    this.table = table;
    this.id = id;
    this.#all = known && known.id !== id ? [] : lessonsOf(game);
    if (!this.#left.length) return;
    const { signal } = this.#leaving;
    desk.place.before(this.#card);
    addEventListener("resize", () => this.#point(), { signal });
    document.addEventListener("keydown", (event) => this.#key(event), { signal, capture: true });
  }

  /**
   * Shows the card that fits this moment, if one is left; its room stays until the last has been
   * read.
   */
  show() {
    const { table } = this;
    const { board } = table;
    if (!this.#card.isConnected || !board?.moment) return;
    const { view } = board.moment;
    if (view.outcome) return this.#end();
    if (!board.moment.canMove) return this.#quiet();
    if (this.#at === null || this.#number !== view.number) this.#next(view.number);
    if (this.#at === null) return this.#left.length ? this.#quiet() : this.#end();
    this.#ring(
      table.choice && !table.desk.confirm.disabled
        ? table.desk.confirm
        : this.#all[this.#at].place(board) || board,
    );
    this.#point();
  }

  /** Shows no more of them, now or later. */
  skip() {
    own.keepLessons(this.table.game.name, { id: this.id, seen: this.#all.map((_, at) => at) });
    this.#end();
    this.table.desk.focus();
  }

  /** Leaves the page. */
  stop() {
    this.#leaving.abort();
    this.#ring(null);
  }

  get #left() {
    const seen = own.lessons()[this.table.game.name]?.seen ?? [];
    return [...this.#all.keys()].filter((each) => !seen.includes(each));
  }

  #next(number) {
    const { board, game, opponent } = this.table;
    const left = this.#left;
    this.#at = left.find((each) => this.#all[each].place(board)) ?? null;
    this.#number = number;
    if (this.#at === null) return;
    const lesson = this.#all[this.#at];
    const [what, why] = [lesson.what ?? asked(board.moment.words), lesson.why].map((text) =>
      text.replaceAll("{other}", () => opponent.name),
    );
    const seen = [...this.#all.keys()].filter((each) => !left.includes(each) || each === this.#at);
    own.keepLessons(game.name, { id: this.id, seen });
    write(this.#count, `First game: ${seen.length} of ${this.#all.length}`);
    write(this.#what, what);
    write(this.#why, why);
    this.#card.inert = false;
    say(`First game: ${what} ${why} Escape skips these.`);
  }

  /** Keeps the room free, so that the board does not move. */
  #quiet() {
    this.#card.inert = true;
    this.#ring(null);
  }

  #end() {
    this.#at = null;
    this.#card.remove();
    this.stop();
  }

  #ring(node) {
    if (this.#ringed !== node) this.#ringed?.removeAttribute("data-ringed");
    this.#ringed = node;
    if (node) set(node, { "data-ringed": true });
  }

  /** Turns the notch of the card to what is ringed. */
  #point() {
    if (!this.#ringed?.isConnected) return;
    const card = this.#card.getBoundingClientRect();
    const to = this.#ringed.getBoundingClientRect();
    const within = (place, size) => `${Math.max(EDGE, Math.min(place, size - EDGE))}px`;
    this.#card.style.setProperty(
      "--across",
      within((to.left + to.right) / 2 - card.left, card.width),
    );
    this.#card.style.setProperty(
      "--down",
      within((to.top + to.bottom) / 2 - card.top, card.height),
    );
  }

  #key(event) {
    if (event.key !== "Escape" || this.#card.inert || document.querySelector("dialog, .opened"))
      return;
    event.preventDefault();
    event.stopPropagation();
    this.skip();
  }
}
