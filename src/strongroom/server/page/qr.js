// QR codes for links (ISO/IEC 18004): bytes, error correction level M, versions 1 to 10.

const CODEWORDS = [0, 26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const CORRECTION = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26]; // of each block
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const ALIGNED = [0, 0, 18, 22, 26, 30, 34, 22, 24, 26, 28]; // the second line; there is one at 6
const MASKS = [
  (x, y) => (x + y) % 2,
  (x, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => ((x / 3 | 0) + (y / 2 | 0)) % 2,
  (x, y) => (x * y) % 2 + (x * y) % 3,
  (x, y) => ((x * y) % 2 + (x * y) % 3) % 2,
  (x, y) => ((x + y) % 2 + (x * y) % 3) % 2,
];

const room = (version) => CODEWORDS[version] - BLOCKS[version] * CORRECTION[version];
const range = (count) => Array.from({ length: count }, (_, index) => index);

// --- codewords

function times(a, b) { // in the field of 256 elements
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ (product >> 7) * 0x11d ^ (b >> bit & 1) * a;
  return product;
}

function corrected(data, count) {
  let divisor = [1], root = 1;
  for (let i = 0; i < count; i++, root = times(root, 2)) {
    divisor = range(i + 2).map((at) => (divisor[at] ?? 0) ^ times(divisor[at - 1] ?? 0, root));
  }
  const rest = Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    range(count).forEach((at) => { rest[at] ^= times(divisor[at + 1], factor); });
  }
  return rest;
}

function codewords(bytes, version) {
  const put = (value, length = 8) => value.toString(2).padStart(length, "0");
  const count = put(bytes.length, version > 9 ? 16 : 8);
  const bits = `0100${count}${Array.from(bytes, (byte) => put(byte)).join("")}0000`;
  const data = bits.match(/.{8}/g).map((each) => parseInt(each, 2)); // bytes: it comes out even
  for (let at = 0; data.length < room(version); at++) data.push(at % 2 ? 0x11 : 0xec);

  const length = data.length / BLOCKS[version]; // what does not come out even goes to the last ones
  const rest = BLOCKS[version] - data.length % BLOCKS[version];
  const blocks = range(BLOCKS[version]).map((at) =>
    data.splice(0, Math.floor(length) + (at >= rest ? 1 : 0)));
  const checks = blocks.map((block) => corrected(block, CORRECTION[version]));
  const mixed = (rows, length) => range(length).flatMap((at) => rows.flatMap((each) => each[at] ?? []));
  return [...mixed(blocks, Math.ceil(length)), ...mixed(checks, CORRECTION[version])];
}

// --- the grid: null where the data goes

function frame(version) {
  const size = 17 + 4 * version, grid = range(size).map(() => Array(size).fill(null));
  const square = (left, top, rings) => grid.forEach((row, y) => row.forEach((_, x) => {
    const ring = Math.max(Math.abs(x - left), Math.abs(y - top));
    if (ring < rings.length) row[x] = rings[ring] === "1";
  }));
  range(size).forEach((at) => { grid[6][at] = grid[at][6] = at % 2 === 0; });
  const last = size - 7, lines = version < 2 ? [] : new Set([6, ALIGNED[version], last]);
  for (const x of lines) for (const y of lines) {
    const isFinder = x + y === 12 || (x + y === 6 + last && x !== y);
    if (!isFinder) square(x, y, "101");
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, "11010");
  if (version > 6) {
    const bits = version << 12 | remainder(version, 12, 0x1f25);
    range(18).forEach((at) => {
      const x = size - 11 + at % 3, y = Math.floor(at / 3);
      grid[y][x] = grid[x][y] = (bits >> at & 1) === 1;
    });
  }
  return grid;
}

function remainder(value, count, divisor) {
  let rest = value;
  for (let i = 0; i < count; i++) rest = rest << 1 ^ (rest >> count - 1 & 1) * divisor;
  return rest;
}

function inform(grid, mask) { // level M is 00
  const size = grid.length, bits = (mask << 10 | remainder(mask, 10, 0x537)) ^ 0x5412;
  range(15).forEach((at) => {
    const dark = (bits >> at & 1) === 1;
    grid[at < 6 ? at : at < 8 ? at + 1 : size - 15 + at][8] = dark;
    grid[8][at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at] = dark;
  });
  grid[size - 8][8] = true;
}

function filled(version, words, mask) {
  const grid = frame(version), size = grid.length;
  inform(grid, mask);
  let bit = 0, upward = true;
  for (let right = size - 1; right > 0; right -= 2, upward = !upward) {
    if (right === 6) right = 5; // the clock's column holds no data
    for (const at of range(size)) for (const x of [right, right - 1]) {
      const y = upward ? size - 1 - at : at;
      if (grid[y][x] !== null) continue;
      const dark = (words[bit >> 3] >> 7 - bit % 8 & 1) === 1;
      grid[y][x] = dark !== (MASKS[mask](x, y) === 0);
      bit++;
    }
  }
  return grid;
}

function penalty(grid) {
  const size = grid.length, columns = range(size).map((x) => grid.map((row) => row[x]));
  let points = 0;
  for (const line of [...grid, ...columns]) {
    const text = line.map(Number).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    points += 40 * [...text.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let y = 1; y < size; y++) for (let x = 1; x < size; x++) {
    if (new Set([grid[y][x], grid[y - 1][x], grid[y][x - 1], grid[y - 1][x - 1]]).size === 1) points += 3;
  }
  const share = 100 * grid.flat().filter(Boolean).length / size ** 2;
  return points + 10 * Math.floor(Math.abs(share - 50) / 5);
}

/** The modules of the smallest code for a text, dark ones true, with its version and mask. */
export function matrix(text) {
  const bytes = new TextEncoder().encode(text);
  const version = range(11).find((each) => each && bytes.length + (each > 9 ? 3 : 2) <= room(each));
  if (!version) throw new RangeError("The text is too long for a QR code.");
  const words = codewords(bytes, version);
  const grids = MASKS.map((_, mask) => filled(version, words, mask)), points = grids.map(penalty);
  const mask = points.indexOf(Math.min(...points));
  return { version, mask, modules: grids[mask] };
}

/** The QR code of a text as an SVG, dark on light in either theme, with its quiet zone. */
export function qr(text, label = "QR code of this link") {
  const { modules } = matrix(text), size = modules.length + 8;
  const element = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const dark = modules.flatMap((row, y) =>
    [...row.map(Number).join("").matchAll(/1+/g)].map((run) =>
      `M${run.index + 4} ${y + 4}h${run[0].length}v1h-${run[0].length}z`));
  const svg = element("svg", {
    viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label,
    color: "#1d2230", "shape-rendering": "crispEdges",
  });
  svg.append(
    element("rect", { width: size, height: size, fill: "#fffdf6" }),
    element("path", { d: dark.join(""), fill: "currentColor" }),
  );
  return svg;
}
