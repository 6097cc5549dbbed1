// Writes the built-in tables of the library as modules next to this file: node builtin/make.js

import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const folder = new URL("../../builtin/", import.meta.url);

/** The text of a module for each table, by the name of its game. */
export function modules() {
  const tables = readdirSync(folder).map((file) => [file.split(".")[0], readFileSync(new URL(file, folder)).toString("base64")]);
  return new Map(tables.map(([name, text]) => [name, `export default "${text}";\n`]));
}

if (process.argv[1]?.endsWith("make.js")) {
  for (const [name, text] of modules()) writeFileSync(new URL(`${name}.js`, import.meta.url), text);
}
