#!/usr/bin/env node
/* A bot in JavaScript, for Node, that makes random legal moves. */

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let state = 1;
const below = (count) => { // a small generator of random numbers, because Math.random has no seed
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};

const answers = {
  hello: () => say({ type: "hello", protocol: 1, name: "Random JavaScript" }),
  new: ({ seed }) => { state = seed; },
  choose: ({ moves }) => say({ type: "move", move: moves[below(moves.length)] }),
  bye: () => process.exit(),
};

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  answers[message.type]?.(message);
});
