// Files that every reader must refuse, with the same error in every language: lookup/conformance/refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { MorpionError, Table, open, openRemote } from "../index.js";
import { serve } from "./server.js";

const conformance = new URL("../../conformance/", import.meta.url);
const list = readFileSync(new URL("refused.csv", conformance), "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
const files = new Map(list.map(([file]) => [`/${file}`, readFileSync(new URL(`refused/${file}`, conformance))]));
const server = await serve(files);
after(server.close);

/** Checks that all files are refused with their errors when they are opened or when their sums are checked. */
async function refused(openFile, files = list) {
  const wrong = [];
  for (const [file, expected] of files) {
    const found = await openFile(file).then((table) => table.checkSums?.() ?? "opened").catch( (error) => (error instanceof MorpionError ? error.code : `${error.stack}`));
    if (found !== expected) wrong.push(`${file}: ${found}, expected ${expected}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(files.length > 80);
}

test("no refused file opens in memory", () => refused(async (file) => open(files.get(`/${file}`))));

test("no refused plain file opens as a Table", () => refused(async (file) => new Table(files.get(`/${file}`)), list.filter(([file]) => file.endsWith(".morpion"))));

// An empty file has no range, and nobody reads the whole of a file on a server.
const atRest = new Set(["empty.morpion", "sum-of-sums.morpion", "sum-of-a-mib.morpion", "padding-after-a-map.morpion"]);

test("no refused file opens from a server", () => refused(async (file) => openRemote(`${server.address}/${file}`), list.filter(([file]) => !atRest.has(file))));
