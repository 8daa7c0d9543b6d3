/* A finished game: first how it ended, then how it went, whether it was fair, and a rematch. */

import * as api from "./api.js";
import { shared } from "./clipboard.js";
import { curvesOf, judgement, NO_BETTER, SIGNS } from "./curve.js";
import { fill, h, write } from "./dom.js";
import { codes, figure, figures, Finish, judged, result } from "./finale.js";
import * as own from "./own.js";
import { button, capital, counted, dialog, flat, link, soft } from "./parts.js";
import { drawnAs } from "./pictures.js";
import { replayBar, stepsOf } from "./replay.js";
import * as sound from "./sound.js";
import { notice, say } from "./status.js";
import { mistakes, turningPoint } from "./turning.js";
import { seenOf } from "./witness.js";

const PACE = 1400; // milliseconds a step
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What the end of a game shows of its own; its module is loaded only now. */
export const endingOf = (game) => import(`./endings/${game.board}.js`);

/**
 * Turns a table into the page of its finished game; `spare`: another board of it, `now`: it has
 * ended just now.
 */
export function ending(table, kind, spare, now = false) {
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
  const onward = button("▸ Next mistake", nextMistake, "button.onward", { hidden: true });
  const again =
    seat === null
      ? link("Other games", "#watch", "button")
      : button("", trying(rematch), "button.main");
  const picture = kind.picture(finish);
  const shown = picture ? h("div.shown", picture, codes(finish, kind)) : table.board;
  const point = turningPoint(table, spare, finish, kind);
  const fair = h("button.figure.fair", { onclick: trying(verify) });
  const figured = h("ul.figures", { "aria-label": "In figures" }, h("li", fair));
  const asked = now && asksForSound();
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
      "details.pasted",
      h("summary", "Result, to paste"),
      pasted,
      soft("No secret and no link is in it."),
    ),
  );
  const after = h("div.after", point.node);
  books.before(after);
  after.append(books);
  if (now && seat !== null && finish.winner === seat && !still.matches) navigator.vibrate?.(20);
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
    if (!next || invited || wanted()) return;
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
    table.board.marks([]);
    fill(desk.place, shown).tabIndex = -1;
    desk.speak(...told());
    record();
    fill(
      desk.actions,
      h("div.figured", figured, asked),
      again,
      button("See how it went", review),
      button("Share", share),
    );
  }

  /** After the first game, a button that asks whether sounds are wanted; later nothing. */
  function asksForSound() {
    if (!sound.AVAILABLE || sound.wanted() || own.asked()) return null;
    own.keepAsked(true);
    const ask = button(["♪", h("span.asks-word", " Sound?")], () => {
      /** @type {HTMLElement} */ (document.querySelector(".sound")).click();
      ask.remove();
      say("Sounds are on.");
    });
    ask.classList.add("asks-sound");
    ask.ariaLabel = "Sound?";
    return ask;
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
    if (known) {
      figured.prepend(...figures(analysis, seat, names, hints));
      point.show(analysis, steps, counts());
    }
    write(
      pasted,
      result(finish, kind.signs, known && seat !== null && judged(analysis, seat, hints)),
    );
  }

  /** Opens the system's sheet with text, link and picture, or else copies text and link. */
  async function share({ currentTarget: pressed }) {
    const url = info.watch ? `${location.origin}/#watch/${info.id}` : "";
    const text = pasted.textContent;
    if (await shared(text, url, picture && "canShare" in navigator && (await drawnAs(picture))))
      return;
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
    fill(desk.actions, bar.node, again, button("How it ended", back), onward);
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
    const dear = marked(steps[at], seat)[0] ?? marked(steps[at], null)[0];
    bar.show(at, last(), says, where());
    table.show(steps[at].now, at > before);
    table.board.marks(dear ? [dear.best] : [], dear);
    desk.speak(says, means);
    record();
    curves?.look(at);
    if (at !== before && document.activeElement !== bar.slider) say(says);
  }

  /** The moves of a step that cost something, the dearest first: of one player, or all. */
  function marked({ numbers }, by) {
    return analysis ? mistakes(analysis, by).filter(({ number }) => numbers.includes(number)) : [];
  }

  /** Goes to the next of one's mistakes, or of everybody's, after the last to the first. */
  function nextMistake() {
    const by = mistakes(analysis, seat).length ? seat : null;
    const all = steps.flatMap((step, index) => (marked(step, by).length ? index : []));
    go(all.find((index) => index > at) ?? all[0]);
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
    // Beside a sign of the same turn it would seem to be about that one.
    const signed = analysis?.decisions.some(
      (each) => each.mark && each.turn === (steps[step].turn || null),
    );
    const dear = made
      .filter((each) => each.mark)
      .map(({ seat: by, remark }) => `${names[by - 1]}: ${remark}`)
      .join(" ");
    if (!step) {
      const [first] = [...marked(steps[0], seat), ...marked(steps[0], null)];
      const about = first && `${names[first.seat - 1]}: ${first.remark}`;
      return [hid() || "The beginning", about || (made[0] && judgement(made[0])) || ""];
    }
    if (step === last()) return [told()[0], dear || told()[1]];
    return [
      spoken(steps[step]),
      [
        hints.length && "With a hint.",
        ...made.map(judgement).filter((text) => !signed || text !== NO_BETTER),
      ]
        .filter(Boolean)
        .join(" "),
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
            // What is written about a secret stands beside the board.
            texts.slice(1).some((text) => text !== quoted(text))
              ? `${texts[0]}, and wrote ${counted(texts.length - 1, "clue")}.`
              : `${texts.map(quoted).join(", ")}.`,
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
    const listed = study.hidden ? {} : { ArrowUp: -1, ArrowDown: 1 };
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
    if (found instanceof Error) {
      point.leave();
      return fill(worth, soft(found.message));
    }
    analysis = found;
    const [dear] = [...mistakes(analysis, seat), ...mistakes(analysis, null)];
    onward.hidden = !dear;
    // Whoever made none is not told of one's own.
    if (dear && ![null, dear.seat].includes(seat))
      write(onward, `▸ ${names[dear.seat - 1]}'s mistake`);
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
  function wanted() {
    const { next } = own.game(info.id) ?? {};
    return next?.of === line.token ? next.token : null;
  }

  async function rematch() {
    const next = wanted() ?? own.token();
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
