/* Going through a finished game: its steps, and the buttons and the slider over them. */

import { h, write } from "./dom.js";
import { fold, NOTHING } from "./net.js";
import { button, flat, landed } from "./parts.js";

/** How a game ends that is not played to its end. */
export const NOT_BY_THE_RULES = ["resigned", "forfeited", "undecided"];

/**
 * The steps of a finished game: the set-up, then one a move, then an end that no move made.
 *
 * Each has what is known after it, who moved, the numbers of its entries in the record, what each
 * seat hid or got, who took hints for it, what was said, and how many turns were begun. What chance
 * does is part of the move before it.
 * @param {{ welcome: Frame, frames: Frame[] }} replay
 */
export function stepsOf({ welcome, frames }) {
  /** @type {(seat: Entry["seat"] | null) => Replayed} */
  const step = (seat) => ({
    seat,
    numbers: [],
    hidden: [[], []],
    hints: [],
    said: "",
    turn: 0,
    now,
  });
  let now = fold(NOTHING, welcome);
  let hints = [];
  const steps = [step(null)];
  for (const frame of frames) {
    const { setting_up } = now.view;
    /** @type {Entry} */
    const entry = frame.entries?.[0] ?? {};
    const { hint, step: number, seat, keeper, end } = entry;
    now = fold(now, frame);
    if (hint) hints.push(hint);
    else if (
      end ? NOT_BY_THE_RULES.includes(end.reason) : number && seat !== "chance" && !setting_up
    )
      steps.push(step(seat ?? null));
    const last = steps.at(-1);
    const said = flat(frame.words?.said ?? "");
    Object.assign(last, { now, turn: now.rows.length });
    if (number) last.numbers.push(number);
    if (keeper) last.hidden[keeper - 1].push(seat === "chance" ? "got" : "hid");
    if (hint) continue;
    last.hints.push(...hints.splice(0));
    if (said)
      last.said = [seat === "chance" ? landed(last.said) : last.said, said]
        .filter(Boolean)
        .join(" ");
  }
  return steps;
}

/** The bar below a replay: `go` is told which step is wanted, `more` stands between the steps. */
export function replayBar(go, more) {
  let at = 0;
  let last = 0;
  const step = (sign, label, to) => button(sign, () => go(to()), "button", { "aria-label": label });
  const slider = h("input", {
    type: "range",
    max: 0,
    value: 0,
    "aria-label": "Moment of the game",
    oninput: () => go(slider.valueAsNumber),
  });
  const where = h("output.soft");
  const node = h(
    "div.replay",
    { role: "group", "aria-label": "Replay" },
    h(
      "div.row",
      step("‹", "One step back", () => at - 1),
      more,
      step("›", "One step on", () => at + 1),
    ),
    slider,
    where,
  );
  return { node, slider, show };

  /** Shows which step is looked at, and what it is called. */
  function show(wanted, most, said, called = `${wanted} of ${most}`) {
    [at, last] = [wanted, most];
    [slider.max, slider.value] = [last, at];
    write(where, called);
    slider.ariaValueText = `${called}. ${said}`;
  }
}
