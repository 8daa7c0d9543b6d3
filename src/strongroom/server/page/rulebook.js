/* The rules: all of them listed, one as a page, or one beside a game that goes on; its pictures
   come first. */

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { button, dialog, link, page, row } from "./parts.js";
import { scenes } from "./scenes.js";
import { title } from "./status.js";

const KNOWN = new Set(
  (
    "b blockquote br code dd dl dt em h2 h3 h4 hr i li ol p pre strong " +
    "table tbody td th thead tr ul"
  ).split(" "),
);

/** The server's page as nodes: what is not plain text and structure is left out. */
function nodes(parent) {
  return [...parent.childNodes].map((node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    return (
      KNOWN.has(node.localName) &&
      h(node.localName, { tabindex: node.localName === "pre" ? 0 : null }, nodes(node))
    );
  });
}

async function prose(name) {
  const [{ title: named, html }, drawn] = await Promise.all([
    api.rules(name),
    api.gameNamed(name).then(scenes),
  ]);
  return [
    `Rules of ${named}`,
    [drawn, h("div.prose", nodes(new DOMParser().parseFromString(html, "text/html").body))],
  ];
}

/** Opens the rules of a game over whatever is shown. */
export async function overlay(name) {
  dialog(...(await prose(name)), button("Back to the game", null, "button.main"));
}

/** Shows the rules of a game, or which there are. */
export async function open(stage, name) {
  if (!name) {
    const { games } = await api.catalog();
    title("Rules");
    return void fill(
      stage,
      page(
        "Rules",
        "Each fits on a page. The referee is the server: it knows the rules, and refuses what" +
          " breaks them.",
        h(
          "ul.card.list",
          games.map((game) =>
            row(
              game.title,
              h("span.soft", game.summary),
              link("Read", `#rules/${game.name}`, "", {
                "aria-label": `Read the rules of ${game.title}`,
              }),
            ),
          ),
        ),
      ),
    );
  }
  const [named, body] = await prose(name);
  title(named);
  fill(
    stage,
    page(
      named,
      (await api.gameNamed(name)).summary,
      link("Play it", `#new/${name}`, "button.main"),
      h("div.card", body),
    ),
  );
}
