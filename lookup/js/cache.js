// Unpacked frames of a file, the ones used last, up to a number of bytes.

import { fail, typeName } from "./error.js";

/** Unpacked frames by their numbers. If they exceed the capacity, those not used for longest are evicted, never the last one. */
export class FrameCache {
  #capacity;
  #bytes = 0;
  /** From the frame not used for longest to the one used last. */
  #kept = new Map();

  constructor(capacity) {
    if (typeof capacity !== "number" || !(capacity >= 0)) fail("type", `cache is ${typeof capacity === "number" ? capacity : typeName(capacity)}: use a number of bytes`);
    this.#capacity = capacity;
  }

  has(number) { return this.#kept.has(number); }

  /** The bytes of a frame, which counts as used now; `undefined` if it is not kept. */
  get(number) {
    const bytes = this.#kept.get(number);
    if (bytes) {
      this.#kept.delete(number);
      this.#kept.set(number, bytes);
    }
    return bytes;
  }

  set(number, bytes) {
    this.#kept.set(number, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#capacity || oldest === number) return;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
  }
}

/** A copy of the bytes from `from` up to `to`, which are in frames; `unpacked` returns the bytes of one. */
export function joined(frames, from, to, unpacked) {
  const found = new Uint8Array(to - from);
  for (let at = from; at < to;) {
    const frame = frames.frameAt(at), part = unpacked(frame).subarray(at - frame.start, to - frame.start);
    found.set(part, at - from);
    at += part.length;
  }
  return found;
}
