// Prints what a game of 30 plies over HTTP fetches: node test/traffic.js [FILE]...
// Without files, of teeko and six men's morris, packed and plain. Each ply asks for all moves of the position. One of the first three is
// made that neither loses nor ends the game.

import { fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { openRemote } from "../index.js";
import { unpacked } from "../packed.js";
import { openRemote as openPlain } from "../remote.js";
import { serve } from "./server.js";

const PLIES = 30;

/** A file that may be longer than a buffer. */
function onDisk(path) {
  const file = openSync(path);
  const subarray = (first, end) => {
    const bytes = Buffer.alloc(end - first);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, first));
  };
  return { length: fstatSync(file).size, subarray };
}

/** Plays a game with the table of a server, and prints what it fetches. */
async function play(name, file, open) {
  const server = await serve(new Map([[`/${name}`, file]])), table = await open(`${server.address}/${name}`), opening = server.bytes;
  const { length } = server.requests, plies = [];
  let position = table.start;
  for (let ply = 0; ply < PLIES; ply++) {
    const before = server.bytes, moves = await table.moves(position);
    plies.push(server.bytes - before);
    const kept = moves.filter(({ move, value }) => value !== "loss" && !table.over(table.after(position, move)));
    position = table.after(position, kept[ply % Math.min(3, kept.length)]);
  }
  console.log(`${name} (${file.length} bytes): ${opening} bytes in ${length} requests to open, then ${server.requests.length - length} requests and ${Math.round((server.bytes - opening) / PLIES)} bytes a ply, at most ${Math.max(...plies)}`);
  await server.close();
}

for (const path of process.argv.slice(2)) await play(path.split("/").pop(), onDisk(path), openRemote);
if (process.argv.length === 2) {
  for (const name of ["teeko", "six-mens-morris"]) {
    const packed = readFileSync(new URL(`../../../tables/${name}.morpion.zst`, import.meta.url));
    await play(`${name}.morpion.zst`, packed, openRemote);
    await play(`${name}.morpion`, await unpacked(packed), openPlain);
  }
}
