/* The column beside the board: the record and the notebook. */

import { changed, fill, h } from "./dom.js";
import { button, soft } from "./parts.js";
import { SIDES } from "./players.js";

/** The record as a table, a row a turn. */
export class Ledger {
  #place = h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Record of the game" });
  node = h("section", h("h2", "Record"), this.#place);

  /** Draws the rows; `marks`: notes by turn and seat, `at`: the current turn, `go`: jumps to one. */
  show({ rows, info }, game, { marks = new Map(), at = null, go = null } = {}) {
    const place = this.#place, result = game.result_name;
    if (!changed(place, rows, info.seats, [...marks], at)) return;
    const held = place.contains(document.activeElement) && document.activeElement.dataset.turn;
    const line = ({ seat, text, result: shown, mark }, index) => {
      const turn = index + 1, cell = (each) => {
        const sign = marks.get(`${turn} ${each}`), said = [each === (seat ?? 1) && text, sign && `(${sign})`].filter(Boolean).join(" ");
        return said && go ? button(said, () => go(turn), "jump", { "data-turn": turn }) : said;
      };
      return [h("tr", { class: at === null && turn === rows.length && "last", "aria-current": at === turn && "true" },
        h("td", String(turn)), [1, 2].map((each) => h("td", cell(each))), result && h("td", shown)),
      mark && h("tr.cleared", h("td", { colspan: 3 + !!result }, mark))];
    };
    const head = (look, text, more) => h(`th.${look}`, { scope: "col", ...more }, text);
    fill(place, rows.length ? h("table.record",
      h("thead", h("tr", head("", "#", { "aria-label": "Turn" }), info.seats.map((seat, index) => head(SIDES[index], seat?.name)), result && head("result", result))),
      h("tbody", rows.map(line))) : soft("Nothing has been played yet. Every turn is written down here."));
    if (held) place.querySelector(`[data-turn="${held}"]`)?.focus();
    const row = place.querySelector("[aria-current]");
    place.scrollTop = row ? row.offsetTop - place.clientHeight / 2 : place.scrollHeight;
  }
}

/** The notebook: what is still possible. */
export class Notebook {
  #place = h("div.notes", { tabindex: 0, role: "region", "aria-label": "Notes" });
  node = h("section", h("h2", "Notebook"), this.#place);

  /** Draws what is known, if there are aids; `onBoard`: the board crosses out what is impossible. */
  show({ words: { left, codes, count }, info, seat }, aids, onBoard) {
    if (!changed(this.#place, left, count, onBoard)) return;
    this.node.hidden = !(info.aids && aids);
    const listed = left && ((!onBoard && codes) || (left.length <= 12 && left));
    fill(this.#place,
      count && h("p", count),
      listed && h("ul.codes", { "aria-label": "Still possible" }, listed.map((code) => h("li", left.includes(code) ? {} : { class: "crossed soft", "aria-hidden": "true" }, code.replaceAll("-", "")))),
      !count && soft(seat === null ? "The players' notebooks are their own." : "It counts what is possible as soon as both have hidden something."));
  }
}
