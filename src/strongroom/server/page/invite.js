/* Invitations: the waiting room, and the page that an invitation opens. */

import * as api from "./api.js";
import { copy, shared } from "./clipboard.js";
import { fill, h } from "./dom.js";
import { IN_WORDS } from "./net.js";
import { form, nameField, showBeside } from "./new.js";
import * as own from "./own.js";
import { agreed, button, link, page, soft } from "./parts.js";
import { notice, say, title } from "./status.js";
import { thumbnail } from "./small.js";

/** What stands in the place of the board until the other one comes. */
export function waitingRoom(info, token) {
  const back = button(
    "Cancel the invitation",
    async () => {
      try {
        await api.withdraw(info.id, token);
        own.forget(info.id);
        for (const { id, next } of own.games())
          if (next?.token === token) own.keep(id, { next: null });
        location.hash = "";
        say("The invitation is cancelled.");
      } catch ({ message }) {
        notice(message);
      }
    },
    "quiet",
  );
  const late = info.seats.every(Boolean) && info.seats.find((sitter) => !sitter.here);
  const { invitation, again } = own.game(info.id) ?? {};
  const stays = "The game begins here by itself. You may leave: it stands among your games.";
  const room = (look, heading, ...rest) =>
    h("div.invite", h("div.shows", look), h("div", h("h2", heading), rest, h("div.row", back)));
  if (late || !invitation)
    return room(
      thumbnail(info.game),
      late
        ? `${late.name} ${again ? "is asked for a rematch" : "has not opened the page yet"}`
        : info.open
          ? "Waiting in the lobby"
          : "Waiting for your opponent",
      info.open && soft("Whoever opens the lobby can join you."),
      soft(stays),
    );
  const address = `${location.href.split("#")[0]}#join/${info.id}/${invitation}`;
  const drawn = h("div.qr");
  import("./qr.js").then(({ qr }) => fill(drawn, qr(address)));
  const copies = async ({ currentTarget: pressed }) => {
    await copy(address);
    pressed.textContent = "Copied";
    say("The link is copied.");
  };
  const { share } = /** @type {any} */ (navigator);
  return room(
    drawn,
    "Send this to a friend.",
    h("label.label", { for: "link" }, "Whoever opens it plays against you."),
    h("input.linkbox", {
      type: "text",
      id: "link",
      readonly: true,
      value: address,
      onfocus: ({ target }) => target.select(),
    }),
    h(
      "div.row",
      share && button("Share", () => shared(`Play ${info.title} with me.`, address), "button.main"),
      button("Copy the link", copies, share ? "button" : "button.main"),
    ),
    soft(`A phone's camera reads the picture. ${stays}`),
    /^(localhost$|127\.|\[::1)/.test(location.hostname) &&
      soft("This link works on this computer only; a friend elsewhere needs the address of this one."),
  );
}

/** What was agreed on, in words: what differs from the usual, the clock, and who may watch. */
function terms({ options, clock, watch }, game) {
  const unusual = game.options
    .filter(({ name, default: usual }) => options[name] !== usual)
    .map(({ name, why }) => (options[name] === true ? why : `${why}: ${options[name] ?? "no limit"}`));
  return [
    unusual.length ? unusual.join(", ") : "the usual rules",
    clock ? `${clock.minutes} minutes each and ${clock.increment} seconds a move` : "no clock",
    watch ? "others may watch" : "nobody watches",
  ].join(", ");
}

/** The door: who asks, what is played, one's own name. */
export async function open(stage, id, invitation) {
  const mine = own.game(id);
  if (mine && mine.invitation !== invitation) return location.replace(`#play/${id}/${mine.token}`);
  const info = await api.info(id);
  const host = info.seats.find(Boolean)?.name ?? "Somebody";
  title(info.title);
  const closed = (heading, why, label = "All games", to = "#") =>
    void fill(stage, page(heading, why, link(label, to, "button.main")));
  if (info.state === "withdrawn") return closed(info.title, IN_WORDS.withdrawn[1]);
  if (mine)
    return closed(
      "This is your own invitation",
      "Send the link to somebody else; whoever opens it plays against you.",
      "Back to the game",
      `#play/${id}/${mine.token}`,
    );
  if (info.seats.every(Boolean))
    return closed(
      "Both seats are taken",
      `This game of ${info.title} has two players already.`,
      ...(info.watch ? [info.state === "over" ? "Look at it" : "Watch it", `#watch/${id}`] : []),
    );
  const token = own.token();
  const game = await api.gameNamed(info.game);
  fill(
    stage,
    page(
      `${host} asks you to ${info.title}`,
      [game.goal, " ", link("Rules", `#rules/${info.game}`)],
      h("div.shows.look", thumbnail(info.game)),
      form(
        async (data, name) => {
          const joined = await api.join(id, { name, token, ...(invitation && { invitation }) });
          own.keep(id, {
            token,
            title: info.title,
            seat: joined.seat,
            hash: joined.game.coins.hash,
          });
          location.replace(`#play/${id}/${token}`);
        },
        "Sit down",
        nameField(),
        soft(`Agreed: ${[terms(info, game), agreed(info)].filter(Boolean).join(". ")}.`),
      ),
    ),
  );
  showBeside(stage.firstChild, game);
}
