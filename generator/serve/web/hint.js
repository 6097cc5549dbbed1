// Hints, one at a time: the result that can be reached, then a cell, then the move. The terminal has the same ones.

import { losing, plies as inPlies } from "./words.js";

/** The hints at the first of some moves, which are ranked. Each has words, and the cell that it names or null. */
export function hints(game, ranked) {
  const [best] = ranked;
  if (!best) return [];
  const { from, to, push } = best;
  const cell = from ?? to;
  const name = cell === null ? null : game.board.cells[cell].name;
  const all = [{ words: result(best, ranked), cell: null }];
  if (cell !== null) all.push({ words: `${push ? "Take the cube" : from === null ? "Place a piece" : "Move the piece"} on ${name}.`, cell });
  if (best.move !== name) all.push({ words: `Play ${best.move}.`, cell: to });
  return all;
}

/** The result that the side to move can reach, in words. */
function result({ value, plies, ...best }, ranked) {
  const known = plies !== null && plies !== undefined;
  if (value === "win") return `There is a win${known ? ` in ${inPlies(plies)}` : ""}.`;
  if (value === "loss") return known ? `Every move loses; the longest is a loss in ${inPlies(plies)}.` : "Every move loses.";
  const keeping = ranked.filter((move) => move.value === "draw").length;
  if (keeping === 1 && ranked.length > 1) return "Only one move keeps the draw.";
  const most = losing(best) ? ` After the best, ${losing(best)} % of replies lose.` : "";
  return `${keeping === ranked.length ? "Every move keeps" : `${keeping} of ${ranked.length} moves keep`} the draw.${most}`;
}
