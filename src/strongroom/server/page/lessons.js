/* What a first game teaches: for each card the place to touch, what to do there, and why.
   {other} is the opponent; a card without words of its own says what the game asks. */

const connected = (node) => node?.isConnected && node;
const hiding = (find) => (board) => board.hiding && connected(find(board));
const turn = (find) => (board) => !board.moment.view.setting_up && connected(find(board));
const numbers = ({ grid }) => grid.node;
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
      why: "You win as soon as the safe shows it, so keep it to yourself.",
    },
    {
      place: turn(dials),
      what: "Turn one dial.",
      why:
        "Each turn changes one digit of the safe. Your first turn may not show your own " +
        "code yet.",
    },
    {
      place: turn(dials),
      what: "Turn a dial again.",
      why:
        "Come nearer to your code, but slowly: if the safe ever shows {other}'s code, " +
        "{other} wins.",
    },
  ],
  "safe-cracker": [
    {
      place: hiding(wheels),
      what: "Set the wheels to a code of your own.",
      why: "{other} tries to find it, while you look for theirs.",
    },
    {
      place: turn(wheels),
      what: "Guess {other}'s code with the wheels.",
      why: "You are told how many digits stand in their place, but not which.",
    },
    {
      place: turn(({ body }) => body.lastChild),
      what: "Look at the pegs of your last guess.",
      why:
        "A full peg is a digit in its place. Change some digits, and see what becomes of " +
        "the pegs.",
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
      why: "{other} may ask for three clues. Give away as little as you can.",
    },
    {
      place: turn(({ ask }) => ask),
      what: "Request a clue.",
      why: "It crosses out numbers, and costs your turn. You may guess instead: touch a number.",
    },
    {
      place: turn(numbers),
      what: "Touch a number that is not crossed out.",
      why: "The right one wins. A wrong one costs only the turn.",
    },
  ],
  "digit-deductions": [
    {
      place: hiding(numbers),
      what: "Touch a number to hide it.",
      why: "Its first digit is counted down, its second across. {other} looks for it.",
    },
    {
      place: turn(({ grid }) => grid.cells[0]),
      what: "Guess 1-1, a corner.",
      why: "You are told how many steps it is off: from a corner, that leaves a single diagonal.",
    },
    {
      place: turn(({ grid }) => grid.cells.findLast((cell) => cell.matches(".ring:not(.out)"))),
      what: "Touch a number on the ring.",
      why: "Only these are as far from your last guess as you were told.",
    },
  ],
  "quantum-duel": [
    {
      place: turn((board) => ownCell(board) < 0 && free(board, (at) => at > 1)),
      what: "Touch an empty cell.",
      why: "Four of your symbols in a row win. The first one always stays.",
    },
    {
      place: turn(
        (board) => ownCell(board) >= 0 && free(board, (at) => Math.abs(at - ownCell(board)) === 1),
      ),
      what: "Put another next to your first one.",
      why:
        "Because it touches your own, {other} may challenge it: then a coin decides " +
        "whether it stays.",
    },
    {
      place: turn(({ reply }) => reply.firstChild && reply),
      what: "Challenge, or let it stand.",
      why: "Heads, it stays; tails, the cell is open again. A challenge costs you nothing.",
    },
  ],
};
