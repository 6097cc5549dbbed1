// A table on a server, plain or packed. Answers are promises, and fetch only the parts of the file that they need: frames of a packed
// file, or blocks of a plain one. The parts used last are kept, and a part that is being fetched is not requested again.

import * as answers from "./answers.js";
import { FrameCache } from "./cache.js";
import { readCensus } from "./census.js";
import { fail, typeName } from "./error.js";
import { PREAMBLE, checkLength, endOf, headLength, readHead } from "./format.js";
import { Game } from "./game.js";
import { Frames, indexPart, isPacked, seekTableLength } from "./packed.js";
import { RangeFile } from "./range.js";

const CACHE = 8 << 20;
const BLOCK = 16 << 10;

/** The longest gap between two parts that is fetched with them, to save a request. */
const GAP = 16 << 10;

/** Limit of the bytes of neighbouring parts that are fetched at once. */
const FETCH = 8 << 20;

/** Number of bytes before the seek table of a large packed file that contain the sums and the census of a table of 5 GB. */
const CENSUS = 48 << 10;

/** The blocks of a plain file: frames that need no unpacking. */
class Blocks {
  constructor(size) {
    this.size = size;
  }

  frame(number) {
    const from = number * BLOCK, to = Math.min(from + BLOCK, this.size);
    return { number, from, to, start: from, length: to - from };
  }

  frameAt(offset) { return this.frame(Math.floor(offset / BLOCK)); }

  missing() { return []; }

  unpack(bytes) { return bytes; }
}

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
    const frames = await this.#covering(places);
    return places.map(({ at, length }) => {
      let number = 0;
      for (let offset = at + length - 1; offset >= at; offset--) {
        const { start, bytes } = frames.get(this.#frames.frameAt(offset).number);
        number = number * 256 + bytes[offset - start];
      }
      return number;
    });
  }

  /** The bytes from `from` up to `to`. */
  async read(from, to) {
    const found = new Uint8Array(to - from);
    for (const { start, bytes } of (await this.#covering([{ at: from, length: to - from }])).values()) {
      const first = Math.max(from - start, 0);
      found.set(bytes.subarray(first, to - start), start + first - from);
    }
    return found;
  }

  /** The frames that contain some places, by their numbers, with their offsets and bytes. */
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
    return new Map(frames.map(({ number, start }, i) => [number, { start, bytes: bytes[i] }]));
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

/** A table on a server. Answers that need entries are promises; answers from the rules alone are immediate. */
export class RemoteTable extends Game {
  #head;
  #source;

  /** Only `openRemote` calls this. */
  constructor(head, source) {
    super(head);
    this.#head = head;
    this.#source = source;
  }

  async #answer(ask, ...asked) {
    const answer = ask(this.#head, this, ...asked);
    let step = answer.next();
    while (!step.done) step = answer.next(await this.#source.numbers(step.value));
    return step.value;
  }

  /** As `Table.probe`. */
  probe(position) { return this.#answer(answers.probe, position); }

  /** As `Table.moves`. */
  moves(position) { return this.#answer(answers.moves, position); }

  /** As `Table.best`. */
  best(position) { return this.#answer(answers.best, position); }

  /** As `Table.line`. */
  line(position = this.start) { return this.#answer(answers.line, position); }

  /** As `Table.choose`. */
  choose(position, options) { return this.#answer(answers.choose, position, options); }

  /** As `Table.census`. */
  async census() {
    const { header, sums } = this.#head;
    return readCensus(header, await this.#source.read(header.census, sums));
  }

  /** As `Table.probeMany`. */
  probeMany(movers, waiters) { return this.#answer(answers.probeMany, movers, waiters); }
}

/**
 * Opens a table on a server that knows range requests, plain or packed, by two requests at once.
 * @param {string | URL} url
 * @param {{cache?: number, signal?: AbortSignal, fetch?: typeof fetch}} options `cache`: bytes of unpacked frames that are
 *   kept [default: 8 MiB]; `signal`: aborts all requests, also of the open table; `fetch`: replaces the global function
 * @returns {Promise<RemoteTable>}
 */
export async function openRemote(url, { cache = CACHE, signal, fetch = globalThis.fetch } = {}) {
  if (typeof url !== "string" && !(url instanceof URL)) fail("type", `url is ${typeName(url)}: use text or a URL`);
  const kept = new FrameCache(cache), file = await RangeFile.open(url, { signal, fetch });
  const frames = isPacked(file.head) ? await framesOf(file) : new Blocks(file.length);
  const source = new RemoteBytes(file, frames, kept);
  const head = readHead(await source.read(0, headLength(await source.read(0, Math.min(PREAMBLE, frames.size)))));
  const { census } = head.header;
  checkLength(head.header, frames.size);
  const [low, high] = await source.numbers([{ at: census, length: 4 }, { at: census + 4, length: 4 }]);
  const { sums, total } = endOf(head.header, low + high * 2 ** 32);
  if (frames.size !== total) fail("length", `${frames.size} bytes, expected ${total}`);
  return new RemoteTable({ ...head, sums }, source);
}

async function framesOf(file) {
  const length = seekTableLength(file.tail, file.length), part = indexPart(file.tail, file.length);
  if (length > file.tail.length) {
    const frames = part && await Frames.read(file.tail, file.length, await file.read(part.from, part.to));
    if (frames) return frames;
    // The census before the seek table is fetched too: opening asks for it next.
    await file.last(Math.min(length + CENSUS, file.length));
  }
  return Frames.read(file.tail, file.length);
}
