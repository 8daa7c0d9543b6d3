/* A game over a WebSocket: its state, and moves that are never lost. */

import { token as made } from "./own.js";

const BEAT = 20_000; // a ping
const DEAF = 30_000; // without a word: the line is dead
const PATIENCE = 12_000; // so long without an answer to a move
const LONGEST = 4_000; // between two attempts
const FOR_GOOD = {
  4001: "taken",
  4003: "refused",
  4004: "expired",
  4005: "withdrawn",
  "bad-token": "refused",
  "unknown-game": "expired",
  withdrawn: "withdrawn",
};

/** How a connection is, in words: for the lamp, and for a notice. */
export const IN_WORDS = {
  connecting: ["connecting", ""],
  connected: ["connected", ""],
  lost: ["connection lost", "Connection lost. Nothing is lost."],
  restart: ["restarting", "Server restarting. Nothing is lost."],
  taken: ["in another tab", "This game is open in another tab."],
  refused: ["wrong link", "This link opens no seat in this game."],
  expired: ["no such game", "This game is gone, or never existed."],
  withdrawn: ["taken back", "This game was taken back before it began."],
};

/**
 * Nothing known yet.
 * @type {Known}
 */
export const NOTHING = {
  info: null,
  seat: null,
  view: null,
  words: null,
  rows: [],
  clock: null,
  have: 0,
};

/**
 * What is known after a frame: a welcome begins anew, entries add to it.
 * @param {Known} table
 * @param {Frame} frame
 * @returns {Known}
 */
export function fold(table, { type, game: info, seat, number, entries, view, words, clock: told }) {
  if (type === "game") return { ...table, info };
  const clock = told ? { ...told, heard: performance.now() } : table.clock;
  if (type === "welcome")
    return { ...table, info, seat, clock, view, have: number, ...worded(NOTHING, words) };
  const have = number + entries.length - 1;
  if (have < table.have || !table.view) return table;
  const steps = entries
    .slice(table.have + 1 - number)
    .filter((each) => each.move != null && !each.keeper);
  const history = [
    ...table.view.history,
    ...steps.map(({ seat: by, move, answer }) => ({ seat: by, move, answer })),
  ];
  return {
    ...table,
    view: { ...table.view, ...view, history },
    clock,
    have,
    ...worded(table, words),
  };
}

/** Words after those of a frame, which brings the ones that are new. */
function worded({ words: known, rows }, words) {
  if (!words) return {};
  const { turns, ...changes } = words;
  return {
    words: { ...known, ...changes },
    rows: turns ? [...rows.slice(0, turns.from), ...turns.rows] : rows,
  };
}

/**
 * A connection to a game; its events: "table", "state", "refused", "trouble", "hint", "read",
 * "phrase".
 * @param {string} game
 * @param {string | undefined} token
 * @param {string} [seed]
 */
export function lineTo(game, token, seed) {
  const waits = new Map(); // unanswered requests by id
  const closing = new AbortController();
  let socket = null;
  let tries = 0;
  let timer = 0;
  let ticks = 0;
  let heard = 0;
  let pinged = 0;
  let since = 0;
  const line = Object.assign(new EventTarget(), {
    table: NOTHING,
    state: "connecting",
    retryAt: 0, // when it connects again, if it is not connected
    behind: 0, // by how many seconds the clock here is behind the server's
    id: game,
    token,
    open,
    close,
    again,
    ask,

    /** Whether a request of one of these kinds is on its way. */
    asks: (...types) => [...waits.values()].some(({ frame }) => types.includes(frame.type)),

    /** Whether it came to an end that only a person can change. */
    ended: () => Object.values(FOR_GOOD).includes(line.state),
  });
  return line;

  /** Connects, and stays connected until it is closed. */
  function open() {
    const { signal } = closing;
    addEventListener("online", seen, { signal });
    addEventListener("offline", () => lost("lost"), { signal });
    document.addEventListener("visibilitychange", seen, { signal });
    ticks = setInterval(tick, 2000);
    connect();
  }

  function close() {
    closing.abort();
    clearInterval(ticks);
    drop();
  }

  /** Connects at once: after being offline, or to take over from another tab. */
  function again() {
    tries = 0;
    connect();
  }

  /** Sends a request once there is a connection: "move", "read", "resign", "claim", "hint", "phrase". */
  function ask(type, more) {
    const frame = { type, id: made(), number: line.table.have + 1, ...more };
    waits.set(frame.id, { frame, asked: performance.now() });
    send(frame);
    tell("table");
  }

  function seen() {
    if (document.visibilityState !== "visible" || line.ended()) return;
    if (line.state === "connected") ping();
    else again();
  }

  function connect() {
    const { table } = line;
    drop();
    const opened = (socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`));
    heard = performance.now();
    socket.onopen = () =>
      say({
        type: "hello",
        game,
        words: true,
        ...(token && { token, seed }),
        ...(table.view && { have: table.have }),
      });
    socket.onmessage = ({ data }) => opened === socket && hear(JSON.parse(data));
    socket.onclose = ({ code }) =>
      opened === socket && lost(FOR_GOOD[code] ?? (code === 1012 ? "restart" : "lost"));
    if (!table.info || line.ended()) turn("connecting");
  }

  function drop() {
    const left = socket;
    clearTimeout(timer);
    socket = null;
    left?.close();
  }

  function lost(state) {
    const { clock } = line.table;
    if (line.ended()) return;
    drop();
    if (clock) clock.stopped ??= performance.now(); // until the server tells it again
    // The attempts that fail while the server restarts are part of that.
    turn(state === "lost" && line.state === "restart" ? "restart" : state);
    // Not all at once.
    const wait = Math.min(LONGEST, 500 * 2 ** tries++) * (0.5 + Math.random() / 2);
    if (line.ended()) return;
    timer = setTimeout(connect, wait);
    line.retryAt = performance.now() + wait;
  }

  function tick() {
    const now = performance.now();
    const late = [...waits.values()].some(({ asked }) => now - Math.max(asked, since) > PATIENCE);
    if (socket && (now - heard > DEAF || (late && line.state === "connected"))) lost("lost");
    else if (now - pinged > BEAT) ping();
  }

  function ping() {
    pinged = performance.now();
    send({ type: "ping" });
  }

  /** Before the server has said welcome, nothing but a hello is sent. */
  function send(frame) {
    if (line.state === "connected") say(frame);
  }

  function say(frame) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  }

  function hear(frame) {
    const { type } = frame;
    const begins = line.state !== "connected";
    const unanswered = [...waits.values()];
    heard = performance.now();
    if (type === "closing") return lost(IN_WORDS[frame.why] ? frame.why : "lost");
    if (type === "error") return error(frame);
    if (begins) {
      tries = 0;
      since = heard;
      turn("connected");
    }
    if (type === "pong") line.behind = frame.time - Date.now() / 1000;
    else if (["refused", "hint", "read"].includes(type)) answered(frame, type);
    else if (type === "phrase") {
      waits.delete(frame.made);
      tell(type, frame);
    } else learn(frame);
    if (!begins) return;
    ping();
    for (const { frame: asked } of unanswered) if (waits.has(asked.id)) send(asked);
  }

  function learn(frame) {
    const before = line.table;
    if (frame.type === "entries" && before.view && frame.number > before.have + 1) {
      turn("connecting"); // a gap: what is missing comes after the next hello
      return connect();
    }
    line.table = fold(before, frame);
    waits.delete(frame.made);
    if (line.table.view?.outcome) waits.clear();
    tell("table", { frame, before });
  }

  function answered(frame, type) {
    waits.delete(frame.id);
    tell(type, frame);
    tell("table");
  }

  function error(frame) {
    const { id, code } = frame;
    const asked = waits.get(id)?.frame;
    if (FOR_GOOD[code]) lost(FOR_GOOD[code]);
    else if (asked && ["slow-down", "unavailable"].includes(code))
      setTimeout(() => waits.has(id) && send(asked), 1500);
    else answered(frame, "trouble");
  }

  function turn(state) {
    if (state === line.state) return;
    line.state = state;
    tell("state");
  }

  function tell(type, detail = {}) {
    line.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
