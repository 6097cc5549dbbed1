// Reads paths of plain tables from standard input, and writes for each `opened` or the error with which it is refused; after `opened`, the same
// for its census.

import { readFileSync } from "node:fs";
import { MorpionError, Table } from "../index.js";

function verdict(work) {
  try {
    return [work(), "opened"];
  } catch (error) {
    return [null, error instanceof MorpionError ? error.code : `${error.stack}`.replaceAll("\n", " ")];
  }
}

for (const path of readFileSync(0, "utf8").trim().split("\n")) {
  const bytes = readFileSync(path), [table, opened] = verdict(() => new Table(bytes));
  console.log(table ? `${opened} ${verdict(() => table.census())[1]}` : opened);
}
