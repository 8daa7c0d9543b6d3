/* The frame of every page: routes, the menu, the theme and the sound. */

import "./api.js"; // fetched at once with the rest
import { fill, h } from "./dom.js";
import * as lobby from "./lobby.js";
import { unfinished } from "./mine.js";
import * as own from "./own.js";
import { button, capital, link, page, soft } from "./parts.js";
import * as sound from "./sound.js";
import { lamp, notice, say, title } from "./status.js";

const PAGES = {
  new: () => import("./new.js"),
  bot: () => import("./bot.js"),
  join: () => import("./invite.js"),
  play: () => import("./play.js"),
  vault: () => import("./vault.js"),
  watch: () => import("./watch.js"),
  games: () => import("./mine.js"),
  rules: () => import("./rulebook.js"),
};
const root = document.documentElement;
const find = (selector) => document.querySelector(selector);
let visit = 0;
let leave = null;

async function go(first) {
  const [name, ...parts] = location.hash.slice(1).split("/");
  const known = Object.hasOwn(PAGES, name);
  if (name === "main") return;
  const number = ++visit;
  leave?.();
  leave = null;
  notice();
  menu(false);
  const at = ["play", "vault", "watch", "rules"].includes(name) ? `#${name}` : "#";
  for (const each of document.querySelectorAll("#nav a"))
    each.toggleAttribute("aria-current", each.getAttribute("href") === at);
  root.dataset.route = known ? "other" : "lobby";
  const stage = fill(find("#stage"), known && soft("Opening …"));
  root.toggleAttribute("data-opening", ["play", "vault"].includes(name)); // a table, as it will be
  if (known) await open(stage, name, parts, number);
  else {
    title();
    leave = lobby.enter();
  }
  if (number !== visit) return;
  root.removeAttribute("data-opening");
  if (first) return;
  // A screen reader reads on from the focus.
  scrollTo(0, 0);
  const heading = find(known ? "#stage h1" : "#lobby h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

async function open(stage, name, parts, number) {
  try {
    const module = await PAGES[name]();
    const left = number === visit && (await module.open(stage, ...parts));
    if (number === visit) leave = left;
    else if (left) left();
  } catch (trouble) {
    if (number !== visit) return;
    title("Not opened");
    const told = trouble.code
      ? trouble.message
      : "Part of it could not be loaded. Nothing is lost; try again.";
    fill(
      stage,
      page(
        trouble.code === "unknown-game" ? "There is no such game" : "This page did not open",
        told,
        trouble.code === "too-many-games" && unfinished(),
        h(
          "div.row",
          trouble.code !== "unknown-game" && button("Try again", () => go(), "button.main"),
          link("All games", "#", "button"),
        ),
      ),
    );
    if (!trouble.code) console.error(trouble);
  }
}

// --- the header ---

const dark = matchMedia("(prefers-color-scheme: dark)");
const system = () => (dark.matches ? "dark" : "light");
const other = () => ((root.dataset.theme || system()) === "dark" ? "light" : "dark");
const themed = () => (find(".theme").textContent = `${capital(other())} theme`);

function menu(open) {
  find("#nav").classList.toggle("opened", open);
  find(".menu").ariaExpanded = open;
}

find(".theme").addEventListener("click", () => {
  own.keepTheme((root.dataset.theme = other() === system() ? "" : other()));
  themed();
});
dark.addEventListener("change", themed);
find(".sound").hidden = !sound.AVAILABLE;
find(".sound").ariaPressed = sound.wanted();
find(".sound").addEventListener("click", ({ currentTarget }) => {
  sound.turn(!sound.wanted());
  currentTarget.ariaPressed = sound.wanted();
});
find(".menu").addEventListener("click", () => menu(!find("#nav.opened")));
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !find("#nav.opened")) return;
  menu(false);
  find(".menu").focus();
});
find(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment says which page this is
  find("#main").focus();
});
addEventListener("hashchange", () => go());
addEventListener("offline", () => {
  lamp("lost", "offline");
  say("You are offline. Nothing is lost.");
});
themed();
go(true);
