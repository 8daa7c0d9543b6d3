/* What every page is made of: buttons, links, words. */

import { h } from "./dom.js";

/** A button that does something. */
export const button = (label, onclick, look = "button", more) => h("button", { type: "button", class: look, onclick, ...more }, label);

/** A link to another page of this one. */
export const link = (label, href, look, more) => h("a", { class: look, href, ...more }, label);

/** Second text. */
export const soft = (text) => h("p", { class: "soft" }, text);

/** A page of text with its heading and its lead. */
export const page = (title, lead, ...rest) => h("div", { class: "page" }, h("h1", {}, title), h("p", { class: "lead" }, lead), rest);

/** Sentences on several lines as one paragraph. */
export const flat = (text) => (text ?? "").split("\n").map((line) => line.trim()).filter(Boolean).join(" ");

/** A sentence's beginning. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Asks before something is done, or shows something over the page. */
export function dialog(title, body, ...buttons) {
  const node = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => node.remove(), onclick: ({ target }) => target.closest("button") && node.close() },
    h("h2", { id: "dialog-title", tabindex: -1 }, title), body, h("div", { class: "row" }, buttons));
  document.body.append(node);
  node.showModal();
  node.scrollTop = 0;
}
