// Reads tables of perfect play, written from tables/FORMAT.md alone. No dependencies; browsers and Node.
// In come the bytes of a table, out go values, distances and perfect moves.
// One module, though it has four parts (fields, header, positions as text, answers): a page takes it by copying two files.

import { xxh3 } from "./xxh3.js";

/** Everything this module throws: `kind` is a short name of what is wrong, the same in every language. */
export class MorpionError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = "MorpionError";
    this.kind = kind;
  }
}

const fail = (kind, message) => {
  throw new MorpionError(kind, message);
};

const MAGIC = [0x89, 0x4d, 0x4f, 0x52, 0x50, 0x49, 0x4f, 0x4e];
const LIMIT = 1 << 22;
const UNIT = 1 << 20;
const ENCODINGS = [
  { name: "plies", bits: 8 },
  { name: "plies16", bits: 16 },
  { name: "wdl", bits: 2 },
];
const VALUES = ["win", "draw", "loss"];
const GROUPS = ["rules", "board", "trivial"];

const align = (offset, to) => Math.ceil(offset / to) * to;

const BINOMIALS = Array.from({ length: 38 }, () => new Array(38).fill(0));
for (let n = 0; n < 38; n++) {
  BINOMIALS[n][0] = 1;
  for (let k = 1; k <= n; k++) BINOMIALS[n][k] = BINOMIALS[n - 1][k - 1] + BINOMIALS[n - 1][k];
}

/** The cells of a set, ascending. */
function cellsOf(set) {
  const cells = [];
  for (let cell = 0; set > 0n; cell++, set >>= 1n) if (set & 1n) cells.push(cell);
  return cells;
}

const setOf = (cells) => cells.reduce((set, cell) => set | (1n << BigInt(cell)), 0n);

/** The rank of ascending cells among the sets of as many. */
const rankOf = (cells) => cells.reduce((sum, cell, index) => sum + BINOMIALS[cell][index + 1], 0);

/** Takes the fields of a header from their bytes, in order. */
class Fields {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  skip(length) {
    const at = this.at;
    if (length > this.bytes.length - at) fail("header", `header: ${this.bytes.length} bytes, expected more`);
    this.at += length;
    return at;
  }

  u8() { return this.view.getUint8(this.skip(1)); }
  u16() { return this.view.getUint16(this.skip(2), true); }
  u32() { return this.view.getUint32(this.skip(4), true); }
  u64() { return this.view.getBigUint64(this.skip(8), true); }

  number() {
    const value = this.u64();
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : fail("header", `header: ${value} is too large`);
  }

  choice(count) {
    const value = this.u32();
    return value < count ? value : fail("header", `header: choice ${value}, expected less than ${count}`);
  }

  bool() {
    const value = this.u8();
    return value < 2 ? value === 1 : fail("header", `header: ${value}, expected 0 or 1`);
  }

  option(read) { return this.bool() ? read() : null; }

  list(read) {
    const count = this.number();
    if (count > this.bytes.length) fail("header", `header: a list of ${count}, expected fewer`);
    return Array.from({ length: count }, read);
  }

  raw() {
    const length = this.number();
    return this.bytes.subarray(this.skip(length), this.at);
  }

  text() {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(this.raw());
    } catch (error) {
      if (error instanceof MorpionError) throw error;
      return fail("header", "header: a text that is not UTF-8");
    }
  }

  end() {
    if (this.at !== this.bytes.length) fail("header", `header: ${this.bytes.length} bytes, expected ${this.at}`);
  }
}

function readRules(fields) {
  const rules = { name: fields.text(), title: fields.text() };
  const nameless = fields.at;
  rules.board =
    fields.choice(2) === 0 ? { rows: fields.u8(), columns: fields.u8() } : { cells: fields.u8() };
  rules.lines = fields.list(() => fields.u64());
  rules.pieces = fields.option(() => fields.u8());
  rules.movement = fields.option(() => ({
    links: fields.choice(2) === 0 ? null : fields.list(() => [fields.u8(), fields.u8()]),
    stay: fields.bool(),
    stuck: VALUES[fields.choice(3)],
  }));
  rules.opening = fields.option(() => ({
    forbidden: fields.u64(),
    during: ["first", "each-first", "placing"][fields.choice(3)],
  }));
  rules.start = fields.option(() => ({ x: fields.u64(), o: fields.u64(), side: "xo"[fields.choice(2)] }));
  rules.misere = fields.bool();
  const body = fields.bytes.subarray(nameless, fields.at);
  const canonical = new Uint8Array(16 + body.length);
  canonical.set(body, 16);
  return { rules, fingerprint: xxh3(canonical) };
}

function readHeader(bytes) {
  const fields = new Fields(bytes);
  const { rules, fingerprint } = readRules(fields);
  const header = { rules, fingerprint: fields.u64() };
  if (header.fingerprint !== fingerprint) fail("header", "header: a fingerprint that is not that of its rules");
  header.encoding = ENCODINGS[fields.choice(3)];
  header.group = GROUPS[fields.choice(3)];
  header.symmetries = fields.list(() => [...fields.raw()]);
  header.maps = fields.list(() => ({ size: fields.u8(), rows: fields.number(), offset: fields.number() }));
  header.layers = fields.list(() => ({
    mover: fields.u8(), waiter: fields.u8(), rows: fields.number(), columns: fields.number(),
    offset: fields.number(), bytes: fields.number(),
  }));
  header.census = fields.number();
  fields.end();
  return header;
}

/** Whether all that follows from the rules is as section 3 of the format says. */
function checkHeader(header, start) {
  const wrong = (what) => fail("header", `header: ${what}`);
  const { rules, symmetries, maps, layers } = header;
  const { rows, columns } = rules.board;
  const cells = rows === undefined ? rules.board.cells : rows * columns;
  if (cells < 1 || cells > 36 || columns > 26) wrong(`${cells} cells, expected 1 to 36, and at most 26 columns`);
  const full = (1n << BigInt(cells)) - 1n;
  const { lines, pieces, movement, opening } = rules;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(rules.name)) wrong("a name that is none");
  if (lines.length < 1 || lines.length > 4096 || lines.some((line) => line === 0n || line & ~full)) wrong("lines");
  if (lines.some((line, i) => i > 0 && line <= lines[i - 1])) wrong("lines out of order");
  if (pieces !== null && (pieces < 1 || 2 * pieces > cells)) wrong(`${pieces} pieces each`);
  if (movement && pieces === null) wrong("movement without pieces");
  if (movement?.links?.some(([a, b]) => a >= b || b >= cells)) wrong("links");
  if (opening && (opening.forbidden === 0n || opening.forbidden & ~full || rules.start)) wrong("an opening");
  if (rules.start && !movement) wrong("a start without movement");
  const identity = [...Array(cells).keys()];
  const isPermutation = (images) => images.length === cells && new Set([...images, ...identity]).size === cells;
  if (symmetries.length < 1 || symmetries.length > 1024 || !symmetries.every((s) => isPermutation(s) && new Set(s).size === cells)) {
    wrong("a symmetry that is no permutation of the cells");
  }
  if (symmetries[0].some((image, cell) => image !== cell)) wrong("symmetries without the identity first");
  if (header.encoding.name === "wdl" && movement) wrong("two bits an entry in a game with movement");
  const last = pieces === null ? cells : 2 * pieces, first = rules.start ? last : 0;
  const counts = Array.from({ length: last - first + 1 }, (_, i) => [(first + i) >> 1, (first + i + 1) >> 1]);
  const sizes = [...new Set(counts.map(([mover]) => mover))];
  if (maps.length !== sizes.length || layers.length !== counts.length) wrong("sections that do not follow from the rules");
  let end = start;
  const symmetryBits = Math.ceil(Math.log2(symmetries.length));
  maps.forEach((map, i) => {
    const sets = BINOMIALS[cells][map.size] ?? 0;
    if (map.size !== sizes[i] || map.offset !== end || map.rows < 1 || map.rows > sets || sets * 2 ** symmetryBits >= 2 ** 32) wrong(`map ${i}`);
    end = align(end + 4 * sets, 64);
  });
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i], [mover, waiter] = counts[i];
    const sound = layer.mover === mover && layer.waiter === waiter && layer.offset === end
      && layer.rows === maps.find((map) => map.size === mover).rows
      && layer.columns === BINOMIALS[cells - mover][waiter]
      && layer.bytes === Math.ceil((layer.rows * layer.columns * header.encoding.bits) / 8);
    if (!sound) wrong(`layer ${i}`);
    end = align(end + layer.bytes, 64);
  }
  if (header.census !== end) wrong("the place of the census");
  return { cells, full, first, last, symmetryBits };
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

/** An open table. */
export class Table {
  #bytes;
  #view;
  #header;
  #shape;
  #neighbours;

  /**
   * Opens a table: checks magic, version, lengths and the header with its sum, not the entries.
   * @param {ArrayBuffer | Uint8Array} source the whole file; not copied
   */
  constructor(source) {
    const bytes = source instanceof Uint8Array ? source : new Uint8Array(source);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const expect = (length) => {
      if (bytes.length < length) fail("length", `${bytes.length} bytes, expected ${length}`);
    };
    if (MAGIC.some((byte, i) => bytes[i] !== byte)) fail("magic", "not a table: it does not begin with the eight bytes of one");
    expect(16);
    const version = view.getUint32(8, true), length = view.getUint32(12, true);
    if (version !== 1) fail("version", `format version ${version}, expected 1`);
    if (length > LIMIT) fail("header", `header: ${length} bytes, expected at most ${LIMIT}`);
    const start = align(16 + length + 8, 64);
    expect(start);
    if (xxh3(bytes.subarray(0, 16 + length)) !== view.getBigUint64(16 + length, true)) {
      fail("checksum", "checksum of the header is another than the one in the file");
    }
    if (bytes.subarray(24 + length, start).some((byte) => byte)) fail("header", "header: padding that is not zero");
    this.#header = readHeader(bytes.subarray(16, 16 + length));
    this.#shape = checkHeader(this.#header, start);
    const { census, rules } = this.#header;
    expect(census + 8);
    const censusLength = Number(view.getBigUint64(census, true));
    if (censusLength > LIMIT) fail("header", "header: a census longer than 4 MiB");
    const sums = align(census + 8 + censusLength, 8), total = sums + 8 * (Math.ceil(sums / UNIT) + 1);
    if (bytes.length !== total) fail("length", `${bytes.length} bytes, expected ${total}`);
    this.#bytes = bytes;
    this.#view = view;
    this.#shape.sums = sums;
    this.#neighbours = identityRange(this.#shape.cells).map((cell) => {
      if (!rules.movement) return 0n;
      if (!rules.movement.links) return this.#shape.full & ~(1n << BigInt(cell));
      return setOf(rules.movement.links.filter((link) => link.includes(cell)).map(([a, b]) => (a === cell ? b : a)));
    });
  }

  /** Name of the game. */
  get name() { return this.#header.rules.name; }
  /** One line about the game. */
  get title() { return this.#header.rules.title; }
  /** Number of cells. */
  get cells() { return this.#shape.cells; }
  /** `{rows, columns}`, or `{cells}` on a board that is no grid. */
  get board() { return { ...this.#header.rules.board }; }
  /** `plies`, `plies16` or `wdl`. */
  get encoding() { return this.#header.encoding.name; }
  /** Fingerprint of the rules, 16 hexadecimal digits. */
  get fingerprint() { return this.#header.fingerprint.toString(16).padStart(16, "0"); }
  /** Order of the group the table is folded by. */
  get symmetries() { return this.#header.symmetries.length; }
  /** Number of entries. */
  get entries() { return this.#header.layers.reduce((sum, { rows, columns }) => sum + rows * columns, 0); }

  /** The position the game begins with, as text. */
  get start() {
    const { start } = this.#header.rules;
    if (!start) return this.format({ mover: 0n, waiter: 0n }, "x");
    const { x, o, side } = start;
    return this.format(side === "x" ? { mover: x, waiter: o } : { mover: o, waiter: x }, side);
  }

  /** Checks the sums of all bytes; slow on tables of many megabytes. Throws where one is wrong. */
  checkSums() {
    const { sums } = this.#shape, bytes = this.#bytes, last = bytes.length - 8;
    const compare = (from, to, at) => {
      if (xxh3(bytes.subarray(from, to)) !== this.#view.getBigUint64(at, true)) fail("checksum", `checksum of bytes ${from} to ${to - 1}`);
    };
    compare(sums, last, last);
    for (let from = 0, at = sums; from < sums; from += UNIT, at += 8) compare(from, Math.min(from + UNIT, sums), at);
  }

  /**
   * Reads a position, also in the forms of notebooks.
   * @param {string} text
   * @returns {{mover: bigint, waiter: bigint, side: "x" | "o"}}
   */
  parse(text) {
    const { board, side } = splitSide(String(text).trim(), this.#shape.cells);
    const { cells } = this.#shape, columns = this.board.columns ?? cells;
    const sets = { x: 0n, o: 0n };
    let count = 0, rows = 0, rowStart = 0;
    const closeRow = () => {
      const found = count - rowStart;
      rows += 1;
      rowStart = count;
      if (found !== columns && found !== cells) fail("row", `row ${rows} has ${found} cells, expected ${columns}`);
    };
    [...board].forEach((character, place) => {
      if ("/[]|\n;".includes(character)) {
        if (count > rowStart || character === "/") closeRow();
      } else if (!" \t\r,()".includes(character)) {
        const bit = 1n << BigInt(count);
        if ("Xx1".includes(character)) sets.x |= bit;
        else if ("Oo2".includes(character)) sets.o |= bit;
        else if (!"._-0".includes(character)) fail("character", `character ${JSON.stringify(character)} at place ${place + 1} is no cell: expected X, O or .`);
        count += 1;
      }
    });
    if (count !== cells) fail("size", `${count} cells, expected ${cells}`);
    if (rows > 0 && count > rowStart) closeRow();
    const turn = this.#sideToMove(cellsOf(sets.x).length, cellsOf(sets.o).length, side);
    const position = turn === "x" ? { mover: sets.x, waiter: sets.o } : { mover: sets.o, waiter: sets.x };
    this.#check(position);
    return { ...position, side: turn };
  }

  #sideToMove(x, o, named) {
    const { pieces, movement, start } = this.#header.rules;
    if (movement && x === pieces && o === pieces) return named ?? fail("side-missing", "the side to move is missing: expected x or o after the board, since all pieces are placed");
    const inTurn = x === o || x === o + 1;
    if (!inTurn || (pieces !== null && x > pieces) || start) fail("counts", `${x} X and ${o} O, which never happens in this game`);
    const side = x === o ? "x" : "o";
    return named === null || named === side ? side : fail("side", `${named} to move, expected ${side}`);
  }

  /** Writes a position, `X../.O./..X o`. */
  format({ mover, waiter }, side) {
    const [own, other] = side === "x" ? "XO" : "OX";
    const { cells } = this.#shape, columns = this.board.columns ?? cells;
    const letter = (cell) => ((mover >> BigInt(cell)) & 1n ? own : (waiter >> BigInt(cell)) & 1n ? other : ".");
    const text = identityRange(cells).map((cell) => (cell > 0 && cell % columns === 0 ? "/" : "") + letter(cell));
    return `${text.join("")} ${side}`;
  }

  #cell(cell) {
    const { columns } = this.board;
    return columns === undefined ? String(cell) : String.fromCharCode(97 + (cell % columns)) + (Math.floor(cell / columns) + 1);
  }

  #hasLine(set) { return this.#header.rules.lines.some((line) => (line & set) === line); }

  /** The index of the layer, or throws what is wrong with the position. */
  #check({ mover, waiter }) {
    const { full, first, last } = this.#shape;
    if ((mover | waiter) & ~full) fail("off-the-board", `a piece stands off the board, which has ${this.cells} cells`);
    if (mover & waiter) fail("overlap", `cell ${cellsOf(mover & waiter)[0]} is held by both sides`);
    const own = cellsOf(mover).length, ply = own + cellsOf(waiter).length;
    if (own !== ply >> 1 || ply < first || ply > last) fail("counts", `the side to move has ${own} pieces and the side waiting ${ply - own}, which never happens in this game`);
    if (this.#hasLine(mover)) {
      if (this.#hasLine(waiter)) fail("both-lines", "both sides have a line: the game was over earlier");
      fail("mover-line", "the side to move already has a line: the game was over a move earlier");
    }
    return ply - first;
  }

  #position(position) {
    return typeof position === "string" ? this.parse(position) : position;
  }

  /** The entry of a position that was checked. */
  #entry({ mover, waiter }, index) {
    const layer = this.#header.layers[index], { cells, symmetryBits } = this.#shape;
    const damaged = (what) => fail("damaged", `the table is damaged: ${what}`);
    const own = cellsOf(mover);
    const map = this.#header.maps.find(({ size }) => size === own.length) ?? damaged("a map is missing");
    const found = this.#view.getUint32(map.offset + 4 * rankOf(own), true);
    const row = Math.floor(found / 2 ** symmetryBits);
    const images = this.#header.symmetries[found % 2 ** symmetryBits] ?? damaged("a map names a symmetry that is not there");
    if (row >= layer.rows) damaged("a map names a row that is not there");
    const taken = new Set(own.map((cell) => images[cell]));
    const numbers = new Map(identityRange(cells).filter((cell) => !taken.has(cell)).map((cell, number) => [cell, number]));
    const column = rankOf(cellsOf(waiter).map((cell) => numbers.get(images[cell])).sort((a, b) => a - b));
    const score = this.#decode(layer.offset, row * layer.columns + column);
    return score ?? damaged("no entry where a position is");
  }

  #decode(offset, key) {
    const { name, bits } = this.#header.encoding;
    const won = (value, plies) => ({ value, plies, draw: null });
    const draw = (kind) => ({ value: "draw", plies: null, draw: kind });
    if (name === "wdl") {
      const code = (this.#bytes[offset + Math.floor(key / 4)] >> (2 * (key % 4))) & 3;
      return [draw("end"), won("win", null), won("loss", null), null][code];
    }
    const code = bits === 8 ? this.#bytes[offset + key] : this.#view.getUint16(offset + 2 * key, true);
    const half = 2 ** (bits - 1);
    if (code === 0) return draw("cycle");
    if (code < half - 1) return won("win", code - 1);
    if (code === half - 1) return draw("end");
    return code < 2 * half - 1 ? won("loss", code - half) : null;
  }

  /**
   * Value, distance in plies (`null` for draws and from tables without distances) and kind of draw.
   * @param {string | {mover: bigint, waiter: bigint}} position
   */
  probe(position) {
    position = this.#position(position);
    return this.#entry(position, this.#check(position));
  }

  /** The legal moves with the resulting positions. */
  #successors({ mover, waiter }) {
    const { pieces, movement, opening } = this.#header.rules;
    const own = cellsOf(mover), others = cellsOf(waiter), after = (set) => ({ mover: waiter, waiter: set });
    if (this.#hasLine(waiter)) return [];
    const empty = this.#shape.full & ~(mover | waiter), bit = (cell) => 1n << BigInt(cell);
    if (movement && own.length === pieces && others.length === pieces) {
      const moves = own.flatMap((from) => cellsOf(this.#neighbours[from] & empty).map((to) => (
        { move: `${this.#cell(from)}-${this.#cell(to)}`, position: after((mover & ~bit(from)) | bit(to)) })));
      return movement.stay ? [...moves, { move: "pass", position: after(mover) }] : moves;
    }
    if (pieces !== null && own.length >= pieces) return [];
    const ply = own.length + others.length;
    const held = opening && { first: ply < 1, "each-first": ply < 2, placing: true }[opening.during];
    const allowed = held ? empty & ~opening.forbidden : empty;
    return cellsOf(allowed).map((to) => ({ move: this.#cell(to), position: after(mover | bit(to)) }));
  }

  /**
   * All moves with their worth to the side that makes them, the best first; none where the game is over.
   * @param {string | {mover: bigint, waiter: bigint}} position
   */
  moves(position) {
    position = this.#position(position);
    this.#check(position);
    const ranked = this.#successors(position).map(({ move, position: after }) => (
      { move, ...before(this.#entry(after, this.#check(after))) }));
    return ranked.sort((a, b) => preference(b) - preference(a));
  }

  /** Every perfect move, in the order of cells. */
  best(position) {
    const moves = this.moves(position);
    return moves.filter((move) => preference(move) === preference(moves[0])).map(({ move }) => move);
  }

  /** `line`, `full` or `stuck` where the game is over, else `null`. */
  over(position) {
    position = this.#position(position);
    this.#check(position);
    if (this.#hasLine(position.waiter)) return "line";
    if (this.#successors(position).length > 0) return null;
    return this.#header.rules.movement ? "stuck" : "full";
  }

  /**
   * The position after a move, with the side to move.
   * @param {string} text a position
   * @param {string} move a legal move
   * @returns {string}
   */
  after(text, move) {
    const position = this.parse(text), wanted = String(move).trim().toLowerCase();
    const found = this.#successors(position).find((successor) => successor.move === wanted);
    if (!found) fail("move", `${JSON.stringify(move)} is no legal move here`);
    return this.format(found.position, position.side === "x" ? "o" : "x");
  }
}

const identityRange = (count) => [...Array(count).keys()];

/** Splits off a trailing x or o that names the side: a letter of its own after a full board. */
function splitSide(text, cells) {
  const side = text.at(-1)?.toLowerCase();
  const rest = text.slice(0, -1), board = rest.trimEnd();
  const full = [...board].filter((character) => "Xx1Oo2._-0".includes(character)).length >= cells;
  const apart = board.length < rest.length && (full || !/\s/.test(board));
  return (side === "x" || side === "o") && apart ? { board, side } : { board: text, side: null };
}
