/* Any other game: its drawing as tiles, its moves as buttons, and a field for what is typed. */

import { fill, h, set } from "../dom.js";
import { Board } from "./board.js";

const MOST_BUTTONS = 30;

/** A board without a picture of its own: `choice` is the text of a move. */
export default class GenericBoard extends Board {
  build() {
    this.picture = h("div", { class: "picture" });
    this.moves = h("div", { class: "moves", role: "group", "aria-label": "Moves" });
    this.field = h("input", { type: "text", maxlength: 200, autocomplete: "off", "data-enter": true,
      oninput: () => this.choose(this.field.value.trim() || null) });
    this.typing = h("label", { class: "writing" }, "Your move", this.field);
    this.codes = h("div", { class: "below" });
    this.append(this.picture, this.moves, this.typing, this.codes);
  }

  draw() {
    const { view, words, canMove } = this.moment, { choice } = this;
    this.#picture(words);
    const listed = canMove && view.moves?.length <= MOST_BUTTONS ? view.moves : [];
    const key = listed.join("\n");
    if (this.moves.dataset.shown !== key) {
      this.moves.dataset.shown = key;
      fill(this.moves, listed.map((move) => h("button", { type: "button", class: "plain-button",
        onclick: () => this.choose(move) }, move)));
    }
    for (const button of this.moves.children) {
      const chosen = button.textContent === choice;
      button.classList.toggle("chosen", chosen);
      set(button, { "aria-pressed": String(chosen) });
    }
    this.typing.hidden = listed.length > 0 || !this.mine;
    this.field.disabled = !canMove;
    if (this.field.value.trim() !== (choice ?? "")) this.field.value = choice ?? "";
    this.below(this.codes);
  }

  tell(choice) {
    return { move: choice, button: this.hiding ? `Hide ${choice}` : "Make this move", title: choice,
      means: this.hiding ? "Only you see it." : "" };
  }

  #picture(words) {
    const drawing = words?.drawing, key = JSON.stringify(drawing ?? words?.picture ?? "");
    if (this.picture.dataset.shown === key) return;
    this.picture.dataset.shown = key;
    if (!drawing) return fill(this.picture, words?.picture && h("pre", {}, words.picture));
    const tile = ({ text, label, owner, look }) =>
      h("span", { class: `tile ${look}${owner ? ` of-${owner}` : ""}` }, h("b", {}, text || "\u00a0"),
        label && h("small", {}, label));
    fill(this.picture, drawing.rows.map((row) =>
      h("div", { class: drawing.framed ? "tiles framed" : "tiles" }, row.map(tile))));
  }
}
