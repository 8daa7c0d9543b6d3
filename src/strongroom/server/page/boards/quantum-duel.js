/* Quantum Duel: seven cells, and a coin on edge that spins and falls. */

import { fill, h, svg, write } from "../dom.js";
import { Board, Grid, capital } from "./board.js";

const CELLS = ["1", "2", "3", "4", "5", "6", "7"];
const CHAIN = 4;
const SYMBOLS = ["", "X", "O"];
const SPIN = 1100;

/** The row and the coin: `choice` is a cell, `yes` or `no`. */
export default class QuantumDuelBoard extends Board {
  #spinning = null;

  build() {
    this.grid = new Grid("Seven cells", CELLS, CELLS.length, (at) => this.choose(CELLS[at]));
    this.numbers = h("div", { class: "cell-numbers", "aria-hidden": "true" },
      CELLS.map((cell) => h("span", {}, cell)));
    this.coin = h("div", { class: "coin" }, h("i", { class: "side heads" }, side(HEADS)),
      [-5, -3, -1, 1, 3, 5].map(layer),
      h("i", { class: "side tails" }, side(TAILS)));
    this.stage = h("div", { class: "stage", role: "img" }, this.coin);
    this.caption = h("p", { class: "caption" });
    this.replies = [["yes", "Challenge"], ["no", "Let it stand"]].map(([move, text]) =>
      h("button", { type: "button", class: "plain-button", onclick: () => this.#answer(move) }, text));
    this.reply = h("div", { class: "below replies", role: "group", "aria-label": "Challenge?" });
    this.append(h("div", { class: "plane seven" }, this.grid.node, this.numbers), this.stage,
      this.caption, this.reply);
  }

  #stakes({ seat, move }) {
    const wins = chain(this.moment.view.board, seat).includes(move);
    return wins ? `If it stays, ${this.name(seat)} wins.` : "Heads: it stays. Tails: it is open again.";
  }

  /** A reply is one press. */
  #answer(move) {
    this.choose(move);
    this.dispatchEvent(new CustomEvent("send", { bubbles: true }));
  }

  /** A coin that fell since then spins first; what comes meanwhile is shown when it lies. */
  draw(before) {
    const { history } = this.moment.view;
    const known = before?.view.history.length ?? history.length;
    const at = history.findLastIndex((each) => each.seat === "chance");
    if (at >= known && at >= history.length - 2 && !this.still) return this.#toss(at);
    if (this.#spinning && history.length >= this.#spinning.length) return this.#spinning.rests;
    return this.#settle();
  }

  tell(choice) {
    const { view, seat } = this.moment;
    const observed = contested(view.history);
    const reply = choice === "yes" ? "Challenge" : "Let it stand";
    if (observed) return { move: choice, button: reply, title: `${reply}: cell ${observed.move}` };
    const at = Number(choice) - 1;
    const near = [at - 1, at + 1].filter((each) => view.board[each] === seat).map((each) => each + 1);
    const wins = chain(view.board.with(at, seat), seat).length > 0;
    return { move: choice, button: `Observe cell ${choice}`, title: `Your ${SYMBOLS[seat]} in cell ${choice}`,
      means: near.length === 0 ? "It is next to none of yours, so it stands."
        : `It is next to your ${SYMBOLS[seat]} at ${near.join(" and ")}: ${this.name(this.other)} may challenge it.${
          wins ? " If it stands, you win." : ""}` };
  }

  #toss(at) {
    const { history } = this.moment.view;
    this.#spinning?.spin.cancel();
    this.#row(history.slice(0, at));
    fill(this.reply);
    this.#say("The coin is in the air.", "");
    this.stage.className = "stage air";
    const spin = this.#spin(history[at].move === "heads");
    const rests = spin.finished.then(() => this.#settle(), () => {});
    this.#spinning = { spin, rests, length: history.length };
    return rests;
  }

  #settle() {
    const { view, seat, canMove } = this.moment, { history } = view;
    const open = contested(history), last = history.at(-1);
    const asked = open && view.actor === seat && seat !== null;
    this.#spinning?.spin.cancel();
    this.#spinning = null;
    this.#row(history);
    const fallen = last?.seat === "chance" ? last.move : null;
    this.stage.className = `stage ${fallen ?? (open ? "edge" : "rest")}`;
    if (fallen) this.#say(`The coin shows ${fallen}.`, capital(fallen));
    else if (open) this.#say("The coin stands on its edge.", asked ? this.#stakes(open) : `Cell ${open.move} is open to a challenge`);
    else this.#say("The coin is at rest.", "");
    if (last?.answer === "cleared") write(this.caption, "The board was full. All cells are open again.");
    if (asked !== (this.reply.childElementCount > 0)) fill(this.reply, asked ? this.replies : []);
    for (const button of this.replies) button.disabled = !canMove;
  }

  #row(history) {
    const { view, seat, canMove } = this.moment;
    const board = boardAfter(history), open = contested(history);
    const whole = history.length === view.history.length;
    const won = whole && view.outcome?.reason === "chained" ? chain(board, view.outcome.winner) : [];
    const latest = history.findLast((each) => CELLS.includes(each.move));
    CELLS.forEach((cell, at) => {
      const owner = board[at], chosen = this.choice === cell;
      const looks = [owner ? `of-${owner}` : "", chosen ? `chosen of-${seat}` : ""];
      const says = [`Cell ${cell}`, owner ? `${SYMBOLS[owner]}, ${this.name(owner)}` : "empty"];
      if (open?.move === cell) looks.push("contested"), says.push("contested");
      else if (latest?.move === cell && !won.length && owner) looks.push("touched"), says.push("the last one");
      if (won.includes(cell)) looks.push("lit"), says.push("in the winning chain");
      this.grid.draw(at, { look: looks.join(" "), label: says.join(", "), chosen,
        text: SYMBOLS[chosen ? seat : owner ?? 0], off: !canMove || Boolean(owner) || Boolean(open) });
    });
  }

  #say(label, caption) {
    this.stage.setAttribute("aria-label", label);
    write(this.caption, caption);
  }

  #spin(heads) {
    const from = "rotateX(-8deg) rotateY(62deg)";
    const to = `rotateX(0deg) rotateY(${heads ? 1800 : 1620}deg)`;
    const high = "translateY(-16%) rotateX(-14deg) rotateY(1080deg)";
    return this.coin.animate([{ transform: `translateY(0) ${from}` }, { transform: high, offset: 0.45 },
      { transform: `translateY(0) ${to}` }], { duration: SPIN, easing: "cubic-bezier(.2,.6,.3,1)" });
  }
}

/** The board that a history leaves, a contested symbol included. */
function boardAfter(history) {
  let board = CELLS.map(() => null), cell = 0;
  for (const { seat, move, answer } of history) {
    if (CELLS.includes(move)) board[cell = move - 1] = seat;
    if (answer === "fails") board[cell] = null;
    if (answer === "cleared") board = CELLS.map(() => null);
  }
  return board;
}

/** The observation that may be challenged, or whose coin is in the air. */
function contested(history) {
  return history.at(-1)?.answer === "open" ? history.findLast((each) => CELLS.includes(each.move)) : null;
}

/** The cells of a player's four in a row. */
function chain(board, seat) {
  for (let first = 0; first + CHAIN <= board.length; first++) {
    const run = board.slice(first, first + CHAIN);
    if (run.every((each) => each === seat)) return CELLS.slice(first, first + CHAIN);
  }
  return [];
}

const HEADS = "M0-46c-19 0-31 14-31 32 0 9 3 14-1 21-3 5-1 7 4 8 1 10 2 19 14 17l3 14h34c-3-14 5-22 9-33 5-14 4-30-4-43C22-40 11-46 0-46Z";
const TAILS = "M0-44a23 23 0 0 0-9 44v42l9 9 9-9-6-6 6-6-6-6 6-6V0A23 23 0 0 0 0-44Zm0 13a8 8 0 1 1 0 16 8 8 0 0 1 0-16Z";

/** A slice of the coin's thickness. */
function layer(z) {
  const slice = h("i", { class: "edge" });
  slice.style.setProperty("--z", `${z}px`);
  return slice;
}

function side(path) {
  return svg("svg", { viewBox: "-100 -100 200 200", "aria-hidden": "true" },
    svg("circle", { class: "bead", r: 84 }),
    svg("path", { class: "relief", d: path, transform: "scale(1.15)" }));
}
