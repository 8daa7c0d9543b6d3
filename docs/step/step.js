/* Steps through a finished game on the page's own board. */

import { boardOf } from "../page/board.js";
import { fill, h, write } from "../page/dom.js";
import { flat } from "../page/parts.js";
import { replayBar, stepsOf } from "../page/replay.js";

const name = new URLSearchParams(location.search).get("game");
const [{ game, ...replay }, board] = await Promise.all([
  fetch(`${name}.json`).then((answer) => answer.json()),
  boardOf(name),
]);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const theme = parent.document.body.dataset.mdColorScheme;
if (theme) document.documentElement.dataset.theme = theme === "slate" ? "dark" : "light";

const steps = stepsOf(replay), last = steps.length - 1, bar = replayBar(go), said = h("p.large", { "aria-live": "polite" });
let at = 0;

function go(wanted) {
  const forward = wanted > at;
  at = Math.max(0, Math.min(last, wanted));
  const { now: { view, words, info }, said: told } = steps[at];
  write(said, `${told} ${flat(words.ending ?? "")}`.trim() || (game.secrets ? "Both have chosen in secret." : "Nobody has moved yet."));
  bar.show(at, last, said.textContent);
  board.show({ view, words, info, game, seat: null, canMove: false, motion: forward && !still.matches });
}

fill(document.querySelector("main"), h("div.board-place", board), said, bar.node);
go(0);
