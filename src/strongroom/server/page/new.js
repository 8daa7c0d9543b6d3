/* A new game: against whom, in which seat, and what the game leaves open. */

import * as api from "./api.js";
import { fill, h } from "./dom.js";
import { unfinished } from "./mine.js";
import * as own from "./own.js";
import { capital, link, page } from "./parts.js";
import { title } from "./status.js";

const CLOCKS = [
  [3, 2],
  [5, 3],
  [10, 5],
  [30, 20],
];

function choice(type, name, value, label, help = "", checked = false) {
  return h(
    "label.choice",
    h("input", { type, name, value, checked }),
    h("span", label, help && h("small.soft", help)),
  );
}

function field(label, help, name, input) {
  return h(
    "div",
    h("label.label", { for: name }, label),
    h("input", { id: name, name, "aria-describedby": `${name}-help`, ...input }),
    h("span.help.soft", { id: `${name}-help` }, help),
  );
}

/** The field for one's name. */
export const nameField = () =>
  field("Your name", "Your opponent sees it. This browser remembers it.", "name", {
    type: "text",
    maxlength: 24,
    value: own.name(),
    autocomplete: "nickname",
    spellcheck: "false",
    required: true,
  });

/** A form that shows its errors and loses nothing that was typed. */
export function form(submit, label, ...fields) {
  const trouble = h("div", { role: "alert" });
  const start = h("button.button.main", label);
  return h(
    "form.card",
    {
      novalidate: true,
      oninput: ({ target }) => {
        fill(trouble);
        target.removeAttribute("aria-invalid");
      },
      onsubmit: async (event) => {
        event.preventDefault();
        const missing = event.target.querySelector("input:invalid");
        const data = new FormData(event.target);
        const name = String(data.get("name")).trim().replace(/\s+/g, " ");
        fill(trouble);
        start.disabled = true;
        try {
          if (missing)
            throw new Error(
              missing.id === "name"
                ? "Type a name first."
                : `${missing.name}: ${missing.validationMessage}`,
            );
          own.keepName(name);
          await submit(data, name);
        } catch (error) {
          const full = error.code === "too-many-games" && unfinished();
          const wrong = missing ?? (error.code === "refused" && event.target.elements.name);
          fill(trouble, h("p.error", error.message), full);
          start.disabled = false;
          if (wrong) wrong.ariaInvalid = "true";
          (wrong || start).focus();
        }
      },
    },
    fields,
    h("div.foot", trouble, start),
  );
}

function optionField({ name, default: value, why, low, high }) {
  const label = capital(name.replaceAll("_", " "));
  if (typeof value === "boolean") return choice("checkbox", name, "yes", label, why, value);
  return field(
    label,
    `${why}, ${low} to ${high}${value === null ? "; empty: no limit" : ""}`,
    name,
    { type: "number", min: low, max: high, value: value ?? "", required: value !== null },
  );
}

/** The bot that fits who is new to a game. */
export const easy = (game) => (game.bots.includes("casual") ? "casual" : game.bots.at(-1));

/** The bots that know a game, one of them chosen. */
async function botField(game, chosen = easy(game)) {
  const { bots } = await api.catalog();
  return h(
    "div.inner",
    { role: "group", "aria-label": "Which bot" },
    bots
      .filter((bot) => game.bots.includes(bot.name))
      .map(({ name, title, line }) => choice("radio", "bot", name, title, line, name === chosen)),
  );
}

/**
 * Creates a game and remembers one's seat in it; the same token twice creates one. Where the seat
 * is: the end of its link.
 */
export async function create(game, wishes, more) {
  const {
    game: { id, coins },
    seat,
  } = await api.create({ game: game.name, ...wishes });
  own.keep(id, { token: wishes.token, title: game.title, seat, hash: coins.hash, ...more });
  return `#play/${id}/${wishes.token}`;
}

/** Shows what a game looks like beside a form, where there is room. */
export async function showBeside(form, game) {
  const { scenes } = await import("./scenes.js");
  const drawn = await scenes(game);
  if (drawn && form.isConnected) form.after(drawn); // or somebody has gone on
}

/** Shows the form; `who` is to be invited: "link", "lobby" or "bot". */
export async function open(stage, name, who = "link") {
  const game = await api.gameNamed(name);
  const levels = await botField(game);
  title(`New: ${game.title}`);
  const token = own.token();
  const invitation = own.token();
  const called = nameField();
  const aids = choice(
    "checkbox",
    "aids",
    "yes",
    "Hints and a notebook",
    "For both players or for nobody; whoever joins sees which.",
    true,
  );
  const against = (value, label, help) =>
    choice("radio", "opponent", value, label, help, who === value);
  const opponent = h(
    "fieldset",
    { onchange: arrange },
    h("legend", "Who plays against you?"),
    against("link", "Somebody you send a link", "They open it and play; no account."),
    against("lobby", "Anyone in the lobby", "Your game waits in the lobby until somebody joins."),
    against("bot", "A bot"),
    levels,
  );

  function arrange() {
    const bot = opponent.querySelector("[value=bot]").checked;
    // Between people only if they want it.
    if (levels.hidden === bot) aids.querySelector("input").checked = bot;
    levels.hidden = !bot;
    called.querySelector("input").required = !bot;
  }

  async function submit(data, typed) {
    const wanted = data.get("opponent");
    const asked = wanted === "link" && { invitation };
    const [minutes, increment] = CLOCKS[data.get("clock")] ?? [];
    const options = game.options.map(({ name: option, default: value }) => [
      option,
      typeof value === "boolean"
        ? data.has(option)
        : data.get(option)
          ? Number(data.get(option))
          : null,
    ]);
    const seat = await create(
      game,
      {
        options: Object.fromEntries(options),
        aids: data.has("aids"),
        watch: data.has("watch"),
        clock: minutes ? { minutes, increment } : null,
        opponent: wanted === "bot" ? data.get("bot") : wanted,
        seat: data.get("seat"),
        name: typed || own.GUEST,
        token,
        ...asked,
      },
      asked,
    );
    location.replace(seat);
  }

  arrange();
  fill(
    stage,
    page(
      game.title,
      [game.goal || game.summary, " ", link("Rules", `#rules/${name}`)],
      form(
        submit,
        "Start",
        called,
        opponent,
        h(
          "fieldset",
          h("legend", "Who begins?"),
          h(
            "div.choices",
            choice("radio", "seat", "toss", "A toss decides", "", true),
            choice("radio", "seat", "1", "I do"),
            choice("radio", "seat", "2", "My opponent does"),
          ),
        ),
        h(
          "details",
          h("summary", "More choices"),
          (game.aids || game.hints) && aids,
          choice(
            "checkbox",
            "watch",
            "yes",
            "Others may watch",
            "They see what both players may know, never a secret.",
            true,
          ),
          h(
            "div",
            h("label.label", { for: "clock" }, "Clock"),
            h(
              "select",
              { id: "clock", name: "clock" },
              h("option", { value: "" }, "No clock"),
              CLOCKS.map(([minutes, more], at) =>
                h("option", { value: at }, `${minutes} minutes each, ${more} seconds a move`),
              ),
            ),
          ),
          game.options.map(optionField),
        ),
      ),
    ),
  );
  showBeside(stage.firstChild, game);
}
