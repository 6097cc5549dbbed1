// Opens all files of a folder, whose seek tables claim terabytes, as files on a server. Fails if one opens, blocks for long, or takes more
// memory than is allowed, in addition to that of Node itself. Needs `--expose-gc`. `languages` of the tests from outside writes the files and
// runs this in a process of its own.

import assert from "node:assert/strict";
import { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MorpionError, openRemote } from "../index.js";

/** Answers a request for a range of a file, piece by piece as a network does. */
async function fetchRange(path, { headers: { Range } }) {
  const file = openSync(path, "r"), { size } = fstatSync(file);
  const [, first, last] = Range.match(/^bytes=(\d*)-(\d*)$/);
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" ? size : Math.min(Number(last) + 1, size);
  let at = from;
  const pull = (body) => {
    const piece = new Uint8Array(Math.min(to - at, 1 << 16));
    readSync(file, piece, 0, piece.length, at);
    at += piece.length;
    body.enqueue(piece);
    if (at === to) body.close(closeSync(file));
  };
  const body = new ReadableStream({ pull, cancel: () => closeSync(file) }, { highWaterMark: 0 });
  return new Response(body, { status: 206, headers: { "content-range": `bytes ${from}-${to - 1}/${size}` } });
}

/** Greatest memory of this process so far, in bytes. */
const peak = () => 1024 * Number(readFileSync("/proc/self/status", "utf8").match(/VmHWM:\s*(\d+) kB/)[1]);

const folder = process.env.MORPION_HOSTILE_TABLES, files = readdirSync(folder), start = peak();
let slowest = 0;
for (const file of files) {
  // V8 frees buffers late. Each file is to be measured, not how late.
  globalThis.gc();
  const before = process.cpuUsage();
  await assert.rejects(openRemote(join(folder, file), { fetch: fetchRange }), MorpionError, file);
  const { user, system } = process.cpuUsage(before);
  slowest = Math.max(slowest, (user + system) / 1e6);
}
const taken = peak() - start;
console.log(`${files.length} files, at most ${slowest} s and ${taken} bytes`);
assert.equal(files.length, 200);
assert.ok(slowest < 2, `${slowest} seconds of processor time`);
assert.ok(taken < Number(process.env.MORPION_MOST_MEMORY), `${taken} bytes`);
