// Packed files that are longer than plain ones: large files of small tables.

import xxhash from "xxhash-wasm";
import { xxh3 } from "../xxh3.js";

const { h64Raw } = await xxhash();

/**
 * A table in frames of `length` bytes that are not compressed, each filled up with empty blocks to about `size` bytes. `change` may change
 * the ends in the index, `[packed, unpacked]` for each group. Without `change`, the index is left out.
 */
export function stored(table, length, size, change) {
  const frames = [], seek = [], ends = [];
  let packed = 0;
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
    frame.writeUInt32LE(Number(h64Raw(bytes) & 0xffffffffn), end + 3);
    frames.push(frame.subarray(0, end + 7));
    const entry = Buffer.alloc(8);
    entry.writeUInt32LE(end + 7, 0);
    entry.writeUInt32LE(bytes.length, 4);
    seek.push(entry);
    packed += end + 7;
    if (seek.length % 256 === 0 || at + length >= table.length) ends.push([packed, Math.min(at + length, table.length)]);
  }
  const header = Buffer.alloc(8), footer = Buffer.alloc(9);
  header.writeUInt32LE(0x184d2a5e, 0);
  header.writeUInt32LE(8 * seek.length + 9, 4);
  footer.writeUInt32LE(seek.length, 0);
  footer.writeUInt32LE(0x8f92eab1, 5);
  return Buffer.concat([...frames, ...(change ? indexOf(ends, change) : []), header, ...seek, footer]);
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
