/* A finished game: first how it ended, then how it went, whether it was fair, and a rematch. */

import * as api from "./api.js";
import { copy } from "./clipboard.js";
import { curvesOf, judgement, SIGNS } from "./curve.js";
import { fill, h, write } from "./dom.js";
import { figure, figures, Finish, judged, result } from "./finale.js";
import * as own from "./own.js";
import { button, capital, dialog, flat, link, soft } from "./parts.js";
import { replayBar, stepsOf } from "./replay.js";
import { notice, say } from "./status.js";
import { seenOf } from "./witness.js";

const PACE = 1400; // milliseconds a step

/** What the end of a game shows of its own; its module is loaded only now. */
export const endingOf = (game) => import(`./endings/${game.board}.js`);

/** Turns a table into the page of its finished game. */
export function ending(table, kind) {
  const { desk, game, line } = table;
  const { seat, info, words } = line.table;
  const finish = new Finish(table);
  const names = info.seats.map(({ name }) => name);
  let steps = [];
  let at = 0;
  let timer = 0;
  let analysis = null;
  let curves = null;
  let invited = false;
  let fairness = null;
  const last = () => steps.length - 1;
  const ask = (what, ...more) => what(info.id, line.token, ...more);
  const trying = (act) => () => act().catch(({ message }) => notice(message));
  const play = button("", run);
  const bar = replayBar(go, play);
  const again =
    seat === null
      ? link("Other games", "#watch", "button")
      : button("", trying(rematch), "button.main");
  const picture = kind.picture(finish) ?? table.board;
  const fair = h("button.figure.fair", { onclick: trying(verify) });
  const figured = h("ul.figures", { "aria-label": "In figures" }, h("li", fair));
  const pasted = h("pre", { tabindex: 0, "aria-label": "The result as text" });
  const worth = h("div", soft("Looking at how it went …"));
  const study = h(
    "section.study",
    { "aria-label": "How it went", hidden: true },
    h("h2", { tabindex: -1 }, "How it went"),
    worth,
  );

  desk.node.classList.add("over", ...(finish.loser === seat ? ["lost", `won-${3 - seat}`] : []));
  const { ledger, node: books } = desk.books;
  ledger.node.before(study);
  ledger.node.append(
    button("Save", trying(download), "quiet", { "aria-label": "Save the record" }),
  );
  books.append(
    h(
      "section.pasted",
      h("h2", "Result, to paste"),
      pasted,
      soft("No secret and no link is in it."),
    ),
  );
  document.addEventListener("keydown", key);
  judge();
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
    seats.forEach(({ name }, index) => {
      names[index] = name;
    });
    if (seat === null) return;
    fill(
      again,
      next ? "To the rematch" : h("span", "Rematch", h("span.swapped", ", seats swapped")),
    );
    if (!next || invited || asked()) return;
    invited = true;
    notice(`${seats[2 - seat].name} wants a rematch.`, {
      "To the rematch": trying(rematch),
      Close: () => notice(),
    });
  }

  // --- how it ended ---

  /** Shows the picture, how close it was, and what can be done now. */
  function conclude() {
    stop();
    desk.node.classList.remove("review");
    desk.node.classList.add("finale");
    study.hidden = true;
    fill(desk.place, picture).tabIndex = -1;
    desk.speak(...told());
    record();
    fill(
      desk.actions,
      figured,
      again,
      button("See how it went", review),
      button(["Copy result ", h("span", { "aria-hidden": "true" }, "●●●")], copyResult),
    );
  }

  /** The result, and how close it was. */
  function told() {
    return [capital(flat(words.ending)), finish.close(kind)];
  }

  /** Shows in figures what an analysis says, once the hints are known too. */
  function judge() {
    const hints = [1, 2].map(
      (each) => steps.flatMap((step) => step.hints).filter((by) => by === each).length,
    );
    const known = analysis && steps.length;
    // What stands there may have the focus.
    if (known) figured.prepend(...figures(analysis, seat, names, hints));
    write(
      pasted,
      result(finish, kind.signs, known && seat !== null && judged(analysis, seat, hints)),
    );
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
    desk.node.classList.add("review");
    study.hidden = false;
    fill(desk.place, table.board);
    fill(desk.actions, bar.node, again, button("How it ended", back));
    scrollTo(0, 0);
  }

  /** Looks back because it was asked for: what was pressed is gone, so the focus moves on. */
  function review() {
    lookBack();
    if (steps.length) go(at);
    study.querySelector("h2").focus({ preventScroll: true });
  }

  function back() {
    conclude();
    desk.place.focus();
  }

  async function load() {
    steps = stepsOf(await ask(api.replay, seat));
    at = last();
    judge();
    graph();
    if (study.hidden) record();
    else go(at);
  }

  function go(wanted, running = false) {
    if (!steps.length) return;
    if (study.hidden) lookBack();
    if (!running) stop();
    const before = at;
    const [says, means] = looked((at = Math.max(0, Math.min(last(), wanted))));
    bar.show(at, last(), says, where());
    table.show(steps[at].now, at > before);
    desk.speak(says, means);
    record();
    curves?.look(at);
    if (at !== before && document.activeElement !== bar.slider) say(says);
  }

  /** What a step is called. */
  function where() {
    const count = counts()[at];
    return count ? `Turn ${count}` : game.secrets ? "Set-up" : "The beginning";
  }

  /** What a step is counted as: its turn, or its round. */
  function counts() {
    const round = (turn) => line.table.rows.slice(0, turn).filter((row) => row.seat === 1).length;
    return steps.map(({ turn }) => (kind.rounds ? round(turn) : turn));
  }

  /** What happened at a step, what it cost, and what was better. */
  function looked(step) {
    const { hints, numbers } = steps[step];
    const made = analysis?.decisions.filter(({ number }) => numbers.includes(number)) ?? [];
    const dear = made
      .filter((each) => each.mark)
      .map(({ seat: by, remark }) => `${names[by - 1]}: ${remark}`)
      .join(" ");
    if (!step) return [hid() || "The beginning", dear || (made[0] && judgement(made[0])) || ""];
    if (step === last()) return [told()[0], dear || told()[1]];
    return [
      spoken(steps[step]),
      [hints.length && "With a hint.", ...made.map(judgement)].filter(Boolean).join(" "),
    ];
  }

  /** What was said at a step; to whoever moved, the referee does not say which move it was. */
  function spoken({ seat: by, now, said }) {
    const move = by === seat && !said.startsWith("You ") && now.rows.at(-1)?.text.split(":")[0];
    return move ? `You: ${move}. ${said}` : said;
  }

  /** What both hid in the set-up. */
  function hid() {
    const quoted = (text) => (/[a-z] /i.test(text) ? `“${text}”` : text);
    return [1, 2]
      .map((each) => {
        const texts = steps[0].hidden[each - 1].map(
          (how, index) => finish.view.secrets?.[each - 1][index] ?? "something",
        );
        return (
          texts.length > 0 &&
          [
            each === seat ? "You" : names[each - 1],
            steps[0].hidden[each - 1][0],
            `${texts.map(quoted).join(", ")}.`,
          ].join(" ")
        );
      })
      .filter(Boolean)
      .join(" ");
  }

  /** Shows the moves with their signs, and where one looks. */
  function record() {
    const { rows, view } = line.table;
    const lines = [];
    const reached = !study.hidden;
    const cell = (turn, by, more) => {
      const signs = (analysis?.decisions ?? [])
        .filter((each) => each.mark && (each.turn ?? 0) === turn && each.seat === by)
        .map(({ mark: name }) => ({ name, sign: SIGNS[name][0] }));
      const step =
        turn &&
        [
          steps.findIndex((each) => each.turn === turn && each.seat === by),
          steps.findIndex((each) => each.turn === turn),
        ].find((each) => each >= 0);
      return more || signs.length
        ? { ...more, signs, step: steps.length ? step : undefined }
        : null;
    };
    const hidden = [1, 2].map((by) =>
      cell(
        0,
        by,
        finish.secret(by) && {
          says: `${steps[0]?.hidden[by - 1][0] ?? "hid"} ${finish.secret(by)}`,
        },
      ),
    );
    if (hidden.some(Boolean)) lines.push({ count: "–", look: "set-up", cells: hidden });
    rows.forEach(({ seat: by, text, result: shown, mark }, index) => {
      const made = (each) =>
        cell(
          index + 1,
          each,
          each === (by ?? 1) && {
            says: text,
            make: kind.drawn && (() => kind.drawn(view.history[index], view)),
          },
        );
      if (kind.rounds && by === 2) lines.at(-1).cells[1] = made(2);
      else
        lines.push({
          count: kind.rounds ? lines.length + (hidden.some(Boolean) ? 0 : 1) : index + 1,
          result: shown,
          mark,
          cells: kind.rounds ? [made(1), null] : [1, 2].map(made),
        });
    });
    if (!finish.played) lines.push({ mark: told()[0], step: steps.length ? last() : undefined });
    else if (lines.length && !reached) lines.at(-1).look = "last";
    ledger.review(lines, info, game.result_name, { at: reached ? at : -1, go });
  }

  function run() {
    if (timer) return stop();
    if (at >= last()) go(0);
    write(play, "❚❚").ariaLabel = "Pause";
    timer = setInterval(() => {
      go(at + 1, true);
      if (at === last()) stop();
    }, PACE);
  }

  /** Arrows and space go through the game wherever the focus is. */
  function key(event) {
    const { target } = event;
    const listed = target.closest(".recorded") ? { ArrowUp: -1, ArrowDown: 1 } : {};
    const by = target !== bar.slider && { ArrowLeft: -1, ArrowRight: 1, ...listed }[event.key];
    if (!desk.node.isConnected) return document.removeEventListener("keydown", key);
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.closest("dialog, [role=grid]")
    )
      return;
    if (by) go(at + by);
    else if (event.key !== " " || target.closest("button, a, summary")) return;
    else run();
    event.preventDefault();
  }

  // --- what it was worth ---

  async function analyze() {
    const found = await ask(api.analysis).catch((trouble) => trouble);
    if (found instanceof Error) return fill(worth, soft(found.message));
    analysis = found;
    judge();
    graph();
    record();
    if (!study.hidden) go(at);
  }

  /** Draws the curves as soon as the steps and what they were worth are known. */
  function graph() {
    if (!analysis || !steps.length) return;
    if (
      ![analysis.truth, ...analysis.seats.map(({ curve }) => curve)].some(
        (points) => points.length > 1,
      )
    )
      return fill(worth, soft("It ended before there was anything to judge."));
    curves = curvesOf(analysis, {
      steps,
      counts: counts(),
      names,
      hides: game.secrets > 0,
      own: seat ?? 1,
      go,
    });
    fill(worth, curves.node);
    curves.look(at);
  }

  // --- whether it was fair ---

  /** Checks the record in this browser, without being asked. */
  async function check() {
    fill(fair, ...figure("…", "is being checked"));
    const [module, text] = await Promise.all([import("./verify.js"), ask(api.record)]).catch(
      (trouble) => {
        fill(fair, ...figure("fair?", "could not be checked"));
        throw trouble;
      },
    );
    const results = module.verify(text, seenOf(line.table));
    const verdict = module.verdict(results);
    const bad = results.some(({ ok }) => ok === false);
    const part = results.some(({ matters }) => matters);
    fairness = h(
      "div.notes",
      h("p", verdict),
      h(
        "ul.checks",
        results.map(({ check: name, ok, text: found }) =>
          h(`li.${ok === null ? "none" : ok ? "" : "bad"}`, h("b", `${capital(name)}. `), found),
        ),
      ),
    );
    fill(
      fair,
      ...(bad
        ? figure("✗ not fair", "something does not fit")
        : figure("✓ fair", part ? "as far as this browser can tell" : "checked in this browser")),
    );
  }

  async function verify() {
    if (!fairness) await check();
    dialog("Was it fair?", fairness, button("Close"));
  }

  async function download() {
    const href = URL.createObjectURL(
      new Blob([await ask(api.record)], { type: "application/jsonl" }),
    );
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
    // Asked twice, it is the same game.
    own.keep(info.id, { next: { of: line.token, token: next } });
    const { game: made, seat: taken } = await ask(api.rematch, next);
    own.keep(made.id, {
      token: next,
      title: made.title,
      seat: taken,
      hash: made.coins.hash,
      again: true,
    });
    location.hash = `#play/${made.id}/${next}`;
  }
}
