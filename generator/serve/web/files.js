// The facts from plain files, in place of the HTTP interface: a static export carries this file as `source.js`.
// A small table is loaded whole; of a large one, the parts that an answer needs are fetched by range requests.

import { openRemote } from "./reader/remote.js";
import { Table } from "./reader/table.js";
import { factsOf } from "./tabled.js";

/** The largest table in bytes that is loaded whole. */
const LARGEST_WHOLE = 1 << 20;

async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`no file ${path} here`);
  return response;
}

const files = load("data/tables.json").then((response) => response.json());
files.catch(() => {}); // reported to whoever asks for a table
const tables = new Map();

/** The length of a game's table in bytes. */
async function lengthOf(name) {
  const all = await files;
  if (!Object.hasOwn(all, name)) throw new Error(`no game ${JSON.stringify(name)} here`);
  return all[name];
}

async function openFile(name) {
  const length = await lengthOf(name), url = new URL(`data/${name}.morpion`, document.baseURI);
  if (length > LARGEST_WHOLE) return openRemote(url);
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
  await lengthOf(name);
  return (await load(`data/${name}.json`)).json();
}

export async function facts(name) {
  const judge = async () => (await load(`data/${name}.judge.json`)).json();
  return { ...factsOf(await game(name), () => open(name)), judge };
}

/** The puzzle of a number; an export has the puzzles of a year. `game` and `grade` are empty for any. */
export async function puzzle(number, { game, grade } = {}) {
  const { puzzles } = await (await load("data/puzzles.json")).json();
  const wanted = puzzles.filter((each) => (!game || each.game === game) && (!grade || each.grade === Number(grade)));
  if (wanted.length === 0) throw new Error("no such puzzle here; choose another game or grade");
  return wanted[number % wanted.length];
}

/** The grades that each game's puzzles have, for games with puzzles. */
export async function puzzleGrades() {
  const { puzzles } = await (await load("data/puzzles.json")).json();
  const grades = new Map();
  for (const { game, grade } of puzzles) grades.set(game, new Set(grades.get(game)).add(grade));
  return [...grades].map(([game, found]) => ({ game, grades: [...found].sort() }));
}

/** Address of the rule file of a game that has one. */
export const ruleFile = (name) => `data/${encodeURIComponent(name)}.toml`;

/** Games are solved by the server alone. */
export const own = null;

const noHeaps = async () => {
  throw new Error("an export has no games of heaps and no cram");
};

/** An export has no games of heaps and no cram. */
export const heapGames = async () => [];
export const heapGame = noHeaps;
export const heaps = noHeaps;
export const cramBoards = noHeaps;
export const cram = noHeaps;

// Games without a table and lessons need the server.
export const [untabled, lesson] = [null, null];
