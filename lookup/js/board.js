// The shape of a board: its squares, which are cells or holes, and the names that it gives its cells.

import { range } from "./sets.js";

const MOST_SQUARES = 128, MOST_COLUMNS = 26;

/** Reads a board: a grid, `{ rows, columns }`, with `holes` if it has some, or `{ cells }`. Returns it with its number of cells. */
export function readBoard(fields) {
  const kind = fields.choice(["grid", "plain", "holes"]);
  if (kind === "plain") {
    const cells = fields.u8();
    return { board: { cells }, cells };
  }
  const board = { rows: fields.u8(), columns: fields.u8() }, squares = board.rows * board.columns;
  if (kind === "grid") return { board, cells: squares };
  const open = fields.u64() | (fields.u64() << 64n);
  if (squares > MOST_SQUARES || open >> BigInt(squares)) fields.wrong("squares off the board");
  board.holes = range(squares).filter((square) => !((open >> BigInt(square)) & 1n));
  return board.holes.length > 0 ? { board, cells: squares - board.holes.length } : fields.wrong("a grid with holes that has none");
}

/** Returns true if the cells of a board can be named. */
export const isNamed = ({ columns }, names) => columns === undefined || columns <= MOST_COLUMNS || names.length > 0;

/** The squares of a board, row by row: the cell of each, `null` for a hole. */
export function squaresOf({ rows, columns, holes }, cells) {
  if (!holes) return range(cells);
  let cell = 0;
  return range(rows * columns).map((square) => (holes.includes(square) ? null : cell++));
}

/** The names that a board gives its cells. */
export function namesOf(board, cells) {
  const { columns } = board;
  if (columns === undefined) return range(cells).map(String);
  const squares = squaresOf(board, cells);
  return range(cells).map((cell) => {
    const square = squares.indexOf(cell);
    return String.fromCharCode(97 + (square % columns)) + (Math.floor(square / columns) + 1);
  });
}
