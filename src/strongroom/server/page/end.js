/* A finished game: first how it ended, then how it went, whether it was fair, and a rematch. */

import * as api from "./api.js";
import { copy } from "./clipboard.js";
import { curvesOf, remarks } from "./curve.js";
import { fill, h, write } from "./dom.js";
import { figure, figures, Finish, judged, result } from "./finale.js";
import * as own from "./own.js";
import { button, capital, dialog, flat, link, soft } from "./parts.js";
import { momentsOf, replayBar } from "./replay.js";
import { notice, say } from "./status.js";
import { seenOf } from "./witness.js";

const MOST = 5; // costly moves shown at once
const PACE = 1400; // milliseconds a step

/** What the end of a game shows of its own; its module is loaded only now. */
export const endingOf = (game) => import(`./endings/${game.board}.js`);

/** Turns a table into the page of its finished game. */
export function ending(table, kind) {
  const { desk, game, line } = table, { seat, info, words } = line.table;
  const finish = new Finish(table), marks = new Map();
  let moments = [], at = 0, timer = 0, curves = null, invited = false, fairness = null;
  const last = () => moments.length - 1;
  const ask = (what, ...more) => what(info.id, line.token, ...more);
  const trying = (act) => () => act().catch(({ message }) => notice(message));
  const play = button("", run), bar = replayBar(go, play);
  const again = seat === null ? link("Other games", "#watch", "button") : button("", trying(rematch), "button.main");
  const picture = kind.picture(finish) ?? table.board;
  const figured = h("ul.figures", { "aria-label": "In figures" });
  const fair = h("button.fair", { onclick: trying(verify) });
  const pasted = h("pre", { tabindex: 0, "aria-label": "The result as text" });
  const worth = h("div", soft("Looking at how it went …"));

  desk.node.classList.add("over");
  desk.notebook.node.after(h("section.pasted", h("h2", "Result, to paste"), pasted, soft("No secret and no link is in it.")));
  fill(desk.study, h("h2", { tabindex: -1 }, "How it went"), worth);
  document.addEventListener("keydown", key);
  stop();
  judge(null);
  conclude();
  informed(info);
  trying(load)();
  analyze();
  trying(check)();
  return { stop, informed };

  /** Stops whatever runs. */
  function stop() {
    clearInterval(timer);
    timer = 0;
    write(play, "▶").ariaLabel = "Play";
  }

  /** Looks at what the players of the table want now. */
  function informed({ rematch: next, seats }) {
    if (seat === null) return;
    write(again, next ? "To the rematch" : "Rematch, seats swapped");
    if (!next || invited || asked()) return;
    invited = true;
    notice(`${seats[2 - seat].name} wants a rematch.`, { "To the rematch": trying(rematch), Close: () => notice() });
  }

  // --- how it ended ---

  /** Shows the picture, how close it was, and what can be done now. */
  function conclude() {
    stop();
    desk.node.classList.toggle("finale", picture !== table.board);
    desk.study.hidden = true;
    fill(desk.place, picture).tabIndex = -1;
    desk.speak(...told());
    fill(desk.actions, figured, again, button("See how it went", study), button(["Copy result ", h("span", { "aria-hidden": "true" }, "●●●")], copyResult));
  }

  /** The result, and how close it was. */
  function told() {
    return [capital(flat(words.ending)), finish.close(kind)];
  }

  /** Shows what an analysis says in figures; null: there is none. */
  function judge(analysis) {
    fill(figured, analysis && figures(analysis, seat), h("li", fair));
    write(pasted, result(finish, kind.signs, analysis && seat !== null && judged(analysis, seat)));
  }

  async function copyResult({ currentTarget: pressed }) {
    await copy(pasted.textContent);
    write(pressed, "Copied");
    say("The result is copied.");
  }

  // --- going through it ---

  /** Puts the board back, with all that can be looked at. */
  function lookBack() {
    desk.node.classList.remove("finale");
    desk.study.hidden = false;
    fill(desk.place, table.board);
    fill(desk.actions, bar.node, again, button("How it ended", back), button("Save the record", trying(download)));
  }

  /** Looks back because it was asked for: what was pressed is gone, so the focus moves on. */
  function study() {
    lookBack();
    go(at);
    desk.study.querySelector("h2").focus({ preventScroll: true });
    desk.study.scrollIntoView({ block: "nearest" });
  }

  function back() {
    conclude();
    desk.place.focus();
  }

  async function load() {
    const played = momentsOf(await ask(api.replay, seat));
    const hidden = structuredClone(finish.view.secrets);
    const done = ({ hint, keeper, seat: from }) => {
      const by = hint ?? keeper, text = (keeper && hidden?.[keeper - 1].shift()) ?? "something";
      return by && `${by === seat ? "You" : info.seats[by - 1].name} ${hint ? "took a hint" : `${from === "chance" ? "got" : "hid"} ${/[a-z] /i.test(text) ? `“${text}”` : text}`}.`;
    };
    let number = 0;
    moments = played.map(({ now, entries, said }) => ({
      now, number: (number = entries.findLast((entry) => entry.step)?.step ?? number),
      said: entries.map(done).filter(Boolean).join(" ") || said,
    }));
    bar.show((at = last()), at, moments[at].said);
    record();
    if (!desk.study.hidden) go(at);
  }

  function go(wanted, running = false) {
    if (!moments.length) return;
    if (desk.study.hidden) lookBack();
    if (!running) stop();
    const forward = wanted > at;
    at = Math.max(0, Math.min(last(), wanted));
    const { now, said } = moments[at];
    bar.show(at, last(), said);
    table.show(now, forward);
    record();
    desk.speak(...(at === last() ? told() : [said, at ? `Step ${at}` : "The beginning"]));
  }

  /** Shows in the record and at the curves where one looks. */
  function record() {
    if (!moments.length) return;
    const turn = at < last() ? moments[at].now.rows.length : null;
    const to = (wanted) => go(moments.findLastIndex(({ now }) => now.rows.length === wanted));
    desk.ledger.show(line.table, game, { marks, at: turn, go: to });
    curves?.look(turn === null ? Infinity : moments[at].number + 1);
  }

  function run() {
    if (timer) return stop();
    if (at >= last()) go(0);
    write(play, "❚❚").ariaLabel = "Pause";
    timer = setInterval(() => {
      go(at + 1, true);
      say(moments[at].said);
      if (at === last()) stop();
    }, PACE);
  }

  /** Arrows and space go through the game wherever the focus is. */
  function key(event) {
    const { target } = event, by = target !== bar.slider && { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!desk.node.isConnected) return document.removeEventListener("keydown", key);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, [role=grid]")) return;
    if (by) go(at + by);
    else if (event.key !== " " || target.closest("button, a, summary")) return;
    else run();
    event.preventDefault();
  }

  // --- what it was worth ---

  async function analyze() {
    const analysis = await ask(api.analysis).catch((trouble) => trouble);
    if (analysis instanceof Error) return fill(worth, soft(analysis.message));
    if (![analysis.truth, ...analysis.seats.map(({ curve }) => curve)].some((points) => points.length > 1)) return fill(worth, soft("It ended before there was anything to judge."));
    const dear = remarks(analysis);
    for (const { turn, seat: by, mark } of dear) marks.set(`${turn} ${by}`, mark);
    const list = (remarked) => h("ul.marks", remarked.map(({ text, number }) => h("li", button(text, () => go(moments.findIndex((each) => each.number >= number)), "marked"))));
    curves = curvesOf(analysis, game.secrets);
    fill(worth, h("div.notes", curves.node, h("h3", "Moves that cost something"),
      dear.length ? list(dear.slice(0, MOST)) : soft("None: both played as well as is known."),
      dear.length > MOST && h("details", h("summary", `${dear.length - MOST} more that cost less`), list(dear.slice(MOST)))));
    judge(analysis);
    record();
  }

  // --- whether it was fair ---

  /** Checks the record in this browser, without being asked. */
  async function check() {
    fill(fair, ...figure("…", "is being checked").childNodes);
    const [module, text] = await Promise.all([import("./verify.js"), ask(api.record)]).catch((trouble) => {
      fill(fair, ...figure("fair?", "could not be checked").childNodes);
      throw trouble;
    });
    const results = module.verify(text, seenOf(line.table)), verdict = module.verdict(results);
    const bad = results.some(({ ok }) => ok === false), part = results.some(({ matters }) => matters);
    fairness = h("div.notes", h("p", verdict), h("ul.checks", results.map(({ check: name, ok, text: found }) => h(`li.${ok === null ? "none" : ok ? "" : "bad"}`, h("b", `${capital(name)}. `), found))));
    fill(fair, ...(bad ? figure("✗ not fair", "something does not fit") : figure("✓ fair", part ? "as far as this browser can tell" : "checked in this browser")).childNodes);
  }

  async function verify() {
    if (!fairness) await check();
    dialog("Was it fair?", fairness, button("Close"));
  }

  async function download() {
    const href = URL.createObjectURL(new Blob([await ask(api.record)], { type: "application/jsonl" }));
    link("", href, "", { download: `${info.game}-${info.id.slice(0, 8)}.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // --- once more ---

  /** This seat's token in the rematch, if it asked for one. */
  function asked() {
    const { next } = own.game(info.id) ?? {};
    return next?.of === line.token ? next.token : null;
  }

  async function rematch() {
    const next = asked() ?? own.token();
    own.keep(info.id, { next: { of: line.token, token: next } }); // asked twice, it is the same game
    const { game: made, seat: taken } = await ask(api.rematch, next);
    own.keep(made.id, { token: next, title: made.title, seat: taken, hash: made.coins.hash, again: true });
    location.hash = `#play/${made.id}/${next}`;
  }
}
