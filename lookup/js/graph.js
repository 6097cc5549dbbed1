// The moves of a game as data: its layers, the kinds of moves of each, and how it ends (tables/FORMAT.md, section 7). Version 3 of the
// format writes them into the header; for earlier versions they follow from the rules.

import { fail } from "./error.js";
import { cellsOf, range, setOf } from "./sets.js";

const VALUES = ["win", "draw", "loss"];
const BLOCKED = ["win", "draw", "loss", "pass"];
const REASONS = ["line", "full", "stuck"];

/** Reads the moves from the header of version 3. `layers` are the layers of the header. */
export function readGraph(fields, layers) {
  const step = () => ({ from: fields.option(() => fields.u8()), to: fields.u64(), filled: fields.u64() });
  const phases = fields.list(() => fields.list(step));
  const read = () => ({ phase: fields.u8(), next: fields.option(() => fields.u8()), turn: fields.option(() => "xo"[fields.choice(2)]) });
  const own = fields.list(read);
  if (own.length !== layers.length) fail("header", `header: moves of ${own.length} layers, expected ${layers.length}`);
  return {
    phases,
    layers: own.map((layer, i) => ({ mover: layers[i].mover, waiter: layers[i].waiter, ...layer })),
    line: VALUES[fields.choice(3)],
    blocked: BLOCKED[fields.choice(4)],
    reason: REASONS[fields.choice(3)],
  };
}

/** Derives the moves from the rules of versions 1 and 2. `full` has all cells. */
export function graphOf({ pieces, movement, opening, start, misere }, { cells, full }) {
  const placing = (cells) => (cells ? [{ from: null, to: cells, filled: 0n }] : []);
  const restricted = opening ? { first: 1, "each-first": 2, placing: 36 }[opening.during] : 0;
  const last = pieces === null ? cells : 2 * pieces, first = start ? last : 0;
  const phases = [placing(opening ? full & ~opening.forbidden : full), placing(full), movement ? shifts(movement, cells, full) : []];
  const layers = range(last - first + 1).map((i) => {
    const ply = first + i, [mover, waiter] = [ply >> 1, (ply + 1) >> 1], turn = mover === waiter ? "x" : "o";
    if (ply < last) return { mover, waiter, phase: ply < restricted ? 0 : 1, next: i + 1, turn };
    return { mover, waiter, phase: 2, next: movement ? i : null, turn: movement ? null : turn };
  });
  return { phases, layers, line: misere ? "win" : "loss", blocked: movement?.stuck ?? "draw", reason: movement ? "stuck" : "full" };
}

/** The steps of pieces that move, and the pass if a piece may stay. */
function shifts({ links, stay }, cells, full) {
  const linked = (cell) => setOf(links.filter((link) => link.includes(cell)).map(([a, b]) => (a === cell ? b : a)));
  const steps = range(cells).map((from) => ({ from, to: links ? linked(from) : full & ~(1n << BigInt(from)), filled: 0n }));
  return [...steps.filter(({ to }) => to), ...(stay ? [{ from: null, to: 0n, filled: 0n }] : [])];
}

/** Checks that a reader can interpret the moves: cells of the board, phases and layers that exist, counts that occur once. */
export function checkGraph({ phases, layers }, { cells, full }) {
  const wrong = (what) => fail("header", `header: ${what}`);
  const isStep = ({ from, to, filled }) => (from === null || from < cells) && !((to | filled) & ~full);
  if (!phases.every((steps) => steps.every(isStep))) wrong("a move off the board");
  const exists = ({ phase, next }) => phase < phases.length && (next === null || next < layers.length);
  if (layers.length === 0 || !layers.every(exists)) wrong("a layer with moves or a next layer that do not exist");
  if (layers.some(({ mover, waiter }) => mover + waiter > cells)) wrong("a layer with more pieces than cells");
  if (new Set(layers.map(({ mover, waiter }) => 64 * mover + waiter)).size !== layers.length) wrong("two layers with the same pieces");
}

/** Returns true if play can stay in a layer forever. */
export const isCyclic = ({ layers }, index) => layers[index].next === index;

/** The index of the layer with these numbers of pieces; -1 if the game does not have it. */
export const layerIndex = ({ layers }, mover, waiter) => layers.findIndex((layer) => layer.mover === mover && layer.waiter === waiter);

/** The moves of a position of layer number `index`: `{ from, to, mover }` with the mover's cells afterwards. Lines are ignored. */
export function legalMoves({ phases, layers, blocked }, index, { mover, waiter }) {
  const taken = mover | waiter, moves = [], pass = { from: null, to: null, mover };
  for (const { from, to, filled } of phases[layers[index].phase]) {
    const lifted = from === null ? 0n : 1n << BigInt(from);
    if (lifted & ~mover || filled & ~taken) continue;
    if (from === null && !to) moves.push(pass);
    for (const cell of cellsOf(to & ~taken)) moves.push({ from, to: cell, mover: (mover & ~lifted) | (1n << BigInt(cell)) });
  }
  return moves.length === 0 && blocked === "pass" && layers[index].next !== null ? [pass] : moves;
}
