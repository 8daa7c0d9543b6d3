/* Any other game: its drawing as tiles, its moves as buttons, and a field for what is typed. */

import { changed, fill, h } from "../dom.js";
import { button } from "../parts.js";
import { Board } from "../board.js";

const MOST_BUTTONS = 30;

/** A board without a picture of its own: `choice` is the text of a move. */
export default class GenericBoard extends Board {
  build() {
    this.picture = h("div.picture");
    this.moves = h("div.moves", { role: "group", "aria-label": "Moves" });
    this.typing = h("label.writing", "Your move", this.field);
    this.append(this.picture, this.moves, this.typing, this.below);
  }

  draw() {
    const { view, words, canMove } = this.moment;
    if (changed(this.picture, words.drawing, words.picture)) this.#picture(words);
    const listed = canMove && view.moves?.length <= MOST_BUTTONS ? view.moves : [];
    if (changed(this.moves, listed))
      fill(
        this.moves,
        listed.map((move) => button(move, () => this.choose(move))),
      );
    this.presses(this.moves.children);
    this.typing.hidden = listed.length > 0 || !this.mine;
    this.offers();
  }

  places(move) {
    return [...this.moves.children].filter((each) => each.textContent === move);
  }

  /** Only the first secret has a name of its own. */
  get noun() {
    return this.hiding && this.moment.view.secret.length ? "secret" : super.noun;
  }

  tell(choice) {
    const move = this.taken?.move ?? choice;
    const made = this.hiding
      ? this.hides(move)
      : { move, button: "Make this move", title: move, means: "" };
    return this.moment.view.moves?.includes(choice)
      ? made
      : this.typed(choice, false, made.button, made.means);
  }

  #picture({ drawing, picture }) {
    const tile = ({ text, label, owner, look }) =>
      h(
        `span.tile.${look}${owner ? `.of-${owner}` : ""}`,
        h("b", text || "\u00a0"),
        label && h("small", label),
      );
    fill(
      this.picture,
      drawing
        ? drawing.rows.map((row) => h(`div.tiles${drawing.framed ? ".framed" : ""}`, row.map(tile)))
        : picture && h("pre", picture),
    );
  }
}
