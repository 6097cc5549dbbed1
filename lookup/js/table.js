// A table in memory. Takes all its bytes, and answers at once.

import * as answers from "./answers.js";
import { fail } from "./error.js";
import { PREAMBLE, bytesOf, endOf, headLength, readHead, sumsOf, viewOf } from "./format.js";
import { Game } from "./game.js";
import { xxh3 } from "./xxh3.js";

/** An open table. */
export class Table extends Game {
  #bytes;
  #view;
  #head;
  #sums;

  /**
   * Opens a table: checks magic, version, lengths and the header with its sum, not the entries.
   * @param {ArrayBuffer | Uint8Array} source the whole file, not packed; not copied
   */
  constructor(source) {
    const bytes = bytesOf(source);
    const expect = (length) => {
      if (bytes.length < length) fail("length", `${bytes.length} bytes, expected ${length}`);
    };
    const start = headLength(bytes.subarray(0, PREAMBLE));
    expect(start);
    const head = readHead(bytes.subarray(0, start)), { census } = head.header;
    expect(census + 8);
    const view = viewOf(bytes);
    const { sums, total } = endOf(head.header, Number(view.getBigUint64(census, true)));
    if (bytes.length !== total) fail("length", `${bytes.length} bytes, expected ${total}`);
    super(head);
    this.#bytes = bytes;
    this.#view = view;
    this.#head = head;
    this.#sums = sums;
  }

  /** Checks the sums of all bytes; slow on tables of many megabytes. Throws where one is wrong. */
  checkSums() {
    for (const { from, to, at } of sumsOf(this.#sums, this.#bytes.length)) {
      if (xxh3(this.#bytes.subarray(from, to)) !== this.#view.getBigUint64(at, true)) fail("checksum", `checksum of bytes ${from} to ${to - 1}`);
    }
  }

  #answer(ask, ...asked) {
    return answers.now(ask(this.#head, this, ...asked), ({ at, length }) => {
      if (length === 1) return this.#bytes[at];
      return length === 2 ? this.#view.getUint16(at, true) : this.#view.getUint32(at, true);
    });
  }

  /**
   * Value, distance in plies (`null` for draws and from tables without distances) and kind of draw.
   * @param {string | {mover: bigint, waiter: bigint}} position
   */
  probe(position) { return this.#answer(answers.probe, position); }

  /**
   * All moves with their worth to the side that makes them, the best first; none where the game is over.
   * @param {string | {mover: bigint, waiter: bigint}} position
   */
  moves(position) { return this.#answer(answers.moves, position); }

  /** Every perfect move, in the order of cells. */
  best(position) { return this.#answer(answers.best, position); }

  /** The line of perfect play from a position on, the start of the game if none is given. */
  line(position = this.start) { return this.#answer(answers.line, position); }

  /**
   * A move for a fallible player: with probability `errors` one of the imperfect moves, if there are any, else a perfect one;
   * uniform within each. `null` where the game is over.
   * @param {{errors?: number, random?: () => number}} options
   */
  choose(position, options) { return this.#answer(answers.choose, position, options); }

  /**
   * The scores of many positions, as arrays: `value` 1, 0 or -1, `plies` or -1, `draw` 1 for one that ends, 2 for one by cycle.
   * @param {BigUint64Array} movers the cells of the side to move, bit c for cell c
   * @param {BigUint64Array} waiters those of the side waiting
   */
  probeMany(movers, waiters) { return this.#answer(answers.probeMany, movers, waiters); }
}
