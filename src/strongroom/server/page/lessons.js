/* What a first game teaches: for each card the place to touch, what to do there, and why.
   {other} is the opponent; a card without words of its own says what the game asks. */

const connected = (node) => node?.isConnected && node;
const hiding = (find) => (board) => board.hiding && connected(find(board));
const turn = (find) => (board) => !board.moment.view.setting_up && connected(find(board));
const numbers = ({ grid }) => grid.node;
const answers = (board) => board.answers && document.querySelector(".actions");
const wheels = ({ wheels: [first] }) => first.node.parentNode;
const dials = ({ dials: [first] }) => first.node.parentNode;
const ownCell = (board) => board.moment.view.board.indexOf(board.moment.seat);
const free = (board, wanted) =>
  board.grid.cells.find((cell, at) => wanted(at) && cell.ariaDisabled !== "true");

/** The card of a game from another package, in its own words: what it asks first, and its goal. */
const ownWords = ({ goal, summary }) => [
  {
    place: ({ moves, typing }) => connected(typing.hidden ? moves : typing),
    what: null,
    why: goal || summary,
  },
];

/** The cards of a game, in the order in which they fit the first turns. */
export const lessonsOf = (game) => LESSONS[game.name] ?? ownWords(game);

const LESSONS = {
  "safecracker-duel": [
    {
      place: hiding(dials),
      what: "Turn the dials to a code of your own.",
      why: "You win when the safe shows it. Keep it to yourself.",
    },
    {
      place: turn(dials),
      what: "Turn one dial.",
      why: "Each turn sets one digit. Your first may not show your code.",
    },
    {
      place: turn(dials),
      what: "Turn a dial nearer to your code.",
      why: "If the safe ever shows {other}'s code, {other} wins.",
    },
  ],
  "safe-cracker": [
    {
      place: hiding(wheels),
      what: "Set the wheels to a code of your own.",
      why: "{other} looks for it, while you look for theirs.",
    },
    {
      place: turn(wheels),
      what: "Guess {other}'s code with the wheels.",
      why: "You learn how many digits are in place, not which.",
    },
    {
      place: turn(({ body }) => body.lastChild),
      what: "Look at the pegs of your last guess.",
      why: "A full peg is a digit in place. Change some digits.",
    },
  ],
  "safe-code": [
    {
      place: hiding((board) => !board.moment.view.secret.length && numbers(board)),
      what: "Touch a number: it becomes your code.",
      why: "{other} looks for it, while you look for theirs.",
    },
    {
      place: hiding(({ suggestions }) => suggestions),
      what: "Choose a clue that is true of it.",
      why: "{other} gets it when asking for a clue. A weak one is good.",
    },
    {
      place: turn(({ ask }) => ask),
      what: "Request a clue, or touch a number to guess.",
      why: "A clue crosses out numbers. Both cost your turn.",
    },
    {
      place: turn(numbers),
      what: "Touch a number that is not crossed out.",
      why: "The right one wins. A wrong one costs the turn.",
    },
  ],
  "digit-deductions": [
    {
      place: hiding(numbers),
      what: "Touch a number to hide it.",
      why: "First digit down, second across. {other} looks for it.",
    },
    {
      place: turn(({ grid }) => grid.cells[0]),
      what: "Guess 1-1, a corner.",
      why: "You learn how far off it is: one diagonal is left.",
    },
    {
      place: turn(({ grid }) => grid.cells.findLast((cell) => cell.matches(".ring:not(.out)"))),
      what: "Touch a number on the ring.",
      why: "Only these are as far from your guess as you were told.",
    },
  ],
  "quantum-duel": [
    {
      place: turn((board) => ownCell(board) < 0 && free(board, (at) => at > 1)),
      what: "Touch an empty cell.",
      why: "Four of your symbols in a row win. The first always stays.",
    },
    {
      place: turn(
        (board) => ownCell(board) >= 0 && free(board, (at) => Math.abs(at - ownCell(board)) === 1),
      ),
      what: "Put another next to your first one.",
      why: "It touches your own, so {other} may challenge: a coin decides.",
    },
    {
      place: turn(answers),
      what: "Challenge, or let it stand.",
      why: "Heads, it stays. Tails, the cell is open. A challenge is free.",
    },
  ],
};
