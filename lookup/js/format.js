// A table file: its preamble, header, sums and padding (tables/FORMAT.md, sections 1 to 3). Reads the game of a table and the places of
// its maps and layers, and checks that they are inside the file.

import { fail, typeName } from "./error.js";
import { Fields, viewOf } from "./fields.js";
import { readGame } from "./graph.js";
import { BINOMIALS } from "./sets.js";
import { xxh3 } from "./xxh3.js";

const MAGIC = [0x89, 0x4d, 0x4f, 0x52, 0x50, 0x49, 0x4f, 0x4e], VERSION = 4;
const LIMIT = 1 << 22;
const UNIT = 1 << 20;
const MOST = { symmetries: 1024, maps: 37 };

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

/** Length of a map or of a layer, in bytes. */
const mapBytes = ({ game: { cells } }, { size }) => 4 * (BINOMIALS[cells][size] ?? 0);
const layerBytes = ({ encoding }, { rows, columns }) => Math.ceil((rows * columns * encoding.bits) / 8);

function readHeader(bytes) {
  const fields = new Fields(bytes, "header"), game = readGame(fields);
  const header = {
    game, encoding: fields.choice(ENCODINGS), group: fields.choice(GROUPS),
    symmetries: fields.list(() => fields.raw(), MOST.symmetries),
    maps: fields.list(() => ({ size: fields.u8(), rows: fields.number(), offset: fields.number() }), MOST.maps),
    census: fields.number(),
  };
  fields.end();
  checkSymmetries(header, fields);
  const isInside = (offset, length) => offset + length <= header.census;
  if (new Set(header.maps.map(({ size }) => size)).size !== header.maps.length) fields.wrong("two maps of sets of one size");
  if (!header.maps.every((map) => map.size <= game.cells && isInside(map.offset, mapBytes(header, map)))) fields.wrong("a map that does not end before the census");
  if (!game.layers.every((layer) => isInside(layer.offset, layerBytes(header, layer)))) fields.wrong("a layer that does not end before the census");
  return { ...header, symmetryBits: Math.ceil(Math.log2(header.symmetries.length)) };
}

function checkSymmetries({ symmetries, game: { cells } }, fields) {
  const isPermutation = (images) => images.length === cells && new Set(images).size === cells && Math.max(...images) < cells;
  const isBefore = (a, b) => {
    const at = a.findIndex((image, cell) => image !== b[cell]);
    return at >= 0 && a[at] < b[at];
  };
  if (!symmetries.every(isPermutation)) fields.wrong("a symmetry that is not a permutation of the cells");
  if (!symmetries[0]?.every((image, cell) => image === cell)) fields.wrong("symmetries without the identity");
  if (!symmetries.every((images, i) => i === 0 || isBefore(symmetries[i - 1], images))) fields.wrong("symmetries out of order");
}

/** Number of bytes before the maps, from the first `PREAMBLE` bytes of a table. */
export function headLength(bytes) {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) fail("magic", "not a table: the first eight bytes are wrong; open a file NAME.morpion or NAME.morpion.zst");
  if (bytes.length < PREAMBLE) fail("length", `${bytes.length} bytes, expected ${PREAMBLE}`);
  const view = viewOf(bytes), version = view.getUint32(8, true), length = view.getUint32(12, true);
  const [writer, remedy] = version < VERSION ? ["a morpion before 0.4.0", "build the table again"] : ["a newer morpion", "update this package"];
  if (version !== VERSION) fail("version", `format version ${version}, written by ${writer}: ${remedy} (version ${VERSION} is read)`);
  if (length > LIMIT) fail("header", `header: ${length} bytes, expected at most ${LIMIT}`);
  return align(PREAMBLE + length + 8, 64);
}

/** Reads the header, given all bytes before the maps. Checks their sum. */
export function readHead(bytes) {
  const view = viewOf(bytes), end = PREAMBLE + view.getUint32(12, true);
  if (xxh3(bytes.subarray(0, end)) !== view.getBigUint64(end, true)) {
    fail("checksum", "the checksum of the header is wrong: the file is damaged");
  }
  if (bytes.subarray(end + 8).some((byte) => byte)) fail("header", "header: padding that is not zero");
  return readHeader(bytes.subarray(PREAMBLE, end));
}

/**
 * Checks magic, version, header and length of a table whose bytes are `{ size, read(from, to) }`. Returns its head as `readHead`
 * does, with the offset of its checksums and the length of its census.
 */
export function openTable(source) {
  const { size } = source;
  const read = (from, to) => (to <= size ? source.read(from, to) : fail("length", `${size} bytes, expected ${to}`));
  const head = readHead(read(0, headLength(source.read(0, Math.min(PREAMBLE, size))))), { census } = head;
  checkLength(head, size);
  const counts = Number(viewOf(read(census, census + 8)).getBigUint64(0, true)), { sums, total } = endOf(head, counts);
  return size === total ? { ...head, sums, counts } : fail("length", `${size} bytes, expected ${total}`);
}

/** Offset of the checksums of a table, and of its end; `counts` is the length at the beginning of the census. */
export function endOf({ census }, counts) {
  if (counts > LIMIT) fail("header", "header: a census longer than 4 MiB");
  const sums = align(census + 8 + counts, 8);
  return { sums, total: sums + 8 * (Math.ceil(sums / UNIT) + 1) };
}

/** Refuses a length that no census gives a file with this header, before anything beyond the header is read. */
export function checkLength(head, size) {
  const [least, most] = [0, LIMIT].map((counts) => endOf(head, counts).total);
  if (size < least || size > most) fail("length", `${size} bytes, expected ${least} to ${most}`);
}

/** The parts of a table that have a checksum each: bytes `from` to `to`, with the sum at `at`. The first part is the sums. */
export function sumsOf(sums, total) {
  const parts = [{ from: sums, to: total - 8, at: total - 8 }];
  for (let from = 0, at = sums; from < sums; from += UNIT, at += 8) parts.push({ from, to: Math.min(from + UNIT, sums), at });
  return parts;
}

/** The parts between the sections of a table that must be zero. */
export function paddingOf(head) {
  const ends = [...head.maps.map((map) => map.offset + mapBytes(head, map)), ...head.game.layers.map((layer) => layer.offset + layerBytes(head, layer))];
  return [...ends.map((from) => ({ from, to: Math.min(align(from, 64), head.census) })), { from: head.census + 8 + head.counts, to: head.sums }];
}

/** The bytes of a buffer or of a view of a buffer, without a copy. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const shared = typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer;
  if (source instanceof ArrayBuffer || shared) return new Uint8Array(source);
  return fail("type", `${typeName(source)} is not the bytes of a table: use an ArrayBuffer or a Uint8Array`);
}
