/* Today's vault: a position of a game, answered on its own board and judged by what the answer
   costs. */

import * as api from "./api.js";
import { boardOf } from "./board.js";
import { shared } from "./clipboard.js";
import { fill, h, svg, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Ledger } from "./ledger.js";
import * as own from "./own.js";
import { upTo } from "./numbers.js";
import { button, capital, dialog, link, soft } from "./parts.js";
import { play } from "./sound.js";
import { notice, say, title } from "./status.js";
import { dated, keep, loses, lost, row, TIE, today, week, weekOf } from "./week.js";

const NAME = "Today's vault";
const MOST = { alike: 12, ranked: 30, best: 4 }; // codes that are listed
const TRIES = 3;
const percent = (chance) => (chance < 0.01 ? "under 1 %" : `${Math.round(100 * chance)} %`);
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

  const large = h("p.large");
  const means = h("p.means");
  const verdict = h("section.verdict", { "aria-label": "How it is judged", hidden: true });
  const streak = h("p.streak");
  const days = h("div");
  const confirm = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main"));
  const answers = [0, 1].map((at) =>
    fitted(button("", () => send(board.answers[at]), at ? "button" : "button.main")),
  );
  const undo = button("Undo", () => board.clear());
  const nudge = button("Nudge", help);
  const actions = h("div.actions", { role: "group", "aria-label": "Actions" });
  const ledger = new Ledger();
  const rules = () =>
    import("./rulebook.js")
      .then(({ overlay }) => overlay(game.name))
      .catch(({ message }) => notice(message));
  const node = h(
    "strongroom-vault",
    { onchoice: ({ detail }) => chosen(detail), onkeydown: key },
    h(
      "div.table.vault",
      h(
        "header.asked",
        h(
          "p.soft",
          `${dated(day)} · ${puzzle.title}`,
          h(
            "span.lamps",
            { role: "img", "aria-label": `${NUMBERS[puzzle.lamps]} of five lamps` },
            "●".repeat(puzzle.lamps),
            "○".repeat(5 - puzzle.lamps),
          ),
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
      puzzle.odds && possible(Object.entries(puzzle.odds)),
    );
  }

  /** Which secrets are left, if they are few, and how likely each is. */
  function possible(left) {
    const chances = left.map(([, chance]) => chance);
    const look = Math.max(...chances) - Math.min(...chances) < TIE ? "alike" : "ranked";
    if (look === "ranked") left.sort(([, one], [, two]) => two - one);
    return [
      look === "alike" && left.length > 1 && h("p", " Each is as likely."),
      left.length <= MOST[look] &&
        h(
          `ul.codes.${look}`,
          { "aria-label": "Still possible" },
          left.map(([code, chance]) =>
            h(
              "li",
              code.replaceAll("-", ""),
              look === "ranked" && h("small.soft", ` ${percent(chance)}`),
            ),
          ),
        ),
    ];
  }

  function draw() {
    board.show({ view, words, seat, game, info, canMove: !done(), motion: !still.matches });
    board.marks(done() ? [...puzzle.best, answer.move] : []);
    node.classList.toggle("answered", Boolean(answer));
    node.classList.toggle("settled", done());
    count();
    fill(days, weekOf(day));
    verdict.hidden = !answer;
    if (answer) fill(verdict, lampOf(!loses(answer.last.cost)), ...told());
    fill(
      actions,
      done()
        ? [
            button("Share", share, "button.main"),
            link(`Play ${game.title}`, `#bot/${game.name}`, "button"),
            button("Why?", explain),
          ]
        : [confirm, answers, undo, answer ? button("Show it", give) : nudge],
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
      h("h1.word", loses(cost) ? `${(100 * cost).toFixed(1)} short.` : "Right."),
      h(
        "p.large",
        done()
          ? (found(loses(cost) ? puzzle.best[0] : move)?.why ?? "")
          : `${found(move)?.why ?? ""} ${capital(NUMBERS[left])} ${left > 1 ? "tries" : "try"} left.`,
      ),
    ];
  }

  /** How many days in a row, and how long it is until the next vault. */
  function count() {
    const now = new Date();
    const left = Math.ceil((new Date(now).setHours(24, 0, 0, 0) - now.getTime()) / 60_000);
    write(
      streak,
      [row(day), `next vault in ${Math.floor(left / 60)} h ${left % 60} min`]
        .filter(Boolean)
        .join(" · "),
    );
  }

  /** What is said, and what it means. */
  function speech() {
    if (done())
      return [
        loses(answer.cost) ? `Best: ${puzzle.best.slice(0, MOST.best).map(said).join(", ")}.` : "",
        `${answer.tries > 1 ? `${capital(NUMBERS[answer.tries])} tries. ` : ""}` +
          `First answer: ${lost(answer.cost)} lost${answer.nudged ? ", with a nudge" : ""}.`,
      ];
    const [says, small] = choice
      ? [choice.title, choice.means]
      : ["Choose on the board.", "Nothing counts before you press Answer."];
    return nudged ? [says, puzzle.nudge, "advised"] : [says, small];
  }

  /** How an answer is judged, and why the right one is right. */
  function explain() {
    const [casual, expert] = ["casual", "expert"].map((bot) => lost(puzzle.bots[bot].cost));
    dialog(
      "Why?",
      [
        h("p", puzzle.answer),
        soft(
          `An answer is judged by what it loses against Master, the perfect player. On average, ` +
            `the casual bot would have lost ${casual}, and the expert ${expert}. It is kept in ` +
            "this browser only, and everybody has the same vault.",
        ),
      ],
      button(`Rules of ${game.title}`, rules),
      button("Close", undefined, "button.main"),
    );
  }

  function act() {
    const [says, more, look = "soft"] = speech();
    write(large, says);
    write(means, more).className = `means ${look}`;
    const offered = choice ?? board.untouched;
    const replies = !done() && board.answers;
    answers.forEach((each, at) => {
      each.hidden = !replies;
      write(each, replies ? replies[at].button : "");
    });
    confirm.hidden = undo.hidden = Boolean(replies);
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

  function send(chosen = choice ?? board.untouched) {
    const { move } = chosen ?? {};
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
      `${puzzle.title}, ${puzzle.lamps} of 5 lamps: ` +
        `${lost(answer.cost)} lost${answer.nudged ? ", with a nudge" : ""}`,
      `${week(day)
        .map(({ sign }) => sign)
        .join(" ")}  ${row(day)}`.trim(),
    ].join("\n");
    if (await shared(text)) return;
    write(to, "Copied");
    say("The result is copied.");
  }
}

/** The lamp that lights for a right answer. */
const lampOf = (lit) =>
  svg(
    `svg.bulb${lit ? ".lit" : ""}`,
    { viewBox: "-66 -66 132 132", "aria-hidden": "true" },
    svg("path.rays", {
      d: upTo(0, 11)
        .filter((at) => at !== 6)
        .map((at) => {
          const [x, y] = [Math.sin((at * Math.PI) / 6), -Math.cos((at * Math.PI) / 6)];
          return `M${44 * x} ${44 * y}L${58 * x} ${58 * y}`;
        })
        .join(""),
    }),
    svg("circle.glass", { r: 31 }),
    svg("path.foot", { d: "M-11 36H11M-8 43H8" }),
  );
