/* Today's vault: a position of a game, answered on its own board and judged by what the answer costs. */

import * as api from "./api.js";
import { boardOf } from "./board.js";
import { copy } from "./clipboard.js";
import { fill, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import { Ledger } from "./ledger.js";
import * as own from "./own.js";
import { button, capital, counted, link } from "./parts.js";
import { play } from "./sound.js";
import { notice, say, title } from "./status.js";
import { dated, keep, lamps, loses, lost, row, today, week } from "./week.js";

const NAME = "Today's vault";
const FEW = 12; // codes that are listed
const NUMBERS = ["no", "one", "two", "three", "four", "five"];
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** A label, and a shorter one for small windows. */
const either = (longer, shorter) => [h("span.longer", longer), h("span.shorter", shorter)];

/** Opens the vault of today, and of another day as soon as that has begun. */
export async function open(stage) {
  const day = today(), puzzle = await api.vault(day), game = await api.gameNamed(puzzle.game);
  const shown = await vaultOf(puzzle, game);
  title(NAME);
  fill(stage, shown.node);
  shown.begin();
  const renew = () => document.visibilityState === "visible" && today() !== day && location.reload();
  document.addEventListener("visibilitychange", renew);
  return () => document.removeEventListener("visibilitychange", renew);
}

/** The vault of a day as an element; `begin` once it is on the page. */
async function vaultOf(puzzle, game) {
  const board = await boardOf(game.board);
  const { day, view, words, moves } = puzzle, { seat } = view, info = { seats: puzzle.names.map((name) => ({ name })), aids: true };
  let choice = null, nudged = false;
  const answer = () => own.vaults()[day];
  const said = (text) => moves.find(({ move }) => move === text)?.said ?? text;

  // --- what stands on it ---

  const large = h("p.large"), means = h("p.means"), streaks = [h("p.soft.longer"), h("p.soft.shorter")], judged = h("p.soft"), days = h("div");
  const confirm = fitted(button("", ({ detail }) => detail > 1 || send(), "button.main"));
  const undo = button("Undo", () => board.clear()), nudge = button(either("I need a nudge", "Nudge"), help);
  const actions = h("div.actions", { role: "group", "aria-label": "Actions" });
  const rules = () => import("./rulebook.js").then(({ overlay }) => overlay(game.name)).catch(({ message }) => notice(message));
  const ledger = new Ledger(), known = h("section.known", { "aria-label": "What you know" }, h("h2", "What you know"), facts(), ledger.node);
  const node = h("strongroom-vault", { onchoice: ({ detail }) => chosen(detail), onkeydown: key }, h("div.table.vault",
    h("section.card.desk", { "aria-label": NAME },
      h("header.asked", h("p.soft", `${dated(day)} · ${game.title} · ${NUMBERS[puzzle.lamps]} of five lamps`), streaks[0], fitted(h("h1", puzzle.question))),
      known, h("div.board-place", board),
      h("div.foot", fitted(h("div.referee", { role: "group", "aria-label": "Referee" }, large, means)), actions)),
    h("aside.card.column", { "aria-label": "How it is judged" },
      h("section", h("h2", "How it is judged"), judged, h("p", button(`Rules of ${game.title}`, rules, "quiet"))),
      h("section", h("h2", "This week"), streaks[1], days, h("p.soft", "Full: nothing lost. Pale: something lost.")),
      h("p.soft", "Kept in this browser only. The same vault for everybody, from the date; no server needs to know you."))));
  return { node, begin };

  /** One's own secret, and how many of the other's are left, listed if they are few. */
  function facts() {
    const [secret] = view.secret, { count, left } = words;
    return h("div.facts", h("p", [secret && `Your ${game.secret_name} is ${secret}.`, count].filter(Boolean).join(" ")),
      left?.length <= FEW && h("ul.codes", { "aria-label": "Still possible" }, left.map((code) => h("li", code.replaceAll("-", "")))));
  }

  /** Shows the position, and what was answered if something was. */
  function begin() {
    ledger.show({ rows: puzzle.rows, info }, game);
    known.hidden = !game.secrets; // the board shows it all
    draw();
    ledger.node.hidden = board.records || !puzzle.rows.length;
  }

  function draw() {
    const given = answer();
    board.show({ view, words, seat, game, info, early: true, canMove: !given, motion: !still.matches });
    board.marks(!given ? [] : loses(given.cost) ? puzzle.best : [given.move]);
    node.classList.toggle("answered", Boolean(given));
    for (const each of streaks) write(each, row(day) > 1 ? `${row(day)} days in a row` : "");
    const [casual, expert] = ["casual", "expert"].map((bot) => lost(puzzle.bots[bot].cost));
    write(judged, `By what it loses against Master, the perfect player. ${given ? "" : "The best answer loses nothing. "}On average, the casual bot ${given ? "would have lost" : "loses"} ${casual}, and the expert ${expert}.`);
    fill(days, lamps(day));
    fill(actions, given ? [button("Copy result", copyResult, "button.main"), link(either(`Play ${game.title}`, "Play it"), `#bot/${game.name}`, "button")] : [confirm, undo, nudge]);
    act();
  }

  /** What is said, what it means, and how that looks. */
  function speech() {
    const given = answer();
    if (given) return [`${capital(lost(given.cost))} lost.`, `You answered ${said(given.move)}. ${puzzle.answer}`];
    const [says, small] = choice ? [choice.title, choice.means] : ["Choose on the board.", "Nothing counts before you press Answer."];
    return nudged ? [says, puzzle.nudge, "advised"] : [says, small];
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

  // --- what is done ---

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
    if (event.key === "Escape") board.clear();
    if (event.key !== "Enter" || !(event.repeat || (choice && free))) return;
    event.preventDefault();
    if (!event.repeat) send(); // a key that is held answers nothing
  }

  function send() {
    const { move } = choice ?? board.untouched ?? {}, found = moves.find((each) => each.move === move);
    if (!found || answer()) return;
    keep(day, { move, cost: found.cost, nudged });
    play(loses(found.cost) ? "shut" : "door");
    draw();
    say(speech().slice(0, 2).join(" "));
    actions.firstChild.focus({ preventScroll: true });
  }

  async function copyResult({ currentTarget: pressed }) {
    const { cost, nudged: helped } = answer(), days_ = row(day);
    await copy([`strongroom · ${NAME}, ${dated(day)}`, `${game.title}, ${puzzle.lamps} of 5 lamps: ${lost(cost)} lost${helped ? ", with a nudge" : ""}`,
      `${week(day).map(({ sign }) => sign).join(" ")}${days_ > 1 ? `  ${counted(days_, "day")} in a row` : ""}`].join("\n"));
    write(pressed, "Copied");
    say("The result is copied.");
  }
}
