// The README's examples in Deno.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { examples, printed } from "./examples.mjs";
import { project, run } from "./installed.mjs";

test("in Deno", async () => {
  const { program, expected } = examples(), folder = await project();
  writeFileSync(join(folder, "readme.js"), program);
  const found = await run("deno", ["run", "--quiet", "--node-modules-dir=manual", "--allow-read", "--allow-net", "readme.js"], { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
  const bare = (lines) => lines.map((line) => line.replaceAll('"', "'"));
  assert.deepEqual(bare(printed(found)), bare(expected));
});
