// Packed files that are longer than plain ones: large files of small tables.

import xxhash from "xxhash-wasm";
import { xxh3 } from "../xxh3.js";

const { h64Raw } = await xxhash();

/** Length of the seek table at the end of a file. */
export const seekTableLength = (bytes) => 17 + 8 * Buffer.from(bytes.buffer, bytes.byteOffset).readUInt32LE(bytes.length - 9);

/** Bytes of a frame besides its content, if it is not filled up. */
const AROUND = 19;

/** A frame of bytes that are not compressed, filled up with empty blocks to about `size` bytes. */
function frameOf(bytes, size) {
  const frame = Buffer.alloc(Math.max(size, 12 + bytes.length) + 10);
  frame.writeUInt32LE(0xfd2fb528, 0);
  frame[4] = 0xa4; // one segment, its length in four bytes, a sum
  frame.writeUInt32LE(bytes.length, 5);
  frame.writeUIntLE(bytes.length << 3, 9, 3);
  frame.set(bytes, 12);
  let end = 12 + bytes.length;
  for (; end < size; end += 3) frame.writeUIntLE(0, end, 3);
  frame.writeUIntLE(1, end, 3);
  frame.writeUInt32LE(Number(h64Raw(bytes) & 0xffffffffn), end + 3);
  return frame.subarray(0, end + 7);
}

/** The seek table of frames with these packed and unpacked lengths, after its index. */
function seekTable(lengths, change) {
  const seek = Buffer.alloc(8 * lengths.length + 17), ends = [], sum = [0, 0];
  lengths.forEach((pair, i) => {
    pair.forEach((length, j) => {
      seek.writeUInt32LE(length, 8 + 8 * i + 4 * j);
      sum[j] += length;
    });
    if ((i + 1) % 256 === 0 || i + 1 === lengths.length) ends.push([...sum]);
  });
  seek.writeUInt32LE(0x184d2a5e, 0);
  seek.writeUInt32LE(seek.length - 8, 4);
  seek.writeUInt32LE(lengths.length, seek.length - 9);
  seek.writeUInt32LE(0x8f92eab1, seek.length - 4);
  return Buffer.concat([...(change ? indexOf(ends, change) : []), seek]);
}

/** The parts of an index. */
function indexOf(ends, change) {
  change(ends);
  const index = Buffer.alloc(16 + 16 * ends.length);
  index.writeUInt32LE(0x184d2a5d, 0);
  index.writeUInt32LE(index.length - 8, 4);
  ends.flat().forEach((end, i) => index.writeBigUInt64LE(BigInt(end), 8 + 8 * i));
  index.writeBigUInt64LE(xxh3(index.subarray(0, -8)), index.length - 8);
  return [index];
}

const parts = (table, length) => Array.from({ length: Math.ceil(table.length / length) }, (_, i) => table.subarray(i * length, (i + 1) * length));

/**
 * A table in frames of `length` bytes that are not compressed, each filled up with empty blocks to about `size` bytes. `change` may change
 * the ends in the index, `[packed, unpacked]` for each group. Without `change`, the index is left out.
 */
export function stored(table, length, size, change) {
  const frames = parts(table, length).map((bytes) => frameOf(bytes, size));
  return Buffer.concat([...frames, seekTable(frames.map((frame, i) => [frame.length, Math.min(length, table.length - i * length)]), change)]);
}

/** The same file with an index, whose frames are made when they are read: its length, and a function that reads a part. */
export function virtual(table, length) {
  const contents = parts(table, length), step = length + AROUND, frames = table.length + AROUND * contents.length;
  const end = seekTable(contents.map((bytes) => [bytes.length + AROUND, bytes.length]), () => {});
  const read = (from, to) => {
    const first = Math.min(Math.floor(from / step), contents.length), before = contents.slice(first, Math.ceil(to / step)).map((bytes) => frameOf(bytes, 1));
    const start = Math.min(first * step, frames), after = end.subarray(0, Math.max(0, to - frames));
    return Buffer.concat([...before, after]).subarray(from - start, to - start);
  };
  return { size: frames + end.length, frames: contents.length, read };
}
