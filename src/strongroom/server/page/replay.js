/* Going through a finished game: its moments, and the buttons and the slider over them. */

import { h, write } from "./dom.js";
import { fold, NOTHING } from "./net.js";
import { button, flat } from "./parts.js";

/** The moments of a finished game, one a frame: what is known then, the new entries, what was said. */
export function momentsOf({ welcome, frames }) {
  let now = NOTHING;
  return [welcome, ...frames].map((frame) => ({ now: (now = fold(now, frame)), entries: frame.entries ?? [], said: flat(frame.words?.said ?? "") }));
}

/** The bar below a replay: `go` is told which moment is wanted, `more` stands between the steps. */
export function replayBar(go, more) {
  let at = 0, last = 0;
  const step = (sign, label, to) => button(sign, () => go(to()), "button", { "aria-label": label });
  const slider = h("input", { type: "range", max: 0, value: 0, "aria-label": "Moment of the game", oninput: () => go(slider.valueAsNumber) });
  const where = h("output.soft");
  const node = h("div.replay", { role: "group", "aria-label": "Replay" },
    h("div.row", step("«", "To the beginning", () => 0), step("‹", "One step back", () => at - 1), more, step("›", "One step on", () => at + 1), step("»", "To the end", () => last)),
    slider, where);
  return { node, slider, show };

  /** Shows which moment is looked at. */
  function show(wanted, most, said) {
    [at, last] = [wanted, most];
    [slider.max, slider.value] = [last, at];
    write(where, `${at} of ${last}`);
    slider.ariaValueText = `${where.textContent}. ${said}`;
  }
}
