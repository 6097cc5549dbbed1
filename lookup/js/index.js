// Reads tables of perfect play in browsers and in Node. It was written from tables/FORMAT.md alone. A page can use a copy of
// this folder without a build step.
//
//   sets, order, error              sets of cells, words, MorpionError
//   fields, xxh3, format, census    numbers in bytes, their sums, the header and the census of a table
//   graph, board, moves             the game as data, the names of its cells, legal moves, the end of a game
//   game, beside, position, reach   positions as text and as objects: no entry is read
//   key, answers                    the place and the score of an entry, answers to questions
//   table, range, remote            Table: all bytes in memory; requests for parts of a file, RemoteTable
//   packed, decoder                 packed bytes and their unpacked frames; the decoder as a module of WebAssembly
//   builtin                         the tables of nine cells

import { bytesOf } from "./format.js";
import { framesOf, isPacked, unpacked } from "./packed.js";
import * as remote from "./remote.js";
import { Table } from "./table.js";

export { builtin, builtinNames } from "./builtin/index.js";
export { MorpionError } from "./error.js";
export { errorKinds } from "./answers.js";
export { Position } from "./position.js";
export { RemoteTable } from "./remote.js";
export { Table };

/** Opens the bytes of a table. A packed one is unpacked. */
export async function open(source) {
  const bytes = bytesOf(source);
  return new Table(isPacked(bytes) ? await unpacked(bytes) : bytes);
}

/** Opens a table on a server that knows range requests, plain or packed: `openRemote` of the module `remote`. */
export const openRemote = (url, options) => remote.openRemote(url, options, framesOf);
