// A table whose bytes are in memory, plain or packed. It answers at once.

import { bytesOf, checkSums, openTable } from "./format.js";
import { Game } from "./game.js";

/** Runs a generator that yields places to its end, with the bytes that `read` returns. */
export function run(steps, read) {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value.map(read));
  return step.value;
}

/** An open table. */
export class Table extends Game {
  #bytes;
  #head;

  constructor(source) {
    const bytes = bytesOf(source), read = ({ at, length }) => bytes.subarray(at, at + length), head = run(openTable(bytes.length), read);
    super(head, (answer) => run(answer, read));
    this.#bytes = bytes;
    this.#head = head;
  }

  checkSums() { checkSums(this.#head, this.#bytes); }
}
