// The census of a table: how many arrangements of each layer have each value and distance (tables/FORMAT.md, section 7).

import { fail } from "./error.js";
import { Fields } from "./fields.js";

/**
 * Reads a census from its bytes, which begin with their length. Returns columns with a row for each layer, value and distance, without
 * arrangements that are not positions. Layers are in the order of play; a layer has wins, losses, draws that end, draws by cycle.
 */
export function readCensus({ game: { layers }, encoding }, bytes) {
  const length = new Fields(bytes, "census").number();
  const counts = layersOf(new Fields(bytes.subarray(8, 8 + length), "census"));
  if (counts.length !== layers.length) fail("header", `census: ${counts.length} layers, expected ${layers.length}`);
  const rows = counts.flatMap(({ wins, losses, ends, cycles }, index) => {
    const { mover, waiter } = layers[index];
    const decided = (value, numbers) => numbers.map((count, plies) => [mover, waiter, value, encoding.name === "wdl" ? -1 : plies, 0, count]);
    return [...decided(1, wins), ...decided(-1, losses), [mover, waiter, 0, -1, 1, ends], [mover, waiter, 0, -1, 2, cycles]];
  }).filter(([, , , , , count]) => count > 0);
  const column = (kind, index) => kind.from(rows, (row) => row[index]);
  return {
    mover: column(Uint8Array, 0), waiter: column(Uint8Array, 1), value: column(Int8Array, 2),
    plies: column(Int16Array, 3), draw: column(Uint8Array, 4), count: column(Float64Array, 5),
  };
}

/** The counts of each layer. The deepest positions after them are read only to check the length. */
function layersOf(fields) {
  const numbers = () => fields.list(() => fields.number());
  const layers = fields.list(() => {
    fields.number();
    return { wins: numbers(), losses: numbers(), ends: fields.number(), cycles: fields.number() };
  });
  for (let i = 0; i < 2; i++) fields.option(() => [fields.u16(), fields.u64(), fields.u64()]);
  fields.end();
  return layers;
}
