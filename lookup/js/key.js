// The place of a position's entry in the file, and the score that its code means (tables/FORMAT.md, sections 4 and 5).

import { fail } from "./error.js";
import { CELLS, imageOf, orderOf, orders } from "./order.js";
import { cellsOf, rankAmongOthers, rankOf } from "./sets.js";

const damaged = (what) => fail("damaged", `the table is damaged: ${what}`);

/** The place of a mover's entry in the map of its size. */
export function mapPlace({ maps }, mover) {
  const cells = cellsOf(mover & CELLS);
  const map = maps.find(({ size }) => size === cells.length) ?? damaged("a map is missing");
  return { at: map.offset + 4 * rankOf(cells), length: 4 };
}

/** The key of a position in its layer, by the map's entry of its mover. */
export function keyOf({ symmetries, maps, graph }, { symmetryBits }, layer, { mover, waiter }, mapEntry) {
  const row = Math.floor(mapEntry / 2 ** symmetryBits);
  const images = symmetries[mapEntry % 2 ** symmetryBits] ?? damaged("a map names a symmetry that does not exist");
  if (row >= maps.find(({ size }) => size === layer.mover).rows) damaged("a map names a row that does not exist");
  const image = (word) => cellsOf(word & CELLS).map((cell) => images[cell]);
  const column = rankAmongOthers(image(waiter), image(mover));
  if (!graph.hasAges) return row * layer.columns + column;
  // The orders of the pieces of both sides follow their sets.
  const withOrder = (rank, word, pieces) => rank * orders(pieces) + orderOf(imageOf(images, word));
  return withOrder(row, mover, layer.mover) * layer.columns + withOrder(column, waiter, layer.waiter);
}

/** The place of the bytes that contain the entry of a key. */
export function entryPlace({ encoding: { bits } }, layer, key) {
  return { at: layer.offset + Math.floor((key * bits) / 8), length: Math.ceil(bits / 8) };
}

/** The score of a key, by the number at its place. */
export function scoreOf({ encoding: { name, bits } }, key, number) {
  const decided = (value, plies) => ({ value, plies, draw: null });
  const draw = (kind) => ({ value: "draw", plies: null, draw: kind });
  const missing = () => damaged("a position without an entry");
  if (name === "wdl") {
    return [draw("end"), decided("win", null), decided("loss", null)][(number >> (2 * (key % 4))) & 3] ?? missing();
  }
  const half = 2 ** (bits - 1);
  if (number === 0) return draw("cycle");
  if (number < half - 1) return decided("win", number - 1);
  if (number === half - 1) return draw("end");
  return number < 2 * half - 1 ? decided("loss", number - half) : missing();
}
