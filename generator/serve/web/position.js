// Positions and moves as texts and as cells.

import { other } from "./words.js";

/** The cells (`X`, `O` or `.`) and the side to move of a position in its strict form. */
export function read(text) {
  return { cells: [...text.slice(0, -2)].filter((letter) => "XO.".includes(letter)), side: text.at(-1) };
}

/** Writes the strict form, in rows like the start of the game; without a side if none is given. */
export function write(game, cells, side) {
  let at = 0;
  const board = game.start.position.slice(0, -2).replace(/[XO.]/g, () => cells[at++]);
  return board + (side ? ` ${side}` : "");
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
  return write(game, cells, other(side));
}

/** The cells of the lines that a side has made. If rules are exact, a line with a cell that prolongs it does not count. */
export function made(game, cells, side) {
  const owns = (cell) => cells[cell] === side.toUpperCase();
  return game.lines.filter((line, at) => line.every(owns) && !game.prolongations?.[at]?.some(owns)).flat();
}

/** Order of moves for the side that makes them; greater is better. A drawing move is better if it is harder to answer. */
export function preference({ value, plies, trap }) {
  return { win: 1e6, draw: trap ? hardness(trap) : 0, loss: -1e6 }[value] + (value === "win" ? -1 : 1) * (plies ?? 0);
}

/** The share of replies that lose, then the share of own moves after the other replies that do not. */
function hardness({ losing, replies, own_losing: ownLosing, own_moves: ownMoves }) {
  return losing / Math.max(1, replies) - (1e-4 * ownLosing) / Math.max(1, ownMoves);
}
