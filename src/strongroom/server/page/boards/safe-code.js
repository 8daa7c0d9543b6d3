/* Safe Code: a board of 1 to 30 with the clues pinned beside it. */

import { changed, fill, h, set, write } from "../dom.js";
import { button, capital } from "../parts.js";
import { mark } from "../players.js";
import { Board, Grid, drawn, inTurn } from "../board.js";
import { NUMBERS, alike, fitting, trueClues } from "../clues.js";

const OFFERED = 5;
const EACH = 3;
const OWN_WORDS = "Or in your own words";

/** The board: `choice` is what would be sent, a number, `clue`, or a clue's sentence. */
export default class SafeCodeBoard extends Board {
  lists = true;
  asked = false; // whether a request is looked back at

  build() {
    this.grid = new Grid("Numbers from 1 to 30", NUMBERS.map(String), 6, (name) =>
      this.choose(name),
    );
    inTurn(this.grid.cells, 5);
    this.ask = button("Request a clue", () => this.choose("clue"));
    this.others = button(
      "Others",
      () => this.#suggest(this.suggestions.textContent),
      "quiet",
      { "aria-label": "Other suggestions" },
    );
    this.suggestions = h("div.offers");
    this.about = h("h2");
    this.writing = h(
      "div.writing",
      this.about,
      this.suggestions,
    );
    this.words = h(
      "div.words",
      set(this.field, { "aria-label": OWN_WORDS, placeholder: "Own words: “more than 10”" }),
      this.others,
    );
    this.pins = h("div.pins", { tabindex: 0, role: "region", "aria-label": "Clues" });
    this.append(
      h(
        "div.beside",
        h("div.plane.thirty", this.grid.node),
        h("div.pinned", this.pins, this.below),
      ),
    );
  }

  draw() {
    const { view, canMove } = this.moment;
    const { choice, hiding } = this;
    const own = hiding ? Number(view.secret[0] ?? 0) : 0; // about which clues are to be written
    const fits = own && choice && fitting(this.taken?.move ?? choice);
    for (const n of NUMBERS) this.#cell(n, n === own, fits, !canMove || own > 0);
    if (own) write(this.about, `Clue ${view.secret.length} of ${EACH} about your number ${own}`);
    if (own) this.#write(view);
    else if (changed(this.pins, view.history, view.setting_up, view.secrets)) this.#pin(view);
    this.ask.classList.toggle("chosen", choice === "clue");
    const asks = !view.setting_up && this.#given() < EACH && this.ask;
    this.offers(this.asked ? this.ask : own ? this.words : canMove && asks);
  }

  tell(choice) {
    const { secret } = this.moment.view;
    if (this.hiding && !secret.length)
      return this.hides(choice, "Next you write three true clues about it.");
    if (this.hiding) {
      const leaves = fitting(this.taken?.move ?? choice)?.length;
      const getter = capital(this.name(this.other));
      const request = ["first", "second", "third"][secret.length - 1];
      return this.typed(
        choice,
        leaves,
        `Write clue ${secret.length}`,
        `${leaves ? `It leaves ${leaves} of 30 numbers. ` : ""}` +
          `${getter} gets it on the ${request} request.${secret.length === EACH ? " Then you are ready." : ""}`,
      );
    }
    if (choice !== "clue")
      return this.guesses(choice, "If it is right you win; if not, the turn is over.");
    return {
      move: choice,
      button: "Request a clue",
      title: `Request clue ${this.#given() + 1} of ${EACH}`,
      means: `You get ${this.whose(this.other)} next clue, and the turn is over.`,
    };
  }

  recalls({ move, answer }) {
    return move === "clue" ? `Your clue: ${answer}` : `Your ${move}: not it.`;
  }

  get pick() {
    return this.moment.view.secret.length
      ? undefined
      : () => String(drawn(NUMBERS.length) + 1);
  }

  /** A request that is looked back at shows its button. */
  marks(moves, made) {
    this.asked = Boolean(made) && [...moves, made.move].includes("clue");
    this.draw();
    super.marks(moves, made);
  }

  places(move) {
    return [move === "clue" ? this.ask : this.grid.cells[move - 1]];
  }

  #given() {
    return this.moment.view.board[this.moment.seat - 1];
  }

  #cell(n, own, fits, off) {
    const text = String(n);
    const chosen = this.choice === text;
    const owners = [1, 2].filter((who) => this.moment.view.secrets?.[who - 1][0] === text);
    this.grid.draw(
      n - 1,
      text,
      [
        chosen && ["chosen"],
        own && ["own", "your number"],
        ...owners.map((who) => [`lit of-${who}`, `${this.whose(who)} number`]),
        ...this.played
          .filter((each) => each.move === text)
          .map(({ seat }) => [`guessed of-${seat}`, `${this.name(seat)} guessed it`]),
        (fits ? !fits.includes(n) : !this.possible(text)) && ["out", "ruled out"],
      ],
      { text, off, chosen },
    );
  }

  /** The notes: first what the viewer was told, then what they told. */
  #pin(view) {
    const about = [this.other, 3 - this.other];
    fill(
      this.pins,
      view.setting_up
        ? this.#list(
            "Clues",
            view.secret.slice(1).map((text) => h("li.pin", text)),
            "Each player writes three true clues. They are pinned here when they are asked for.",
          )
        : about.map((who) => this.#notes(view, who)),
    );
  }

  #notes(view, about) {
    const asker = 3 - about;
    const told = view.history.filter((each) => each.seat === asker);
    const clues = told.filter((each) => each.move === "clue").map((each) => each.answer);
    const kept = view.secrets?.[about - 1].slice(1 + clues.length) ?? [];
    const wrong = [...new Set(told.filter((each) => !each.answer).map((each) => each.move))];
    return this.#list(
      [mark(about), ` About ${this.whose(about)} number`],
      [
        clues.map((text) => h(`li.pin.of-${about}`, text)),
        kept.map((text) => h("li.pin.kept", text, h("small.soft", " not asked for"))),
      ].flat(),
      asker === this.moment.seat
        ? "No clue yet. Three can be requested, one a turn."
        : "No clue given yet.",
      wrong.length > 0 && h("p.wrong.soft", `Not ${wrong.join(", ")}.`),
    );
  }

  #list(title, pins, empty, more) {
    return h(
      "section",
      h("h2", title),
      pins.length ? h("ol", pins) : h("p.empty.soft", empty),
      more,
    );
  }

  /** Writing a clue: true ones to choose from, and a field for any other. */
  #write(view) {
    if (changed(this.pins, view.secret)) this.#suggest("");
    if (!this.writing.isConnected) fill(this.pins, this.writing);
    this.field.hidden = this.moment.early; // only the referee can read one's own words
    this.presses(this.suggestions.children);
  }

  /** Offers true clues, a kind once, and none that was shown just now. */
  #suggest(shown) {
    const [number, ...earlier] = this.moment.view.secret;
    const kind = (text) => text.replace(/\d+/g, "");
    const all = trueClues(Number(number), earlier);
    let fresh = all.filter((text) => !shown.includes(text));
    if (!fresh.length) fresh = all;
    const offered = [];
    while (offered.length < OFFERED && fresh.length) {
      const text = fresh[drawn(fresh.length)];
      offered.push(text);
      fresh = fresh.filter((each) => kind(each) !== kind(text) && !alike(each, text));
    }
    fill(
      this.suggestions,
      offered.map((text) => button(text, () => this.choose(text), "pin")),
    );
    this.presses(this.suggestions.children);
  }
}
