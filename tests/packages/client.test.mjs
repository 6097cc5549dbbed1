// A client that openapi-typescript writes from the description of the server that SERVER names.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { project, run, tool, typescripts } from "./installed.mjs";

const server = process.env.SERVER;

const CLIENT = `
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const client = createClient<paths>({ baseUrl: ${JSON.stringify(server)} });

const path = { game: "swap" };
const { data: answer } = await client.GET("/api/v1/games/{game}/position", { params: { path, query: { position: "X../.O./..X o" } } });
const value: "win" | "draw" | "loss" | undefined = answer?.value;
const [first] = answer?.moves ?? [];
console.log(value, answer?.best.join(" "), first?.position, first?.draw);

const { data: batch } = await client.POST("/api/v1/games/{game}/positions", { params: { path }, body: { positions: ["XX./OO./XO. x", "XX"] } });
console.log(batch?.answers.map((answer) => ("error" in answer ? answer.input : answer.plies)).join(" "));

const { error, response } = await client.GET("/api/v1/games/{game}", { params: { path: { game: "chess" } } });
console.log(response.status, error?.error);

// @ts-expect-error no such route
await client.GET("/api/v1/chess").catch(() => {});
// @ts-expect-error which game?
await client.GET("/api/v1/games/{game}/line", {}).catch(() => {});
// @ts-expect-error an answer has no such field
answer?.mate;
`;

test("a client of openapi-typescript and openapi-fetch", async () => {
  const folder = await project("openapi-fetch", "openapi-typescript-helpers", "@types");
  await run(tool("openapi-typescript"), [`${server}/api/v1/openapi.json`, "--output", "api.d.ts"], { cwd: folder });
  writeFileSync(join(folder, "client.ts"), CLIENT);
  const options = { strict: true, target: "es2024", module: "nodenext", exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: ["node"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["client.ts"] }));
  for (const compiler of typescripts) await run(process.execPath, [compiler, "--project", folder], { cwd: folder });
  const said = await run(process.execPath, ["client.js"], { cwd: folder });
  assert.deepEqual(said.trim().split("\n"), ["draw b1 a2 c2 b3 XO./.O./..X x cycle", "1 XX", '404 no game "chess" here: expected one of swap']);
});
