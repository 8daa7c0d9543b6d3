/* How a game ended, in words and signs: how close it was, the figures, and the result to paste. */

import { SIGNED } from "./curve.js";
import { h } from "./dom.js";
import { YOU } from "./own.js";
import { button, capital, counted, dialog } from "./parts.js";
import { mark } from "./players.js";
import { NOT_BY_THE_RULES } from "./replay.js";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const ORDINALS = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
];
const MOST_SIGNS = 12; // turns of a player in the result to paste

/** A count in words: "one digit", "12 steps". */
export const inWords = (number, noun) =>
  counted(number, noun).replace(/^\d+/, (digits) => NUMBERS[digits] ?? digits);

/**
 * Both secrets, the loser's dimmer, and the loser's nearest guess; what a secret or a guess lacked
 * is ringed. A game's ending says which digits with `lacked`, and may name the `nearest` guess.
 */
export function codes(finish, { lacked, nearest }) {
  const { winner, loser } = finish;
  const row = (seat, what, code, ringed, look = "") => {
    const digits = code.split("-");
    const missing = digits.filter((_, at) => ringed.includes(at));
    return h(
      `div.coded${look}`,
      h("p.soft", mark(seat), ` ${what}`),
      h(
        "span.digits",
        {
          role: "img",
          "aria-label": code + (missing.length ? `, not right: ${missing.join(", ")}` : ""),
        },
        digits.map((digit, at) => h(ringed.includes(at) ? "b.ringed" : "b", digit)),
      ),
    );
  };
  const hid = (seat, look) => {
    const ringed = (seat === loser && !nearest && finish.played && lacked?.(finish)) || [];
    return row(seat, finish.does(seat, "hid"), finish.secret(seat), ringed, look);
  };
  if (!finish.hidden || !finish.game.secrets) return null;
  if (!winner || !finish.played) return h("div.coding", hid(1), hid(2));
  const guess = nearest?.(finish, loser);
  const other = finish.secret(winner).split("-");
  return h(
    "div.coding",
    hid(winner),
    guess &&
      row(
        loser,
        `${finish.whose(loser)} nearest guess`,
        guess,
        guess.split("-").flatMap((digit, at) => (digit === other[at] ? [] : at)),
        ".near",
      ),
    hid(loser, ".dim"),
  );
}

/** A finished game as its viewer sees it; what a game adds of its own stands in endings/. */
export class Finish {
  /** @param {{ line: { table: Known }, board: import("./board.js").Board, game: Game }} table */
  constructor({ line, board, game }) {
    const { view, info, seat, words } = line.table;
    const { winner, reason } = view.outcome;
    this.view = view;
    this.info = info;
    this.seat = seat;
    this.words = words;
    this.board = board;
    this.game = game;
    this.winner = winner;
    this.loser = winner && 3 - winner;
    this.played = !NOT_BY_THE_RULES.includes(reason);
  }

  /** What a player hid first, or nothing. */
  secret(seat) {
    return this.view.secrets?.[seat - 1][0];
  }

  /** The secret that was found out or shown; null: none was. */
  get shown() {
    const seat = this.board.hit(this.view.outcome);
    return seat ? this.secret(seat) : null;
  }

  /** Whether both have hidden what their game hides. */
  get hidden() {
    return !this.game.secrets || [1, 2].every((seat) => this.secret(seat));
  }

  /** What a player did, move by move. */
  moves(seat) {
    return this.view.history.filter((each) => each.seat === seat);
  }

  /** A player at the beginning of a sentence, with a verb for "he or she" that "you" may change. */
  does(seat, verb) {
    const conjugated = seat === this.seat ? verb.replace(/^was\b/, "were") : verb;
    return `${capital(this.board.name(seat))} ${conjugated}`;
  }

  /** Whose it is, at the beginning of a sentence. */
  whose(seat) {
    return capital(this.board.whose(seat));
  }

  /** Who found what at which guess; `guesses` says which moves are guesses. */
  found(guesses = () => true) {
    const { winner, loser, seat } = this;
    const made = this.moves(winner).filter(guesses).length;
    const code = this.shown;
    const guess =
      made > ORDINALS.length
        ? `guess ${made}`
        : `${winner === seat ? "your" : "the"} ${ORDINALS[made - 1]} guess`;
    return winner === seat
      ? `${code} at ${guess}.`
      : `${this.does(winner, "found")} ${loser === seat ? "your " : ""}${code} at ${guess}.`;
  }

  /** How near a player was to what the other hid: "was one digit away from". */
  short(seat, verb) {
    const missed = seat === this.seat && seat === this.loser ? ", which would have won" : "";
    return `${this.does(seat, verb)} ${this.secret(3 - seat)}${missed}.`;
  }

  /** How close it was: what was found, and how near the other came, or both if nobody found it. */
  close({ near, told, guesses }) {
    if (!this.hidden) return `It ended before both had chosen a ${this.board.noun}.`;
    if (told) return told(this);
    if (this.shown)
      return `${this.found(guesses)} ${this.short(this.loser, near(this, this.loser))}`;
    return [1, 2].map((seat) => this.short(seat, near(this, seat))).join(" ");
  }
}

/**
 * What an analysis says of a player: 100 minus the cost of all moves, luck in points, how many
 * moves were dear, and how many hints were taken.
 */
export function judged({ seats, decisions }, seat, hints) {
  const { cost, luck, curve } = seats[seat - 1];
  return (
    curve.length > 0 && {
      well: Math.max(0, 100 - Math.round(100 * cost)),
      luck: signed(Math.round(100 * luck)),
      dear: decisions.filter((each) => each.mark && each.seat === seat).length,
      helped: hints[seat - 1] ? `with ${counted(hints[seat - 1], "hint")}` : "",
    }
  );
}

const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

/** A figure: its value, what it says, and `short`, what narrow windows write before or after it. */
export const figure = (value, label, more = "", short = {}) => [
  h(
    "b",
    { "data-before": short.before, "data-after": short.after },
    String(value),
    more && h("small", more),
  ),
  h("span.soft", label),
];

/** A figure that says in a sentence what it is once it is pressed. */
const explained = (what, value, label, more, short) =>
  h(
    "li",
    button(
      figure(value, label, more, short),
      () => dialog(capital(label), h("p", what), button("Close")),
      "figure",
    ),
  );

/** The figures of a viewer: one's own, or for a spectator how well each played. */
export function figures(analysis, seat, names, hints) {
  const [one, two] = [1, 2].map((each) => judged(analysis, each, hints));
  const own = seat === 2 ? two : one;
  const well = ({ well: points, helped, dear: marked }, who, whose) =>
    explained(
      `100 minus what ${whose} moves cost. A point is a hundredth of a win: ` +
        "whoever throws away a game that was won loses 100." +
        (helped && " What a hint suggested costs nothing."),
      points,
      `how well ${who} played${helped && `, ${helped}`}`,
      marked ? " / 100" : "",
      who !== "you" && { after: who },
    );
  const dear = (count) =>
    explained(
      `Moves with a sign, in the set-up too. ${SIGNED}`,
      count || "nothing big",
      count ? `${count === 1 ? "move" : "moves"} that cost something` : "lost in any move",
      "",
      count && { after: count === 1 ? "slip" : "slips" },
    );
  if (seat === null)
    return one && two
      ? [
          well(one, names[0], `${names[0]}'s`),
          well(two, names[1], `${names[1]}'s`),
          dear(one.dear + two.dear),
        ]
      : [];
  return own
    ? [
        well(own, "you", "your"),
        explained(
          "What chance gave you, in hundredths of a win: coins, and answers that told more or" +
            " less than usual. All of a game is added up, so it can be more than 100, and you " +
            "can still lose.",
          own.luck,
          "luck, in points",
          "",
          { before: "luck" },
        ),
        dear(own.dear),
      ]
    : [];
}

/**
 * The result as text to paste: who won, a row of signs each, and one's own figures; no secret, no
 * link.
 */
export function result(finish, signs, own) {
  const names = finish.info.seats.map(({ name }) => (name === YOU ? "Me" : name));
  const wide = Math.max(...names.map((name) => name.length));
  const rows = names.map((name, at) => {
    const all = signs(finish, at + 1);
    const shown = all.slice(-MOST_SIGNS);
    return [
      name.padEnd(wide),
      finish.winner === at + 1 ? "✓" : "–",
      all.length > shown.length && "…",
      ...shown,
    ]
      .filter(Boolean)
      .join(" ");
  });
  return [
    `strongroom · ${finish.info.title}`,
    ...rows,
    own && `${[`${own.well} of 100`, own.helped].filter(Boolean).join(" ")}, luck ${own.luck}`,
  ]
    .filter(Boolean)
    .join("\n");
}
