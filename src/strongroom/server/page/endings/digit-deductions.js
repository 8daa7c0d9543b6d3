/* Digit Deductions' end: the number that was found is stamped. */

import { inWords } from "../finale.js";
import { stamp } from "../pictures.js";

/** The card, stamped or face down. */
export const picture = ({ shown, winner }) => stamp(shown, winner);

/** How many steps a player's nearest guess was off. */
export function near(finish, seat) {
  const nearest = Math.min(Infinity, ...finish.moves(seat).map(({ answer }) => answer));
  return nearest === Infinity ? "had no guess yet at" : `was ${inWords(nearest, "step")} away from`;
}

/** A player's guess that was off by least, the latest of them. */
export const nearest = (finish, seat) =>
  finish.moves(seat).reduce((best, each) => (each.answer <= best.answer ? each : best), {
    answer: Infinity,
  }).move;

/** Every guess, the fuller the nearer. */
export const signs = (finish, seat) =>
  finish.moves(seat).map(({ answer }) => (answer ? ("◕◕◑◑◔◔"[answer - 1] ?? "○") : "●"));
