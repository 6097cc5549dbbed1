import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { MODULE, SOURCES } from "../decoder.js";
import { MorpionError, open } from "../index.js";
import { unpacked } from "../packed.js";
import { seekTableLength, stored } from "./stored.js";
import { checkCensus, checkVectors, packed, plain } from "./vectors.js";

test("all vectors are answered from packed bytes", async () => {
  const tables = new Map(await Promise.all([...packed].map(async ([name, file]) => [name, await open(readFileSync(file))])));
  await checkVectors(tables);
  await checkCensus(tables);
  for (const table of tables.values()) table.checkSums();
});

test("a damaged frame is refused", async () => {
  const bytes = new Uint8Array(readFileSync(packed.get("swap")));
  bytes[Math.floor((2 * (bytes.length - seekTableLength(bytes))) / 3)] ^= 1;
  await assert.rejects(open(bytes), { kind: "packed" });
});

test("plain bytes are detected, also in an ArrayBuffer", async () => {
  const bytes = new Uint8Array(readFileSync(plain.get("classic")));
  assert.equal((await open(bytes)).name, "classic");
  assert.equal((await open(bytes.buffer)).name, "classic");
  await assert.rejects(open(new Uint8Array(0)), { kind: "magic" });
});

test("no truncated packed table opens", async () => {
  const bytes = new Uint8Array(readFileSync(packed.get("shisima")));
  for (let length = 0; length < bytes.length; length++) {
    await assert.rejects(open(bytes.slice(0, length)), MorpionError, `${length} bytes`);
  }
});

test("no flipped bit of a seek table, nor one bit in each byte of frames, changes a table", async () => {
  const every = process.env.MORPION_EVERY_BIT !== undefined, counts = { tried: 0, refused: 0, unchanged: 0 };
  for (const [name, file] of packed) {
    const bytes = new Uint8Array(readFileSync(file)), whole = await unpacked(bytes), frames = bytes.length - seekTableLength(bytes);
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const isTried = every || bit >= 8 * frames || (name === "shisima" && (bit & 7) === ((bit >> 3) & 7));
      if (!isTried) continue;
      const changed = bytes.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      counts.tried++;
      try {
        assert.equal(Buffer.compare(await unpacked(changed), whole), 0, `${name}: bit ${bit}`);
        counts.unchanged++;
      } catch (error) {
        if (!(error instanceof MorpionError)) throw error;
        counts.refused++;
      }
    }
  }
  if (every) console.log(counts);
  assert.ok(counts.tried > 10_000 && counts.refused > 0.9 * counts.tried, JSON.stringify(counts));
});

test("packed bytes that unpack to more than their header allows are refused before the rest is unpacked", async () => {
  const table = readFileSync(plain.get("swap")), longer = Buffer.concat([table, Buffer.alloc(4096)]);
  // The last frame is damaged too. It must not be unpacked, so its error must not appear.
  const bytes = stored(longer, 1024, 0);
  bytes[bytes.indexOf(Buffer.alloc(512), bytes.length >> 1)] ^= 1;
  await assert.rejects(open(bytes), { kind: "length", message: `${longer.length} bytes, expected ${table.length}` });
});

test("a seek table of an absurd size is refused", async () => {
  const bytes = new Uint8Array(readFileSync(packed.get("swap")));
  new DataView(bytes.buffer).setUint32(bytes.length - 9, 2 ** 32 - 1, true);
  await assert.rejects(open(bytes), { kind: "packed", message: /4294967295 frames, expected at most 2097152/ });
});

test("a missing decoder is an error, but not for plain tables", async () => {
  const program = `const { open } = await import(${JSON.stringify(new URL("../index.js", import.meta.url))}), { readFileSync } = await import("node:fs");
    delete globalThis.WebAssembly;
    console.log((await open(readFileSync(new URL(${JSON.stringify(plain.get("swap"))})))).name);
    await open(readFileSync(new URL(${JSON.stringify(packed.get("swap"))}))).catch((error) => console.log(error.code, error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  assert.match(stdout, /^swap\ndecoder .*WebAssembly/);
});

test("the decoder is compiled from its sources", () => {
  const sources = ["decoder/Cargo.toml", "decoder/Cargo.lock", "decoder/lib.rs", "../src/packed/decode.rs"];
  const sum = createHash("sha256");
  for (const source of sources) sum.update(readFileSync(new URL(`../${source}`, import.meta.url)));
  assert.equal(SOURCES, sum.digest("hex"), "run .ci/decoder");
  assert.ok(atob(MODULE).length <= 80_000);
});
