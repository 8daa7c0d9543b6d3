/* Whole numbers, one after the other. */

/** All of them from one to another. */
export const upTo = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
