/* The board that leads the lobby: Safe Cracker against Casual, dealt here; the first guess makes
   the game and is played in it. */

import * as api from "./api.js";
import { boardOf, drawn } from "./board.js";
import { fill, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import { upTo } from "./numbers.js";
import * as own from "./own.js";
import { button, capital } from "./parts.js";
import { lidded } from "./players.js";
import { notice } from "./status.js";

const GAME = "safe-cracker";
const BOT = "casual";
const TAUGHT = [0, 1]; // cards of a first game: to hide a code, and to guess
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Deals the board; nothing is stored before the first guess. */
export async function deal(place) {
  const game = await api.gameNamed(GAME);
  const board = await boardOf(game.board);
  const opponent = capital(BOT);
  const options = Object.fromEntries(game.options.map((each) => [each.name, each.default]));
  const secret = upTo(1, options.length)
    .map(() => drawn(options.digits) + 1)
    .join("-");
  const view = { actor: 1, number: 1, setting_up: false, secret: [secret], history: [], options };
  const lid = lidded();
  let choice = null;
  const guess = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main"));
  board.addEventListener("choice", (/** @type {CustomEvent} */ { detail }) => {
    choice = detail;
    write(guess, choice?.button ?? "");
  });
  board.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.defaultPrevented) return; // as on the lid
    event.preventDefault();
    send();
  });
  board.show({
    view: /** @type {any} */ (view),
    words: /** @type {any} */ ({ left: null }),
    seat: 1,
    game,
    info: /** @type {any} */ ({ seats: [{ name: own.YOU }, { name: opponent }] }),
    canMove: true,
    motion: !still.matches,
  });
  board.choose(upTo(1, options.length).map((place) => ((place - 1) % options.digits) + 1));
  lid.show(game.secret_name, [secret], true);
  board.append(
    h("p.dealt.soft", h("span", "Drawn for you, only you see it"), lid.node),
    h("p.tells", `${opponent} has hidden a code.`),
    guess,
  );
  if (document.documentElement.dataset.route === "lobby") fill(place, board);

  async function send() {
    const { move } = choice;
    if (guess.disabled) return;
    guess.disabled = true;
    write(guess, "Sending …");
    try {
      const { begin } = await import("./bot.js");
      const link = await begin(game, BOT, [secret, move]);
      if (!own.lessons()[GAME]) own.keepLessons(GAME, { id: link.split("/")[1], seen: TAUGHT });
      location.hash = link;
    } catch ({ message }) {
      notice(message);
      guess.disabled = false;
      write(guess, choice.button);
    }
  }
}
