/* The table of a game: its board, the referee's words and the actions. */

import * as api from "./api.js";
import { changed, fill, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Ledger, Notebook } from "./ledger.js";
import { IN_WORDS, lineTo } from "./net.js";
import * as own from "./own.js";
import { button, dialog, flat, link, page, soft } from "./parts.js";
import { minutes, playersBar } from "./players.js";
import { lamp, notice, say, title } from "./status.js";

const DRAWN = ["safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel"];
const REST = 1500; // milliseconds to wait for a board at most
const TOUCHED = "[role=spinbutton], [role=grid] [tabindex='0']";
const narrow = matchMedia("(max-width: 960px)"); // the notebook is out of sight
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The board of a game as an element; its module is loaded only now. */
async function boardOf(name) {
  const known = DRAWN.includes(name) ? name : "generic", tag = `board-${known}`;
  const module = await import(`./boards/${known}.js`);
  if (!customElements.get(tag)) customElements.define(tag, module.default);
  return document.createElement(tag);
}

/** A prompt as a sentence that stands alone. */
const asked = (words) => words.prompt.replace(/:$/, ".");

/** Whose turn it is, without the menu that a terminal shows below it. */
const turnOf = (words) => words.heading.split("\n")[0].replace(/[:.[\]]/g, "");

/** Opens a game: with a token one plays, without one watches. */
export async function open(stage, id, token) {
  const { game: name, coins } = await api.info(id), kept = own.game(id);
  const seed = (kept?.token === token && kept?.seed) || own.token(); // made after the server's hash was seen
  const game = await api.gameNamed(name);
  const line = lineTo(id, token, seed);
  let board = null; // once it is loaded
  let loading = false;
  let shown = {}; // the view that the board shows, and whether it may be touched
  let resting = null; // resolves when the board has come to rest
  let choice = null;
  let refusal = null; // what is said of what was not taken
  let best = "", hint = ""; // of a hint, what the referee says, and what is in the notebook
  let news = ""; // what the other one did besides moving
  let ended = null; // the end, once the board has come to rest

  const players = playersBar(), ledger = new Ledger(), notebook = new Notebook();
  const heading = h("h1.unseen"), named = h("p.soft.named"), place = h("div.board-place"), large = h("p.large"), means = h("p.means");
  const actions = h("div.actions", { role: "group", "aria-label": "Actions" });
  const foot = h("div.foot", fitted(h("div.referee", { role: "group", "aria-label": "Referee" }, large, means)), actions);
  const column = h("aside.card.column", { "aria-label": "Record and notebook" }, ledger.node, notebook.node);
  const study = h("section.card.study", { "aria-label": "How it went", hidden: true });
  const confirm = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main")), undo = button("Undo", () => board.clear());
  const help = button("Hint", () => line.ask("hint")), claim = button("Claim the game", () => line.ask("claim"));
  const rules = button("Rules", async () => (await import("./rulebook.js")).overlay(name).catch(({ message }) => notice(message)), "quiet");
  const resign = button("Resign", giveUp, "quiet");
  const node = h("strongroom-table", { onchoice: ({ detail }) => chosen(detail), onsend: send, onkeydown: key }, heading, h("div.table",
    h("section.card.desk", { "aria-label": "Table" }, named, players.node, place, foot, h("div.asides", rules, resign)), column, study));

  const hears = (type, act) => line.addEventListener(type, ({ detail }) => act(detail));
  hears("table", told);
  hears("state", connection);
  hears("refused", ({ reason, accepted }) => refused(reason, accepted));
  hears("trouble", ({ code, text }) => refused(code === "stale" ? "The game had gone on before that arrived. Look at it again." : text));
  hears("hint", ({ text }) => {
    const [first, ...rest] = text.split("\n");
    [best, hint] = narrow.matches ? [`Hint: ${first}`, rest.join("\n")] : ["", text];
    say(`Hint: ${text}`);
  });
  hears("read", (taken) => {
    board.takes(taken);
    if (choice) say(`${choice.title} ${choice.means}`);
  });
  const ticks = setInterval(tick, 250);
  fill(actions, confirm, undo, help, claim);
  fill(stage, Object.assign(node, { link: line }));
  connection();
  line.open();
  return leave;

  function leave() {
    clearInterval(ticks);
    ended?.stop();
    line.close();
  }

  // --- what arrives ---

  function connection() {
    const { state } = line, [short, long] = IN_WORDS[state];
    lamp(state, short);
    if (line.ended() && !line.table.info && state !== "taken") return leadsNowhere(long);
    const again = () => line.again(), gone = { "All games": () => (location.hash = "") };
    const acts = { taken: { "Play here": again }, lost: { "Try now": again }, expired: gone, withdrawn: gone }[state];
    notice(long, acts ?? {});
    if (acts === gone) own.forget(id);
    act();
  }

  /** A link that opens nothing has a page instead of a table. */
  function leadsNowhere(why) {
    const mine = own.game(id);
    const back = mine && mine.token !== token && link("To your own seat", `#play/${id}/${mine.token}`, "button.main");
    leave();
    title("Not opened");
    fill(stage, page("This link leads nowhere", why, h("div.row", back, link("All games", "#", "button"))));
  }

  function told({ frame, before }) {
    const { info, seat } = line.table;
    if (!info) return;
    if (frame) keep(frame);
    if (frame?.type === "game") came(before.info, info);
    if (frame?.words && !(frame.type === "welcome" && before.view)) {
      const entries = frame.entries ?? [], by = entries.at(-1)?.hint;
      refusal = null;
      if (entries.some((entry) => entry.step)) best = hint = news = "";
      if (by && by !== seat) say((news = `${info.seats[by - 1].name} took a hint.`));
      else announce(before, entries[0]?.end ? "" : frame.words.said);
    }
    draw();
  }

  /** Keeps what was seen, to check the end against it; the token only now that it has a seat. */
  function keep({ entries = [] }) {
    const { info, seat, view } = line.table;
    if (seat === null) return;
    const mine = own.game(id) ?? {}, seen = { ...mine.seen }, secrets = { ...mine.secrets };
    for (const { step, commitment, keeper, move } of entries) {
      if (commitment) seen[step] ??= commitment;
      if (keeper === seat && move) secrets[step] ??= move;
    }
    const taken = info.coins.seeds[seat - 1] === seed; // or by another browser with this link
    const more = {
      token, seat, seen, secrets, title: info.title, hash: mine.hash ?? coins.hash, seed: taken ? seed : mine.token === token ? mine.seed : undefined,
      over: Boolean(view?.outcome), won: view?.outcome?.winner, waits: !view, who: info.seats[2 - seat]?.name, turn: view?.actor === seat, created: info.created,
    };
    if (JSON.stringify({ ...mine, ...more }) !== JSON.stringify(mine)) own.keep(id, more);
  }

  /** Says every event, in the server's sentences. */
  async function announce(before, said = "") {
    const { view, words, seat } = line.table;
    const turn = seat !== null && view.actor === seat && before.view?.actor !== seat;
    await rests();
    say([flat(said), flat(words.ending), turn && (view.setting_up ? asked(words) : turnOf(words))].filter(Boolean).join(" "));
  }

  function came(before, now) {
    now.seats.forEach((sitter, index) => {
      const was = before?.seats[index];
      if (!sitter || line.table.seat === index + 1) return;
      if (!was) say(`${sitter.name} has sat down.`);
      else if (was.here !== sitter.here) say(`${sitter.name} is ${sitter.here ? "back" : "away"}.`);
    });
  }

  function refused(reason, accepted = "") {
    refusal = [flat(reason), flat(accepted), "refused"];
    say(flat(`${reason} ${accepted}`));
    act();
  }

  /** Waits until the board has come to rest, but not for long. */
  function rests() {
    return Promise.race([resting, new Promise((resolve) => setTimeout(resolve, REST))]);
  }

  // --- what is shown ---

  function draw() {
    const { info, seat, view } = line.table;
    write(heading, `${info.title}: ${info.seats.map((each) => each?.name ?? "nobody yet").join(" against ")}`);
    write(named, info.title);
    players.show(line.table, game, status());
    column.hidden = !view;
    title(!view ? "Waiting" : view.outcome ? "Over" : view.actor === seat && "Your turn", info.title);
    if (!view) wait(info);
    else if (ended) ended.informed(info);
    else {
      ledger.show(line.table, game);
      notebook.show(line.table, hint, game?.hides ?? true);
      if (board) onBoard();
      else load();
    }
    rests().then(act);
  }

  async function wait(info) {
    if (!changed(place, info.seats.every(Boolean))) return;
    fill(place, soft("Waiting …"));
    const { waitingRoom } = await import("./invite.js");
    if (!line.table.view && line.table.seat !== null) fill(place, waitingRoom(info, token));
  }

  async function load() {
    if (loading) return;
    loading = true;
    board = await boardOf(name).catch(() => null);
    loading = false;
    if (!board) return notice("The board could not be loaded. Nothing is lost.", { "Try again": load });
    fill(place, board);
    draw();
  }

  function onBoard() {
    const { view, seat } = line.table, before = shown.view, held = node.contains(document.activeElement);
    const canMove = seat !== null && view.actor === seat && !line.asks("move", "read");
    if (before === view && shown.canMove === canMove) return;
    resting = show(line.table, Boolean(before), canMove);
    if (held && document.activeElement === document.body) place.querySelector(TOUCHED)?.focus({ preventScroll: true });
    shown = { view, canMove };
    if (view.outcome && !before?.outcome) finish(held);
  }

  /** Shows a moment on the board, moving or at once; resolves when it has come to rest. */
  function show({ view, words, seat }, moving, canMove = false) {
    return board.show({ view, words, seat, info: line.table.info, canMove, motion: moving && !still.matches });
  }

  /** Shows the end; a focus that is lost by that goes to what is new. */
  async function finish(held) {
    const { ending } = await import("./end.js");
    await rests();
    if (!node.isConnected) return;
    resign.hidden = notebook.node.hidden = true;
    actions.hidden = false;
    ended = ending({ node, study, ledger, actions, game, line, show, speak });
    if (held && document.activeElement === document.body) study.querySelector("h2").focus({ preventScroll: true });
  }

  /** What the referee says, and what it means. */
  function speak(says, small = "", look = "soft") {
    write(large, says);
    write(means, small).className = `means ${look}`;
  }

  function words() {
    const { table: { view, words: told, seat, info }, state } = line;
    if (!info) return ["", IN_WORDS[state][1] || "Opening the game …"];
    if (!view) return ["Waiting for the other one", "It begins here by itself."];
    if (refusal) return refusal;
    if (line.asks("move", "read")) return [choice?.title ?? "", state === "connected" ? "Sending …" : "It is kept, and sent as soon as the connection is back."];
    if (choice) return [choice.title, best || choice.means];
    const mine = view.actor === seat, small = best || news;
    const seen = name === "safe-code" && view.secret.length ? `${info.seats[2 - seat].name} sees it when they ask for it.` : "Only you see it, until the game is over.";
    if (view.setting_up) return mine ? [asked(told), small || seen] : [thinking(), absence()];
    return [flat(told.said), small || (mine ? turnOf(told) : absence())];
  }

  function thinking() {
    const { info, view } = line.table, sitter = info.seats[view.actor - 1];
    return sitter ? `${sitter.name} ${view.setting_up ? "chooses in secret" : "is thinking"}` : "The coin is in the air";
  }

  /** What the pill says, and in whose colour. */
  function status() {
    const { info, seat, view } = line.table;
    if (!view) return ["waiting"];
    const { actor, outcome } = view, who = outcome ? outcome.winner : actor, sitter = info.seats[who - 1];
    if (outcome) return [who ? `${who === seat ? "You" : sitter.name} won` : "Undecided", who];
    if (who === seat) return [view.setting_up ? "Yours to choose" : "Your turn", who];
    return [sitter?.here === false ? `${sitter.name} is away` : thinking(), who];
  }

  /** Seconds until the game may be claimed, one more for clocks that differ; null: the other is there. */
  function claimable() {
    const { info, seat, view } = line.table;
    const other = seat === null || !view || view.outcome ? null : info.seats[2 - seat];
    return !other || other.here ? null : 1 + info.claim_after - (Date.now() / 1000 + line.behind - other.away_since);
  }

  function absence() {
    const { info, seat } = line.table, rest = claimable();
    return rest === null ? "" : `${info.seats[2 - seat].name} is away. You may claim the game${rest > 0 ? ` in ${minutes(rest)}` : ", or wait"}.`;
  }

  function tick() {
    players.tick();
    if (claimable() !== null) act();
  }

  // --- what can be done ---

  function act() {
    if (ended) return;
    const { table: { info, view, seat }, state } = line, sending = line.asks("move", "read"), rest = claimable();
    const playing = view && !view.outcome && seat !== null, mine = playing && view.actor === seat;
    foot.hidden = info && !view && seat !== null; // in the waiting room nothing is said or done
    speak(...words());
    actions.hidden = resign.hidden = !playing;
    write(confirm, sending ? (state === "connected" ? "Sending …" : "Kept") : choice?.button ?? (mine ? "Choose a move" : "Not your turn"));
    confirm.disabled = !mine || !choice || line.asks("move") || line.ended();
    undo.disabled = !choice || sending;
    claim.hidden = rest === null || rest > 0;
    help.hidden = !game?.hints || !claim.hidden;
    help.disabled = !mine || line.asks("hint") || line.ended();
    resign.disabled = line.ended() || line.asks("resign");
  }

  function chosen(made) {
    choice = made;
    refusal = null;
    act();
  }

  function key(event) {
    const free = event.target.closest("[data-enter]") || !event.target.closest("button, a, input, summary");
    if (event.key === "Escape") board?.clear();
    if (event.key !== "Enter" || !(event.repeat || (choice && free))) return;
    event.preventDefault();
    if (!event.repeat) send(); // a key that is held confirms nothing
  }

  function send() {
    if (confirm.disabled || line.asks("read")) return;
    refusal = null;
    if (choice.read) return line.ask("read", { move: choice.read });
    // A button that rests loses the focus.
    if (!document.activeElement.matches(`${TOUCHED}, [data-enter]`)) place.querySelector(TOUCHED)?.focus({ preventScroll: true });
    line.ask("move", { move: choice.move });
  }

  function giveUp() {
    dialog("Resign this game?", soft("The other one wins it."), button("Play on"), button("Resign", () => line.ask("resign"), "button.main"));
  }
}
