/* What all boards share: the moment, the tentative choice, spinners and grids. */

import { changed, fill, h, set, write } from "./dom.js";
import { fitted } from "./fit.js";
import { upTo } from "./numbers.js";
import { button, capital } from "./parts.js";
import { mark } from "./players.js";
import { play } from "./sound.js";

/** A board: it draws a moment, keeps a tentative choice for its question, and tells of it. */
export class Board extends HTMLElement {
  lists = false; // every secret there can be, with what is impossible crossed out
  records = false; // the whole record, so that none is needed beside it
  found = "found";
  falls = null; // resolves once what chance does can be seen; null: nothing is in the air
  caption = fitted(h("p.caption.soft"));
  below = h("div.below");
  #kept = null;

  /** @type {Moment | undefined} */
  moment;

  // --- what each game's board adds ---

  /** Makes its elements, once. */
  build() {}

  /**
   * Draws the moment; what it returns resolves when the board has come to rest.
   * @param {Moment} [before] the moment that was drawn before
   * @returns {Promise<any> | void}
   */
  draw(before) {}

  /**
   * What would be sent for a choice.
   * @param {string} choice
   * @returns {Choice | null}
   */
  tell(choice) {
    return null;
  }

  /**
   * The elements that stand for a move.
   * @param {string} move
   * @returns {Element[]}
   */
  places(move) {
    return [];
  }

  /**
   * What one's own last turn brought, in a sentence.
   * @param {Step} step
   */
  recalls({ move, answer }) {
    return typeof answer === "object" ? "" : `Your ${move}: ${answer}.`;
  }

  /**
   * What a guess is told about a secret; null: it is told nothing.
   * @param {string} guess
   * @param {string} secret
   * @returns {number | null}
   */
  told(guess, secret) {
    return null;
  }

  /**
   * What is heard of a step that everybody sees.
   * @param {Step} step
   */
  sound(step) {
    return "peg";
  }

  // --- what all do ---

  /**
   * Draws a moment; resolves when the board has come to rest.
   * @param {Moment} moment
   */
  async show(moment) {
    const before = this.moment;
    this.moment = moment;
    if (moment.view.number > (this.#kept?.number ?? 0)) this.#kept = null;
    this.classList.add("board");
    this.classList.toggle("still", !moment.motion);
    this.classList.toggle("open", moment.canMove);
    if (!before) this.build();
    const resting = this.draw(before);
    const fresh = before && moment.view.history[before.view.history.length];
    const sound = fresh && this.sound(moment.view.history.at(-1));
    if (sound) Promise.resolve(this.falls).then(() => play(sound));
    this.#tell();
    await resting;
  }

  /**
   * Takes a tentative choice; null is none. A secret is chosen without a sound that others could
   * count.
   */
  choose(value) {
    if (!this.moment.canMove) return;
    if (!this.hiding) play("click");
    this.#keep(value === null ? null : { number: this.moment.view.number, value });
  }

  /** Undoes the tentative choice. */
  clear() {
    this.#keep(null);
  }

  /** Takes the referee's reading of the words that are chosen. */
  takes(taken) {
    if (this.#kept) this.#keep({ ...this.#kept, taken });
  }

  /**
   * Marks the places of suggested moves, which a board finds by `places`; of moves with several,
   * the first. Also of the move that was made instead, if that is looked back at.
   * @param {string[]} moves
   * @param {{ seat: Seat, move: string } | null} [made]
   */
  marks(moves, made = null) {
    const [first = [], ...others] = moves.map((move) => this.places(move));
    const marked = [...first, ...(first.length > 1 ? [] : others.flat())].filter(Boolean);
    for (const node of this.querySelectorAll("[data-hinted], [data-made]"))
      set(node, { "data-hinted": null, "data-made": null });
    for (const node of marked) set(node, { "data-hinted": true });
    for (const node of made ? this.places(made.move) : [])
      if (node) set(node, { "data-made": made.seat });
  }

  #keep(choice) {
    this.#kept = choice;
    this.draw(this.moment);
    this.#tell();
  }

  #tell() {
    const detail = this.choice === null ? null : this.tell(this.choice);
    if (changed(this, detail))
      this.dispatchEvent(new CustomEvent("choice", { bubbles: true, detail }));
  }

  /** The tentative choice for the question that is shown, or null. */
  get choice() {
    return this.mine && this.#kept?.number === this.moment.view.number ? this.#kept.value : null;
  }

  /** What would be sent as the board stands before it is touched; null: nothing. */
  get untouched() {
    return null;
  }

  /**
   * The two moves between which it asks, without a choice before; null: it does not.
   * @type {Choice[] | null}
   */
  get answers() {
    return null;
  }

  /**
   * Draws a secret; undefined: nothing is drawn now.
   * @type {(() => any) | undefined}
   */
  get pick() {
    return undefined;
  }

  /** How the referee took the words that are chosen: the move, and the text that shows it. */
  get taken() {
    return this.choice === null ? undefined : this.#kept.taken;
  }

  /** What a puzzle writes on its places. */
  get notes() {
    return this.moment.puzzle?.notes ?? {};
  }

  /** Whether this moment asks this seat. */
  get mine() {
    const { view, seat } = this.moment;
    return seat !== null && view.actor === seat;
  }

  /** Whether this seat is asked for what it hides. */
  get hiding() {
    return this.mine && this.moment.view.setting_up;
  }

  /** The opponent of the viewer; for a spectator the second player. */
  get other() {
    return this.moment.seat === 2 ? 1 : 2;
  }

  /** What was played by the viewer, or before a spectator by anybody. */
  get played() {
    const { view, seat } = this.moment;
    return view.history.filter((each) => seat === null || each.seat === seat);
  }

  /** What the viewer's last turn brought, while the viewer is asked for the next; else empty. */
  get recalled() {
    const step = this.mine && this.played.at(-1);
    return step ? this.recalls(step) : "";
  }

  /** What this game calls a secret. */
  get noun() {
    return this.moment.game.secret_name;
  }

  /** Whether a code can be what the other one hides, as far as aids tell. */
  possible(code) {
    return this.moment.words.left?.includes(code) ?? true;
  }

  /** What a player is called: "you" for the viewer. */
  name(seat) {
    return seat === this.moment.seat ? "you" : this.moment.info.seats[seat - 1].name;
  }

  /** Whose it is: "your", "Ada's". */
  whose(seat) {
    return seat === this.moment.seat ? "your" : `${this.name(seat)}'s`;
  }

  /** Whose secret was found out; 0: nobody's. */
  hit({ reason, winner }) {
    return ["cracked", "guessed"].includes(reason) ? 3 - winner : 0;
  }

  /** A choice that hides a secret. */
  hides(code, means = `Only you see it. Keep it from ${this.name(this.other)}.`) {
    return { move: code, button: `Hide ${code}`, title: `Your ${this.noun} is ${code}`, means };
  }

  /**
   * A choice that guesses one; `told` says what was answered when it was guessed before.
   * @param {string} code
   * @param {string} means
   * @param {(answer: any) => string} told
   */
  guesses(code, means, told = () => "") {
    const before = this.played.find((each) => each.move === code);
    if (before) means = `You guessed it before${told(before.answer)}.`;
    else if (!this.possible(code)) means = "What you were told rules it out.";
    return { move: code, button: `Guess ${code}`, title: `Guess ${code}`, means };
  }

  /**
   * A choice in words, which are read back before they are sent; `known` are a move as they stand.
   */
  typed(words, known, button, means) {
    const { move = known && words, text } = this.taken ?? {};
    const title = text ? `Taken as: ${text}` : `“${words}”`;
    return move
      ? { move, button, title, means }
      : {
          read: words,
          button: "Check it",
          title,
          means: "The referee first says how it is taken.",
        };
  }

  /** A field in which a move is typed. */
  field = h("input", {
    type: "text",
    maxlength: 200,
    autocomplete: "off",
    spellcheck: "false",
    "data-enter": true,
    oninput: () => this.choose(this.field.value.trim() || null),
  });

  /** Shows what is chosen in that field, and among buttons that each stand for a move. */
  presses(buttons) {
    const { canMove } = this.moment;
    const now = this.choice ?? "";
    const pressed = [...buttons].some((each) => each.textContent === now);
    const wanted = pressed && document.activeElement !== this.field ? "" : now;
    if (this.field.value.trim() !== wanted) this.field.value = wanted;
    this.field.readOnly = !canMove; // the focus stays
    for (const each of buttons)
      set(each, { "aria-pressed": String(each.textContent === now), disabled: !canMove });
  }

  /** Writes what stands above the board; while secrets are chosen, that. */
  says(text) {
    const chosen = this.moment.view.setting_up && `The ${this.noun}s are being chosen`;
    write(this.caption, this.hiding ? `Your secret ${this.noun}` : chosen || text);
  }

  /** Fills the line below: an aid to choose, at the end both secrets. */
  offers(aid) {
    const { secrets, outcome } = this.moment.view;
    const codes = (secrets ?? []).map(([code]) => code).filter(Boolean);
    if (!changed(this.below, codes, aid?.textContent)) return;
    fill(
      this.below,
      codes.length
        ? codes.map((code, at) => {
            const hit = this.hit(outcome) === at + 1;
            return h(
              `span.secret.of-${at + 1}${hit ? ".lit" : ""}`,
              mark(at + 1),
              ` ${capital(this.whose(at + 1))} ${this.noun} `,
              h("b", code),
              hit && `, ${this.found}`,
            );
          })
        : aid,
    );
  }
}

/**
 * The board of a game as an element; its module is loaded only now.
 * @param {string} name
 * @returns {Promise<Board>}
 */
export async function boardOf(name) {
  const tag = `board-${name}`;
  const module = await import(`./boards/${name}.js`);
  if (!customElements.get(tag)) customElements.define(tag, module.default);
  return /** @type {Board} */ (document.createElement(tag));
}

/** Lets what moves on some nodes begin one after another, so many milliseconds apart. */
export const inTurn = (nodes, apart) =>
  nodes.forEach((node, at) => (node.style.animationDelay = `${at * apart}ms`));

/** A number below a bound, from the browser's cryptographic source. */
export const drawn = (bound) => crypto.getRandomValues(new Uint32Array(1))[0] % bound;

/** Whether a key is pressed together with one that makes it another's. */
const foreign = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

/** A digit that is turned: by keys, by steps, by dragging or tapping what shows it. */
export class Spinner {
  held = null;

  constructor(name, highest, turn, { look, signs, shape, typed = () => {} }) {
    this.highest = highest;
    this.turn = turn;
    this.typed = typed;
    this.spin = h(
      `div.${look}`,
      {
        role: "spinbutton",
        tabindex: 0,
        "aria-label": name,
        "aria-valuemin": 1,
        "aria-valuemax": highest,
        onkeydown: (event) => this.#key(event),
        onpointerdown: (event) => this.#hold(event),
        onpointermove: (event) => this.held && this.drag(event),
        onpointerup: (event) => this.#drop(event),
        onpointercancel: () => this.#free(),
      },
      shape,
    );
    this.steps = [-1, 1].map((by, at) =>
      button(signs[at], () => this.step(by), "step", {
        tabindex: -1,
        "aria-label": `${name} ${at ? "up" : "down"}`,
      }),
    );
  }

  // --- what each shape of it adds ---

  /** Shows the digit as it stands. */
  rest() {}

  /**
   * Where on it a pointer is.
   * @param {PointerEvent} event
   * @returns {any}
   */
  spot(event) {}

  /**
   * Follows a pointer that holds it.
   * @param {PointerEvent} event
   */
  drag(event) {}

  /**
   * Takes what a tap points to.
   * @param {any} spot
   */
  tap(spot) {}

  // --- what all do ---

  /** Draws it; `legal` says which digits it may be turned to, `chosen` whether it was touched. */
  draw(now, says = null) {
    this.now = { legal: () => true, ...now };
    set(this.spin, {
      "aria-valuenow": now.digit,
      "aria-disabled": now.off ? "true" : null,
      "aria-valuetext": says,
    });
    if (!this.held) this.rest();
  }

  /** Turns it to a digit, if that may be. */
  to(digit) {
    if (!this.now.off && this.now.legal(digit)) this.turn(digit);
  }

  /** One on or back, past what the rules forbid. */
  step(by) {
    let { digit } = this.now;
    do digit = ((digit - 1 + by + this.highest) % this.highest) + 1;
    while (!this.now.legal(digit));
    this.to(digit);
  }

  /** Enter sends the choice; without one it takes what is shown, as the space bar does. */
  #key(event) {
    const { key } = event;
    const { now, highest } = this;
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[key];
    const digit =
      { Home: 1, End: highest, " ": now.digit, Enter: !now.chosen && now.digit }[key] ??
      Number(key);
    if (foreign(event) || !(by || (digit >= 1 && digit <= highest))) return;
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

/** Buttons in rows: one tab stop, arrows inside, digits go to the cell they name. */
export class Grid {
  #at = 0;
  #typed = "";

  /**
   * @param {string} label
   * @param {string[]} names
   * @param {number} across how many cells stand in a row
   * @param {(name: string) => void} pick
   * @param {{ heads?: boolean, look?: (at: number | null) => void }} options
   */
  constructor(label, names, across, pick, { heads = false, look = () => {} } = {}) {
    this.across = across;
    this.names = names;
    this.cells = names.map((name, at) =>
      h("button", {
        tabindex: at ? -1 : 0,
        onclick: () => this.#pick(at, () => pick(name)),
        onblur: () => look(null),
        onfocus: () => {
          this.#stop(at);
          look(at);
        },
        onpointerenter: () => look(at),
        onpointerleave: () => look(null),
      }),
    );
    const head = (role, text) => heads && h("span.head", { role }, text);
    const rows = upTo(1, names.length / across).map((row) =>
      h(
        "div",
        { role: "row" },
        head("rowheader", `${row}`),
        this.cells
          .slice((row - 1) * across, row * across)
          .map((cell) => h("span", { role: "gridcell" }, cell)),
      ),
    );
    this.node = h(
      "div.grid",
      { role: "grid", "aria-label": label, onkeydown: (event) => this.#key(event) },
      rows,
      heads &&
        h(
          "div",
          { role: "row" },
          head("gridcell"),
          upTo(1, across).map((column) => head("columnheader", `${column}`)),
        ),
    );
    this.node.style.setProperty("--across", across);
  }

  /** Draws a cell: its name, marks (a class and words each), its text. */
  draw(at, name, marks, { text = "", off = false, chosen = false }) {
    const [looks, says] = [0, 1].map((part) =>
      marks
        .filter(Boolean)
        .map((each) => each[part])
        .filter(Boolean),
    );
    write(
      set(this.cells[at], {
        class: looks.join(" "),
        "aria-label": [name, ...says].join(", "),
        "aria-disabled": off ? "true" : null,
        "aria-pressed": chosen ? "true" : null,
        "data-enter": chosen,
      }),
      text,
    );
  }

  #pick(at, pick) {
    this.#typed = "";
    if (this.cells[at].ariaDisabled !== "true") pick();
  }

  #stop(at) {
    this.cells[this.#at].tabIndex = -1;
    this.cells[(this.#at = at)].tabIndex = 0;
  }

  #key(event) {
    const at = foreign(event) ? undefined : this.#reached(event.key);
    if (at === undefined) return;
    event.preventDefault();
    this.cells[at].focus();
  }

  /** Where a key leads; undefined: it is none of the grid's. */
  #reached(key) {
    if (/^\d$/.test(key)) return this.#named(key);
    this.#typed = "";
    const at = this.#at;
    const first = at - (at % this.across);
    const last = first + this.across - 1;
    const to = {
      ArrowLeft: Math.max(first, at - 1),
      ArrowRight: Math.min(last, at + 1),
      ArrowUp: at - this.across,
      ArrowDown: at + this.across,
      Home: first,
      End: last,
    }[key];
    return to === undefined || to in this.cells ? to : at;
  }

  #named(key) {
    const names = this.names.map((name) => name.replace("-", ""));
    for (const typed of [this.#typed + key, key]) {
      const at = [names.indexOf(typed), names.findIndex((name) => name.startsWith(typed))].find(
        (each) => each >= 0,
      );
      if (at === undefined) continue;
      this.#typed = typed;
      return at;
    }
  }
}
