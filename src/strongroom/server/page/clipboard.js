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

/**
 * Hands a text on as the system does it, with a link and a picture if it takes them, or else copies
 * it; whether its reader was asked.
 * @param {string} text
 * @param {string} [url]
 * @param {File | null | false} [file]
 */
export async function shared(text, url = "", file = null) {
  const files = file ? [file] : [];
  try {
    const pictured = files.length && navigator.canShare({ files });
    await navigator.share({ text, ...(url && { url }), ...(pictured && { files }) });
    return true;
  } catch (trouble) {
    if (trouble.name === "AbortError") return true;
    await copy(url ? `${text}\n${url}` : text);
    return false;
  }
}
