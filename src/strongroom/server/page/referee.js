/* The rules of the games that a browser can check by itself, written apart from the server's. */

import { fitting, NUMBERS } from "./clues.js";
import { chain, distance, near } from "./measures.js";

/** Whether two values say the same. */
export const same = (one, two) => JSON.stringify(one ?? null) === JSON.stringify(two ?? null);

/** Refuses, and says why. */
export const no = (trouble) => {
  throw new Error(trouble);
};

const row = (text, length, highest) => {
  const digits = text.split("-").map(Number);
  const fits = digits.length === length && digits.every((x) => x >= 1 && x <= highest);
  return fits && digits.join("-") === text ? digits : no("is no code");
};
const number = (text) => NUMBERS.find((n) => String(n) === text) ?? no("is no number");
const EMPTY = Array(7).fill(null);

/* Of each game: the number of secrets each, the board, which secrets are legal, what a move
   does. */
const RULES = {
  "safecracker-duel": {
    each: 1,
    board: [1, 1, 1],
    keep: (game, own, text) => row(text, 3, 5),
    play(game, seat, text, hidden) {
      const [, position, digit] = /^([123]) ([1-5])$/.exec(text) ?? no("is no change");
      const answer = game.board.with(Number(position) - 1, Number(digit));
      if (same(answer, game.board) && !game.options.allow_same_digit) no("changes nothing");
      game.board = answer;
      if (!same(answer, game.secrets[seat - 1][0]))
        return same(answer, hidden[0]) ? { answer, won: 3 - seat, reason: "handed" } : { answer };
      return game.turns < 2 ? no("wins on a first turn") : { answer, won: seat, reason: "matched" };
    },
  },
  "safe-cracker": {
    each: 1,
    board: [],
    keep: ({ options }, own, text) => row(text, options.length, options.digits),
    play(game, seat, text, hidden) {
      const guess = this.keep(game, [], text);
      const { attempts } = game.options;
      const answer = guess.filter((x, i) => x === hidden[0][i]).length;
      game.board.push({ seat, answer });
      if (answer === guess.length) return { answer, won: seat, reason: "cracked" };
      if (attempts === null || game.board.length < 2 * attempts) return { answer };
      const most = Math.max(...game.board.map((x) => x.answer));
      const [first, ...others] = game.board.filter((x) => x.answer === most).map((x) => x.seat);
      return {
        answer,
        won: first,
        reason: others.includes(3 - first) ? "reached first" : "most matches",
      };
    },
  },
  "safe-code": {
    each: 4,
    board: [0, 0],
    keep(game, [code, ...clues], text) {
      if (!code) return number(text);
      const says = fitting(text) ?? no("is no clue");
      if (text !== text.trim()) no("is no clue as it is written");
      if (!says.includes(code)) no(`is not true of ${code}`);
      return clues.some((x) => same(fitting(x), says)) ? no("says what another clue says") : text;
    },
    play(game, seat, text, hidden) {
      if (text === "clue")
        return { answer: hidden[++game.board[seat - 1]] ?? no("is a fourth clue") };
      const answer = number(text) === hidden[0];
      return answer ? { answer, won: seat, reason: "cracked" } : { answer };
    },
  },
  "digit-deductions": {
    each: 1,
    board: null,
    keep: (game, own, text) => row(text, 2, 9),
    play(game, seat, text, hidden) {
      const answer = distance(row(text, 2, 9), hidden[0]);
      return answer ? { answer } : { answer, won: seat, reason: "guessed" };
    },
  },
  "quantum-duel": {
    each: 0,
    board: EMPTY,
    play(game, actor, text) {
      const settled = () => {
        if (game.board.includes(null)) return "stands";
        game.board = EMPTY;
        return "cleared";
      };
      if (!game.open) {
        const cell = Number(text);
        if (!/^[1-7]$/.test(text) || game.board[cell - 1] !== null) no("is no unobserved cell");
        game.board = game.board.with(cell - 1, actor);
        if (!near(game.board, cell, actor).length) return { answer: settled() };
        game.open = { cell, by: actor }; // to a challenge
        return { answer: "open", goes: true };
      }
      const { cell, by } = game.open;
      if (!(actor === "chance" ? ["heads", "tails"] : ["yes", "no"]).includes(text))
        no("is no reply");
      if (text === "yes") return { answer: "open", next: "chance", goes: true };
      game.open = null;
      if (text === "tails") game.board = game.board.with(cell - 1, null);
      if (text !== "tails" && chain(game.board, by).length)
        return { answer: "stands", won: by, reason: "chained" };
      return { answer: text === "tails" ? "fails" : settled(), next: 3 - by };
    },
  },
};

/** Whether this page knows the rules of a game. */
export const knows = (game) => Object.hasOwn(RULES, game);

/** How the steps of a record end by the rules; an error that says which one does not fit. */
export function replay({ game: name, options, turn_limit: limit }, steps) {
  const rules = RULES[name];
  const game = {
    options,
    secrets: [[], []],
    board: structuredClone(rules.board),
    open: null,
    turns: 0,
  };
  let actor = 1;
  let end = null;
  for (const { step, seat, keeper, move, answer } of steps) {
    const fail = (why) => no(`Step ${step} (${String(move).slice(0, 60)}) ${why}.`);
    const keeps = game.secrets.findIndex((own) => own.length < rules.each);
    const own = game.secrets[keeps];
    if (end) fail("follows the end");
    if (seat !== (own ? keeps + 1 : actor)) fail("is out of turn");
    if ((keeper ?? 0) !== keeps + 1) fail("is private and should not be, or the reverse");
    if (typeof move !== "string") fail("is no move");
    let due = {};
    try {
      if (own) own.push(rules.keep(game, own, move));
      else due = rules.play(game, actor, move, game.secrets[2 - actor]);
    } catch (error) {
      fail(error.message);
    }
    if (!same(answer, due.answer)) fail("was answered otherwise by the rules");
    if (own) continue;
    if (!due.goes) game.turns++;
    actor = due.next ?? 3 - actor;
    if (due.won) end = { winner: due.won, reason: due.reason, detail: "" };
    else if (limit !== null && game.turns >= limit)
      end = { winner: null, reason: "undecided", detail: "" };
  }
  return end;
}
