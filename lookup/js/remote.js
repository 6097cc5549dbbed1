// A table on a server, plain or packed. Answers are promises, and fetch only the parts of the file that they need: frames of a packed
// file, or blocks of a plain one. The parts used last are kept, and a part that is being fetched is not requested again.

import { Answers } from "./answers.js";
import { FrameCache, joined } from "./cache.js";
import { readCensus } from "./census.js";
import { fail, typeName } from "./error.js";
import { numberOf } from "./fields.js";
import { PREAMBLE, checkLength, endOf, headLength, readHead } from "./format.js";
import { RangeFile, TAIL } from "./range.js";

const CACHE = 8 << 20;
const BLOCK = 4 << 10;

/** The longest gap between two parts that is fetched with them, to save a request. */
const GAP = 16 << 10;

/** Limit of the bytes of neighbouring parts that are fetched at once. */
const FETCH = 8 << 20;

/** The blocks of a plain file of `size` bytes: frames that need no unpacking. */
const blocksOf = (size) => ({
  size,
  frameAt(offset) {
    const number = Math.floor(offset / BLOCK), from = number * BLOCK, to = Math.min(from + BLOCK, size);
    return { number, from, to, start: from, length: to - from };
  },
  missing: () => [],
  unpack: (bytes) => bytes,
});

/** The bytes of a table on a server, by the frames of its file. */
class RemoteBytes {
  #file;
  #frames;
  #cache;
  #pending = new Map();

  constructor(file, frames, cache) {
    this.#file = file;
    this.#frames = frames;
    this.#cache = cache;
  }

  /** The little-endian numbers at some places. */
  async numbers(places) {
    const parts = await this.#covering(places);
    return places.map(({ at, length }) => numberOf(this.#join(parts, at, at + length)));
  }

  /** The bytes from `from` up to `to`. */
  async read(from, to) { return this.#join(await this.#covering([{ at: from, length: to - from }]), from, to); }

  #join(parts, from, to) { return joined(this.#frames, from, to, ({ number }) => parts.get(number)); }

  /** The bytes of the frames that contain some places, by their numbers. */
  async #covering(places) {
    const { size } = this.#frames, needed = new Map();
    for (const { at, length } of places) if (at + length > size) fail("length", `${size} bytes, expected ${at + length}`);
    await this.#all(this.#frames.missing(places));
    for (const { at, length } of places) {
      for (let offset = at; offset < at + length;) {
        const frame = this.#frames.frameAt(offset);
        needed.set(frame.number, frame);
        offset = frame.start + frame.length;
      }
    }
    const frames = [...needed.values()].sort((a, b) => a.number - b.number), bytes = await this.#all(frames);
    return new Map(frames.map(({ number }, i) => [number, bytes[i]]));
  }

  /** The bytes of frames in ascending order: kept, being fetched, or requested now. */
  async #all(frames) {
    const missing = frames.filter(({ number }) => !this.#cache.has(number) && !this.#pending.has(number));
    const runs = [];
    for (const frame of missing) {
      const run = runs.at(-1), isNear = run && frame.from - run.at(-1).to <= GAP;
      if (isNear && frame.to - run[0].from <= FETCH) run.push(frame);
      else runs.push([frame]);
    }
    for (const run of runs) this.#fetch(run);
    return Promise.all(frames.map(({ number }) => this.#pending.get(number) ?? this.#cache.get(number)));
  }

  /** Requests neighbouring frames at once. If that fails, they are requested again when they are needed again. */
  #fetch(run) {
    const first = run[0].from, all = this.#file.read(first, run.at(-1).to);
    for (const frame of run) {
      const pending = all.then((bytes) => {
        const unpacked = this.#frames.unpack(bytes.subarray(frame.from - first, frame.to - first), frame);
        this.#cache.set(frame.number, unpacked);
        return unpacked;
      }).finally(() => this.#pending.delete(frame.number));
      this.#pending.set(frame.number, pending);
    }
  }
}

/** Runs a generator of answers to its end. */
async function run(source, answer) {
  let step = answer.next();
  while (!step.done) step = answer.next(await source.numbers(step.value));
  return step.value;
}

/** A table on a server. Answers that need entries are promises; answers from the rules alone are immediate. */
export class RemoteTable extends Answers {
  #head;
  #source;

  /** Only `openRemote` calls this. */
  constructor(head, source) {
    super(head, (answer) => run(source, answer));
    this.#head = head;
    this.#source = source;
  }

  /** As `Table.census`. */
  async census() { return readCensus(this.#head, await this.#source.read(this.#head.census, this.#head.sums)); }
}

/** Opens a table on a server that knows range requests, plain or packed. Packed ones need `framesOf`, and the end of the file at once. */
export async function openRemote(url, { cache = CACHE, signal, fetch = globalThis.fetch } = {}, framesOf = undefined) {
  if (typeof url !== "string" && !(url instanceof URL)) fail("type", `url is ${typeName(url)}: use text or a URL`);
  const kept = new FrameCache(cache), file = await RangeFile.open(url, { signal, fetch, tail: framesOf ? TAIL : 0 });
  const frames = await framesOf?.(file) ?? blocksOf(file.length);
  const source = new RemoteBytes(file, frames, kept);
  const head = readHead(await source.read(0, headLength(await source.read(0, Math.min(PREAMBLE, frames.size)))));
  checkLength(head, frames.size);
  const length = await source.read(head.census, head.census + 8), { sums, total } = endOf(head, numberOf(length));
  return frames.size === total ? new RemoteTable({ ...head, sums }, source) : fail("length", `${frames.size} bytes, expected ${total}`);
}
