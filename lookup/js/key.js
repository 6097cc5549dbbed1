// The place of a position's entry in the file, and the score that its code means (tables/FORMAT.md, section 4).

import { fail } from "./error.js";
import { CELLS, orderOfImage } from "./order.js";
import { cellsOf, rankAmongOthers, rankOf } from "./sets.js";

const damaged = (what) => fail("damaged", `the table is damaged: ${what}`);
const mapOf = ({ maps }, cells) => maps.find(({ size }) => size === cells) ?? damaged("a map is too short");

/** The place of a mover's entry in the map of its size. */
export function mapPlace(head, mover) {
  const cells = cellsOf(mover & CELLS);
  return { at: mapOf(head, cells.length).offset + 4 * rankOf(cells), length: 4 };
}

/** The key of a position in a layer, by the map's entry of its mover. */
export function keyOf(head, layer, { mover, waiter }, mapEntry) {
  const symmetry = 2 ** head.symmetryBits, row = Math.floor(mapEntry / symmetry);
  const images = head.symmetries[mapEntry % symmetry] ?? damaged("a map names a symmetry that does not exist");
  if (row >= mapOf(head, layer.mover).rows) damaged("a map names a row that does not exist");
  const image = (word) => cellsOf(word & CELLS).map((cell) => images[cell]);
  const [rowOrders, columnOrders] = layer.orders;
  const ordered = row * rowOrders + orderOfImage(images, mover);
  const column = rankAmongOthers(image(waiter), image(mover)) * columnOrders + orderOfImage(images, waiter);
  return ordered < layer.rows && column < layer.columns ? ordered * layer.columns + column : damaged("a position has no entry");
}

/** The place of the bytes that contain the entry of a key. */
export function entryPlace({ encoding: { bits } }, layer, key) {
  return { at: layer.offset + Math.floor((key * bits) / 8), length: Math.ceil(bits / 8) };
}

/** The greatest distance up to which wins and losses have all codes of one byte. */
const BOTH = 16;

/** The score of a key, by the number at its place. */
export function scoreOf({ encoding: { bits, draw } }, key, number) {
  const decided = (value, plies) => ({ value, plies, draw: null });
  const drawn = (kind) => ({ value: "draw", plies: null, draw: kind });
  const missing = () => damaged("a position has no entry");
  if (draw) return [drawn(draw), decided("win", null), decided("loss", null)][(number >> (2 * (key % 4))) & 3] ?? missing();
  const half = 2 ** (bits - 1), distance = (i, step) => (bits > 8 || i <= BOTH ? i : BOTH + step + 2 * (i - BOTH - 1));
  if (number === 0) return drawn("cycle");
  if (number < half - 1) return decided("win", distance(number - 1, 1));
  if (number === half - 1) return drawn("end");
  return number < 2 * half - 1 ? decided("loss", distance(number - half, 2)) : missing();
}
