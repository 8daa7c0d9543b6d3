/* Safe Cracker: a ledger of guesses with pegs for exact matches, and wheels for the next one. */

import { fill, h, write } from "../dom.js";
import { Board, Spinner, capital, drawer, drawn, mark } from "./board.js";

/** The ledger: `choice` is a code, digit by digit. */
export default class SafeCrackerBoard extends Board {
  noun = "code";

  build() {
    const { length, digits } = this.moment.view.options;
    this.length = length;
    this.highest = digits;
    this.wheels = Array.from({ length }, (_, place) => new Wheel(place, digits,
      (digit) => this.choose((this.choice ?? this.#start()).with(place, digit)),
      () => this.wheels[place + 1]?.spin.focus()));
    this.heads = [1, 2].map((seat) => h("th", { scope: "col", class: `of-${seat}` }));
    this.body = h("tbody");
    this.ledger = h("div", { class: "ledger", tabindex: 0, role: "region", "aria-label": "Guesses" },
      h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "#"), this.heads)), this.body));
    this.caption = h("p", { class: "caption" });
    this.draws = drawer("code", () =>
      this.choose(this.wheels.map(() => drawn(this.highest) + 1)));
    this.codes = h("div", { class: "below" });
    this.append(this.ledger, this.caption,
      h("div", { class: length < 5 ? "wheels few" : "wheels", role: "group", "aria-label": "The code, digit by digit" },
        this.wheels.map((wheel) => wheel.node)), this.codes);
  }

  draw(before) {
    const { view, canMove, seat } = this.moment;
    const { choice, hiding } = this;
    const guesses = view.history;
    this.heads.forEach((head, at) => {
      const text = capital(this.name(at + 1));
      if (head.dataset.name === text) return;
      head.dataset.name = text;
      fill(head, mark(at + 1), ` ${text}`);
    });
    this.#ledger(guesses, before ? before.view.history.length : guesses.length);
    const now = choice ?? this.#start();
    const left = this.hiding ? null : this.left;
    const possible = left && now.map((_, at) => new Set([...left].map((code) => Number(code.split("-")[at]))));
    this.wheels.forEach((wheel, at) => wheel.draw({ digit: now[at], off: !canMove,
      chosen: Boolean(choice), possible: possible?.[at] ?? null }));
    const { attempts } = view.options;
    const made = guesses.filter((each) => each.seat === (seat ?? view.actor)).length;
    const round = attempts ? `Guess ${Math.min(made + 1, attempts)} of ${attempts}` : canMove ? `Guess ${made + 1}` : "";
    write(this.caption, hiding ? "Your secret code" : view.outcome ? "What was hidden"
      : view.setting_up ? "The codes are being chosen" : round);
    this.classList.toggle("done", Boolean(view.outcome) || seat === null);
    this.below(this.codes, hiding && canMove ? this.draws : null);
  }

  tell(choice) {
    const code = choice.join("-");
    if (this.hiding) {
      return { move: code, button: `Hide ${code}`, title: `Your code is ${code}`,
        means: `Only you see it. Keep it from ${this.name(this.other)}.` };
    }
    const out = this.left && !this.left.has(code);
    const told = this.moment.view.history.find((each) =>
      each.seat === this.moment.seat && each.move === code);
    return { move: code, button: `Guess ${code}`, title: `Guess ${code}`,
      means: told ? `You guessed it before: ${told.answer} exact.`
        : out ? "By what you were told it cannot be right any more."
        : `You are told how many of the ${this.length} digits are in place.` };
  }

  /** What the wheels show before they are touched: the last guess of this seat. */
  #start() {
    const { view, seat } = this.moment;
    const last = view.setting_up ? null
      : view.history.findLast((each) => seat === null || each.seat === seat);
    return last ? last.move.split("-").map(Number) : Array(this.length).fill(1);
  }

  #ledger(guesses, known) {
    const key = JSON.stringify(guesses);
    if (key === this.ledger.dataset.shown) return;
    this.ledger.dataset.shown = key;
    const rounds = [];
    guesses.forEach((guess, at) => {
      if (guess.seat === 1 || !rounds.length) rounds.push({});
      rounds.at(-1)[guess.seat] = { ...guess, fresh: at >= known };
    });
    fill(this.body, rounds.map((round, at) => h("tr", {},
      h("td", { class: "count" }, String(at + 1)),
      [1, 2].map((seat) => h("td", { class: `of-${seat}` }, this.#guess(round[seat]))))));
    if (!rounds.length)
      fill(this.body, h("tr", {}, h("td", { colspan: 3, class: "empty" }, "No guess yet.")));
    this.ledger.scrollTop = this.ledger.scrollHeight;
  }

  #guess(guess) {
    if (!guess) return null;
    const pegs = Array.from({ length: this.length }, (_, at) =>
      h("i", { class: at < guess.answer ? "peg in" : "peg" }));
    const all = guess.answer === this.length ? " lit" : "";
    return h("span", { class: `guess${guess.fresh ? " fresh" : ""}${all}` },
      h("span", { class: "code" }, guess.move),
      h("span", { class: "pegs", role: "img", "aria-label": `${guess.answer} exact` }, pegs));
  }
}

/** One wheel: a strip of digits behind a window, the highest on top. */
class Wheel extends Spinner {
  constructor(place, highest, turn, typed) {
    const digits = Array.from({ length: highest }, (_, at) => h("span", {}, String(highest - at)));
    const strip = h("div", { class: "strip" }, digits);
    super(`Digit ${place + 1}`, highest, turn, { look: "wheel", signs: "▾▴", shape: strip, typed });
    Object.assign(this, { digits, strip });
    this.node = h("div", { class: "wheel-place" }, this.steps[1], this.spin, this.steps[0]);
  }

  draw(now) {
    const { digit, chosen, possible } = now;
    const out = (each) => Boolean(possible && !possible.has(each));
    super.draw(now, out(digit) ? `${digit}, ruled out` : null);
    this.node.classList.toggle("chosen", chosen);
    this.digits.forEach((node, at) => {
      const each = this.highest - at;
      node.className = `${each === digit ? "up" : ""}${out(each) ? " out" : ""}`;
    });
  }

  rest() {
    this.strip.style.setProperty("--row", this.highest - this.now.digit);
  }

  /** Where a pointer is: how many digits below the middle. */
  spot(event) {
    const box = this.spin.getBoundingClientRect();
    return { below: (event.clientY - box.top - box.height / 2) / this.digits[0].offsetHeight };
  }

  drag(event) {
    const { held, highest } = this;
    held.row ??= highest - this.now.digit;
    const by = held.below - this.spot(event).below;
    if (Math.abs(by) < 0.15 && !held.moved) return;
    held.moved = true;
    this.spin.classList.add("held");
    const row = Math.min(highest - 1, Math.max(0, held.row + by));
    this.strip.style.setProperty("--row", row);
    const digit = highest - Math.round(row);
    if (digit !== this.now.digit) this.to(digit);
  }

  /** A tap above or below the middle takes the digit that stands there. */
  tap({ below }) {
    this.to(Math.min(this.highest, Math.max(1, this.now.digit - Math.round(below))));
  }
}
