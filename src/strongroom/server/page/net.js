/* A game over a WebSocket: what is known of it, kept up to date, and moves that are never lost. */

import { token as made } from "./own.js";

const BEAT = 20_000; // a ping
const DEAF = 30_000; // so long without a word, and the line is dead
const PATIENCE = 12_000; // so long without an answer to a move
const LONGEST = 15_000; // between two attempts
const FOR_GOOD = { 4001: "taken", 4003: "refused", 4004: "expired", "bad-token": "refused", "unknown-game": "expired" };

/** How a connection is, in words: for the lamp, and for a notice. */
export const IN_WORDS = {
  connecting: ["connecting", ""],
  connected: ["connected", ""],
  lost: ["connection lost", "Connection lost. Nothing is lost; trying again …"],
  restart: ["restarting", "The server restarts. Nothing is lost; trying again …"],
  taken: ["in another tab", "This game is open in another tab."],
  refused: ["wrong link", "This link opens no seat in this game."],
  expired: ["no such game", "This game is not kept any more, or never was."],
};

/** Nothing known yet. */
export const NOTHING = { info: null, seat: null, view: null, words: null, rows: [], clock: null, have: 0 };

/** What is known after a frame: a welcome begins anew, entries add to it. */
export function fold(table, frame) {
  if (frame.type === "game") return { ...table, info: frame.game };
  const clock = frame.clock ? { ...frame.clock, heard: performance.now() } : table.clock;
  if (frame.type === "welcome") {
    return { ...table, info: frame.game, seat: frame.seat, clock, view: frame.view, have: frame.number, ...worded(NOTHING, frame) };
  }
  const last = frame.number + frame.entries.length - 1;
  if (last < table.have || !table.view) return table;
  const steps = frame.entries.slice(table.have + 1 - frame.number).filter((each) => each.move != null && !each.keeper);
  const history = [...table.view.history, ...steps.map(({ seat, move, answer }) => ({ seat, move, answer }))];
  const view = { ...table.view, ...frame.view, history };
  return { ...table, view, clock, have: last, ...worded(table, frame) };
}

function worded(table, { words }) {
  if (!words) return {};
  const said = words.said || table.words?.said || ""; // a hint or a hidden step says nothing
  return { words: { ...words, said }, rows: [...table.rows.slice(0, words.turns.from), ...words.turns.rows] };
}

/** One game, as one seat or a spectator sees it; it says "table", "state", "refused", "trouble", "hint". */
export class Link extends EventTarget {
  table = NOTHING;
  state = "connecting";
  behind = 0; // by how many seconds the clock here is behind the server's
  #socket = null;
  #tries = 0;
  #timer = 0;
  #ticks = 0;
  #heard = 0;
  #pinged = 0;
  #since = 0;
  #waits = new Map(); // what was asked and not yet answered, by id

  constructor(game, token, seed) {
    super();
    Object.assign(this, { game, token, seed });
  }

  /** Connects, and stays connected until it is closed. */
  open() {
    this.#listen("addEventListener");
    this.#ticks = setInterval(() => this.#tick(), 2000);
    this.#connect();
  }

  /** Ends it. */
  close() {
    this.#listen("removeEventListener");
    clearInterval(this.#ticks);
    this.#drop();
  }

  /** Connects at once: after a while offline, or to take the game over from another tab. */
  again() {
    this.#tries = 0;
    this.#connect();
  }

  /** Whether a request of this kind is on its way. */
  asks(type) {
    return [...this.#waits.values()].some((each) => each.frame.type === type);
  }

  /** Whether it came to an end that only a person can change. */
  get ended() {
    return ["taken", "refused", "expired"].includes(this.state);
  }

  /** Asks for something, now or as soon as there is a connection: "move", "resign", "claim", "hint". */
  ask(type, more) {
    const frame = { type, id: made(), number: this.table.have + 1, ...more };
    this.#waits.set(frame.id, { frame, since: performance.now() });
    if (this.state === "connected") this.#send(frame);
    this.#tell("table");
  }

  #listen(how) {
    window[how]("online", this.#seen);
    window[how]("offline", this.#offline);
    document[how]("visibilitychange", this.#seen);
  }

  #offline = () => this.#lost("lost");
  #seen = () => {
    if (document.visibilityState !== "visible" || this.ended) return;
    if (this.state === "connected") this.#ping();
    else this.again();
  };

  #connect() {
    this.#drop();
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => this.#hello();
    socket.onmessage = ({ data }) => socket === this.#socket && this.#hear(JSON.parse(data));
    socket.onclose = ({ code }) => socket === this.#socket && this.#lost(FOR_GOOD[code] ?? (code === 1012 ? "restart" : "lost"));
    if (!this.table.info || this.ended) this.#turn("connecting");
  }

  #hello() {
    const { game, token, seed, table } = this;
    this.#send({ type: "hello", game, words: true, ...(token && { token, seed }), ...(table.view && { have: table.have }) });
  }

  #drop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(state) {
    if (this.ended) return;
    this.#drop();
    // The attempts that fail while the server restarts are part of that.
    this.#turn(state === "lost" && this.state === "restart" ? "restart" : state);
    const wait = Math.min(LONGEST, 500 * 2 ** this.#tries++) * (0.5 + Math.random());
    if (!this.ended) this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #tick() {
    const now = performance.now();
    const late = [...this.#waits.values()].some((each) => now - Math.max(each.since, this.#since) > PATIENCE);
    if (this.#socket && (now - this.#heard > DEAF || (late && this.state === "connected"))) this.#lost("lost");
    else if (now - this.#pinged > BEAT) this.#ping();
  }

  #ping() {
    this.#pinged = performance.now();
    if (this.state === "connected") this.#send({ type: "ping" });
  }

  #send(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #hear(frame) {
    this.#heard = performance.now();
    if (frame.type === "closing") return this.#lost(IN_WORDS[frame.why] ? frame.why : "lost");
    if (frame.type === "error") return this.#error(frame);
    const begins = this.state !== "connected";
    if (begins) {
      this.#tries = 0;
      this.#since = this.#heard;
      this.#turn("connected");
    }
    if (frame.type === "pong") this.behind = (frame.time ?? Date.now() / 1000) - Date.now() / 1000;
    else if (frame.type === "refused" || frame.type === "hint") this.#answered(frame, frame.type);
    else this.#learn(frame);
    if (!begins) return;
    this.#ping();
    for (const { frame: asked } of this.#waits.values()) this.#send(asked);
  }

  #learn(frame) {
    const before = this.table;
    if (frame.type === "entries" && before.view && frame.number > before.have + 1) {
      this.#turn("connecting"); // a gap: what is missing comes after the next hello
      return this.#connect();
    }
    this.table = fold(before, frame);
    this.#waits.delete(frame.made);
    if (this.table.view?.outcome) this.#waits.clear();
    this.#tell("table", { frame, before });
  }

  #answered(frame, type) {
    this.#waits.delete(frame.id);
    this.#tell(type, frame);
    this.#tell("table");
  }

  #error(frame) {
    const asked = this.#waits.get(frame.id)?.frame;
    if (FOR_GOOD[frame.code]) this.#lost(FOR_GOOD[frame.code]);
    else if (asked && ["slow-down", "unavailable"].includes(frame.code)) setTimeout(() => this.#waits.has(frame.id) && this.#send(asked), 1500);
    else this.#answered(frame, "trouble");
  }

  #turn(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell("state");
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
