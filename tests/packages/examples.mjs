// The README's examples: a program, and its expected output.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { serve } from "../../lookup/js/test/server.js";
import { repository } from "./installed.mjs";

const server = await serve(new Map([["/teeko.morpion.zst", readFileSync(join(repository, "tables/teeko.morpion.zst"))]]));
after(server.close);

/** The examples as one program, and the lines that it has to print. */
export function examples() {
  const text = readFileSync(join(repository, "lookup/js/README.md"), "utf8").replaceAll("https://example.org", server.address);
  const code = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  assert.ok(code.length >= 7, `${code.length} examples`);
  const program = code.join("\n"), lines = program.split("\n").filter((line) => line.includes("console.log("));
  const expected = lines.map((line) => line.split(/; +\/\/ /)[1] ?? assert.fail(`nothing is expected of ${line}`));
  return { program, expected };
}

/** The lines that a program prints, with each array on one line. */
export const printed = (text) => text.trim().replace(/\[\n +|\n +|\n\]/g, (found) => (found.startsWith("[") ? "[ " : found.endsWith("]") ? " ]" : " ")).split("\n");
