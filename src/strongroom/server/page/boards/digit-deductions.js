/* Digit Deductions: a plane of 9 by 9 numbers where a distance is a ring. */

import { h } from "../dom.js";
import { distance } from "../measures.js";
import { upTo } from "../numbers.js";
import { capital } from "../parts.js";
import { Board, Grid, drawn } from "../board.js";

const DIGITS = upTo(1, 9);
const NAMES = DIGITS.flatMap((first) => DIGITS.map((second) => `${first}-${second}`));

/** The plane: `choice` is a number like `5-7`. */
export default class DigitDeductionsBoard extends Board {
  lists = true;
  #looked = null;

  build() {
    this.grid = new Grid(
      "Numbers, first digit down, second across",
      NAMES,
      DIGITS.length,
      (name) => this.choose(name),
      { heads: true, look: (at) => this.#look(at) },
    );
    this.append(h("div.plane.nine", this.grid.node), this.caption, this.below);
  }

  draw() {
    const { view, canMove, seat } = this.moment;
    const { hiding, notes, played } = this;
    const guessed = (name) => played.findLast((each) => each.move === name);
    const centre = hiding ? null : (guessed(NAMES[this.#looked]) ?? played.at(-1));
    NAMES.forEach((name, at) => {
      const guess = guessed(name);
      const chosen = this.choice === name;
      const owners = [1, 2].filter((who) => view.secrets?.[who - 1][0] === name);
      const ring =
        centre &&
        centre.answer > 0 &&
        distance(name.split("-"), centre.move.split("-")) === centre.answer;
      const noted = notes[name];
      const { style } = this.grid.cells[at];
      if (ring) style.setProperty("--from", shift(NAMES.indexOf(centre.move), at));
      const text =
        noted?.toString() ??
        (chosen || owners.length || (ring && !guess && this.possible(name))
          ? name
          : guess && String(guess.answer));
      this.grid.draw(
        at,
        name,
        [
          ring && ["ring", `${centre.answer} from ${centre.move}`],
          noted !== undefined && ["noted", `${noted}`],
          !this.possible(name) && ["out", "ruled out"],
          guess && [
            `guessed of-${guess.seat}${guess === centre ? " centre" : ""}`,
            `guessed, distance ${guess.answer}`,
          ],
          ...owners.map((owner) => [`lit of-${owner}`, `${this.whose(owner)} number`]),
          chosen && ["chosen"],
        ],
        { text, off: !canMove, chosen },
      );
    });
    const whose = centre && `${this.whose(3 - centre.seat)} number`;
    this.says(
      centre
        ? `${centre.move} is ${centre.answer ? `${centre.answer} from ` : ""}${whose}`
        : seat === null
          ? "No guess yet"
          : `${capital(this.whose(this.other))} number is one of 81`,
    );
    this.offers();
  }

  tell(choice) {
    return this.hiding
      ? this.hides(choice)
      : this.guesses(
          choice,
          "You are told how many steps it is off, both digits together.",
          (answer) => `: it is ${answer} off`,
        );
  }

  recalls({ move, answer }) {
    return `Your ${move}: ${answer} away.`;
  }

  told(guess, secret) {
    return distance(guess.split("-"), secret.split("-"));
  }

  get pick() {
    return () => NAMES[drawn(NAMES.length)];
  }

  places(move) {
    return [this.grid.cells[NAMES.indexOf(move)]];
  }

  /** An earlier guess that is pointed at shows its ring again. */
  #look(at) {
    const looked = this.grid.cells[at]?.classList.contains("guessed") ? at : null;
    if (looked === this.#looked) return;
    this.#looked = looked;
    this.draw();
  }
}

/** How far a cell stands from another, in its own size. */
const shift = (from, at) =>
  `${100 * ((from % 9) - (at % 9))}% ${100 * (Math.trunc(from / 9) - Math.trunc(at / 9))}%`;
