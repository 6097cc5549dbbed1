// The shape of a board: its squares, which are cells or holes, and the names that it gives its cells.

import { range } from "./sets.js";

const MOST_SQUARES = 128;

/**
 * Reads a board: a grid, `{ rows, columns }`, with `holes` if it has some, or `{ cells }`. Returns it with its number of cells, and with its
 * squares, row by row: the cell of each, `null` for a hole.
 */
export function readBoard(fields) {
  const kind = fields.choice(["grid", "plain", "holes"]);
  const board = kind === "plain" ? { cells: fields.u8() } : { rows: fields.u8(), columns: fields.u8() }, all = range(board.cells ?? board.rows * board.columns);
  if (kind !== "holes") return { board, cells: all.length, squares: all };
  const open = fields.u64() | (fields.u64() << 64n);
  if (all.length > MOST_SQUARES || open >> BigInt(all.length)) fields.wrong("squares off the board");
  board.holes = all.filter((square) => !((open >> BigInt(square)) & 1n));
  if (board.holes.length === 0) fields.wrong("a grid with holes that has none");
  const cells = all.filter((square) => !board.holes.includes(square));
  return { board, cells: cells.length, squares: all.map((square) => (board.holes.includes(square) ? null : cells.indexOf(square))) };
}

/** The names that a board with these squares gives its cells. */
export function namesOf({ columns }, squares) {
  const name = (square) => (columns === undefined ? `${square}` : String.fromCharCode(97 + (square % columns)) + (Math.floor(square / columns) + 1));
  return squares.flatMap((cell, square) => (cell === null ? [] : [name(square)]));
}
