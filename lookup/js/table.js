// A table whose bytes are in memory, plain or packed. It answers at once.

import { Answers } from "./answers.js";
import { readCensus } from "./census.js";
import { fail } from "./error.js";
import { numberOf, viewOf } from "./fields.js";
import { bytesOf, openTable, paddingOf, sumsOf } from "./format.js";
import { xxh3 } from "./xxh3.js";

/** Runs a generator of answers to its end. */
function run(bytes, answer) {
  let step = answer.next();
  while (!step.done) step = answer.next(step.value.map(({ at, length }) => numberOf(bytes.subarray(at, at + length))));
  return step.value;
}

/** An open table. */
export class Table extends Answers {
  #bytes;
  #head;

  constructor(source) {
    const bytes = bytesOf(source), head = openTable({ size: bytes.length, read: (from, to) => bytes.subarray(from, to) });
    super(head, (answer) => run(bytes, answer));
    this.#bytes = bytes;
    this.#head = head;
  }

  checkSums() {
    const bytes = this.#bytes;
    for (const { from, to, at } of sumsOf(this.#head.sums, bytes.length)) {
      if (xxh3(bytes.subarray(from, to)) !== viewOf(bytes).getBigUint64(at, true)) fail("checksum", `checksum of bytes ${from} to ${to - 1}`);
    }
    for (const { from, to } of paddingOf(this.#head)) {
      if (bytes.subarray(from, to).some((byte) => byte)) fail("header", `header: padding at byte ${from} that is not zero`);
    }
  }

  census() { return readCensus(this.#head, this.#bytes.subarray(this.#head.census, this.#head.sums)); }
}
