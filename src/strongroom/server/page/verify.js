/* Whether a finished game was fair: the checks of strongroom.referee.fairness, in the same
   order. */

import { counted } from "./parts.js";
import { knows, no, replay, same } from "./referee.js";
import { hmac, sha256 } from "./sha256.js";

const HEX32 = /^[0-9a-f]{32}$/;
const HEX64 = /^[0-9a-f]{64}$/;
const UNBOUND =
  "The record names no seeds. A server's record always does, so this game was played at one " +
  "keyboard, or they were taken out and chance may have been chosen.";
const UNFINISHED = "What is hidden until the end cannot be checked before it.";
const DAMAGED = "A damaged record cannot be replayed.";
const HIDDEN = "The server's seed has not been revealed.";
const IDLE = "Nothing was up to chance.";
const END = ["winner", "reason", "detail"];
const EVENT = ["seat", "move", "answer"];
const alike = (one, two, parts) => parts.every((part) => same(one?.[part], two?.[part]));
/* A game whose rules are not here is left to the command. */
const unknown = (game) => {
  const why =
    `This page has no rules of ${game}: its moves, answers and odds were not recomputed here. ` +
    "Use: strongroom verify";
  return [null, why, why];
};
const isObject = (line) => line?.constructor === Object;

/** How a fair coin falls at a step: heads exactly if the first bit of what the seeds give is 0. */
export const coin = ({ seed, seeds }, id, step) =>
  /^[0-7]/.test(hmac(seed, `${seeds.join(":")}:${id}:${step}`)) ? "heads" : "tails";

/** What a last line without its end holds: all of it, or nothing if it was cut. More is damage. */
function cut(last) {
  for (const { index } of last.matchAll(/}/g)) {
    let whole;
    try {
      whole = JSON.parse(last.slice(0, index + 1));
    } catch {
      continue;
    }
    return /[^\0]/.test(last.slice(index + 1))
      ? no("The last line ends with something else than a new line.")
      : [whole];
  }
  return [];
}

function read(text) {
  const lines = text.split("\n");
  const last = lines.pop();
  const found = lines.map((line) => JSON.parse(line));
  if (last) found.push(...cut(last));
  if (!found.every(isObject)) no("Each line of a record is a JSON object.");
  const [header, ...entries] = found;
  const isRecord =
    header?.schema === 2 &&
    typeof header.game === "string" &&
    HEX32.test(header.id) &&
    header.seats?.length === 2;
  const isLimited =
    header?.turn_limit === null || (Number.isInteger(header?.turn_limit) && header.turn_limit > 0);
  if (!isRecord || !isLimited || !isObject(header.options)) no("This is no record.");
  entries.forEach((line, at) => {
    const kind =
      ["step", "hint", "aids", "end"].find((each) => each in line) ??
      no(`Line ${at + 2} is no entry.`);
    if (kind === "end" && entries[at + 1]) no("Something follows the end.");
  });
  const steps = entries.filter((line) => "step" in line);
  steps.forEach(({ step }, at) => step === at + 1 || no(`Step ${at + 1} is missing.`));
  return { header, steps, end: entries.at(-1)?.end ?? null };
}

// --- the checks: each gives whether it fits (null: nobody can tell), what was found, and, where
// something is missing that could have been checked, why that matters ---

function secrets({ steps }) {
  const hidden = steps.filter((step) => "keeper" in step);
  const bad = hidden.find(
    ({ nonce, move, commitment }) =>
      !HEX32.test(nonce) || typeof move !== "string" || sha256(`${nonce} ${move}`) !== commitment,
  );
  if (bad) return [false, `The commitment of step ${bad.step} does not fit its move and nonce.`];
  if (!hidden.length) return [null, "Nothing was hidden in this match."];
  return [true, `${counted(hidden.length, "private move")}, each as its commitment says.`];
}

/** The rules and the end together. */
function rules({ header, steps, end }) {
  if (!knows(header.game)) return [unknown(header.game), unknown(header.game)];
  try {
    const due = replay(header, steps);
    return [
      [
        true,
        `${counted(steps.length, "step")}, each legal, in turn, and answered as the rules answer.`,
      ],
      ending(end, due),
    ];
  } catch (error) {
    return [
      [false, error.message],
      [null, DAMAGED],
    ];
  }
}

function ending(end, due) {
  if (!end && !due) return [null, "The match is not over.", UNFINISHED];
  if (!end || alike(end, due, END)) return [true, "It ended as the moves imply."];
  if (due || !["resigned", "forfeited"].includes(end.reason) || ![1, 2].includes(end.winner))
    return [false, "The moves lead to another end."];
  return [
    null,
    `Player ${end.winner} won because the other ${end.reason}; ` +
      "no rule can tell whether that is so.",
  ];
}

function seed({ header: { coins }, end }) {
  if (coins === undefined) return [null, "The record has no seed.", UNBOUND];
  const formed = isObject(coins) && HEX64.test(coins.hash) && coins.seeds?.length === 2;
  if (!formed || !coins.seeds.every((each) => each === null || HEX32.test(each)))
    return [false, "The coins have another form."];
  // At the end it must be there: who keeps it back then has something to hide.
  if ((coins.seed ?? null) === null) return end ? [false, HIDDEN] : [null, HIDDEN, UNFINISHED];
  const fits = HEX64.test(coins.seed) && sha256(coins.seed) === coins.hash;
  return [fits, `The server's seed ${fits ? "fits" : "does not fit"} the hash published of it.`];
}

function flips({ header: { coins, game, id, seats }, steps }, isSeed) {
  const taken = coins?.taken ?? 0;
  const due = steps.filter(({ seat, step }) => seat === "chance" && step > taken);
  const more = taken ? ` The first ${counted(taken, "step")} come from another match.` : "";
  if (isSeed === null && coins) return [null, HIDDEN, UNFINISHED];
  if (isSeed === null)
    return due.length
      ? [null, "Chance decided, with nothing to check it against.", UNBOUND]
      : [null, IDLE];
  if (!isSeed) return [null, "Without the seed, they cannot be checked."];
  if (seats.some(({ player }, at) => player !== "person" && !/^0*$/.test(coins.seeds[at] ?? "")))
    return [false, "The seed of a bot should be 32 zeros."];
  if (!due.length) return [true, IDLE + more];
  if (coins.seeds.includes(null))
    return [false, "Chance decided before both players' seeds were there."];
  if (!knows(game)) return unknown(game);
  const bad = due.find(({ step, move }) => coin(coins, id, step) !== move)?.step;
  if (bad)
    return [
      false,
      `At step ${bad} the seeds give ${coin(coins, id, bad)}, and the record says otherwise.`,
    ];
  return [true, `Chance decided ${counted(due.length, "time")}, as the seeds say.${more}`];
}

function published(record, seen) {
  if (!seen)
    return [null, "This browser did not see all of the match, so it cannot tell what was shown."];
  const trouble = differences(record, seen).next().value;
  const many = counted(Object.keys(seen.commitments).length, "commitment");
  return trouble
    ? [false, trouble]
    : [
        true,
        `The record is what this browser saw: ${many}, ${counted(seen.events.length, "move")}.`,
      ];
}

function* differences({ header, steps, end }, seen) {
  const coins = header.coins ?? {};
  const open = steps.filter((step) => !("keeper" in step));
  if (seen.id !== header.id) yield "The record is of a match with another id.";
  if (
    seen.game !== header.game ||
    !alike(seen.options, header.options, Object.keys({ ...header.options, ...seen.options }))
  )
    yield "The record is of another game.";
  if (seen.hash !== coins.hash) yield "Another hash of the server's seed was published.";
  for (const at of [0, 1])
    if (seen.seeds[at] && seen.seeds[at] !== coins.seeds?.[at])
      yield `Player ${at + 1} had another seed.`;
  for (const [step, digest] of Object.entries(seen.commitments))
    if (steps[Number(step) - 1]?.commitment !== digest)
      yield `Step ${step} had another commitment.`;
  for (const [step, move] of Object.entries(seen.secrets))
    if (steps[Number(step) - 1]?.move !== move) yield `Step ${step} was ${move}.`;
  for (const [at, event] of seen.events.entries()) {
    if (!open[at]) yield `Move ${at + 1}, ${event.move}, is missing.`;
    if (!alike(event, open[at], EVENT))
      yield `Move ${at + 1} was ${event.move}, and the record has another, or another answer.`;
  }
  if (seen.end && !alike(seen.end, end, END)) yield "The match was announced to end differently.";
}

/** Whether anything is wrong, and what is missing that could have been checked. */
export function verdict(checks) {
  if (checks.some(({ ok }) => ok === false)) return "Something does not fit.";
  const missing = new Map();
  for (const { check, matters } of checks)
    if (matters) missing.set(matters, [...(missing.get(matters) ?? []), check]);
  if (!missing.size) return "Everything fits.";
  const why = [...missing].map(
    ([matters, names]) => `Not checked: ${names.join(", ")}. ${matters}`,
  );
  return ["Nothing that could be checked is wrong.", ...why].join(" ");
}

/** Check a finished record against its commitments, the rules, its coins and what was seen. */
export function verify(text, seen) {
  const told = (checks) =>
    Object.entries(checks).map(([check, [ok, found, matters = ""]]) => ({
      check,
      ok,
      text: found,
      matters,
    }));
  let record;
  try {
    record = read(text);
  } catch (error) {
    return told({ record: [false, error.message] });
  }
  const [legal, ended] = rules(record);
  const fits = seed(record);
  return told({
    record: [true, `${counted(record.steps.length, "step")}: it can be read.`],
    secrets: secrets(record),
    rules: legal,
    end: ended,
    seed: fits,
    coins: legal[0] === false ? [null, DAMAGED] : flips(record, fits[0]),
    published: published(record, seen),
  });
}
