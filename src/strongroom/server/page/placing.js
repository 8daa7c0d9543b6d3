/* Where a card lies: near its target, on nothing that must stay free, on as little else as can be. */

const GAP = 36; // for an arrow
const EDGE = 8;
const WIDTHS = [366, 300, 240];
const NEVER = 100; // a covered pixel costs so much, one of what may be covered at most 1
const FAR = 30; // a pixel of distance
const ASLANT = 5000; // no straight arrow can lead from it to the target

const within = (low, value, high) => Math.max(low, Math.min(value, high));
const overlap = (one, two) => Math.max(0, Math.min(one.right, two.right) - Math.max(one.left, two.left)) * Math.max(0, Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top));
const distance = (one, two) => Math.max(0, one.left - two.right, two.left - one.right) + Math.max(0, one.top - two.bottom, two.top - one.bottom);
const aslant = (one, two) => (one.right <= two.left || one.left >= two.right) && (one.bottom <= two.top || one.top >= two.bottom);

/** Moves a fixed card near its target; `free` is not covered, `others` (a cost, then nodes) only if need be. */
export function placed(card, target, free, others) {
  const at = target.getBoundingClientRect(), wide = document.documentElement.clientWidth, high = innerHeight;
  const boxes = [[NEVER, target, ...free], ...others].flatMap(([cost, ...nodes]) => nodes.map((node) => [cost, node.getBoundingClientRect()]));
  const bounds = boxes.map(([, each]) => each);
  let best = null;
  for (const width of WIDTHS.map((each) => Math.min(each, wide - 2 * EDGE))) {
    card.style.width = `${width}px`;
    const { height } = card.getBoundingClientRect(), middle = (at.left + at.right - width) / 2, level = (at.top + at.bottom - height) / 2;
    const lefts = [middle, at.right + GAP, at.left - GAP - width, EDGE, wide];
    const tops = [at.bottom + GAP, at.top - GAP - height, level, EDGE, high, ...bounds.flatMap(({ top, bottom }) => [top - EDGE - height, bottom + EDGE])];
    for (const left of lefts.map((each) => within(EDGE, each, wide - EDGE - width))) {
      for (const top of tops.map((each) => within(EDGE, each, high - EDGE - height))) {
        const spot = { left, top, width, right: left + width, bottom: top + height };
        const cost = boxes.reduce((sum, [each, covered]) => sum + each * overlap(spot, covered), FAR * Math.abs(distance(spot, at) - GAP) + Math.abs(left - middle) + (aslant(spot, at) ? ASLANT : 0) + FAR * (WIDTHS[0] - width));
        if (!best || cost < best.cost) best = { cost, ...spot };
      }
    }
  }
  for (const side of ["width", "left", "top"]) card.style[side] = `${best[side]}px`;
}
