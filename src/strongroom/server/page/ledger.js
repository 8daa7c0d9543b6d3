/* The column beside the board: the running record, and the notebook of what is still possible. */

import { fill, h } from "./dom.js";
import { button, soft } from "./parts.js";
import { SIDES } from "./players.js";

const MOST = 130; // more codes than this are counted, not listed

/** The record as a table, a row a turn. */
export class Ledger {
  #drawn = "";
  #place = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Record of the game" });
  node = h("section", {}, h("h2", {}, "Record"), this.#place);

  /** Draws the rows; `marks`: what stands behind a turn, `at`: the turn that is looked at, `go`: goes to one. */
  show({ rows, info }, game, { marks = new Map(), at = null, go = null } = {}) {
    const now = JSON.stringify([rows, info.seats, [...marks], at]);
    if (now === this.#drawn) return;
    this.#drawn = now;
    const held = this.#place.contains(document.activeElement) && document.activeElement.dataset.turn;
    const result = game?.result_name;
    const line = ({ seat, text, result: shown, mark }, index) => {
      const turn = index + 1;
      const said = `${text} ${marks.get(turn) ?? ""}`;
      const cell = go ? button(said, () => go(turn), "jump", { "data-turn": turn }) : said;
      return [
        h("tr", { class: at === null && turn === rows.length && "last", "aria-current": at === turn && "true" },
          h("td", {}, String(turn)), [1, 2].map((each) => h("td", {}, each === (seat ?? 1) && cell)), result && h("td", {}, shown)),
        mark && h("tr", { class: "cleared" }, h("td", { colspan: 4 }, mark))];
    };
    fill(this.#place, rows.length ? h("table", { class: "record" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", "aria-label": "Turn" }, "#"),
        info.seats.map((seat, index) => h("th", { scope: "col", class: SIDES[index] }, seat?.name)),
        result && h("th", { scope: "col", class: "result" }, result))),
      h("tbody", {}, rows.map(line))) : soft("Nothing has been played yet. Every turn is written down here."));
    if (held) this.#place.querySelector(`[data-turn="${held}"]`)?.focus();
    const row = this.#place.querySelector("[aria-current]");
    this.#place.scrollTop = row ? row.offsetTop - this.#place.clientHeight / 2 : this.#place.scrollHeight;
  }
}

/** All codes of a game whose secrets are few enough to be listed, as the server writes them. */
function all(game, { length, digits }) {
  const [places, highest] = game === "safecracker-duel" ? [3, 5] : game === "safe-cracker" ? [length, digits] : [0, 0];
  if (!places || highest ** places > MOST) return null;
  let codes = [""];
  for (let place = 0; place < places; place++) {
    codes = codes.flatMap((code) => Array.from({ length: highest }, (_, digit) => `${code}${code && "-"}${digit + 1}`));
  }
  return codes;
}

/** The notebook: how much is left, the codes with the impossible ones crossed out, the last hint. */
export class Notebook {
  #drawn = "";
  #place = h("div", { class: "notes" });
  node = h("section", {}, h("h2", {}, "Notebook"), this.#place);

  /** Draws what is known; without aids only a hint, and without that nothing. */
  show({ words, info, seat }, hint, hides) {
    const { left, count } = (info.aids && words) || {};
    const now = JSON.stringify([left, count, hint]);
    if (now === this.#drawn) return;
    this.#drawn = now;
    this.node.hidden = !hint && !(info.aids && hides);
    const possible = new Set(left);
    const listed = left && (all(info.game, info.options) ?? (left.length <= 12 && left));
    fill(this.#place,
      count && h("p", {}, count),
      hint && h("p", { class: "hint" }, hint),
      listed && h("ul", { class: "codes", "aria-label": "Still possible" }, listed.map((code) => h("li", possible.has(code) ? {} : { class: "crossed", "aria-hidden": "true" }, code.replaceAll("-", "")))),
      !count && !hint && soft(seat === null ? "The players' notebooks are their own." : "It counts what is possible as soon as both have hidden something."));
  }
}
