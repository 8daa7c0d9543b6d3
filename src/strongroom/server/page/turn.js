/* Whose turn it is and who is away, in words. */

import { minutes } from "./players.js";

/** A prompt as a sentence that stands alone. */
export const asked = (words) => words.prompt.replace(/:$/, ".");

/** Whose turn it is, without the menu that a terminal shows below it. */
export const turnOf = (words) => words.heading.split("\n")[0].replace(/[:.[\]]/g, "");

/** What whoever is to move does now; of chance, the last sentence of the game's words says it. */
export function thinking({ info, view, words }) {
  const sitter = info.seats[view.actor - 1];
  if (sitter) return `${sitter.name} ${view.setting_up ? "chooses in secret" : "is thinking"}`;
  return (view.history[0] && words.said.match(/[^.\s][^.\n]*/g)?.at(-1)) || "Chance decides";
}

/**
 * What the pill says, and in whose colour.
 * @param {Known} table
 * @returns {[text: string, who: Actor]}
 */
export function status(table) {
  const { info, seat, view } = table;
  if (!view) return ["waiting", null];
  const { actor, outcome } = view;
  const who = actor ?? outcome.winner;
  const sitter = info.seats[who - 1];
  if (outcome) return [who ? `${who === seat ? "You" : sitter.name} won` : "Undecided", who];
  if (who === seat) return [view.setting_up ? "Yours to choose" : "Your turn", who];
  return [sitter?.here === false ? `${sitter.name} is away` : thinking(table), who];
}

/**
 * Seconds until the game may be claimed, one more for clocks that differ; null: the other is there.
 */
export function claimable({ table: { info, seat, view }, behind }) {
  const other = seat !== null && view?.actor && info.seats[2 - seat];
  return !other || other.here
    ? null
    : 1 + info.claim_after - (Date.now() / 1000 + behind - other.away_since);
}

/** That the other one is away, and what may be done about it. */
export function absence(line) {
  const { info, seat } = line.table;
  const rest = claimable(line);
  return rest === null
    ? ""
    : `${info.seats[2 - seat].name} is away. ` +
        `You may claim the game${rest > 0 ? ` in ${minutes(rest)}` : ", or wait"}.`;
}
