// A game as data: its board, lines and layers with their moves, and how it ends (tables/FORMAT.md, section 2). Reads it from a header,
// checks that it can be interpreted, and finds the layer of a position.

import { readBoard } from "./board.js";
import { attempt, fail } from "./error.js";
import { hasLine } from "./moves.js";
import { CELLS, MOST_AGED, handOf, sequenceOf, wordOf, wordsOf } from "./order.js";
import { ofSides } from "./position.js";
import { bit, cellsOf } from "./sets.js";

const VALUES = ["win", "draw", "loss"], BLOCKED = [...VALUES, "pass"], REASONS = [null, "full", "stuck"], SIDES = ["x", "o"];
const EFFECTS = ["move", "push", "replace", "pass"], OLDEST = ["first", "before-lines", "after-lines"];
const TAKES = ["any", "outside", "outside-first", "two-any", "two-outside", "two-outside-first"];
const MOST = { cells: 36, columns: 26, lines: 4096, phases: 256, steps: 1024, layers: 65535 };

function step(fields) {
  const from = fields.option(() => fields.u8()), to = fields.u64(), sets = [0, 1, 2, 3].map(() => fields.u64()), effect = fields.choice(EFFECTS);
  const [clear, own, other, taken] = sets, isFree = sets.every((set) => set === 0n);
  const path = effect === "push" ? fields.u64() : 0n, oldest = effect === "replace" ? fields.choice(OLDEST) : null;
  return { from, to, clear, own, other, taken, isFree, effect, path, oldest };
}

const layer = (fields) => ({
  mover: fields.u8(), waiter: fields.u8(), hands: { mover: fields.u8(), waiter: fields.u8() },
  phase: fields.u8(), turn: fields.option(() => fields.choice(SIDES)), ended: fields.bool(),
});

/** Reads a game from a header. */
export function readGame(fields) {
  const sets = (most) => fields.list(() => fields.u64(), most);
  const game = {
    name: fields.text(), title: fields.text(), rules: fields.text(), ...readBoard(fields),
    names: fields.list(() => fields.text(), MOST.cells),
    places: fields.list(() => ({ x: fields.u16(), y: fields.u16() }), MOST.cells),
    start: ofSides(fields.u64(), fields.u64(), fields.choice(SIDES)),
    lines: sets(MOST.lines), extensions: sets(MOST.lines),
    phases: fields.list(() => fields.list(() => step(fields), MOST.steps), MOST.phases),
    layers: fields.list(() => layer(fields), MOST.layers),
    line: fields.choice(VALUES), blocked: fields.choice(BLOCKED), reason: fields.choice(REASONS),
    full: fields.option(() => fields.choice(VALUES)), takes: fields.option(() => fields.choice(TAKES)), ownLines: fields.bool(),
  };
  if (game.cells < 1 || game.cells > MOST.cells) fields.wrong(`${game.cells} cells, expected 1 to ${MOST.cells}`);
  const whole = withIndex(game);
  checkText(whole, fields);
  checkMoves(whole, fields);
  const { turn, error } = attempt(() => whole.layers[layerOf(whole, whole.start)]);
  if (error) fields.wrong(`an impossible start: ${error.message}`);
  if (turn !== null && turn !== whole.start.side) fields.wrong("a start of the other side");
  return whole;
}

/** Adds what follows from the data: the set of all cells, what words have above cells, and the index of each layer. */
function withIndex(game) {
  const steps = game.phases.flat(), hasAges = steps.some(({ oldest }) => oldest !== null), linesEnd = game.takes === null && !game.ownLines;
  const layers = game.layers.map((layer) => ({ ...layer, ...wordsOf(layer, hasAges) }));
  const hasHands = layers.some(({ hands }) => hands.mover || hands.waiter);
  const index = new Map(layers.map((layer, i) => [keyOf(layer), i]));
  const moves = game.phases.map((steps) => ({ origins: byOrigin(steps), mayPass: steps.some(({ effect }) => effect === "pass") }));
  return { ...game, layers, all: bit(game.cells) - 1n, hasAges, hasHands, linesEnd, index, moves };
}

/** The steps of a phase that are not passes, in a list for each cell from which a piece goes. */
function byOrigin(steps) {
  const origins = new Map();
  for (const step of steps.filter(({ effect }) => effect !== "pass")) origins.set(step.from, [...(origins.get(step.from) ?? []), step]);
  return [...origins.values()];
}

const keyOf = ({ mover, waiter, hands }) => ((mover * 256 + waiter) * 256 + hands.mover) * 256 + hands.waiter;

/** Checks names, title and places. */
function checkText({ name, title, board, cells, names, places }, fields) {
  const isWhole = (list, keys) => list.length === 0 || (list.length === cells && new Set(keys).size === cells);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) fields.wrong("a name that is not 1 to 64 letters, digits, - or _");
  if (/\p{Cc}/u.test(title) || new TextEncoder().encode(title).length > 1024) fields.wrong("a title that is not one line of at most 1,024 bytes");
  if (!isWhole(names, names) || names.some((name) => !/^[a-z0-9]{1,6}$/.test(name) || name === "pass")) fields.wrong("names of the cells");
  if (board.columns > MOST.columns && names.length === 0) fields.wrong("more than 26 columns without names of the cells");
  if (!isWhole(places, places.map(({ x, y }) => x * 65536 + y))) fields.wrong("places of the cells");
  const least = (side) => Math.min(...places.map((place) => place[side]));
  if (places.length && (least("x") || least("y"))) fields.wrong("a drawing that does not begin at 0");
}

/** Checks that moves can be interpreted: cells of the board, phases and layers that exist, steps and pieces that occur once. */
function checkMoves({ cells, all, lines, extensions, phases, layers, takes, hasAges, hasHands, index }, fields) {
  const isOff = (set) => (set & ~all) !== 0n, exists = ({ phase }) => phase < phases.length;
  if (lines.some((line) => line === 0n || isOff(line))) fields.wrong("an empty line, or one off the board");
  if (![0, lines.length].includes(extensions.length) || extensions.some(isOff)) fields.wrong("cells that extend other lines, or off the board");
  if (extensions.length && extensions.every((set) => set === 0n)) fields.wrong("a list of cells that extend no line");
  if (!phases.every((steps) => steps.every((step) => isStep(step, cells, all)))) fields.wrong("a move that is impossible on the board");
  if (!phases.every((steps) => steps.every((step, i) => i === 0 || isBefore(steps[i - 1], step)))) fields.wrong("moves out of order");
  const kinds = (steps) => new Set(steps.filter(({ effect }) => effect !== "pass").map(({ effect, oldest }) => `${effect} ${oldest}`));
  if (phases.some((steps) => kinds(steps).size > 1)) fields.wrong("moves of different effects in a phase");
  // The age of a piece that moves, and the pieces that a push takes, are not defined.
  const isUndefined = ({ from, path }) => (hasAges && from !== null) || (takes !== null && path !== 0n);
  if (phases.flat().some(isUndefined)) fields.wrong("moving pieces that age, or pushes that take");
  if (hasAges && hasHands) fields.wrong("pieces that age, and others in hand");
  if (layers.length === 0 || !layers.every(exists)) fields.wrong("no layer, or a phase that does not exist");
  const most = hasAges ? MOST_AGED : cells;
  if (layers.some(({ mover, waiter }) => mover + waiter > cells || Math.max(mover, waiter) > most)) fields.wrong("a layer with too many pieces");
  if (index.size !== layers.length) fields.wrong("two layers with the same pieces");
}

/** Returns true if a step is on the board, and has what its effect needs: a push goes from one end of its path to the other. */
function isStep({ from, to, clear, own, other, taken, isFree, effect, path }, cells, all) {
  if (from >= cells || (to | clear | own | other | taken | path) & ~all) return false;
  if (effect === "move") return to !== 0n && (from !== null || isFree);
  if (effect === "replace") return to !== 0n && from === null && isFree;
  if (effect === "pass") return to === 0n && from === null && isFree;
  const way = cellsOf(path), ends = [way[0], way.at(-1)];
  return isFree && way.length > 1 && ends.some((end, i) => from === end && to === bit(ends[1 - i]));
}

/** Returns true if a step stands before another: new pieces, then pieces by their cells, then a pass. Steps of a cell go by their sets. */
function isBefore(a, b) {
  const place = ({ from, to, clear, own, other, taken, effect }) => [effect === "pass" ? 1 : 0, from ?? -1, to, clear, own, other, taken];
  const [first, second] = [place(a), place(b)], at = first.findIndex((number, i) => number !== second[i]);
  return at >= 0 && first[at] < second[at];
}

/** The index of the layer with the pieces of a position; -1 if the game does not have it. */
export function layerIndex({ hasAges, hasHands, index }, { mover, waiter }) {
  const hand = (word) => (hasHands ? handOf(word) : 0), hands = { mover: hand(mover), waiter: hand(waiter) };
  if ([hands.mover, hands.waiter].some((hand) => hand < 0 || hand > 255)) return -1;
  const pieces = (word) => cellsOf(hasAges || hasHands ? word & CELLS : word).length;
  return index.get(keyOf({ mover: pieces(mover), waiter: pieces(waiter), hands })) ?? -1;
}

/** Checks that a game has a position, and returns the index of its layer. */
export function layerOf(game, position) {
  const { hasAges, hasHands, all, layers } = game, isOrdered = (word) => wordOf(sequenceOf(word)) === word;
  const { mover, waiter } = hasAges || hasHands ? { mover: position.mover & CELLS, waiter: position.waiter & CELLS } : position;
  if ((mover | waiter) & ~all) fail("off-the-board", `a piece is off the board, which has ${game.cells} cells`);
  if (mover & waiter) fail("overlap", `both sides have a piece on cell ${cellsOf(mover & waiter)[0]}`);
  const index = layerIndex(game, position), isOver = index >= 0 && layers[index].ended && game.takes === null;
  const isReached = index >= 0 && (!isOver || hasLine(game, waiter)) && (!hasAges || (isOrdered(position.mover) && isOrdered(position.waiter)));
  if (!isReached) {
    const [own, others] = [mover, waiter].map((set) => cellsOf(set).length);
    fail("counts", `the side to move has ${own} pieces and the side waiting ${others}, which does not occur in this game`);
  }
  if (game.linesEnd && hasLine(game, mover)) {
    if (hasLine(game, waiter)) fail("both-lines", "both sides have a line: the game was over earlier");
    fail("mover-line", "the side to move already has a line: the game was over a move earlier");
  }
  return index;
}
