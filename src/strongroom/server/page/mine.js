/* One's own games: the list of them, what each comes to, and how one leaves it. */

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import * as own from "./own.js";
import { ago, button, link, page } from "./parts.js";
import { notice, title } from "./status.js";
import { thumbnail } from "./small.js";

const LATER = ["offline", "unavailable", "slow-down"];
const MOST = 12; // that the server is asked about

/** Those in which something was played, the unfinished ones first. */
export const played = () =>
  own
    .games()
    .filter((game) => !game.fresh)
    .sort((one, two) => Number(Boolean(one.over)) - Number(Boolean(two.over)));

/**
 * Asks how some of one's unfinished games stand, and remembers it; each as the server tells it, and
 * null where it cannot be asked.
 */
export async function stand(games) {
  const told = await Promise.all(
    games.map(({ id, token }) => api.position(id, token).catch(({ code }) => code)),
  );
  return games.map(({ id, seat }, at) => {
    const { game, view } = told[at];
    if (told[at] === "unknown-game" || game?.state === "withdrawn") own.forget(id);
    if (!game || game.state === "withdrawn") return null;
    own.keep(id, {
      over: game.state === "over",
      won: game.winner,
      waits: game.state === "waiting",
      who: game.seats[2 - seat]?.name,
      turn: view?.actor === seat,
    });
    return told[at];
  });
}

/** The position of a game as a picture; without one, none. */
export const pictured = ({ game, view, words } = /** @type {any} */ ({})) =>
  view ? thumbnail(game.game, { ...view, left: words.left }) : null;

/** Lists one's own games. */
export async function open(stage) {
  title("Your games");
  const list = h("div.card");
  const place = page("Your games", "This browser remembers them, and nobody else.", list);
  const draw = (known = new Map()) =>
    fill(list, listed(played(), known) ?? h("p.soft", "None yet. Every game you play stands here."));
  draw();
  fill(stage, place);
  const asked = played()
    .filter((game) => !game.over)
    .slice(0, MOST);
  const told = await stand(asked);
  draw(new Map(asked.map(({ id }, at) => [id, told[at]])));
}

const listed = (games, known = new Map()) =>
  games.length ? h("ul.list.games", games.map((game) => row(game, known.get(game.id)))) : null;

/** One's own games that go on, where the server wants some of them ended first. */
export const unfinished = () => listed(own.games().filter((game) => !game.over));

function row({ id, token, title: name, who, seat, over, won, waits, turn, created }, told) {
  const ended = won ? `${won === seat ? "you" : who} won` : won === null ? "undecided" : "over";
  const act = over ? "Look at it" : waits ? "Open" : "Go on";
  return h(
    "li",
    told && h("span.shows", pictured(told)),
    h("span.grow", name),
    h(
      "span.soft",
      [
        who && !waits && `against ${who}`,
        over ? ended : waits ? `waits for ${who ?? "somebody"}` : turn && "your turn",
        created && ago(created),
      ]
        .filter(Boolean)
        .flatMap((each, at) => (at ? [", ", each] : each)),
    ),
    link(act, `#play/${id}/${token}`, "button", { "aria-label": `${act}: ${name}` }),
    leaving({ id, token, title: name, over }),
  );
}

/** What removes one's own game from the list; one that goes on is resigned, after two presses. */
function leaving({ id, token, title: name, over }) {
  const label = over ? "Forget" : "Resign";
  let sure = over;
  const leave = async ({ currentTarget: pressed }) => {
    if (!sure) {
      sure = true;
      pressed.textContent = "Really resign?";
      return void pressed.setAttribute("aria-label", `Really resign this game of ${name}?`);
    }
    const trouble = over ? null : await api.resign(id, token).catch((error) => error);
    if (LATER.includes(trouble?.code)) return void notice(trouble.message);
    own.forget(id);
    pressed.closest("li").remove();
  };
  return button(label, leave, "quiet", { "aria-label": `${label} this game of ${name}` });
}
