// The package in a page, without a bundler and with several.

import assert from "node:assert/strict";
import { cpSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { project, run, tool } from "./installed.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".zst": "application/zstd" };

/** Requests of a page: built-in tables, a table loaded whole, and a table on its server. */
const PAGE = `
import { builtin, open, openRemote } from "morpion-lookup";
import { packed, urls } from "morpion-tables";

const own = (await builtin("swap")).best("X../.O./..X o").join(" ");
const whole = (await open(await packed("beginner4"))).probe("..../..../..../....");
const remote = await (await openRemote(urls.teeko)).best("...../...../..X../...../..... o");
document.title = JSON.stringify([own, whole.plies, remote.length]);
`;
const ANSWERS = ["b1 a2 c2 b3", 5, 4];

/** Serves the files of a folder, with range requests. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x/").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    const bytes = readFileSync(file), headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    const range = request.headers.range?.match(/^bytes=(\d*)-(\d*)$/);
    if (!range) return response.writeHead(200, headers).end(bytes);
    const first = range[1] === "" ? Math.max(0, bytes.length - Number(range[2])) : Number(range[1]);
    const last = range[1] === "" ? bytes.length - 1 : Math.min(Number(range[2]), bytes.length - 1);
    response.writeHead(206, { ...headers, "content-range": `bytes ${first}-${last}/${bytes.length}` }).end(bytes.subarray(first, last + 1));
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

const executablePath = process.env.CHROMIUM;
const skip = !executablePath && "CHROMIUM names no browser";

/** The final title of a page in a folder, as JSON. */
async function title(folder, path = "") {
  const server = await serve(folder);
  try {
    return await titleAt(server.address + path);
  } finally {
    server.close();
  }
}

/** The final title of a page, as JSON. */
async function titleAt(address) {
  const { chromium } = await import("../browser/node_modules/playwright-core/index.mjs");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage(), faults = [];
    page.on("pageerror", (error) => faults.push(error));
    await page.goto(address);
    await page.waitForFunction(() => document.title.startsWith("["), null, { timeout: 60_000 }).catch((error) => {
      throw faults[0] ?? error;
    });
    assert.deepEqual(faults, []);
    return JSON.parse(await page.title());
  } finally {
    await browser.close();
  }
}

const html = (script) => `<!doctype html><html lang="en"><title>-</title>${script}`;

test("a page takes the folder as it is", { skip }, async () => {
  const folder = await project();
  const plain = PAGE.replace('"morpion-lookup"', '"./node_modules/morpion-lookup/index.js"').replace('"morpion-tables"', '"./node_modules/morpion-tables/js/index.js"');
  writeFileSync(join(folder, "index.html"), html(`<script type="module">${plain}</script>`));
  assert.deepEqual(await title(folder), ANSWERS);
});

test("vite builds a page, with tables as its files", { skip }, async () => {
  const folder = await project();
  writeFileSync(join(folder, "index.html"), html('<script type="module" src="/page.js"></script>'));
  writeFileSync(join(folder, "page.js"), PAGE);
  await run(tool("vite"), ["build", "--logLevel", "error", "--base", "./"], { cwd: folder });
  assert.deepEqual(await title(join(folder, "dist")), ANSWERS);
  assert.ok(readdirSync(join(folder, "dist/assets")).some((file) => /teeko.*\.zst$/.test(file)));
});

test("webpack builds a page, with tables as its files", { skip }, async () => {
  const folder = await project();
  writeFileSync(join(folder, "page.js"), PAGE);
  const { default: webpack } = await import("webpack");
  const stats = await promisify(webpack)({
    mode: "production", context: folder, entry: "./page.js", experiments: { topLevelAwait: true }, performance: false,
    output: { path: join(folder, "dist"), filename: "page.js" },
  });
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }), { errors: [], warnings: [] });
  writeFileSync(join(folder, "dist/index.html"), html('<script src="page.js"></script>'));
  assert.deepEqual(await title(join(folder, "dist")), ANSWERS);
  assert.ok(readdirSync(join(folder, "dist")).some((file) => file.endsWith(".zst")));
});

test("esbuild builds a page, with the tables copied next to it", { skip }, async () => {
  const folder = await project();
  await bundle(folder, PAGE);
  writeFileSync(join(folder, "out/index.html"), html('<script type="module" src="entry.js"></script>'));
  // esbuild does not rewrite addresses, so tables are copied to the folder above the page.
  const tables = join(folder, "node_modules/morpion-tables");
  for (const file of readdirSync(tables).filter((name) => name.endsWith(".zst"))) cpSync(join(tables, file), join(folder, file));
  assert.deepEqual(await title(folder, "out/"), ANSWERS);
});

/** The files of a bundle, by name, with their sizes. */
async function bundle(folder, code) {
  writeFileSync(join(folder, "entry.js"), code);
  await run(tool("esbuild"), ["entry.js", "--bundle", "--minify", "--splitting", "--format=esm", "--outdir=out", "--log-level=error"], { cwd: folder });
  return readFileSync(join(folder, "out/entry.js"), "utf8");
}

test("esbuild leaves out what is not used", async () => {
  const folder = await project();
  const all = await bundle(folder, 'export * from "morpion-lookup";');
  const sums = await bundle(folder, 'import { MorpionError } from "morpion-lookup"; console.log(new MorpionError("kind", "text").code);');
  const local = await bundle(folder, 'import { Table } from "morpion-lookup"; console.log(new Table(new Uint8Array()).start);');
  assert.ok(sums.length < 1000, `the error alone: ${sums.length} bytes`);
  assert.ok(local.length < all.length * 0.8, `a table in memory ${local.length} bytes of ${all.length}`);
  assert.ok(!local.includes("content-range") && !local.includes("tapatan"), "neither requests nor built-in tables");
});

test("esbuild copies a table that is imported as a file", async () => {
  const folder = await project();
  writeFileSync(join(folder, "entry.js"), `
import { readFileSync } from "node:fs";
import { open } from "morpion-lookup";
import address from "morpion-tables/beginner4.morpion.zst";
console.log((await open(readFileSync(new URL(address, import.meta.url)))).probe("..../..../..../....").plies);
`);
  const options = ["--bundle", "--platform=node", "--format=esm", "--loader:.zst=file", "--outdir=out", "--log-level=error"];
  await run(tool("esbuild"), ["entry.js", ...options], { cwd: folder });
  assert.equal(await run(process.execPath, ["out/entry.js"], { cwd: folder }), "5\n");
});

test("vite's development server serves tables that are not bundled beforehand", { skip }, async () => {
  const folder = await project();
  writeFileSync(join(folder, "index.html"), html('<script type="module" src="/page.js"></script>'));
  writeFileSync(join(folder, "page.js"), PAGE);
  const { createServer } = await import("vite");
  const server = await createServer({ root: folder, configFile: false, logLevel: "error", optimizeDeps: { exclude: ["morpion-tables"] }, server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
  try {
    assert.deepEqual(await titleAt(server.resolvedUrls.local[0]), ANSWERS);
  } finally {
    await server.close();
  }
});

test("an esbuild bundle runs", async () => {
  const folder = await project();
  await bundle(folder, 'import { builtin } from "morpion-lookup"; console.log((await builtin("swap")).best("X../.O./..X o").join(" "));');
  assert.equal(await run(process.execPath, ["out/entry.js"], { cwd: folder }), "b1 a2 c2 b3\n");
});
