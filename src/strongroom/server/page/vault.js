/* Today's vault: a position of a game, answered on its own board and judged by what the answer
   costs. */

import * as api from "./api.js";
import { boardOf } from "./board.js";
import { copy } from "./clipboard.js";
import { fill, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Ledger } from "./ledger.js";
import * as own from "./own.js";
import { button, capital, link } from "./parts.js";
import { play } from "./sound.js";
import { notice, say, title } from "./status.js";
import { dated, keep, loses, lost, row, TIE, today, week, weekOf } from "./week.js";

const NAME = "Today's vault";
const MOST = { alike: 12, ranked: 30 }; // codes that are listed
const percent = (chance) => (chance < 0.01 ? "under 1 %" : `${Math.round(100 * chance)} %`);
const NUMBERS = ["no", "one", "two", "three", "four", "five"];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** A label, and a shorter one for small windows. */
const either = (longer, shorter) => [h("span.longer", longer), h("span.shorter", shorter)];

/** Opens the vault of today, and of another day as soon as that has begun. */
export async function open(stage) {
  const day = today();
  const puzzle = await api.vault(day);
  const game = await api.gameNamed(puzzle.game);
  const board = await boardOf(game.board);
  title(NAME);
  show(stage, puzzle, game, board);
  const renew = () =>
    document.visibilityState === "visible" && today() !== day && location.reload();
  document.addEventListener("visibilitychange", renew);
  return () => document.removeEventListener("visibilitychange", renew);
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
  const streaks = [h("p.soft.longer"), h("p.soft.shorter")];
  const judged = h("p.soft");
  const days = h("div");
  const confirm = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main"));
  const undo = button("Undo", () => board.clear());
  const nudge = button(either("I need a nudge", "Nudge"), help);
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
        "section.card.desk",
        { "aria-label": NAME },
        h(
          "header.asked",
          h("p.soft", `${dated(day)} · ${puzzle.title} · ${NUMBERS[puzzle.lamps]} of five lamps`),
          streaks[0],
          fitted(h("h1", puzzle.question)),
        ),
        h("section.known", h("h2", "What you know"), facts(), ledger.node),
        h("div.board-place", board),
        h(
          "div.foot",
          fitted(h("div.referee", { role: "group", "aria-label": "Referee" }, large, means)),
          actions,
        ),
      ),
      h(
        "aside.card.column",
        { "aria-label": "How it is judged, and this week" },
        h(
          "section",
          h("h2", "How it is judged"),
          judged,
          h("p", button(`Rules of ${game.title}`, rules, "quiet")),
        ),
        h(
          "section",
          h("h2", "This week"),
          streaks[1],
          days,
          h("p.soft", "Full: nothing lost. Pale: something lost."),
        ),
        h(
          "p.soft",
          "Kept in this browser only. The same vault for everybody, from the date; no server " +
            "needs to know you.",
        ),
      ),
    ),
  );
  fill(stage, node);
  ledger.show({ rows: puzzle.rows, info }, game);
  draw();
  // There is nothing that the board does not show.
  ledger.node.hidden = board.records || !game.secrets || !puzzle.rows.length;

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
    board.show({ view, words, seat, game, info, canMove: !answer, motion: !still.matches });
    board.marks(!answer ? [] : loses(answer.cost) ? puzzle.best : [answer.move]);
    node.classList.toggle("answered", Boolean(answer));
    for (const each of streaks) write(each, row(day));
    const [casual, expert] = ["casual", "expert"].map((bot) => lost(puzzle.bots[bot].cost));
    write(
      judged,
      "By what it loses against Master, the perfect player. " +
        `${answer ? "" : "The best answer loses nothing. "}On average, the casual bot ` +
        `${answer ? "would have lost" : "loses"} ${casual}, and the expert ${expert}.`,
    );
    fill(days, weekOf(day));
    fill(
      actions,
      answer
        ? [
            button("Copy result", copyResult, "button.main"),
            link(either(`Play ${game.title}`, "Play it"), `#bot/${game.name}`, "button"),
          ]
        : [confirm, undo, nudge],
    );
    act();
  }

  /** What is said, what it means, and how that looks. */
  function speech() {
    if (answer)
      return [
        `${capital(lost(answer.cost))} lost.`,
        `You answered ${said(answer.move)}. ${reason(answer)}${puzzle.answer}`,
      ];
    const [says, small] = choice
      ? [choice.title, choice.means]
      : ["Choose on the board.", "Nothing counts before you press Answer."];
    return nudged ? [says, puzzle.nudge, "advised"] : [says, small];
  }

  /** What a wrong answer does, unless the explanation tells it anyway. */
  function reason({ move, cost }) {
    return loses(cost) && move !== puzzle.tempting.move ? `${found(move)?.why ?? ""} ` : "";
  }

  function act() {
    const [says, more, look = "soft"] = speech();
    write(large, says);
    write(means, more).className = `means ${look}`;
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
    if (answer) return;
    if (event.key === "Escape") board.clear();
    if (event.key !== "Enter" || !(event.repeat || (choice && free))) return;
    event.preventDefault();
    if (!event.repeat) send(); // a key that is held answers nothing
  }

  function send() {
    const { move } = choice ?? board.untouched ?? {};
    if (!found(move) || answer) return;
    answer = keep(day, { move, cost: found(move).cost, nudged });
    play(loses(answer.cost) ? "shut" : "door");
    draw();
    say(speech().join(" "));
    actions.firstChild.focus({ preventScroll: true });
  }

  async function copyResult({ currentTarget: to }) {
    await copy(
      [
        `strongroom · ${NAME}, ${dated(day)}`,
        `${puzzle.title}, ${puzzle.lamps} of 5 lamps: ` +
          `${lost(answer.cost)} lost${answer.nudged ? ", with a nudge" : ""}`,
        `${week(day)
          .map(({ sign }) => sign)
          .join(" ")}  ${row(day)}`.trim(),
      ].join("\n"),
    );
    write(to, "Copied");
    say("The result is copied.");
  }
}
