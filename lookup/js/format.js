// A table file: its preamble, header, sums and padding (tables/FORMAT.md, sections 1 to 3). Reads the game of a table and the places of
// its maps and layers, and checks that they are inside the file.

import { fail, shown } from "./error.js";
import { Fields, numberOf, viewOf } from "./fields.js";
import { readGame } from "./graph.js";
import { BINOMIALS } from "./sets.js";
import { xxh3 } from "./xxh3.js";

const MAGIC = [0x89, 0x4d, 0x4f, 0x52, 0x50, 0x49, 0x4f, 0x4e], VERSION = 5;
const LIMIT = 1 << 22;
const UNIT = 1 << 20;
const MOST = { symmetries: 1024, maps: 37, bytes: 2n ** 53n };

/** Number of bytes at the beginning of a table that contain the length of its head. */
const PREAMBLE = 16;

const ENCODINGS = [
  { name: "plies", bits: 8 },
  { name: "plies16", bits: 16 },
  { name: "wdl", bits: 2, draw: "end" },
  { name: "wdl", bits: 2, draw: "cycle" },
];

const align = (offset, to) => Math.ceil(offset / to) * to;

/** Length of a map or of a layer, in bytes. */
const mapBytes = ({ game: { cells } }, { size }) => 4 * (BINOMIALS[cells][size] ?? 0);
const layerBytes = ({ encoding }, { rows, columns }) => Math.ceil((rows * columns * encoding.bits) / 8);

function readHeader(bytes, start) {
  const fields = new Fields(bytes, "header"), game = readGame(fields);
  const header = {
    game, encoding: fields.choice(ENCODINGS), group: fields.choice(["rules", "board", "trivial"]),
    symmetries: fields.list(() => fields.raw(), MOST.symmetries),
  };
  const rows = fields.list(() => fields.u32(), MOST.maps);
  fields.end();
  checkSymmetries(header, fields);
  const whole = { ...header, symmetryBits: Math.ceil(Math.log2(header.symmetries.length)) };
  return { ...whole, ...layOut(whole, rows, start, fields) };
}

/** The places of maps, layers and census, of which the first begins at byte `start`. Layers get their rows, columns and offsets. */
function layOut({ game: { cells, layers }, encoding, symmetryBits }, rows, start, fields) {
  const sizes = [...new Set(layers.filter(({ ended }) => !ended).map(({ mover }) => mover))];
  if (rows.length !== sizes.length) fields.wrong(`rows of ${rows.length} maps, expected ${sizes.length}`);
  // In integers of any length: a header may name more than a number can hold.
  let end = BigInt(start);
  const place = (bytes) => {
    const offset = end;
    end += (bytes + 63n) / 64n * 64n;
    return Number(offset);
  };
  const maps = sizes.map((size, i) => {
    const sets = BINOMIALS[cells][size];
    if (sets * 2 ** symmetryBits >= 2 ** 32) fields.wrong(`${sets} sets of ${size} of ${cells} cells: set and symmetry share 32 bits`);
    return { size, rows: rows[i], offset: place(BigInt(4 * sets)) };
  });
  for (const layer of [...layers].reverse()) {
    const { mover, waiter, ended, orders } = layer, map = ended ? null : maps.find(({ size }) => size === mover);
    const [all, columns] = [BigInt(map?.rows ?? 0) * BigInt(orders[0]), BigInt(BINOMIALS[cells - mover][waiter]) * BigInt(orders[1])];
    const offset = place((all * columns * BigInt(encoding.bits) + 7n) / 8n);
    Object.assign(layer, { rows: Number(all), columns: Number(columns), offset });
  }
  return end < MOST.bytes ? { maps, census: Number(end) } : fields.wrong(`a table of ${end} bytes, expected less than 2^53`);
}

function checkSymmetries({ symmetries, game: { cells } }, fields) {
  const isPermutation = (images) => images.length === cells && new Set(images).size === cells && Math.max(...images) < cells;
  if (!symmetries.every(isPermutation)) fields.wrong("a symmetry that is not a permutation of the cells");
  if (!symmetries[0]?.every((image, cell) => image === cell)) fields.wrong("symmetries without the identity");
  // Texts are compared character by character.
  const texts = symmetries.map((images) => String.fromCharCode(...images));
  if (!texts.every((text, i) => i === 0 || texts[i - 1] < text)) fields.wrong("symmetries out of order");
}

/** Number of bytes before the maps, from the first bytes of a table. */
function headLength(bytes) {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) fail("magic", "not a table: the first eight bytes are wrong; open a file NAME.morpion or NAME.morpion.zst");
  if (bytes.length < PREAMBLE) fail("length", `${bytes.length} bytes, expected ${PREAMBLE}`);
  const view = viewOf(bytes), version = view.getUint32(8, true), length = view.getUint32(12, true);
  const [writer, remedy] = version < VERSION ? ["a morpion before 0.5.0", "build the table again"] : ["a newer morpion", "update this package"];
  if (version !== VERSION) fail("version", `format version ${version}, written by ${writer}: ${remedy} (version ${VERSION} is read)`);
  if (length > LIMIT) fail("header", `header: ${length} bytes, expected at most ${LIMIT}`);
  return align(PREAMBLE + length + 8, 64);
}

/** Reads the header, given all bytes before the maps. Checks their sum. */
function readHead(bytes) {
  const view = viewOf(bytes), end = PREAMBLE + view.getUint32(12, true);
  if (xxh3(bytes.subarray(0, end)) !== view.getBigUint64(end, true)) {
    fail("checksum", "the checksum of the header is wrong: the file is damaged");
  }
  if (bytes.subarray(end + 8).some((byte) => byte)) fail("header", "header: padding that is not zero");
  return readHeader(bytes.subarray(PREAMBLE, end), bytes.length);
}

/**
 * Checks magic, version, header and length of a table of `size` bytes: a generator as in `answers.js`. Returns its head with the offset of
 * its checksums and the length of its census.
 */
export function* openTable(size) {
  const read = (at, length) => (at + length <= size ? [{ at, length }] : fail("length", `${size} bytes, expected ${at + length}`));
  const [start] = yield read(0, Math.min(PREAMBLE, size));
  const [bytes] = yield read(0, headLength(start));
  const head = readHead(bytes), [least, most] = [0, LIMIT].map((counts) => endOf(head, counts).total);
  // A length that no census gives is refused before anything beyond the header is read.
  if (size < least || size > most) fail("length", `${size} bytes, expected ${least} to ${most}`);
  const [length] = yield read(head.census, 8), counts = numberOf(length), { sums, total } = endOf(head, counts);
  return size === total ? { ...head, sums, counts } : fail("length", `${size} bytes, expected ${total}`);
}

/** Offset of the checksums of a table, and of its end; `counts` is the length at the beginning of the census. */
function endOf({ census }, counts) {
  if (counts > LIMIT) fail("header", "header: a census longer than 4 MiB");
  const sums = align(census + 8 + counts, 8);
  return { sums, total: sums + 8 * (Math.ceil(sums / UNIT) + 1) };
}

/** Checks the sums of all bytes of a table, those of the sums first, and that the padding between its sections is zero. */
export function checkSums(head, bytes) {
  const { maps, game: { layers }, census, counts, sums } = head, view = viewOf(bytes), last = bytes.length - 8;
  const check = (from, to, at) => xxh3(bytes.subarray(from, to)) === view.getBigUint64(at, true) || fail("checksum", `checksum of bytes ${from} to ${to - 1}`);
  check(sums, last, last);
  for (let from = 0, at = sums; from < sums; from += UNIT, at += 8) check(from, Math.min(from + UNIT, sums), at);
  const ends = [...maps.map((map) => map.offset + mapBytes(head, map)), ...layers.map((layer) => layer.offset + layerBytes(head, layer))];
  const padding = [...ends.map((end) => [end, Math.min(align(end, 64), census)]), [census + 8 + counts, sums]];
  for (const [from, to] of padding) if (bytes.subarray(from, to).some((byte) => byte)) fail("header", `header: padding at byte ${from} that is not zero`);
}

/** The bytes of a buffer or of a view of a buffer, without a copy. */
export function bytesOf(source) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const shared = typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer;
  if (source instanceof ArrayBuffer || shared) return new Uint8Array(source);
  return fail("type", `${shown(source)} is not the bytes of a table: use an ArrayBuffer or a Uint8Array`);
}
