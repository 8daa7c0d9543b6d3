/* SHA-256 and HMAC of texts; browsers offer theirs to https pages alone. */

const root = (degree, prime) => Math.floor((prime ** (1 / degree) % 1) * 2 ** 32) >>> 0;
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
const START = primes.slice(0, 8).map((prime) => root(2, prime));
const ROUNDS = primes.map((prime) => root(3, prime));

const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The digest of bytes, as bytes. */
function digest(data) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((data.length + 9) / 64) * 64));
  data.forEach((byte, at) => padded.setUint8(at, byte));
  padded.setUint8(data.length, 128);
  padded.setUint32(padded.byteLength - 4, data.length * 8);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      if (t < 16) w[t] = padded.getUint32(block + 4 * t);
      else {
        const one = w[t - 2];
        const two = w[t - 15];
        w[t] =
          w[t - 16] +
          w[t - 7] +
          (turned(one, 17) ^ turned(one, 19) ^ (one >>> 10)) +
          (turned(two, 7) ^ turned(two, 18) ^ (two >>> 3));
      }
      const first =
        h +
        (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
        ((e & f) ^ (~e & g)) +
        ROUNDS[t] +
        w[t];
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at] += word;
    });
  }
  return [...state].flatMap((word) => [24, 16, 8, 0].map((by) => (word >>> by) & 255));
}

const bytes = (text) => [...new TextEncoder().encode(text)];
const hex = (data) => data.map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of a text, in hexadecimal digits. */
export const sha256 = (text) => hex(digest(bytes(text)));

/** The HMAC-SHA256 of a text with a text as its key, in hexadecimal digits. */
export function hmac(key, text) {
  let secret = bytes(key);
  if (secret.length > 64) secret = digest(secret);
  const pad = (mask) => Array.from({ length: 64 }, (_, at) => (secret[at] ?? 0) ^ mask);
  return hex(digest([...pad(0x5c), ...digest([...pad(0x36), ...bytes(text)])]));
}
