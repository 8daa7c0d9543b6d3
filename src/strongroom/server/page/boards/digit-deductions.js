/* Digit Deductions: a plane of 9 by 9 numbers where a distance is a ring. */

import { h, write } from "../dom.js";
import { Board, Grid, capital, drawer, drawn } from "./board.js";

const HIGHEST = 9;
const NAMES = Array.from({ length: HIGHEST ** 2 }, (_, at) =>
  `${Math.floor(at / HIGHEST) + 1}-${(at % HIGHEST) + 1}`);

/** The plane: `choice` is a number like `5-7`. */
export default class DigitDeductionsBoard extends Board {
  noun = "number";
  looked = null;

  build() {
    const options = { heads: true, look: (at) => this.#look(at) };
    this.grid = new Grid("Numbers, first digit down, second across", NAMES, HIGHEST,
      (at) => this.choose(NAMES[at]), options);
    this.draws = drawer("number", () => this.choose(NAMES[drawn(NAMES.length)]));
    this.caption = h("p", { class: "caption" });
    this.codes = h("div", { class: "below" });
    this.append(this.caption, h("div", { class: "plane nine" }, this.grid.node), this.codes);
  }

  draw() {
    const { view, canMove, seat } = this.moment;
    const { choice, hiding } = this;
    const guesses = view.history.filter((each) => seat === null || each.seat === seat);
    const looked = guesses.findLast((each) => each.move === NAMES[this.looked]);
    const centre = hiding ? null : looked ?? guesses.at(-1);
    const left = view.setting_up ? null : this.left;
    NAMES.forEach((name, at) => {
      const looks = [], says = [name];
      const guess = guesses.findLast((each) => each.move === name);
      const owners = (view.secrets ?? []).flatMap(([code], who) => (code === name ? [who + 1] : []));
      let text = "";
      if (centre && centre.answer > 0 && distance(name, centre.move) === centre.answer) {
        looks.push("ring");
        says.push(`${centre.answer} from ${centre.move}`);
        text = name;
      }
      if (left && !left.has(name) && !owners.length) looks.push("out"), says.push("ruled out");
      if (guess) {
        looks.push("guessed", `of-${guess.seat}`, guess === centre ? "centre" : "");
        says.push(`guessed, distance ${guess.answer}`);
        text = String(guess.answer);
      }
      for (const owner of owners) {
        looks.push("lit", `of-${owner}`);
        says.push(`${this.whose(owner)} number`);
        text = name;
      }
      if (choice === name) looks.push("chosen"), text = name;
      this.grid.draw(at, { look: looks.join(" "), label: says.join(", "), text, off: !canMove,
        chosen: choice === name });
    });
    const told = centre?.answer === 0 ? `${centre.move} is ${this.whose(3 - centre.seat)} number`
      : centre && `${centre.move} is ${centre.answer} from ${this.whose(3 - centre.seat)} number`;
    write(this.caption, hiding ? "Your secret number" : view.setting_up ? "The numbers are being chosen"
      : told ?? (seat === null ? "No guess yet" : `${capital(this.whose(this.other))} number is one of 81`));
    this.below(this.codes, hiding && canMove ? this.draws : null);
  }

  tell(choice) {
    if (this.hiding) {
      return { move: choice, button: `Hide ${choice}`, title: `Your number is ${choice}`,
        means: `Only you see it. Keep it from ${this.name(this.other)}.` };
    }
    const { view, seat } = this.moment;
    const told = view.history.find((each) => each.seat === seat && each.move === choice);
    const out = this.left && !this.left.has(choice);
    return { move: choice, button: `Guess ${choice}`, title: `Guess ${choice}`,
      means: told ? `You guessed it before: it is ${told.answer} off.`
        : out ? "By what you were told it cannot be right any more."
        : "You are told how many steps it is off, both digits together." };
  }

  /** An earlier guess that is pointed at shows its ring again. */
  #look(at) {
    const guessed = at !== null && this.grid.cells[at].classList.contains("guessed");
    const looked = guessed ? at : null;
    if (looked === this.looked) return;
    this.looked = looked;
    this.draw();
  }
}

function distance(one, two) {
  const [a, b] = one.split("-"), [c, d] = two.split("-");
  return Math.abs(a - c) + Math.abs(b - d);
}
