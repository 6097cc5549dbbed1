// The facts from plain files, in place of the HTTP interface: a static export carries this file as `source.js`.

import { Table } from "./reader/morpion.js";

async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`no file ${path} here`);
  return response;
}

const tables = new Map();

/** The table of a game, read once. */
function open(name) {
  if (!/^[\w-]+$/.test(name)) throw new Error(`no game ${JSON.stringify(name)} here`);
  if (!tables.has(name)) tables.set(name, load(`data/${name}.morpion`).then((response) => response.arrayBuffer()).then((bytes) => new Table(bytes)));
  return tables.get(name);
}

export const games = async () => (await load("data/games.json").then((response) => response.json())).games;

export async function game(name) {
  await open(name);
  return (await load(`data/${name}.json`)).json();
}

/** The text of a position in its strict form; without one, the start. */
function strict(table, text) {
  if (text === undefined) return table.start;
  const { side, ...position } = table.parse(text);
  return table.format(position, side);
}

function answer(table, position) {
  const { value, plies, draw } = table.probe(position);
  const over = table.over(position);
  return {
    game: table.name, position, value, plies, ...(draw && { draw }), ...(over && { over }),
    best: table.best(position),
    moves: table.moves(position).map((move) => ({ move: move.move, value: move.value, plies: move.plies })),
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
    const [best] = table.best(at);
    if (best === undefined) return { game: name, positions, moves, over: table.over(at) };
    moves.push(best);
    positions.push(table.after(at, best));
  }
}

const OPPONENTS = {
  random: { title: "any legal move", choose: (table, at) => table.moves(at).map((each) => each.move) },
  "perfect:first": { title: "the first perfect move", choose: (table, at) => table.best(at).slice(0, 1) },
  "perfect:random": { title: "any perfect move", choose: (table, at) => table.best(at) },
};

export const players = async () => Object.entries(OPPONENTS).map(([player, { title }]) => ({ player, usage: player, title }));

export async function move(name, text, player) {
  const table = await open(name);
  const choices = OPPONENTS[player].choose(table, strict(table, text));
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
