/* A game against a bot: it begins at once; name and level are changed from inside it. */

import * as api from "./api.js";
import { botField, create, easy, nameField } from "./new.js";
import * as own from "./own.js";
import { button, dialog, link } from "./parts.js";
import { title } from "./status.js";

/** Begins a game, or goes on with one of the same kind in which nothing was played. */
export async function open(stage, name, level) {
  const game = await api.gameNamed(name);
  const opponent = level ?? easy(game);
  if (!game.bots.includes(opponent))
    throw new api.Refused("no-bot", `No bot of that name plays ${game.title}.`);
  title(game.title);
  await begin(game, opponent, own.name() || own.GUEST).catch((trouble) => {
    if (trouble.code !== "refused") throw trouble;
    return begin(game, opponent, own.GUEST); // the name was refused
  });
}

async function begin(game, opponent, called) {
  const fresh = [game.name, opponent, called].join("/");
  const kept = own.games().find((each) => each.fresh === fresh);
  if (kept) return location.replace(`#play/${kept.id}/${kept.token}`);
  await create(
    game,
    { opponent, seat: "1", name: called, watch: false, token: own.token() },
    { fresh },
  );
}

/** Asks for a name and a level, and begins another game with them. */
export async function another(game, level) {
  const called = nameField();
  const levels = await botField(game, level);
  const name = called.querySelector("input");
  const begin = () => {
    own.keepName(name.value.trim().replace(/\s+/g, " "));
    location.hash = `#bot/${game.name}/${levels.querySelector(":checked").value}`;
  };
  dialog(
    "Another bot, another name",
    [called, levels, link("More choices", `#new/${game.name}/bot`)],
    button("Play on"),
    button("Start a new game", begin, "button.main"),
  );
}
