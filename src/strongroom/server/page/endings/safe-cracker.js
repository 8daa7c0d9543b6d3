/* Safe Cracker's end: the door swings open on the code that was found. */

import { pegged } from "../boards/safe-cracker.js";
import { h } from "../dom.js";
import { inWords } from "../finale.js";
import { safe } from "../pictures.js";

/** The safe, open or closed. */
export const picture = ({ shown }) => safe(shown);

/** How many digits a player's best guess missed. */
export function near(finish, seat) {
  const { length } = finish.view.options;
  const best = Math.max(-1, ...finish.moves(seat).map(({ answer }) => answer));
  return best < 0 ? "had no guess yet at" : `was ${inWords(length - best, "digit")} away from`;
}

/** A player's guess with most exact matches, the latest of them. */
export const nearest = (finish, seat) =>
  finish.moves(seat).reduce((best, each) => (each.answer >= best.answer ? each : best), {
    answer: -1,
  }).move;

/** The pegs of every guess. */
export const signs = (finish, seat) =>
  finish
    .moves(seat)
    .map(({ answer }) => "●".repeat(answer).padEnd(finish.view.options.length, "○"));

/** The record is a row a round, as in the ledger. */
export const rounds = true;

/** A guess with its pegs. */
export const drawn = ({ move, answer }, { options }) =>
  h("span.guess", pegged(move, answer, options.length));
