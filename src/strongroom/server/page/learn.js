/* A first game of a kind: a card a turn says, in the referee's place, what to touch and why, and
   rings it; once it is touched, what to press. */

import { set } from "./dom.js";
import { lessonsOf } from "./lessons.js";
import * as own from "./own.js";
import { say } from "./status.js";
import { asked } from "./turn.js";

/** The cards of a table's game; none if it is not this browser's first game of its kind. */
export class Lessons {
  #all;
  #at = null; // the card of this moment
  #number = -1; // the moment
  #ringed = null;
  #leaving = new AbortController();

  constructor(table) {
    const { name } = table.game;
    const { id } = table.line;
    const known = own.lessons()[name];
    this.table = table;
    this.id = id;
    this.#all = known && known.id !== id ? [] : lessonsOf(table.game);
    const { signal } = this.#leaving;
    document.addEventListener("keydown", (event) => this.#key(event), { signal, capture: true });
  }

  /** What is to be touched or pressed now and why, instead of the referee; null: no card fits. */
  get says() {
    const { table } = this;
    const card = this.#card;
    if (!card) return null;
    const { choice } = table;
    if (this.#chosen) return [choice.title, `Now press “${choice.button}”.`];
    return [this.#worded(card.what ?? asked(table.board.moment.words)), this.#worded(card.why)];
  }

  /** How many cards there are, and which one this is. */
  get count() {
    return `First game: ${this.#seen.length} of ${this.#all.length}`;
  }

  /** Finds the card that fits this moment, and rings its place. */
  show() {
    const { table } = this;
    const moment = table.board?.moment;
    if (moment && this.#number !== moment.view.number) this.#next(moment);
    const card = this.#card;
    this.#ring(
      card && (this.#chosen ? table.desk.confirm : card.place(table.board) || table.board),
    );
  }

  /** Shows no more of them, now or later. */
  skip() {
    this.#keep(this.#all.keys());
    this.#all = [];
    this.table.act();
    this.table.desk.focus();
  }

  /** Leaves the page. */
  stop() {
    this.#leaving.abort();
    this.#ring(null);
  }

  get #card() {
    const { board } = this.table;
    return (board?.moment?.canMove && this.#all[this.#at]) || null;
  }

  get #chosen() {
    const { choice, desk } = this.table;
    return Boolean(choice?.move && !desk.confirm.disabled);
  }

  get #seen() {
    return own.lessons()[this.table.game.name]?.seen ?? [];
  }

  #worded(text) {
    return text.replaceAll("{other}", () => this.table.opponent.name);
  }

  #keep(seen) {
    own.keepLessons(this.table.game.name, { id: this.id, seen: [...seen] });
  }

  #next({ view, canMove }) {
    if (!canMove || !this.#all.length) return;
    const { board } = this.table;
    const seen = this.#seen;
    const fits = (card, at) => !seen.includes(at) && card.place(board);
    const at = this.#all.findIndex(fits);
    this.#number = view.number;
    this.#at = at < 0 ? null : at;
    if (at < 0) return;
    this.#keep([...seen, at]);
    const [what, why] = this.says;
    say(`First game: ${what} ${why} Escape skips these.`);
  }

  #ring(node) {
    if (this.#ringed !== node) this.#ringed?.removeAttribute("data-ringed");
    this.#ringed = node;
    if (node) set(node, { "data-ringed": true });
  }

  #key(event) {
    if (event.key !== "Escape" || !this.#card || document.querySelector("dialog, .opened, :popover-open")) return;
    event.preventDefault();
    event.stopPropagation();
    this.skip();
  }
}
