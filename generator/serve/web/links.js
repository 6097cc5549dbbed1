// The links of a board as they are drawn: straight between neighbours, bent around cells in between, and leaving the board and
// entering it again if a link joins opposite edges.

import { s } from "./dom.js";
import { number } from "./words.js";

// One cell is a hundred units wide.
export const UNIT = 100;
// Length of a link that leaves the board beyond its last cell.
const STUB = 78;
// Distance from a straight link within which another cell is in its way.
const NEAR = 30;

/** True if the board is drawn as points and links instead of squares. */
export const isDrawn = (game) => (Boolean(game.links) && !isLeaping(game)) || game.board.rows === null;

/** The steps of a game with so many leaps over neighbours that links would hide its board, each as the shorter and the longer way; otherwise empty. */
function leaps(game) {
  if (!game.links?.length || !isGrid(game) || game.wraps.some(Boolean)) return [];
  const { cells } = game.board;
  const steps = game.links.map(([one, two]) => [cells[one].x - cells[two].x, cells[one].y - cells[two].y].map(Math.abs).sort());
  const leaping = steps.filter(([, far]) => far > 1).length;
  return leaping === steps.length || (isFull(game.board) && leaping >= cells.length) ? steps : [];
}

const isLeaping = (game) => leaps(game).length > 0;

/** Half the width of a cell. */
export const half = (game) => (isDrawn(game) ? 31 : 46);

export const place = (cell) => [cell.x * UNIT, cell.y * UNIT];

/** Hub and radius if all cells but one lie on a circle around that one; else a radius of 0. */
export function wheel(game) {
  if (!game.links) return [[0, 0], 0];
  const points = game.board.cells.map(place);
  for (const hub of points) {
    const others = points.filter((point) => point !== hub).map((point) => Math.hypot(point[0] - hub[0], point[1] - hub[1]));
    if (others.length > 4 && Math.max(...others) - Math.min(...others) < 1) return [hub, others[0]];
  }
  return [[0, 0], 0];
}

/** True if every crossing of rows and columns is a cell. */
export const isFull = ({ rows, columns, cells }) => cells.length === rows * columns;

/** A step in words, as the shorter and the longer way. */
function stepWords([near, far]) {
  if (near === 1 && far === 2) return "like a knight in chess";
  const cells = `${number(far)} cell${far > 1 ? "s" : ""}`;
  return near === 0 ? `${cells} across or down` : near === far ? `${cells} diagonally` : `${near} and ${cells} across and down, either way round`;
}

/** True if the cells lie where rows and columns cross. */
export function isGrid({ board: { rows, columns, cells } }) {
  return rows !== null && cells.every(({ x, y }) => Number.isInteger(x) && Number.isInteger(y) && x < columns && y < rows);
}

/**
 * The kind of link that joins two cells: `straight`, `around` (across the edge to the opposite side) or `over` the cells
 * between its ends.
 */
export function kindOf(game, { one, two, wrap }) {
  if (wrap) return "around";
  const { cells } = game.board;
  return cells.some((cell, at) => at !== one && at !== two && isBetween(cells[one], cells[two], cell)) ? "over" : "straight";
}

function isBetween(one, two, cell) {
  const [[x1, y1], [x2, y2], [x, y]] = [place(one), place(two), place(cell)];
  const [dx, dy] = [x2 - x1, y2 - y1];
  const part = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
  return part > 0 && part < 1 && Math.hypot(x1 + part * dx - x, y1 + part * dy - y) < NEAR;
}

/** A bow over what lies between, away from the middle of the board. */
function bow(game, from, to) {
  const points = game.board.cells.map(place);
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const [[x1, y1], [x2, y2]] = [place(from), place(to)];
  const [dx, dy] = [x2 - x1, y2 - y1];
  const outward = dy * ((x1 + x2) / 2 - middle[0]) - dx * ((y1 + y2) / 2 - middle[1]) < 0 ? -1 : 1;
  const bend = 0.26 + 24 / Math.hypot(dx, dy);
  return `M${x1} ${y1}Q${(x1 + x2) / 2 + outward * bend * dy} ${(y1 + y2) / 2 - outward * bend * dx} ${x2} ${y2}`;
}

/**
 * The cells that are joined on the picture, with the step by which a link wraps around an edge; on a board without links, the
 * cells of the lines if it is not a grid.
 */
function joins(game) {
  if (isLeaping(game)) return [];
  if (game.links) return game.links.map(([one, two], at) => ({ one, two, wrap: game.wraps[at] }));
  return game.board.rows === null ? game.lines.flatMap((line) => line.slice(1).map((two, at) => ({ one: line[at], two, wrap: null }))) : [];
}

/** True if a link leaves the board, so that the picture needs room around it. */
export const leavesBoard = (game) => joins(game).some(({ wrap }) => wrap);

/** Directions in which links leave a cell, as angles. */
export function angles(game, at) {
  const { cells } = game.board;
  return joins(game).filter(({ one, two }) => one === at || two === at).map(({ one, two, wrap }) => {
    const [dx, dy] = wrap ?? [cells[two].x - cells[one].x, cells[two].y - cells[one].y];
    return one === at ? Math.atan2(dy, dx) : Math.atan2(-dy, -dx);
  });
}

/** The picture of all links. Links of a wheel's rim are drawn as its circle. */
export function drawLinks(game) {
  const { cells } = game.board;
  const group = s("g", { class: "links", "aria-hidden": "true" });
  const [hub, radius] = wheel(game);
  if (radius) group.append(s("circle", { cx: hub[0], cy: hub[1], r: radius, fill: "none" }));
  const fromHub = (cell) => Math.hypot(place(cells[cell])[0] - hub[0], place(cells[cell])[1] - hub[1]);
  for (const join of joins(game)) {
    const { one, two, wrap } = join;
    if (radius && fromHub(one) > 1 && fromHub(two) > 1) continue;
    const ends = { "data-from": one, "data-to": two };
    const [[x1, y1], [x2, y2]] = [place(cells[one]), place(cells[two])];
    const kind = kindOf(game, join);
    if (kind === "straight") group.append(s("line", { x1, y1, x2, y2, ...ends }));
    else if (kind === "over") group.append(s("path", { d: bow(game, cells[one], cells[two]), fill: "none", ...ends }));
    else {
      for (const [x, y, way] of [[x1, y1, 1], [x2, y2, -1]]) {
        const length = (way * STUB) / Math.hypot(...wrap);
        group.append(s("line", { class: "around", x1: x, y1: y, x2: x + wrap[0] * length, y2: y + wrap[1] * length, ...ends }));
      }
    }
  }
  return group;
}

/** The links in words, by kind: sentences about links that a picture may hide, and each cell with its neighbours. */
export function linkWords(game) {
  const { cells } = game.board;
  const steps = [...new Set(leaps(game).map(stepWords))];
  if (steps.length > 0) return `Pieces move ${steps.join(", or ")}, and leap over others.`;
  const of = (wanted) => joins(game).filter((join) => kindOf(game, join) === wanted).map(({ one, two }) => `${cells[one].name}–${cells[two].name}`);
  const [around, over] = [of("around"), of("over")];
  const some = (names) => names.slice(0, 3).join(", ") + (names.length > 3 ? " and so on" : "");
  return [
    around.length ? `A dotted link leaves the board and comes in again on the opposite side: ${some(around)}.` : "",
    over.length ? `A bent link passes by the cells between its ends: ${some(over)}.` : "",
  ].filter(Boolean).join(" ");
}
