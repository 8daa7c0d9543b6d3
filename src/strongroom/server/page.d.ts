/* The shapes of what the server sends and the page keeps, for the types in comments. */

type Seat = 1 | 2;

/** A seat, or "chance"; a board knows in which of its moments it can only be a seat. */
type Actor = any;

/** A player of a game, as everybody sees it. */
interface Sitter {
  name: string;
  player: string;
  here: boolean;
  away_since: number | null;
}

/** What everybody may know of a game on the server. */
interface Info {
  id: string;
  game: string;
  title: string;
  options: Record<string, number | boolean | null>;
  aids: boolean;
  open: boolean;
  created: number;
  claim_after: number;
  seats: [Sitter | null, Sitter | null];
  coins: { hash: string; seeds: [string | null, string | null] };
  [more: string]: any;
}

/** A move that everybody sees. */
interface Step {
  seat: Actor;
  move: string;
  answer: any;
}

interface Outcome {
  winner: Seat | null;
  reason: string;
  detail: string;
}

/** What one seat, or a spectator, may know of a game. */
interface View {
  actor: Actor;
  number: number;
  setting_up: boolean;
  secret: string[];
  history: Step[];
  board: any;
  outcome: Outcome | null;
  secrets: [string[], string[]] | null;
  [more: string]: any;
}

/** What is said besides the view. */
interface Words {
  heading: string;
  prompt: string;
  accepted: string;
  said: string;
  left: string[] | null;
  codes: string[] | null;
  count: string;
  picture: any;
  drawing: any;
  [more: string]: any;
}

/** A line of the running record. */
interface Row {
  seat: Seat | null;
  text: string;
  result: string;
  mark: string;
}

/** A line of the journal, as a viewer may see it. */
interface Entry {
  step?: number;
  seat?: Actor;
  move?: string | null;
  answer?: any;
  keeper?: Seat;
  commitment?: string;
  nonce?: string;
  hint?: Seat;
  aids?: boolean;
  end?: Outcome;
}

/** All that is known of a game in this window. */
interface Known {
  info: Info | null;
  seat: Seat | null;
  view: View | null;
  words: Words | null;
  rows: Row[];
  clock: any;
  /** The number of journal entries that have arrived. */
  have: number;
}

/** A message of the server about a game. */
interface Frame {
  type: string;
  game?: Info;
  seat?: Seat | null;
  number?: number;
  entries?: Entry[];
  /** All of it in a welcome, later what has changed. */
  view?: View;
  words?: any;
  clock?: any;
  [more: string]: any;
}

/** A game of the catalog. */
interface Game {
  name: string;
  title: string;
  board: string;
  /** How many secrets each player hides. */
  secrets: number;
  secret_name: string;
  [more: string]: any;
}

/** A moment of a game, as a board draws it. */
interface Moment {
  view: View;
  words: Words;
  seat: Seat | null;
  game: Game;
  info: Info;
  canMove: boolean;
  motion: boolean;
  early?: boolean;
  /** What a puzzle writes on places, by their moves, and the answer that is looked at. */
  puzzle?: { notes: Record<string, string | number>; shown: string | null };
}

/** What a board would send, in words. */
interface Choice {
  move?: string;
  read?: string;
  button: string;
  title: string;
  means: string;
}

/** What is known of a finished game after one of its steps. */
interface Replayed {
  seat: Actor;
  numbers: number[];
  hidden: [string[], string[]];
  hints: number[];
  said: string;
  turn: number;
  now: Known;
}

/** What this browser keeps of a game. */
interface Kept {
  id: string;
  token: string;
  [more: string]: any;
}

type Connection = ReturnType<typeof import("./page/net.js").lineTo>;

interface Navigator {
  userActivation: { hasBeenActive: boolean };
}

interface Array<T> {
  toReversed(): T[];
  findLast(holds: (item: T, at: number) => boolean): T | undefined;
  findLastIndex(holds: (item: T, at: number) => boolean): number;
}

interface ObjectConstructor {
  groupBy<T, K extends PropertyKey>(items: Iterable<T>, key: (item: T) => K): Record<K, T[]>;
}

/** What the server writes of Safe Code's clues when it starts: `PageFiles` in `files.py`. */
declare module "*/clue-table.js" {
  /** The clues to suggest. */
  export const DRAWN: string[];
  /** Clues of kinds that the page does not know, each with the numbers that fit it. */
  export const LATER: [string, number[]][];
}
