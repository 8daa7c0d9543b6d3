/* The clipboard. */

import { h } from "./dom.js";

/** Copies a text, also where the browser keeps its clipboard to itself: on a page without https. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h("textarea.unseen", { "aria-hidden": "true", tabindex: -1 }, text);
    const back = /** @type {HTMLElement | null} */ (document.activeElement);
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    back?.focus();
  }
}
