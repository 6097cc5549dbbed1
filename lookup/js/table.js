// A table whose bytes are in memory, plain or packed. It answers at once.

import * as answers from "./answers.js";
import { readCensus } from "./census.js";
import { fail } from "./error.js";
import { viewOf } from "./fields.js";
import { bytesOf, openTable, paddingOf, sumsOf } from "./format.js";
import { Game } from "./game.js";
import { xxh3 } from "./xxh3.js";

/** The bytes of a plain table. */
class PlainBytes {
  #bytes;
  #view;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  get size() { return this.#bytes.length; }

  read(from, to) { return this.#bytes.subarray(from, to); }

  /** The little-endian numbers at some places. */
  numbers(places) {
    return places.map(({ at, length }) => {
      if (length === 1) return this.#bytes[at];
      return length === 2 ? this.#view.getUint16(at, true) : this.#view.getUint32(at, true);
    });
  }
}

/** An open table. */
export class Table extends Game {
  #source;
  #head;

  /**
   * Opens a table: checks magic, version, lengths and the header with its sum, not the entries.
   * @param {ArrayBuffer | Uint8Array} source the whole file, not packed; not copied
   */
  constructor(source) {
    // `open` passes a PackedBytes. It is not imported here, so that bundles of plain tables do without it.
    const bytes = typeof source?.numbers === "function" ? source : new PlainBytes(bytesOf(source)), head = openTable(bytes);
    super(head);
    this.#source = bytes;
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
  census() {
    const { header, sums } = this.#head;
    return readCensus(header, this.#source.read(header.census, sums));
  }

  #answer(ask, ...asked) {
    const answer = ask(this.#head, this, ...asked);
    let step = answer.next();
    while (!step.done) step = answer.next(this.#source.numbers(step.value));
    return step.value;
  }

  /**
   * Value, distance in plies (`null` for draws and from tables without distances) and kind of draw.
   * @param {string | {mover: bigint, waiter: bigint}} position
   */
  probe(position) { return this.#answer(answers.probe, position); }

  /**
   * All moves with their values for the side that makes them, the best first; none if the game is over.
   * @param {string | {mover: bigint, waiter: bigint}} position
   */
  moves(position) { return this.#answer(answers.moves, position); }

  /** Every perfect move, in the order of cells. */
  best(position) { return this.#answer(answers.best, position); }

  /** The line of perfect play from a position [default: the start of the game]. */
  line(position = this.start) { return this.#answer(answers.line, position); }

  /**
   * A move of a fallible player: with probability `errors` an imperfect move, if there is any, else a perfect one. Both are chosen
   * uniformly. `null` if the game is over.
   * @param {{errors?: number, random?: () => number}} options
   */
  choose(position, options) { return this.#answer(answers.choose, position, options); }

  /**
   * The scores of many positions, as arrays: `value` 1, 0 or -1, `plies` or -1, `draw` 1 for a draw that ends, 2 for a draw by cycle,
   * `error` 0 or a key of `errorKinds`.
   * @param {BigUint64Array} movers the words of the side to move, bit c for cell c
   * @param {BigUint64Array} waiters the words of the side waiting
   */
  probeMany(movers, waiters) { return this.#answer(answers.probeMany, movers, waiters); }
}
