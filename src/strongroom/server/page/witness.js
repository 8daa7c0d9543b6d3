/* What this browser saw of a game while it was played, kept so that the end can be checked
   against it. */

import * as own from "./own.js";

/**
 * What is kept of a game played with a token; its seed is drawn only once the hash of the server's
 * is known.
 */
export function witnessOf(id, token, hash) {
  const kept = own.game(id);
  const seed = (kept?.token === token && kept?.seed) || own.token();
  return { seed, keep };

  /** Keeps a moment and its new entries; the token only now that it has a seat. */
  function keep({ info, seat, view }, entries = []) {
    if (seat === null) return;
    const mine = own.game(id) ?? {};
    const seen = { ...mine.seen };
    const secrets = { ...mine.secrets };
    for (const { step, commitment, keeper, move } of entries) {
      if (commitment) seen[step] ??= commitment;
      if (keeper === seat && move) secrets[step] ??= move;
    }
    const taken = info.coins.seeds[seat - 1] === seed; // or by another browser with this link
    const more = {
      token,
      seat,
      seen,
      secrets,
      title: info.title,
      hash: mine.hash ?? hash,
      seed: taken ? seed : mine.token === token ? mine.seed : undefined,
      over: Boolean(view?.outcome),
      won: view?.outcome?.winner,
      waits: !view,
      who: info.seats[2 - seat]?.name,
      turn: view?.actor === seat,
      created: info.created,
    };
    if (JSON.stringify({ ...mine, ...more }) !== JSON.stringify(mine)) own.keep(id, more);
  }
}

/** What was kept of a finished game, as verify.js takes it; null: nothing. */
export function seenOf({ info: { id, game, options }, view }) {
  // Of two seats that were played in one browser, one is kept, with its seed.
  const { hash, seat, seed, seen: commitments = {}, secrets = {} } = own.game(id) ?? {};
  return hash
    ? {
        id,
        game,
        options,
        hash,
        seeds: [1, 2].map((each) => each === seat && seed),
        commitments,
        secrets,
        events: view.history,
        end: view.outcome,
      }
    : null;
}
