// The questions that every language is asked, and their answers.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";

const lookup = new URL("../../", import.meta.url);

/** The files of a folder of `lookup`, by the names of their games. */
const files = (folder) => readdirSync(new URL(folder, lookup)).map((name) => [name.split(".")[0], new URL(folder + name, lookup)]);

/** The plain tables that the vectors ask, and the packed ones. */
export const plain = new Map([...files("builtin/"), ...files("conformance/tables/")]);
export const packed = new Map(files("conformance/packed/"));

/** The lines of a file of answers, without the names of its columns. */
const answers = (file) => readFileSync(new URL(`conformance/${file}`, lookup), "utf8").trim().split("\n").slice(1);

const lines = answers("vectors.csv"), counts = answers("census.csv");

/** Checks the answers of open tables, by name, against all vectors. */
export async function checkVectors(tables) {
  assert.ok(lines.length > 600);
  for (const line of lines) {
    // The text of a position may have commas, and is quoted then.
    const [, game, quoted, rest] = /^([^,]*),("[^"]*"|[^,]*),(.*)$/.exec(line), text = quoted.replaceAll('"', "");
    const [value, plies, draw, over, best, error] = rest.split(","), table = tables.get(game);
    if (error) {
      await assert.rejects(async () => table.probe(text), { name: "MorpionError", kind: error }, line);
      continue;
    }
    const score = await table.probe(text);
    const found = [score.value, `${score.plies ?? ""}`, score.draw ?? "", table.over(text) ?? "", (await table.best(text)).join(" ")];
    assert.deepEqual(found, [value, plies, draw, over, best], line);
  }
}

/** Checks the census of open tables, by name, against the counts of all languages. */
export async function checkCensus(tables) {
  assert.equal(new Set(counts.map((line) => line.split(",")[0])).size, tables.size);
  for (const [name, table] of tables) {
    const { mover, waiter, value, plies, draw, count } = await table.census();
    const found = Array.from(count, (number, i) => [name, mover[i], waiter[i], value[i], plies[i], draw[i], number].join(","));
    assert.deepEqual(found, counts.filter((line) => line.startsWith(`${name},`)));
  }
}
