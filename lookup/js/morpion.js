// Reads tables of perfect play, written from tables/FORMAT.md alone; browsers and Node. No build step: a page takes it by
// copying the modules of this folder.
//
//   sets, error, xxh3, xxh64        bit masks, MorpionError, sums
//   fields, format                  the header of a table
//   game, position                  positions as text and as objects, legal moves, the end: no entry is read
//   key, answers                    where entries are and what they say
//   table                           Table: all bytes in memory
//   packed, range, remote           packed bytes, requests for parts of a file, RemoteTable

import { bytesOf } from "./format.js";
import { isPacked, unpack } from "./packed.js";
import { Table } from "./table.js";

export { MorpionError } from "./error.js";
export { errorKinds } from "./answers.js";
export { Position } from "./position.js";
export { RemoteTable, openRemote } from "./remote.js";
export { Table };

/**
 * Opens the bytes of a table, plain or packed (`NAME.morpion.zst`, which is unpacked into memory).
 * @param {ArrayBuffer | Uint8Array} source the whole file
 * @returns {Promise<Table>}
 */
export async function open(source) {
  const bytes = bytesOf(source);
  return new Table(isPacked(bytes) ? await unpack(bytes) : bytes);
}
