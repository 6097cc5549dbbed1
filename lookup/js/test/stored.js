// Packed files that are longer than plain ones: large files of small tables.

import { xxh64Low } from "../xxh64.js";

/** A table in frames of `length` bytes that are not compressed, each filled up with empty blocks to about `size` bytes. */
export function stored(table, length, size) {
  const frames = [], seek = [];
  for (let at = 0; at < table.length; at += length) {
    const bytes = table.subarray(at, at + length), frame = Buffer.alloc(Math.max(size, 12 + length) + 10);
    frame.writeUInt32LE(0xfd2fb528, 0);
    frame[4] = 0xa4; // one segment, its length in four bytes, a sum
    frame.writeUInt32LE(bytes.length, 5);
    frame.writeUIntLE(bytes.length << 3, 9, 3);
    frame.set(bytes, 12);
    let end = 12 + bytes.length;
    for (; end < size; end += 3) frame.writeUIntLE(0, end, 3);
    frame.writeUIntLE(1, end, 3);
    frame.writeUInt32LE(xxh64Low(bytes), end + 3);
    frames.push(frame.subarray(0, end + 7));
    const entry = Buffer.alloc(8);
    entry.writeUInt32LE(end + 7, 0);
    entry.writeUInt32LE(bytes.length, 4);
    seek.push(entry);
  }
  const header = Buffer.alloc(8), footer = Buffer.alloc(9);
  header.writeUInt32LE(0x184d2a5e, 0);
  header.writeUInt32LE(8 * seek.length + 9, 4);
  footer.writeUInt32LE(seek.length, 0);
  footer.writeUInt32LE(0x8f92eab1, 5);
  return Buffer.concat([...frames, header, ...seek, footer]);
}
