/* What all boards share: the moment, the half-made choice, names, and a grid of buttons. */

import { fill, h, set, write } from "../dom.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");

/** A board: it draws a moment, keeps a tentative choice for its question, and tells of it. */
export class Board extends HTMLElement {
  noun = "secret";
  found = ", found";
  #kept = null;
  #told = "null";

  /** Draws a moment; the same moment again changes nothing. Resolves when all has come to rest. */
  show(moment) {
    const before = this.moment?.info?.id === moment.info?.id ? this.moment : null;
    this.moment = moment;
    if (!before || moment.view.number > (this.#kept?.number ?? 0)) this.#kept = null;
    this.classList.add("board");
    this.classList.toggle("still", this.still);
    this.classList.toggle("open", Boolean(moment.canMove));
    if (!this.firstChild) this.build();
    const resting = this.draw(before);
    this.#tell();
    return Promise.resolve(resting);
  }

  /** Takes a tentative choice; null is none. */
  choose(value) {
    if (!this.moment.canMove) return;
    this.#kept = value === null ? null : { number: this.moment.view.number, value };
    this.draw(this.moment);
    this.#tell();
  }

  /** Undoes the tentative choice. */
  clear() {
    this.#kept = null;
    if (this.moment) this.draw(this.moment);
    this.#tell();
  }

  /** What this seat hides, as text; empty if there is nothing. */
  secret() {
    return this.moment?.view.secret[0] ?? "";
  }

  /** The tentative choice for the question that is shown, or null. */
  get choice() {
    return this.mine && this.#kept?.number === this.moment.view.number ? this.#kept.value : null;
  }

  /** Whether this moment asks this seat. */
  get mine() {
    const { view, seat } = this.moment;
    return seat !== null && view.actor === seat && !view.outcome;
  }

  /** Whether this seat is asked for what it hides. */
  get hiding() {
    return this.mine && this.moment.view.setting_up;
  }

  /** Whether nothing may move. */
  get still() {
    return !this.moment.motion || CALM.matches;
  }

  /** The opponent of the viewer; for a spectator the second player. */
  get other() {
    return this.moment.seat === 2 ? 1 : 2;
  }

  /** What can still be hidden, if aids are on; null: nothing is worked out. */
  get left() {
    const { aids, words } = this.moment;
    return aids && words?.left ? new Set(words.left) : null;
  }

  /** What a player is called: "you" for the viewer. */
  name(seat) {
    const { info } = this.moment;
    return seat === this.moment.seat ? "you" : info?.seats?.[seat - 1]?.name ?? `Player ${seat}`;
  }

  /** Whose it is: "your", "Ada's". */
  whose(seat) {
    return seat === this.moment.seat ? "your" : `${this.name(seat)}'s`;
  }

  /** Whose secret was found out; 0: nobody's. */
  hit(outcome) {
    return ["cracked", "guessed"].includes(outcome?.reason) ? 3 - outcome.winner : 0;
  }

  /** Fills the line below a board: what both hid, once it is over; before that, what is given. */
  below(line, offered = null) {
    const { secrets, outcome } = this.moment.view;
    const codes = (secrets ?? []).map(([code]) => code).filter(Boolean);
    const key = codes.join() || offered?.textContent || "";
    if (line.dataset.shown === key) return;
    line.dataset.shown = key;
    fill(line, codes.length ? codes.map((code, at) => {
      const seat = at + 1, hit = this.hit(outcome) === seat;
      return h("span", { class: `secret of-${seat}${hit ? " lit" : ""}` }, mark(seat),
        ` ${capital(this.whose(seat))} ${this.noun} `, h("b", {}, code), hit && this.found);
    }) : offered);
  }

  #tell() {
    const detail = this.choice === null ? null : this.tell(this.choice);
    const told = JSON.stringify(detail);
    if (told === this.#told) return;
    this.#told = told;
    this.dispatchEvent(new CustomEvent("choice", { bubbles: true, detail }));
  }
}

/** The sign of a player, which says the same as the colour. */
export function mark(seat) {
  return h("span", { class: `glyph ${seat === 1 ? "one" : "two"}`, "aria-hidden": "true" });
}

/** A sentence's beginning. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number below a bound, from the browser's cryptographic source. */
export function drawn(bound) {
  return crypto.getRandomValues(new Uint32Array(1))[0] % bound;
}

/** The button that draws a secret for somebody who wants no habit to show. */
export function drawer(noun, pick) {
  return h("button", { type: "button", class: "plain-button", onclick: pick }, `Draw a ${noun} for me`);
}

/** A digit that is turned: by keys, by steps, by dragging or tapping what shows it. */
export class Spinner {
  held = null;

  constructor(name, highest, turn, { look, signs, shape, typed = () => {} }) {
    Object.assign(this, { highest, turn, typed });
    this.spin = h("div", { class: look, role: "spinbutton", tabindex: 0, "aria-label": name,
      "aria-valuemin": 1, "aria-valuemax": highest, onkeydown: (event) => this.#key(event),
      onpointerdown: (event) => this.#hold(event), onpointerup: (event) => this.#drop(event),
      onpointermove: (event) => this.held && this.drag(event), onpointercancel: () => this.#free(),
    }, shape);
    this.steps = [-1, 1].map((by, at) => h("button", { type: "button", class: "step", tabindex: -1,
      "aria-label": `${name} ${at ? "up" : "down"}`, onclick: () => this.step(by) }, signs[at]));
  }

  /** Draws it; `legal` says which digits it may be turned to, `chosen` whether it was touched. */
  draw(now, says = null) {
    this.now = now;
    set(this.spin, { "aria-valuenow": now.digit, "aria-disabled": now.off ? "true" : null,
      "aria-valuetext": says });
    if (!this.held) this.rest();
  }

  to(digit) {
    if (!this.now.off && (this.now.legal?.(digit) ?? true)) this.turn(digit);
  }

  /** One on or back, past what the rules forbid. */
  step(by) {
    const { highest, now } = this;
    let { digit } = now;
    do digit = ((digit - 1 + by + highest) % highest) + 1;
    while (!(now.legal?.(digit) ?? true));
    this.to(digit);
  }

  /** Enter sends what is chosen; where nothing is, it takes what is shown, as the space bar does. */
  #key(event) {
    const { key } = event, { now, highest } = this;
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[key];
    const digit = { Home: 1, End: highest, " ": now.digit }[key]
      ?? (key === "Enter" && !now.chosen ? now.digit : Number(key));
    if (event.ctrlKey || event.metaKey || event.altKey || !(by || (digit >= 1 && digit <= highest))) return;
    event.preventDefault();
    event.stopPropagation();
    if (by) return this.step(by);
    this.to(digit);
    if (/\d/.test(key)) this.typed();
  }

  #hold(event) {
    if (this.now.off || event.button) return;
    this.spin.setPointerCapture(event.pointerId);
    this.held = { ...this.spot(event), moved: false };
  }

  #drop(event) {
    const tapped = this.held && !this.held.moved;
    this.#free();
    if (tapped) this.tap(this.spot(event));
  }

  #free() {
    this.held = null;
    this.spin.classList.remove("held");
    this.rest();
  }
}

/** Buttons in rows: one stop of the tab key, arrows inside, numbers go to the cell they name. */
export class Grid {
  #at = 0;
  #typed = "";

  constructor(label, names, across, pick, { heads = false, look = () => {} } = {}) {
    this.across = across;
    this.names = names;
    this.cells = names.map((name, at) =>
      h("button", { type: "button", tabindex: at ? -1 : 0, onclick: () => this.#pick(at, pick),
        onfocus: () => { this.#stop(at); look(at); }, onblur: () => look(null),
        onpointerenter: () => look(at), onpointerleave: () => look(null) }));
    const rows = [];
    for (let at = 0; at < names.length; at += across) {
      const number = String(at / across + 1);
      rows.push(h("div", { role: "row" },
        heads && h("span", { role: "rowheader", class: "head" }, number),
        this.cells.slice(at, at + across).map((cell) => h("span", { role: "gridcell" }, cell))));
    }
    if (heads) {
      const tops = Array.from({ length: across }, (_, at) =>
        h("span", { role: "columnheader", class: "head" }, String(at + 1)));
      rows.push(h("div", { role: "row" }, h("span", { role: "gridcell", class: "head" }), tops));
    }
    this.node = h("div", { role: "grid", class: "grid", "aria-label": label,
      onkeydown: (event) => this.#key(event) }, rows);
    this.node.style.setProperty("--across", across);
  }

  /** Draws one cell: its classes, its label, its text. */
  draw(at, { look = "", label, text = "", off = false, chosen = false }) {
    const cell = this.cells[at];
    cell.className = look;
    set(cell, { "aria-label": label, "aria-disabled": off ? "true" : null,
      "aria-pressed": chosen ? "true" : null, "data-enter": chosen });
    write(cell, text);
  }

  #pick(at, pick) {
    this.#typed = "";
    if (this.cells[at].getAttribute("aria-disabled") !== "true") pick(at);
  }

  #stop(at) {
    this.cells[this.#at].tabIndex = -1;
    this.cells[this.#at = at].tabIndex = 0;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#reached(event.key);
    if (at === null) return;
    event.preventDefault();
    this.#stop(at);
    this.cells[at].focus();
  }

  #reached(key) {
    const { across, cells } = this, at = this.#at, column = at % across;
    if (/^[0-9]$/.test(key)) return this.#named(key);
    this.#typed = "";
    if (key === "ArrowLeft") return column ? at - 1 : at;
    if (key === "ArrowRight") return column < across - 1 ? at + 1 : at;
    if (key === "ArrowUp") return at < across ? at : at - across;
    if (key === "ArrowDown") return at + across < cells.length ? at + across : at;
    if (key === "Home") return at - column;
    if (key === "End") return at - column + across - 1;
    return null;
  }

  #named(key) {
    for (const typed of [this.#typed + key, key]) {
      const names = this.names.map((name) => name.replace(/\D/g, ""));
      const at = names.includes(typed) ? names.indexOf(typed)
        : names.findIndex((name) => name.startsWith(typed));
      if (at >= 0) {
        this.#typed = typed;
        return at;
      }
    }
    return null;
  }
}
