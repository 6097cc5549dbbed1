/** Packed tables as files, for the package morpion-lookup. */

export type Name = "beginner4" | "classic4" | "dao" | "disappearing-4" | "five-mens-flying" | "five-mens-morris" | "neutreeko" | "quixo4" | "six-mens-flying" | "six-mens-morris" | "swap5" | "teeko";

/** The address of each game's table, for `openRemote` in a browser or for a server of files. */
export const urls: Readonly<Record<Name, URL>>;

/** The names of the games. */
export function names(): Name[];

/** The packed table of a game, for `open`: from the disk in Node, Deno and Bun, from the server in a browser. */
export function packed(name: Name): Promise<Uint8Array>;
