// Puts the notices and the module into the folder `js` while npm packs it: a package contains no links.

import { copyFileSync, existsSync, renameSync, rmSync, symlinkSync } from "node:fs";

const NOTICES = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"].filter((name) => existsSync(`../../../${name}`));
const MODULE = "../../serve/web/morpion.wasm", isUndone = process.argv.includes("--undo");

if (existsSync(MODULE)) {
  // Renamed, so that the module is there at any time.
  if (isUndone) symlinkSync(MODULE, "morpion.wasm.new");
  else copyFileSync(MODULE, "morpion.wasm.new");
  renameSync("morpion.wasm.new", "morpion.wasm");
}
for (const name of NOTICES) {
  if (isUndone) rmSync(name);
  else copyFileSync(`../../../${name}`, name);
}
