/* What stands on a table: the players, the board, the referee, the buttons and the notes. */

import { fill, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Ledger, Notebook } from "./ledger.js";
import { agreed, button, dialog, soft } from "./parts.js";
import { playersBar } from "./players.js";
import { notice } from "./status.js";
import { status } from "./turn.js";

const TOUCHED = "[role=spinbutton], [role=grid] [tabindex='0']";

/** The elements of a table, which is told what is chosen, sent and taken back. */
export class Desk {
  ledger = new Ledger();
  notebook = new Notebook();
  place = h("div.board-place");
  actions = h("div.actions", { role: "group", "aria-label": "Actions" });
  players = playersBar();
  #heading = h("h1.unseen");
  #named = h("p.soft.named");
  #large = h("p.large");
  #means = h("p.means");
  #column = h(
    "aside.card.column",
    { "aria-label": "Record and notebook" },
    this.ledger.node,
    this.notebook.node,
  );

  constructor(line, table) {
    const ask = (what) => () => line.ask(what);
    const send = () => table.send();
    const rules = () =>
      import("./rulebook.js")
        .then(({ overlay }) => overlay(table.game.name))
        .catch(({ message }) => notice(message));
    const resign = () =>
      dialog(
        "Resign this game?",
        soft("Your opponent wins it."),
        button("Play on", undefined, "button.main"),
        button("Resign", ask("resign")),
      );
    this.confirm = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main"));
    this.undo = button("Undo", () => table.undo());
    this.hint = button("Hint", () => table.hinted(), "button.wide");
    this.claim = button("Claim the game", ask("claim"));
    this.bot = button("Another bot", () => table.otherBot(), "quiet", { hidden: true });
    this.resign = button("Resign", resign, "quiet");
    const asides = h("div.asides", button("Rules", rules, "quiet"), this.bot, this.resign);
    const more = button("⋯", () => opened(!asides.matches(".opened")), "button.onward", {
      "aria-label": "More",
      "aria-expanded": "false",
    });
    const opened = (open) => {
      asides.classList.toggle("opened", open);
      more.ariaExpanded = open;
    };
    this.foot = h(
      "div.foot",
      fitted(
        h("div.referee", { role: "group", "aria-label": "Referee" }, this.#large, this.#means),
      ),
      fill(this.actions, this.confirm, this.undo, this.hint, this.claim, more),
    );
    this.node = h(
      "strongroom-table",
      {
        onchoice: ({ detail }) => table.chosen(detail),
        onkeydown: (event) =>
          event.key === "Escape" && asides.matches(".opened") ? opened(false) : table.key(event),
        onclick: ({ target }) => more.contains(target) || opened(false),
      },
      this.#heading,
      h(
        "div.table",
        h(
          "section.card.desk",
          { "aria-label": "Table" },
          this.#named,
          this.players.node,
          this.place,
          this.foot,
          asides,
        ),
        this.#column,
      ),
    );
  }

  /** Shows who plays what, and whose turn it is. */
  name(table, game) {
    const { info, view } = table;
    write(
      this.#heading,
      `${info.title}: ${info.seats.map((each) => each?.name ?? "nobody yet").join(" against ")}`,
    );
    write(this.#named, [info.title, agreed(info)].filter(Boolean).join(" · "));
    this.players.show(table, game, status(table));
    this.#column.hidden = !view;
  }

  /** Shows what the referee says, and what it means. */
  speak(says, small = "", look = "soft") {
    write(this.#large, says);
    write(this.#means, small).className = `means ${look}`;
  }

  /** Puts the focus where a move is chosen, unless it is there. */
  focus() {
    if (!document.activeElement.matches(`${TOUCHED}, [data-enter]`))
      this.place.querySelector(TOUCHED)?.focus({ preventScroll: true });
  }
}
