/* Safe Code: a board of 1 to 30 with the clues pinned beside it. */

import { fill, h, write } from "../dom.js";
import { Board, Grid, capital, drawer, drawn, mark } from "./board.js";
import { fitting, trueClues } from "./clues.js";

const HIGHEST = 30;
const OFFERED = 5;
const EACH = 3;

/** The board: `choice` is what would be sent, a number, `clue`, or a clue's sentence. */
export default class SafeCodeBoard extends Board {
  noun = "number";

  build() {
    const names = Array.from({ length: HIGHEST }, (_, at) => String(at + 1));
    this.grid = new Grid("Numbers from 1 to 30", names, 6, (at) => this.choose(names[at]));
    this.ask = h("button", { type: "button", class: "plain-button wide",
      onclick: () => this.choose("clue") }, "Request a clue");
    this.draws = drawer("number", () => this.choose(names[drawn(HIGHEST)]));
    this.field = h("input", { type: "text", maxlength: 200, autocomplete: "off", spellcheck: "false", "data-enter": true,
      oninput: () => this.choose(this.field.value.trim() || null) });
    this.offers = h("div", { class: "offers" });
    this.others = h("button", { type: "button", class: "plain-button",
      onclick: () => this.#offer(true) }, "Other suggestions");
    this.writing = h("div", { class: "writing" }, this.offers, h("label", {}, "Or in your own words", this.field));
    this.caption = h("p", { class: "caption" });
    this.pins = h("div", { class: "pins" });
    this.codes = h("div", { class: "below" });
    this.append(this.caption, h("div", { class: "beside" },
      h("div", { class: "plane thirty" }, this.grid.node, this.codes), this.pins));
  }

  draw() {
    const { view, canMove, seat } = this.moment;
    const { choice, hiding } = this;
    const writing = hiding && view.secret.length > 0;
    const number = writing ? Number(view.secret[0]) : null;
    const fits = writing && choice ? fitting(choice) : null;
    const left = view.setting_up ? null : this.left;
    for (let n = 1; n <= HIGHEST; n++)
      this.grid.draw(n - 1, this.#cell(n, { number, fits, left, off: !canMove || writing }));
    write(this.caption, writing ? `Clue ${view.secret.length} of ${EACH} about your number ${number}`
      : hiding ? "Your secret number" : view.setting_up ? "The numbers are being chosen"
      : seat === null ? "Guesses so far" : `${capital(this.whose(this.other))} number`);
    if (writing) this.#write(view, choice);
    else this.#pin(view);
    const asks = canMove && !view.setting_up && this.#given() < EACH;
    this.ask.classList.toggle("chosen", choice === "clue");
    const aid = writing ? this.others : this.draws;
    this.below(this.codes, asks ? this.ask : hiding && canMove ? aid : null);
  }

  tell(choice) {
    const { view } = this.moment, other = this.name(this.other);
    if (this.hiding && view.secret.length) {
      const fits = fitting(choice), text = `“${choice}”`;
      const last = view.secret.length === EACH;
      return { move: choice, button: `Write clue ${view.secret.length}`, title: text,
        means: `${fits ? `It leaves ${fits.length} of 30 numbers. ` : "The referee checks that it is true. "}${
          capital(other)} gets it on the ${["first", "second", "third"][view.secret.length - 1]} request.${
          last ? " Then you are ready." : ""}` };
    }
    if (this.hiding) {
      return { move: choice, button: `Hide ${choice}`, title: `Your number is ${choice}`,
        means: "Next you write three true clues about it." };
    }
    if (choice === "clue") {
      return { move: choice, button: "Request a clue", title: `Request clue ${this.#given() + 1} of ${EACH}`,
        means: `You get ${this.whose(this.other)} next clue, and the turn is over.` };
    }
    const told = view.history.some((each) => each.seat === this.moment.seat && each.move === choice);
    const out = this.left && !this.left.has(choice);
    return { move: choice, button: `Guess ${choice}`, title: `Guess ${choice}`,
      means: told ? "You guessed it before." : out ? "By what you were told it cannot be right any more."
        : "If it is right you win; if not, the turn is over." };
  }

  #given() {
    return this.moment.view.board[this.moment.seat - 1];
  }

  #cell(n, { number, fits, left, off }) {
    const { view, seat } = this.moment, text = String(n);
    const by = view.history.filter((each) => each.move === text && (seat === null || each.seat === seat));
    const owner = view.secrets?.findIndex(([code]) => code === text) + 1 || 0;
    const chosen = this.choice === text;
    const looks = [], says = [text];
    if (chosen) looks.push("chosen");
    if (n === number) looks.push("own"), says.push("your number");
    if (owner) looks.push("lit", `of-${owner}`), says.push(`${this.whose(owner)} number`);
    for (const guess of by) {
      looks.push("guessed", `of-${guess.seat}`);
      says.push(`${guess.seat === seat ? "you" : this.name(guess.seat)} guessed it`);
    }
    if (fits ? !fits.includes(n) : left && !left.has(text) && !owner) {
      looks.push("out");
      says.push("ruled out");
    }
    return { look: looks.join(" "), label: says.join(", "), text, off, chosen };
  }

  /** The notes: first what the viewer was told, then what they told. */
  #pin(view) {
    const order = this.moment.seat === 2 ? [2, 1] : [1, 2];
    const key = JSON.stringify([view.history, view.setting_up, view.secrets]);
    if (this.pins.dataset.shown === key) return;
    this.pins.dataset.shown = key;
    fill(this.pins, view.setting_up ? this.#mine(view) : order.map((asker) => this.#notes(view, asker)));
  }

  #mine(view) {
    const own = view.secret.slice(1);
    return h("section", {}, h("h2", {}, "Clues"),
      own.length ? h("ol", {}, own.map((text) => h("li", { class: "pin" }, text)))
        : h("p", { class: "empty" }, "Each player writes three true clues. They are pinned here when they are asked for."));
  }

  #notes(view, asker) {
    const about = 3 - asker;
    const told = view.history.filter((each) => each.seat === asker);
    const clues = told.filter((each) => each.move === "clue").map((each) => each.answer);
    const kept = view.secrets?.[about - 1].slice(1 + clues.length) ?? [];
    const wrong = told.filter((each) => each.answer === false).map((each) => each.move);
    return h("section", {},
      h("h2", {}, mark(about), ` About ${this.whose(about)} number`),
      h("ol", {}, clues.map((text) => h("li", { class: `pin of-${about}` }, text)),
        kept.map((text) => h("li", { class: "pin kept" }, text, h("small", {}, " not asked for")))),
      !clues.length && !kept.length && h("p", { class: "empty" },
        asker === this.moment.seat ? "No clue yet. Three can be requested, one a turn." : "No clue given yet."),
      wrong.length > 0 && h("p", { class: "wrong" }, `Not ${wrong.join(", ")}.`));
  }

  /** Writing a clue: true ones to choose from, and a field for any other. */
  #write(view, choice) {
    if (!this.writing.isConnected) fill(this.pins, this.writing);
    delete this.pins.dataset.shown;
    if (this.offers.dataset.step !== String(view.number)) {
      this.offers.dataset.step = view.number;
      this.#offer(false);
    }
    if (this.field.value.trim() !== (choice ?? "")) this.field.value = choice ?? "";
    for (const button of this.offers.children) {
      button.setAttribute("aria-pressed", String(button.textContent === choice));
      button.disabled = !this.moment.canMove;
    }
    this.field.disabled = !this.moment.canMove;
  }

  #offer(again) {
    const { secret } = this.moment.view;
    const clues = trueClues(Number(secret[0]), secret.slice(1));
    const shown = new Set(again ? [...this.offers.children].map((each) => each.textContent) : []);
    let fresh = clues.filter((text) => !shown.has(text));
    const offered = [];
    while (offered.length < OFFERED && fresh.length) {
      const text = fresh[drawn(fresh.length)], kind = text.replace(/\d+/g, "");
      offered.push(text);
      fresh = fresh.filter((each) => each.replace(/\d+/g, "") !== kind);
    }
    fill(this.offers, offered.map((text) => h("button", { type: "button", class: "pin",
      "aria-pressed": String(text === this.choice), onclick: () => this.choose(text) }, text)));
  }
}
