/* Safe Code's clues in the referee's words, and the numbers they leave: written here once more,
   because the page checks the server. Kinds that are not written here come from the server. */

import { DRAWN, LATER } from "./clue-table.js";
import { upTo } from "./numbers.js";

/** What can be hidden. */
export const NUMBERS = upTo(1, 30);
const NOT = {
  is: "is not",
  has: "does not have",
  contains: "does not contain",
  leaves: "does not leave",
};
const digits = (x) => [...String(x)].map(Number);
const sum = (x) => digits(x).reduce((a, b) => a + b);
const product = (x) => digits(x).reduce((a, b) => a * b);
const divisors = (x) => upTo(1, x).filter((d) => x % d === 0).length;

/* What is said, when it is true, and about which numbers. */
/** @type {[says: string, holds: (x: number, ...about: number[]) => boolean, about?: any[]][]} */
const ALONE = [
  ["The number is even.", (x) => x % 2 === 0],
  ["The number is odd.", (x) => x % 2 === 1],
  ["It is greater than #.", (x, n) => x > n, upTo(1, 29)],
  ["It is less than #.", (x, n) => x < n, upTo(2, 30)],
  ["It is at least #.", (x, n) => x >= n, upTo(2, 30)],
  ["It is at most #.", (x, n) => x <= n, upTo(1, 29)],
  ["The number has one digit.", (x) => x < 10],
  ["The number has two digits.", (x) => x > 9],
  ["Its digit sum is greater than #.", (x, n) => sum(x) > n, upTo(1, 10)],
  ["Its digit sum is less than #.", (x, n) => sum(x) < n, upTo(2, 11)],
  ["Its digit sum is at least #.", (x, n) => sum(x) >= n, upTo(2, 11)],
  ["Its digit sum is at most #.", (x, n) => sum(x) <= n, upTo(1, 10)],
  ["It is not equal to #.", (x, n) => x !== n, NUMBERS],
];

/* The same, where the contrary may be said too. */
/** @type {typeof ALONE} */
const EITHER = [
  ["The number is a prime.", (x) => divisors(x) === 2],
  ["The number is composite.", (x) => divisors(x) > 2],
  ["It is divisible by #.", (x, n) => x % n === 0, upTo(2, 30)],
  ["It is a factor of #.", (x, n) => n % x === 0, upTo(1, 100)],
  ["Its number of divisors is #.", (x, n) => divisors(x) === n, [1, 2, 3, 4, 5, 6, 8]],
  [
    "It is a power of #, counting 1.",
    (x, n) => [0, 1, 2, 3, 4].some((k) => n ** k === x),
    upTo(2, 10),
  ],
  ["The number is a perfect square.", (x) => [1, 4, 9, 16, 25].includes(x)],
  ["The number is a perfect cube.", (x) => [1, 8, 27].includes(x)],
  ["The number is a triangular number.", (x) => [1, 3, 6, 10, 15, 21, 28].includes(x)],
  ["The number is a Fibonacci number.", (x) => [1, 2, 3, 5, 8, 13, 21].includes(x)],
  ["It has two equal digits.", (x) => x === 11 || x === 22],
  ["It has two different digits.", (x) => x > 9 && x % 11 > 0],
  ["It has only even digits.", (x) => digits(x).every((d) => d % 2 === 0)],
  ["It has only odd digits.", (x) => digits(x).every((d) => d % 2 === 1)],
  ["Its digit sum is #.", (x, n) => sum(x) === n, upTo(1, 11)],
  ["Its digit product is #.", (x, n) => product(x) === n, [...new Set(NUMBERS.map(product))]],
  ["Its first digit is #.", (x, n) => digits(x)[0] === n, upTo(1, 9)],
  ["Its last digit is #.", (x, n) => x % 10 === n, upTo(0, 9)],
  ["It contains the digit #.", (x, n) => digits(x).includes(n), upTo(0, 9)],
  [
    "It is between # and #, inclusive.",
    (x, a, b) => x >= a && x <= b,
    NUMBERS.flatMap((a) => upTo(a + 1, a > 1 ? 30 : 29).map((b) => [a, b])),
  ],
  [
    "It leaves remainder # when divided by #.",
    (x, r, m) => x % m === r,
    upTo(2, 15).flatMap((m) => upTo(0, m - 1).map((r) => [r, m])),
  ],
];

/** @type {Map<string, number[]>} */
const ALL = new Map(LATER);
for (const kind of [...ALONE, ...EITHER]) {
  const [says, holds, about = [[]]] = kind;
  for (const numbers of about.map((each) => [each].flat())) {
    const rest = [...numbers];
    const text = says.replace(/#/g, () => rest.shift());
    const fits = NUMBERS.filter((x) => holds(x, ...numbers));
    ALL.set(text, fits);
    if (!EITHER.includes(kind)) continue;
    const contrary = text.replace(/ (is|has|contains|leaves) /, (_, verb) => ` ${NOT[verb]} `);
    ALL.set(
      contrary,
      NUMBERS.filter((x) => !fits.includes(x)),
    );
  }
}

/** The numbers that fit a clue's sentence, or null if it is none that stands here. */
export const fitting = (text) => ALL.get(text.trim()) ?? null;

/** Whether two clues mean the same. */
export const alike = (one, other) => String(fitting(one)) === String(fitting(other));

/** The clues to suggest that are true of a number and say what no earlier one says. */
export const trueClues = (number, earlier) =>
  DRAWN.filter((text) => fitting(text).includes(number) && !earlier.some((x) => alike(x, text)));
