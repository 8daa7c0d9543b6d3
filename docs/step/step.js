/* Steps through a finished game on the page's own board. */

import { fill, h, write } from "../page/dom.js";
import { fold, NOTHING } from "../page/net.js";
import { button, flat } from "../page/parts.js";

const name = new URLSearchParams(location.search).get("game");
const [{ game, welcome, frames }, { default: Board }] = await Promise.all([
  fetch(`${name}.json`).then((answer) => answer.json()),
  import(`../page/boards/${name}.js`),
]);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const theme = parent.document.body.dataset.mdColorScheme;
if (theme) document.documentElement.dataset.theme = theme === "slate" ? "dark" : "light";

const tables = [welcome, ...frames].reduce((all, frame) => [...all, { ...fold(all.at(-1), frame), said: flat(frame.words?.said ?? "") }], [NOTHING]).slice(1);
// What is hidden is not shown, so that the set-up is one moment.
const moments = tables.filter((_, at) => !tables[at + 1]?.view.setting_up);
const last = moments.length - 1;
customElements.define("step-board", Board);
const board = document.createElement("step-board"), said = h("p.large", { "aria-live": "polite" }), where = h("output.soft");
const slider = h("input", { type: "range", max: last, value: 0, "aria-label": "Moment of the game", oninput: () => go(slider.valueAsNumber) });
const step = (sign, label, to) => button(sign, () => go(to()), "button", { "aria-label": label });
let at = 0;

function go(wanted) {
  const forward = wanted > at;
  at = Math.max(0, Math.min(last, wanted));
  const { view, words, info, said: told } = moments[at];
  slider.value = at;
  write(where, `${at} of ${last}`);
  write(said, told || (view.setting_up ? "Both choose in secret." : flat(words.ending ?? "")));
  board.show({ view, words, info, game, seat: null, canMove: false, motion: forward && !still.matches });
}

fill(document.querySelector("main"), h("div.board-place", board), said, h("div.replay", { role: "group", "aria-label": "Replay" },
  h("div.row", step("«", "To the beginning", () => 0), step("‹", "One step back", () => at - 1), step("›", "One step on", () => at + 1), step("»", "To the end", () => last)),
  slider, where));
go(0);
