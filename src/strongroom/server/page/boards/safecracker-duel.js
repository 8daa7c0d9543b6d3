/* Safecracker Duel: three brass dials under their marks; a turn sets one of them. */

import { h, set, svg, write } from "../dom.js";
import { upTo } from "../numbers.js";
import { capital } from "../parts.js";
import { Board, Spinner, drawn } from "../board.js";

const PLACES = [0, 1, 2];
const HIGHEST = 5;
const STEP = 360 / HIGHEST;
const TICKS = upTo(0, 59);

/** The safe: `choice` is a whole code while hiding one, else `{place, digit}`. */
export default class SafecrackerDuelBoard extends Board {
  found = "shown";

  build() {
    this.dials = PLACES.map(
      (place) =>
        new Dial(
          place,
          (digit) => this.#turn(place, digit),
          () => this.dials[place + 1]?.spin.focus(),
        ),
    );
    this.append(
      h(
        "div.dials",
        { role: "group", "aria-label": "The three dials" },
        this.dials.map((dial) => dial.node),
      ),
      this.caption,
      this.below,
    );
  }

  draw() {
    const { view, canMove } = this.moment;
    const { choice, hiding } = this;
    const last = view.history.at(-1);
    const won = view.outcome && this.hit(view.outcome) > 0;
    this.dials.forEach((dial, at) => {
      const from = view.board[at];
      const chosen = hiding ? choice?.[at] : choice?.place === at ? choice.digit : undefined;
      const digit = chosen ?? from;
      const touched = chosen
        ? "chosen"
        : last?.move[0] === `${at + 1}` && !choice
          ? `touched of-${last.seat}`
          : "";
      const note = chosen && !hiding && digit !== from ? `${from} → ${digit}` : `Dial ${at + 1}`;
      const legal = (each) => hiding || each === from || this.#legal(at, each);
      dial.draw({
        digit,
        from,
        note,
        legal,
        chosen: Boolean(choice),
        look: won ? "lit" : touched,
        off: !canMove,
      });
    });
    const safe = view.board.join("-");
    const then = choice && !hiding && view.board.with(choice.place, choice.digit).join("-");
    this.says(
      won ? "The safe is open" : `The safe shows ${safe}${then && then !== safe ? ` → ${then}` : ""}`,
    );
    this.offers();
  }

  tell(choice) {
    if (this.hiding)
      return this.hides(
        choice.join("-"),
        "Only you see it. You win when the safe shows it, whoever turned the dial.",
      );
    const { view } = this.moment;
    const { place, digit } = choice;
    const from = view.board[place];
    const dial = `dial ${place + 1}`;
    const safe = view.board.with(place, digit).join("-");
    const more =
      safe === view.secret[0]
        ? "That is your code."
        : this.possible(safe)
          ? "One digit a turn."
          : `It was shown before, so it is not ${this.whose(this.other)} code.`;
    const turned = from === digit ? `stays at ${digit}` : `from ${from} to ${digit}`;
    return {
      move: `${place + 1} ${digit}`,
      button: `Set ${dial} to ${digit}`,
      means: `The safe would show ${safe}. ${more}`,
      title: `${capital(dial)} ${turned}`,
    };
  }

  recalls({ move }) {
    const [dial, digit] = move.split(" ");
    return `You set dial ${dial} to ${digit}.`;
  }

  get pick() {
    return () => PLACES.map(() => drawn(HIGHEST) + 1);
  }

  get untouched() {
    return this.hiding && this.moment.canMove ? this.tell(this.moment.view.board) : null;
  }

  sound() {
    return "click";
  }

  places(move) {
    const [dial, digit] = move.split(" ");
    return digit
      ? [this.dials[dial - 1].digits[digit - 1]]
      : move.split("-").map((each, at) => this.dials[at].digits[each - 1]);
  }

  /** The safe shows the winner's code. */
  hit({ reason, winner }) {
    return ["matched", "handed"].includes(reason) ? winner : 0;
  }

  #legal(place, digit) {
    return this.moment.view.moves?.includes(`${place + 1} ${digit}`) ?? true;
  }

  #turn(place, digit) {
    if (this.hiding) return this.choose((this.choice ?? this.moment.view.board).with(place, digit));
    const back = digit === this.moment.view.board[place] && !this.#legal(place, digit);
    if (!back) this.choose({ place, digit });
    else if (this.choice?.place === place) this.choose(null);
  }
}

/** One dial: its face turns under the mark. */
class Dial extends Spinner {
  #turn = 0;

  constructor(place, turn, typed) {
    const shade = `knob-${place}`;
    const digits = upTo(1, HIGHEST).map((digit) =>
      svg("text.digit", { dy: ".35em" }, String(digit)),
    );
    const ticks = (look, far, wanted) =>
      svg(look, {
        d: TICKS.filter((at) => (at % (TICKS.length / HIGHEST) === 0) === wanted)
          .map((at) => (at * 360) / TICKS.length)
          .map((angle) => `M${spot(angle, far)}L${spot(angle, 98)}`)
          .join(""),
      });
    const face = svg(
      "g.face",
      ticks("path.ticks", 91, false),
      ticks("path.ticks.major", 89, true),
      digits.map((digit, at) =>
        svg(
          "g",
          { transform: `translate(${spot(at * STEP, 65)})` },
          svg(
            "g.upright",
            svg("circle.spot", { r: 25 }),
            digit,
            svg("text.star", { x: 20, y: -20, dy: ".35em" }, "★"),
          ),
        ),
      ),
    );
    super(`Dial ${place + 1}`, HIGHEST, turn, {
      look: "dial",
      signs: "‹›",
      typed,
      shape: svg(
        "svg",
        { viewBox: "-116 -128 232 244", "aria-hidden": "true" },
        svg(
          "radialGradient",
          { id: shade, cx: ".36", cy: ".32", r: ".75" },
          svg("stop.bright", { offset: "0" }),
          svg("stop.brass", { offset: "1" }),
        ),
        svg("circle.rim", { r: 108 }),
        svg("circle.plate", { r: 98 }),
        face,
        svg("circle.knob", { r: 33, fill: `url(#${shade})` }),
        svg("path.pointer", { d: "M-8-126H8L0-111Z" }),
      ),
    });
    this.digits = digits;
    this.face = face;
    this.note = h("span.note");
    this.node = h("div", this.spin, h("div.steps", this.steps[0], this.note, this.steps[1]));
  }

  draw(now) {
    const { digit, from, look, off, legal, note } = now;
    super.draw(now, digit === from ? null : `${digit}, it was ${from}`);
    this.node.className = `dial-place ${look}`;
    this.digits.forEach((node, at) =>
      set(node, {
        class: `digit${at + 1 === digit ? " up" : ""}${off || legal(at + 1) ? "" : " barred"}`,
      }),
    );
    write(this.note, note);
  }

  /** The face goes to its digit, the shorter way round. */
  rest() {
    this.#face(this.#turn + half((1 - this.now.digit) * STEP - this.#turn));
  }

  /** Where a pointer is: its angle clockwise from the mark, and how far out. */
  spot(event) {
    const box = this.spin.getBoundingClientRect();
    const x = event.clientX - box.left - box.width / 2;
    const y = event.clientY - box.top - (box.height * 128) / 244;
    return { angle: (Math.atan2(x, -y) * 180) / Math.PI, far: Math.hypot(x, y) / box.width };
  }

  drag(event) {
    const { angle } = this.spot(event);
    const by = half(angle - this.held.angle);
    if (Math.abs(by) < 5 && !this.held.moved) return;
    this.held = { angle, moved: true };
    this.spin.classList.add("held");
    this.#face(this.#turn + by);
    const digit = digitAt(-this.#turn);
    if (digit !== this.now.digit) this.to(digit);
  }

  tap({ angle, far }) {
    if (far < 0.17) this.step(1);
    else this.to(digitAt(angle - this.#turn));
  }

  #face(turn) {
    this.#turn = turn;
    this.face.style.setProperty("--turn", `${turn}deg`);
  }
}

/** The point at an angle clockwise from the top, so far out. */
function spot(angle, far) {
  const turn = (angle * Math.PI) / 180;
  return `${(far * Math.sin(turn)).toFixed(1)} ${(-far * Math.cos(turn)).toFixed(1)}`;
}

/** An angle within half a turn. */
const half = (angle) => (((angle % 360) + 540) % 360) - 180;

const digitAt = (angle) => (((Math.round(angle / STEP) % HIGHEST) + HIGHEST) % HIGHEST) + 1;
