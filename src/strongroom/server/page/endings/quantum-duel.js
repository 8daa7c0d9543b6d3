/* Quantum Duel's end: the chain lights up cell by cell. */

import { inWords } from "../finale.js";
import { chain } from "../measures.js";
import { row } from "../pictures.js";

const chained = ({ view, winner, played }) => (played ? chain(view.board, winner) : []);
const longest = (board, seat) =>
  Math.max(
    ...board
      .map((owner) => (owner === seat ? "#" : " "))
      .join("")
      .split(" ")
      .map((run) => run.length),
  );

/** The row, with the chain if there is one. */
export function picture(finish) {
  const lit = chained(finish);
  const { symbols } = finish.game;
  const label = lit.length
    ? `Cells ${lit[0]} to ${lit.at(-1)} are lit: four ${symbols[finish.winner - 1]} in a row.`
    : "The seven cells, without a chain.";
  return row(
    label,
    finish.view.board.map((owner) => ({ owner, symbol: symbols[owner - 1] ?? "" })),
    lit,
  );
}

/** Where the chain is, how long the other's was, and what could have undone it. */
export function told(finish) {
  const { view, winner, loser } = finish;
  const lit = chained(finish);
  const had = (seat) => {
    const length = longest(view.board, seat);
    return `${finish.does(seat, "had")} ${inWords(length, "cell")}${length > 1 ? " in a row" : ""}`;
  };
  if (!lit.length) return `${had(1)}. ${had(2)}.`;
  const cells = winner === finish.seat ? "Cells" : finish.does(winner, "closed cells");
  const where = `${cells} ${lit[0]} to ${lit.at(-1)}.`;
  const cell = view.history.findLast(({ move }) => /^[1-7]$/.test(move)).move;
  const undone =
    view.history.at(-1).seat === "chance"
      ? `the coin let cell ${cell} stand`
      : `a challenge would have undone cell ${cell} one time in two`;
  return `${where} ${had(loser)}; ${undone}.`;
}

/** A player's cells. */
export const signs = ({ view, game }, seat) => [
  view.board.map((owner) => (owner === seat ? game.symbols[seat - 1] : "·")).join(""),
];
