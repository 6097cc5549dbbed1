// Prints what a game of 30 plies over HTTP fetches, of teeko and six men's morris, packed and plain: node test/traffic.js
// Each ply asks for all moves of the position. One of the first three is made that neither loses nor ends the game.

import { readFileSync } from "node:fs";
import { openRemote } from "../index.js";
import { unpacked } from "../packed.js";
import { openRemote as openPlain } from "../remote.js";
import { serve } from "./server.js";

const PLIES = 30;

for (const name of ["teeko", "six-mens-morris"]) {
  const packed = readFileSync(new URL(`../../../tables/${name}.morpion.zst`, import.meta.url));
  const plain = await unpacked(packed);
  for (const [path, file, open] of [[`/${name}.morpion.zst`, packed, openRemote], [`/${name}.morpion`, plain, openPlain]]) {
    const server = await serve(new Map([[path, file]])), table = await open(server.address + path), opening = server.bytes;
    const { length } = server.requests;
    let position = table.start;
    for (let ply = 0; ply < PLIES; ply++) {
      const kept = (await table.moves(position)).filter(({ move, value }) => value !== "loss" && !table.over(table.after(position, move)));
      position = table.after(position, kept[ply % Math.min(3, kept.length)]);
    }
    console.log(`${path.slice(1)} (${file.length} bytes): ${opening} bytes in ${length} requests to open, then ${server.requests.length - length} requests and ${Math.round((server.bytes - opening) / PLIES)} bytes a ply`);
    await server.close();
  }
}
