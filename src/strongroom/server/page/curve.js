/* How a game went: the chances to win as a drawing, and what moves cost in words. */

import { h, svg } from "./dom.js";
import { SIDES } from "./players.js";

const HIGH = 170;
const LEFT = 30;
const APART = 22; // no nearer to each other stand the signs of two moves
const GLYPHS = { blunder: "??", mistake: "?", inaccuracy: "?!" };
const percent = (chance) => `${Math.round(100 * chance)} %`;
const quoted = (move) => (move.endsWith(".") ? `“${move.slice(0, -1)}”` : move);

/** The curves of an analysis, with a line that shows where one looks. */
export class Curves {
  #wide = matchMedia("(min-width: 961px)").matches ? 720 : 320;
  #at = svg("path", { class: "at" });
  #first;
  #last;
  #signs = [];

  constructor({ seats, truth, decisions }, hides) {
    const known = seats.map(({ name, curve }, index) => ({ look: SIDES[index], points: curve, seat: index + 1, label: `${name}, by what ${name} knew` }));
    const open = { look: hides ? "truth" : "one", points: truth, label: `${seats[0].name}${hides ? ", had both secrets been known" : "'s chance to win"}` };
    const lines = (hides || !truth.length ? [...known, open] : [open]).filter(({ points }) => points.length > 1);
    const numbers = lines.flatMap(({ points }) => points.map(([number]) => number));
    this.#first = Math.min(...numbers);
    this.#last = Math.max(...numbers);
    const told = lines.map(({ label, points }) => `${label}: from ${percent(points[0][1])} to ${percent(points.at(-1)[1])}`);
    this.node = h("div", { class: "notes" },
      svg("svg", { class: "curve", viewBox: `0 0 ${this.#wide} ${HIGH}`, role: "img", "aria-label": `Chances to win over the game. ${told.join("; ")}.` },
        [0, 0.5, 1].map((chance) => [
          svg("path", { class: "axis", d: `M${LEFT} ${this.#y(chance)}H${this.#wide - 6}` }),
          svg("text", { x: LEFT - 6, y: this.#y(chance) + 4, "text-anchor": "end" }, String(100 * chance))]),
        svg("text", { x: this.#wide - 6, y: HIGH - 2, "text-anchor": "end" }, "the end"),
        this.#at,
        lines.map(({ look, points }) => svg("path", { class: `path ${look}`, d: points.map(([number, chance], index) => `${index ? "H" : "M"}${this.#x(number)}${index ? "V" : " "}${this.#y(chance)}`).join("") })),
        lines.map((line) => decisions.filter((each) => each.mark && each.seat === (lines.length > 1 ? line.seat : each.seat)).map((each) => this.#badge(line.points, each)))),
      h("div", { class: "key" }, lines.map(({ look, seat, label }) => h("span", { class: look }, seat ? h("span", { class: `glyph ${look}`, "aria-hidden": "true" }) : "—", ` ${label}`))));
  }

  /** Shows where one looks: after that step. */
  look(step) {
    this.#at.setAttribute("d", `M${this.#x(Math.min(this.#last, Math.max(this.#first, step)))} 8V${HIGH - 18}`);
  }

  #x = (number) => Math.round(LEFT + ((number - this.#first) / (this.#last - this.#first)) * (this.#wide - LEFT - 10));
  #y = (chance) => Math.round(8 + (1 - chance) * (HIGH - 26));

  #badge(points, { number, mark, seat }) {
    const point = points.find(([at]) => at === number);
    if (!point) return null;
    const [x, y] = [this.#x(number), this.#y(point[1])];
    const above = y > 24 ? y - 10 : y + 19;
    const room = this.#signs.every((sign) => Math.abs(sign[0] - x) > APART || Math.abs(sign[1] - above) > 12);
    if (room) this.#signs.push([x, above]);
    return [
      svg("path", { class: `badge ${SIDES[seat - 1]}`, d: seat === 1 ? `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0-10 0` : `M${x} ${y - 6}l6 6l-6 6l-6-6z` }),
      room && svg("text", { x, y: above, "text-anchor": "middle" }, GLYPHS[mark])];
  }
}

/** The moves that gave something away, in words, the dearest first. */
export function remarks({ decisions, seats }) {
  return decisions.filter(({ mark }) => mark).sort((one, two) => two.cost - one.cost).map(({ turn, number, seat, move, mark, cost, best, instead }) => {
    const points = Math.round(100 * cost);
    const text = `${turn ?? "Set-up"}. ${seats[seat - 1].name}: ${quoted(move)}${GLYPHS[mark]} (−${points} point${points === 1 ? "" : "s"}): ${quoted(best)} ${instead}.`;
    return { turn, number, glyph: GLYPHS[mark], text };
  });
}
