// The README's examples in the runtime that RUNTIME names, Deno or Bun.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { examples } from "./examples.mjs";
import { project, run } from "./installed.mjs";

const OPTIONS = { deno: ["--quiet", "--node-modules-dir=manual", "--allow-read", "--allow-net"], bun: ["--no-install"] };

const runtime = process.env.RUNTIME;

test(`in ${runtime}`, async () => {
  const { program, expected } = examples(), folder = await project();
  writeFileSync(join(folder, "readme.js"), program);
  const found = await run(runtime, ["run", ...OPTIONS[runtime], "readme.js"], { cwd: folder, env: { ...process.env, NO_COLOR: "1" } });
  // Each runtime formats quotes and line breaks in its own way.
  const bare = (text) => text.replaceAll('"', "'").replace(/\s/g, "").replace(/,(?=[}\]])/g, "");
  assert.equal(bare(found), bare(expected.join("")));
});
