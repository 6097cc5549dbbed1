import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MorpionError, open } from "../morpion.js";
import { checkVectors, packed, plain } from "./vectors.js";

const openAll = async (files) => new Map(await Promise.all([...files].map(async ([name, file]) => [name, await open(readFileSync(file))])));

test("all vectors are answered from packed bytes", async () => {
  const tables = await openAll(packed);
  await checkVectors(tables);
  for (const table of tables.values()) table.checkSums();
});

test("plain bytes are opened by looking, also as an ArrayBuffer", async () => {
  const bytes = new Uint8Array(readFileSync(plain.get("classic")));
  assert.equal((await open(bytes)).name, "classic");
  assert.equal((await open(bytes.buffer)).name, "classic");
  await assert.rejects(open(new Uint8Array(0)), { kind: "magic" });
});

test("no truncation of a packed table goes unnoticed, and no changed byte that changes the table", async () => {
  const bytes = new Uint8Array(readFileSync(packed.get("shisima")));
  for (let length = 0; length < bytes.length; length++) {
    await assert.rejects(open(bytes.slice(0, length)), MorpionError, `${length} bytes`);
  }
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at] ^= 1 << (at % 8);
    await open(changed).then((table) => table.checkSums(), (error) => assert.ok(error instanceof MorpionError, `byte ${at}: ${error}`));
  }
});

test("a missing decoder is named, and plain tables do without", async () => {
  const folder = mkdtempSync(join(tmpdir(), "morpion-"));
  try {
    const source = fileURLToPath(new URL("../", import.meta.url));
    cpSync(source, folder, { recursive: true, filter: (file) => !/fzstd|test|node_modules/.test(file.slice(source.length)) });
    const { open } = await import(pathToFileURL(join(folder, "morpion.js")));
    assert.equal((await open(readFileSync(plain.get("swap")))).name, "swap");
    await assert.rejects(open(readFileSync(packed.get("swap"))), { kind: "decoder", message: /fzstd/ });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
