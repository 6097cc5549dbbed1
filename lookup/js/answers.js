// Answers that do not depend on the origin of a table's bytes. Each is a generator: it yields a list of places, `{ at, length }`,
// receives the bytes at those places, and returns the answer. A `Table` has the bytes in memory, and a `RemoteTable` fetches them.

import { readCensus } from "./census.js";
import { attempt, fail, optionsOf, shown } from "./error.js";
import { numberOf } from "./fields.js";
import { layerOf } from "./graph.js";
import { entryPlace, keyOf, mapPlace, scoreOf } from "./key.js";
import { OPPOSITE } from "./moves.js";

/** The numbers of arrangements by layer, value and distance. */
function* census(head) {
  const [bytes] = yield [{ at: head.census, length: head.sums - head.census }];
  return readCensus(head, bytes);
}

/**
 * The scores of positions, also of those that a table does not contain because their layer has ended. Positions with the same mover
 * share one map entry and lie in one row.
 */
function* scores(head, game, positions) {
  const asked = positions.map((position) => ({ position, layer: head.game.layers[layerOf(head.game, position)] }));
  const stored = asked.filter(({ layer }) => !layer.ended), movers = [...new Set(stored.map(({ position }) => position.mover))];
  const mapEntries = yield movers.map((mover) => mapPlace(head, mover)), byMover = new Map(movers.map((mover, i) => [mover, numberOf(mapEntries[i])]));
  for (const each of stored) each.key = keyOf(head, each.layer, each.position, byMover.get(each.position.mover));
  const codes = yield stored.map(({ layer, key }) => entryPlace(head, layer, key));
  stored.forEach((each, i) => { each.score = scoreOf(head, each.key, numberOf(codes[i])); });
  return asked.map(({ position, score }) => score ?? game.scoreOfEnded(position));
}

/** The score of a position. */
function* probe(head, game, position) {
  position = game.positionOf(position);
  return (yield* scores(head, game, [position]))[0];
}

/** All moves with their values for the side that makes them, the best first. */
function* moves(head, game, position) {
  position = game.positionOf(position);
  const successors = game.successors(position);
  const after = yield* scores(head, game, successors.map(({ position }) => position));
  const ranked = successors.map(({ move, from, to, take, push, also }, i) => {
    // Each field by its name: engines copy the rest of an object many times more slowly.
    const { value, plies, draw } = after[i];
    return { move, from, to, take, push, also, value: OPPOSITE[value], plies: plies === null ? null : plies + 1, draw };
  });
  return ranked.sort((a, b) => preference(b) - preference(a));
}

/** Every perfect move, in the order of cells. */
function* best(head, game, position) {
  const ranked = yield* moves(head, game, position);
  return ranked.filter((move) => preference(move) === preference(ranked[0])).map(({ move }) => move);
}

/** The line of perfect play from a position to the end or to a repetition. Each side makes the first of its perfect moves. */
function* line(head, game, position = game.start) {
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

/** A move of a fallible player. One random number decides both whether it is perfect and which move it is. */
function* choose(head, game, position, level) {
  const { errors = 0, random = Math.random } = optionsOf("level", level);
  if (typeof errors !== "number" || !(errors >= 0 && errors <= 1)) fail("level", `errors is ${shown(errors)}: use a number from 0 to 1`);
  if (typeof random !== "function") fail("type", `random is ${shown(random)}: use a function`);
  const ranked = yield* moves(head, game, position);
  if (ranked.length === 0) return null;
  const number = random();
  if (!(number >= 0 && number < 1)) fail("level", `random() returned ${number}: it must return a number from 0 to below 1`);
  const perfect = ranked.filter((move) => preference(move) === preference(ranked[0])), others = ranked.slice(perfect.length);
  const share = others.length === 0 ? 0 : errors;
  // Rescaled, the rest of the number is uniform again and picks the move.
  const [chosen, rest] = number < share ? [others, number / share] : [perfect, (number - share) / (1 - share)];
  return chosen[Math.min(Math.floor(rest * chosen.length), chosen.length - 1)].move;
}

/** Positions of a batch that are read at once. */
const UNIT = 1 << 16;

const VALUES = { win: 1, draw: 0, loss: -1 }, DRAWS = { end: 1, cycle: 2 };

/** The names of the errors of positions and entries, by their numbers. Both are the same in every language. */
export const errorKinds = Object.freeze({ 23: "counts", 30: "off-the-board", 31: "overlap", 32: "mover-line", 33: "both-lines", 40: "damaged" });
const ERRORS = Object.fromEntries(Object.entries(errorKinds).map(([number, kind]) => [kind, Number(number)]));

/** Value 1, 0 or -1, plies or -1, draw 1 for one that ends and 2 for one by cycle, error 0 or a key of `errorKinds`. */
function* probeMany(head, game, movers, waiters) {
  for (const [name, masks] of Object.entries({ movers, waiters })) {
    if (!(masks instanceof BigUint64Array || masks instanceof BigInt64Array)) fail("type", `${name} is ${shown(masks)}: use a BigUint64Array`);
  }
  const count = movers.length;
  if (waiters.length !== count) fail("size", `${count} movers and ${waiters.length} waiters: use arrays of the same length`);
  const columns = { value: new Int8Array(count), plies: new Int16Array(count).fill(-1), draw: new Int8Array(count), error: new Uint8Array(count) };
  for (let first = 0; first < count; first += UNIT) {
    const positions = [];
    for (let row = first; row < Math.min(first + UNIT, count); row++) {
      const position = { mover: movers[row], waiter: waiters[row], row }, { error } = attempt(() => layerOf(head.game, position));
      if (error) columns.error[row] = ERRORS[error.kind];
      else positions.push(position);
    }
    (yield* scores(head, game, positions)).forEach(({ value, plies, draw }, i) => {
      const { row } = positions[i];
      columns.value[row] = VALUES[value];
      columns.plies[row] = plies ?? -1;
      columns.draw[row] = DRAWS[draw] ?? 0;
    });
  }
  return columns;
}

/** A number that is greater for a better score. */
const preference = ({ value, plies }) => VALUES[value] * (100000 - (plies ?? 0));

/** The answers, by the names of the methods that give them. */
export const ANSWERS = { probe, moves, best, line, choose, probeMany, census };
