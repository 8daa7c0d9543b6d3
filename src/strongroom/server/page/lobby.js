/* The lobby: who waits for somebody, and one's own games. The games themselves stand in the markup. */

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import * as own from "./own.js";
import { button, link, soft } from "./parts.js";

const OFTEN = 8_000;
const MOST = 6;
const EMPTY = "Nobody waits now. Start a game with “anyone in the lobby”, and it stands here until somebody joins.";
const find = (id) => document.getElementById(id);

/** Does something now, often, and whenever the page is seen again; what it returns ends that. */
export function often(act) {
  const seen = () => document.visibilityState === "visible" && act();
  const timer = setInterval(seen, OFTEN);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}

/** Shows the lobby and keeps it fresh; what it returns ends that. */
export function enter() {
  mine();
  waiting();
  return often(waiting);
}

let shown = "";

async function waiting() {
  const games = await api.list("waiting").catch(() => []);
  const others = games.filter((game) => !own.game(game.id));
  const now = JSON.stringify(others);
  if (now === shown) return; // what has the focus stays
  shown = now;
  const more = others.length - MOST;
  fill(find("waiting"), others.length ? h("ul", { class: "list" }, others.slice(0, MOST).map(seat)) : soft(EMPTY), more > 0 && soft(`and ${more} more`));
}

function seat(game) {
  const name = game.seats.find(Boolean)?.name ?? "Somebody";
  return h("li", {}, h("span", { class: "grow" }, game.title), h("span", { class: "soft" }, name), link("Join", `#join/${game.id}`, "", { "aria-label": `Join ${name} at ${game.title}` }));
}

/** One's own games, each as it stands now. */
async function mine() {
  const games = own.games().slice(0, 12);
  find("own").hidden = !games.length;
  document.querySelector(".cards")[games.some((game) => !game.over) ? "before" : "after"](find("own"));
  const list = fill(find("own").lastChild, games.map(row));
  await Promise.all(games.filter((game) => !game.over).map(async (game) => {
    const info = await api.info(game.id).catch(({ code }) => code);
    if (info === "unknown-game") own.forget(game.id);
    else if (info.id) own.keep(game.id, { over: info.state === "over", waits: info.state === "waiting", who: info.seats[2 - game.seat]?.name });
  }));
  fill(list, games.map((game) => own.game(game.id)).filter(Boolean).map(row));
}

function row({ id, token, title, who, over, waits, turn, created }) {
  const since = created && new Date(created * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const act = over ? "Look at it" : waits ? "Open" : "Go on";
  return h("li", {},
    h("span", { class: "grow" }, title),
    h("span", { class: "soft" }, [who && `against ${who}`, over ? "over" : waits ? "waits for somebody" : turn && "your turn", since].filter(Boolean).join(", ")),
    link(act, `#play/${id}/${token}`, "", { "aria-label": `${act}: ${title}` }),
    button("Forget", () => {
      own.forget(id);
      mine();
    }, "quiet", { "aria-label": `Forget this game of ${title}` }));
}
