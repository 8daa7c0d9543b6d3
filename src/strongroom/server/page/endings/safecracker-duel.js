/* Safecracker Duel's end: the safe opens on the winner's code. */

import { inWords } from "../finale.js";

const digits = (code) => code.split("-").map(Number);
const apart = (shown, code) => digits(code).filter((digit, at) => digit !== shown[at]).length;

/** Where the loser's code is another than the safe shows. */
export const lacked = ({ view, loser }) =>
  view.board.flatMap((digit, at) => (digit === digits(view.secrets[loser - 1][0])[at] ? [] : at));

/** The safe, open or closed. */
export { picture } from "./safe-cracker.js";

/**
 * Whose code the safe shows, how far it was from the other's, and which turn would have shown that.
 */
export function told(finish) {
  const { winner, loser, played, view } = finish;
  const away = (seat) => {
    const dials = inWords(apart(view.board, finish.secret(seat)), "dial");
    return `${finish.whose(seat)} ${finish.secret(seat)} was ${dials} away`;
  };
  if (!played) return [1, 2].map((seat) => `${away(seat)}.`).join(" ");
  const shows = `The safe shows ${finish.board.whose(winner)} ${finish.secret(winner)}.`;
  const turned = missed(finish, loser);
  if (turned) {
    const turn = `at turn ${turned.turn}, dial ${turned.dial} to ${turned.digit} would have won`;
    return `${shows} ${away(loser)}; ${turn}.`;
  }
  return `${shows} ${away(loser)}.`;
}

/** The last turn at which a player could have shown the own code; the first one may not. */
export function missed({ view }, seat) {
  const code = digits(view.secrets[seat - 1][0]);
  const turn = view.history.findLastIndex(
    (each, at) =>
      each.seat === seat && at > 1 && apart(view.history[at - 1].answer, code.join("-")) === 1,
  );
  if (turn < 0) return null;
  const dial = code.findIndex((digit, at) => digit !== view.history[turn - 1].answer[at]);
  return { turn: turn + 1, dial: dial + 1, digit: code[dial] };
}

/** How many dials showed a player's own code after each of their turns. */
export const signs = (finish, seat) =>
  finish
    .moves(seat)
    .map(({ answer }) =>
      "●".repeat(answer.length - apart(answer, finish.secret(seat))).padEnd(answer.length, "○"),
    );
