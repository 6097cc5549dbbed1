// The rules in the header of a table (tables/FORMAT.md, sections 2 and 3). Reads them, and refuses rules that are invalid or that are not
// in the one form in which a table has them.

import { fail } from "./error.js";
import { MOST_AGED } from "./order.js";
import { bit, cellsOf, range } from "./sets.js";

export const STUCK = ["win", "draw", "loss", "pass"];
export const OLDEST = ["first", "before-lines", "after-lines"];
export const TAKES = ["any", "outside", "outside-first", "two-any", "two-outside", "two-outside-first"];
const DURING = ["first", "each-first", "placing"];
const TRAVEL = ["any", "links", "push"];

/** Returns true if each item and the next one are in order. */
export const ascend = (items, isBefore) => items.every((item, i) => i === 0 || isBefore(items[i - 1], item));

/** Compares two lists of the same length item by item. */
export function compareLists(a, b) {
  const at = a.findIndex((item, i) => item !== b[i]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
}

/** The shape of the board: a grid, a grid with holes, or a number of cells. */
function readBoard(fields, version) {
  const choice = fields.choice(version < 2 ? 2 : 3);
  if (choice === 1) return { cells: fields.u8() };
  const board = { rows: fields.u8(), columns: fields.u8() };
  if (choice === 0) return board;
  const open = fields.u64() | (fields.u64() << 64n), squares = board.rows * board.columns;
  if (squares > 128 || open >> BigInt(squares)) fail("rules", "rules: squares off the board");
  board.holes = range(squares).filter((square) => !((open >> BigInt(square)) & 1n));
  return board.holes.length ? board : fail("rules", "rules: a grid with holes that has no hole");
}

/** The fields of version 1, and the bytes from which their fingerprint is computed. */
export function readRules(fields, version) {
  const rules = { name: fields.text(), title: fields.text() };
  const nameless = fields.at;
  rules.board = readBoard(fields, version);
  rules.lines = fields.list(() => fields.u64());
  rules.pieces = fields.option(() => fields.u8());
  rules.movement = fields.option(() => {
    const to = TRAVEL[fields.choice(version < 3 ? 2 : 3)];
    return {
      links: to === "links" ? fields.list(() => [fields.u8(), fields.u8()]) : null,
      pushes: to === "push",
      stay: fields.bool(),
      stuck: STUCK[fields.choice(version < 2 ? 3 : 4)],
    };
  });
  rules.opening = fields.option(() => ({ forbidden: fields.u64(), during: DURING[fields.choice(3)] }));
  rules.start = fields.option(() => ({ x: fields.u64(), o: fields.u64(), side: "xo"[fields.choice(2)] }));
  rules.misere = fields.bool();
  return { rules, canonical: fields.bytes.subarray(nameless, fields.at) };
}

/** The fields that version 2 adds at the end; empty in version 1. */
export function readAdditions(fields, version) {
  if (version < 2) return { prolongations: [], names: [], layout: [] };
  return {
    prolongations: fields.list(() => fields.u64()),
    names: fields.list(() => fields.text()),
    layout: fields.list(() => ({ x: fields.u16(), y: fields.u16() })),
  };
}

/** The fields that version 3 adds at the end; without effect before. */
export function readFurther(fields, version) {
  if (version < 3) return { oldest: null, mills: null };
  return {
    oldest: fields.option(() => OLDEST[fields.choice(3)]),
    mills: fields.option(() => ({
      takes: TAKES[fields.choice(TAKES.length)], least: fields.u8(), fly: fields.u8(), full: fields.option(() => STUCK[fields.choice(4)]), mixed: fields.bool(),
    })),
  };
}

/** The first version of the format that can express these rules. */
export function versionOf({ board, movement, prolongations, names, layout, oldest, mills }) {
  if (oldest || mills || movement?.pushes) return 3;
  return board.holes || movement?.stuck === "pass" || prolongations.length || names.length || layout.length ? 2 : 1;
}

const isMade = ({ prolongations }, set) => (line, i) => (line & set) === line && !((prolongations[i] ?? 0n) & set);

/** Returns true if a set has all cells of a line and none that extends it. */
export const hasLine = (rules, set) => rules.lines.some(isMade(rules, set));

/** The lines that the owner of a set has made. */
export const linesOf = (rules, set) => rules.lines.filter(isMade(rules, set));

/** Checks rules. Returns the number of cells and the set of them. */
export function checkRules(rules) {
  const { rows, columns, holes } = rules.board;
  const cells = rows === undefined ? rules.board.cells : rows * columns - (holes?.length ?? 0);
  const wrong = (what) => fail("rules", `rules: ${what}`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(rules.name)) wrong("a name that is not 1 to 64 letters, digits, - or _");
  if (/\p{Cc}/u.test(rules.title) || new TextEncoder().encode(rules.title).length > 1024) wrong("a title that is not one line of at most 1,024 bytes");
  if (cells < 1 || cells > 36 || (columns > 26 && !rules.names.length)) wrong(`${cells} cells, expected 1 to 36, and at most 26 columns`);
  const full = bit(cells) - 1n, shape = { cells, full };
  checkLines(rules, shape, wrong);
  checkCells(rules, cells, wrong);
  checkMoves(rules, shape, wrong);
  checkOpening(rules, shape, wrong);
  return shape;
}

/** Lines ascend with the cells that extend them, and no line is made whenever another is. */
function checkLines({ lines, prolongations }, { full }, wrong) {
  if (lines.length < 1 || lines.length > 4096 || lines.some((line) => line === 0n || line & ~full)) wrong("no line, more than 4,096, or one that is empty or off the board");
  if (prolongations.length && (prolongations.length !== lines.length || prolongations.every((set) => set === 0n))) wrong("cells that extend lines, but not a set for each");
  if (prolongations.some((set, i) => set & ~full || set & lines[i])) wrong("cells that extend a line off the board or in the line");
  const pairs = lines.map((line, i) => [line, prolongations[i] ?? 0n]);
  if (!ascend(pairs, (a, b) => compareLists(a, b) < 0)) wrong("lines out of order");
  // In halves of 18 bits: operations on a BigInt take many times as long, and there are millions of pairs of lines.
  const halves = pairs.map((pair) => pair.flatMap((set) => [Number(set & 0x3ffffn), Number(set >> 18n)]));
  const contains = (whole, parts) => parts.every((part, i) => (part & whole[i]) === part);
  // A subset is a smaller number, so that it comes first.
  const wider = halves.findIndex((whole, i) => halves.findIndex((parts) => contains(whole, parts)) < i);
  if (wider >= 0) wrong(`line ${wider} is made whenever another is`);
}

/** Names and places of the cells: none, or one for each, all different, and not those that the board gives. */
function checkCells({ board, names, layout }, cells, wrong) {
  const isWhole = (list, keys) => list.length === 0 || (list.length === cells && new Set(keys).size === cells);
  if (!isWhole(names, names) || names.some((name) => !/^[a-z0-9]{1,6}$/.test(name) || name === "pass")) wrong("names of the cells");
  const given = namesOf(board, cells);
  if (names.length && !(board.columns > 26) && names.every((name, cell) => name === given[cell])) wrong("names that the board gives as well");
  if (!isWhole(layout, layout.map(({ x, y }) => x * 65536 + y))) wrong("places of the cells");
  if (layout.length && (layout.every(({ x }) => x > 0) || layout.every(({ y }) => y > 0))) wrong("a drawing that does not begin in its top left corner");
}

function checkMoves(rules, { cells }, wrong) {
  const { board, pieces, movement, start, oldest, mills } = rules;
  if (pieces !== null && (pieces < 1 || 2 * pieces > cells)) wrong(`${pieces} pieces each`);
  if (movement && pieces === null && !movement.pushes) wrong("movement without pieces");
  if (movement?.pushes && (pieces !== null || board.rows === undefined || board.holes)) wrong("pushes with a number of pieces, or not on a whole grid");
  if (oldest && (pieces === null || pieces >= MOST_AGED - (oldest === "after-lines" ? 1 : 0) || !movement)) wrong("pieces that age without movement, or more than 8 of a side, 7 if lines count before the oldest goes");
  if (mills && (oldest || movement?.pushes || !movement || start)) wrong("lines that take, in rules with pieces that age, pushes, a start or no movement");
  checkFurther(rules, cells, wrong);
  if (!movement?.links) return;
  if (movement.links.some(([a, b]) => a >= b || b >= cells)) wrong("links to the same cell, off the board, or with the higher cell first");
  if (!ascend(movement.links, (a, b) => compareLists(a, b) < 0)) wrong("links out of order");
}

/** Checks that nothing contradicts pushes, pieces that age and lines that take. */
function checkFurther({ pieces, movement, opening, start, misere, oldest, mills }, cells, wrong) {
  const isBusy = movement?.stay || movement?.stuck === "pass" || start;
  if (movement?.pushes && (isBusy || opening)) wrong("pushes with an opening, a start, or a side that passes");
  if (oldest && (isBusy || movement.links || movement.pushes)) wrong("pieces that age and move, with a start, or with a side that passes");
  if (!mills) return;
  const { least, fly, full } = mills, isAny = !movement.links;
  if (misere || least < 1 || least > pieces || full === "pass" || (full && (2 * pieces < cells || movement.stay || movement.stuck === "pass"))) wrong("lines that take, with what they cannot have");
  if (fly !== 0 && (fly < least || fly > pieces || isAny)) wrong(`pieces that fly if there are ${fly}`);
}

function checkOpening(rules, { cells, full }, wrong) {
  const { pieces, movement, opening, start } = rules;
  if (opening && (opening.forbidden === 0n || opening.forbidden & ~full)) wrong("an opening that forbids no cell, or one off the board");
  if (opening && start) wrong("an opening and a start");
  if (start) checkStart(rules, full, wrong);
  if (opening && movement?.stuck === "pass") {
    const restricted = Math.min({ first: 1, "each-first": 2, placing: cells }[opening.during], 2 * pieces);
    if (cellsOf(full & ~opening.forbidden).length < restricted) wrong("a side that passes, and no cell to place on");
  }
}

/** A start has all pieces on the board, and nobody has a line. */
function checkStart(rules, full, wrong) {
  const { pieces, movement, start: { x, o } } = rules;
  if (!movement) wrong("a start without movement");
  const isPlaced = (set) => !(set & ~full) && cellsOf(set).length === pieces;
  if (!isPlaced(x) || !isPlaced(o) || x & o) wrong("a start without all pieces on cells of their own");
  if (hasLine(rules, x) || hasLine(rules, o)) wrong("a start with a line");
}

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
