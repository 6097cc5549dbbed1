// The place of a position's entry in the file, and the score that its code means (tables/FORMAT.md, sections 4 and 5).

import { fail } from "./error.js";
import { CELLS, orderOfImage } from "./order.js";
import { cellsOf, rankAmongOthers, rankOf } from "./sets.js";

const damaged = (what) => fail("damaged", `the table is damaged: ${what}`);

/** The place of a mover's entry in the map of its size. */
export function mapPlace({ maps }, mover) {
  const cells = cellsOf(mover & CELLS);
  const map = maps.find(({ size }) => size === cells.length) ?? damaged("a map is missing");
  return { at: map.offset + 4 * rankOf(cells), length: 4 };
}

/** The key of a position in layer number `index`, by the map's entry of its mover. */
export function keyOf({ symmetries, maps, layers, graph }, { symmetryBits }, index, { mover, waiter }, mapEntry) {
  const row = Math.floor(mapEntry / 2 ** symmetryBits);
  const images = symmetries[mapEntry % 2 ** symmetryBits] ?? damaged("a map names a symmetry that does not exist");
  if (row >= maps.find(({ size }) => size === layers[index].mover).rows) damaged("a map names a row that does not exist");
  const image = (word) => cellsOf(word & CELLS).map((cell) => images[cell]);
  const column = rankAmongOthers(image(waiter), image(mover));
  const [rowOrders, columnOrders] = graph.layers[index].orders;
  return (row * rowOrders + orderOfImage(images, mover)) * layers[index].columns + column * columnOrders + orderOfImage(images, waiter);
}

/** The place of the bytes that contain the entry of a key. */
export function entryPlace({ encoding: { bits } }, layer, key) {
  return { at: layer.offset + Math.floor((key * bits) / 8), length: Math.ceil(bits / 8) };
}

/** The score of a key, by the number at its place. */
export function scoreOf({ encoding }, key, number) {
  const decided = (value, plies) => ({ value, plies, draw: null });
  const draw = (kind) => ({ value: "draw", plies: null, draw: kind });
  const missing = () => damaged("a position without an entry");
  if (encoding.draw) {
    return [draw(encoding.draw), decided("win", null), decided("loss", null)][(number >> (2 * (key % 4))) & 3] ?? missing();
  }
  const half = 2 ** (encoding.bits - 1);
  if (number === 0) return draw("cycle");
  if (number < half - 1) return decided("win", number - 1);
  if (number === half - 1) return draw("end");
  return number < 2 * half - 1 ? decided("loss", number - half) : missing();
}
