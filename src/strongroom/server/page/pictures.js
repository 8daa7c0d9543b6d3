/* What happened at the end of a game, as a drawing that moves once and then stands still. */

import { svg } from "./dom.js";

const picture = (label, [wide, high], ...shapes) =>
  svg(
    "svg.finale-picture",
    { viewBox: `${-wide / 2} ${-high / 2} ${wide} ${high}`, role: "img", "aria-label": label },
    shapes,
  );
const text = (look, at, size, says) =>
  svg(`text.${look}`, { ...at, "font-size": size, dy: ".35em" }, says);
const around = (angles, draw) =>
  angles.map((angle) => svg("g", { transform: `rotate(${angle})` }, draw()));

/** A safe, open on the code that was found; without a code its door stays closed. */
export function safe(code) {
  const signs = code?.replaceAll("-", "·");
  return picture(
    code ? `The safe is open on ${code}.` : "The safe is closed.",
    [350, 268],
    code &&
      svg(
        "g.rays",
        around([123, 142, 161, 180, 199, 218, 237], () => svg("path", { d: "M130 0h26" })),
      ),
    svg("circle.wall", { r: 118 }),
    svg("circle.inside", { r: 100 }),
    code && text("within", { x: -18 }, Math.min(62, 300 / signs.length), signs),
    svg(
      code ? "g.door.opened" : "g.door",
      svg("circle.leaf", { r: 116 }),
      svg("circle.bolts", { r: 92 }),
      around([0, 60, 120], () => svg("path.spoke", { d: "M-60 0H60" })),
      svg("circle.hub", { r: 26 }),
    ),
  );
}

/** A card with the number that was found, stamped; without a number it lies face down. */
export function stamp(number, seat) {
  return picture(
    number ? `${number} is stamped as found.` : "The card lies face down.",
    [340, 230],
    svg("rect.paper", { x: -136, y: -96, width: 272, height: 192, rx: 14 }),
    number
      ? svg(
          `g.stamp.of-${seat}`,
          svg("ellipse", { rx: 116, ry: 78 }),
          svg("ellipse.fine", { rx: 104, ry: 67 }),
          text("stamped", { y: -8 }, 68, number),
          text("seal", { y: 44 }, 16, "FOUND"),
        )
      : svg("path.back", {
          d: "M-120-80H120V80H-120ZM0-62L62 0L0 62L-62 0ZM0-34L34 0L0 34L-34 0Z",
        }),
  );
}

/** A row of cells, each with its symbol and owner; the lit ones light up in turn. */
export function row(label, cells, lit) {
  const x = (at) => (at - (cells.length - 1) / 2) * 56;
  return picture(
    label,
    [408, 150],
    lit.length > 0 &&
      svg("path.link", { d: `M${x(lit[0] - 1)} 44H${x(lit.at(-1) - 1)}`, pathLength: 1 }),
    cells.map(({ symbol, owner }, at) => {
      const place = lit.indexOf(at + 1);
      const cell = svg(
        `g.cell${owner ? `.of-${owner}` : ""}${place < 0 ? "" : ".lit"}`,
        svg("rect", { x: x(at) - 24, y: -32, width: 48, height: 56, rx: 9 }),
        text("symbol", { x: x(at), y: -4 }, 34, symbol),
        text("count", { x: x(at), y: 60 }, 13, String(at + 1)),
      );
      cell.style.setProperty("--place", Math.max(0, place));
      return cell;
    }),
  );
}

/** A drawing as it stands here, as a picture that can be handed on; null: this browser cannot. */
export async function drawnAs(drawing) {
  const [wide, high] = [1200, 630];
  const copy = drawing.cloneNode(true);
  const parts = copy.querySelectorAll("*");
  drawing.querySelectorAll("*").forEach((node, at) => {
    const style = getComputedStyle(node);
    for (const name of style) parts[at].style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("width", wide);
  copy.setAttribute("height", high);
  const image = new Image();
  const text = new XMLSerializer().serializeToString(copy);
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  try {
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: wide, height: high });
    const pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, wide, high);
    pen.drawImage(image, 0, 40, wide, high - 80);
    const blob = await new Promise((done) => canvas.toBlob(done));
    return new File([blob], "strongroom.png", { type: "image/png" });
  } catch {
    return null;
  }
}
