/* Whole numbers, one after the other, and places in a row. */

/** All of them from one to another. */
export const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The places, counted from 1, of four in a row that are a player's; none: there are not four. */
export function chain(board, seat) {
  const first = board.findIndex((_, at) => board.slice(at, at + 4).filter((each) => each === seat).length === 4);
  return first < 0 ? [] : upTo(first + 1, first + 4);
}
