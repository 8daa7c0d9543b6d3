/* The turning point of a finished game: the position before a dear move, on the game's own board,
   with what was better and what was made. */

import * as api from "./api.js";
import { fill, h, write } from "./dom.js";
import * as own from "./own.js";
import { button, capital, counted } from "./parts.js";
import { notice } from "./status.js";

const AGAINST = "master"; // who plays on from a position
const SAID = /^(.*), an? \w+ \(−\d+ points?\): (.*)$/; // what was made, and what was better
const plain = (text) => text.replaceAll(" → ", " to ");

/** The moves of a player that cost something, or for a spectator everybody's, the dearest first. */
export const mistakes = ({ decisions }, seat) =>
  decisions
    .filter((each) => each.mark && (seat === null || each.seat === seat))
    .sort((one, two) => two.cost - one.cost);

/** What was made at a marked move, and what would have been better, in sentences' words. */
export const told = ({ remark }) => SAID.exec(remark).slice(1).map(plain);

/**
 * The card on a board of its own; it keeps its room until `show` fills it, once an analysis and the
 * steps are known, or `leave` gives the room back.
 */
export function turningPoint({ game, line }, board, finish, kind) {
  const { seat, info } = line.table;
  const where = h("span.soft");
  const place = h("div.board-place", { inert: true });
  const better = h("p.better");
  const made = h("p.soft");
  const next = button("▸ Next mistake", () => turn(at + 1));
  const tries = button("Try it from here", () =>
    goOn().catch(({ message }) => notice(message)),
  );
  const acts = h("div.row", next, tries);
  const heading = h("h2", "The turning point");
  const node = h("section.point.awaited", { "aria-label": "The turning point" });
  let known = null;
  let dear = [];
  let at = 0;
  if (board && finish.view.history.length) {
    fill(place, board);
    fill(node, h("header", heading, where), place, better, made, acts);
    shows(line.table);
    node.classList.toggle("far", Boolean(board.querySelector(".nine, .thirty")));
    write(better, "…");
    write(made, "…");
  }
  return { node, show, leave: () => fill(node) };

  /** Shows the dearest mistake, or that there was none; `counts` is how the steps are counted. */
  function show(analysis, steps, counts) {
    node.classList.remove("awaited");
    if (!analysis.decisions.some((each) => seat === null || each.seat === seat)) return fill(node);
    dear = mistakes(analysis, seat);
    known = { steps, counts };
    // A move that would have won may have been no worse by what was known then.
    if (!dear.length && finish.played && kind.missed?.(finish, finish.loser))
      return fill(node);
    if (!dear.length) return fill(node, heading, h("p.better", spared()));
    if (!board) return;
    next.hidden = dear.length < 2;
    tries.hidden = seat === null || !game.bots.includes(AGAINST);
    turn(0);
  }

  /** What is said where no move cost much. */
  function spared() {
    const lost = finish.loser === seat && seat !== null;
    if (lost && finish.played) return "Nothing cost you this. It was luck.";
    return `No move ${seat === null ? "" : "of yours "}cost much.`;
  }

  /** Plays on from the position that is shown. */
  async function goOn() {
    const token = own.token();
    const { name } = info.seats[seat - 1];
    const { game: made } = await api.create(
      {
        game: game.name,
        position: { game: info.id, step: dear[at].number },
        opponent: AGAINST,
        name: name === own.YOU ? own.GUEST : name,
        watch: false,
        token,
      },
      line.token,
    );
    own.keep(made.id, { token, title: game.title, seat, hash: made.coins.hash });
    location.hash = `#play/${made.id}/${token}`;
  }

  /** Shows a moment on the board. */
  function shows(moment) {
    board.show({ ...moment, seat, game, info, canMove: false, motion: false });
  }

  function turn(wanted) {
    at = wanted % dear.length;
    const { steps, counts } = known;
    const one = dear[at];
    const step = steps.findIndex(({ numbers }) => numbers.includes(one.number));
    const { now } = steps[Math.max(0, step - 1)];
    const [did, best] = told(one);
    const points = counted(Math.round(100 * one.cost), "point");
    const who = seat === one.seat ? "You" : info.seats[one.seat - 1].name;
    write(
      where,
      `${counts[step] ? `turn ${counts[step]}` : "set-up"} · ` +
        (dear.length < 2
          ? "the only one"
          : at
            ? `${at + 1} of ${dear.length}`
            : `the dearest of ${dear.length}`),
    );
    write(better, capital(best));
    shows(now);
    board.marks([one.best], one);
    place.hidden = !board.querySelector("[data-hinted], [data-made]"); // as with a clue in words
    fill(
      made,
      `${who} chose ${did} `,
      board.querySelector("[data-made]") &&
        h("i.ghost", { "data-made": one.seat, "aria-hidden": "true" }),
      ` and lost ${points}.`,
    );
  }
}
