/* Safecracker Duel: three brass dials under their marks; a turn sets one of them. */

import { h, set, svg, write } from "../dom.js";
import { Board, Spinner, drawer, drawn } from "./board.js";

const PLACES = [0, 1, 2];
const HIGHEST = 5;
const STEP = 360 / HIGHEST;
const TICKS = 60;

/** The safe: `choice` is a whole code while hiding one, else `{place, digit}`. */
export default class SafecrackerDuelBoard extends Board {
  noun = "code";
  found = ", shown";

  build() {
    this.dials = PLACES.map((place) => new Dial(place, (digit) => this.#turn(place, digit)));
    this.caption = h("p", { class: "caption" });
    this.draws = drawer("code", () => this.choose(PLACES.map(() => drawn(HIGHEST) + 1)));
    this.codes = h("div", { class: "below" });
    this.append(this.caption,
      h("div", { class: "dials", role: "group", "aria-label": "The three dials" },
        this.dials.map((dial) => dial.node)), this.codes);
  }

  draw() {
    const { view, canMove } = this.moment;
    const { choice, hiding, dials } = this;
    const last = view.history.at(-1);
    const place = Number(last?.move[0]);
    const won = this.hit(view.outcome) > 0;
    const before = hiding ? [1, 1, 1] : view.board;
    PLACES.forEach((at) => {
      const chosen = !hiding && choice?.place === at;
      const now = hiding ? choice?.[at] ?? 1 : chosen ? choice.digit : before[at];
      const touched = chosen || (hiding && choice) ? "chosen"
        : !view.setting_up && place === at + 1 && !choice ? `touched of-${last.seat}` : "";
      dials[at].draw({
        digit: now,
        from: before[at],
        note: chosen && now !== before[at] ? `${before[at]} → ${now}` : `Dial ${at + 1}`,
        legal: (each) => hiding || each === before[at] || this.#legal(at, each),
        chosen: Boolean(choice),
        look: won ? "lit" : touched,
        off: !canMove,
        still: this.still,
      });
    });
    write(this.caption, hiding ? "Your secret code" : won ? "The safe is open" : "The safe");
    this.below(this.codes, hiding && canMove ? this.draws : null);
  }

  tell(choice) {
    const { view } = this.moment;
    if (this.hiding) {
      const code = choice.join("-");
      return { move: code, button: `Hide ${code}`, title: `Your code is ${code}`,
        means: "Only you see it. You win when the safe shows it, whoever turned the dial." };
    }
    const { place, digit } = choice, from = view.board[place];
    const safe = view.board.with(place, digit).join("-");
    let more = "One digit a turn.";
    if (safe === view.secret[0]) more = "That is your code.";
    else if (this.left && !this.left.has(safe))
      more = `It was shown before, so it is not ${this.whose(this.other)} code.`;
    return { move: `${place + 1} ${digit}`, button: `Set dial ${place + 1} to ${digit}`,
      title: from === digit ? `Dial ${place + 1} stays at ${digit}`
        : `Dial ${place + 1} from ${from} to ${digit}`,
      means: `The safe would show ${safe}. ${more}` };
  }

  /** The safe shows the winner's code. */
  hit(outcome) {
    return ["matched", "handed"].includes(outcome?.reason) ? outcome.winner : 0;
  }

  #legal(place, digit) {
    return this.moment.view.moves?.includes(`${place + 1} ${digit}`) ?? true;
  }

  #turn(place, digit) {
    const { hiding, choice } = this;
    if (hiding) return this.choose((choice ?? [1, 1, 1]).with(place, digit));
    const back = digit === this.moment.view.board[place];
    this.choose(back && !this.#legal(place, digit) ? null : { place, digit });
  }
}

/** One dial: its face turns under the mark. */
class Dial extends Spinner {
  #turn = 0;

  constructor(place, turn) {
    const name = `Dial ${place + 1}`, shade = `knob-${place}`;
    const digits = range(HIGHEST).map((at) => svg("g", { transform: `translate(${spot(at * STEP, 68)})` },
      svg("text", { class: "digit", dy: ".35em" }, String(at + 1))));
    const ticks = (major) => range(TICKS).filter((at) => (at % (TICKS / HIGHEST) === 0) === major)
      .map((at) => `M${spot((at * 360) / TICKS, major ? 89 : 91)}L${spot((at * 360) / TICKS, 98)}`).join("");
    const face = svg("g", { class: "face" }, svg("path", { class: "ticks", d: ticks(false) }),
      svg("path", { class: "ticks major", d: ticks(true) }), digits);
    super(name, HIGHEST, turn, { look: "dial", signs: "‹›",
      shape: svg("svg", { viewBox: "-116 -128 232 244", "aria-hidden": "true" },
        svg("radialGradient", { id: shade, cx: ".36", cy: ".32", r: ".75" },
          svg("stop", { class: "bright", offset: "0" }), svg("stop", { class: "brass", offset: "1" })),
        svg("circle", { class: "rim", r: 108 }), svg("circle", { class: "plate", r: 98 }), face,
        svg("circle", { class: "knob", r: 33, fill: `url(#${shade})` }),
        svg("path", { class: "pointer", d: "M-8-126H8L0-111Z" })) });
    Object.assign(this, { digits, face, note: h("span", { class: "note" }) });
    this.node = h("div", {}, this.spin, h("div", { class: "steps" }, this.steps[0], this.note, this.steps[1]));
  }

  draw(now) {
    const { digit, from, look, off, legal, note } = now;
    super.draw(now, digit === from ? null : `${digit}, it was ${from}`);
    this.node.className = `dial-place ${look}`;
    this.digits.forEach((group, at) => set(group.firstChild, { class:
      `digit${at + 1 === digit ? " up" : ""}${off || legal(at + 1) ? "" : " barred"}` }));
    write(this.note, note);
  }

  /** The face goes to its digit, the shorter way round. */
  rest() {
    this.#face(this.#turn + half(-(this.now.digit - 1) * STEP - this.#turn));
  }

  /** Where a pointer is: its angle clockwise from the mark, and how far out. */
  spot(event) {
    const box = this.spin.getBoundingClientRect();
    const x = event.clientX - box.left - box.width / 2;
    const y = event.clientY - box.top - (box.height * 128) / 244;
    return { angle: (Math.atan2(x, -y) * 180) / Math.PI, far: Math.hypot(x, y) / box.width };
  }

  drag(event) {
    const { angle } = this.spot(event), by = half(angle - this.held.angle);
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

const range = (length) => Array.from({ length }, (_, at) => at);

/** The point at an angle clockwise from the top, so far out. */
function spot(angle, far) {
  const turn = (angle * Math.PI) / 180;
  return `${(far * Math.sin(turn)).toFixed(1)} ${(-far * Math.cos(turn)).toFixed(1)}`;
}

/** An angle within half a turn. */
const half = (angle) => ((((angle % 360) + 540) % 360) - 180);

const digitAt = (angle) => (((Math.round(angle / STEP) % HIGHEST) + HIGHEST) % HIGHEST) + 1;
