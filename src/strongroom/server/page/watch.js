/* Watching: which games can be watched, and one of them. */

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { often } from "./lobby.js";
import { link, page, soft } from "./parts.js";
import { title } from "./status.js";

function rows(games, words, empty) {
  return games.length ? h("ul", { class: "list" }, games.slice(0, 30).map((game) => {
    const who = game.seats.map((seat) => seat?.name ?? "nobody").join(" and ");
    return h("li", {}, h("span", { class: "grow" }, h("b", {}, game.title), h("br"), who), link(words, `#watch/${game.id}`, "", { "aria-label": `${words}: ${game.title}, ${who}` }));
  })) : soft(empty);
}

/** Shows a game to a spectator, or the games there are. */
export async function open(stage, id) {
  if (id) return (await import("./play.js")).open(stage, id);
  title("Watch");
  const [playing, over] = [h("div"), h("div")];
  let shown = "";
  const refresh = async () => {
    const lists = await Promise.all(["playing", "over"].map(api.list));
    const now = JSON.stringify(lists.map((games) => games.map((game) => game.id)));
    if (now === shown) return; // what has the focus stays
    shown = now;
    fill(playing, rows(lists[0], "Watch", "Nobody plays in the open now. Start a game that others may watch, and it stands here."));
    fill(over, rows(lists[1], "Look at it", "No game has ended lately."));
  };
  await refresh();
  fill(stage, page("Watch", "A spectator sees what both players may know, and never a secret before the end.",
    h("section", { class: "card" }, h("h2", {}, "Played now"), playing),
    h("section", { class: "card" }, h("h2", {}, "Ended lately"), over)));
  return often(() => refresh().catch(() => {}));
}
