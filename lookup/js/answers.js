// Answers, whatever the bytes of the table come from. Each is a generator: it yields a list of places, `{ at, length }`, and is
// sent the little-endian numbers that stand there; what it returns is the answer. `now` gives the numbers at once, from
// memory; a remote table fetches them (remote.js).

import { entryPlace, keyOf, mapPlace, scoreOf } from "./key.js";

/** The scores of positions that have the same mover, so that one map entry and one row have them all. */
function* scores({ header, shape }, game, positions) {
  if (positions.length === 0) return [];
  const [found] = yield [mapPlace(header, positions[0].mover)];
  const entries = positions.map((position) => {
    const layer = header.layers[game.layerOf(position)];
    return { layer, key: keyOf(header, shape, layer, position, found) };
  });
  const numbers = yield entries.map(({ layer, key }) => entryPlace(header, layer, key));
  return entries.map(({ key }, i) => scoreOf(header, key, numbers[i]));
}

/** The score of a position. */
export function* probe(head, game, position) {
  position = game.positionOf(position);
  game.layerOf(position);
  return (yield* scores(head, game, [position]))[0];
}

/** All moves with their worth to the side that makes them, the best first. */
export function* moves(head, game, position) {
  position = game.positionOf(position);
  game.layerOf(position);
  const successors = game.successors(position);
  const after = yield* scores(head, game, successors.map(({ position }) => position));
  const ranked = successors.map(({ move }, i) => ({ move, ...before(after[i]) }));
  return ranked.sort((a, b) => preference(b) - preference(a));
}

/** Every perfect move, in the order of cells. */
export function* best(head, game, position) {
  const ranked = yield* moves(head, game, position);
  return ranked.filter((move) => preference(move) === preference(ranked[0])).map(({ move }) => move);
}

/** Runs an answer on numbers that are there at once. */
export function now(answer, numberAt) {
  let step = answer.next();
  while (!step.done) step = answer.next(step.value.map(numberAt));
  return step.value;
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
