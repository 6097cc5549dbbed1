// The names of the cells on the picture. Letters above and numbers to the left of each part of a board whose cells have such names;
// otherwise each name is at its cell, on the side where no link leaves.

import { s } from "./dom.js";
import { UNIT, angles, half, isDrawn, isGrid, leavesBoard, place } from "./links.js";

// A name is as high as this part of the picture is wide, so that it is as large on every board.
const PART = 0.034;
// Preferred direction of a name from its cell, and direction of the badge of a piece.
const [DOWN_LEFT, UP_RIGHT] = [Math.PI * 0.75, -Math.PI * 0.25];
// Reach of links that leave the board; letters and numbers are beyond it.
export const BEYOND = 84;

/** From the middle of a cell at the edge to where names begin. */
const reach = (game) => (leavesBoard(game) ? BEYOND : half(game) + (isDrawn(game) ? 10 : 4));

/** Height of a name. */
export function letterSize(game) {
  const [wide, high] = [0, 1].map((axis) => {
    const all = game.board.cells.map((cell) => place(cell)[axis]);
    return Math.max(...all) - Math.min(...all) + 2 * reach(game) + 32;
  });
  return Math.round(PART * Math.max(wide, 0.85 * high));
}

/**
 * The parts of a board that stand apart, each as its cells' numbers: neighbouring or linked cells belong to the same part. A grid
 * is one part, whatever its holes.
 */
export function parts(game) {
  const { cells } = game.board;
  const part = cells.map((_, at) => (isGrid(game) ? 0 : at));
  const join = (one, two) => {
    const [kept, gone] = [part[one], part[two]];
    part.forEach((each, at) => { if (each === gone) part[at] = kept; });
  };
  cells.forEach((cell, at) => cells.forEach((other, to) => {
    if (to > at && Math.max(Math.abs(cell.x - other.x), Math.abs(cell.y - other.y)) < 1.01) join(at, to);
  }));
  for (const [one, two] of game.links ?? []) join(one, two);
  return [...new Set(part)].map((number) => cells.map((_, at) => at).filter((at) => part[at] === number));
}

/** True if the name of each cell is a letter for its column and a number for its row. */
function isLettered(cells) {
  const pairs = (named, place) => new Set(cells.map((cell) => `${named(cell)} ${place(cell)}`)).size;
  const different = (of) => new Set(cells.map(of)).size;
  const [letter, number] = [({ name }) => name[0], ({ name }) => name.slice(1)];
  const agree = (named, place) => pairs(named, place) === different(named) && pairs(named, place) === different(place);
  return cells.every(({ name }) => /^[a-z][0-9]+$/.test(name)) && agree(letter, ({ x }) => x) && agree(number, ({ y }) => y);
}

/** Margins beyond the middle of the outermost cells: at the left and the top, at the right and the bottom. */
export function margins(game) {
  const size = letterSize(game);
  const lettered = parts(game).map((part) => isLettered(part.map((at) => game.board.cells[at])));
  const at = !isDrawn(game) || lettered.every(Boolean) ? 0 : half(game) + 1.3 * size;
  return [Math.max(at, lettered.some(Boolean) ? reach(game) + 1.2 * size : 0), Math.max(at, reach(game))];
}

/** The names as a group of the picture. */
export function labels(game) {
  const size = letterSize(game);
  const group = s("g", { class: "labels", "aria-hidden": "true", "font-size": size });
  const write = (x, y, text, kind = null) => group.append(s("text", { class: kind, x, y: y + 0.35 * size }, text));
  for (const part of parts(game)) {
    const cells = part.map((at) => game.board.cells[at]);
    if (!isLettered(cells)) {
      for (const at of part) atCell(game, at, size, write);
      continue;
    }
    const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => place(cell)[axis])) - reach(game) - 0.6 * size);
    for (const [x, letter] of new Map(cells.map(({ x, name }) => [x, name[0]]))) write(x * UNIT, top, letter);
    for (const [y, number] of new Map(cells.map(({ y, name }) => [y, name.slice(1)]))) write(left, y * UNIT, number);
  }
  return group;
}

/** A name in the corner of its square, or at its cell where links leave most room. */
function atCell(game, at, size, write) {
  const { name } = game.board.cells[at];
  const [x, y] = place(game.board.cells[at]);
  if (!isDrawn(game)) return write(x - half(game) + 7, y - half(game) + 6 + 0.5 * size, name, "inside");
  const taken = angles(game, at);
  const free = (angle) => Math.min(...taken.map((other) => apart(angle, other)), 1.2) - 0.05 * apart(angle, DOWN_LEFT) - (apart(angle, UP_RIGHT) < 0.9 ? 0.4 : 0);
  const around = Array.from({ length: 16 }, (_, step) => (step * Math.PI) / 8);
  const angle = around.reduce((best, next) => (free(next) > free(best) + 1e-9 ? next : best));
  return write(x + Math.cos(angle) * (half(game) + 5 + 0.3 * size * name.length), y + Math.sin(angle) * (half(game) + 5 + 0.4 * size), name);
}

const apart = (one, two) => Math.abs(Math.atan2(Math.sin(one - two), Math.cos(one - two)));
