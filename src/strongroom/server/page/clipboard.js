/* Handing a text on: the clipboard, and the system's own way. */

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

/** Hands a text on as the system does it, or else copies it; whether its reader was asked. */
export async function shared(text, url) {
  try {
    await navigator.share({ text, ...(url && { url }) });
    return true;
  } catch (trouble) {
    if (trouble.name === "AbortError") return true;
    await copy(text);
    return false;
  }
}
