/* A table: what arrives of a game is shown, what is chosen on its board is sent. */

import { Ahead, KEPT, PARTLY } from "./ahead.js";
import * as api from "./api.js";
import { boardOf } from "./board.js";
import { Desk } from "./desk.js";
import { changed, fill, h, set, write } from "./dom.js";
import { Lessons } from "./learn.js";
import { IN_WORDS, lineTo, NOTHING } from "./net.js";
import * as own from "./own.js";
import { button, dialog, flat, link, page, sentences, soft } from "./parts.js";
import { play } from "./sound.js";
import { lamp, notice, notify, say, title, YOURS } from "./status.js";
import { PHRASES } from "./talk.js";
import { absence, asked, claimable, thinking, turnOf } from "./turn.js";
import { witnessOf } from "./witness.js";

// Each is heard by the method of its name.
const EVENTS = ["table", "state", "refused", "trouble", "hint", "read", "phrase"];
const REST = 4000; // milliseconds to wait for a board at most
const PAUSE = 400; // milliseconds between a moment and the next
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Opens a game: with a token one plays, without one watches. */
export async function open(stage, id, token) {
  const { game: name, coins } = await api.fixed(id);
  const game = await api.gameNamed(name);
  const witness = witnessOf(id, token, coins.hash);
  const table = new Table(stage, game, lineTo(id, token, witness.seed), witness);
  table.open();
  return () => table.leave();
}

/** One game in this window: its connection, its desk, and what its player is about to do. */
class Table {
  now = NOTHING; // what is shown
  coming = NOTHING; // what the board shows, which moves before the rest is told
  waiting = []; // what has arrived and is to be shown afterwards
  presenting = false;
  board = null; // once it is loaded
  loading = false;
  shown = {}; // the view that the board shows, and whether it may be touched
  resting = null; // resolves when the board has come to rest
  choice = null;
  refusal = null; // what is said of what was not taken
  advice = null; // the last hint, until somebody moves
  asked = false; // whether the last announcement left this seat with a question
  news = ""; // what the other one did besides moving
  countdown = h("span", { "aria-hidden": "true" }); // until the next attempt to connect
  ended = null; // the end, once the board has come to rest

  /**
   * @param {HTMLElement} stage
   * @param {Game} game
   * @param {Connection} line
   * @param {ReturnType<typeof witnessOf>} witness
   */
  constructor(stage, game, line, witness) {
    this.stage = stage;
    this.game = game;
    this.line = line;
    this.witness = witness;
    this.desk = new Desk(line, this);
    this.ahead = new Ahead(line, game);
    this.lessons = new Lessons(this);
  }

  /** Shows the table, and connects it. */
  open() {
    const { line } = this;
    for (const event of EVENTS)
      line.addEventListener(event, (/** @type {CustomEvent} */ { detail }) => this[event](detail));
    this.ticks = setInterval(() => this.tick(), 250);
    fill(this.stage, Object.assign(this.desk.node, { link: line }));
    this.state();
    line.open();
  }

  /** Leaves it; the game goes on without this window. */
  leave() {
    clearInterval(this.ticks);
    this.ended?.stop();
    this.lessons.stop();
    this.line.close();
  }

  // --- what arrives ---

  state() {
    const { line } = this;
    const { state } = line;
    const [short, long] = IN_WORDS[state];
    lamp(state, short);
    if (line.ended() && !line.table.info && state !== "taken") return this.leadsNowhere(long);
    const again = () => line.again();
    const gone = { "All games": () => (location.hash = "") };
    const acts = {
      taken: { "Play here": again },
      lost: { "Try now": again },
      restart: { "Try now": again },
      expired: gone,
      withdrawn: gone,
    }[state];
    notice(long, acts ?? {}, ["lost", "restart"].includes(state) && this.countdown);
    if (acts === gone) own.forget(line.id);
    this.act();
  }

  /** A link that opens nothing has a page instead of a table. */
  leadsNowhere(why) {
    const { id, token } = this.line;
    const mine = own.game(id);
    const back =
      mine &&
      mine.token !== token &&
      link("To your own seat", `#play/${id}/${mine.token}`, "button.main");
    if (this.line.state !== "refused" && mine?.token === token) own.forget(id);
    this.leave();
    title("Not opened");
    fill(
      this.stage,
      page("This link leads nowhere", why, h("div.row", back, link("All games", "#", "button"))),
    );
  }

  /** What arrives is shown one moment after the other, each once the last has come to rest. */
  async table(arrived) {
    const { table } = this.line;
    if (!table.info) return;
    const { frame, before } = arrived;
    const tells = frame?.words && !(frame.type === "welcome" && before.view);
    if (tells) this.refusal = null; // what is refused while it waits to be shown came later
    if (frame) this.witness.keep(table, frame.entries);
    if (frame?.type === "welcome") this.waiting = []; // it tells all of that
    this.waiting.push({ ...arrived, table, tells });
    if (this.presenting) return;
    this.presenting = true;
    while (this.waiting.length) {
      const next = this.waiting.shift();
      const moved = next.table.view?.number !== this.now.view?.number;
      this.coming = next.table;
      if (moved && this.board) this.onBoard();
      if (moved && this.board?.falls) await this.falls(next.table);
      this.now = next.table;
      this.presents(next);
      await this.rests();
      if (moved && this.waiting.length) await new Promise((done) => setTimeout(done, PAUSE));
    }
    this.presenting = false;
    this.draw();
  }

  /** Tells what chance did once it can be seen, and whose turn it is once that was read. */
  async falls(table) {
    const { board, desk, now } = this;
    const lines = table.words.said.trim().split("\n");
    desk.name({ ...now, view: { ...now.view, actor: "chance" } }, this.game);
    title("", table.info.title);
    write(desk.confirm, "…"); // nothing is being sent any more
    desk.speak(flat(lines.slice(0, -1).join("\n")));
    await this.patiently(board.falls);
    desk.books.show(table, this.game, board);
    desk.speak(...sentences(table.words.said, true));
    await this.rests();
  }

  presents({ frame, before, tells }) {
    const { now: table } = this;
    const { info, seat } = table;
    const me = seat && info.seats[seat - 1];
    if (me?.name === own.GUEST) me.name = own.YOU;
    if ((table.view?.number || table.view?.outcome) && own.game(info.id)?.fresh)
      own.keep(info.id, { fresh: null });
    // Also of what was missed while away.
    if (before && before.view?.number !== table.view?.number) this.advise(null);
    if (frame?.type === "game") this.came(before.info, info);
    if (tells) {
      const entries = frame.entries ?? [];
      const by = entries.at(-1)?.hint;
      if (entries.some((entry) => entry.step)) this.news = "";
      if (by && by !== seat) say((this.news = `${info.seats[by - 1].name} took a hint.`));
      else this.announce(before, entries[0]?.end ? "" : frame.words.said);
    }
    if (frame) this.ahead.send();
    this.draw();
  }

  /** Says every event, in the server's sentences. */
  async announce(before, said = "") {
    const { view, words, seat } = this.now;
    const asks = seat !== null && view.actor === seat && !this.ahead.waits;
    const turn = asks && !this.asked;
    this.asked = asks;
    await this.rests();
    const told = [flat(said), flat(words.ending)].filter(Boolean).join(" ");
    say([told, turn && (view.setting_up ? asked(words) : turnOf(words))].filter(Boolean).join(" "));
    if (turn) notify(told, this.line.id);
  }

  came(before, now) {
    now.seats.forEach((sitter, index) => {
      const was = before?.seats[index];
      if (!sitter || this.now.seat === index + 1) return;
      if (!was) say(`${sitter.name} has sat down.`);
      else if (was.here !== sitter.here) say(`${sitter.name} is ${sitter.here ? "back" : "away"}.`);
    });
  }

  /** @param {{ kind?: string, reason: string, accepted?: string }} refusal */
  refused({ kind, reason, accepted = "" }) {
    if (kind) this.ahead.keep([]);
    this.refusal = [flat(reason), flat(accepted), "refused"];
    say(flat(`${reason} ${accepted}`));
    this.act();
  }

  trouble({ code, text }) {
    this.refused({
      reason:
        code === "stale" ? "The game had gone on before that arrived. Look at it again." : text,
    });
  }

  hint(advice) {
    this.advise(advice);
    say(`Hint: ${advice.plain}`);
  }

  /** Marks what a hint suggests; null: nothing. */
  advise(advice) {
    this.advice = advice;
    this.board?.marks(advice?.moves ?? []);
  }

  /** Asks for a hint; once it is given, shows the figures behind it. */
  hinted() {
    if (this.advice)
      dialog(
        "Why?",
        h("p.hint", this.advice.text),
        button("Back to the game", null, "button.main"),
      );
    else this.line.ask("hint");
  }

  /** Somebody says one of the phrases. */
  phrase({ seat, phrase }) {
    const text = PHRASES[phrase];
    const mine = seat === this.now.seat;
    if (!text || (own.muted() && !mine)) return;
    this.desk.players.hear(seat, text);
    say(`${mine ? "You say" : `${this.now.info.seats[seat - 1].name} says`}: ${text}`);
  }

  read(taken) {
    this.board.takes(taken);
    if (this.choice) say(`${this.choice.title} ${this.choice.means}`);
  }

  tick() {
    const seconds = Math.ceil((this.line.retryAt - performance.now()) / 1000);
    write(this.countdown, seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again …");
    this.desk.players.tick();
    if (claimable(this.line) !== null) this.act();
  }

  /** Waits until the board has come to rest, but not for long. */
  rests() {
    return this.patiently(this.resting);
  }

  patiently(wanted) {
    return Promise.race([wanted, new Promise((resolve) => setTimeout(resolve, REST))]);
  }

  // --- what is shown ---

  draw() {
    const { desk, game, now: table } = this;
    const { info, seat, view } = table;
    desk.name(
      this.ahead.waits ? { ...table, view: { ...view, secret: this.ahead.chosen } } : table,
      game,
    );
    title(!view ? "Waiting" : view.outcome ? "Over" : view.actor === seat && YOURS, info.title);
    if (view?.outcome && !this.shown.view) desk.node.classList.add("opening"); // over since long
    if (!view) this.wait(info);
    else if (this.ended) this.ended.informed(info);
    else {
      desk.books.show(table, game, this.board);
      if (this.board) this.onBoard();
      else this.load();
    }
    this.rests().then(() => this.act());
  }

  async wait(info) {
    const { line } = this;
    const { place } = this.desk;
    if (!changed(place, info.seats.every(Boolean))) return;
    fill(place, soft("Waiting …"));
    const { waitingRoom } = await import("./invite.js");
    if (!line.table.view && line.table.seat !== null) fill(place, waitingRoom(info, line.token));
  }

  async load() {
    if (this.loading) return;
    this.loading = true;
    this.board = await boardOf(this.game.board).catch(() => null);
    this.loading = false;
    if (!this.board)
      return notice("The board could not be loaded. Nothing is lost.", {
        "Try again": () => this.load(),
      });
    fill(this.desk.place, this.board);
    this.draw();
  }

  onBoard() {
    const { line, desk } = this;
    const { view, seat } = this.coming;
    const before = this.shown.view;
    const held = desk.node.contains(document.activeElement);
    const canMove =
      seat !== null &&
      (view.actor === seat || this.ahead.open) &&
      !this.waiting.length &&
      !line.asks("move", "read");
    const moves = String(this.ahead.moves);
    if (before === view && this.shown.canMove === canMove && this.shown.moves === moves) return;
    const shown = view === line.table.view ? this.ahead.view : view;
    this.resting = this.show({ ...this.coming, view: shown }, Boolean(before), canMove);
    if (held && document.activeElement === document.body) desk.focus();
    this.shown = { view, canMove, moves };
    if (view.outcome && !before?.outcome) this.finish(held, Boolean(before));
  }

  /** Shows a moment on the board, moving or at once; resolves when it has come to rest. */
  show({ view, words, seat }, moving, canMove = false) {
    const early = this.ahead.open;
    return this.board.show({
      view,
      words,
      seat,
      early,
      game: this.game,
      info: this.coming.info,
      canMove,
      motion: moving && !still.matches,
    });
  }

  /**
   * Shows the end, with its sound if it happens now; a focus that is lost by that goes to what is
   * new.
   */
  async finish(held, now) {
    const { desk } = this;
    const { view, seat } = this.coming;
    const { winner } = view.outcome;
    const { ending, endingOf } = await import("./end.js");
    const kind = await endingOf(this.game);
    const spare = await boardOf(this.game.board);
    await this.rests();
    if (!desk.node.isConnected) return;
    desk.books.close();
    desk.actions.hidden = false;
    this.ended = ending(this, kind, spare, now);
    desk.node.classList.remove("opening");
    if (now) play(winner && [winner, null].includes(seat) ? "door" : "shut");
    const { activeElement: focused, body } = document;
    if (held && (focused === body || !focused.getClientRects().length))
      desk.place.focus({ preventScroll: true });
  }

  // --- what is said and what can be done ---

  /** What the referee says, what it means, and how that looks. */
  get says() {
    const { line, now: table } = this;
    const { state } = line;
    const { view, words, seat, info } = table;
    const choice = this.choice;
    if (!info) return ["", IN_WORDS[state][1] || "Opening the game …"];
    if (!view) return ["Waiting for an opponent", "It begins here by itself."];
    if (this.refusal) return this.refusal;
    if (line.asks("move", "read"))
      return [
        choice?.title ?? "",
        state === "connected"
          ? "Sending …"
          : "It is kept, and sent as soon as the connection is back.",
      ];
    if (this.ahead.settled(choice)) return [`Your ${this.game.secret_name} is chosen`, KEPT];
    const look = this.advice ? "advised" : "soft";
    const mine = view.actor === seat;
    const recalled = view.setting_up ? "" : (this.board?.recalled ?? "");
    if (choice)
      return [
        choice.title,
        this.advice?.plain ?? [choice.means, recalled].filter(Boolean).join(" "),
        look,
      ];
    const small = this.advice?.plain ?? this.news;
    if (view.setting_up)
      return mine
        ? [asked(words), small || words.secrecy, look]
        : [thinking(table), absence(line) || this.invites];
    const [last, before] = sentences(words.said, view.history.at(-1)?.seat === "chance");
    return [
      last,
      small ||
        [before, mine ? recalled || turnOf(words) : absence(line)].filter(Boolean).join(" "),
      look,
    ];
  }

  /** That one may choose before one's turn, or choose on. */
  get invites() {
    if (!this.ahead.open) return "";
    return this.ahead.moves.length
      ? PARTLY
      : `You may choose your own ${this.game.secret_name} already.`;
  }

  act() {
    if (this.ended) return;
    const { desk, game, line } = this;
    const { info, view, seat } = this.now;
    const { state } = line;
    const choice = this.choice;
    const sending = line.asks("move", "read");
    const rest = claimable(line);
    const offered = this.offered;
    const { open: early } = this.ahead;
    const settled = this.ahead.settled(choice);
    const playing = view?.actor && seat !== null;
    const mine = playing && (view.actor === seat || early) && view === this.shown.view;
    const answers = playing && this.board?.answers;
    desk.actions.hidden = !playing;
    desk.resign.hidden = !playing;
    desk.answers.forEach((each, at) => {
      each.hidden = !answers;
      each.disabled = sending || line.ended();
      write(each, answers ? answers[at].button : "");
      set(each, { "data-hinted": answers && this.advice?.moves.includes(answers[at].move) });
    });
    desk.confirm.hidden = desk.undo.hidden = Boolean(answers) || !playing;
    write(
      desk.confirm,
      sending
        ? state === "connected"
          ? "Sending …"
          : "Kept"
        : settled
          ? "Chosen"
          : (offered?.button ?? (mine ? `Choose ${this.wanted}` : "Not your turn")),
    );
    desk.confirm.disabled = !mine || !offered || settled || line.asks("move") || line.ended();
    desk.confirm.classList.toggle("offered", Boolean(offered && !choice && !sending));
    desk.undo.disabled = !(choice || this.ahead.waits) || sending;
    desk.claim.hidden = rest === null || rest > 0;
    desk.hint.hidden = !(game.hints && info?.aids) || !desk.claim.hidden;
    write(desk.hint, line.asks("hint") ? "…" : this.advice ? "Why?" : "Hint");
    desk.hint.disabled = !mine || early || line.asks("hint") || line.ended();
    desk.hint.hidden ||= !playing || Boolean(this.board?.hiding);
    desk.draws.hidden = !(mine && this.board?.hiding && this.board.pick);
    desk.draws.ariaLabel = `Draw a ${game.secret_name} for me`;
    desk.bot.hidden = !playing || this.opponent.player === "person";
    desk.resign.disabled = line.ended() || line.asks("resign");
    this.lessons.show();
    const taught = !this.refusal && !this.advice && !sending && this.lessons.says;
    desk.teach(taught ? this.lessons.count : "");
    desk.speak(...(taught || this.says));
  }

  /** What is to be chosen, in words. */
  get wanted() {
    const { game } = this;
    const { view } = this.now;
    const chosen = this.ahead.chosen.length;
    if (!view.setting_up) return "a move";
    return chosen && chosen < game.secrets ? "the next one" : `a ${game.secret_name}`;
  }

  /** What the main button sends: the choice, or what the board shows before it is touched. */
  get offered() {
    return this.choice ?? this.board?.untouched ?? null;
  }

  /** Who sits opposite. */
  get opponent() {
    const { info, seat } = this.now;
    return info.seats[2 - seat];
  }

  /** Lets the player choose another bot and another name. */
  otherBot() {
    import("./bot.js")
      .then(({ another }) => another(this.game, this.opponent.player))
      .catch(({ message }) => notice(message));
  }

  /** Draws a secret for somebody who wants no habit to show. */
  draws() {
    this.board.choose(this.board.pick());
  }

  /** Gives one of the two answers that the board offers instead of choices. */
  answer(at) {
    this.refusal = null;
    this.line.ask("move", { move: this.board.answers[at].move });
  }

  chosen(choice) {
    this.choice = choice;
    this.refusal = null;
    this.act();
  }

  undo() {
    const { ahead, choice } = this;
    const back = ahead.open && (!choice || ahead.settled(choice));
    this.board?.clear();
    if (!back) return;
    ahead.drop();
    this.draw();
  }

  key(event) {
    if (document.querySelector(":popover-open")) return;
    const free =
      event.target.closest("[data-enter]") || !event.target.closest("button, a, input, summary");
    if (event.key === "Escape") this.undo();
    if (event.key !== "Enter" || !(event.repeat || (this.choice && free))) return;
    event.preventDefault();
    if (!event.repeat) this.send(); // a key that is held confirms nothing
  }

  send() {
    const { desk, line } = this;
    const { move, read } = this.offered ?? {};
    if (desk.confirm.disabled || line.asks("read")) return;
    this.refusal = null;
    if (read) return line.ask("read", { move: read });
    desk.focus(); // a button that rests loses the focus
    if (!this.ahead.open) return line.ask("move", { move });
    this.ahead.add(move);
    say(this.ahead.settled() ? KEPT : PARTLY);
    this.draw();
  }
}
