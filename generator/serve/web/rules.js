// The rules of a game in sentences and pictures.

import { h, s } from "./dom.js";
import { preview } from "./board.js";
import { parts } from "./labels.js";
import { isFull, isGrid, leavesBoard, linkWords, wheel } from "./links.js";
import { number } from "./words.js";

// The most kinds of lines that are pictured.
const PICTURED = 8;

/** The rules in sentences, without the number of cells, which the board shows. */
export const sentences = (game) => game.sentences.replace(/^[^.]*cells?, [^.]*\. /, "");

/** The lines and links of a board in pictures and words. */
export function rules(game) {
  return [lines(game), game.links ? h("p", { class: "quiet" }, linkWords(game)) : null];
}

/** A picture of a line of each kind. */
function lines(game) {
  const kinds = new Map();
  for (const line of game.lines) {
    const kind = kindOf(game, line);
    kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  }
  const pictured = [...kinds].slice(0, PICTURED).map(([kind, all]) => {
    const picture = s("svg", { class: "preview", role: "img", "aria-label": `${kind}, such as ${all[0].map((cell) => game.board.cells[cell].name).join(" ")}` });
    preview(picture, game, { cells: game.board.cells.map(() => "."), line: all[0] });
    return h("figure", {}, picture, h("figcaption", {}, kind, h("span", { class: "quiet" }, ` × ${all.length}`)));
  });
  return h("div", { class: "lines" }, pictured, kinds.size > PICTURED ? h("p", { class: "quiet" }, `and ${kinds.size - PICTURED} other kinds`) : null);
}

const DIRECTIONS = [[1, 0, "across"], [0, 1, "down"], [1, 1, "diagonally"], [1, -1, "diagonally"]];

/** The shape of a line in a few words. */
function kindOf(game, line) {
  const { board } = game;
  const long = number(line.length);
  if (line.length === 1) return "one cell";
  const points = line.map((cell) => board.cells[cell]);
  const [first, last] = [points[0], points.at(-1)];
  if (wheel(game)[1]) return isStraight(points) ? `${long} straight across` : `${long} along the rim`;
  for (const [dx, dy, name] of DIRECTIONS) {
    if (isRun(board, points, dx, dy, false)) return `${long} ${name}`;
  }
  if (!isGrid(game)) return through(game, line) ?? (isStraight(points) ? `${long} in a straight line` : `${long} cells like these`);
  const over = DIRECTIONS.find(([dx, dy]) => isRun(board, points, dx, dy, true));
  const around = over && `${long} ${over[2]}, over the edge`;
  // If links leave the board, a row with a gap continues at the other edge.
  if (around && leavesBoard(game)) return around;
  if (game.links && isStraight(points) && !isFull(board)) return `${long} ${onRings(game, line)}`;
  if (isStraight(points) && (first.x === last.x || first.y === last.y || Math.abs(first.x - last.x) === Math.abs(first.y - last.y))) return `${long} of a row, column or diagonal`;
  if (around) return around;
  if (isSquare(points)) return "a square";
  return `${long} cells like these`;
}

/** The place of a straight line on a board of nested rings: a side bends at its ends, and other lines cross from ring to ring. */
function onRings(game, line) {
  const { cells } = game.board;
  const [first, last] = [cells[line[0]], cells[line.at(-1)]];
  if (first.x !== last.x && first.y !== last.y) return "on a diagonal";
  const across = (end) => {
    const aside = game.links.filter((pair) => pair.includes(end)).map(([one, two]) => cells[one === end ? two : one]).map(({ x, y }) => Math.sign(first.x === last.x ? x - cells[end].x : y - cells[end].y));
    return aside.includes(1) && aside.includes(-1);
  };
  return [line[0], line.at(-1)].some(across) ? "across the squares" : "on a side of a square";
}

/** The shape of a line through several equal boards; null for any other line. */
function through(game, line) {
  const boards = parts(game);
  const least = (board, axis) => Math.min(...board.map((cell) => game.board.cells[cell][axis]));
  const places = line.map((cell) => {
    const board = boards.find((cells) => cells.includes(cell));
    const { x, y } = game.board.cells[cell];
    return { board, place: `${Math.round(10 * (x - least(board, "x")))} ${Math.round(10 * (y - least(board, "y")))}` };
  });
  const crossed = new Set(places.map(({ board }) => board));
  if (crossed.size !== line.length || crossed.size === 1 || [...crossed].some(({ length }) => length === 1 || length !== places[0].board.length)) return null;
  const same = new Set(places.map(({ place }) => place)).size === 1;
  return `${number(line.length)}, one on each board${same ? ", in the same place" : ""}`;
}

/** True if the cells follow each other in one direction; with `around` opposite edges are joined. */
function isRun({ rows, columns }, points, dx, dy, around) {
  const wrap = (value, size) => (around ? (value + size) % size : value);
  const named = (x, y) => `${Math.round(100 * x)} ${Math.round(100 * y)}`;
  const held = new Set(points.map(({ x, y }) => named(x, y)));
  const at = ({ x, y }, step) => named(wrap(x + step * dx, columns), wrap(y + step * dy, rows));
  return points.some((start) => points.every((_, step) => held.has(at(start, step))) && new Set(points.map((_, step) => at(start, step))).size === points.length);
}

const isStraight = ([one, two, ...others]) => others.every((cell) => Math.abs((two.x - one.x) * (cell.y - one.y) - (two.y - one.y) * (cell.x - one.x)) < 1e-3);

function isSquare(points) {
  if (points.length !== 4) return false;
  const far = points.flatMap((one, at) => points.slice(at + 1).map((two) => (one.x - two.x) ** 2 + (one.y - two.y) ** 2)).sort((one, two) => one - two);
  return far[0] > 0 && far[0] === far[3] && far[4] === far[5] && far[4] === 2 * far[0];
}
