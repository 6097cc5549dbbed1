// The positions that play can reach, layer by layer. Keeps two bits for each arrangement of pieces in the present layer and in the
// next one, so that games of many positions need little memory.

import { fail } from "./error.js";
import { Position } from "./position.js";
import { BINOMIALS, cellsOf, rankAmongOthers, range, rankOf, setOf, unrank } from "./sets.js";

/** Every position that play can reach, each once, in the order of layers and then of arrangements. Takes the header of a table. */
export function* reachable(game, { layers, graph }) {
  const start = game.position(), sets = new Map();
  const at = (index) => sets.get(index) ?? sets.set(index, new Layer(layers[index], game.cells)).get(index);
  at(0).insert(start, start.side);
  for (const [index, { next }] of graph.layers.entries()) {
    const present = at(index);
    follow(game, present, next === null ? null : at(next));
    sets.delete(index);
    for (const number of present.numbers()) yield present.position(game, number);
  }
}

/** Makes all moves of the present layer into the next one, or wave by wave if that is the same layer. */
function follow(game, present, next) {
  for (let wave = present.numbers(); wave; ) {
    const found = [];
    for (const number of wave) {
      const before = present.position(game, number), side = before.side === "x" ? "o" : "x";
      for (const { position } of game.successors(before)) {
        if (next.insert(position, side) && next === present) found.push(present.numberOf(position));
      }
    }
    wave = found.length > 0 ? found : null;
  }
}

/** The positions of one layer that were reached, by the numbers of their arrangements. */
class Layer {
  #sizes;
  #columns;
  #cells;
  #reached;
  /** The reached positions in which O was to move when play first came there. */
  #ofO;

  constructor({ mover, waiter, columns }, cells) {
    const arrangements = BINOMIALS[cells][mover] * columns;
    this.#sizes = { mover, waiter };
    this.#columns = columns;
    this.#cells = cells;
    try {
      [this.#reached, this.#ofO] = [0, 0].map(() => new Uint32Array(Math.ceil(arrangements / 32)));
    } catch (error) {
      fail("memory", `${arrangements} arrangements in a layer need two bits each, more than there is memory for`, error);
    }
  }

  numberOf({ mover, waiter }) {
    const taken = cellsOf(mover);
    return rankOf(taken) * this.#columns + rankAmongOthers(cellsOf(waiter), taken);
  }

  /** Adds a position. Returns true if it is new. */
  insert(position, side) {
    const number = this.numberOf(position), word = Math.floor(number / 32), bit = 1 << number % 32;
    if (this.#reached[word] & bit) return false;
    this.#reached[word] |= bit;
    if (side === "o") this.#ofO[word] |= bit;
    return true;
  }

  /** The numbers of all positions that were reached before this call, ascending. */
  *numbers() {
    const reached = this.#reached.slice();
    for (let word = 0; word < reached.length; word++) {
      for (let bits = reached[word]; bits !== 0; bits &= bits - 1) yield 32 * word + 31 - Math.clz32(bits & -bits);
    }
  }

  position(game, number) {
    const mover = unrank(Math.floor(number / this.#columns), this.#sizes.mover);
    const others = range(this.#cells).filter((cell) => !mover.includes(cell));
    const waiter = unrank(number % this.#columns, this.#sizes.waiter).map((index) => others[index]);
    const isOfO = (this.#ofO[Math.floor(number / 32)] >>> number % 32) & 1;
    return new Position(game, { mover: setOf(mover), waiter: setOf(waiter) }, isOfO ? "o" : "x");
  }
}
