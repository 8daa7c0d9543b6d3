/* What stands on a table: the players, the board, the referee, the buttons and the notes. */

import { fill, h, set, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Books } from "./ledger.js";
import { agreed, button, dialog, soft } from "./parts.js";
import { playersBars } from "./players.js";
import { CAN_NOTIFY, notice, notifies, wantNotices } from "./status.js";

const TOUCHED = "[role=spinbutton], [role=grid] [tabindex='0']";

/** The elements of a table, which is told what is chosen, sent and taken back. */
export class Desk {
  books = new Books();
  place = h("div.board-place");
  actions = h("div.actions", { role: "group", "aria-label": "Actions" });
  #heading = h("h1.unseen");
  #agreed = soft("");
  #large = h("p.large");
  #means = h("p.means");
  #count = h("span");

  constructor(line, table) {
    const ask = (what) => () => line.ask(what);
    this.players = playersBars(line);
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
    this.hint = button("Hint", () => table.hinted());
    this.draws = button("Draw", () => table.draws());
    this.claim = button("Claim the game", ask("claim"));
    this.bot = button("Another bot", () => table.otherBot(), "quiet", { hidden: true });
    this.resign = button("Resign", resign, "quiet");
    this.answers = [0, 1].map((at) =>
      fitted(button("", () => table.answer(at), at ? "button" : "button.main", { hidden: true })),
    );
    const notices = button(
      "Notify me of my turn",
      () => wantNotices(!notifies()).then(wanted),
      "quiet",
      { hidden: !CAN_NOTIFY },
    );
    const wanted = () => set(notices, { "aria-pressed": String(notifies()) });
    wanted();
    const asides = h(
      "div.asides",
      this.#agreed,
      notices,
      button("Rules", rules, "quiet"),
      this.bot,
      this.resign,
    );
    const more = button("⋯", () => opened(!asides.matches(".opened")), "button.more", {
      "aria-label": "More",
      "aria-expanded": "false",
    });
    const opened = (open) => {
      if (!open && asides.contains(document.activeElement)) more.focus();
      asides.classList.toggle("opened", open);
      more.ariaExpanded = open;
    };
    fill(
      this.actions,
      this.confirm,
      this.answers,
      this.undo,
      this.draws,
      this.hint,
      this.claim,
      more,
      asides,
    );
    this.lesson = h(
      "div.lesson",
      { role: "group", "aria-label": "First game", hidden: true },
      this.#count,
      button("Skip", () => table.lessons.skip(), "quiet"),
    );
    this.table = h(
      "div.table",
      this.players.them,
      this.place,
      this.players.me,
      h(
        "div.said",
        this.lesson,
        fitted(
          h("div.referee", { role: "group", "aria-label": "Referee" }, this.#large, this.#means),
        ),
      ),
      this.actions,
      this.books.node,
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
      this.table,
    );
  }

  /** Shows who plays what, and whose turn it is. */
  name(table, game) {
    const { info, view } = table;
    write(
      this.#heading,
      `${info.title}: ${info.seats.map((each) => each?.name ?? "nobody yet").join(" against ")}`,
    );
    write(this.#agreed, agreed(info));
    this.players.show(table, game);
    this.table.classList.toggle("waits", !view);
  }

  /** Shows what the referee says, and what it means. */
  speak(says, small = "", look = "soft") {
    write(this.#large, says);
    write(this.#means, small).className = `means ${look}`;
  }

  /** Shows which card of a first game is spoken; without a text, that none is. */
  teach(count) {
    this.lesson.hidden = !count;
    write(this.#count, count);
  }

  /** Puts the focus where a move is chosen, unless it is there. */
  focus() {
    if (!document.activeElement.matches(`${TOUCHED}, [data-enter]`))
      this.place.querySelector(TOUCHED)?.focus({ preventScroll: true });
  }
}
