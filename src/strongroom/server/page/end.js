/* A finished game: go through it again, see what each move cost, check it, play once more. */

import * as api from "./api.js";
import { Curves, remarks } from "./curve.js";
import { fill, h, write } from "./dom.js";
import { fold, NOTHING } from "./net.js";
import * as own from "./own.js";
import { button, capital, flat, link, soft } from "./parts.js";
import { notice, say } from "./status.js";

const MOST = 5; // so many dear moves are shown at once
const PACE = 1400; // milliseconds a moment, when it plays by itself

/** What is shown at a table whose game is over. */
export class Ending {
  #table;
  #moments = [];
  #at = 0;
  #timer = 0;
  #curves = null;
  #marks = new Map();
  #slider = h("input", { type: "range", max: 0, value: 0, "aria-label": "Moment of the game", oninput: () => this.#go(this.#slider.valueAsNumber) });
  #where = h("output", { class: "soft" });
  #play = button("▶", () => this.#run());
  #checks = h("div", { "aria-live": "polite" });
  #study = h("div", {}, soft("Looking at how it went …"));
  #again = button("Rematch", () => this.#rematch(), "button main");

  constructor(table) {
    this.#table = table;
    const { seat } = this.#now;
    const step = (sign, label, to) => button(sign, () => this.#go(to()), "button", { "aria-label": label });
    table.actions(
      h("div", { class: "replay", role: "group", "aria-label": "Replay" },
        h("div", { class: "row" },
          step("«", "To the beginning", () => 0), step("‹", "One step back", () => this.#at - 1), this.#play,
          step("›", "One step on", () => this.#at + 1), step("»", "To the end", () => this.#last)),
        this.#slider, this.#where),
      seat === null ? link("Other games", "#watch", "button") : this.#again,
      button("Check that it was fair", () => this.#verify()),
      button("Save the record", () => this.#download()));
    document.addEventListener("keydown", this.#key);
    table.classList.add("over");
    fill(table.study, this.#checks, h("h2", {}, "How it went"), this.#study);
    table.study.hidden = false;
    this.stop();
    this.#say();
    this.#load();
    this.#analyze();
    this.informed();
  }

  /** Stops whatever runs. */
  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    write(this.#play, "▶").setAttribute("aria-label", "Play");
  }

  /** Looks at what the players of the table want now. */
  informed() {
    const { info, seat } = this.#now;
    write(this.#again, info.rematch ? "To the rematch" : "Rematch, seats swapped");
    if (info.rematch && seat !== null && !own.game(info.id)?.next) notice(`${info.seats[2 - seat].name} wants a rematch.`);
  }

  get #now() {
    return this.#table.link.table;
  }

  get #last() {
    return this.#moments.length - 1;
  }

  /** What the server is asked for as this seat, or as a spectator. */
  #ask(what, ...more) {
    return what(this.#now.info.id, this.#table.link.token, ...more);
  }

  // --- going through it ---

  async #load() {
    const replay = await this.#ask(api.replay, this.#now.seat).catch(({ message }) => notice(message));
    if (!replay) return;
    let [table, step] = [NOTHING, 0];
    const { info, seat, view } = this.#now;
    const hidden = structuredClone(view.secrets);
    const done = ({ hint, keeper }) => {
      const by = hint ?? keeper;
      const text = (keeper && hidden?.[keeper - 1].shift()) ?? "something";
      return by && `${by === seat ? "You" : info.seats[by - 1].name} ${hint ? "took a hint" : `hid ${/[a-z] /i.test(text) ? `“${text}”` : text}`}.`;
    };
    for (const frame of [replay.welcome, ...replay.frames]) {
      table = fold(table, frame);
      for (const entry of frame.entries ?? []) step = entry.step ?? step;
      const apart = (frame.entries ?? []).map(done).filter(Boolean).join(" ");
      this.#moments.push({ table, step, said: apart || flat(frame.words.said) });
    }
    this.#slider.max = this.#last;
    this.#go(this.#last);
  }

  #go(wanted, running = false) {
    if (!this.#moments.length) return;
    if (!running) this.stop();
    const forward = wanted > this.#at;
    this.#at = Math.max(0, Math.min(this.#last, wanted));
    const { table, step, said } = this.#moments[this.#at];
    const place = `${this.#at} of ${this.#last}`;
    this.#slider.value = this.#at;
    this.#slider.setAttribute("aria-valuetext", `${place}. ${said}`);
    write(this.#where, place);
    this.#table.show(table, forward);
    this.#record();
    if (this.#at === this.#last) this.#say();
    else this.#table.speak(said, this.#at ? `Step ${this.#at}` : "The beginning");
    this.#curves?.look(this.#at === this.#last ? Infinity : step + 1);
  }

  #say() {
    const { words, view } = this.#now;
    this.#table.speak(capital(flat(words.ending)), `${view.turns} turn${view.turns === 1 ? "" : "s"}.`);
  }

  #record() {
    if (!this.#moments.length) return;
    const at = this.#at < this.#last ? this.#moments[this.#at].table.rows.length : null;
    const go = (turn) => this.#go(this.#moments.findLastIndex(({ table }) => table.rows.length === turn));
    this.#table.ledger.show(this.#now, this.#table.game, { marks: this.#marks, at, go });
  }

  #run() {
    if (this.#timer) return this.stop();
    if (this.#at >= this.#last) this.#go(0);
    write(this.#play, "❚❚").setAttribute("aria-label", "Pause");
    this.#timer = setInterval(() => {
      this.#go(this.#at + 1, true);
      say(this.#moments[this.#at].said);
      if (this.#at === this.#last) this.stop();
    }, PACE);
  }

  /** Arrows and space go through the game wherever the focus is. */
  #key = (event) => {
    const { key, target } = event;
    if (!this.#table.isConnected) return document.removeEventListener("keydown", this.#key);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, [role=grid]")) return;
    const by = target !== this.#slider && { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (by) this.#go(this.#at + by);
    else if (key !== " " || target.closest("button, a, summary")) return;
    else this.#run();
    event.preventDefault();
  };

  // --- what it was worth ---

  async #analyze() {
    const analysis = await this.#ask(api.analysis).catch((trouble) => trouble);
    if (analysis instanceof Error) return fill(this.#study, soft(analysis.message));
    this.#curves = new Curves(analysis, this.#table.game?.hides ?? true);
    const dear = remarks(analysis);
    for (const { turn, glyph } of dear) this.#marks.set(turn, glyph);
    const list = (remarked) => h("ul", { class: "marks" }, remarked.map(({ text, number }) => h("li", {}, button(text, () => this.#go(this.#moments.findIndex(({ step }) => step >= number)), "marked"))));
    fill(this.#study, h("div", { class: "notes" }, this.#curves.node,
      h("h3", {}, "Moves that cost something"),
      dear.length ? list(dear.slice(0, MOST)) : soft("None: both played as well as is known."),
      dear.length > MOST && h("details", {}, h("summary", {}, `${dear.length - MOST} more that cost less`), list(dear.slice(MOST)))));
    this.#record();
  }

  // --- whether it was fair ---

  async #verify() {
    try {
      const [{ verify }, text] = await Promise.all([import("./verify.js"), this.#ask(api.record)]);
      const results = await verify(text, this.#seen());
      fill(this.#checks, h("h2", {}, "Was it fair?"), h("p", {}, results.some(({ ok }) => ok === false) ? "Something does not fit." : "Everything fits."), h("ul", { class: "checks" }, results.map(({ check, ok, text: told }) => h("li", { class: ok === null ? "none" : ok ? "" : "bad" }, h("b", {}, `${capital(check)}. `), told))));
      this.#checks.scrollIntoView({ block: "nearest" });
    } catch ({ message }) {
      notice(message);
    }
  }

  /** What this browser itself saw of the game, while it was played. */
  #seen() {
    const { info, view, seat } = this.#now;
    const { hash, seed, seen, secrets } = own.game(info.id) ?? {};
    const seeds = [1, 2].map((each) => (each === seat ? seed : null));
    return hash ? { id: info.id, hash, seeds, commitments: seen ?? {}, secrets, events: view.history, end: view.outcome } : null;
  }

  async #download() {
    const { id, game } = this.#now.info;
    try {
      const href = URL.createObjectURL(new Blob([await this.#ask(api.record)], { type: "application/jsonl" }));
      link("", href, "", { download: `${game}-${id.slice(0, 8)}.jsonl` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 1000);
    } catch ({ message }) {
      notice(message);
    }
  }

  // --- once more ---

  async #rematch() {
    const { id } = this.#now.info;
    const next = own.game(id)?.next ?? own.token();
    own.keep(id, { next }); // asked twice, it is the same game
    try {
      const { game, seat } = await this.#ask(api.rematch, next);
      own.keep(game.id, { token: next, title: game.title, seat, hash: game.coins.hash });
      location.hash = `#play/${game.id}/${next}`;
    } catch ({ message }) {
      notice(message);
    }
  }
}
