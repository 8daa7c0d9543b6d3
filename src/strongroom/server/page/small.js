/* Small pictures of positions, for cards and lists: shapes only, nothing on them is pressed. */

import { svg } from "./dom.js";
import { upTo } from "./numbers.js";

const ofOne = (move, answer) => ({ seat: 1, move, answer });
const ofTwo = (move, answer) => ({ seat: 2, move, answer });
const digits = (code) => code.split("-").map(Number);

/* A moment of each game, for its card. */
const SAMPLES = {
  "safe-cracker": { history: [ofOne("1-1-2", 1), ofOne("3-2-2", 2)] },
  "digit-deductions": { history: [ofOne("3-6", 4)] },
  "quantum-duel": { board: [2, null, 1, 1, 1, null, 2] },
  "safe-code": { left: [12, 14, 16, 18, 20, 22, 24, 26, 28, 30].map(String) },
  "safecracker-duel": { board: [3, 4, 3] },
};

const frame = (wide, high, ...shapes) =>
  svg("svg.small", { viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, shapes);
const box = (look, x, y, width, height = width, rx = 2) =>
  svg(`rect.${look}`, { x, y, width, height, rx });
const text = (look, x, y, size, says) =>
  svg(`text.${look}`, { x, y, "font-size": size, dy: ".35em" }, String(says));
const disc = (look, cx, cy, r) => svg(`circle.${look}`, { cx, cy, r });

/** The last guesses with their pegs; where there are none, an open row for the first. */
function ledger({ history, options, seat }) {
  const guesses = history.filter((each) => each.answer !== undefined);
  const own = guesses.filter((each) => each.seat === (seat ?? each.seat));
  const rows = own.slice(-3);
  const length = options?.length ?? (rows[0] ? digits(rows[0].move).length : 3);
  if (!rows.length) rows.push({ seat: seat ?? 1, move: Array(length).fill("?").join("-") });
  const wide = 29 * length + 12;
  return frame(
    wide,
    28 * rows.length,
    rows.map((guess, row) => [
      text("ink.code", 0, 28 * row + 14, 17, guess.move),
      upTo(1, length).map((at) =>
        disc(
          at <= guess.answer ? `own-${guess.seat}` : "open",
          wide - 15 * (length - at) - 7,
          28 * row + 14,
          5.5,
        ),
      ),
    ]),
  );
}

/** The plane: guesses in their players' colours, and what fits all that the viewer was told. */
function plane({ history, left, seat }) {
  const guesses = history.filter((each) => each.answer !== undefined);
  const by = seat ?? guesses.at(-1)?.seat;
  const told = guesses.filter((each) => each.seat === by);
  const far = ([one, two], [row, column]) => Math.abs(one - row) + Math.abs(two - column);
  const fits = (code) =>
    left?.includes(code) ??
    (told.length > 0 &&
      told.every(({ move, answer }) => far(digits(move), digits(code)) === answer));
  return frame(
    88,
    88,
    upTo(1, 9).flatMap((row) =>
      upTo(1, 9).map((column) => {
        const code = `${row}-${column}`;
        const guess = guesses.find(({ move }) => move === code);
        const look = guess ? `own-${guess.seat}` : fits(code) ? "ring" : "cell";
        return box(look, 10 * column - 9.5, 10 * row - 9.5, 7);
      }),
    ),
  );
}

/** The cells with their symbols, and the coin. */
function cells({ board }, signs) {
  return frame(
    188,
    30,
    (board ?? Array(7).fill(null)).map((owner, at) => [
      box(owner ? `edge-${owner}` : "cell", 22 * at + 1, 2, 18, 26, 4),
      owner && text(`ink-${owner}`, 22 * at + 10, 15.5, 15, signs[owner - 1]),
    ]),
    disc("brass", 173, 15, 13.5),
    disc("keyhole", 173, 12.5, 4),
    svg("path.keyhole", { d: "M173 13l3.5 10h-7z" }),
  );
}

/** The numbers, with what is known to be impossible crossed out. */
function numbers({ history = [], left }) {
  const by = (number) => history.find(({ move }) => move === number)?.seat;
  return frame(
    169,
    60,
    upTo(1, 30).map((number) => {
      const [x, y] = [17 * ((number - 1) % 10), 21 * Math.floor((number - 1) / 10)];
      const seat = by(`${number}`);
      const out = left && !left.includes(`${number}`);
      return [
        box(seat ? `edge-${seat}` : out ? "past" : "cell", x + 0.5, y + 0.5, 15, 17),
        text(out ? "faint" : "ink", x + 8, y + 9, 9, number),
        (out || seat) && svg("path.strike", { d: `M${x + 2} ${y + 16}l12-14` }),
      ];
    }),
  );
}

/** The dials, each under its mark. */
function dials({ board, history }) {
  const last = Number(history?.at(-1)?.move.split(" ")[0] ?? 2);
  return frame(
    194,
    64,
    (board ?? [1, 1, 1]).map((digit, at) => {
      const x = 66 * at + 31;
      return svg(
        "g",
        { transform: `translate(${x} 36)` },
        disc("plate", 0, 0, 26),
        at + 1 === last && disc("rim", 0, 0, 28.5),
        svg("path.brass", { d: "M-3.5-34h7l-3.5 5z" }),
        upTo(0, 4).map((by) => {
          const angle = (by * 2 * Math.PI) / 5;
          const shown = ((digit - 1 + by) % 5) + 1;
          return text(
            by ? "faint" : "ink.up",
            17 * Math.sin(angle),
            -16 * Math.cos(angle),
            by ? 9 : 14,
            shown,
          );
        }),
        disc("brass", 0, 0, 6.5),
      );
    }),
  );
}

const DRAWN = {
  "safe-cracker": ledger,
  "digit-deductions": plane,
  "quantum-duel": cells,
  "safe-code": numbers,
  "safecracker-duel": dials,
};

/**
 * A picture of a position, `left` being what is still possible; null: the page has none of its game.
 * @param {string} name
 * @param {any} [view] a sample if there is none
 */
export const thumbnail = (name, view, signs = ["X", "O"]) =>
  DRAWN[name]?.({ history: [], ...(view ?? SAMPLES[name]) }, signs) ?? null;
