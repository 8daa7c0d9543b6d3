/* Elements without markup: text from outside stays text. */

const SVG = "http://www.w3.org/2000/svg";
const CODES = /(\d+(?:-\d+)+)/;
const shown = new WeakMap();

/** The element with an id. */
export const find = (id) => document.getElementById(id);

/** Sets attributes: functions listen, true is an empty attribute, false and null are none. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice("on".length), value);
    else if (value === false || value == null) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

/** A text as one node, the codes in it, like 3-4-2, in spans that no line breaks. */
function whole(text) {
  if (!CODES.test(text)) return text;
  const span = (more) => Object.assign(document.createElement("span"), more);
  const node = span({});
  node.append(
    ...text
      .split(CODES)
      .map((part, at) => (at % 2 ? span({ className: "whole", textContent: part }) : part)),
  );
  return node;
}

/** Puts new children in the place of all that a node holds. */
export function fill(node, ...children) {
  const wraps = node instanceof HTMLElement;
  node.replaceChildren(
    ...children
      .flat(Infinity)
      .filter((each) => each != null && each !== false && each !== "")
      .map((each) => (wraps && typeof each === "string" ? whole(each) : each)),
  );
  return node;
}

const maker =
  (create) =>
  (what, ...children) => {
    const [tag, ...looks] = what.split(".");
    const attributes = children[0]?.constructor === Object ? children.shift() : {};
    return fill(set(create(tag), { class: looks.join(" ") || null, ...attributes }), children);
  };

/** An HTML element, with its classes: `h("button.brass", { onclick: go }, "Play")`. */
export const h = maker((tag) => document.createElement(tag));

/** An SVG element, made like an HTML one. */
export const svg = maker((tag) => document.createElementNS(SVG, tag));

/** Writes text only where it differs, so that nothing is said or drawn twice. */
export function write(node, text) {
  if (node.textContent === text) return node;
  if (node instanceof HTMLElement) return fill(node, text);
  node.textContent = text;
  return node;
}

/** Whether a node was last drawn from other values; redrawing equal ones would lose the focus. */
export function changed(node, ...now) {
  const before = shown.get(node);
  shown.set(node, JSON.stringify(now));
  return shown.get(node) !== before;
}
