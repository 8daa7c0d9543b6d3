/* Secrets chosen before their turn, and a first move: kept in this browser alone, and sent as soon
   as they are asked for. */

import * as own from "./own.js";

/** What is said of secrets that are all kept. */
export const KEPT = "Kept here; it is sent as soon as it is your turn.";

/** What is said as long as more can be chosen. */
export const PARTLY = "Kept here. Choose on; all of it is sent as soon as it is your turn.";

/** What one seat of a game chose before its turn. */
export class Ahead {
  /** @type {string[]} */
  #held = []; // where the browser keeps nothing

  /**
   * @param {Connection} line
   * @param {Game} game
   */
  constructor(line, game) {
    this.line = line;
    this.game = game;
  }

  /** Whether this seat has not hidden all yet, on a board that needs no list of moves for it. */
  get hides() {
    const { game } = this;
    const { view, seat } = this.line.table;
    return Boolean(
      game.board !== "generic" &&
      seat !== null &&
      view?.actor &&
      view.setting_up &&
      view.secret.length < game.secrets,
    );
  }

  /** Whether the other one is to hide something first, so that this seat may choose already. */
  get open() {
    const { view, seat } = this.line.table;
    return this.hides && view.actor !== seat;
  }

  /** All that is chosen: what is hidden already, then what is kept. */
  get chosen() {
    const { secret } = this.line.table.view;
    return [...secret, ...this.moves.slice(secret.length, this.game.secrets)];
  }

  /** Whether something is kept that the server does not know. */
  get waits() {
    return this.hides && this.chosen.length > this.line.table.view.secret.length;
  }

  /**
   * The view for the board: a secret is one question, whether it is asked for now or later, and the
   * last one stays open.
   */
  get view() {
    const { game } = this;
    const { view, seat } = this.line.table;
    const secret = this.hides && this.chosen.slice(0, game.secrets - 1);
    return secret ? { ...view, actor: seat, number: secret.length, secret } : view;
  }

  /** What is kept for this seat, in the order in which it is asked for. */
  get moves() {
    const { id, token } = this.line;
    const kept = own.game(id)?.ahead;
    return kept && kept.token === token ? kept.moves : this.#held;
  }

  /** Whether all is kept, and nothing else is chosen on the board. */
  settled(choice) {
    const last = this.open && this.chosen[this.game.secrets - 1];
    return Boolean(last) && (choice?.move ?? last) === last;
  }

  /** Keeps one more secret; if there are all of them, it replaces the last. */
  add(move) {
    this.keep([...this.moves.slice(0, this.game.secrets - 1), move]);
  }

  /** Forgets the last one. */
  drop() {
    this.keep(this.moves.slice(0, -1));
  }

  /** Keeps these in the place of all others. */
  keep(moves) {
    const { id, token } = this.line;
    if (String(moves) !== String(this.moves))
      own.keep(id, { ahead: moves.length ? { token, moves } : undefined });
    // Another tab may take back what is kept.
    this.#held = own.game(id)?.ahead?.token === token ? [] : moves;
  }

  /** Sends the next one that is asked for, and forgets them once they are made. */
  send() {
    const { line, moves } = this;
    const { view, seat } = line.table;
    if (!moves.length || this.open || !view) return;
    const made = view.secret.length + view.history.filter((each) => each.seat === seat).length;
    if (moves[made] && view.setting_up && view.actor !== seat) return; // the other one hides
    const move = view.actor === seat && moves[made];
    if (!move) this.keep([]);
    else if (!line.asks("move") && !line.ended()) line.ask("move", { move });
  }
}
