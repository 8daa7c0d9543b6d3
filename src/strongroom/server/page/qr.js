/* QR codes of links (ISO/IEC 18004): bytes, error correction level L, versions 6 to 9, always
   mask 0. */

import { svg } from "./dom.js";
import { upTo } from "./numbers.js";

/* By version: bytes of data and of correction in each of its two blocks, and its own sign. */
const VERSIONS = { 6: [68, 18], 7: [78, 20, 0x07c94], 8: [97, 24, 0x085bc], 9: [116, 30, 0x09a99] };
const FORMAT = 0b111011111000100; // level L and mask 0
const bits = (value, length = 8) => upTo(1, length).map((at) => (value >> (length - at)) & 1);

/** A product in the field of 256 elements. */
const times = (a, b) =>
  bits(b).reduce((product, bit) => (product << 1) ^ ((product >> 7) * 0x11d) ^ (bit * a), 0);

function corrected(block, count) {
  let divisor = [1];
  let root = 1;
  for (let i = 0; i < count; i++, root = times(root, 2)) {
    divisor = [...divisor, 0].map((each, at) => each ^ times(divisor[at - 1] ?? 0, root));
  }
  return block.reduce(
    ([first, ...rest], byte) =>
      [...rest, 0].map((each, at) => each ^ times(divisor[at + 1], byte ^ first)),
    Array(count).fill(0),
  );
}

/** Every bit of a code: the data of both blocks in turn, then their correction. */
function written(bytes, [length, correction]) {
  const data = [bits(4, 4), bits(bytes.length), [...bytes, 0].map((byte) => bits(byte))]
    .flat(2)
    .join("")
    .match(/.{8}/g)
    .map((byte) => parseInt(byte, 2));
  for (let at = 0; data.length < 2 * length; at++) data.push(at % 2 ? 0x11 : 0xec);
  const blocks = [data.slice(0, length), data.slice(length)];
  return [blocks, blocks.map((block) => corrected(block, correction))]
    .flatMap(([one, two]) => one.flatMap((byte, at) => [byte, two[at]]))
    .flatMap((byte) => bits(byte));
}

/** What is the same in all codes of a version; null where the data goes. */
function frame(version, sign) {
  const size = 17 + 4 * version;
  const last = size - 7;
  const grid = upTo(1, size).map(() => Array(size).fill(null));
  const square = (left, top, rings) =>
    grid.forEach((row, y) =>
      row.forEach((_, x) => {
        row[x] = rings[Math.max(Math.abs(x - left), Math.abs(y - top))] ?? row[x];
      }),
    );
  upTo(0, size - 1).forEach((at) => {
    grid[6][at] = grid[at][6] = 1 - (at % 2);
  });
  const lines = sign ? [6, (6 + last) / 2, last] : [6, last];
  for (const x of lines)
    for (const y of lines)
      if (x + y > 12 && (x + y !== 6 + last || x === y)) square(x, y, [1, 0, 1]);
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    square(x, y, [1, 1, 0, 1, 0]);
  bits(sign, 18)
    .reverse()
    .forEach((bit, at) => {
      const x = size - 11 + (at % 3);
      const y = Math.floor(at / 3);
      if (sign) grid[y][x] = grid[x][y] = bit;
    });
  bits(FORMAT, 15)
    .reverse()
    .forEach((bit, at) => {
      grid[at < 6 ? at : at < 8 ? at + 1 : size - 15 + at][8] = bit;
      grid[8][at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at] = bit;
    });
  grid[size - 8][8] = 1;
  return grid;
}

/** The modules of the smallest code for a text, dark ones 1, with its version. */
export function matrix(text) {
  const bytes = new TextEncoder().encode(text);
  const version = Object.keys(VERSIONS)
    .map(Number)
    .find((each) => bytes.length + 2 <= 2 * VERSIONS[each][0]);
  if (!version) throw new RangeError("The text is too long for a QR code.");
  const data = written(bytes, VERSIONS[version]);
  const modules = frame(version, VERSIONS[version][2]);
  const { length } = modules;
  const columns = upTo(0, length - 1)
    .reverse()
    .filter((x) => x !== 6); // that one is the clock
  columns.forEach((right, at) => {
    if (at % 2) return; // two at a time, up and down in turn
    for (const row of upTo(0, length - 1))
      for (const x of [right, columns[at + 1]]) {
        const y = at % 4 ? row : length - 1 - row;
        modules[y][x] ??= (data.shift() ?? 0) ^ ((x + y + 1) % 2);
      }
  });
  return { version, modules };
}

/** The QR code of a text as an SVG with its quiet zone, dark on light. */
export function qr(text, label = "QR code of this link") {
  const { modules } = matrix(text);
  const size = modules.length + 8;
  const dark = modules.flatMap((row, y) =>
    [...row.join("").matchAll(/1+/g)].map(
      ({ index, 0: run }) => `M${index + 4} ${y + 4}h${run.length}v1h-${run.length}z`,
    ),
  );
  return svg(
    "svg",
    {
      viewBox: `0 0 ${size} ${size}`,
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    svg("rect", { width: size, height: size, fill: "#fffdf6" }),
    svg("path", { d: dark.join(""), fill: "#1d2230" }),
  );
}
