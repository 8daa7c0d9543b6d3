/* The bar of the players: who sits where, whose turn it is, clocks, and one's secret under a lid. */

import { fill, h, write } from "./dom.js";
import { say } from "./status.js";

const SHORT = 400; // milliseconds: a tap, not a hold

/** The two players' classes, which colour what is theirs. */
export const SIDES = ["one", "two"];

/** A time in minutes and seconds. */
export const minutes = (seconds) => `${Math.floor(Math.max(0, seconds) / 60)}:${String(Math.floor(Math.max(0, seconds) % 60)).padStart(2, "0")}`;

/** One's own secret: it is covered unless a finger, the mouse or a key holds the lid up. */
class Lid {
  #name = "";
  #texts = [];
  #cover = h("span", { class: "cover" });
  #under = h("span", { class: "under" });
  #back = 0;
  #since = 0;

  constructor() {
    const drop = () => this.#lift(false);
    this.node = h("button", {
      type: "button", class: "lid", hidden: true, title: "Press and hold to see it",
      onpointerdown: ({ pointerId, timeStamp }) => {
        this.#since = timeStamp;
        this.node.setPointerCapture(pointerId);
        this.#lift(true);
      },
      onpointerup: drop, onlostpointercapture: drop, onblur: drop, onkeyup: drop,
      onkeydown: (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        this.#lift(true);
      },
      oncontextmenu: (event) => event.preventDefault(),
      onclick: ({ detail, timeStamp }) => {
        if (detail && timeStamp - this.#since > SHORT) return;
        this.#lift(true); // a tap, or a screen reader's press without length: it stays up for a moment
        this.#back = setTimeout(drop, detail ? 2000 : 4000);
      },
    }, this.#cover, this.#under);
  }

  /** Puts something under the lid, whose place is kept in games that hide something. */
  show(name, texts, kept) {
    this.node.hidden = !kept;
    this.node.classList.toggle("empty", !texts.length);
    if (this.#name && texts.join() === this.#texts.join()) return;
    this.#name = name;
    this.#texts = texts;
    write(this.#cover, `${name}: hold to see`);
    this.node.setAttribute("aria-label", `Your ${name} is covered: press and hold to see it`);
    this.#lift(false);
  }

  #lift(up) {
    clearTimeout(this.#back);
    if (this.node.classList.toggle("lifted", up) === Boolean(this.#under.firstChild)) return;
    const [first, ...rest] = this.#texts;
    fill(this.#under, up && `${this.#name} ${first}`, up && rest.length > 0 && h("span", { class: "more" }, rest.map((text) => h("span", {}, text))));
    if (up) say(`Your ${this.#name}: ${this.#texts.join("; ")}`);
  }
}

/** The bar: seat one on the left, seat two on the right, and between them whose turn it is. */
export class Players {
  #lid = new Lid();
  #pill = h("p", { class: "pill" });
  #table = null;
  #seats = SIDES.map((side, index) => {
    const parts = { name: h("b"), who: h("span", { class: "soft" }), clock: h("span", { class: "clock", hidden: true }) };
    parts.node = h("div", { class: `player ${side}${index ? " right" : ""}` }, h("span", { class: `glyph ${side}`, "aria-hidden": "true" }), parts.name, parts.who, parts.clock);
    return parts;
  });

  node = h("div", { class: "players", role: "group", "aria-label": "Players" }, this.#seats[0].node, this.#pill, this.#seats[1].node);

  /** Draws a moment; `status`: what the pill says, and in whose colour. */
  show(table, game, status) {
    const { info, seat, view } = table;
    this.#table = table;
    this.#seats.forEach(({ node, name, who }, index) => {
      const sitter = info.seats[index];
      const mine = seat === index + 1;
      write(name, sitter?.name ?? "nobody yet");
      const about = [
        game && !game.hides && game.symbols[index],
        mine && "you",
        info.score.some(Boolean) && `won ${info.score[index]}`,
        sitter && !sitter.here && !mine && info.state === "playing" && "away",
      ];
      write(who, about.filter(Boolean).join(" · "));
      if (mine && this.#lid.node.parentNode !== node) node.append(this.#lid.node);
    });
    this.#lid.show(game?.secret_name ?? "secret", view && !view.outcome ? view.secret : [], game?.hides ?? true);
    write(this.#pill, status.text);
    this.#pill.className = `pill ${SIDES[status.seat - 1] ?? "soft"}`;
    this.tick();
  }

  /** Lets the clocks run. */
  tick() {
    const clock = this.#table?.clock;
    this.#seats.forEach(({ clock: face }, index) => {
      face.hidden = !clock;
      const running = clock?.running === index + 1;
      if (clock) write(face, minutes(clock.left[index] - (running ? (performance.now() - clock.heard) / 1000 : 0)));
      face.classList.toggle("running", running);
    });
  }
}
