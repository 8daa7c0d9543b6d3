// The rules of the five games once more, for a browser that checks a record by itself: what may be
// hidden and played, what is answered, and who has won.

import { fitting } from "./boards/clues.js";

const same = (one, two) => JSON.stringify(one ?? null) === JSON.stringify(two ?? null);
const no = (trouble) => { throw new Error(trouble); };

// --- the rules: what each secret and each move must be, what is answered, and who has won --------

const row = (text, length, highest) => {
  const digits = text.split("-").map(Number);
  const fits = digits.length === length && digits.every((x) => x >= 1 && x <= highest);
  return fits && digits.join("-") === text ? digits : no("is no code");
};
const NUMBERS = Array.from({ length: 30 }, (_, at) => String(at + 1));
const number = (text) => (NUMBERS.includes(text) ? Number(text) : no("is no number"));
const hidden = (game, seat) => game.secrets[2 - seat]; // the opponent's

const RULES = {
  "safecracker-duel": {
    each: 1, board: [1, 1, 1],
    keep: (game, own, text) => row(text, 3, 5),
    play(game, seat, text) {
      const [, position, digit] = /^([123]) ([1-5])$/.exec(text) ?? no("is no change");
      const safe = game.board.with(position - 1, Number(digit));
      if (same(safe, game.board) && !game.options.allow_same_digit) no("changes nothing");
      game.board = safe;
      if (same(safe, game.secrets[seat - 1][0])) {
        if (game.turns < 2) no("wins on a first turn");
        return { answer: safe, won: seat, reason: "matched" };
      }
      if (!same(safe, hidden(game, seat)[0])) return { answer: safe };
      return { answer: safe, won: 3 - seat, reason: "handed" };
    },
  },
  "safe-cracker": {
    each: 1, board: [],
    keep: (game, own, text) => row(text, game.options.length, game.options.digits),
    play(game, seat, text) {
      const guess = this.keep(game, [], text);
      const answer = guess.filter((x, i) => x === hidden(game, seat)[0][i]).length;
      game.board = [...game.board, { seat, answer }];
      if (answer === guess.length) return { answer, won: seat, reason: "cracked" };
      if (game.options.attempts === null || game.turns + 1 < 2 * game.options.attempts) return { answer };
      const most = Math.max(...game.board.map((x) => x.answer));
      const reached = game.board.filter((x) => x.answer === most).map((x) => x.seat);
      const shared = reached.includes(3 - reached[0]);
      return { answer, won: reached[0], reason: shared ? "reached first" : "most matches" };
    },
  },
  "safe-code": {
    each: 4, board: [0, 0],
    keep(game, own, text) {
      if (!own.length) return number(text);
      const says = fitting(text) ?? no("is no clue");
      if (text !== text.trim()) no("is no clue as it is written");
      if (!says.includes(own[0])) no(`is not true of ${own[0]}`);
      return own.slice(1).some((x) => same(fitting(x), says)) ? no("says what another clue says") : text;
    },
    play(game, seat, text) {
      if (text === "clue") {
        return { answer: hidden(game, seat)[++game.board[seat - 1]] ?? no("is a fourth clue") };
      }
      const answer = number(text) === hidden(game, seat)[0];
      return answer ? { answer, won: seat, reason: "cracked" } : { answer };
    },
  },
  "digit-deductions": {
    each: 1, board: null,
    keep: (game, own, text) => row(text, 2, 9),
    play(game, seat, text) {
      const [a, b] = hidden(game, seat)[0], [c, d] = row(text, 2, 9);
      const answer = Math.abs(a - c) + Math.abs(b - d);
      return answer ? { answer } : { answer, won: seat, reason: "guessed" };
    },
  },
  "quantum-duel": {
    each: 0, board: Array(7).fill(null),
    play(game, actor, text) {
      if (actor !== "chance" && !game.open) {
        const cell = Number(text);
        if (!/^[1-7]$/.test(text) || game.board[cell - 1] !== null) no("is no unobserved cell");
        const near = [cell - 2, cell].some((x) => game.board[x] === actor);
        game.board = game.board.with(cell - 1, actor);
        if (!near) return { answer: this.settled(game) };
        game.open = { cell, by: actor }; // to a challenge
        return { answer: "open", goes: true };
      }
      const { cell, by } = game.open;
      if (!(actor === "chance" ? ["heads", "tails"] : ["yes", "no"]).includes(text)) no("is no reply");
      if (text === "yes") return { answer: "open", next: "chance", goes: true };
      game.open = null;
      if (text === "tails") game.board = game.board.with(cell - 1, null);
      const four = [0, 1, 2, 3].some((x) => game.board.slice(x, x + 4).every((y) => y === by));
      if (text !== "tails" && four) return { answer: "stands", won: by, reason: "chained" };
      return { answer: text === "tails" ? "fails" : this.settled(game), next: 3 - by };
    },
    settled(game) {
      if (game.board.includes(null)) return "stands";
      game.board = Array(7).fill(null);
      return "cleared";
    },
  },
};

/** Whether this page knows the rules of a game. */
export const knows = (game) => Object.hasOwn(RULES, game);

/** How the steps of a record end by the rules; an error that says which one does not fit. */
export function replay(header, steps) {
  const rules = RULES[header.game];
  const board = structuredClone(rules.board);
  const game = { options: header.options, secrets: [[], []], board, open: null, turns: 0 };
  let actor = 1, end = null;
  for (const { step, seat, keeper, move, answer } of steps) {
    const fail = (why) => no(`Step ${step} (${String(move).slice(0, 60)}) ${why}.`);
    if (end) fail("follows the end");
    const keeps = game.secrets.findIndex((own) => own.length < rules.each);
    if (keeps >= 0) actor = keeps + 1;
    if (seat !== actor) fail("is out of turn");
    if ((keeper ?? 0) !== keeps + 1) fail("is private and should not be, or the reverse");
    if (typeof move !== "string") fail("is no move");
    let due = {};
    try {
      if (keeps >= 0) game.secrets[keeps].push(rules.keep(game, game.secrets[keeps], move));
      else due = rules.play(game, actor, move);
    } catch (error) { fail(error.message); }
    if (!same(answer, due.answer)) fail("was answered otherwise by the rules");
    if (keeps >= 0) { actor = 1; continue; }
    if (!due.goes) game.turns++;
    actor = due.next ?? 3 - actor;
    const isLast = header.turn_limit !== null && game.turns >= header.turn_limit;
    if (due.won) end = { winner: due.won, reason: due.reason, detail: "" };
    else if (isLast) end = { winner: null, reason: "undecided", detail: "" };
  }
  return end;
}
