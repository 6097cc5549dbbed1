// The facts from plain files, in place of the HTTP interface: a static export carries this file as `source.js`.
// A small table is loaded whole; of a large one, which is packed, the parts that an answer needs are asked for by range requests.

import { Table, openRemote } from "./reader/morpion.js";

async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`no file ${path} here`);
  return response;
}

const files = load("data/tables.json").then((response) => response.json());
files.catch(() => {}); // whoever asks for a table is told
const tables = new Map();

/** The file that has the table of a game. */
async function fileOf(name) {
  const all = await files;
  if (!Object.hasOwn(all, name)) throw new Error(`no game ${JSON.stringify(name)} here`);
  return all[name];
}

async function openFile(name) {
  const file = await fileOf(name);
  const url = new URL(`data/${file}`, document.baseURI);
  if (file.endsWith(".zst")) return openRemote(url);
  return new Table(await (await load(url)).arrayBuffer());
}

/** The table of a game, opened once; one that could not be opened is tried again. */
function open(name) {
  if (!tables.has(name)) {
    const table = openFile(name);
    table.catch(() => tables.delete(name));
    tables.set(name, table);
  }
  return tables.get(name);
}

export const games = async () => (await load("data/games.json").then((response) => response.json())).games;

export async function game(name) {
  await fileOf(name);
  return (await load(`data/${name}.json`)).json();
}

/** The text of a position in its strict form; without one, the start. */
function strict(table, text) {
  if (text === undefined) return table.start;
  const { side, ...position } = table.parse(text);
  return table.format(position, side);
}

/** What a position with moves is worth: what its best move is. A draw can go on for ever where a move that keeps it can. */
function worth(moves) {
  const [{ value, plies }] = moves;
  const draws = moves.filter((move) => move.value === "draw");
  return { value, plies, draw: value === "draw" ? (draws.some(({ draw }) => draw === "cycle") ? "cycle" : "end") : null };
}

async function answer(table, position) {
  const over = table.over(position), moves = await table.moves(position);
  // The moves are one row of the table; the position itself would be another one, to be fetched as well.
  const { value, plies, draw } = moves.length > 0 ? worth(moves) : await table.probe(position);
  return {
    game: table.name, position, value, plies, ...(draw && { draw }), ...(over && { over }),
    best: await table.best(position),
    moves: moves.map((move) => ({ move: move.move, value: move.value, plies: move.plies })),
  };
}

export async function position(name, text) {
  const table = await open(name);
  return answer(table, strict(table, text));
}

export async function line(name, text) {
  const table = await open(name);
  const positions = [strict(table, text)];
  const moves = [];
  for (;;) {
    const at = positions.at(-1);
    const before = positions.indexOf(at);
    if (before < positions.length - 1) return { game: name, positions, moves, cycle: before };
    const [best] = await table.best(at);
    if (best === undefined) return { game: name, positions, moves, over: table.over(at) };
    moves.push(best);
    positions.push(table.after(at, best));
  }
}

const OPPONENTS = {
  random: { title: "any legal move", choose: async (table, at) => (await table.moves(at)).map((each) => each.move) },
  "perfect:first": { title: "the first perfect move", choose: async (table, at) => (await table.best(at)).slice(0, 1) },
  "perfect:random": { title: "any perfect move", choose: (table, at) => table.best(at) },
};

export const players = async () => Object.entries(OPPONENTS).map(([player, { title }]) => ({ player, usage: player, title }));

export async function move(name, text, player) {
  const table = await open(name);
  const choices = await OPPONENTS[player].choose(table, strict(table, text));
  return { move: choices[Math.floor(Math.random() * choices.length)] };
}

const noHeaps = async () => {
  throw new Error("an export has no games of heaps and no cram");
};

/** An export has no games of heaps and no cram. */
export const heapGames = async () => [];
export const heapGame = noHeaps;
export const heaps = noHeaps;
export const cramBoards = noHeaps;
export const cram = noHeaps;
