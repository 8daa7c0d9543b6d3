/* Steps through a finished game on the page's own board: by the buttons, arrow keys or playing. */

import { boardOf } from "../page/board.js";
import { button, flat } from "../page/parts.js";
import { fill, h, write } from "../page/dom.js";
import { replayBar, stepsOf } from "../page/replay.js";

const PACE = 2200; // milliseconds between steps that are played
const asked = new URLSearchParams(location.search);
const name = asked.get("game") ?? "quantum-duel";
const [{ game, ...replay }, board] = await Promise.all([
  fetch(`${name}.json`).then((answer) => answer.json()),
  boardOf(name),
]);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const { body } = parent.document;
const wear = () => {
  const scheme = body.dataset.mdColorScheme;
  if (scheme) document.documentElement.dataset.theme = scheme === "slate" ? "dark" : "light";
};
new MutationObserver(wear).observe(body, { attributeFilter: ["data-md-color-scheme"] });
wear();

const steps = stepsOf(replay);
const last = steps.length - 1;
const said = h("p.large", { "aria-live": "polite" });
const player = button("▶", () => (playing ? pause() : play()), "button.main", { "aria-label": "Play" });
const bar = replayBar((wanted) => (pause(), go(wanted)), player);
let at = 0;
let playing = 0;

function go(wanted) {
  const forward = wanted > at;
  at = Math.max(0, Math.min(last, wanted));
  const { now: { view, words, info }, said: told } = steps[at];
  write(said, `${told} ${flat(words.ending ?? "")}`.trim() || (game.secrets ? "Both have chosen in secret." : "Nobody has moved yet."));
  bar.show(at, last, said.textContent);
  board.show({ view, words, info, game, seat: null, canMove: false, motion: forward && !still.matches });
}

function play() {
  go(at === last ? 0 : at + 1);
  playing = setInterval(() => (at === last ? pause() : go(at + 1)), PACE);
  mark("❚❚", "Pause");
}

function pause() {
  clearInterval(playing);
  playing = 0;
  mark("▶", "Play");
}

function mark(sign, label) {
  player.textContent = sign;
  player.ariaLabel = label;
}

addEventListener("keydown", ({ key, target }) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (!by || target === bar.slider) return;
  pause();
  go(at + by);
});

const [one, two] = steps[0].now.info.seats.map((seat) => seat.name);
const head = h("p.who.soft", h("b.one", `● ${one}`), h("h1", `${game.title}, a whole game`), h("b.two", `◆ ${two}`));
fill(document.querySelector("main"), head, h("div.board-place", board), said, bar.node);
go(Number(asked.get("at")));
