/* The players' bar: names, whose turn it is, clocks, one's own secret. */

import { changed, fill, h, write } from "./dom.js";
import { fitted } from "./fit.js";
import { YOU } from "./own.js";
import { say } from "./status.js";

const SHORT = 400; // milliseconds: a tap, not a hold

/** The two players' classes, which colour what is theirs. */
export const SIDES = ["one", "two"];

/** The sign of a player, which says the same as the colour. */
export const mark = (seat) => h(`span.glyph.${SIDES[seat - 1]}`, { "aria-hidden": "true" });

/** A time in minutes and seconds. */
export function minutes(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

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
    fill(cover, `${name} `, h("span.dots", { "aria-hidden": "true" }, "●●●"));
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

/** The bar: seat one, whose turn it is, seat two. */
export function playersBar() {
  const lid = lidded();
  const pill = fitted(h("p.pill"));
  const seats = SIDES.map((side, index) => {
    const name = h("b");
    const who = h("span.soft");
    const face = h("span.clock", { hidden: true });
    return {
      name,
      who,
      face,
      node: h(`div.player${index ? ".right" : ""}`, mark(index + 1), name, who, face),
    };
  });
  const node = h(
    "div.players",
    { role: "group", "aria-label": "Players" },
    seats[0].node,
    pill,
    seats[1].node,
  );
  let clock = null;
  return { node, show, tick };

  /** Draws a moment; `text` is what the pill says, and `whose` in whose colour. */
  function show({ info, seat, view, clock: now }, game, [text, whose]) {
    seats.forEach(({ node: place, name, who }, index) => {
      const sitter = info.seats[index];
      const mine = seat === index + 1;
      write(name, sitter?.name ?? "nobody yet");
      write(
        who,
        [
          sitter && !sitter.here && !mine && info.state === "playing" && "away",
          !game.secrets && game.symbols[index],
          mine && sitter.name !== YOU && "you",
          info.score.some(Boolean) &&
            `won ${info.score[index] + (view?.outcome?.winner === index + 1)}`,
        ]
          .filter(Boolean)
          .join(" · "),
      );
      if (mine && lid.node.parentNode !== place) place.append(lid.node);
    });
    lid.show(game.secret_name, view?.outcome ? [] : (view?.secret ?? []), view && game.secrets);
    write(pill, text).className = `pill fitted ${SIDES[whose - 1] ?? "soft"}`;
    clock = now;
    tick();
  }

  /** Lets the clocks run; without a connection they stand. */
  function tick() {
    seats.forEach(({ face }, index) => {
      const running = clock?.running === index + 1;
      const now = clock?.stopped ?? performance.now();
      face.hidden = !clock;
      face.classList.toggle("running", running && !clock.stopped);
      if (clock)
        write(face, minutes(clock.left[index] - (running ? (now - clock.heard) / 1000 : 0)));
    });
  }
}
