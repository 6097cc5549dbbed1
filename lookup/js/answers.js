// Answers, whatever the bytes of the table come from. Each is a generator: it yields a list of places, `{ at, length }`, and is
// sent the little-endian numbers that stand there; what it returns is the answer. `now` gives the numbers at once, from
// memory; a remote table fetches them (remote.js).

import { fail, typeName } from "./error.js";
import { entryPlace, keyOf, mapPlace, scoreOf } from "./key.js";

/** The scores of positions. Those that have the same mover have one map entry, and one row has them all. */
function* scores({ header, shape }, game, positions) {
  if (positions.length === 0) return [];
  const movers = new Map(positions.map(({ mover }) => [mover, null]));
  const mapEntries = yield [...movers.keys()].map((mover) => mapPlace(header, mover));
  [...movers.keys()].forEach((mover, i) => movers.set(mover, mapEntries[i]));
  const entries = positions.map((position) => {
    const layer = header.layers[game.layerOf(position)];
    return { layer, key: keyOf(header, shape, layer, position, movers.get(position.mover)) };
  });
  const numbers = yield entries.map(({ layer, key }) => entryPlace(header, layer, key));
  return entries.map(({ key }, i) => scoreOf(header, key, numbers[i]));
}

/** The score of a position. */
export function* probe(head, game, position) {
  position = game.positionOf(position);
  return (yield* scores(head, game, [position]))[0];
}

/** All moves with their worth to the side that makes them, the best first. */
export function* moves(head, game, position) {
  position = game.positionOf(position);
  const successors = game.successors(position);
  const after = yield* scores(head, game, successors.map(({ position }) => position));
  const ranked = successors.map(({ move, from, to }, i) => ({ move, from, to, ...before(after[i]) }));
  return ranked.sort((a, b) => preference(b) - preference(a));
}

/** Every perfect move, in the order of cells. */
export function* best(head, game, position) {
  const ranked = yield* moves(head, game, position);
  return ranked.filter((move) => preference(move) === preference(ranked[0])).map(({ move }) => move);
}

/** The line of perfect play from a position: each side takes the first of its perfect moves, to the end or to a repetition. */
export function* line(head, game, position) {
  const line = { positions: [], moves: [], over: null, cycle: null }, seen = new Map();
  for (let at = game.position(position); ; at = at.after(line.moves.at(-1))) {
    line.positions.push(at);
    const text = `${at}`;
    line.cycle = seen.get(text) ?? null;
    if (line.cycle !== null) return line;
    seen.set(text, line.moves.length);
    const [first] = yield* moves(head, game, at);
    if (!first) return { ...line, over: at.over };
    line.moves.push(first.move);
  }
}

/** A move for a fallible player: one random number decides whether it is a perfect one, and which of these or the others. */
export function* choose(head, game, position, { errors = 0, random = Math.random } = {}) {
  if (typeof errors !== "number" || !(errors >= 0 && errors <= 1)) fail("level", `errors: found ${errors}, expected 0 to 1`);
  if (typeof random !== "function") fail("type", `random: found ${typeName(random)}, expected a function`);
  const ranked = yield* moves(head, game, position);
  if (ranked.length === 0) return null;
  const number = random();
  if (!(number >= 0 && number < 1)) fail("level", `random() gave ${number}, expected 0 to below 1`);
  const perfect = ranked.filter((move) => preference(move) === preference(ranked[0])), others = ranked.slice(perfect.length);
  const share = others.length === 0 ? 0 : errors;
  // What is left of the number when it has decided whether to err is uniform again, and decides which move.
  const [chosen, rest] = number < share ? [others, number / share] : [perfect, (number - share) / (1 - share)];
  return chosen[Math.min(Math.floor(rest * chosen.length), chosen.length - 1)].move;
}

/** Positions in one question of a batch. */
const UNIT = 4096;

const VALUES = { win: 1, draw: 0, loss: -1 }, DRAWS = { end: 1, cycle: 2 };

/** Numbers of the errors of a position or an entry, the same in every language; their names. */
export const errorKinds = Object.freeze({ 23: "counts", 30: "off-the-board", 31: "overlap", 32: "mover-line", 33: "both-lines", 40: "damaged" });
const ERRORS = Object.fromEntries(Object.entries(errorKinds).map(([number, kind]) => [kind, Number(number)]));

/** The scores of many positions, as arrays with a row for each; `movers` and `waiters` are arrays of masks. */
export function* probeMany(head, game, movers, waiters) {
  for (const [name, masks] of Object.entries({ movers, waiters })) {
    if (!(masks instanceof BigUint64Array || masks instanceof BigInt64Array)) fail("type", `${name}: found ${typeName(masks)}, expected a BigUint64Array`);
  }
  const count = movers.length;
  if (waiters.length !== count) fail("size", `found ${count} movers and ${waiters.length} waiters, expected as many of each`);
  const columns = { value: new Int8Array(count), plies: new Int16Array(count), draw: new Int8Array(count), error: new Uint8Array(count) };
  for (let first = 0; first < count; first += UNIT) {
    const positions = [], rows = [];
    for (let index = first; index < Math.min(first + UNIT, count); index++) {
      const position = { mover: movers[index], waiter: waiters[index] };
      try {
        game.layerOf(position);
      } catch (error) {
        columns.error[index] = ERRORS[error.kind];
        columns.plies[index] = -1;
        continue;
      }
      positions.push(position);
      rows.push(index);
    }
    (yield* scores(head, game, positions)).forEach(({ value, plies, draw }, i) => {
      columns.value[rows[i]] = VALUES[value];
      columns.plies[rows[i]] = plies ?? -1;
      columns.draw[rows[i]] = DRAWS[draw] ?? 0;
    });
  }
  return columns;
}

/** Numbers that are greater the better a score is for the side that has it. */
function preference({ value, plies }) {
  if (value === "draw") return 0;
  return value === "win" ? 100000 - (plies ?? 0) : -100000 + (plies ?? 0);
}

const before = ({ value, plies, draw }) => ({
  value: value === "win" ? "loss" : value === "loss" ? "win" : "draw",
  plies: plies === null ? null : plies + 1,
  draw,
});
