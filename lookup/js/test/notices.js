// Puts the licences and the changelog of the repository into the current folder before `npm pack`, and removes them afterwards: a
// package only contains files of its folder. `node notices.js copy` or `remove`. Files that are already there stay as they are.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

const repository = new URL("../../../", import.meta.url);

/** A folder while somebody packs, so that nobody removes the files of another. */
const LOCK = ".packing", LIST = `${LOCK}/copied`, STALE = 60_000;

function lock() {
  for (;;) {
    try {
      return mkdirSync(LOCK);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    // Whoever packed a minute ago was stopped before its end.
    const { mtimeMs = 0 } = statSync(LOCK, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs > 0 && Date.now() - mtimeMs > STALE) remove();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

function copy() {
  lock();
  const missing = ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md"].filter((file) => !existsSync(file));
  writeFileSync(LIST, missing.join("\n"));
  for (const file of missing) copyFileSync(new URL(file, repository), file);
}

function remove() {
  const copied = existsSync(LIST) ? readFileSync(LIST, "utf8").split("\n").filter(Boolean) : [];
  for (const file of copied) rmSync(file, { force: true });
  rmSync(LOCK, { recursive: true, force: true });
}

if (process.argv[2] === "copy") copy();
else remove();
