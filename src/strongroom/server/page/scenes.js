/* The pictures that lead the rules: moments of a short game on its own board, and what each
   shows. */

import { boardOf } from "./board.js";
import { h } from "./dom.js";
import { upTo } from "./numbers.js";

const NOW = {
  actor: 1,
  number: 9,
  setting_up: false,
  secret: [],
  history: [],
  moves: [],
  outcome: null,
  secrets: null,
};
const INFO = { seats: [{ name: "Ada" }, { name: "Bob" }] };
const ofOne = (move, answer) => ({ seat: 1, move, answer });
const ofTwo = (move, answer) => ({ seat: 2, move, answer });

const GUESSES = [ofOne("1-2-3", 1), ofTwo("3-3-3", 1), ofOne("1-2-1", 2), ofTwo("3-1-1", 2)];
const REQUESTS = [ofOne("clue", "The number is even."), ofTwo("clue", "The number is odd.")];
const CELLS = [ofOne("4", "stands"), ofTwo("1", "stands"), ofOne("5", "open")];

/* What is said of each picture, the moment, and for an aid the words. */
const SCENES = {
  "safecracker-duel": [
    [
      "The safe has three dials. Each turn sets one of them to another digit.",
      { board: [1, 3, 1], history: [ofOne("2 3")] },
    ],
    [
      "You win as soon as the safe shows your secret code, whoever turned the dial.",
      {
        board: [4, 3, 2],
        actor: null,
        history: [ofTwo("1 4")],
        outcome: { winner: 1, reason: "handed" },
        secrets: [["4-3-2"], ["5-1-3"]],
      },
    ],
  ],
  "safe-cracker": [
    [
      "Every guess is answered with pegs: a full one for each digit in its place.",
      { history: GUESSES },
    ],
    ["Whoever guesses the whole code first wins.", { history: [...GUESSES, ofOne("2-2-1", 3)] }],
  ],
  "safe-code": [
    [
      "Both hide a number and write three true clues about it. A clue that you request is " +
        "pinned beside the board, and crosses out numbers.",
      { board: [1, 1], history: REQUESTS },
      { left: upTo(1, 15).map((half) => `${2 * half}`) },
    ],
    [
      "Or guess a number. The right one wins; a wrong one costs the turn.",
      {
        board: [1, 1],
        actor: null,
        history: [...REQUESTS, ofOne("16", false), ofTwo("15", false), ofOne("14", true)],
        outcome: { winner: 1, reason: "cracked" },
        secrets: [["21"], ["14"]],
      },
    ],
  ],
  "digit-deductions": [
    [
      "A guess tells how many steps it is off, both digits together: here 4. All numbers at " +
        "that distance are a ring.",
      { history: [ofOne("5-5", 4)] },
    ],
    [
      "A second guess draws a second ring. Only what lies on both is left.",
      { history: [ofOne("5-5", 4), ofTwo("4-6", 4), ofOne("4-2", 4)] },
      { left: ["2-4", "7-3"] },
    ],
  ],
  "quantum-duel": [
    [
      "A symbol next to one of your own may be challenged: then the coin decides whether it stays.",
      { board: [2, null, null, 1, 1, null, null], actor: 2, history: CELLS },
    ],
    [
      "Four of your symbols in a row win.",
      {
        board: [2, 2, 1, 1, 1, 1, 2],
        actor: null,
        outcome: { winner: 1, reason: "chained" },
        secrets: [[], []],
        history: [
          ...CELLS,
          ofTwo("no", "stands"),
          ofTwo("7", "stands"),
          ofOne("3", "open"),
          ofTwo("no", "stands"),
          ofTwo("2", "open"),
          ofOne("no", "stands"),
          ofOne("6", "open"),
          ofTwo("no", "stands"),
        ],
      },
    ],
  ],
};

async function picture(game, [says, now, words = {}]) {
  const board = await boardOf(game.board);
  const options = Object.fromEntries(game.options.map((each) => [each.name, each.default]));
  board.show({
    view: { ...NOW, options, ...now },
    words: /** @type {Words} */ (words),
    seat: 1,
    game,
    info: /** @type {any} */ (INFO),
    canMove: false,
    motion: false,
  });
  return h("figure", h("div.board-place", { inert: true }, board), h("figcaption", says));
}

/** The pictures of a game; none if it has no board of its own. */
export async function scenes(game) {
  const found = SCENES[game.name];
  return found && h("div.scenes", await Promise.all(found.map((each) => picture(game, each))));
}
