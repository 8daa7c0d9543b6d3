/* Safe Code's clues, as the referee words them: to offer true ones, and to show what they leave. */

const NUMBERS = Array.from({ length: 30 }, (_, at) => at + 1);
const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const digits = (x) => [...String(x)].map(Number);
const sum = (x) => digits(x).reduce((a, b) => a + b);
const product = (x) => digits(x).reduce((a, b) => a * b);
const divisors = (x) => upTo(1, x).filter((d) => x % d === 0).length;
const EVERYDAY = new Set([2, 3, 4, 5, 10, 15, 20, 25]);

/* What is said, the contrary in the same kind (if there is one), when it is true, about which n. */
const KINDS = [
  ["The number is even.", "", (x) => x % 2 === 0],
  ["The number is odd.", "", (x) => x % 2 === 1],
  ["The number is a prime.", "is not a", (x) => divisors(x) === 2],
  ["The number is composite.", "is not", (x) => divisors(x) > 2],
  ["It is greater than #.", "", (x, n) => x > n, upTo(1, 29)],
  ["It is less than #.", "", (x, n) => x < n, upTo(2, 30)],
  ["It is at least #.", "", (x, n) => x >= n, upTo(2, 30)],
  ["It is at most #.", "", (x, n) => x <= n, upTo(1, 29)],
  ["It is divisible by #.", "is not", (x, n) => x % n === 0, upTo(2, 30)],
  ["It is a factor of #.", "is not", (x, n) => n % x === 0, upTo(1, 100)],
  ["Its number of divisors is #.", "is not", (x, n) => divisors(x) === n, [1, 2, 3, 4, 5, 6, 8]],
  ["It is a power of #, counting 1.", "is not",
    (x, n) => [0, 1, 2, 3, 4].some((k) => n ** k === x), upTo(2, 10)],
  ["The number is a perfect square.", "is not", (x) => Number.isInteger(Math.sqrt(x))],
  ["The number is a perfect cube.", "is not", (x) => [1, 8, 27].includes(x)],
  ["The number is a triangular number.", "is not", (x) => [1, 3, 6, 10, 15, 21, 28].includes(x)],
  ["The number is a Fibonacci number.", "is not", (x) => [1, 2, 3, 5, 8, 13, 21].includes(x)],
  ["The number has one digit.", "", (x) => x < 10],
  ["The number has two digits.", "", (x) => x > 9],
  ["It has two equal digits.", "does not have", (x) => x === 11 || x === 22],
  ["It has two different digits.", "does not have", (x) => x > 9 && x % 11 > 0],
  ["It has only even digits.", "does not have", (x) => digits(x).every((d) => d % 2 === 0)],
  ["It has only odd digits.", "does not have", (x) => digits(x).every((d) => d % 2 === 1)],
  ["Its digit sum is #.", "is not", (x, n) => sum(x) === n, upTo(1, 11)],
  ["Its digit sum is greater than #.", "", (x, n) => sum(x) > n, upTo(1, 10)],
  ["Its digit sum is less than #.", "", (x, n) => sum(x) < n, upTo(2, 11)],
  ["Its digit sum is at least #.", "", (x, n) => sum(x) >= n, upTo(2, 11)],
  ["Its digit sum is at most #.", "", (x, n) => sum(x) <= n, upTo(1, 10)],
  ["Its digit product is #.", "is not", (x, n) => product(x) === n,
    [...new Set(NUMBERS.map(product))]],
  ["Its first digit is #.", "is not", (x, n) => digits(x)[0] === n, upTo(1, 9)],
  ["Its last digit is #.", "is not", (x, n) => x % 10 === n, upTo(0, 9)],
  ["It contains the digit #.", "does not contain", (x, n) => digits(x).includes(n), upTo(0, 9)],
  ["It is not equal to #.", "", (x, n) => x !== n, NUMBERS],
];

function* clues() {
  for (const [says, contrary, holds, about = [null]] of KINDS) {
    for (const n of about) {
      const text = says.replace("#", n), fits = NUMBERS.filter((x) => holds(x, n));
      yield { text, fits, everyday: n === null || EVERYDAY.has(n) };
      if (!contrary) continue;
      const not = text.replace(/ (is a(?= prime)|is|has|contains) /, ` ${contrary} `);
      yield { text: not, fits: NUMBERS.filter((x) => !fits.includes(x)), everyday: false };
    }
  }
  for (const a of NUMBERS) {
    for (const b of upTo(a + 1, 30)) {
      const text = `It is between ${a} and ${b}, inclusive.`, fits = upTo(a, b);
      if (b - a === 29) continue;
      yield { text, fits, everyday: EVERYDAY.has(a) && EVERYDAY.has(b) };
      yield { text: text.replace("is", "is not"), fits: NUMBERS.filter((x) => x < a || x > b) };
    }
  }
  for (const m of upTo(2, 15)) {
    for (const r of upTo(0, m - 1)) {
      const text = `It leaves remainder ${r} when divided by ${m}.`;
      const fits = NUMBERS.filter((x) => x % m === r);
      yield { text, fits, everyday: r === 2 && EVERYDAY.has(m) };
      yield { text: text.replace("leaves", "does not leave"), fits: NUMBERS.filter((x) => x % m !== r) };
    }
  }
}

const ALL = new Map([...clues()].map((clue) => [clue.text, clue]));

/** The numbers that fit a clue's sentence, or null if it is none that stands here. */
export function fitting(text) {
  return ALL.get(text.trim())?.fits ?? null;
}

/** Everyday clues that are true of a number, tell not too much, and say what no earlier one says. */
export function trueClues(number, earlier) {
  const said = new Set(earlier.map((text) => String(fitting(text))));
  const offered = new Map();
  for (const clue of ALL.values()) {
    const meaning = String(clue.fits);
    if (clue.everyday && clue.fits.length >= 10 && clue.fits.length < 30 &&
      clue.fits.includes(number) && !said.has(meaning) && !offered.has(meaning))
      offered.set(meaning, clue.text);
  }
  return [...offered.values()];
}
