/* Safe Cracker: a ledger of guesses with pegs for exact matches, and wheels for the next one. */

import { changed, fill, h, set } from "../dom.js";
import { upTo } from "../numbers.js";
import { capital } from "../parts.js";
import { mark } from "../players.js";
import { Board, Spinner, drawn, inTurn } from "../board.js";

const NUMERALS = "none one two three four five six seven eight nine".split(" ");

/** The ledger: `choice` is a code, digit by digit. */
export default class SafeCrackerBoard extends Board {
  records = true;
  #seen = null; // what was better and what was made, of a guess that is looked back at

  build() {
    const { length, digits } = this.moment.view.options;
    this.wheels = upTo(0, length - 1).map(
      (place) =>
        new Wheel(
          place,
          digits,
          (digit) => this.choose((this.choice ?? this.#start()).with(place, digit)),
          () => this.wheels[place + 1]?.spin.focus(),
        ),
    );
    this.body = h("tbody");
    this.left = h("ul.chips", { "aria-label": "Still possible" });
    this.ledger = h(
      "div.ledger",
      { tabindex: 0, role: "region", "aria-label": "Guesses" },
      h(
        "table",
        h(
          "thead",
          h(
            "tr",
            h("th", { scope: "col" }, "#"),
            [1, 2].map((seat) =>
              h(`th.of-${seat}`, { scope: "col" }, mark(seat), ` ${capital(this.name(seat))}`),
            ),
          ),
        ),
        this.body,
      ),
      this.left,
      this.below,
    );
    this.append(
      this.ledger,
      this.caption,
      h(
        `div.wheels${length < 5 ? ".few" : ""}`,
        { role: "group", "aria-label": "The code, digit by digit" },
        this.wheels.map((wheel) => wheel.node),
      ),
    );
  }

  draw(before) {
    const { view, canMove, seat, words } = this.moment;
    const { choice, notes } = this;
    const shown = this.moment.puzzle?.shown;
    if (changed(this.ledger, view.history, this.#seen))
      this.#ledger(before?.view.history.length ?? Infinity);
    if (changed(this.left, notes, shown)) this.#codes(notes, shown);
    const now = choice ?? shown?.split("-").map(Number) ?? this.#start();
    this.wheels.forEach((wheel, at) => {
      const out = (digit) =>
        !(words.left?.some((code) => code.split("-")[at] === `${digit}`) ?? true);
      wheel.draw({ digit: now[at], off: !canMove, chosen: Boolean(choice), out });
    });
    const { attempts } = view.options;
    const made = view.history.filter((each) => each.seat === (seat ?? view.actor)).length;
    const round = attempts
      ? `Guess ${Math.min(made + 1, attempts)} of ${attempts}`
      : canMove
        ? `Guess ${made + 1}`
        : "";
    this.says(view.outcome ? "What was hidden" : shown ? `What ${shown} is told` : round);
    this.classList.toggle("done", Boolean(view.outcome) || seat === null);
    this.offers();
  }

  tell(choice) {
    const code = choice.join("-");
    return this.hiding
      ? this.hides(code)
      : this.guesses(
          code,
          `You are told how many of the ${choice.length} digits are in place.`,
          (answer) => `: ${answer} exact`,
        );
  }

  recalls({ move, answer }) {
    return `Your ${move}: ${NUMERALS[answer]} exact.`;
  }

  told(guess, secret) {
    const digits = secret.split("-");
    return guess.split("-").filter((digit, at) => digit === digits[at]).length;
  }

  get pick() {
    const { digits } = this.moment.view.options;
    return () => this.wheels.map(() => drawn(digits) + 1);
  }

  get untouched() {
    return this.moment.canMove && !this.played.length ? this.tell(this.#start()) : null;
  }

  /** What is looked back at stands in the ledger. */
  marks(moves, made) {
    this.#seen = made && { best: moves[0], made };
    if (!made) super.marks(moves);
    this.draw();
  }

  places(move) {
    return move.split("-").map((digit, at) => this.wheels[at].digits[digit - 1]);
  }

  /** What the wheels show before they are touched: the last guess of this seat. */
  #start() {
    const last = this.played.at(-1);
    return this.wheels.map((_, at) => Number(last?.move.split("-")[at] ?? 1));
  }

  /** The codes that a puzzle leaves, each with its odds, or with what a guess is told about it. */
  #codes(notes, shown) {
    fill(
      this.left,
      Object.entries(notes).map(([code, note]) =>
        h(
          `li.chip${code === shown ? ".chosen" : ""}`,
          typeof note === "number"
            ? pegged(code, note, this.wheels.length)
            : [h("span.code", code), h("small", note)],
        ),
      ),
    );
    this.ledger.scrollTop = shown ? 0 : this.ledger.scrollHeight;
  }

  #ledger(known) {
    const rounds = [];
    this.moment.view.history.forEach((guess, at) => {
      if (guess.seat === 1) rounds.push([]);
      rounds.at(-1)[guess.seat - 1] = this.#guess(guess, at >= known);
    });
    fill(
      this.body,
      rounds.map((round, at) =>
        h(
          "tr",
          h("td.count", String(at + 1)),
          [1, 2].map((seat) => h(`td.of-${seat}`, round[seat - 1])),
        ),
      ),
      !rounds.length && !this.#seen && h("tr", h("td.empty.soft", { colspan: 3 }, "No guess yet.")),
    );
    if (this.#seen) this.body.append(this.#better(this.#seen));
    this.ledger.scrollTop = this.ledger.scrollHeight;
  }

  /** The better code, and unless it stands there already the one that was taken. */
  #better({ best, made: { seat, move } }) {
    const { actor, history } = this.moment.view;
    const ghost = actor === seat || !history.length;
    const guess = [...this.body.querySelectorAll(`.of-${seat} > .guess`)].at(-1);
    if (!ghost) set(guess, { "data-made": seat });
    return h(
      "tr.seen",
      h("td"),
      [1, 2].map((each) =>
        h(
          `td.of-${each}`,
          each === seat && [
            h("span.code", { "data-hinted": true }, best),
            ghost && h("span.code", { "data-made": seat }, move),
          ],
        ),
      ),
    );
  }

  #guess({ move, answer }, fresh) {
    const { length } = this.wheels;
    const guess = h(
      `span.guess${fresh ? ".fresh" : ""}${answer === length ? ".lit" : ""}`,
      pegged(move, answer, length),
    );
    inTurn(guess.querySelectorAll(".peg"), 90);
    return guess;
  }
}

/** A guess and its pegs, one for each digit and those of exact matches filled. */
export const pegged = (code, exact, length) => [
  h("span.code", code),
  h(
    "span.pegs",
    { role: "img", "aria-label": `${exact} exact` },
    upTo(1, length).map((at) => h(at <= exact ? "i.peg.in" : "i.peg")),
  ),
];

/** One wheel: a strip of digits behind a window, the highest on top. */
class Wheel extends Spinner {
  constructor(place, highest, turn, typed) {
    const digits = upTo(1, highest).map((digit) => h("span", String(digit)));
    const strip = h("div.strip", digits.toReversed());
    super(`Digit ${place + 1}`, highest, turn, { look: "wheel", signs: "▾▴", shape: strip, typed });
    this.digits = digits;
    this.strip = strip;
    this.node = h("div.wheel-place", this.steps[1], this.spin, this.steps[0]);
  }

  draw(now) {
    const { digit, chosen, out } = now;
    super.draw(now, out(digit) ? `${digit}, ruled out` : null);
    this.node.classList.toggle("chosen", chosen);
    this.digits.forEach((node, at) => {
      node.className = `${at + 1 === digit ? "up" : ""}${out(at + 1) ? " out" : ""}`;
    });
  }

  rest() {
    this.#roll(this.highest - this.now.digit);
  }

  /** Where a pointer is: how many digits below the middle. */
  spot(event) {
    const box = this.spin.getBoundingClientRect();
    return { below: (event.clientY - box.top - box.height / 2) / this.digits[0].offsetHeight };
  }

  drag(event) {
    const { held, highest } = this;
    const by = held.below - this.spot(event).below;
    if (Math.abs(by) < 0.15 && !held.moved) return;
    held.row ??= highest - this.now.digit;
    held.moved = true;
    this.spin.classList.add("held");
    const row = Math.min(highest - 1, Math.max(0, held.row + by));
    this.#roll(row);
    const digit = highest - Math.round(row);
    if (digit !== this.now.digit) this.to(digit);
  }

  /** A tap above or below the middle takes the digit that stands there. */
  tap({ below }) {
    this.to(Math.min(this.highest, Math.max(1, this.now.digit - Math.round(below))));
  }

  #roll(row) {
    this.strip.style.setProperty("--row", row);
  }
}
