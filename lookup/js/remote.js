// A table on a server, plain or packed. Answers are promises, and fetch only the parts of the file that they need: frames of a packed
// file, or blocks of a plain one. The parts used last are kept, and a part that is being fetched is not requested again.

import { FrameCache, joined } from "./cache.js";
import { fail, typeName } from "./error.js";
import { openTable } from "./format.js";
import { Game } from "./game.js";
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

  /** The bytes at some places. */
  async read(places) {
    const parts = await this.#covering(places);
    return places.map(({ at, length }) => joined(this.#frames, at, at + length, ({ number }) => parts.get(number)));
  }

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

/** Runs a generator that yields places to its end. */
async function run(steps, source) {
  let step = steps.next();
  while (!step.done) step = steps.next(await source.read(step.value));
  return step.value;
}

/** A table on a server. Answers that need entries are promises; answers from the rules alone are immediate. Only `openRemote` makes it. */
export class RemoteTable extends Game {
  constructor(head, source) { super(head, (answer) => run(answer, source)); }
}

/** Opens a table on a server that knows range requests, plain or packed. Packed ones need `framesOf`, and the end of the file at once. */
export async function openRemote(url, { cache = CACHE, signal, fetch = globalThis.fetch } = {}, framesOf = undefined) {
  if (typeof url !== "string" && !(url instanceof URL)) fail("type", `url is ${typeName(url)}: use text or a URL`);
  const kept = new FrameCache(cache), file = await RangeFile.open(url, { signal, fetch, tail: framesOf ? TAIL : 0 });
  const frames = await framesOf?.(file) ?? blocksOf(file.length), source = new RemoteBytes(file, frames, kept);
  return new RemoteTable(await run(openTable(frames.size), source), source);
}
