// Packed tables as files, for the package morpion. Where they are is written out for each, since bundlers read such lines.

/** Where the table of each game is: for `openRemote` in a browser, or for a server of files. */
export const urls = {
  beginner4: new URL("../beginner4.morpion.zst", import.meta.url),
  classic4: new URL("../classic4.morpion.zst", import.meta.url),
  swap5: new URL("../swap5.morpion.zst", import.meta.url),
  teeko: new URL("../teeko.morpion.zst", import.meta.url),
};

/** The names of the games. */
export const names = () => Object.keys(urls);

/**
 * The packed table of a game, for `open`: from the disk in Node, Deno and Bun, from the server in a browser.
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 */
export async function packed(name) {
  const url = Object.hasOwn(urls, name) ? urls[name] : null;
  if (!url) throw new RangeError(`no table of ${JSON.stringify(name)}: expected one of ${names().join(", ")}`);
  if (url.protocol === "file:") {
    const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}, expected 200`);
  return new Uint8Array(await response.arrayBuffer());
}
