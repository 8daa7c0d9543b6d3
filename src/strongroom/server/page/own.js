/* What this browser keeps: the name, the theme, one's own games, signals, what was taught,
   answers to vaults. */

const MOST = 40;
const A_WEEK = 7;

function read(key, otherwise) {
  try {
    const kept = JSON.parse(localStorage.getItem(`strongroom.${key}`));
    return kept?.constructor === otherwise.constructor ? kept : otherwise; // or it is damaged
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    if (value) localStorage.setItem(`strongroom.${key}`, JSON.stringify(value));
    else localStorage.removeItem(`strongroom.${key}`);
  } catch {
    // A browser that keeps nothing plays all the same: the token stands in the link.
  }
}

/** 128 random bits as 32 hexadecimal digits: a token, an invitation, an id, a seed. */
export const token = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** What others call somebody who typed no name. */
export const GUEST = "Guest";

/** What the page calls them at their own table. */
export const YOU = "You";

/** The name that was typed last. */
export const name = () => read("name", "");

/** Remembers a name. */
export const keepName = (text) => write("name", text);

/** Which cards of which first games were shown: {id, seen} by game. */
export const lessons = () => read("lessons", {});

/** Remembers which cards of a game were shown. */
export const keepLessons = (game, shown) => write("lessons", { ...lessons(), [game]: shown });

/** Remembers a theme; an empty one is the system's. */
export const keepTheme = (theme) => write("theme", theme);

/** Whether sounds are wanted. */
export const sound = () => read("sound", false);

/** Remembers whether sounds are wanted. */
export const keepSound = (on) => write("sound", on);

/** Whether one hears nothing that others say. */
export const muted = () => read("muted", false);

/** Remembers whether one wants to hear nothing. */
export const keepMuted = (on) => write("muted", on);

/** Whether a notification is wanted when it is one's turn. */
export const notices = () => read("notices", false);

/** Remembers whether notifications are wanted. */
export const keepNotices = (on) => write("notices", on);

/** Whether it was asked if sounds are wanted. */
export const asked = () => read("asked", false);

/** Remembers that it was asked. */
export const keepAsked = (on) => write("asked", on);

/**
 * One's own games, the newest first: {id, token, title, seat, who, invitation, seed, hash, seen,
 * secrets, ahead, over, won, next, again, fresh}.
 */
export const games = () => read("games", []).filter((each) => each?.id);

/** One of them, by its id. */
export const game = (id) => games().find((each) => each.id === id);

/** Remembers a game, or more of it. */
export const keep = (id, more) =>
  write(
    "games",
    game(id)
      ? games().map((each) => (each.id === id ? { ...each, ...more } : each))
      : [{ ...more, id }, ...games()].slice(0, MOST),
  );

/** Forgets a game. */
export const forget = (id) =>
  write(
    "games",
    games().filter((each) => each.id !== id),
  );

/**
 * The latest answers to the vaults of days, by day: {move, cost, nudged, row, last, tries, done};
 * `row` counts days without a gap, `last` is the latest of the tries.
 */
export const vaults = () =>
  Object.fromEntries(
    Object.entries(read("vaults", {}))
      .filter(
        ([day, each]) =>
          /^\d{4}(-\d\d){2}$/.test(day) &&
          Number.isFinite(each?.cost) &&
          each.cost >= 0 &&
          each.cost <= 1 &&
          Number.isSafeInteger(each.row) &&
          typeof each.move === "string",
      )
      // What was answered when there was only one try is done.
      .map(([day, each]) => [
        day,
        Number.isFinite(each.last?.cost) ? each : { ...each, last: each, tries: 1, done: true },
      ]),
  );

/** Remembers the answer to a day's vault. */
export const keepVault = (day, answer) =>
  write(
    "vaults",
    Object.fromEntries(
      Object.entries({ ...vaults(), [day]: answer })
        .sort()
        .slice(-A_WEEK),
    ),
  );
