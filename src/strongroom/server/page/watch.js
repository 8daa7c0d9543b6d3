/* Watching: which games can be watched, and one of them. */

import * as api from "./api.js";
import { changed, fill, h } from "./dom.js";
import { left, often } from "./lobby.js";
import { pictured } from "./mine.js";
import { ago, link, page, soft } from "./parts.js";
import { title } from "./status.js";

const DRAWN = 8; // games of a list, each with its position

/** A list of games of one kind, which can be made fresh. */
function section(show, heading, act, empty) {
  const place = h("div");
  const pictures = []; // where each is to be, and of which game
  const rows = (games) =>
    games.slice(0, 30).map((game) => {
      const who = game.seats.map((seat) => seat?.name ?? "nobody").join(" and ");
      const won =
        game.state === "over" &&
        (game.winner ? `${game.seats[game.winner - 1].name} won` : "undecided");
      const more = [won, game.watchers > 0 && `${game.watchers} watching`].filter(Boolean);
      const look = h("span.shows");
      pictures.push([look, game.id]);
      return h(
        "li",
        look,
        h("span.grow", h("b", game.title), h("br"), who),
        h("span.soft", more.map((each) => `${each}, `), ago(game.created)),
        link(act, `#watch/${game.id}`, "", { "aria-label": `${act}: ${game.title}, ${who}` }),
      );
    });
  /** Draws how the first games of the list stand. */
  const drawn = async () => {
    for (const [look, id] of pictures.splice(0).slice(0, DRAWN))
      await api.position(id).then((told) => fill(look, pictured(told)));
  };
  const refresh = async () => {
    const games = await api.list(show);
    const here = games.filter((game) => !left(game));
    const gone = games.filter(left);
    if (
      !changed(
        place,
        games.map((game) => [game.id, left(game), game.watchers]),
      )
    )
      return;
    const open = Boolean(place.querySelector("[open]"));
    fill(
      place,
      here.length ? h("ul.list.games", rows(here)) : soft(empty),
      gone.length > 0 &&
        h(
          "details",
          { open },
          h("summary", `${gone.length} more that everybody has left`),
          h("ul.list.games", rows(gone)),
        ),
    );
    drawn().catch(() => {}); // the list is complete without them
  };
  return { refresh, node: h("section.card", h("h2", heading), place) };
}

/** Shows a game to a spectator, or the games there are. */
export async function open(stage, id) {
  if (id) return (await import("./play.js")).open(stage, id);
  title("Watch");
  const lists = [
    section(
      "playing",
      "Played now",
      "Watch",
      "No open game now. Start one that others may watch, and it appears here.",
    ),
    section("over", "Ended lately", "Look at it", "No game has ended lately."),
  ];
  const refresh = () => Promise.all(lists.map((each) => each.refresh()));
  await refresh();
  fill(
    stage,
    page(
      "Watch",
      "A spectator sees what both players may know, and never a secret before the end.",
      lists.map(({ node }) => node),
    ),
  );
  return often(() => refresh().catch(() => {}));
}
