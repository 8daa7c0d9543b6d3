/* How a game went: the chances to win as a drawing, and what moves cost in words. */

import { h, svg } from "./dom.js";
import { mark, SIDES } from "./players.js";

const HIGH = 170;
const LEFT = 30;
const APART = 22; // pixels between two signs
const GLYPHS = { blunder: "??", mistake: "?", inaccuracy: "?!" };
const percent = (chance) => `${Math.round(100 * chance)} %`;

/** The curves of an analysis; `look` moves the marker to a step. */
export function curvesOf({ seats, truth, decisions }, hides) {
  const known = seats.map(({ name, curve }, index) => ({ look: SIDES[index], points: curve, seat: index + 1, label: `${name}, by what ${name} knew` }));
  const open = { look: hides ? "truth" : "one", points: truth, label: `${seats[0].name}${hides ? ", had both secrets been known" : "'s chance to win"}` };
  const lines = (hides || !truth.length ? [...known, open] : [open]).filter(({ points }) => points.length > 1);
  const numbers = lines.flatMap(({ points }) => points.map(([number]) => number));
  const first = Math.min(...numbers), last = Math.max(...numbers);
  const wide = matchMedia("(min-width: 961px)").matches ? 720 : 320;
  const x = (number) => Math.round(LEFT + ((number - first) / (last - first)) * (wide - LEFT - 10));
  const y = (chance) => Math.round(8 + (1 - chance) * (HIGH - 26));
  const text = (at, down, anchor, says) => svg("text", { x: at, y: down, "text-anchor": anchor }, says);
  const at = svg("path.at"), signs = [];

  const badge = (points, { number, mark: sign, seat }) => {
    const point = points.find(([each]) => each === number);
    if (!point) return null;
    const [across, down] = [x(number), y(point[1])], above = down > 24 ? down - 10 : down + 19;
    const room = signs.every((each) => Math.abs(each[0] - across) > APART || Math.abs(each[1] - above) > 12);
    if (room) signs.push([across, above]);
    return [
      svg(`path.badge.${SIDES[seat - 1]}`, { d: seat === 1 ? `M${across - 5} ${down}a5 5 0 1 0 10 0a5 5 0 1 0-10 0` : `M${across} ${down - 6}l6 6l-6 6l-6-6z` }),
      room && text(across, above, "middle", GLYPHS[sign])];
  };

  const told = lines.map(({ label, points }) => `${label}: from ${percent(points[0][1])} to ${percent(points.at(-1)[1])}`);
  const path = (points) => points.map(([number, chance], index) => `${index ? "H" : "M"}${x(number)}${index ? "V" : " "}${y(chance)}`).join("");
  const node = h("div.notes",
    svg("svg.curve", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": `Chances to win over the game. ${told.join("; ")}.` },
      [0, 0.5, 1].map((chance) => [svg("path.axis", { d: `M${LEFT} ${y(chance)}H${wide - 6}` }), text(LEFT - 6, y(chance) + 4, "end", String(100 * chance))]),
      text(wide - 6, HIGH - 2, "end", "the end"), at,
      lines.map(({ look, points }) => svg(`path.path.${look}`, { d: path(points) })),
      lines.map(({ points, seat }) => decisions.filter((each) => each.mark && (lines.length === 1 || each.seat === seat)).map((each) => badge(points, each)))),
    h("div.key", lines.map(({ look, seat, label }) => h(`span.${look}`, seat ? mark(seat) : "—", ` ${label}`))));
  return { node, look: (step) => at.setAttribute("d", `M${x(Math.min(last, Math.max(first, step)))} 8V${HIGH - 18}`) };
}

/** The moves that gave something away, in words, the dearest first. */
export function remarks({ decisions, seats }) {
  return decisions.filter(({ mark }) => mark).sort((one, two) => two.cost - one.cost).map(({ turn, number, seat, mark, remark }) => ({ turn, number, seat, mark, text: `${turn ? `${turn}.` : "Set-up,"} ${seats[seat - 1].name}: ${remark}` }));
}
