/* The server's HTTP side. */

import { find } from "./dom.js";
import { lamp } from "./status.js";

/** What the server would not do, with its own sentence. */
export class Refused extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

async function answered(method, path, token, body) {
  const headers = {
    ...(body && { "Content-Type": "application/json" }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  let response;
  try {
    response = await fetch(`/api/${path}`, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    lamp("lost", "no connection");
    throw new Refused(
      "offline",
      "The server cannot be reached. Nothing is lost; try again in a moment.",
    );
  }
  lamp("connected", "connected");
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Refused(
    told.error ?? "unknown",
    told.text ?? `The server answered ${response.status}. Try again in a moment.`,
  );
}

const get = async (path, token) => (await answered("GET", path, token)).json();
const post = async (path, body, token) => (await answered("POST", path, token, body)).json();
let catalogued = JSON.parse(find("catalog").textContent);
let made = null; // the game that was made last

/** Which games and bots there are; the page came with it. */
export const catalog = async () => (catalogued ??= await get("catalog"));

/** A game of the catalog by its name, also if it was added since. */
export async function gameNamed(name) {
  const find = async () => (await catalog()).games.find((each) => each.name === name);
  const found = (await find()) ?? ((catalogued = null), await find());
  if (!found) throw new Refused("unknown-game", "This server has no game of that name.");
  return found;
}

/** The rules of a game: {title, html}. */
export const rules = (name) => get(`rules/${encodeURIComponent(name)}`);

/** The vault of a day. */
export const vault = (day) => get(`vault?day=${day}`);

/** Makes a game; the same token twice makes one. `from` opens one from which it goes on. */
export const create = async (body, from) => (made = await post("games", body, from));

/** Takes the free seat of a game. */
export const join = (id, body) => post(`games/${id}/join`, body);

/** The games that wait for somebody, are played, or are over. */
export const list = async (show) => (await get(`games?show=${show}`)).games;

/** How a game stands; what is no id at all is no game. */
export async function info(id) {
  if (!/^[0-9a-f]{32}$/.test(id))
    throw new Refused("unknown-game", "The link is broken, or leads nowhere.");
  return (await get(`games/${id}`)).game;
}

/** What never changes of a game; of the one that was just made it is known. */
export const fixed = async (id) => (made?.game.id === id ? made.game : info(id));

/** A game as it stands, as its player or a spectator sees it: like a welcome. */
export const position = (id, token) => get(`games/${id}/position`, token);

/** Takes back a game that has not begun. */
export const withdraw = (id, token) => post(`games/${id}/withdraw`, {}, token);

/** Resigns a game, or takes it back before it begins. */
export const resign = (id, token) => post(`games/${id}/resign`, {}, token);

/** The same two once more, seats swapped. */
export const rematch = (id, token, next) => post(`games/${id}/rematch`, { token: next }, token);

/** The journal of a finished game, as text. */
export const record = async (id, token) =>
  (await answered("GET", `games/${id}/record`, token)).text();

/** A finished game, frame by frame, as a seat or a spectator saw it. */
export const replay = (id, token, seat) =>
  get(`games/${id}/replay${seat ? `?seat=${seat}` : ""}`, token);

/** What each move of a finished game cost. */
export const analysis = (id, token) => get(`games/${id}/analysis`, token);
