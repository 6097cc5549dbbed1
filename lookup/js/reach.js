// The positions that play can reach, layer by layer. Keeps two bits for each arrangement of pieces in the present layers and in those
// that follow, so that games of many positions need little memory.

import { fail } from "./error.js";
import { layerIndex } from "./graph.js";
import { CELLS, orderOf, withAbove } from "./order.js";
import { Position, other } from "./position.js";
import { BINOMIALS, cellsOf, rankAmongOthers, range, rankOf, setOf, unrank } from "./sets.js";

/** Every position that play can reach, each once, in the order of layers and then of arrangements. Takes the header of a table. */
export function* reachable(game, { layers, graph }) {
  const start = game.position(), sets = new Map();
  const at = (index) => sets.get(index) ?? sets.set(index, new Layer(graph.layers[index], layers[index].columns, game.cells)).get(index);
  at(0).insert(start, start.side);
  for (let index = 0; index < layers.length; ) {
    const group = groupAt(graph, index), reached = () => group.filter((layer) => sets.has(layer));
    follow(game, graph, group, at, reached());
    for (const layer of reached()) {
      for (const number of at(layer).numbers()) yield at(layer).position(game, number);
      sets.delete(layer);
    }
    index += group.length;
  }
}

/** The layers that lead to each other: a layer, and the next one if it has the same pieces on the other side. */
function groupAt({ layers }, index) {
  const [a, b] = [layers[index], layers[index + 1]];
  const isOther = b && a.mover === b.waiter && a.waiter === b.mover && a.hands.mover === b.hands.waiter && a.hands.waiter === b.hands.mover;
  return isOther ? [index, index + 1] : [index];
}

/** Makes all moves from the layers of a group, wave by wave as long as they stay in the group. */
function follow(game, graph, group, at, reached) {
  for (let wave = reached.map((layer) => [layer, at(layer).numbers()]); wave.length > 0; ) {
    const found = new Map();
    for (const [layer, numbers] of wave) {
      for (const number of numbers) {
        const before = at(layer).position(game, number), side = other(before.side);
        for (const { position } of game.successors(before)) {
          const next = graph.isPlain ? graph.layers[layer].next : layerIndex(graph, position), after = at(next);
          if (!after.insert(position, side) || !group.includes(next)) continue;
          const number = after.numberOf(position);
          if (found.has(next)) found.get(next).push(number);
          else found.set(next, [number]);
        }
      }
    }
    wave = [...found];
  }
}

/** The positions of one layer that were reached, by the numbers of their arrangements. */
class Layer {
  #layer;
  #columns;
  #cells;
  #reached;
  /** The reached positions in which O was to move when play first came there. */
  #ofO;

  constructor(layer, columns, cells) {
    const arrangements = BINOMIALS[cells][layer.mover] * layer.orders[0] * columns;
    this.#layer = layer;
    this.#columns = columns;
    this.#cells = cells;
    try {
      [this.#reached, this.#ofO] = [0, 0].map(() => new Uint32Array(Math.ceil(arrangements / 32)));
    } catch (error) {
      fail("memory", `${arrangements} arrangements in a layer need two bits each, more than there is memory for`, error);
    }
  }

  numberOf({ mover, waiter }) {
    const taken = cellsOf(mover & CELLS), [rowOrders, columnOrders] = this.#layer.orders;
    const row = rankOf(taken) * rowOrders + orderOf(mover), column = rankAmongOthers(cellsOf(waiter & CELLS), taken) * columnOrders;
    return row * this.#columns + column + orderOf(waiter);
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
    const { mover, waiter, above, orders: [rowOrders, columnOrders] } = this.#layer;
    const [row, column] = [Math.floor(number / this.#columns), number % this.#columns];
    const taken = unrank(Math.floor(row / rowOrders), mover);
    const others = range(this.#cells).filter((cell) => !taken.includes(cell));
    const cells = unrank(Math.floor(column / columnOrders), waiter).map((index) => others[index]);
    const isOfO = (this.#ofO[Math.floor(number / 32)] >>> number % 32) & 1;
    const words = {
      mover: withAbove(setOf(taken), above.mover, row % rowOrders),
      waiter: withAbove(setOf(cells), above.waiter, column % columnOrders),
    };
    return new Position(game, words, isOfO ? "o" : "x");
  }
}
