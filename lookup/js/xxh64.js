// XXH64, seed 0, as the xxHash project specifies it: the low 32 bits of it are the sum of a Zstandard frame.
// Numbers of 64 bits are pairs of 32, [high, low], since BigInt takes many times as long and every frame read is summed.

import { viewOf } from "./fields.js";

const P1 = [0x9e3779b1, 0x85ebca87], P2 = [0xc2b2ae3d, 0x27d4eb4f], P3 = [0x165667b1, 0x9e3779f9];
const P4 = [0x85ebca77, 0xc2b2ae63], P5 = [0x27d4eb2f, 0x165667c5];

/** The high 32 bits of the product of two numbers of 32 bits. */
function high(a, b) {
  const a0 = a & 0xffff, a1 = a >>> 16, b0 = b & 0xffff, b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16), other = a0 * b1 + (middle & 0xffff);
  return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(other / 65536)) >>> 0;
}

const times = ([ah, al], [bh, bl]) => [(high(al, bl) + Math.imul(ah, bl) + Math.imul(al, bh)) >>> 0, Math.imul(al, bl) >>> 0];

function plus([ah, al], [bh, bl]) {
  const low = al + bl;
  return [(ah + bh + (low > 0xffffffff ? 1 : 0)) >>> 0, low >>> 0];
}

const xor = ([ah, al], [bh, bl]) => [(ah ^ bh) >>> 0, (al ^ bl) >>> 0];

function rotate([h, l], by) {
  if (by >= 32) [h, l, by] = [l, h, by - 32];
  return by === 0 ? [h, l] : [((h << by) | (l >>> (32 - by))) >>> 0, ((l << by) | (h >>> (32 - by))) >>> 0];
}

const shifted = ([h, l], by) => (by >= 32 ? [0, h >>> (by - 32)] : [h >>> by, ((l >>> by) | (h << (32 - by))) >>> 0]);
const round = (lane, word) => times(rotate(plus(lane, times(word, P2)), 31), P1);
const merge = (sum, lane) => plus(times(xor(sum, round([0, 0], lane)), P1), P4);

/** A round of one of four lanes, which stand high before low: the same as `round`, without a pair being made. */
function roundLane(lanes, lane, wordHigh, wordLow) {
  const low = (Math.imul(wordLow, P2[1]) >>> 0) + lanes[lane + 1];
  const sum = high(wordLow, P2[1]) + Math.imul(wordHigh, P2[1]) + Math.imul(wordLow, P2[0]) + lanes[lane] + (low > 0xffffffff ? 1 : 0);
  const turnedHigh = (sum << 31) | (low >>> 1), turnedLow = (low << 31) | (sum >>> 1);
  lanes[lane] = high(turnedLow, P1[1]) + Math.imul(turnedHigh, P1[1]) + Math.imul(turnedLow, P1[0]);
  lanes[lane + 1] = Math.imul(turnedLow, P1[1]);
}

/** The low 32 bits of the sum of some bytes. */
export function xxh64Low(bytes) {
  const view = viewOf(bytes), length = bytes.length;
  const word = (at) => [view.getUint32(at + 4, true), view.getUint32(at, true)];
  let at = 0, sum = P5;
  if (length >= 32) {
    const pairs = new Uint32Array([...plus(P1, P2), ...P2, 0, 0, 0x61c8864e, 0x7a143579]);
    for (; at + 32 <= length; at += 32) {
      for (let lane = 0; lane < 8; lane += 2) {
        roundLane(pairs, lane, view.getUint32(at + 4 * lane + 4, true), view.getUint32(at + 4 * lane, true));
      }
    }
    const lanes = [0, 2, 4, 6].map((lane) => [pairs[lane], pairs[lane + 1]]);
    sum = lanes.map((lane, i) => rotate(lane, [1, 7, 12, 18][i])).reduce(plus);
    sum = lanes.reduce(merge, sum);
  }
  sum = plus(sum, [0, length]);
  for (; at + 8 <= length; at += 8) sum = plus(times(rotate(xor(sum, round([0, 0], word(at))), 27), P1), P4);
  if (at + 4 <= length) {
    sum = plus(times(rotate(xor(sum, times([0, view.getUint32(at, true)], P1)), 23), P2), P3);
    at += 4;
  }
  for (; at < length; at += 1) sum = times(rotate(xor(sum, times([0, bytes[at]], P5)), 11), P1);
  sum = times(xor(sum, shifted(sum, 33)), P2);
  sum = times(xor(sum, shifted(sum, 29)), P3);
  return xor(sum, shifted(sum, 32))[1];
}
