/* Whose turn it is and who is away, in words. */

import { minutes } from "./parts.js";

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

/** How long ago a moment was, in words that stay short. */
function ago(seconds) {
  const hours = Math.floor(seconds / 3600);
  return hours < 1 ? minutes(seconds) : hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

/**
 * What is said beside each player's name, and whose moment it is.
 * @param {Known} table
 * @param {number} now the server's time, in seconds
 * @returns {{ texts: [string, string], whose: Actor }}
 */
export function status(table, now) {
  const { info, seat, view } = table;
  const { actor, outcome } = view ?? {};
  const whose = actor ?? outcome?.winner ?? null;
  const text = (sitter, at) => {
    if (!sitter || !view) return "";
    if (outcome) return whose === at ? "won" : whose ? "" : "undecided";
    if (whose === seat && at === seat) return "your turn";
    const person = sitter.player === "person" && seat !== at;
    if (person && !sitter.here) return `away ${ago(now - (sitter.away_since ?? now))}`;
    if (whose === at) return view.setting_up ? "chooses in secret" : "is thinking";
    return person ? "here" : "";
  };
  return { texts: [text(info.seats[0], 1), text(info.seats[1], 2)], whose };
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
