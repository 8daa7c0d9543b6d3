/* What the rules measure: the boards show it, and the referee checks it. */

import { upTo } from "./numbers.js";

/** How far apart two rows of digits are, all digits together. */
export const distance = (one, two) =>
  one.reduce((sum, digit, at) => sum + Math.abs(digit - two[at]), 0);

/** The places beside one, counted from 1, that are a player's. */
export const near = (board, place, seat) =>
  [place - 1, place + 1].filter((each) => board[each - 1] === seat);

/** The places, counted from 1, of four in a row that are a player's; none: there are not four. */
export function chain(board, seat) {
  const first = board.findIndex((_, at) => [0, 1, 2, 3].every((more) => board[at + more] === seat));
  return first < 0 ? [] : upTo(first + 1, first + 4);
}
