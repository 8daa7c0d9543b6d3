/* What two people say to each other: fixed phrases, each shown for some seconds at its sender. */

import { fill, h, set } from "./dom.js";
import * as own from "./own.js";
import { button } from "./parts.js";

/** What can be said, in the order of the protocol's numbers. */
export const PHRASES = [
  "Good one",
  "Well played",
  "Again?",
  "Thank you",
  "One moment",
  "I have to go",
];
const SHOWN = 5000; // milliseconds
const REST = 3000; // until more may be said

/** The button and the list of phrases for whoever plays against a person. */
export function phrases(line, bar) {
  const says = PHRASES.map((text, at) =>
    button(text, () => {
      list.hidePopover();
      line.ask("phrase", { phrase: at });
      for (const each of says) each.disabled = true;
      setTimeout(() => says.forEach((each) => (each.disabled = false)), REST);
    }),
  );
  const mute = button(
    "Mute",
    () => {
      own.keepMuted(!own.muted());
      set(mute, { "aria-pressed": String(own.muted()) });
    },
    "quiet",
    { "aria-pressed": String(own.muted()) },
  );
  const list = h(
    "div.phrases",
    { id: "phrases", popover: "auto", role: "group", "aria-label": "Say something" },
    says,
    mute,
  );
  list.addEventListener("beforetoggle", () => {
    const { left, bottom, width } = bar.getBoundingClientRect();
    const wide = Math.max(width, 240);
    list.style.cssText = `left: ${left}px; top: ${bottom + 4}px; width: ${wide}px`;
  });
  return [h("button.talk", { popovertarget: "phrases", "aria-label": "Say something" }), list];
}

/** Shows for some seconds, in front of whose turn it is, what a player says. */
export function bubbleOf(turn) {
  const node = h("span.bubble", { hidden: true, "aria-hidden": "true" });
  let timer = 0;
  turn.before(node);
  return (text) => {
    clearTimeout(timer);
    fill(node, text).hidden = false;
    timer = setTimeout(() => (node.hidden = true), SHOWN);
  };
}
