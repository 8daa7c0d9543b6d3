/* The end of any other game: its board, and how many moves were made. */

import { counted } from "../parts.js";

/** Its board stays. */
export const picture = () => null;

/** How long it took; what was hidden stands on the board. */
export const told = ({ view }) => `${counted(view.turns, "turn")}.`;

/** How many moves a player made. */
export const signs = (finish, seat) => [counted(finish.moves(seat).length, "move")];
