/* What every page is made of: buttons, links, words. */

import { h } from "./dom.js";

/** A button that does something. */
export const button = (label, onclick, look = "button", more) =>
  h(`button.${look}`, { onclick, ...more }, label);

/** A link to another page of this one. */
export const link = (label, href, look = "", more) => h(`a.${look}`, { href, ...more }, label);

/** Second text. */
export const soft = (text) => h("p.soft", text);

/** A page of text with its heading and its lead. */
export const page = (title, lead, ...rest) =>
  h("div.page", h("h1", title), h("p.lead.soft", lead), rest);

/** A row of a list: what it is about in bold, more about it, and what can be done. */
export const row = (title, more, ...acts) =>
  h("li", h("span.grow", h("b", title), h("br"), more), acts);

/** Sentences on several lines as one paragraph; a line without an end gets one. */
export const flat = (text) =>
  text
    .trim()
    .replace(/(\w)\s*\n/g, "$1.\n")
    .replace(/\s*\n\s*/g, " ");

/** What was said before chance decided, without its last sentence: that it is being decided. */
export const landed = (text) =>
  text
    .trim()
    .replace(/[^.\s][^.\n]*\.?$/, "")
    .trim();

/** What the referee says last, and all before it; `chance`: whether chance has spoken last. */
export function sentences(text, chance = false) {
  const lines = text.trim().split(/\s*\n\s*/);
  const last = lines.pop();
  const before = lines.join("\n");
  return [last, flat(`${chance ? landed(before) : before}\n`)];
}

/** A moment, as a person writes it. */
const when = (seconds) =>
  new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const STEPS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
];

/** How long ago a moment was, "5 minutes ago"; after a week, the moment. */
export function ago(seconds) {
  let left = Math.max(0, Date.now() / 1000 - seconds);
  const at = { datetime: new Date(seconds * 1000).toISOString(), title: when(seconds) };
  const words = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
  for (const [unit, most] of STEPS) {
    if (left < most)
      return h("time", at, unit === "second" ? "just now" : words.format(-Math.floor(left), unit));
    left /= most;
  }
  return h("time", at, when(seconds));
}

/** The time of a moment on its day: "9:40". */
export const clock = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit" });

/** A time in minutes and seconds. */
export function minutes(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A sentence's beginning. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A count with its noun: "1 turn", "2 turns". */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Whether there are hints and a notebook; that a bot's opponent has them is not worth saying. */
export function agreed({ aids, seats }) {
  const alone = seats.some((sitter) => sitter && sitter.player !== "person");
  return aids ? (alone ? "" : "Hints and notebook: on for both") : "Hints and notebook: off";
}

/** Asks before something is done, or shows something over the page. */
export function dialog(title, body, ...buttons) {
  const node = h(
    "dialog",
    {
      "aria-labelledby": "dialog-title",
      onclose: () => node.remove(),
      onclick: ({ target }) => target.closest("button, a") && node.close(),
    },
    h("h2", { id: "dialog-title", tabindex: -1 }, title),
    body,
    h("div.row", buttons),
  );
  document.body.append(node);
  node.showModal();
  node.scrollTop = 0;
}
