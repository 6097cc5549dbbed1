// The packages as they are published: packed by `npm pack`, and installed into empty folders.

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A tool of this folder's packages. */
export const tool = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

/** The TypeScript compilers: the last version written in TypeScript, and the native one. */
export const typescripts = ["typescript", "typescript-7"].map((name) => fileURLToPath(new URL(`node_modules/${name}/bin/tsc`, import.meta.url)));

/** Runs a program to its end; returns its output. */
export async function run(program, args, options) {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 1 << 26, ...options }).catch((error) => {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}

/** A folder that is removed when the program ends. */
function temporary(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const packed = temporary("morpion-packed-");
// One test packs at a time, because npm copies files into the folders meanwhile.
for (const folder of ["lookup/js", "tables", "generator/web/js"]) {
  await run("flock", [join(repository, folder), "npm", "pack", "--silent", "--pack-destination", packed], { cwd: join(repository, folder) });
}
const files = readdirSync(packed).map((file) => join(packed, file));

/** A folder in which only the packages, and `others` of this folder's packages, are installed. */
export async function project(...others) {
  const folder = temporary("morpion-installed-");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", "--install-links", ...files], { cwd: folder });
  for (const name of others) {
    const from = fileURLToPath(new URL(`node_modules/${name}`, import.meta.url));
    symlinkSync(from, join(folder, "node_modules", name));
  }
  return folder;
}
