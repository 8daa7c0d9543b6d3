/* The players' bars: names, whose turn it is, who is away, clocks, one's own secret. */

import { changed, fill, h, write } from "./dom.js";
import { YOU } from "./own.js";
import { minutes } from "./parts.js";
import { say } from "./status.js";
import { bubbleOf, phrases } from "./talk.js";
import { status } from "./turn.js";

const SHORT = 400; // milliseconds: a tap, not a hold

/** The two players' classes, which colour what is theirs. */
export const SIDES = ["one", "two"];

/** The sign of a player, which says the same as the colour. */
export const mark = (seat) => h(`span.glyph.${SIDES[seat - 1]}`, { "aria-hidden": "true" });

/** One's own secret, covered unless a pointer or a key holds the lid up. */
export function lidded() {
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
export function playersBars(line) {
  const lid = lidded();
  const [them, me] = ["them", "me"].map((place) => {
    const sign = mark(1);
    const name = h("b");
    const who = h("span.soft");
    const turn = h("span.turn");
    const face = h("span.clock", { hidden: true });
    const onclick = () => node.classList.toggle("told"); // where there is little room
    const node = h(`div.player.${place}`, { role: "group", onclick }, sign, name, who, turn, face);
    return { node, sign, name, who, turn, face, hear: bubbleOf(turn), index: 0 };
  });
  const [talk, list] = phrases(line, them.node);
  them.node.append(talk, list);
  let shown = null;
  me.node.insertBefore(lid.node, me.face);
  return { them: them.node, me: me.node, show, tick, hear };

  /** Shows what a player says. */
  function hear(seat, text) {
    [them, me].find(({ index }) => index === seat - 1).hear(text);
  }

  /** Draws a moment. */
  function show(table, game) {
    const { info, seat, view } = table;
    const { whose } = status(table, 0);
    shown = table;
    [them.index, me.index] = seat === 2 ? [0, 1] : [1, 0];
    for (const { node, sign, name, who, index } of [them, me]) {
      const sitter = info.seats[index];
      const away = sitter && !sitter.here && info.state === "playing";
      const now = whose === index + 1;
      node.className =
        `player ${node === me.node ? "me" : "them"} of-${index + 1}` +
        `${node.matches(".told") ? " told" : ""}${now ? " now" : ""}${away && seat !== index + 1 ? " away" : ""}`;
      sign.className = `glyph ${SIDES[index]}`;
      node.ariaLabel = `Player ${index + 1}`;
      write(name, sitter?.name ?? "nobody yet");
      const own = seat === index + 1 && sitter.name !== YOU;
      node.ariaLabel += own ? ", you" : "";
      write(
        who,
        [
          !game.secrets && game.symbols[index],
          info.score.some(Boolean) &&
            `won ${info.score[index] + (view?.outcome?.winner === index + 1)}`,
        ]
          .filter(Boolean)
          .join(" · "),
      );
    }
    talk.hidden = seat === null || info.seats[them.index]?.player !== "person";
    const hides = seat !== null && view && game.secrets;
    lid.show(game.secret_name, view?.outcome ? [] : (view?.secret ?? []), hides);
    tick();
  }

  /** Lets the clocks run, which stand without a connection, and counts how long one is away. */
  function tick() {
    if (!shown) return;
    const { clock } = shown;
    const { texts } = status(shown, Date.now() / 1000 + line.behind);
    for (const { face, turn, index } of [them, me]) {
      write(turn, texts[index]);
      const running = clock?.running === index + 1;
      const now = clock?.stopped ?? performance.now();
      face.hidden = !clock;
      face.classList.toggle("running", running && !clock.stopped);
      if (clock)
        write(face, minutes(clock.left[index] - (running ? (now - clock.heard) / 1000 : 0)));
    }
  }
}
