/* Text that stays inside its element: it shrinks to fit, and scrolls where it is still too long. */

import { set } from "./dom.js";

const SMALLEST = 13; // pixels

function fit(node) {
  const overflows = () => node.scrollHeight > node.clientHeight;
  node.style.fontSize = "";
  for (let size = parseFloat(getComputedStyle(node).fontSize); size > SMALLEST && overflows();)
    node.style.fontSize = `${--size}px`;
  set(node, { tabindex: overflows() && 0 }); // the keyboard scrolls what has the focus
  node.scrollTop = 0;
}

const changes = (all) => all.forEach(({ target }) => fit(target.closest(".fitted")));
const sizes = new ResizeObserver(changes);
const texts = new MutationObserver(changes);

// The window's size decides the size of the text, also where the element keeps its own.
addEventListener("resize", () => document.querySelectorAll(".fitted").forEach(fit));

/** Keeps the text of an element inside the height that its style gives it. */
export function fitted(node) {
  node.classList.add("fitted");
  sizes.observe(node, { box: "border-box" }); // a scroll bar leaves it as it is
  texts.observe(node, { childList: true, subtree: true });
  return node;
}
