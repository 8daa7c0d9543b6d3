/* The lobby: a board to play on at once, today's vault, the game to continue, who waits for
   somebody. The games themselves stand in the markup. */

import * as api from "./api.js";
import { changed, fill, find, h, write } from "./dom.js";
import { pictured, played, stand } from "./mine.js";
import * as own from "./own.js";
import { agreed, clock, counted, link, soft } from "./parts.js";
import { mark } from "./players.js";
import { thumbnail } from "./small.js";
import { today, week } from "./week.js";

const OFTEN = 8_000;
const LATER = 1_000;
const MOST = 6; // that wait are named
const ASKED = 3; // of one's own games, which the first card chooses from
const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
const UNREACHED =
  "The server cannot be reached, so it is not known who waits. " +
  `It is tried again every ${OFTEN / 1000} seconds.`;

const part = (where, what) => find(where).querySelector(what);
const visible = () => document.visibilityState === "visible";

/** Repeats something while the page is visible; returns what stops it. */
export function often(act) {
  const seen = () => visible() && act();
  const timer = setInterval(seen, OFTEN);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", seen);
  };
}

/** Whether nobody who plays a game is there. */
export const left = ({ state, seats }) =>
  state === "playing" && !seats.some((seat) => seat?.player === "person" && seat.here);

/** Shows the lobby and keeps it fresh; returns what stops it. */
export function enter() {
  for (const card of document.querySelectorAll("[data-game]")) {
    const picture = thumbnail(card.getAttribute("data-game"));
    if (picture) fill(card.querySelector(".shows"), picture);
  }
  import("./hero.js")
    .then(({ deal }) => deal(find("hero")))
    .catch(() => {}); // the games below are played all the same
  vault().catch(() => {}); // it says by itself why, once it is opened
  mine();
  waiting();
  const later = setTimeout(watched, LATER); // what can be pressed at once comes first
  const seen = () => visible() && mine();
  const stop = often(waiting);
  document.addEventListener("visibilitychange", seen);
  return () => {
    stop();
    clearTimeout(later);
    document.removeEventListener("visibilitychange", seen);
    fill(find("hero"));
  };
}

/** Today's vault: its position, its question, and the week. */
async function vault() {
  const day = today();
  const { done } = own.vaults()[day] ?? {};
  const lamps = week(day);
  const lit = lamps.filter(({ look }) => look !== "open").length;
  fill(
    part("today", ".lamps"),
    lamps.map(({ look }) => h(`i.dot.${look}`, { "aria-hidden": "true" })),
    h("span.soft", `${lit} lit`),
  );
  write(part("today", ".button"), done ? "Look at it" : "Open it");
  const puzzle = await api.vault(day);
  const { game, view, words, title, question } = puzzle;
  write(part("today", ".soft"), `Today's vault · ${title}`);
  write(part("today", "h2"), question);
  fill(part("today", ".shows"), thumbnail(game, { ...view, left: words.left }));
}

/** The game to continue: one's turn first, then the newest. */
async function mine() {
  const going = played()
    .filter((game) => !game.over)
    .slice(0, ASKED);
  proceed(going[0]);
  if (!going.length) return;
  const told = await stand(going);
  const rank = (at) => (told[at]?.view?.actor === going[at].seat ? 0 : told[at]?.view ? 1 : 2);
  const open = [...going.keys()].filter((at) => told[at] && told[at].game.state !== "over");
  const [best] = open.sort((one, two) => rank(one) - rank(two));
  const reached = told.some(Boolean) || !own.game(going[0].id);
  if (reached) proceed(going[best], told[best]);
}

function proceed(game, told) {
  const place = find("own");
  const more = played().length - Number(Boolean(game));
  document.documentElement.toggleAttribute("data-going", Boolean(game));
  if (!game || !changed(place, game, more, told?.game, told?.view)) return;
  const { id, token, title, who, waits, turn, seat } = game;
  const opponent = told?.game.seats[2 - seat];
  const { view } = told ?? {};
  const mover = view ? view.actor === seat : turn;
  const about = view && !view.setting_up ? `${title}, turn ${view.turns + 1}` : title;
  fill(
    place,
    h("div.shows", pictured(told)),
    h(
      "div",
      soft(`Continue · ${about}`),
      h(
        "h2",
        waits || !who
          ? "Waiting for your opponent"
          : mover
            ? `Your turn against ${who}`
            : `${who} is thinking`,
      ),
      opponent && presence(opponent, 3 - seat),
      h(
        "div.row",
        link("Continue", `#play/${id}/${token}`, "button.second", {
          "aria-label": `Continue ${title}`,
        }),
        more > 0 && link(`${counted(more, "more game")}`, "#games"),
      ),
    ),
  );
}

/** Whether the other one is there, as a glyph and in words. */
function presence({ here, player, away_since }, seat) {
  const words =
    player !== "person" ? "a bot" : here ? "here" : away_since ? `away since ${clock(away_since)}` : "away";
  return h(
    `p.soft.of-${seat}${here || player !== "person" ? "" : ".away"}`,
    mark(seat),
    ` ${words}`,
  );
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
    others.length
      ? h("ul", others.slice(0, MOST).map(seat))
      : h("p.soft", "Nobody is waiting. ", link("Wait for someone", "#new/safe-cracker/lobby")),
    more > 0 && soft(`and ${more} more`),
  );
}

function seat(game) {
  const at = game.seats.findIndex(Boolean);
  const name = game.seats[at]?.name ?? "Somebody";
  return h(
    "li",
    mark(at < 0 ? 1 : at + 1),
    h("b", name),
    h("span.soft", ` waits for someone at ${game.title}. `),
    game.aids && h("span.soft", `${agreed(game)}. `),
    link("Join", `#join/${game.id}`, "", { "aria-label": `Join ${name} at ${game.title}` }),
  );
}

/** How many games are played, for who wants to watch; and where one's own games are. */
async function watched() {
  const games = await api.list("playing").catch(() => []);
  const many = games.filter((game) => !left(game) && !own.game(game.id)).length;
  const number = NUMBERS[many] ?? String(many);
  fill(
    find("played"),
    many > 0 && [
      h("span.soft", `${number} ${many > 1 ? "games are" : "game is"} being played. `),
      link("Watch", "#watch", "", { "aria-label": "Watch the games that are being played" }),
    ],
    played().length > 0 && link("Your games", "#games"),
  );
}
