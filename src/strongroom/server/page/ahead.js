/* A secret chosen before its turn: kept in this browser alone, and sent as soon as it is asked for. */

import * as own from "./own.js";

/** What is said of a secret that is kept. */
export const KEPT = "Kept here; it is sent as soon as it is your turn.";

/** What one seat of a game chose before its turn. */
export class Ahead {
  #held = null; // where the browser keeps nothing

  constructor(line, game) {
    Object.assign(this, { line, game });
  }

  /** Whether this seat has hidden nothing yet, on a board that needs no list of moves for it. */
  get hides() {
    const { game, line: { table: { view, seat } } } = this;
    return Boolean(game.hides && game.board !== "generic" && seat !== null && view?.actor && view.setting_up && !view.secret.length);
  }

  /** Whether the other one is to hide something first, so that this seat may choose already. */
  get open() {
    const { view, seat } = this.line.table;
    return this.hides && view.actor !== seat;
  }

  /** The view for the board: the first secret is one question, whether it is asked for now or later. */
  get view() {
    const { view, seat } = this.line.table;
    return this.hides ? { ...view, actor: seat, number: 0 } : view;
  }

  /** What is kept for this seat; null: nothing. */
  get move() {
    const { id, token } = this.line, kept = own.game(id)?.ahead;
    return kept && kept.token === token ? kept.move : this.#held;
  }

  /** Whether it is kept, and nothing else is chosen on the board. */
  settled(choice) {
    return this.open && this.move !== null && (choice?.move ?? this.move) === this.move;
  }

  /** Keeps a secret in the place of an earlier one; null forgets it. */
  keep(move) {
    const { id, token } = this.line;
    if (move !== this.move) own.keep(id, { ahead: move === null ? undefined : { token, move } });
    this.#held = own.game(id)?.ahead?.token === token ? null : move; // another tab may take back what is kept
  }

  /** Sends it once it is asked for, and forgets it once it is made. */
  send() {
    const { line, move } = this;
    if (move === null || this.open || !line.table.view) return;
    if (!this.hides) this.keep(null);
    else if (!line.asks("move") && !line.ended()) line.ask("move", { move });
  }
}
