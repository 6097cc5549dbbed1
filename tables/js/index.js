// Packed tables as files, for the package morpion-lookup. Each address is written out, since bundlers search for such expressions.

/** The address of each game's table, for `openRemote` in a browser or for a server of files. */
export const urls = {
  beginner4: new URL("../beginner4.morpion.zst", import.meta.url),
  classic4: new URL("../classic4.morpion.zst", import.meta.url),
  dao: new URL("../dao.morpion.zst", import.meta.url),
  "disappearing-4": new URL("../disappearing-4.morpion.zst", import.meta.url),
  "five-mens-flying": new URL("../five-mens-flying.morpion.zst", import.meta.url),
  "five-mens-morris": new URL("../five-mens-morris.morpion.zst", import.meta.url),
  neutreeko: new URL("../neutreeko.morpion.zst", import.meta.url),
  quixo4: new URL("../quixo4.morpion.zst", import.meta.url),
  "six-mens-flying": new URL("../six-mens-flying.morpion.zst", import.meta.url),
  "six-mens-morris": new URL("../six-mens-morris.morpion.zst", import.meta.url),
  swap5: new URL("../swap5.morpion.zst", import.meta.url),
  teeko: new URL("../teeko.morpion.zst", import.meta.url),
};

/** The names of the games. */
export const names = () => Object.keys(urls);

/**
 * Loads the packed table of a game, for `open`: from the disk in Node, Deno and Bun, from the server in a browser. Errors have a
 * `code`: `name` for an unknown game, `io` for a response without the file.
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 */
export async function packed(name) {
  const url = Object.hasOwn(urls, name) ? urls[name] : null;
  if (!url) throw Object.assign(new RangeError(`${name}: no table in this package: build it with \`morpion build ${name}\` and open its file; there are ${names().join(", ")}`), { code: "name" });
  if (url.protocol === "file:") {
    // Assembled at run time, since webpack and esbuild fail on a module of Node that a page never loads.
    const module = ["node:fs", "promises"].join("/");
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ module);
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw Object.assign(new Error(`${url}: status ${response.status}, expected 200`), { code: "io" });
  return new Uint8Array(await response.arrayBuffer());
}
