// The beginning of a table file: preamble and header (tables/FORMAT.md, sections 1 to 3). Reads the rules of a table and the places of
// its maps and layers, and checks both against each other.

import { fail, typeName } from "./error.js";
import { Fields } from "./fields.js";
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
  { name: "wdl", bits: 2 },
];

const STUCK = ["win", "draw", "loss", "pass"];
const GROUPS = ["rules", "board", "trivial"];

const align = (offset, to) => Math.ceil(offset / to) * to;

/** The shape of the board: a grid, a grid with holes, or a number of cells. */
function readBoard(fields, version) {
  const choice = fields.choice(version + 1);
  if (choice === 1) return { cells: fields.u8() };
  const board = { rows: fields.u8(), columns: fields.u8() };
  if (choice === 0) return board;
  const open = fields.u64() | (fields.u64() << 64n);
  const squares = board.rows * board.columns;
  if (squares > 128 || open >> BigInt(squares)) fail("header", "header: squares off the board");
  board.holes = range(squares).filter((square) => !((open >> BigInt(square)) & 1n));
  return board.holes.length ? board : fail("header", "header: a grid with holes that has no hole");
}

/** The rules, and the bytes from which their fingerprint is computed. */
function readRules(fields, version) {
  const rules = { name: fields.text(), title: fields.text() };
  const nameless = fields.at;
  rules.board = readBoard(fields, version);
  rules.lines = fields.list(() => fields.u64());
  rules.pieces = fields.option(() => fields.u8());
  rules.movement = fields.option(() => ({
    links: fields.choice(2) === 0 ? null : fields.list(() => [fields.u8(), fields.u8()]),
    stay: fields.bool(),
    stuck: STUCK[fields.choice(version + 2)],
  }));
  rules.opening = fields.option(() => ({
    forbidden: fields.u64(),
    during: ["first", "each-first", "placing"][fields.choice(3)],
  }));
  rules.start = fields.option(() => ({ x: fields.u64(), o: fields.u64(), side: "xo"[fields.choice(2)] }));
  rules.misere = fields.bool();
  return { rules, canonical: fields.bytes.subarray(nameless, fields.at) };
}

/** The fields that version 2 adds at the end; empty in version 1. */
function readAdditions(fields, version) {
  if (version < 2) return { prolongations: [], names: [], layout: [] };
  return {
    prolongations: fields.list(() => fields.u64()),
    names: fields.list(() => fields.text()),
    layout: fields.list(() => ({ x: fields.u16(), y: fields.u16() })),
  };
}

function readHeader(bytes, version) {
  const fields = new Fields(bytes, "header");
  const { rules, canonical } = readRules(fields, version);
  const header = { rules, fingerprint: fields.u64() };
  header.encoding = ENCODINGS[fields.choice(3)];
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
  fields.end();
  const nameless = [new Uint8Array(16), canonical, bytes.subarray(additions)];
  if (header.fingerprint !== xxh3(joined(nameless))) fail("header", "header: the fingerprint does not fit the rules");
  const needed = rules.board.holes || rules.movement?.stuck === "pass" || rules.prolongations.length || rules.names.length || rules.layout.length ? 2 : 1;
  if (version !== needed) fail("header", `header: version ${version} with rules of version ${needed}`);
  return header;
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

/** Checks that everything derived from the rules agrees with section 3 of the format. */
function checkHeader(header, start) {
  const wrong = (what) => fail("header", `header: ${what}`);
  const { rules, symmetries, maps, layers } = header;
  const { rows, columns, holes } = rules.board;
  const cells = rows === undefined ? rules.board.cells : rows * columns - (holes?.length ?? 0);
  if (cells < 1 || cells > 36 || (columns > 26 && !rules.names.length)) wrong(`${cells} cells, expected 1 to 36, and at most 26 columns`);
  const full = (1n << BigInt(cells)) - 1n;
  const { lines, pieces, movement, opening } = rules;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(rules.name)) wrong("an invalid name");
  if (lines.length < 1 || lines.length > 4096 || lines.some((line) => line === 0n || line & ~full)) wrong("lines");
  checkAdditions(rules, cells, full);
  if (pieces !== null && (pieces < 1 || 2 * pieces > cells)) wrong(`${pieces} pieces each`);
  if (movement && pieces === null) wrong("movement without pieces");
  if (movement?.links?.some(([a, b]) => a >= b || b >= cells)) wrong("links");
  if (opening && (opening.forbidden === 0n || opening.forbidden & ~full || rules.start)) wrong("an opening");
  if (rules.start && !movement) wrong("a start without movement");
  const identity = range(cells);
  const isPermutation = (images) => images.length === cells && new Set([...images, ...identity]).size === cells;
  if (symmetries.length < 1 || symmetries.length > 1024 || !symmetries.every((s) => isPermutation(s) && new Set(s).size === cells)) {
    wrong("a symmetry that is not a permutation of the cells");
  }
  if (symmetries[0].some((image, cell) => image !== cell)) wrong("symmetries without the identity first");
  if (header.encoding.name === "wdl" && movement) wrong("entries of two bits in a game with movement");
  const last = pieces === null ? cells : 2 * pieces, first = rules.start ? last : 0;
  const counts = Array.from({ length: last - first + 1 }, (_, i) => [(first + i) >> 1, (first + i + 1) >> 1]);
  const sizes = [...new Set(counts.map(([mover]) => mover))];
  if (maps.length !== sizes.length || layers.length !== counts.length) wrong("sections that do not fit the rules");
  let end = start;
  const symmetryBits = Math.ceil(Math.log2(symmetries.length));
  maps.forEach((map, i) => {
    const sets = BINOMIALS[cells][map.size] ?? 0;
    if (map.size !== sizes[i] || map.offset !== end || map.rows < 1 || map.rows > sets || sets * 2 ** symmetryBits >= 2 ** 32) wrong(`map ${i}`);
    end = align(end + 4 * sets, 64);
  });
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i], [mover, waiter] = counts[i];
    const fits = layer.mover === mover && layer.waiter === waiter && layer.offset === end
      && layer.rows === maps.find((map) => map.size === mover).rows
      && layer.columns === BINOMIALS[cells - mover][waiter]
      && layer.bytes === Math.ceil((layer.rows * layer.columns * header.encoding.bits) / 8);
    if (!fits) wrong(`layer ${i}`);
    end = align(end + layer.bytes, 64);
  }
  if (header.census !== end) wrong("the place of the census");
  return { cells, full, first, last, symmetryBits };
}

/** Checks that lines ascend, and that extending cells, names and places fit the board. */
function checkAdditions({ lines, prolongations, names, layout }, cells, full) {
  const wrong = (what) => fail("header", `header: ${what}`);
  const fits = (list, length) => list.length === 0 || list.length === length;
  if (!fits(prolongations, lines.length) || !fits(names, cells) || !fits(layout, cells)) wrong("a list that does not have an item for each line or cell");
  if (prolongations.some((set, i) => set & ~full || set & lines[i])) wrong("cells that extend a line");
  const before = (i) => lines[i] > lines[i - 1] || (lines[i] === lines[i - 1] && prolongations[i] > prolongations[i - 1]);
  if (lines.some((_, i) => i > 0 && !before(i))) wrong("lines out of order");
  if (names.some((name) => !/^[a-z0-9]{1,6}$/.test(name) || name === "pass") || new Set(names).size !== names.length) wrong("a name of a cell");
  if (new Set(layout.map(({ x, y }) => x * 65536 + y)).size !== layout.length) wrong("two cells in one place");
}

/** Number of bytes before the maps, from the first `PREAMBLE` bytes of a table. */
export function headLength(bytes) {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) fail("magic", "not a table: the first eight bytes are wrong; open a file NAME.morpion or NAME.morpion.zst");
  if (bytes.length < PREAMBLE) fail("length", `${bytes.length} bytes, expected ${PREAMBLE}`);
  const view = viewOf(bytes), version = view.getUint32(8, true), length = view.getUint32(12, true);
  if (version < 1 || version > 2) fail("version", `format version ${version} is not supported, at most 2: use a newer version of this package`);
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
  const header = readHeader(bytes.subarray(PREAMBLE, end), view.getUint32(8, true));
  return { header, shape: checkHeader(header, bytes.length) };
}

/**
 * Checks magic, version, header and length of a table whose bytes are `{ size, read(from, to) }`. Returns its head as `readHead`
 * does, with the offset of its checksums.
 */
export function openTable(source) {
  const { size } = source;
  const read = (from, to) => (to <= size ? source.read(from, to) : fail("length", `${size} bytes, expected ${to}`));
  const head = readHead(read(0, headLength(source.read(0, Math.min(PREAMBLE, size))))), { census } = head.header;
  const { sums, total } = endOf(head.header, Number(viewOf(read(census, census + 8)).getBigUint64(0, true)));
  return size === total ? { ...head, sums } : fail("length", `${size} bytes, expected ${total}`);
}

/** Offset of the checksums of a table, and of its end; `counts` is the length at the beginning of the census. */
export function endOf({ census }, counts) {
  if (counts > LIMIT) fail("header", "header: a census longer than 4 MiB");
  const sums = align(census + 8 + counts, 8);
  return { sums, total: sums + 8 * (Math.ceil(sums / UNIT) + 1) };
}

/** The parts of a table that have a checksum each: bytes `from` to `to`, with the sum at `at`. The first part is the sums. */
export function sumsOf(sums, total) {
  const parts = [{ from: sums, to: total - 8, at: total - 8 }];
  for (let from = 0, at = sums; from < sums; from += UNIT, at += 8) parts.push({ from, to: Math.min(from + UNIT, sums), at });
  return parts;
}

/** The bytes of a buffer or of a view of a buffer, without a copy. */
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const shared = typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer;
  if (source instanceof ArrayBuffer || shared) return new Uint8Array(source);
  return fail("type", `${typeName(source)} is not the bytes of a table: use an ArrayBuffer or a Uint8Array`);
}

/** A view of bytes, for reading numbers from them. */
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
