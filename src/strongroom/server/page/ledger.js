/* Beside the board: the record and the notebook, one at a time. */

import { changed, fill, h, set, write } from "./dom.js";
import { button, soft } from "./parts.js";
import { SIDES } from "./players.js";

/** The record as a table, a row a turn. */
export class Ledger {
  #place = h("div.scroll", { tabindex: 0, role: "region", "aria-label": "Record of the game" });
  node = h("section.recorded", h("h2", "Record"), this.#place);
  #begins = false; // whether one looks at what was before the first row

  constructor() {
    new ResizeObserver(() => this.#settle()).observe(this.#place);
  }

  /** Draws the turns of a game that is going on. */
  show({ rows, info }, game) {
    const lines = rows.map(({ seat, text, result, mark }, index) => ({
      count: index + 1,
      result,
      mark,
      look: index === rows.length - 1 && "last",
      cells: [1, 2].map((each) => (each === (seat ?? 1) ? { says: text } : null)),
    }));
    if (changed(this.#place, rows, info.seats))
      this.#draw(
        lines,
        info,
        game.result_name,
        "Nothing has been played yet. Every turn is written down here.",
      );
  }

  /**
   * Draws the moves of a finished game, with signs and pegs; those with a step are pressed to go
   * there.
   */
  review(lines, info, result, { at, go }) {
    const held = this.#place.contains(document.activeElement);
    if (!changed(this.#place, lines, info.seats, at)) return;
    this.#draw(lines, info, result, "Nothing was played.", { at, go });
    if (held) (this.#current ?? this.#place).focus({ preventScroll: true });
  }

  #draw(lines, info, result, empty, { at = -1, go = undefined } = {}) {
    const steps = lines
      .flatMap(({ cells, step }) => [...(cells ?? []).map((cell) => cell?.step), step])
      .filter((step) => step <= at);
    const now = Math.max(...steps);
    const jump = (says, step) =>
      step === undefined || !go
        ? says
        : button(says, () => go(step), "jump", {
            "aria-current": step === now && "step",
            tabindex: step === now ? 0 : -1,
          });
    const head = (look, text, more) => h(`th.${look}`, { scope: "col", ...more }, text);
    const cell = (one, index) =>
      h(
        `td.of-${index + 1}`,
        one &&
          jump(
            [
              one.make?.() ?? one.says,
              ...(one.signs ?? []).map(({ sign, name }) => [
                h("b.sign", { "aria-hidden": "true" }, ` ${sign}`),
                h("span.unseen", ` (${name})`),
              ]),
            ],
            one.step,
          ),
      );
    fill(
      this.#place,
      lines.length
        ? h(
            "table.record",
            h(
              "thead",
              h(
                "tr",
                head("", "#", { "aria-label": "Turn" }),
                info.seats.map((seat, index) => head(SIDES[index], seat?.name)),
                result && head("result", result),
              ),
            ),
            h(
              "tbody",
              lines.map(({ count, cells, result: shown, mark, step, look }) => [
                cells &&
                  h(
                    "tr",
                    { class: look },
                    h("td", String(count)),
                    cells.map(cell),
                    result && h("td", shown),
                  ),
                mark && h("tr.cleared", h("td", { colspan: result ? 4 : 3 }, jump(mark, step))),
              ]),
            ),
          )
        : soft(empty),
    );
    this.#begins = at >= 0 && !this.#current;
    this.#settle();
  }

  get #current() {
    return this.#place.querySelector("[aria-current]");
  }

  /** Scrolls to the step that is looked at, otherwise to the newest row. */
  #settle() {
    const current = this.#current;
    const row =
      current?.closest("tr") ??
      [...this.#place.querySelectorAll("tbody tr")].at(this.#begins ? 0 : -1);
    if (!row) return;
    for (const box of [this.#place, this.#place.closest(".books")]) {
      if (!box) continue;
      const { top, height } = row.getBoundingClientRect();
      const up = top - box.getBoundingClientRect().top + box.scrollTop;
      box.scrollTop =
        current || this.#begins
          ? up - (box.clientHeight - height) / 2
          : up + height - box.clientHeight;
    }
  }
}

/** The notebook: what is still possible. */
export class Notebook {
  #place = h("div.notes", { tabindex: 0, role: "region", "aria-label": "Notes" });
  node = h("section", h("h2", "Notebook"), this.#place);

  /**
   * Draws what is known; `onBoard`: the board crosses out what is impossible.
   */
  show({ words: { left, codes, count }, seat }, onBoard) {
    if (!changed(this.#place, left, count, onBoard)) return;
    const listed = left && ((!onBoard && codes) || (left.length <= 12 && left));
    fill(
      this.#place,
      count && h("p", count),
      listed &&
        h(
          "ul.codes",
          { "aria-label": "Still possible" },
          listed.map((code) =>
            h(
              "li",
              left.includes(code) ? {} : { class: "crossed soft", "aria-hidden": "true" },
              code.replaceAll("-", ""),
            ),
          ),
        ),
      !count &&
        soft(
          seat === null
            ? "The players' notebooks are their own."
            : "It counts what is possible as soon as both have hidden something.",
        ),
    );
  }
}

/** The record and the notebook: the one that is wanted, unless the board already shows it all. */
export class Books {
  ledger = new Ledger();
  notebook = new Notebook();
  #wanted = 0;
  #there = [true, false];
  #parts = [this.ledger.node, this.notebook.node];
  #tabs = ["Record", "Notebook"].map((name, at) =>
    button(
      name,
      () => {
        this.#wanted = at;
        this.#turn();
      },
      "tab",
    ),
  );
  node = h(
    "aside.books",
    { "aria-label": "Record and notebook" },
    h("div.tabs", this.#tabs),
    this.#parts,
  );

  /** Draws what is known of a game that is going on; `board`: what shows some of it by itself. */
  show(table, game, board) {
    const { left } = table.words;
    this.ledger.show(table, game);
    this.notebook.show(table, board?.lists);
    this.#there = [!board?.records, Boolean(table.info.aids && game.aids)];
    write(this.#tabs[1], left ? `Notebook, ${left.length} left` : "Notebook");
    this.#turn();
  }

  /** Leaves the record alone, for a game that is over. */
  close() {
    this.#there = [true, false];
    this.#turn();
  }

  #turn() {
    const there = this.#there;
    const shown = there[this.#wanted] ? this.#wanted : there.indexOf(true);
    this.#parts.forEach((part, at) => (part.hidden = at !== shown));
    this.#tabs.forEach((tab, at) => set(tab, { "aria-pressed": String(at === shown) }));
    this.node.classList.toggle("tabbed", there.every(Boolean));
  }
}
