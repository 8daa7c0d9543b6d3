/* Quantum Duel: seven cells, and a coin on edge that spins and falls. */

import { h, svg, write } from "../dom.js";
import { chain, near } from "../measures.js";
import { capital } from "../parts.js";
import { Board, Grid } from "../board.js";

const CELLS = [..."1234567"];
const SYMBOLS = ["", "X", "O"];
const SENT = { yes: (cell) => `Challenge cell ${cell}`, no: () => "Let it stand" };
const SPIN = { delay: 400, duration: 1100, easing: "cubic-bezier(.2,.6,.3,1)" }; // told first
const FADES = 220;
const LIES = 1200; // milliseconds that it lies before the game goes on
const CHALLENGE = 800; // milliseconds that a challenge is read where nothing moves
const HEADS =
  "M0-46c-19 0-31 14-31 32 0 9 3 14-1 21-3 5-1 7 4 8 1 10 2 19 14 17l3 14h34c-3-14 5-22 9-33 " +
  "5-14 4-30-4-43C22-40 11-46 0-46Z";
const TAILS =
  "M0-44a23 23 0 0 0-9 44v42l9 9 9-9-6-6 6-6-6-6 6-6V0A23 23 0 0 0 0-44Zm0 13a8 8 0 1 1 0 16 " +
  "8 8 0 0 1 0-16Z";

/** The row and the coin: `choice` is a cell, `yes` or `no`. */
export default class QuantumDuelBoard extends Board {
  #spinning = null;
  #latest = 4; // the cell that the coin is about

  build() {
    this.grid = new Grid("Seven cells", CELLS, CELLS.length, (cell) => this.choose(cell));
    this.coin = h(
      "div.coin",
      side("heads", HEADS),
      [-5, -3, -1, 1, 3, 5].map(layer),
      side("tails", TAILS),
    );
    this.stage = h("div.stage", { role: "img" }, this.coin);
    this.append(
      h(
        "div.plane.seven",
        this.grid.node,
        h(
          "div.cell-numbers.soft",
          { "aria-hidden": "true" },
          CELLS.map((cell) => h("span", cell)),
        ),
      ),
      this.stage,
      this.caption,
    );
  }

  /** A new coin spins first; what comes meanwhile waits for it. */
  draw(before) {
    const { view, motion } = this.moment;
    const { history } = view;
    const known = before?.view.history.length ?? history.length;
    const at = history.findLastIndex((each) => each.seat === "chance");
    this.falls = null;
    if (at >= known && at >= history.length - 2 && before) return this.#toss(at, motion);
    if (this.#spinning && history.length >= this.#spinning.length) return this.#spinning.rests;
    return this.#settle();
  }

  tell(choice) {
    const { view, seat } = this.moment;
    const mark = SYMBOLS[seat];
    const cell = Number(choice);
    const beside = near(view.board, cell, seat);
    const wins = chain(view.board.with(cell - 1, seat), seat).length
      ? " If it stands, you win."
      : "";
    return {
      move: choice,
      button: `Observe cell ${choice}`,
      title: `Your ${mark} in cell ${choice}`,
      means: beside.length
        ? `It is next to your ${mark} at ${beside.join(" and ")}: ` +
          `${this.name(this.other)} may challenge it.${wins}`
        : "It is next to none of yours, so it stands.",
    };
  }

  /** Nothing is chosen before the coin was read. */
  choose(value) {
    if (!this.#spinning) super.choose(value);
  }

  /** A contested symbol is answered at once. */
  get answers() {
    const observed = this.mine && this.moment.canMove && contested(this.moment.view.history);
    return observed
      ? Object.entries(SENT).map(([move, text]) => ({
          move,
          button: text(observed.move),
          title: "",
          means: "",
        }))
      : null;
  }

  /** The board shows it, and what came after. */
  get recalled() {
    return "";
  }

  sound({ seat }) {
    return seat === "chance" ? "coin" : "peg";
  }

  /** A challenge stands for the cell that it is about. */
  places(move) {
    const { history } = this.moment.view;
    const about = move === "yes" && history.findLast((each) => CELLS.includes(each.move));
    return [this.grid.cells[CELLS.indexOf(about ? about.move : move)]];
  }

  /** The coin is in the air, then lies; only then its symbol stands or is gone, and it is read. */
  #toss(at, motion) {
    const { history } = this.moment.view;
    const { move } = history[at];
    this.#spinning?.spin?.cancel();
    const spin = motion ? this.coin.animate(turning(move), SPIN) : null;
    const toss = { spin, length: history.length, rests: null };
    this.#spinning = toss;
    this.#row(history.slice(0, at));
    this.#say("The coin is in the air.", "", "air");
    const now = () => this.#spinning === toss;
    this.falls = (spin?.finished ?? after(CHALLENGE)).then(
      () => now() && this.#say(`The coin shows ${move}.`, capital(move), move),
      () => {},
    );
    toss.rests = this.falls
      .then(() => now() && spin && move === "tails" && this.#fades(contested(history.slice(0, at))))
      .then(() => now() && history[at].answer !== "cleared" && this.#row(history.slice(0, at + 1)))
      .then(() => after(LIES))
      .then(() => now() && this.#settle());
    return toss.rests;
  }

  #fades({ move }) {
    return this.grid.cells[move - 1].animate({ opacity: 0 }, FADES).finished.catch(() => {});
  }

  #settle() {
    const { history } = this.moment.view;
    const open = contested(history);
    const last = history.at(-1);
    const asked = open && this.mine;
    this.#spinning?.spin?.cancel();
    this.#spinning = null;
    this.#row(history);
    if (this.moment.puzzle) this.#say("The coin is at rest.", "", "rest");
    else if (last?.seat === "chance")
      this.#say(`The coin shows ${last.move}.`, capital(last.move), last.move);
    else if (open)
      this.#say(
        "The coin stands on its edge.",
        asked ? this.#stakes(open) : `Cell ${open.move} is open to a challenge`,
        "edge",
      );
    else this.#say("The coin is at rest.", "", "rest");
    if (last?.answer === "cleared")
      write(this.caption, "The board was full. All cells are open again.");
  }

  #stakes({ seat, move }) {
    const wins = chain(this.moment.view.board, seat).includes(Number(move));
    return wins
      ? `Heads: ${this.name(seat)} wins. Tails: the cell is open again.`
      : "Heads: it stays. Tails: it is open again.";
  }

  #row(history) {
    const { view, seat, canMove } = this.moment;
    const { notes } = this;
    const board = boardAfter(history);
    const open = contested(history);
    const won =
      view.outcome?.reason === "chained" && history.length === view.history.length
        ? chain(board, view.outcome.winner)
        : [];
    const latest = history.findLast((each) => CELLS.includes(each.move))?.move;
    this.#latest = Number(latest ?? 4);
    CELLS.forEach((cell, at) => {
      const owner = board[at];
      const chosen = this.choice === cell;
      const isOpen = open?.move === cell;
      this.grid.draw(
        at,
        `Cell ${cell}`,
        [
          owner ? [`of-${owner}`, `${SYMBOLS[owner]}, ${this.name(owner)}`] : ["", "empty"],
          chosen && [`chosen of-${seat}`],
          notes[cell] && ["noted", notes[cell]],
          isOpen && ["contested", "contested"],
          latest === cell && !isOpen && !won.length && owner && ["touched", "the last one"],
          won.includes(at + 1) && ["lit", "in the winning chain"],
        ],
        {
          chosen,
          text: notes[cell]?.toString() ?? SYMBOLS[chosen ? seat : (owner ?? 0)],
          off: !canMove || Boolean(owner || open || this.#spinning),
        },
      );
    });
  }

  #say(label, caption, look) {
    const over = look === "rest" ? 4 : this.#latest;
    this.stage.style.setProperty("--at", String(over - 4));
    this.stage.ariaLabel = label;
    this.stage.className = `stage ${look}`;
    write(this.caption, caption);
  }
}

/** The board after a history, a contested symbol included. */
function boardAfter(history) {
  let board = CELLS.map(() => null);
  let cell = 0;
  for (const { seat, move, answer } of history) {
    if (CELLS.includes(move)) board[(cell = move - 1)] = seat;
    if (answer === "fails") board[cell] = null;
    if (answer === "cleared") board = CELLS.map(() => null);
  }
  return board;
}

/** The observation that is not settled yet. */
const contested = (history) =>
  history.at(-1)?.answer === "open" && history.findLast((each) => CELLS.includes(each.move));

/** How the coin turns until it shows a side. */
const turning = (shown) => [
  { transform: "translateY(0) rotateX(-8deg) rotateY(62deg)" },
  { transform: "translateY(-16%) rotateX(-14deg) rotateY(1080deg)", offset: 0.45 },
  {
    transform: `translateY(0) rotateX(0deg) rotateY(${shown === "heads" ? 1800 : 1620}deg)`,
  },
];

const after = (time) => new Promise((done) => setTimeout(done, time));

/** A slice of the coin's thickness. */
function layer(z) {
  const slice = h("i.edge");
  slice.style.setProperty("--z", `${z}px`);
  return slice;
}

const side = (look, path) =>
  h(
    `i.side.${look}`,
    svg(
      "svg",
      { viewBox: "-100 -100 200 200", "aria-hidden": "true" },
      svg("circle.bead", { r: 84 }),
      svg("path.relief", { d: path, transform: "scale(1.15)" }),
    ),
  );
