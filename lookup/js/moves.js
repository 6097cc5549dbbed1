// The legal moves of a position with the positions after them, and the end of a game. Interprets the steps of the position's layer.

import { CELLS, handOf, sequenceOf, withHand, wordOf } from "./order.js";
import { hasLine, linesOf } from "./rules.js";
import { bit, cellsOf, within } from "./sets.js";

/**
 * The moves of a position of layer number `index`: `{ from, to, take, push, also }` with the words `mover` and `waiter` of the same sides
 * afterwards. Lines that end the game are ignored.
 */
export function legalMoves(rules, graph, index, position) {
  const { phases, layers, blocked } = graph, { mover, waiter } = position, moves = [];
  const pass = { from: null, to: null, take: null, push: false, also: null, mover, waiter };
  for (const step of phases[layers[index].phase]) {
    const { from } = step;
    if (from === null && !step.to) moves.push(pass);
    for (const to of cellsOf(targets(step, position))) {
      const move = { from, to, take: null, push: step.path !== 0n, also: null, ...moved(rules, graph, step, position, to) };
      const takings = graph.takes === null ? [] : taken(rules, graph, move);
      if (takings.length === 0) moves.push(move);
      for (const [take, also = null] of takings) moves.push({ ...move, take, also, waiter: waiter & ~bit(take) & ~(also === null ? 0n : bit(also)) });
    }
  }
  return moves.length === 0 && blocked === "pass" && layers[index].next !== null ? [pass] : moves;
}

/** The cells to which a piece can go by a step; none if the step is impossible, and for a pass. */
function targets({ from, to, filled, path, oldest }, { mover, waiter }) {
  const lifted = from === null ? 0n : bit(from);
  if (path) return waiter & lifted ? 0n : to;
  let pieces = (mover | waiter) & CELLS;
  if (oldest === "first" && mover) pieces &= ~bit(sequenceOf(mover)[0]);
  return lifted & ~mover || filled & ~pieces ? 0n : to & ~pieces;
}

/** The words of both sides after the mover's piece has gone to a cell by a step. */
function moved(rules, { hasAges }, { from, path, oldest }, { mover, waiter }, to) {
  if (path) {
    const after = (word) => pushed(path, from, word & ~bit(from));
    return { mover: after(mover) | bit(to), waiter: after(waiter) };
  }
  if (from !== null) return { mover: (mover & ~bit(from)) | bit(to), waiter };
  if (!hasAges) return { mover: mover <= CELLS ? mover | bit(to) : withHand((mover & CELLS) | bit(to), handOf(mover) - 1), waiter };
  const sequence = [...sequenceOf(mover), to];
  const goes = oldest !== null && (oldest !== "after-lines" || !hasLine(rules, (mover & CELLS) | bit(to)));
  return { mover: wordOf(goes ? sequence.slice(1) : sequence), waiter };
}

/** A set whose pieces on a path have moved one cell towards one of its ends. */
function pushed(path, towards, set) {
  const cells = cellsOf(path);
  if (cells[0] !== towards) cells.reverse();
  return cells.reduce((after, cell, i) => (i > 0 && within(set, cell) ? after | bit(cells[i - 1]) : after), set & ~path);
}

/** The pieces that the mover may take after a move, one or two each time: none if the moved piece is in no line. */
function taken(rules, { takes }, { to, mover, waiter }) {
  const made = linesOf(rules, mover & CELLS).filter((line) => within(line, to));
  if (made.length === 0) return [];
  const which = takes.replace("two-", ""), all = waiter & CELLS;
  const outside = linesOf(rules, all).reduce((cells, line) => cells & ~line, all);
  const pieces = cellsOf(which === "any" || (which === "outside-first" && !outside) ? all : outside);
  const isTwo = which !== takes && made.some((line) => line !== made[0]) && pieces.length > 1;
  return isTwo ? pieces.flatMap((take, i) => pieces.slice(i + 1).map((also) => [take, also])) : pieces.map((take) => [take]);
}

/** The reason why the game is over in a position of layer number `index`, else `null`; `isBlocked()` finds out if it has no move. */
export function overOf(rules, graph, index, { mover, waiter }, full, isBlocked) {
  if (graph.ownLines && hasLine(rules, mover)) return "own-line";
  if (graph.takes === null && hasLine(rules, waiter)) return "line";
  if (graph.layers[index].ended) return "few";
  if (!isBlocked()) return null;
  return graph.full !== null && ((mover | waiter) & full) === full ? "full" : graph.reason;
}

/** The value for the side to move of a game that is over. */
export function finalValue({ line, blocked, full }, over) {
  const reversed = { win: "loss", loss: "win", draw: "draw" }[line];
  const value = { line, "own-line": reversed, few: "loss", full: full ?? blocked, stuck: blocked }[over];
  return value === "pass" ? "draw" : value;
}
