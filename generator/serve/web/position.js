// Positions and moves as texts and as cells.

import { other } from "./words.js";

/** The cells (`X`, `O` or `.`) and the side to move of a position in its strict form. */
export function read(text) {
  const [board, side] = text.split(" ");
  return { cells: [...board.replaceAll("/", "")], side };
}

/** The strict form again; without a side where none is given. */
export function write(cells, side, columns) {
  const rows = [];
  const width = columns ?? cells.length;
  for (let at = 0; at < cells.length; at += width) rows.push(cells.slice(at, at + width).join(""));
  return rows.join("/") + (side ? ` ${side}` : "");
}

/** A move by cells: `from` is null for a placement, both are null for a pass. */
export function parse(game, text) {
  if (text === "pass") return { text, from: null, to: null };
  const cell = (name) => game.board.cells.findIndex((each) => each.name === name);
  const names = text.split("-");
  return { text, from: names.length > 1 ? cell(names[0]) : null, to: cell(names.at(-1)) };
}

/** The position after a legal move. */
export function after(game, position, move) {
  const { cells, side } = read(position);
  const { from, to } = parse(game, move);
  if (from !== null) cells[from] = ".";
  if (to !== null) cells[to] = side.toUpperCase();
  return write(cells, other(side), game.board.columns);
}

/** How good a move is for the side that makes it; greater is better. */
export function preference({ value, plies }) {
  return { win: 1e6, draw: 0, loss: -1e6 }[value] + (value === "win" ? -1 : 1) * (plies ?? 0);
}

/** What is missing of a base address that leads to a position: `/swap?position=X../.O./..X+o`. */
export function address(game, position) {
  return `#/${game}?position=${position.replace(" ", "+")}`;
}
