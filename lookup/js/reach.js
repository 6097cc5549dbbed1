// The positions that play can reach, layer by layer. Keeps two bits for each arrangement of pieces in the present layers and in those
// that follow, so that games of many positions need little memory.

import { allocated } from "./error.js";
import { layerIndex } from "./graph.js";
import { CELLS, orderOf, withAbove } from "./order.js";
import { Position, other } from "./position.js";
import { BINOMIALS, cellsOf, rankAmongOthers, range, rankOf, setOf, unrank } from "./sets.js";

/** Every position that play can reach, each once, in the order of layers and then of arrangements. `graph` is the game as data. */
export function* reachable(game, graph) {
  const start = game.position(), sides = [start.side, other(start.side)], sets = graph.layers.map(() => ({}));
  const at = (layer, side) => (sets[layer][side] ??= new Reached(side, graph.layers[layer], game.cells));
  at(layerIndex(graph, start), start.side).insert(start);
  for (let index = 0; index < graph.layers.length; ) {
    const group = groupAt(graph, index), reached = (layer) => sides.map((side) => sets[layer][side]).filter(Boolean);
    follow(game, graph, group, at, group.flatMap(reached));
    for (const layer of group) {
      const found = reached(layer);
      for (const set of found) for (const number of set.numbers(set === found[0] ? null : found[0])) yield set.position(game, number);
      sets[layer] = {};
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

/** Makes all moves from the sets of a group, then from the positions of the group that are new, until none is. */
function follow(game, graph, group, at, reached) {
  for (let wave = new Map(reached.map((set) => [set, set.numbers()])); wave.size > 0; ) {
    const found = new Map();
    for (const [set, numbers] of wave) for (const number of numbers) for (const { position } of game.successors(set.position(game, number))) {
      const next = layerIndex(graph, position), after = at(next, other(set.side)), added = after.insert(position);
      if (added === null || !group.includes(next)) continue;
      if (!found.has(after)) found.set(after, []);
      found.get(after).push(added);
    }
    wave = found;
  }
}

/** The positions of one layer that were reached with one side to move, by the numbers of their arrangements. */
class Reached {
  constructor(side, pieces, cells) {
    const columns = BINOMIALS[cells - pieces.mover][pieces.waiter] * pieces.orders[1];
    const arrangements = BINOMIALS[cells][pieces.mover] * pieces.orders[0] * columns;
    const bits = allocated(() => new Uint32Array(Math.ceil(arrangements / 32)), `a bit for each of ${arrangements} arrangements in a layer`);
    Object.assign(this, { side, pieces, columns, cells, bits });
  }

  /** Adds a position. Returns its number if it is new, and null otherwise. */
  insert({ mover, waiter }) {
    const taken = cellsOf(mover & CELLS), [rowOrders, columnOrders] = this.pieces.orders;
    const row = rankOf(taken) * rowOrders + orderOf(mover), column = rankAmongOthers(cellsOf(waiter & CELLS), taken) * columnOrders;
    const number = row * this.columns + column + orderOf(waiter), word = Math.floor(number / 32), bit = 1 << number % 32;
    if (this.bits[word] & bit) return null;
    this.bits[word] |= bit;
    return number;
  }

  /** The numbers of all positions that were reached before this call and are not in the set `except`, ascending. */
  *numbers(except) {
    const reached = this.bits.slice();
    for (let word = 0; word < reached.length; word++) {
      const left = except ? reached[word] & ~except.bits[word] : reached[word];
      for (let bits = left; bits !== 0; bits &= bits - 1) yield 32 * word + 31 - Math.clz32(bits & -bits);
    }
  }

  position(game, number) {
    const { mover, waiter, above, orders: [rowOrders, columnOrders] } = this.pieces;
    const [row, column] = [Math.floor(number / this.columns), number % this.columns];
    const taken = unrank(Math.floor(row / rowOrders), mover);
    const others = range(this.cells).filter((cell) => !taken.includes(cell));
    const cells = unrank(Math.floor(column / columnOrders), waiter).map((index) => others[index]);
    const words = {
      mover: withAbove(setOf(taken), above.mover, row % rowOrders),
      waiter: withAbove(setOf(cells), above.waiter, column % columnOrders),
    };
    return new Position(game, words, this.side);
  }
}
