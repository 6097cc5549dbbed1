// The moves of a game as data: its layers, the kinds of moves of each, and how it ends (tables/FORMAT.md, section 7). Version 3 of the
// format writes them into the header; for earlier versions they follow from the rules.

import { fail } from "./error.js";
import { CELLS, MOST_AGED, handOf, wordsOf } from "./order.js";
import { OLDEST, STUCK, TAKES } from "./rules.js";
import { bit, cellsOf, range, setOf } from "./sets.js";

const VALUES = ["win", "draw", "loss"];
const REASONS = ["line", "full", "stuck", "own-line", "few"];

/** A kind of move: a new piece on one of the cells `to`; a pass without any. */
const place = (to) => ({ from: null, to, filled: 0n, path: 0n, oldest: null });

/** Reads the moves from the header of version 3. `layers` are the layers of the header. */
export function readGraph(fields, layers) {
  const step = () => ({
    from: fields.option(() => fields.u8()), to: fields.u64(), filled: fields.u64(), path: fields.u64(),
    oldest: fields.option(() => OLDEST[fields.choice(3)]),
  });
  const phases = fields.list(() => fields.list(step));
  const read = () => ({
    hands: { mover: fields.u8(), waiter: fields.u8() }, phase: fields.u8(), next: fields.option(() => fields.u16()),
    turn: fields.option(() => "xo"[fields.choice(2)]), ended: fields.bool(),
  });
  const own = fields.list(read);
  if (own.length !== layers.length) fail("header", `header: moves of ${own.length} layers, expected ${layers.length}`);
  return whole({
    phases,
    layers: own.map((layer, i) => ({ mover: layers[i].mover, waiter: layers[i].waiter, ...layer })),
    line: VALUES[fields.choice(3)],
    blocked: STUCK[fields.choice(4)],
    reason: REASONS[fields.choice(5)],
    full: fields.option(() => STUCK[fields.choice(4)]),
    takes: fields.option(() => TAKES[fields.choice(TAKES.length)]),
    ownLines: fields.bool(),
  });
}

/** Derives the moves from the rules of versions 1 and 2. `full` has all cells. */
export function graphOf({ pieces, movement, opening, start, misere }, { cells, full }) {
  const placing = (cells) => (cells ? [place(cells)] : []);
  const restricted = opening ? { first: 1, "each-first": 2, placing: 36 }[opening.during] : 0;
  const last = pieces === null ? cells : 2 * pieces, first = start ? last : 0;
  const phases = [placing(opening ? full & ~opening.forbidden : full), placing(full), movement ? shifts(movement, cells, full) : []];
  const layers = range(last - first + 1).map((i) => {
    const ply = first + i, [mover, waiter] = [ply >> 1, (ply + 1) >> 1], turn = mover === waiter ? "x" : "o";
    const layer = { mover, waiter, hands: { mover: 0, waiter: 0 }, ended: false };
    if (ply < last) return { ...layer, phase: ply < restricted ? 0 : 1, next: i + 1, turn };
    return { ...layer, phase: 2, next: movement ? i : null, turn: movement ? null : turn };
  });
  return whole({
    phases, layers, line: misere ? "win" : "loss", blocked: movement?.stuck ?? "draw", reason: movement ? "stuck" : "full",
    full: null, takes: null, ownLines: false,
  });
}

/** The steps of pieces that move, and the pass if a piece may stay. */
function shifts({ links, stay }, cells, full) {
  const linked = (cell) => setOf(links.filter((link) => link.includes(cell)).map(([a, b]) => (a === cell ? b : a)));
  const steps = range(cells).map((from) => ({ ...place(links ? linked(from) : full & ~bit(from)), from }));
  return [...steps.filter(({ to }) => to), ...(stay ? [place(0n)] : [])];
}

/** Adds what follows from the moves: whether pieces age, whether positions are two sets of cells, the index of each layer, and its words. */
function whole(graph) {
  const steps = graph.phases.flat(), hasAges = steps.some(({ oldest }) => oldest !== null);
  const isPlain = !hasAges && graph.takes === null && !graph.ownLines && steps.every(({ path }) => !path);
  const layers = graph.layers.map((layer) => ({ ...layer, ...wordsOf(layer, hasAges) }));
  return { ...graph, layers, hasAges, isPlain, index: new Map(layers.map((layer, i) => [keyOf(layer, layer.hands), i])) };
}

const keyOf = ({ mover, waiter }, hands) => ((mover * 256 + waiter) * 256 + hands.mover) * 256 + hands.waiter;

/** Checks that a reader can interpret the moves: cells of the board, phases and layers that exist, pieces that occur once. */
export function checkGraph({ phases, layers, hasAges, index }, { cells, full }) {
  const wrong = (what) => fail("header", `header: ${what}`);
  const isStep = ({ from, to, filled, path }) => (from === null || from < cells) && !((to | filled | path) & ~full);
  if (!phases.every((steps) => steps.every(isStep))) wrong("a move off the board");
  if (!phases.flat().every(isWay)) wrong("a push that is not from one end of a path to the other, or a piece that moves while the oldest goes");
  const exists = ({ phase, next }) => phase < phases.length && (next === null || next < layers.length);
  if (layers.length === 0 || !layers.every(exists)) wrong("a layer with moves or a next layer that do not exist");
  if (layers.some(({ mover, waiter }) => mover + waiter > cells)) wrong("a layer with more pieces than cells");
  if (hasAges && layers.some(({ mover, waiter }) => Math.max(mover, waiter) > MOST_AGED)) wrong("a layer with more pieces than can age");
  if (index.size !== layers.length) wrong("two layers with the same pieces");
}

/** Returns true if a push goes from one end of its path to the other, and a piece whose placement lifts another one is new. */
function isWay({ from, to, path, oldest }) {
  if (!path) return oldest === null || from === null;
  const cells = cellsOf(path), ends = [cells[0], cells.at(-1)], [target] = cellsOf(to);
  return oldest === null && cells.length > 1 && to === bit(target ?? 0) && from !== target && ends.includes(from) && ends.includes(target);
}

/** Returns true if play can come back to a layer: in one move, or in two from the layer with the same pieces on the other side. */
export function isCyclic({ layers }, index) {
  const { next } = layers[index];
  return next !== null && (next === index || layers[next].next === index);
}

const NO_HANDS = { mover: 0, waiter: 0 };

/** The index of the layer of a position; -1 if the game does not have it. */
export function layerIndex({ isPlain, hasAges, index }, { mover, waiter }) {
  const hands = isPlain || hasAges ? NO_HANDS : { mover: handOf(mover), waiter: handOf(waiter) };
  if ([hands.mover, hands.waiter].some((hand) => hand < 0 || hand > 255)) return -1;
  const pieces = (word) => cellsOf(isPlain ? word : word & CELLS).length;
  return index.get(keyOf({ mover: pieces(mover), waiter: pieces(waiter) }, hands)) ?? -1;
}
