/* A game that is played or watched: the table with its board, the referee's words and the actions. */

import * as api from "./api.js";
import { fill, h, write } from "./dom.js";
import { Ledger, Notebook } from "./ledger.js";
import { IN_WORDS, Link } from "./net.js";
import * as own from "./own.js";
import { button, dialog, flat, link, page, soft } from "./parts.js";
import { minutes, Players } from "./players.js";
import { lamp, notice, say, title } from "./status.js";

const DRAWN = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"];
const REST = 1500; // no longer than this the referee waits for a board to come to rest
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The board of a game as an element; its module is loaded only now. */
async function boardOf(name) {
  const known = DRAWN.includes(name) ? name : "generic";
  const module = await import(`./boards/${known}.js`);
  if (!customElements.get(`board-${known}`)) customElements.define(`board-${known}`, module.default);
  return document.createElement(`board-${known}`);
}

/** A prompt as a sentence that stands alone. */
const asked = (text) => text.replace(/:$/, ".");

/** Whose turn it is, without the menu that a terminal shows below it. */
const heading = (words) => words.heading.split("\n")[0].replace(/[:.[\]]/g, "");

/** The table of one game. */
export class GameTable extends HTMLElement {
  /** What the end shows below the table. */
  study = h("section", { class: "card study", "aria-label": "How it went", hidden: true });
  /** The record beside the board. */
  ledger = new Ledger();
  #players = new Players();
  #notebook = new Notebook();
  #heading = h("h1", { class: "unseen" });
  #name = h("p", { class: "soft named" });
  #place = h("div", { class: "board-place" });
  #large = h("p", { class: "large" });
  #means = h("p", { class: "means" });
  #actions = h("div", { class: "actions", role: "group", "aria-label": "Actions" });
  #column = h("aside", { class: "card column", "aria-label": "Record and notebook" }, this.ledger.node, this.#notebook.node);
  #board = null;
  #choice = null;
  #refusal = null; // what is said of what was not taken
  #hint = "";
  #news = ""; // what the other one did besides moving
  #resting = null;
  #shown = {}; // the view that the board shows, and whether it may be touched
  #waits = null; // the room in which one waits
  #ending = null;
  #ticks = 0;
  #confirm = button("", () => this.#send(), "button main");
  #undo = button("Undo", () => this.#board.clear());
  #ask = button("Hint", () => this.link.ask("hint"));
  #claim = button("Claim the game", () => this.link.ask("claim"));
  #resign = button("Resign", () => this.#giveUp(), "quiet");

  connectedCallback() {
    const rules = async () => (await import("./rulebook.js")).overlay(this.link.table.info.game).catch(({ message }) => notice(message));
    this.actions(this.#confirm, this.#undo, this.#ask, this.#claim);
    this.append(this.#heading, h("div", { class: "table" },
      h("section", { class: "card desk", "aria-label": "Table" },
        this.#name, this.#players.node, this.#place,
        h("div", { class: "foot" }, h("div", { class: "referee" }, this.#large, this.#means), this.#actions),
        h("div", { class: "asides" }, button("Rules", rules, "quiet"), this.#resign)),
      this.#column, this.study));
    const { link } = this;
    link.addEventListener("table", ({ detail }) => this.#told(detail));
    link.addEventListener("state", () => this.#connection());
    link.addEventListener("refused", ({ detail }) => this.#refused(detail.reason, detail.accepted));
    link.addEventListener("trouble", ({ detail }) => this.#refused(detail.code === "stale" ? "The game had gone on before that arrived. Look at it again." : detail.text));
    link.addEventListener("hint", ({ detail }) => {
      this.#hint = detail.text;
      say(`Hint: ${detail.text}`);
    });
    this.addEventListener("choice", ({ detail }) => {
      this.#choice = detail;
      this.#refusal = null;
      this.#act();
    });
    this.addEventListener("send", () => this.#send());
    this.addEventListener("keydown", (event) => {
      const free = event.target.closest("[data-enter]") || !event.target.closest("button, a, input, summary");
      if (event.key === "Escape") this.#board?.clear?.();
      if (event.key !== "Enter" || !this.#choice || !free) return;
      event.preventDefault();
      this.#send();
    });
    this.#ticks = setInterval(() => this.#tick(), 250);
    this.#connection();
    link.open();
  }

  disconnectedCallback() {
    clearInterval(this.#ticks);
    this.#ending?.stop();
    this.link.close();
  }

  // --- what arrives ---

  #connection() {
    const { state } = this.link;
    const [short, long] = IN_WORDS[state];
    lamp(state, short);
    if (this.link.ended && !this.link.table.info && state !== "taken") return this.#leadsNowhere(long);
    const again = () => this.link.again();
    const home = () => (location.hash = "");
    const [label, act] = { taken: ["Play here", again], lost: ["Try now", again], expired: ["All games", home] }[state] ?? [""];
    notice(long, label, act);
    if (state === "expired") own.forget(this.link.game);
    this.#act();
  }

  /** A link that opens nothing has a page instead of a table. */
  #leadsNowhere(why) {
    const mine = own.game(this.link.game);
    const back = mine && mine.token !== this.link.token && link("To your own seat", `#play/${mine.id}/${mine.token}`, "button main");
    title("Not opened");
    this.replaceWith(page("This link leads nowhere", why, h("div", { class: "row" }, back, link("All games", "#", "button"))));
  }

  #told({ frame, before }) {
    const { table } = this.link;
    if (!table.info) return;
    if (frame) this.#keep(frame);
    if (frame?.type === "game") this.#came(before.info, table.info);
    if (frame?.words && !(frame.type === "welcome" && before.view)) {
      this.#refusal = null;
      const entries = frame.entries ?? [];
      if (entries.some((entry) => entry.step)) this.#hint = this.#news = "";
      const hint = entries.at(-1)?.hint;
      if (hint && hint !== table.seat) say((this.#news = `${table.info.seats[hint - 1].name} took a hint.`));
      else this.#announce(before, frame.words, entries[0]?.end);
    }
    this.#draw();
  }

  /** What one saw oneself, so that the end can be held against it; the token only now that it has a seat. */
  #keep({ entries = [] }) {
    const { token, seed, table } = this.link;
    const { info, seat, view } = table;
    if (seat === null) return;
    const mine = own.game(info.id) ?? {};
    const [seen, secrets] = [{ ...mine.seen }, { ...mine.secrets }];
    for (const { step, commitment, keeper, move } of entries) {
      if (commitment) seen[step] ??= commitment;
      if (keeper === seat && move) secrets[step] ??= move;
    }
    const taken = info.coins.seeds[seat - 1] === seed; // another browser with this link may have been first
    const more = { token, title: info.title, hash: mine.hash ?? this.hash, seed: taken ? seed : mine.token === token ? mine.seed : undefined, seat, seen, secrets, over: Boolean(view?.outcome), waits: !view, who: info.seats[2 - seat]?.name, turn: view?.actor === seat, created: info.created };
    if (Object.keys(more).some((key) => JSON.stringify(more[key]) !== JSON.stringify(mine[key]))) own.keep(info.id, more);
  }

  /** Says every event, in the server's sentences. */
  async #announce(before, words, given) {
    const { view, seat } = this.link.table;
    const turn = seat !== null && view.actor === seat && before.view?.actor !== seat;
    await this.#rests();
    say([!given && flat(words.said), flat(words.ending), turn && (view.setting_up ? asked(words.prompt) : heading(words))].filter(Boolean).join(" "));
  }

  #came(before, now) {
    now.seats.forEach((sitter, index) => {
      const was = before?.seats[index];
      if (!sitter || this.link.table.seat === index + 1) return;
      if (!was) say(`${sitter.name} has sat down.`);
      else if (was.here !== sitter.here) say(`${sitter.name} is ${sitter.here ? "back" : "away"}.`);
    });
  }

  #refused(reason, accepted = "") {
    this.#refusal = [flat(reason), flat(accepted), "refused"];
    say(flat(`${reason} ${accepted}`));
    this.#act();
  }

  /** Waits until the board has come to rest, but not for long. */
  #rests() {
    return Promise.race([this.#resting, new Promise((resolve) => setTimeout(resolve, REST))]);
  }

  // --- what is shown ---

  #draw() {
    const { table } = this.link;
    const { info, seat, view } = table;
    write(this.#heading, `${info.title}: ${info.seats.map((each) => each?.name ?? "nobody yet").join(" against ")}`);
    write(this.#name, info.title);
    this.#players.show(table, this.game, this.#status());
    this.#column.hidden = !view;
    title(!view ? "Waiting" : view.outcome ? "Over" : view.actor === seat && "Your turn", info.title);
    if (!view) this.#wait(info);
    else if (view.outcome) this.#finish();
    if (view && !this.#ending) {
      this.ledger.show(table, this.game);
      this.#notebook.show(table, this.#hint, this.game?.hides ?? true);
      this.#onBoard();
    }
    this.#rests().then(() => this.#act());
  }

  async #onBoard() {
    const { table } = this.link;
    if (!this.#board) {
      this.#board = "loading";
      try {
        this.#board = await boardOf(table.info.game);
      } catch {
        this.#board = null;
        return notice("The board could not be loaded. Nothing is lost.", "Try again", () => this.#onBoard());
      }
      fill(this.#place, this.#board);
      return this.#draw();
    }
    const canMove = table.seat !== null && table.view.actor === table.seat && !this.link.asks("move");
    if (this.#board === "loading" || (this.#shown.view === table.view && this.#shown.canMove === canMove)) return;
    this.#resting = this.show(table, Boolean(this.#shown.view), canMove);
    this.#shown = { view: table.view, canMove };
  }

  /** Shows a moment on the board, moving or at once; resolves when it has come to rest. */
  show({ view, words, seat }, moving, canMove = false) {
    const { info } = this.link.table;
    return this.#board.show({ view, words, seat, info, canMove, aids: info.aids, motion: moving && !still.matches });
  }

  /** What the referee says, and what it means. */
  speak(large, means = "", look = "") {
    write(this.#large, large);
    write(this.#means, means);
    this.#means.className = `means ${look}`;
  }

  /** What can be done below the referee's words. */
  actions(...nodes) {
    fill(this.#actions, nodes);
  }

  #words() {
    const { table, state } = this.link;
    const { view, words, seat, info } = table;
    const choice = this.#choice;
    if (!info) return ["", IN_WORDS[state][1] || "Opening the game …"];
    if (!view) return seat === null ? ["Waiting for the other one", "It begins here by itself."] : [""];
    if (this.#refusal) return this.#refusal;
    if (this.link.asks("move")) return [choice?.title ?? "", state === "connected" ? "Sending …" : "Your move is kept, and sent as soon as the connection is back."];
    if (choice) return [choice.title, choice.means];
    const mine = view.actor === seat;
    const small = this.#hint ? `Hint: ${this.#hint.split("\n")[0]}` : this.#news; // all of it is in the notebook
    const seen = info.game === "safe-code" && view.secret.length ? `${info.seats[2 - seat].name} sees it when they ask for it.` : "Only you see it, until the game is over.";
    if (view.setting_up) return mine ? [asked(words.prompt), small || seen] : [this.#thinking(), this.#absence()];
    return [flat(words.said), small || (mine ? heading(words) : this.#absence())];
  }

  #thinking() {
    const { info, view } = this.link.table;
    const name = info.seats[view.actor - 1]?.name;
    return name ? `${name} ${view.setting_up ? "chooses in secret" : "is thinking"}` : "The coin is in the air";
  }

  #status() {
    const { info, seat, view } = this.link.table;
    if (!view) return { text: "waiting" };
    const { actor, outcome } = view;
    const who = outcome ? outcome.winner : actor;
    if (outcome) return { text: who ? `${who === seat ? "You" : info.seats[who - 1].name} won` : "Undecided", seat: who };
    if (actor === seat) return { text: view.setting_up ? "Yours to choose" : "Your turn", seat };
    return { text: info.seats[actor - 1]?.here === false ? `${info.seats[actor - 1].name} is away` : this.#thinking(), seat: actor };
  }

  /** In how many seconds the game may be claimed, one for clocks that differ; null: the other one is there. */
  #claimable() {
    const { info, seat, view } = this.link.table;
    const other = seat === null || !view || view.outcome ? null : info.seats[2 - seat];
    return !other || other.here ? null : 1 + info.claim_after - (Date.now() / 1000 + this.link.behind - other.away_since);
  }

  #absence() {
    const { info, seat } = this.link.table;
    const rest = this.#claimable();
    if (rest === null) return "";
    return `${info.seats[2 - seat].name} is away. You may claim the game${rest > 0 ? ` in ${minutes(rest)}` : ", or wait"}.`;
  }

  #tick() {
    this.#players.tick();
    if (this.#claimable() !== null) this.#act();
  }

  async #wait(info) {
    const both = info.seats.every(Boolean);
    if (this.#waits === both) return;
    this.#waits = both;
    fill(this.#place, soft("Waiting …"));
    const { waitingRoom } = await import("./invite.js");
    if (!this.link.table.view && this.link.table.seat !== null) fill(this.#place, waitingRoom(info));
  }

  // --- what can be done ---

  #act() {
    if (this.#ending) return;
    const { table, state, ended } = this.link;
    const { view, seat } = table;
    const playing = view && !view.outcome && seat !== null;
    const mine = playing && view.actor === seat;
    const sending = this.link.asks("move");
    const claimable = this.#claimable();
    this.speak(...this.#words());
    this.#actions.hidden = this.#resign.hidden = !playing;
    const idle = mine ? "Choose a move" : "Not your turn";
    write(this.#confirm, sending ? (state === "connected" ? "Sending …" : "Kept") : this.#choice?.button ?? idle);
    this.#confirm.disabled = !mine || !this.#choice || sending || ended;
    this.#undo.disabled = !this.#choice || sending;
    this.#claim.hidden = claimable === null || claimable > 0;
    this.#ask.hidden = !this.game?.hints || !this.#claim.hidden;
    this.#ask.disabled = !mine || this.link.asks("hint") || ended;
    this.#resign.disabled = ended || this.link.asks("resign");
  }

  #send() {
    if (this.#confirm.disabled) return;
    this.#refusal = null;
    // A button that rests loses the focus.
    if (!document.activeElement.closest("[role=spinbutton], [role=grid]")) this.#place.querySelector("[role=spinbutton], [role=grid] [tabindex='0']")?.focus({ preventScroll: true });
    this.link.ask("move", { move: this.#choice.move });
  }

  #giveUp() {
    dialog("Resign this game?", soft("The other one wins it."), button("Play on"), button("Resign", () => this.link.ask("resign"), "button main"));
  }

  async #finish() {
    if (this.#waits === "over") return this.#ending?.informed();
    this.#waits = "over";
    const { Ending } = await import("./end.js");
    while (!this.#shown.view?.outcome && this.isConnected) await new Promise((resolve) => setTimeout(resolve, 50)); // the board is still loading
    await this.#rests();
    if (!this.isConnected) return;
    this.#resign.hidden = this.#notebook.node.hidden = true;
    this.#actions.hidden = false;
    this.#ending = new Ending(this);
  }
}
customElements.define("strongroom-table", GameTable);

/** Opens a game: with a token one plays, without one watches. */
export async function open(stage, id, token) {
  const info = await api.info(id);
  const mine = own.game(id);
  const seed = (mine?.token === token && mine?.seed) || own.token(); // made after the hash of the server's own seed was seen
  const table = document.createElement("strongroom-table");
  Object.assign(table, { link: new Link(id, token, seed), game: await api.gameNamed(info.game), hash: info.coins.hash });
  fill(stage, table);
  return () => table.remove();
}
