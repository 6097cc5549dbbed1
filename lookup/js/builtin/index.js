// The tables inside this package: the standard games of at most nine cells. Each is a module that is loaded on demand.

import { fail, shown } from "../error.js";
import { Table } from "../table.js";

const TABLES = {
  classic: () => import("./classic.js"),
  misere: () => import("./misere.js"),
  swap: () => import("./swap.js"),
  "swap-pass": () => import("./swap-pass.js"),
  tapatan: () => import("./tapatan.js"),
  "nine-holes": () => import("./nine-holes.js"),
  "nine-holes-any": () => import("./nine-holes-any.js"),
  "nine-holes-diagonals": () => import("./nine-holes-diagonals.js"),
  picaria: () => import("./picaria.js"),
  achi: () => import("./achi.js"),
  rota: () => import("./rota.js"),
  shisima: () => import("./shisima.js"),
  "tsoro-yematatu": () => import("./tsoro-yematatu.js"),
  "pong-hau-ki": () => import("./pong-hau-ki.js"),
  "mu-torere": () => import("./mu-torere.js"),
  "mu-torere-free": () => import("./mu-torere-free.js"),
  disappearing: () => import("./disappearing.js"),
  "disappearing-line-first": () => import("./disappearing-line-first.js"),
  "disappearing-remove-first": () => import("./disappearing-remove-first.js"),
  quixo3: () => import("./quixo3.js"),
};

/** The names of the built-in tables. */
export const builtinNames = () => Object.keys(TABLES);

/**
 * Opens a built-in table.
 * @param {string} name
 * @returns {Promise<Table>}
 */
export async function builtin(name) {
  if (typeof name !== "string") fail("type", `${shown(name)} is not the name of a game`);
  if (!Object.hasOwn(TABLES, name)) fail("name", `${name.slice(0, 64)}: no table in this package: build it with \`morpion build ${name.slice(0, 64)}\` and open its file; morpion-tables has larger games; there are ${builtinNames().join(", ")}`);
  const { default: text } = await TABLES[name]();
  return new Table(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}
