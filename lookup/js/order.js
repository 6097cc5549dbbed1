// The word of a side: its cells, and above them what the board does not show (tables/FORMAT.md, section 4). From bit 36 on, a word has
// the number of pieces in hand. With bit 52, it has the order of pieces that age instead, as the number of a permutation.

import { cellsOf, setOf } from "./sets.js";

const SHIFT = 36n;

/** The bits of a word that are cells. */
export const CELLS = (1n << SHIFT) - 1n;

const AGED = 1n << 52n;

/** The most pieces of a side that age. */
export const MOST_AGED = 8;

/** Number of orders of so many pieces. */
export const orders = (pieces) => (pieces < 2 ? 1 : pieces * orders(pieces - 1));

/** The word of cells with so many pieces in hand. */
export const withHand = (cells, hand) => cells | (BigInt(hand) << SHIFT);

/** The number of pieces in hand; negative for a negative word, which is not a position. */
export const handOf = (word) => Number(word >> SHIFT);

/** The number of the order of a word, 0 if it has none. */
export const orderOf = (word) => (word & AGED ? Number((word >> SHIFT) & 0xffffn) : 0);

/** The bits above the cells in the words of a layer, without orders, and the number of orders of each side. */
export function wordsOf({ mover, waiter, hands }, hasAges) {
  const above = (pieces, hand) => (hasAges && pieces > 0 ? AGED : withHand(0n, hand));
  return {
    above: { mover: above(mover, hands.mover), waiter: above(waiter, hands.waiter) },
    orders: [mover, waiter].map((pieces) => (hasAges ? orders(pieces) : 1)),
  };
}

/** The word of cells in a layer, given what it has above them and the number of its order. */
export const withAbove = (cells, above, order) => cells | above | (BigInt(order) << SHIFT);

/** The cells of a word whose pieces age, the oldest first. */
export function sequenceOf(word) {
  const left = cellsOf(word & CELLS), sequence = [];
  for (let order = orderOf(word); left.length > 0; ) {
    const rest = orders(left.length - 1);
    sequence.push(...left.splice(Math.floor(order / rest) % left.length, 1));
    order %= rest;
  }
  return sequence;
}

/** The word of pieces that age: the inverse of `sequenceOf`. */
export function wordOf(sequence) {
  const number = (cell, i) => sequence.slice(i).filter((other) => other < cell).length * orders(sequence.length - i - 1);
  return sequence.length > 0 ? withAbove(setOf(sequence), AGED, sequence.reduce((sum, cell, i) => sum + number(cell, i), 0)) : 0n;
}

/** The image of a word, given the images of the cells. */
export function imageOf(images, word) {
  if (word & AGED) return wordOf(sequenceOf(word).map((cell) => images[cell]));
  return (word & ~CELLS) | setOf(cellsOf(word & CELLS).map((cell) => images[cell]));
}

/** The number of the order of the image of a word, 0 if it has none. */
export const orderOfImage = (images, word) => (word & AGED ? orderOf(imageOf(images, word)) : 0);
