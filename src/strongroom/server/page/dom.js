/* Nodes without markup: text from outside stays text, and no inline style is ever needed. */

const SVG = "http://www.w3.org/2000/svg";

/** Sets attributes: functions listen, true is an empty attribute, false and null are none. */
export function set(node, attributes = {}) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(name.replace(/^on/, ""), value);
    else if (value === false || value == null) node.removeAttribute(name);
    else node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

function made(node, attributes, children) {
  const given = children.flat(Infinity).filter((each) => each != null && each !== false);
  set(node, attributes).append(...given);
  return node;
}

/** An HTML element: `h("button", {class: "brass", onclick: go}, "Play")`. */
export function h(tag, attributes, ...children) {
  return made(document.createElement(tag), attributes, children);
}

/** An SVG element, made like an HTML one. */
export function svg(tag, attributes, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts new children in the place of all that a node holds. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((each) => each != null && each !== false));
  return node;
}

/** Writes text only where it differs, so that nothing is said or drawn twice. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
  return node;
}
