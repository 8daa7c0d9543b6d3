/* The lobby: who waits for somebody, and one's own games. The games themselves stand in the
   markup. */

import * as api from "./api.js";
import { changed, fill, find, h } from "./dom.js";
import * as own from "./own.js";
import { agreed, button, link, soft, when } from "./parts.js";
import { notice } from "./status.js";

const OFTEN = 8_000;
const MOST = 6;
const FEW = innerWidth > 640 ? 2 : 1;
const UNREACHED =
  "The server cannot be reached, so it is not known who waits. " +
  `It is tried again every ${OFTEN / 1000} seconds.`;
const LATER = ["offline", "unavailable", "slow-down"];
const EMPTY = "Nobody is waiting. Games for “anyone in the lobby” are shown here.";

/** Repeats something while the page is visible; returns what stops it. */
export function often(act) {
  const seen = () => document.visibilityState === "visible" && act();
  const timer = setInterval(seen, OFTEN);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}

/** Shows the lobby and keeps it fresh; returns what stops it. */
export function enter() {
  mine();
  waiting();
  return often(waiting);
}

async function waiting() {
  const games = await api.list("waiting").catch(() => null);
  if (!games)
    return void (changed(find("waiting"), null) && fill(find("waiting"), soft(UNREACHED)));
  const others = games.filter((game) => !own.game(game.id));
  if (!changed(find("waiting"), others)) return;
  const more = others.length - MOST;
  fill(
    find("waiting"),
    others.length ? h("ul.list", others.slice(0, MOST).map(seat)) : soft(EMPTY),
    more > 0 && soft(`and ${more} more`),
  );
}

function seat(game) {
  const name = game.seats.find(Boolean)?.name ?? "Somebody";
  return h(
    "li",
    h("span.grow", game.title),
    h("span.soft", `${name}. ${agreed(game)}.`),
    link("Join", `#join/${game.id}`, "button", { "aria-label": `Join ${name} at ${game.title}` }),
  );
}

/** One's own games, each as it stands now; those that go on first. */
async function mine() {
  const games = own
    .games()
    .filter((game) => !game.fresh)
    .sort((one, two) => Number(!two.over) - Number(!one.over))
    .slice(0, 12);
  find("own").hidden = !games.length;
  document.querySelector(".cards")[games[0]?.over ? "after" : "before"](find("own"));
  list(games);
  const told = await Promise.all(
    games.map((game) => !game.over && api.info(game.id).catch(({ code }) => code)),
  );
  games.forEach(({ id, seat }, at) => {
    const info = told[at];
    if (info === "unknown-game" || info.state === "withdrawn") own.forget(id);
    else if (info.id)
      own.keep(id, {
        over: info.state === "over",
        won: info.winner,
        waits: info.state === "waiting",
        who: info.seats[2 - seat]?.name,
      });
  });
  list(games.map((game) => own.game(game.id)).filter(Boolean));
}

/** A few are shown, the others folded: what can be played stays in sight. */
function list(games) {
  const more = games.length - FEW;
  const open = Boolean(document.querySelector("#own [open]"));
  const rows = (...part) => h("ul.list", games.slice(...part).map(row));
  fill(
    find("own"),
    h("h2", "Your games"),
    rows(0, FEW),
    more > 0 && h("details", { open }, h("summary", `${more} more`), rows(FEW)),
  );
}

function row({ id, token, title, who, seat, over, won, waits, turn, created }) {
  const ended = won ? `${won === seat ? "you" : who} won` : won === null ? "undecided" : "over";
  const act = over ? "Look at it" : waits ? "Open" : "Go on";
  return h(
    "li",
    h("span.grow", title),
    h(
      "span.soft",
      [
        who && `against ${who}`,
        over ? ended : waits ? "waits for somebody" : turn && "your turn",
        created && when(created),
      ]
        .filter(Boolean)
        .join(", "),
    ),
    link(act, `#play/${id}/${token}`, "button", { "aria-label": `${act}: ${title}` }),
    leaving({ id, token, title, over }),
  );
}

/** What removes one's own game from the list; one that goes on is resigned, after two presses. */
function leaving({ id, token, title, over }) {
  const label = over ? "Forget" : "Resign";
  let sure = over;
  const leave = async ({ currentTarget: pressed }) => {
    if (!sure) {
      sure = true;
      pressed.textContent = "Really resign?";
      return void pressed.setAttribute("aria-label", `Really resign this game of ${title}?`);
    }
    const trouble = over ? null : await api.resign(id, token).catch((error) => error);
    if (LATER.includes(trouble?.code)) return void notice(trouble.message);
    own.forget(id);
    pressed.closest("li").remove();
    mine();
  };
  return button(label, leave, "quiet", { "aria-label": `${label} this game of ${title}` });
}

/** One's own games that go on, where the server wants some of them ended first. */
export const unfinished = () =>
  h(
    "ul.list",
    own
      .games()
      .filter((game) => !game.over)
      .map(row),
  );
