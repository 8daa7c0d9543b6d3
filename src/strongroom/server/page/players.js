/* The players' bars: names, whose turn it is, who is away, clocks, one's own secret. */

import { changed, fill, h, write } from "./dom.js";
import { YOU } from "./own.js";
import { minutes } from "./parts.js";
import { say } from "./status.js";
import { status } from "./turn.js";

const SHORT = 400; // milliseconds: a tap, not a hold

/** The two players' classes, which colour what is theirs. */
export const SIDES = ["one", "two"];

/** The sign of a player, which says the same as the colour. */
export const mark = (seat) => h(`span.glyph.${SIDES[seat - 1]}`, { "aria-hidden": "true" });

/** One's own secret, covered unless a pointer or a key holds the lid up. */
function lidded() {
  let name = "";
  let texts = [];
  let back = 0;
  let since = 0;
  const cover = h("span.cover");
  const under = h("span.under");
  const drop = () => lift(false);
  const node = h(
    "button.lid",
    {
      hidden: true,
      title: "Press and hold to see it",
      onpointerdown: ({ pointerId, timeStamp }) => {
        since = timeStamp;
        node.setPointerCapture(pointerId);
        lift(true);
      },
      onpointerup: drop,
      onlostpointercapture: drop,
      onblur: drop,
      onkeyup: drop,
      onkeydown: (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        lift(true);
      },
      oncontextmenu: (event) => event.preventDefault(),
      onclick: ({ detail, timeStamp }) => {
        if (detail && timeStamp - since > SHORT) return;
        lift(true); // a tap, or a screen reader's press without length: it stays up for a moment
        back = setTimeout(drop, detail ? 2000 : 4000);
      },
    },
    cover,
    under,
  );
  return { node, show };

  /** Puts something under the lid, whose place is kept in games that hide something. */
  function show(noun, hidden, kept) {
    node.hidden = !kept;
    node.classList.toggle("empty", !hidden.length);
    if (!changed(node, hidden)) return;
    [name, texts] = [noun, hidden];
    fill(cover, h("span.noun", `${name} `), h("span.dots", { "aria-hidden": "true" }, "●●●"));
    node.ariaLabel = `Your ${name}, covered: press and hold to see it`;
    drop();
  }

  function lift(up) {
    clearTimeout(back);
    if (node.classList.toggle("lifted", up) === Boolean(under.firstChild)) return;
    const [first, ...rest] = texts;
    fill(
      under,
      up && `${name} ${first}`,
      up &&
        rest.length > 0 &&
        h(
          "span.more",
          rest.map((text) => h("span", text)),
        ),
    );
    if (up) say(`Your ${name}: ${texts.join("; ")}`);
  }
}

/** The two bars: whoever sits opposite, and oneself; before a spectator, seat two and seat one. */
export function playersBars() {
  const lid = lidded();
  const [them, me] = ["them", "me"].map((place) => {
    const sign = mark(1);
    const name = h("b");
    const who = h("span.soft");
    const turn = h("span.turn");
    const face = h("span.clock", { hidden: true });
    const node = h(`div.player.${place}`, { role: "group" }, sign, name, who, turn, face);
    return { node, sign, name, who, turn, face, index: 0 };
  });
  let clock = null;
  me.node.insertBefore(lid.node, me.face);
  return { them: them.node, me: me.node, show, tick };

  /** Draws a moment. */
  function show(table, game) {
    const { info, seat, view } = table;
    const { texts, whose } = status(table);
    [them.index, me.index] = seat === 2 ? [0, 1] : [1, 0];
    for (const { node, sign, name, who, turn, index } of [them, me]) {
      const sitter = info.seats[index];
      const away = sitter && !sitter.here && info.state === "playing";
      const now = whose === index + 1;
      node.className =
        `player ${node === me.node ? "me" : "them"} of-${index + 1}` +
        `${now ? " now" : ""}${away && seat !== index + 1 ? " away" : ""}`;
      sign.className = `glyph ${SIDES[index]}`;
      node.ariaLabel = `Player ${index + 1}`;
      write(name, sitter?.name ?? "nobody yet");
      write(turn, texts[index]);
      write(
        who,
        [
          !game.secrets && game.symbols[index],
          seat === index + 1 && sitter.name !== YOU && "you",
          info.score.some(Boolean) &&
            `won ${info.score[index] + (view?.outcome?.winner === index + 1)}`,
        ]
          .filter(Boolean)
          .join(" · "),
      );
    }
    const hides = seat !== null && view && game.secrets;
    lid.show(game.secret_name, view?.outcome ? [] : (view?.secret ?? []), hides);
    clock = table.clock;
    tick();
  }

  /** Lets the clocks run; without a connection they stand. */
  function tick() {
    for (const { face, index } of [them, me]) {
      const running = clock?.running === index + 1;
      const now = clock?.stopped ?? performance.now();
      face.hidden = !clock;
      face.classList.toggle("running", running && !clock.stopped);
      if (clock)
        write(face, minutes(clock.left[index] - (running ? (now - clock.heard) / 1000 : 0)));
    }
  }
}
