// The README's examples, run in an empty folder by Node and checked by TypeScript.

import assert from "node:assert/strict";
import { cpSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { examples, printed } from "./examples.mjs";
import { project, repository, run, typescripts } from "./installed.mjs";

test("in Node", async () => {
  const { program, expected } = examples(), folder = await project();
  writeFileSync(join(folder, "readme.js"), program);
  assert.deepEqual(printed(await run(process.execPath, ["readme.js"], { cwd: folder })), expected);
});

test("the packages have their licences and changelog", async () => {
  const folder = await project();
  for (const name of ["morpion-lookup", "morpion-tables", "morpion-solver"]) {
    const files = readdirSync(join(folder, "node_modules", name));
    for (const file of ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]) assert.ok(files.includes(file), `${name} has no ${file}`);
  }
});

test("the solver solves and judges in Node as its README says", async () => {
  const page = readFileSync(join(repository, "generator/web/js/README.md"), "utf8"), folder = await project();
  const [inWorker, inThread] = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, program]) => program);
  const rules = /const rules = `.*?`;/s.exec(inWorker)[0];
  writeFileSync(join(folder, "worker.js"), inWorker);
  const lines = (await run(process.execPath, ["worker.js"], { cwd: folder })).trim().split("\n");
  const shares = lines.slice(0, -2).map(Number), program = (...command) => answered(folder, rules, command);
  assert.ok(shares.length > 0 && shares.every((share, i) => share > 0 && share <= 1 && share >= (shares[i - 1] ?? 0)), `progress: ${shares}`);
  const { value, plies } = await program("query", "..../..../.... x");
  assert.deepEqual(lines.slice(-2), [`{ value: '${value}', plies: ${plies}, draw: null }`, (await program("judge")).verdict]);
  writeFileSync(join(folder, "thread.js"), `${rules}\n${inThread}`);
  assert.match(await run(process.execPath, ["thread.js"], { cwd: folder }), /^\d+\n$/);
});

/** The answer of a command of the program about the game of a rule file. */
async function answered(folder, rules, [command, ...question]) {
  writeFileSync(join(folder, "mine.toml"), rules.slice(rules.indexOf("`") + 1, rules.lastIndexOf("`")));
  return JSON.parse(await run(process.env.MORPION_PROGRAM, [command, "mine.toml", ...question, "--json"], { cwd: folder }));
}

test("packed tables open in a package that is installed as a folder", async () => {
  const folder = await project();
  rmSync(join(folder, "node_modules/morpion-lookup"), { recursive: true });
  cpSync(join(repository, "lookup/js"), join(folder, "copy"), { recursive: true, filter: (file) => !file.includes("node_modules") });
  symlinkSync(join(folder, "copy"), join(folder, "node_modules/morpion-lookup"));
  writeFileSync(join(folder, "open.js"), `
import { open } from "morpion-lookup";
import { packed } from "morpion-tables";
console.log((await open(await packed("beginner4"))).probe("..../..../..../....").plies);
`);
  assert.equal(await run(process.execPath, ["open.js"], { cwd: folder }), "5\n");
});

test("errors of the tables carry a code", async () => {
  const folder = await project();
  writeFileSync(join(folder, "errors.js"), `
import { packed, urls } from "morpion-tables";
const code = (name) => packed(name).then(() => "none", (error) => error.code);
const unknown = await code("chess");
urls.teeko = new URL("http://x/teeko.morpion.zst");
globalThis.fetch = async () => new Response(null, { status: 404 });
console.log(unknown, await code("teeko"));
`);
  assert.equal(await run(process.execPath, ["errors.js"], { cwd: folder }), "name io\n");
});

/** Every form of a position that the types allow: each opens at run time, and is compiled. */
const FORMS = `[
  "X../.../... o", [1, 0, 0, 0, 0, 0, 0, 0, 0], ["X", null, "", ".", "", "", "", "", ""], ["X..", "...", "..."],
  [[1, 0, 0], [0, 0, 0], [0, 0, 0]], [["X", null, null], [null, null, null], ["", "", ""]], [Int8Array.of(1, 0, 0), [0, 0, 0], [0, 0, 0]],
  { mover: 0n, waiter: 1n }, table.position("X../.../... o"),
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array].map((type) => type.of(1, 0, 0, 0, 0, 0, 0, 0, 0)),
]`;

test("every form of a position that the types allow is read", async () => {
  const folder = await project();
  writeFileSync(join(folder, "forms.js"), `
import { builtin } from "morpion-lookup";
const table = await builtin("classic"), words = new BigInt64Array(1);
console.log(new Set(${FORMS}.map((given) => \`\${table.position(given)}\`)).size, table.probeMany(words, words).value.length);
`);
  assert.equal(await run(process.execPath, ["forms.js"], { cwd: folder }), "1 1\n");
});

test("as TypeScript, strict, and what is wrong is refused", async () => {
  const { program } = examples(), folder = await project("typescript", "@types");
  const options = { strict: true, noEmit: true, target: "es2024", module: "nodenext", exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, types: ["node"], skipLibCheck: false };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["readme.ts", "types.ts"] }));
  writeFileSync(join(folder, "readme.ts"), program.replace("catch (error)", "catch (error: any)"));
  writeFileSync(join(folder, "types.ts"), `
import { MorpionError, Position, RemoteTable, Table, builtin, builtinNames, open, openRemote, type Census, type Given, type Line, type RankedMove, type Score, type Scores } from "morpion-lookup";
import { names, packed, urls } from "morpion-tables";

const table: Table = await builtin("swap"), names_: string[] = [...builtinNames(), ...names()];
const remote: RemoteTable = await openRemote(urls.teeko, { cache: 1, signal: AbortSignal.timeout(1), fetch });
const score: Score = table.probe([1, 0, 0, 0, 2, 0, 0, 0, 0]), far: Score = await remote.probe(table.position([[1, 0], [0, 2]], "x"));
const first: RankedMove | undefined = table.moves({ mover: 1n, waiter: 16n })[0];
const text: string = table.after("...", "b2"), after: Position = table.after(table.position(), first ?? "b2");
const scores: Scores = table.probeMany(new BigUint64Array(1), new BigUint64Array(1)), plies: Int16Array = scores.plies;
const line: Line = table.line(), chosen: string | null = table.choose(after, { errors: 0.1, random: Math.random });
const error: MorpionError = new MorpionError("kind", "text"), code: string = error.code;
const census: Census = table.census(), counts: Float64Array = (await remote.census()).count;
const positions: Position[] = [...table.positions(), ...remote.positions()];
const forms: Given[] = ${FORMS}, signed: Scores = table.probeMany(new BigInt64Array(1), new BigInt64Array(1));
const kind: "cycle" | "end" | null = score.value === "draw" ? score.draw.trim() as "cycle" | "end" : score.draw, most: number = score.value === "win" && score.plies !== null ? score.plies : 0;
await open(await packed("teeko")); await open(new ArrayBuffer(1)); new Table(new Uint8Array(1));

// @ts-expect-error a number is not a position
table.probe(3);
// @ts-expect-error no such side
table.position("...", "white");
// @ts-expect-error positions do not change
after.side = "x";
// @ts-expect-error masks are unsigned and 64 bits wide
table.probeMany(new Uint32Array(1), new Uint32Array(1));
// @ts-expect-error no such table
packed("chess");
// @ts-expect-error a draw has no distance
const drawn: number = score.value === "draw" ? score.plies : 0;
// @ts-expect-error a promise
const value: string = remote.probe("...").value;
export { kind, most, drawn, names_, score, far, text, plies, line, chosen, code, census, counts, positions, value };
`);
  for (const compiler of typescripts) await run(process.execPath, [compiler, "--project", folder], { cwd: folder });
});
