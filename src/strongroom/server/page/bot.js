/* A game against a bot: it begins at once; name and level are changed from inside it. */

import * as api from "./api.js";
import { h } from "./dom.js";
import { create, easy, nameField } from "./new.js";
import * as own from "./own.js";
import { button, capital, dialog, link } from "./parts.js";
import { title } from "./status.js";

/** Begins a game, or goes on with one of the same kind in which nothing was played. */
export async function open(stage, name, level) {
  const game = await api.gameNamed(name);
  const opponent = level ?? easy(game);
  if (!game.bots.includes(opponent))
    throw new api.Refused("no-bot", `No bot of that name plays ${game.title}.`);
  title(game.title);
  location.replace(await begin(game, opponent));
}

/**
 * Begins a game under the name that is kept, if it is not refused; where its link leads.
 * @param {string[]} [moves] what is chosen already, and sent as soon as it is asked for
 */
export function begin(game, opponent, moves) {
  return begun(game, opponent, own.name() || own.GUEST, moves).catch((trouble) => {
    if (trouble.code !== "refused") throw trouble;
    return begun(game, opponent, own.GUEST, moves);
  });
}

async function begun(game, opponent, called, moves) {
  const fresh = [game.name, opponent, called].join("/");
  const kept = !moves && own.games().find((each) => each.fresh === fresh);
  if (kept) return `#play/${kept.id}/${kept.token}`;
  const token = own.token();
  return create(
    game,
    { opponent, seat: "1", name: called, watch: false, token },
    moves ? { ahead: { token, moves } } : { fresh },
  );
}

/** Asks for a name, and begins another game with the bot that is pressed. */
export async function another(game, level) {
  const called = nameField();
  const { bots } = await api.catalog();
  const begin = (name) => () => {
    own.keepName(called.querySelector("input").value.trim().replace(/\s+/g, " "));
    location.hash = `#bot/${game.name}/${name}`;
  };
  dialog(
    "Another bot, another name",
    [
      called,
      h(
        "ul.bots",
        bots
          .filter(({ name }) => game.bots.includes(name))
          .map(({ name, title, line }) =>
            h(
              "li",
              button(`Play ${title}`, begin(name), "button", { "aria-describedby": `is-${name}` }),
              h("small.soft", { id: `is-${name}` }, `${capital(line)}.${name === level ? " You play it now." : ""}`),
            ),
          ),
      ),
      link("More choices", `#new/${game.name}/bot`),
    ],
    button("Back to the game"),
  );
}
