/* How a game went: the chances to win as a drawing that is as large as its place. */

import { fill, h, set, svg } from "./dom.js";
import { button, counted, dialog } from "./parts.js";
import { mark, SIDES } from "./players.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [36, 12, 12, 22]; // pixels around the plot
const APART = 28; // pixels between two numbers of the axis
const WORD = 56; // pixels that "set-up" and "turn" need
const CLEAR = 11; // pixels between a sign and a line
const OFFSETS = [-13, 13, -25, 25, -37, 37]; // where a sign may stand, from its point
const percent = (chance) => `${Math.round(100 * chance)} %`;

/** The signs of moves that cost something, as in chess, and from how many points on. */
export const SIGNS = { inaccuracy: ["?!", 5], mistake: ["?", 10], blunder: ["??", 15] };

/** What the signs mean, in a sentence. */
export const SIGNED = `In the record ${Object.values(SIGNS)
  .map(([sign, least]) => `${sign} marks a move that cost ${least}`)
  .join(", ")} points or more.`;

/**
 * The curves of an analysis over the steps of a replay; `look` moves the marker to a step.
 *
 * `counts`: what each step is counted as, `hides`: whether the game hides something, `own`: whose
 * chance the open curve shows, `go`: is told which step is wanted.
 */
export function curvesOf({ seats, truth, decisions }, { steps, counts, names, hides, own, go }) {
  const last = steps.length - 1;
  let whole = false; // whether the other's chances are shown, and those that know both secrets
  const stepOf = new Map(steps.flatMap(({ numbers }, at) => numbers.map((number) => [number, at])));
  const all = linesOf();
  let lines = shown();
  let at = last;
  let plot = null;
  const course = ({ label, values }) =>
    `${label}: from ${percent(values[0][1])} to ${percent(values.at(-1)[1])}`;
  const drawn = svg("svg.curve", { role: "img" });
  const key = h("div.key");
  const both = button("Both secrets known", turn, "both", { hidden: all.length < 2 || !hides });
  const place = h(
    "div.plot",
    { onpointerdown: pointed, onpointermove: (event) => event.buttons === 1 && pointed(event) },
    drawn,
  );
  new ResizeObserver(draw).observe(place);
  const asks = button("?", explain, "asks", { "aria-label": "What lines and signs mean" });
  const node = h("div.curves", place, key);
  told();
  return { node, look };

  /** One's own line, or all of them. */
  function shown() {
    const mine = all.filter(({ seat }) => seat === own);
    return whole || !hides || !mine.length ? all : mine;
  }

  /** Names the lines that are shown. */
  function told() {
    set(drawn, { "aria-label": `Chances to win over the game. ${lines.map(course).join("; ")}.` });
    set(both, { "aria-pressed": String(whole) });
    fill(
      key,
      lines.map(({ look, seat, label }) => h(`span.${look}`, seat ? mark(seat) : "—", ` ${label}`)),
      both,
      asks,
    );
  }

  /** Shows all lines, or one's own again. */
  function turn() {
    whole = !whole;
    lines = shown();
    told();
    draw();
    both.focus();
  }

  /** Moves the marker to a step. */
  function look(step) {
    at = step;
    plot?.marker.setAttribute("d", `M${plot.x(at)} ${TOP}V${plot.high - BOTTOM}`);
  }

  /** Every line: a chance at each step where there is one, in the order of the steps. */
  function linesOf() {
    const ordered = (values) => [...values].sort(([one], [two]) => one - two);
    const before = (number) =>
      steps[stepOf.get(number)]?.numbers[0] === number ? stepOf.get(number) - 1 : -1;
    const known = seats.map(({ result }, index) => {
      const made = decisions.filter(({ seat }) => seat === index + 1);
      const values = new Map(made.map(({ number, after }) => [stepOf.get(number), after]));
      for (const { number, before: chance } of made)
        if (before(number) >= 0) values.set(before(number), chance);
      return {
        look: SIDES[index],
        seat: index + 1,
        label: names[index],
        values: made.length ? ordered(values.set(last, result)) : [],
      };
    });
    const values = new Map(
      truth.map(([number, chance]) => [
        stepOf.has(number) ? before(number) : last,
        own === 1 ? chance : 1 - chance,
      ]),
    );
    values.delete(-1);
    const open = hides
      ? { look: "truth", label: "both secrets known" }
      : { look: SIDES[own - 1], label: `${names[own - 1]}: chance to win` };
    return (
      hides || !truth.length
        ? [...known, { ...open, values: ordered(values) }]
        : [{ ...open, values: ordered(values) }]
    ).filter((each) => each.values.length > 1);
  }

  function draw() {
    const wide = place.clientWidth;
    const high = place.clientHeight;
    if (!wide || !high) return;
    const x = (step) => Math.round(LEFT + (step / Math.max(1, last)) * (wide - LEFT - RIGHT));
    const y = (chance) => Math.round(TOP + (1 - chance) * (high - TOP - BOTTOM));
    const text = (across, down, anchor, says, look = "text") =>
      svg(look, { x: across, y: down, dy: ".35em", "text-anchor": anchor }, says);
    const marker = svg("path.at");
    const level = [1, 0.5, 0].filter((chance) => chance !== 0.5 || high > 90);
    plot = { x, high, wide, marker };
    fill(
      drawn,
      level.map((chance) => [
        svg("path.axis", { d: `M${LEFT} ${y(chance)}H${wide - RIGHT}` }),
        text(LEFT - 6, y(chance), "end", `${100 * chance}%`),
      ]),
      axis(x, wide).map(([step, says]) => [
        svg("path.axis", { d: `M${x(step)} ${y(0)}v4` }),
        text(x(step), high - 8, step ? "middle" : "start", says),
      ]),
      marker,
      lines.map(({ look: side, values }) =>
        svg(`path.path.${side}`, {
          d: `M${values.map(([step, chance]) => `${x(step)} ${y(chance)}`).join("L")}`,
        }),
      ),
      badges(x, y, high, text),
    );
    drawn.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    look(at);
  }

  /** The steps that are numbered below the plot, with what stands there. */
  function axis(x, wide) {
    const firsts = counts
      .map((count, step) => [step, count])
      .filter(([step, count]) => count && counts.indexOf(count) === step);
    const most = Math.max(1, (wide - LEFT - RIGHT) / APART);
    const every =
      [1, 2, 5, 10, 20, 50, 100].find((each) => firsts.length / each <= most) ?? firsts.length;
    const numbered = firsts.filter(([step, count]) => count % every === 0 && x(step) - LEFT > WORD);
    return [
      [0, hides ? "set-up" : "start"],
      ...numbered.map(([step, count], index) => [step, index ? String(count) : `turn ${count}`]),
    ];
  }

  /** Marked moves on their player's line, each sign beside it where no line is. */
  function badges(x, y, high, text) {
    const signs = [];
    const heightAt = (values, across) => {
      const to = Math.max(
        1,
        values.findIndex(([step]) => x(step) >= across),
      );
      const [[one, first], [two, second]] = [values[to - 1], values[to]];
      return y(
        first +
          (second - first) *
            Math.min(1, Math.max(0, (across - x(one)) / Math.max(1, x(two) - x(one)))),
      );
    };
    const clear = (across, down) =>
      Math.min(
        ...lines.flatMap(({ values }) =>
          [-8, 0, 8].map((by) => Math.abs(heightAt(values, across + by) - down)),
        ),
        ...signs
          .filter(([other]) => Math.abs(other - across) < 20)
          .map(([, other]) => Math.abs(other - down) - 2),
      );
    const marked = Object.groupBy(
      decisions.filter((each) => each.mark),
      ({ number, seat }) => `${stepOf.get(number)} ${seat}`,
    );
    return Object.entries(marked).map(([key, made]) => {
      const [step, seat] = key.split(" ").map(Number);
      const line = lines.length === 1 ? lines[0] : lines.find((each) => each.seat === seat);
      if (!line) return null;
      const across = x(step);
      const down = heightAt(line.values, across);
      const room = OFFSETS.map((by) => down + by).filter(
        (each) => each > 6 && each < high - BOTTOM - 4,
      );
      const best =
        room.find((each) => clear(across, each) >= CLEAR) ??
        room.sort((one, two) => clear(across, two) - clear(across, one))[0];
      signs.push([across, best]);
      return [
        svg(`path.badge.${SIDES[seat - 1]}`, {
          d:
            seat === 1
              ? `M${across - 5} ${down}a5 5 0 1 0 10 0a5 5 0 1 0-10 0`
              : `M${across} ${down - 6}l6 6l-6 6l-6-6z`,
        }),
        text(
          across,
          best,
          step ? "middle" : "start",
          made.map((each) => SIGNS[each.mark][0]).join(" "),
          "text.sign",
        ),
      ];
    });
  }

  /** Goes to the step below a pointer. */
  function pointed({ clientX, button: pressed }) {
    if (pressed > 0 || !plot) return;
    const across =
      (clientX - place.getBoundingClientRect().left - LEFT) / (plot.wide - LEFT - RIGHT);
    go(Math.max(0, Math.min(last, Math.round(across * last))));
  }

  function explain() {
    dialog(
      "What lines and signs mean",
      h(
        "div.notes",
        h(
          "p",
          hides
            ? "A player's line is the chance to win by what that player could know then; " +
                "the thin line knows both secrets."
            : "The line is the chance to win, from turn to turn.",
        ),
        h("p", `${SIGNED} A point is a hundredth of a win.`),
        seats.map(({ valued }, index) => h("p", `${names[index]}: moves are valued ${valued}.`)),
      ),
      button("Close"),
    );
  }
}

/** What is said of a move that cost nothing. */
export const NO_BETTER = "Nothing better is known.";

/** What a move cost and what was better, in a sentence that follows the move. */
export function judgement({ cost, mark: name, remark, best }) {
  if (name)
    return remark
      .slice(remark.lastIndexOf(`, a${name === "inaccuracy" ? "n" : ""} ${name} (`) + 2)
      .replace(/^a/, "A");
  const points = Math.round(100 * cost);
  return points
    ? `It cost ${counted(points, "point")}${/^[\d-]+$/.test(best) ? `; ${best} was better` : ""}.`
    : NO_BETTER;
}
