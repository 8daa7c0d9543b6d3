/* Today's vault: a position of a game, answered on its own board and judged by what the answer
   costs. */

import * as api from "./api.js";
import { boardOf } from "./board.js";
import { shared } from "./clipboard.js";
import { fill, h, svg, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Ledger } from "./ledger.js";
import * as own from "./own.js";
import { button, capital, link } from "./parts.js";
import { play } from "./sound.js";
import { say, title } from "./status.js";
import { dated, keep, loses, lost, row, today, week, weekOf } from "./week.js";

const NAME = "Today's vault";
const MOST = 30; // secrets whose odds stand on the board
const TRIES = 3;
const percent = (chance) => (chance < 0.01 ? "‹1%" : `${Math.round(100 * chance)}%`);
const NUMBERS = ["no", "one", "two", "three", "four", "five"];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Opens the vault of today, and of another day as soon as that has begun. */
export async function open(stage) {
  const day = today();
  const puzzle = await api.vault(day);
  const game = await api.gameNamed(puzzle.game);
  const board = await boardOf(game.board);
  title(NAME);
  const stop = show(stage, puzzle, game, board);
  const renew = () =>
    document.visibilityState === "visible" && today() !== day && location.reload();
  document.addEventListener("visibilitychange", renew);
  return () => {
    stop();
    document.removeEventListener("visibilitychange", renew);
  };
}

/** Shows the vault of a day, and what was answered if something was. */
function show(stage, puzzle, game, board) {
  const { day, view, words, moves } = puzzle;
  const { seat } = view;
  const info = { seats: puzzle.names.map((name) => ({ name })) };
  const found = (text) => moves.find(({ move }) => move === text);
  const said = (text) => found(text)?.said ?? text;
  let choice = null;
  let nudged = false;
  let answer = own.vaults()[day];
  let looked = puzzle.best[0]; // the answer whose proof the board shows
  const all = Object.entries(puzzle.odds ?? {}).sort(([, one], [, two]) => two - one);
  const odds = all.length <= MOST ? all : [];

  const large = h("p.large");
  const means = h("div.means");
  const verdict = h("section.verdict", { "aria-label": "How it is judged", hidden: true });
  const streak = h("p.streak");
  const days = h("div");
  const confirm = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main"));
  const undo = button("Undo", () => board.clear());
  const nudge = button("Nudge", help);
  const actions = h("div.actions", { role: "group", "aria-label": "Actions" });
  const ledger = new Ledger();
  const node = h(
    "strongroom-vault",
    { onchoice: ({ detail }) => chosen(detail), onkeydown: key },
    h(
      "div.table.vault",
      h(
        "header.asked",
        h(
          "p.soft",
          `${dated(day)} · ${game.title}`,
          h("span.lamps", `level ${puzzle.lamps} of 5`),
        ),
        fitted(h("h1", puzzle.question)),
      ),
      h("section.known", { "aria-label": "What you know" }, facts(), ledger.node),
      verdict,
      h("div.board-place", board),
      h(
        "div.said",
        fitted(h("div.referee", { role: "group", "aria-label": "Referee" }, large, means)),
      ),
      h("section.thisweek", { "aria-label": "This week" }, streak, days),
      actions,
    ),
  );
  fill(stage, node);
  ledger.show({ rows: puzzle.rows, info }, game);
  draw();
  const ticks = setInterval(count, 30_000);
  // There is nothing that the board does not show.
  ledger.node.hidden = board.records || !game.secrets || !puzzle.rows.length;
  return () => clearInterval(ticks);

  /** One's own secret or symbol, and how many secrets of the other are left. */
  function facts() {
    const mine = game.secrets
      ? `Your ${game.secret_name} is ${view.secret[0]}.`
      : `You are ${game.symbols[seat - 1]}.`;
    return h(
      "div.facts",
      h("p", `${mine} ${words.count}`),
      odds.length > 0 && h("p", " The odds stand on the board."),
    );
  }

  /** Before an answer how likely each secret is; then what an answer is told, or how it wins. */
  function notes() {
    if (done() && !game.secrets)
      return Object.fromEntries(puzzle.moves.map(({ move, worth }) => [move, percent(worth)]));
    const told = (code, chance) => [code, done() ? board.told(looked, code) : percent(chance)];
    return Object.fromEntries(odds.map((each) => told(...each)));
  }

  function draw() {
    const shown = done() ? looked : null;
    board.show({
      ...{ view, words, seat, game, info, canMove: !shown, motion: !still.matches },
      puzzle: { notes: notes(), shown },
    });
    board.marks(shown ? puzzle.best : [], shown && { seat, move: other() });
    node.classList.toggle("answered", Boolean(answer));
    node.classList.toggle("settled", done());
    count();
    fill(days, weekOf(day));
    verdict.hidden = !answer;
    const late = answer && loses(answer.cost) ? ".late" : "";
    if (answer) fill(verdict, lampOf(loses(answer.last.cost) ? "" : `.lit${late}`), told());
    fill(
      actions,
      done()
        ? [
            button("Share", share, "button.main"),
            link("Play a game", `#bot/${game.name}`, "button"),
          ]
        : [confirm, undo, answer ? button("Show it", give) : nudge],
    );
    act();
  }

  /** Whether nothing more can be answered. */
  function done() {
    return Boolean(answer?.done);
  }

  /** The word, and the sentence with the quantity that decides. */
  function told() {
    const { move, cost } = answer.last;
    const left = TRIES - answer.tries;
    return [
      h("h1.word", loses(cost) ? `${(100 * cost).toFixed(1)} points short.` : "Right."),
      h(
        "p.large",
        done()
          ? (found(loses(cost) ? answer.move : move)?.contrast ?? "")
          : `${capital(said(move))} wins ${Math.round(100 * found(move).worth)} times in 100; ` +
              `there is better. ${capital(NUMBERS[left])} ${left > 1 ? "tries" : "try"} left.`,
      ),
    ];
  }

  /** How many days in a row, and how long it is until the next vault. */
  function count() {
    const now = new Date();
    const left = Math.ceil((new Date(now).setHours(24, 0, 0, 0) - now.getTime()) / 60_000);
    const time = `${Math.floor(left / 60)} h ${left % 60} min`;
    fill(streak, h("span", row(day)), h("span.soft", "next vault in ", h("b", time)));
  }

  /** The wrong answer that is compared with the right one: one's first, or the tempting one. */
  function other() {
    return loses(answer.cost) && found(answer.move) ? answer.move : puzzle.tempting.move;
  }

  /** What was lost by the first answer. */
  function result() {
    return `${lost(answer.cost)} lost${answer.nudged ? ", with a nudge" : ""}`;
  }

  /** What the board proves, and how the other answer looks there. */
  function proof() {
    const first = (loses(answer.cost) || answer.nudged) && `First answer: ${result()}.`;
    const told = game.secrets
      ? odds.length > 0 && `What ${said(looked)} is told by each.`
      : "How often each wins.";
    const turned = looked === other() ? puzzle.best[0] : other();
    return [
      h("p", looked === other() ? found(looked).why : first || told),
      button(
        looked === other() ? `Back to ${said(turned)}` : `Why not ${said(turned)}?`,
        () => {
          looked = turned;
          draw();
          means.querySelector("button").focus({ preventScroll: true });
        },
        "quiet",
      ),
    ];
  }

  /** What is said, and what it means. */
  function speech() {
    const [says, small] = choice
      ? [choice.title, choice.means]
      : [
          "Choose on the board.",
          "Judged against Master, once you press Answer.",
        ];
    return nudged ? [says, puzzle.nudge, "advised"] : [says, small];
  }

  function act() {
    const [says, more, look = "soft"] = done() ? [""] : speech();
    write(large, says);
    means.className = `means ${look}`;
    if (done()) fill(means, proof());
    else write(means, more);
    const offered = choice ?? board.untouched;
    write(confirm, offered ? `Answer ${said(offered.move)}` : "Choose a move");
    confirm.disabled = !offered;
    confirm.classList.toggle("offered", Boolean(offered && !choice));
    undo.disabled = !choice;
    nudge.disabled = nudged;
  }

  function chosen(detail) {
    choice = detail;
    act();
  }

  function help() {
    nudged = true;
    act();
    say(puzzle.nudge);
  }

  function key(event) {
    const free = event.target.closest("[data-enter]") || !event.target.closest("button, a, input");
    if (done()) return;
    if (event.key === "Escape") board.clear();
    if (event.key !== "Enter" || !(event.repeat || (choice && free))) return;
    event.preventDefault();
    if (!event.repeat) send(); // a key that is held answers nothing
  }

  function send() {
    const { move } = choice ?? board.untouched ?? {};
    if (!found(move) || done()) return;
    const { cost } = found(move);
    answer = keep(day, { move, cost, nudged }, TRIES);
    play(loses(cost) ? "shut" : "door");
    board.clear();
    draw();
    say([...verdict.querySelectorAll(".word, .large")].map((each) => each.textContent).join(" "));
    actions.querySelector("button:not([hidden], :disabled)")?.focus({ preventScroll: true });
  }

  /** Gives up the tries that are left. */
  function give() {
    answer = keep(day, null, TRIES);
    draw();
    actions.firstChild.focus({ preventScroll: true });
  }

  /** Opens the system's sheet, or copies the result. */
  async function share({ currentTarget: to }) {
    const text = [
      `strongroom · ${NAME}, ${dated(day)}`,
      `${puzzle.title}, level ${puzzle.lamps} of 5: ${result()}`,
      `${week(day)
        .map(({ sign }) => sign)
        .join(" ")}  ${row(day)}`.trim(),
    ].join("\n");
    if (await shared(text)) return;
    write(to, "Copied");
    say("The result is copied.");
  }
}

/** The lamp that lights for a right answer, and pale for a late one. */
const lampOf = (look) =>
  svg(
    `svg.bulb${look}`,
    { viewBox: "-66 -66 132 132", "aria-hidden": "true" },
    svg("circle.rays", { r: 51, pathLength: 12 }),
    svg("circle.glass", { r: 31 }),
    svg("path.foot", { d: "M-11 36H11M-8 43H8" }),
  );
