// Packed tables: the bytes of a table in independent frames of Zstandard, with a seek table at the end and an index of it (tables/FORMAT.md,
// "Packed tables"). Finds the frames that contain a part of the table, and unpacks them by the decoder
// of `decoder.js`, which checks each against its length and its checksum.

import { allocated, fail } from "./error.js";
import { viewOf } from "./fields.js";
import { openTable } from "./format.js";
import { joined } from "./remote.js";
import { range } from "./sets.js";
import { run } from "./table.js";
import { xxh3 } from "./xxh3.js";

const FRAME_MAGIC = 0xfd2fb528, SKIPPABLE = 0x184d2a5e, INDEX = 0x184d2a5d, SEEK_MAGIC = 0x8f92eab1;
const HEADER = 8, FOOTER = 9;

/** Number of frames in a group, and the most frames of a file without an index. */
const GROUP = 256, FEW = 1 << 15;

/** Limit of the unpacked bytes of a frame, and so of the memory that a damaged file makes a reader allocate at once. */
const MAX_FRAME = 8 << 20;

/** Limit of frames: more than any table needs, and few enough to fetch the seek table. */
const MAX_FRAMES = 1 << 21;

/** Limit of the packed bytes of a frame that unpacks to `length` bytes. */
const packedLimit = (length) => length + (length >> 8) + 64;

/** Returns true if bytes begin like a packed table. */
export const isPacked = (bytes) => bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === FRAME_MAGIC;

/** Reads the last nine bytes: number of frames, bytes of an entry, and lengths of the seek table and of the index before it. */
function footerOf({ tail, length: fileLength }) {
  if (tail.length < FOOTER) fail("packed", `${tail.length} bytes are too few for a seek table: the file is cut short`);
  const footer = viewOf(tail.subarray(-FOOTER)), magic = footer.getUint32(5, true), flags = footer.getUint8(4);
  if (magic !== SEEK_MAGIC) fail("packed", `the file does not end with a seek table (${magic.toString(16)} instead of ${SEEK_MAGIC.toString(16)}): it is cut short, or was not written by morpion pack`);
  if (flags & 0x7f) fail("packed", `flags ${flags} of the seek table, expected 0 or 128`);
  const count = footer.getUint32(0, true);
  if (count > MAX_FRAMES) fail("packed", `${count} frames, expected at most ${MAX_FRAMES}`);
  const step = flags ? 12 : 8, length = HEADER + count * step + FOOTER, index = count > FEW ? HEADER + 16 * Math.ceil(count / GROUP) + 8 : 0;
  if (length > fileLength) fail("packed", `a seek table of ${length} bytes in a file of ${fileLength}`);
  return { count, step, length, index: fileLength - length > index ? index : 0 };
}

/** The ends of the groups in an index, one number after the other; `null` if the bytes are not an index. */
function readIndex(bytes) {
  const view = viewOf(bytes), end = bytes.length - 8;
  if (end < HEADER || view.getUint32(0, true) !== INDEX || view.getUint32(4, true) !== bytes.length - HEADER) return null;
  if (xxh3(bytes.subarray(0, end)) !== view.getBigUint64(end, true)) fail("packed", "the sum of the index before the seek table is wrong");
  return Array.from({ length: (end - HEADER) / 8 }, (_, i) => Number(view.getBigUint64(HEADER + 8 * i, true)));
}

/**
 * The frames of a packed file. A frame has a `number`, `from` and `to` in the packed file, `start` and `length` in the table. With only
 * the index of a seek table, its groups are read when they are needed. They are like frames, and their numbers follow the last frame's.
 */
class Frames {
  #count;
  /** Ends of the groups in the packed file and in the table, each preceded by 0. */
  #ends;
  /** The entries of each group that was read. */
  #groups = [];
  #decoder;
  /** Offset of the entries in the file, and bytes of one. */
  #entries;
  #step;

  /**
   * Reads the seek table of a file, `{ length, tail, read(from, to) }`, from its last bytes. If they do not contain all of it, reads only
   * the index and the first group, or all of it if the file lacks an index. Loads the decoder.
   */
  static async read(file) {
    const frames = new Frames(), { count, step, length, index } = footerOf(file), at = file.length - length;
    const part = index > 0 ? await file.read(at - index, at + HEADER + GROUP * step) : null, ends = part && readIndex(part.subarray(0, index));
    const isInParts = ends !== null && file.tail.length < length, expected = at - (ends ? index : 0);
    const seekTable = isInParts ? part.subarray(index) : (await file.read(at, file.length)).subarray(0, -FOOTER);
    if (viewOf(seekTable).getUint32(0, true) !== SKIPPABLE || viewOf(seekTable).getUint32(4, true) !== length - HEADER) fail("packed", "the beginning of the seek table is wrong");
    [frames.#count, frames.#entries, frames.#step] = [count, at + HEADER, step];
    frames.#ends = [0, 1].map((which) => [0, ...(ends ?? []).filter((_, i) => i % 2 === which)]);
    for (let group = 0, entries = HEADER; entries < seekTable.length; group++, entries += GROUP * step) frames.#add(group, seekTable.subarray(entries, entries + GROUP * step));
    const found = frames.#ends[0].at(-1);
    if (found !== expected) fail("packed", `frames of ${found} bytes in the seek table, ${expected} bytes of frames in the file`);
    frames.#decoder = await (decoder ??= compiled());
    return frames;
  }

  /** Keeps the entries of a group. Checks them, and their ends against the index. */
  #add(group, entries) {
    const view = viewOf(entries);
    let sums = [];
    for (const { number, from, to, start, length } of this.#framesOf(group, view)) {
      const packed = to - from, most = packedLimit(length);
      if (packed === 0 || length === 0 || length > MAX_FRAME) fail("packed", `frame ${number} of ${packed} bytes that unpack to ${length}, expected 1 to ${MAX_FRAME}`);
      if (packed > most) fail("packed", `frame ${number} of ${packed} bytes that unpack to ${length}, expected at most ${most}`);
      sums = [to, start + length];
    }
    sums.forEach((end, i) => {
      const known = this.#ends[i][group + 1] ??= end;
      if (end !== known) fail("packed", `group ${group} of frames ends at ${end} in the seek table, but at ${known} in its index`);
    });
    this.#groups[group] = view;
  }

  /** The frames of a group, by its entries. */
  *#framesOf(group, view) {
    let [from, start] = this.#ends.map((ends) => ends[group]);
    for (let at = 0, number = group * GROUP; at < view.byteLength; at += this.#step, number++) {
      const to = from + view.getUint32(at, true), length = view.getUint32(at + 4, true);
      yield { number, from, to, start, length };
      from = to;
      start += length;
    }
  }

  /** Length of the unpacked table. */
  get size() { return this.#ends[1].at(-1); }

  /** The groups that must be read to find the frames of some places, in ascending order. */
  missing(places) {
    const missing = new Set(places.flatMap((place) => this.#groupsOf(place)).filter((group) => !this.#groups[group]));
    const offset = (group) => this.#entries + Math.min(group * GROUP, this.#count) * this.#step;
    return [...missing].sort((a, b) => a - b).map((group) => ({ number: this.#count + group, from: offset(group), to: offset(group + 1) }));
  }

  /** The groups of the frames that contain the bytes at a place. */
  #groupsOf({ at, length }) {
    const [first, last] = [at, at + length - 1].map((offset) => this.#ends[1].findLastIndex((end) => end <= offset));
    return range(last + 1 - first).map((i) => first + i);
  }

  /** The frames that contain the bytes at a place of the table. Their groups must have been read. */
  *covering({ at, length }) {
    for (const group of this.#groupsOf({ at, length })) {
      for (const frame of this.#framesOf(group, this.#groups[group])) {
        if (frame.start >= at + length) return;
        if (frame.start + frame.length > at) yield frame;
      }
    }
  }

  /** Unpacks the bytes of a frame, or reads a group, which unpacks to nothing. */
  unpack(bytes, { number, length }) {
    if (number >= this.#count) {
      this.#add(number - this.#count, bytes);
      return bytes.subarray(0, 0);
    }
    try {
      return this.#decoder(bytes, length);
    } catch (error) {
      return fail("packed", `frame ${number}: ${error.message}`, error);
    }
  }
}

/** A function that unpacks a frame, given the length to which it must unpack. It throws if anything is wrong with the frame. */
let decoder;

/** Compiles the decoder, which only packed files need, at its first use. */
async function compiled() {
  try {
    const { MODULE } = await import("./decoder.js"), bytes = Uint8Array.from(atob(MODULE), (c) => c.charCodeAt(0));
    const module = await WebAssembly.compile(bytes);
    let instance = null;
    return (packed, length) => {
      const { memory, input, unpack, fault, fault_length } = (instance ??= new WebAssembly.Instance(module)).exports;
      try {
        const at = input(packed.length);
        new Uint8Array(memory.buffer, at, packed.length).set(packed);
        const unpacked = unpack(length);
        if (unpacked !== 0) return new Uint8Array(memory.buffer, unpacked, length).slice();
        throw new Error(String.fromCharCode(...new Uint8Array(memory.buffer, fault(), fault_length())));
      } catch (error) {
        // After a trap, as without memory, the next frame gets memory of its own.
        if (error instanceof WebAssembly.RuntimeError) instance = null;
        throw error;
      }
    };
  } catch (error) {
    return fail("decoder", "a packed table needs WebAssembly: allow it, as by 'wasm-unsafe-eval' in a Content-Security-Policy", error);
  }
}

/** The frames of a `RangeFile`; `null` if it is not packed. */
export const framesOf = (file) => (isPacked(file.head) ? Frames.read(file) : null);

/** The bytes of the table in a packed file. One that unpacks to more or less than its header allows is refused before that. */
export async function unpacked(bytes) {
  const frames = await Frames.read({ length: bytes.length, tail: bytes, read: (from, to) => bytes.subarray(from, to) }), { size } = frames;
  const unpack = (frame) => frames.unpack(bytes.subarray(frame.from, frame.to), frame);
  run(openTable(size), (place) => joined(place, frames.covering(place), unpack));
  const table = allocated(() => new Uint8Array(size), `${size} bytes of an unpacked table`);
  for (const frame of frames.covering({ at: 0, length: size })) table.set(unpack(frame), frame.start);
  return table;
}
