// A table on a server, plain or packed. Answers are promises, and fetch only the parts of the file that they need: frames of a packed
// file, or blocks of a plain one. The parts used last are kept, and a part that is being fetched is not requested again.

import { fail, optionsOf, shown } from "./error.js";
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
  *covering({ at, length }) {
    for (let start = at - (at % BLOCK); start < at + length; start += BLOCK) {
      const to = Math.min(start + BLOCK, size);
      yield { number: start / BLOCK, from: start, to, start, length: to - start };
    }
  },
  missing: () => [],
  unpack: (bytes) => bytes,
});

/** A copy of the bytes at a place, which are in some frames; `unpacked` returns the bytes of a frame. */
export function joined({ at, length }, frames, unpacked) {
  const found = new Uint8Array(length);
  for (const frame of frames) {
    const from = Math.max(at, frame.start);
    found.set(unpacked(frame).subarray(from - frame.start, at + length - frame.start), from - at);
  }
  return found;
}

/** The bytes of a table on a server, by the frames of its file. */
class RemoteBytes {
  #file;
  #frames;
  /** Limit of the bytes of frames that are kept. */
  #capacity;
  /** Frames by their numbers: promises of their bytes, and their lengths, 0 until they are fetched. From the frame not used for longest to the one used last. */
  #kept = new Map();

  constructor(file, frames, capacity) {
    this.#file = file;
    this.#frames = frames;
    this.#capacity = capacity;
  }

  /** The bytes at some places. */
  async read(places) {
    await this.#all(this.#frames.missing(places));
    const covering = places.map((place) => [...this.#frames.covering(place)]);
    const needed = new Map(covering.flat().map((frame) => [frame.number, frame]));
    const frames = [...needed.values()].sort((a, b) => a.number - b.number), all = await this.#all(frames);
    this.#evict();
    const parts = new Map(frames.map(({ number }, i) => [number, all[i]]));
    return places.map((place, i) => joined(place, covering[i], ({ number }) => parts.get(number)));
  }

  /** The bytes of frames in ascending order: kept, being fetched, or requested now. */
  #all(frames) {
    const runs = [];
    for (const frame of frames.filter(({ number }) => !this.#kept.has(number))) {
      const run = runs.at(-1), isNear = run && frame.from - run.at(-1).to <= GAP;
      if (isNear && frame.to - run[0].from <= FETCH) run.push(frame);
      else runs.push([frame]);
    }
    for (const run of runs) this.#fetch(run);
    const used = frames.map(({ number }) => [number, this.#kept.get(number)]);
    for (const [number] of used) this.#kept.delete(number);
    for (const [number, frame] of used) this.#kept.set(number, frame);
    return Promise.all(used.map(([, { bytes }]) => bytes));
  }

  /** Requests neighbouring frames at once. If that fails, they are requested again when they are needed again. */
  #fetch(run) {
    const first = run[0].from, all = this.#file.read(first, run.at(-1).to);
    for (const frame of run) {
      const kept = { length: 0, bytes: all.then((part) => this.#frames.unpack(part.subarray(frame.from - first, frame.to - first), frame)) };
      kept.bytes.then(({ length }) => { kept.length = length; }, () => this.#kept.delete(frame.number));
      this.#kept.set(frame.number, kept);
    }
  }

  /** Evicts the frames not used for longest if all exceed the capacity, but never the last one, nor frames that are being fetched. */
  #evict() {
    let bytes = 0;
    for (const [number, { length }] of [...this.#kept].reverse()) {
      bytes += length;
      if (length > 0 && bytes > Math.max(length, this.#capacity)) this.#kept.delete(number);
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
export async function openRemote(url, options, framesOf = undefined) {
  const { cache = CACHE, signal, fetch = globalThis.fetch } = optionsOf("options", options);
  if (typeof url !== "string" && !(url instanceof URL)) fail("type", `url is ${shown(url)}: use text or a URL`);
  if (typeof cache !== "number" || !(cache >= 0)) fail("type", `cache is ${shown(cache)}: use a number of bytes`);
  if (typeof fetch !== "function") fail("type", `fetch is ${shown(fetch)}: use a function`);
  const file = await RangeFile.open(url, { signal, fetch, tail: framesOf ? TAIL : 0 });
  const frames = await framesOf?.(file) ?? blocksOf(file.length), source = new RemoteBytes(file, frames, cache);
  return new RemoteTable(await run(openTable(frames.size), source), source);
}
