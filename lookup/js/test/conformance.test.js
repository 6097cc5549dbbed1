import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MorpionError, Table } from "../index.js";
import { xxh3 } from "../xxh3.js";
import { checkCensus, checkVectors, plain } from "./vectors.js";

const conformance = new URL("../../conformance/", import.meta.url);
const tables = new Map([...plain].map(([name, file]) => [name, new Table(readFileSync(file))]));

const fails = (work, kind) => assert.throws(work, (error) => error instanceof MorpionError && error.kind === kind, kind);

test("all vectors are answered from memory", () => checkVectors(tables));

test("a table without distances has the values of the table with them", () => {
  for (const [name, values] of [["swap", "swap-wdl"], ["classic", "classic-wdl"]]) {
    const [table, other] = [name, values].map((name) => tables.get(name));
    assert.equal(other.encoding, "wdl");
    for (const position of [...table.positions()].map(String)) {
      assert.deepEqual(other.probe(position), { ...table.probe(position), plies: null }, position);
    }
  }
});

test("positions are read in every form and written in one", () => {
  const lines = readFileSync(new URL("forms.tsv", conformance), "utf8").trim().split("\n").slice(1);
  for (const [name, text, expected] of lines.map((line) => line.split("\t"))) {
    const unescaped = text.replace(/\\([\\nrt])/g, (_, character) => ({ n: "\n", r: "\r", t: "\t" })[character] ?? character);
    if (expected.startsWith("error ")) fails(() => tables.get(name).position(unescaped), expected.slice(6));
    else assert.equal(`${tables.get(name).position(unescaped)}`, expected, text);
  }
});

test("the same number chooses the same move in every language", () => {
  const lines = readFileSync(new URL("choices.csv", conformance), "utf8").trim().split("\n").slice(1);
  assert.ok(lines.length > 100);
  for (const line of lines) {
    const [game, position, errors, random, move] = line.split(",");
    const chosen = tables.get(game).choose(position, { errors: Number(errors), random: () => Number(random) });
    assert.equal(chosen ?? "", move, line);
  }
});

test("the census of each table has the counts of an independent solver", () => checkCensus(tables));

test("every shipped table has the right sums", () => {
  for (const table of tables.values()) table.checkSums();
});

test("a changed byte is found in every part of a table", () => {
  const bytes = new Uint8Array(readFileSync(new URL("tables/fano.morpion", conformance)));
  const expected = [[0, "magic"], [8, "version"], [40, "checksum"], [bytes.length - 1, null]];
  for (const [at, kind] of expected) {
    const changed = bytes.slice();
    changed[at] ^= 1;
    fails(() => new Table(changed).checkSums(), kind ?? "checksum");
  }
  for (let length = 0; length < bytes.length; length += 7) {
    assert.throws(() => new Table(bytes.subarray(0, length)), MorpionError, `${length} bytes`);
  }
});

test("a game is played to its end", () => {
  const table = tables.get("classic");
  let position = table.start, moves = 0;
  while (!table.over(position)) {
    position = table.after(position, table.best(position)[0]);
    moves += 1;
  }
  assert.equal(moves, 9);
  fails(() => table.after("X../.../... o", "a1"), "move");
});

test("words that are not a position get an error with its name", () => {
  for (const line of readFileSync(new URL("words.csv", conformance), "utf8").trim().split("\n").slice(1)) {
    const [game, mover, waiter, error] = line.split(",");
    fails(() => tables.get(game).probe({ mover: BigInt(mover), waiter: BigInt(waiter) }), error);
  }
});

test("xxh3 computes the same sums of the bytes 3, 10, 17, … as the library", () => {
  for (const line of readFileSync(new URL("sums.csv", conformance), "utf8").trim().split("\n").slice(1)) {
    const [length, sum] = line.split(",");
    const bytes = Uint8Array.from({ length: Number(length) }, (_, i) => i * 7 + 3);
    assert.equal(xxh3(bytes).toString(16).padStart(16, "0"), sum, `${length} bytes`);
  }
});
