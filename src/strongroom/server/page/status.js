/* The lamp in the header, the live region, notices, the title. */

import { changed, fill, find, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import * as own from "./own.js";
import { button } from "./parts.js";

/** Shows how the connection is, in words. */
export function lamp(state, text) {
  find("state").dataset.state = state;
  write(find("state").lastChild, text);
}

/** Says something in the live region, also if it was said before. */
export function say(text) {
  if (text) find("said").append(h("p", text));
  while (find("said").childElementCount > 4) find("said").firstChild.remove();
}

/**
 * Shows a notice with its actions and a node that no screen reader repeats; without text it closes.
 * @param {string} text
 * @param {Record<string, () => void>} acts
 * @param {any} [aside]
 */
export function notice(text = "", acts = { Close: () => notice() }, aside) {
  const shown = find("notice");
  if (changed(shown, text))
    fill(
      shown,
      text &&
        h(
          "div",
          fitted(h("p", text, aside && [" ", aside])),
          Object.entries(acts).map(([label, act]) => button(label, act)),
        ),
    );
}

/** The first part of the title when it is one's turn. */
export const YOURS = "Your turn";

/** Names the tab and, of a game, the page; the tab's icon, too, tells when it is one's turn. */
export function title(...parts) {
  /** @type {HTMLLinkElement} */
  const icon = document.querySelector("link[rel=icon]");
  const wanted = icon.dataset[parts[0] === YOURS ? "turn" : "usual"];
  if (icon.href !== wanted) icon.href = wanted;
  write(find("here"), parts.length > 1 ? parts[1] : "");
  document.title = [...parts.filter(Boolean), "strongroom"].join(" · ");
}

/** Whether this browser has notifications. */
export const CAN_NOTIFY = "Notification" in globalThis;

/** Whether one is told of one's turn by a notification. */
export const notifies = () => CAN_NOTIFY && own.notices() && Notification.permission === "granted";

/** Wants notifications, or no more, after a press; says so where the browser does not allow it. */
export async function wantNotices(on) {
  own.keepNotices(on);
  if (on && (await Notification.requestPermission()) !== "granted")
    notice("Your browser does not allow notifications here.");
}

/** Tells of one's turn while the page is hidden, if that is wanted, until it is looked at. */
export function notify(text, tag) {
  if (!document.hidden || !notifies()) return;
  try {
    const told = new Notification(YOURS, { body: text, tag, icon: "/page/icon-192.png" });
    told.onclick = () => window.focus();
    document.addEventListener("visibilitychange", () => told.close(), { once: true });
  } catch {
    // Some browsers of phones have them for installed pages only.
  }
}
