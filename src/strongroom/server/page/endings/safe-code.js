/* Safe Code's end: the number that was found is stamped. */

import { fitting, NUMBERS } from "../clues.js";

/** Whether a move is a guess, and no request. */
export const guesses = ({ move }) => move !== "clue";

/** The card, stamped or face down. */
export { picture } from "./digit-deductions.js";

/** How many numbers a player had left, by the clues and wrong guesses so far. */
export function near(finish, seat) {
  const told = finish.moves(seat);
  const clues = told.filter((each) => !guesses(each)).map(({ answer }) => fitting(answer));
  if (clues.includes(null)) return "was looking for";
  const left = NUMBERS.filter(
    (n) =>
      clues.every((fits) => fits.includes(n)) &&
      !told.some(({ move, answer }) => move === String(n) && !answer),
  );
  return left.length === 1 ? "was down to" : `had ${left.length} numbers left, among them`;
}

/** Every turn: a clue, a wrong guess, the right one. */
export const signs = (finish, seat) =>
  finish.moves(seat).map((each) => (guesses(each) ? (each.answer ? "●" : "○") : "?"));
