// A table whose bytes are in memory, plain or packed. It answers at once.

import { Answers } from "./answers.js";
import { readCensus } from "./census.js";
import { fail } from "./error.js";
import { numberOf, viewOf } from "./fields.js";
import { bytesOf, openTable, paddingOf, sumsOf } from "./format.js";
import { xxh3 } from "./xxh3.js";

/** The numbers at some places. They are visited in order, so that each frame of packed bytes is unpacked at most once. */
function numbersAt(source, places) {
  const numbers = new Array(places.length);
  for (const i of [...places.keys()].sort((a, b) => places[a].at - places[b].at)) {
    numbers[i] = numberOf(source.read(places[i].at, places[i].at + places[i].length));
  }
  return numbers;
}

/** Runs a generator of answers to its end. */
function run(source, answer) {
  let step = answer.next();
  while (!step.done) step = answer.next(numbersAt(source, step.value));
  return step.value;
}

/** An open table. */
export class Table extends Answers {
  #source;
  #head;

  /** Opens the bytes of a whole file, which is not packed, without a copy. Checks the header with its sum and the length, not the entries. */
  constructor(source) {
    // `open` passes a PackedBytes. It is not imported here, so that bundles of plain tables do without it.
    const isRead = typeof source?.read === "function", bytes = isRead ? null : bytesOf(source);
    const from = isRead ? source : { size: bytes.length, read: (from, to) => bytes.subarray(from, to) }, head = openTable(from);
    super(head, (answer) => run(from, answer));
    this.#source = from;
    this.#head = head;
  }

  /** Checks the sums of all bytes, which takes long for many megabytes. Throws if one is wrong, or if padding is not zero. */
  checkSums() {
    const { size } = this.#source;
    for (const { from, to, at } of sumsOf(this.#head.sums, size)) {
      if (xxh3(this.#source.read(from, to)) !== viewOf(this.#source.read(at, at + 8)).getBigUint64(0, true)) {
        fail("checksum", `checksum of bytes ${from} to ${to - 1}`);
      }
    }
    for (const { from, to } of paddingOf(this.#head)) {
      if (this.#source.read(from, to).some((byte) => byte)) fail("header", `header: padding at byte ${from} that is not zero`);
    }
  }

  /** The number of arrangements by layer, value and distance, as columns. */
  census() { return readCensus(this.#head, this.#source.read(this.#head.census, this.#head.sums)); }
}
