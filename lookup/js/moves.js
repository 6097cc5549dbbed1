// The legal moves of a position with the positions after them, and the end of a game (tables/FORMAT.md, section 5). Interprets the steps
// of the position's layer.

import { CELLS, handOf, sequenceOf, withHand, wordOf } from "./order.js";
import { bit, cellsOf, within } from "./sets.js";

/** The value for one side of a value for the other. */
export const OPPOSITE = { win: "loss", draw: "draw", loss: "win" };

const isMade = ({ extensions }, set) => (line, i) => (line & set) === line && !((extensions[i] ?? 0n) & set);

/** Returns true if a set has all cells of a line and none that extends it. */
export const hasLine = (game, set) => game.lines.some(isMade(game, set));

/**
 * The moves of a position of layer number `index`: `{ from, to, take, push, also }` with the words `mover` and `waiter` of the same sides
 * afterwards. Lines that end the game are ignored.
 */
export function legalMoves(game, index, position) {
  const { mover, waiter } = position, moves = [];
  const pass = { from: null, to: null, take: null, push: false, also: null, mover, waiter };
  const { origins, mayPass } = game.moves[game.layers[index].phase];
  for (const steps of origins) {
    const [{ from, effect }] = steps, allowed = steps.map((step) => targets(step, position));
    for (const to of cellsOf(allowed.reduce((cells, targets) => cells | targets, 0n))) {
      const step = steps[allowed.findIndex((targets) => within(targets, to))];
      const move = { from, to, take: null, push: effect === "push", also: null, ...moved(game, step, position, to) };
      const takings = game.takes === null ? [] : taken(game, move);
      if (takings.length === 0) moves.push(move);
      for (const [take, also = null] of takings) moves.push({ ...move, take, also, waiter: waiter & ~bit(take) & ~(also === null ? 0n : bit(also)) });
    }
  }
  const passes = mayPass || (moves.length === 0 && blockedOf(game, position).value === "pass");
  return passes ? [...moves, pass] : moves;
}

/** The cells to which a piece can go by a step; none if the step is impossible. */
function targets({ from, to, clear, own, other, taken, effect, oldest }, { mover, waiter }) {
  const lifted = from === null ? 0n : bit(from);
  if (effect === "push") return waiter & lifted ? 0n : to;
  if ((clear & (mover | waiter)) | (own & ~mover) | (other & ~waiter) | (taken & ~(mover | waiter))) return 0n;
  let pieces = (mover | waiter) & CELLS;
  if (oldest === "first" && mover) pieces &= ~bit(sequenceOf(mover)[0]);
  return lifted & ~mover ? 0n : to & ~pieces;
}

/** The words of both sides after the mover's piece has gone to a cell by a step. */
function moved(game, { from, effect, path, oldest }, { mover, waiter }, to) {
  if (effect === "push") {
    const after = (word) => pushed(path, from, word & ~bit(from));
    return { mover: after(mover) | bit(to), waiter: after(waiter) };
  }
  if (from !== null) return { mover: (mover & ~bit(from)) | bit(to), waiter };
  if (!game.hasAges) return { mover: mover <= CELLS ? mover | bit(to) : withHand((mover & CELLS) | bit(to), handOf(mover) - 1), waiter };
  const sequence = [...sequenceOf(mover), to];
  const goes = oldest !== null && (oldest !== "after-lines" || !hasLine(game, (mover & CELLS) | bit(to)));
  return { mover: wordOf(goes ? sequence.slice(1) : sequence), waiter };
}

/** A set whose pieces on a path have moved one cell towards one of its ends. */
function pushed(path, towards, set) {
  const cells = cellsOf(path);
  if (cells[0] !== towards) cells.reverse();
  return cells.reduce((after, cell, i) => (i > 0 && within(set, cell) ? after | bit(cells[i - 1]) : after), set & ~path);
}

/** The pieces that the mover may take after a move, one or two each time: none if the moved piece is in no line. */
function taken(game, { to, mover, waiter }) {
  const linesOf = (set) => game.lines.filter(isMade(game, set)), made = linesOf(mover & CELLS).filter((line) => within(line, to));
  if (made.length === 0) return [];
  const which = game.takes.replace("two-", ""), all = waiter & CELLS;
  const outside = linesOf(all).reduce((cells, line) => cells & ~line, all);
  const pieces = cellsOf(which === "any" || (which === "outside-first" && !outside) ? all : outside);
  const isTwo = which !== game.takes && made.some((line) => line !== made[0]) && pieces.length > 1;
  return isTwo ? pieces.flatMap((take, i) => pieces.slice(i + 1).map((also) => [take, also])) : pieces.map((take) => [take]);
}

/** The result for a side to move that has no move, and its name: the value `pass` means that the side passes. */
function blockedOf(game, { mover, waiter }) {
  const isFull = ((mover | waiter) & game.all) === game.all;
  return game.full !== null && isFull ? { over: "full", value: game.full } : { over: game.reason, value: game.blocked };
}

/**
 * The reason why the game is over in a position of layer number `index`, and its value for the side to move: `{ over, value }`; `null`
 * if it is not over. `isBlocked()` finds out if the side has no move.
 */
export function endOf(game, index, position, isBlocked) {
  if (game.ownLines && hasLine(game, position.mover)) return { over: "own-line", value: OPPOSITE[game.line] };
  if (game.takes === null && hasLine(game, position.waiter)) return { over: "line", value: game.line };
  if (game.layers[index].ended) return { over: "few", value: "loss" };
  return isBlocked() ? blockedOf(game, position) : null;
}
