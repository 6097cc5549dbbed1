// The beginning of a table file: preamble and header (tables/FORMAT.md, sections 1 to 3). Reads the rules of a table and the places of
// its maps and layers, and checks both against each other.

import { fail, typeName } from "./error.js";
import { Fields, viewOf } from "./fields.js";
import { checkGraph, graphOf, isCyclic, readGraph } from "./graph.js";
import { ascend, checkRules, compareLists, readAdditions, readFurther, readRules, versionOf } from "./rules.js";
import { BINOMIALS, range } from "./sets.js";
import { xxh3 } from "./xxh3.js";

const MAGIC = [0x89, 0x4d, 0x4f, 0x52, 0x50, 0x49, 0x4f, 0x4e];
const LIMIT = 1 << 22;
const UNIT = 1 << 20;

/** Number of bytes at the beginning of a table that contain the length of its head. */
export const PREAMBLE = 16;

const ENCODINGS = [
  { name: "plies", bits: 8 },
  { name: "plies16", bits: 16 },
  { name: "wdl", bits: 2, draw: "end" },
  { name: "wdl", bits: 2, draw: "cycle" },
];

const GROUPS = ["rules", "board", "trivial"];

const align = (offset, to) => Math.ceil(offset / to) * to;

function readHeader(bytes, version) {
  const fields = new Fields(bytes, "header");
  const { rules, canonical } = readRules(fields, version);
  const header = { rules, fingerprint: fields.u64() };
  header.encoding = ENCODINGS[fields.choice(4)];
  header.group = GROUPS[fields.choice(3)];
  header.symmetries = fields.list(() => [...fields.raw()]);
  header.maps = fields.list(() => ({ size: fields.u8(), rows: fields.number(), offset: fields.number() }));
  header.layers = fields.list(() => ({
    mover: fields.u8(), waiter: fields.u8(), rows: fields.number(), columns: fields.number(),
    offset: fields.number(), bytes: fields.number(),
  }));
  header.census = fields.number();
  const additions = fields.at;
  Object.assign(rules, readAdditions(fields, version));
  const further = fields.at;
  Object.assign(rules, readFurther(fields, version));
  const needed = versionOf(rules);
  const end = [additions, further, fields.at][needed - 1];
  const fingerprint = xxh3(joined([new Uint8Array(16), canonical, bytes.subarray(additions, end)]));
  if (version < 3 && version !== needed) fail("header", `header: version ${version} with rules of version ${needed}`);
  const shape = checkRules(rules);
  header.graph = version < 3 ? graphOf(rules, shape) : readGraph(fields, header.layers);
  fields.end();
  checkGraph(header.graph, shape);
  if (header.fingerprint !== fingerprint) fail("header", "header: the fingerprint does not fit the rules");
  return { header, shape };
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

/** Checks that everything derived from the rules agrees with section 3 of the format. `start` is the offset of the first map. */
function checkHeader(header, { cells }, start) {
  const wrong = (what) => fail("header", `header: ${what}`);
  const { symmetries, maps, layers, graph } = header;
  const isPermutation = (images) => images.length === cells && new Set([...images, ...range(cells)]).size === cells && new Set(images).size === cells;
  if (symmetries.length < 1 || symmetries.length > 1024 || !symmetries.every(isPermutation)) wrong("a symmetry that is not a permutation of the cells");
  if (symmetries[0].some((image, cell) => image !== cell)) wrong("symmetries without the identity first");
  if (!ascend(symmetries, (a, b) => compareLists(a, b) < 0)) wrong("symmetries out of order");
  if (layers.length !== graph.layers.length) wrong("sections that do not fit the rules");
  const draw = layers.some((_, i) => isCyclic(graph, i)) ? "cycle" : "end";
  if ((header.encoding.draw ?? draw) !== draw) wrong("entries of two bits whose draws are not those of the game");
  const sizes = [...new Set(graph.layers.filter(({ ended }) => !ended).map(({ mover }) => mover))];
  if (maps.length !== sizes.length) wrong("sections that do not fit the rules");
  let end = start;
  const symmetryBits = Math.ceil(Math.log2(symmetries.length));
  maps.forEach((map, i) => {
    const sets = BINOMIALS[cells][map.size] ?? 0;
    if (map.size !== sizes[i] || map.offset !== end || map.rows < 1 || map.rows > sets || sets * 2 ** symmetryBits >= 2 ** 32) wrong(`map ${i}`);
    end = align(end + 4 * sets, 64);
  });
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i], { mover, waiter, ended, orders: [rowOrders, columnOrders] } = graph.layers[i];
    const rows = ended ? 0 : maps.find((map) => map.size === mover).rows * rowOrders;
    const fits = layer.mover === mover && layer.waiter === waiter && layer.offset === end && layer.rows === rows
      && layer.columns === BINOMIALS[cells - mover][waiter] * columnOrders
      && layer.bytes === Math.ceil((layer.rows * layer.columns * header.encoding.bits) / 8);
    if (!fits) wrong(`layer ${i}`);
    end = align(end + layer.bytes, 64);
  }
  if (header.census !== end) wrong("the place of the census");
  return symmetryBits;
}

/** Number of bytes before the maps, from the first `PREAMBLE` bytes of a table. */
export function headLength(bytes) {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) fail("magic", "not a table: the first eight bytes are wrong; open a file NAME.morpion or NAME.morpion.zst");
  if (bytes.length < PREAMBLE) fail("length", `${bytes.length} bytes, expected ${PREAMBLE}`);
  const view = viewOf(bytes), version = view.getUint32(8, true), length = view.getUint32(12, true);
  if (version < 1 || version > 3) fail("version", `format version ${version} is not supported, at most 3: use a newer version of this package`);
  if (length > LIMIT) fail("header", `header: ${length} bytes, expected at most ${LIMIT}`);
  return align(PREAMBLE + length + 8, 64);
}

/** Reads the header and derives the shape of the game from it, given all bytes before the maps. Checks their sum. */
export function readHead(bytes) {
  const view = viewOf(bytes), end = PREAMBLE + view.getUint32(12, true);
  if (xxh3(bytes.subarray(0, end)) !== view.getBigUint64(end, true)) {
    fail("checksum", "the checksum of the header is wrong: the file is damaged");
  }
  if (bytes.subarray(end + 8).some((byte) => byte)) fail("header", "header: padding that is not zero");
  const { header, shape } = readHeader(bytes.subarray(PREAMBLE, end), view.getUint32(8, true));
  return { header, shape: { ...shape, symmetryBits: checkHeader(header, shape, bytes.length) } };
}

/**
 * Checks magic, version, header and length of a table whose bytes are `{ size, read(from, to) }`. Returns its head as `readHead`
 * does, with the offset of its checksums and the length of its census.
 */
export function openTable(source) {
  const { size } = source;
  const read = (from, to) => (to <= size ? source.read(from, to) : fail("length", `${size} bytes, expected ${to}`));
  const head = readHead(read(0, headLength(source.read(0, Math.min(PREAMBLE, size))))), { census } = head.header;
  checkLength(head.header, size);
  const counts = Number(viewOf(read(census, census + 8)).getBigUint64(0, true)), { sums, total } = endOf(head.header, counts);
  return size === total ? { ...head, sums, counts } : fail("length", `${size} bytes, expected ${total}`);
}

/** Offset of the checksums of a table, and of its end; `counts` is the length at the beginning of the census. */
export function endOf({ census }, counts) {
  if (counts > LIMIT) fail("header", "header: a census longer than 4 MiB");
  const sums = align(census + 8 + counts, 8);
  return { sums, total: sums + 8 * (Math.ceil(sums / UNIT) + 1) };
}

/** Refuses a length that no census gives a file with this header, before anything beyond the header is read. */
export function checkLength(header, size) {
  const [least, most] = [0, LIMIT].map((counts) => endOf(header, counts).total);
  if (size < least || size > most) fail("length", `${size} bytes, expected ${least} to ${most}`);
}

/** The parts of a table that have a checksum each: bytes `from` to `to`, with the sum at `at`. The first part is the sums. */
export function sumsOf(sums, total) {
  const parts = [{ from: sums, to: total - 8, at: total - 8 }];
  for (let from = 0, at = sums; from < sums; from += UNIT, at += 8) parts.push({ from, to: Math.min(from + UNIT, sums), at });
  return parts;
}

/** The parts between the sections of a table that must be zero. */
export function paddingOf({ header, shape, sums, counts }) {
  const maps = header.maps.map(({ size, offset }) => offset + 4 * BINOMIALS[shape.cells][size]);
  const ends = [...maps, ...header.layers.map(({ offset, bytes }) => offset + bytes)];
  return [...ends.map((from) => ({ from, to: align(from, 64) })), { from: header.census + 8 + counts, to: sums }];
}

/** The bytes of a buffer or of a view of a buffer, without a copy. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const shared = typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer;
  if (source instanceof ArrayBuffer || shared) return new Uint8Array(source);
  return fail("type", `${typeName(source)} is not the bytes of a table: use an ArrayBuffer or a Uint8Array`);
}
