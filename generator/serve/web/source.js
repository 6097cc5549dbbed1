// Where the page gets its facts: from files alone, which any file server has. It reads the table of a game by itself: a table of at most
// 64 MB as a whole, of a larger one the parts that an answer needs. `data/games.json` lists the games with the fingerprints of their rules,
// which description and table must have too. Workers with the solver's module do what takes longer: they describe, solve and judge games,
// count errors, look for puzzles, write lessons, and choose moves of a game without a table.
//
// Answers have the form of the interface, without `hands`, `ages`, `take`, `also` and `push`: the page reads them from the texts of positions
// and moves.

import { openRemote } from "./reader/remote.js";
import { Table } from "./reader/table.js";
import { Solver, once } from "./solver/index.js";
import { other } from "./words.js";

/** The largest table in bytes that is loaded as a whole. */
const LARGEST_WHOLE = 64 << 20;

/** The largest ones that are loaded for a card, and for a puzzle of any game. */
const [SMALL, MIDDLE] = [256 << 10, 4 << 20];

/** The most memory in bytes with which a game is solved here, and the most entries of a game that is solved without being asked. */
const [MOST_MEMORY, AT_ONCE] = [1 << 30, 3_000_000];

/** Games of each pair of players in a judgement. */
const GAMES = 100;

/** Loads a file, and asks again whether a kept copy is the current one. */
async function load(path, options = {}) {
  const response = await fetch(new URL(path, document.baseURI), { cache: "no-cache", ...options });
  if (!response.ok) throw new Error(`no file ${path} here`);
  return response;
}

const json = async (path) => (await load(path)).json();

/** The list of games, until it is asked for anew. */
let listed = null;
const list = () => {
  listed ??= json("data/games.json");
  listed.catch(() => { listed = null; });
  return listed;
};

export const games = async () => {
  listed = null;
  return (await list()).games;
};

/** The description of a game. Its rules have the fingerprint that the list has. */
export async function game(name) {
  const find = async () => (await list()).games.find((each) => each.game === name);
  const entry = await find();
  if (!entry) throw new Error(`no game ${JSON.stringify(name)} here`);
  const description = await json(`data/games/${name}.json`);
  if (description.fingerprint === entry.fingerprint) return description;
  // The game may have been replaced since the list was loaded.
  await games();
  return agreed(name, description, await find());
}

/** Returns the second of two things about a game if both have the same rules. */
function agreed(name, one, two) {
  if (one.fingerprint !== two?.fingerprint) throw new Error(`${name} has been replaced by a game of other rules: load this page again`);
  return two;
}

/** The bytes of the tables that are loaded as a whole. */
const loaded = new WeakMap();

/** Reads a table in memory. */
function tableOf(bytes) {
  const table = new Table(bytes);
  loaded.set(table, bytes);
  return table;
}

/** True if the file server sends parts of a file. */
const hasRanges = async (path) => (await load(path, { method: "HEAD" })).headers.get("accept-ranges") === "bytes";

async function openTable({ game, bytes, fingerprint }, largest = LARGEST_WHOLE) {
  const path = `data/games/${game}.morpion`;
  if (bytes > LARGEST_WHOLE && !(await hasRanges(path))) throw new Error(`the table of ${game} is too large to be loaded as a whole, and this file server sends no parts of files`);
  const table = bytes > largest ? await openRemote(new URL(path, document.baseURI)) : tableOf(new Uint8Array(await (await load(path)).arrayBuffer()));
  return agreed(game, { fingerprint }, table);
}

/** The open tables by name and fingerprint; one that could not be opened is tried again. */
const tables = new Map();

function open(description) {
  const key = `${description.game} ${description.fingerprint}`;
  if (!tables.has(key)) {
    const table = openTable(description);
    table.catch(() => tables.delete(key));
    tables.set(key, table);
  }
  return tables.get(key);
}

/** Facts about a game with a table here. */
export async function facts(name) {
  const description = await game(name);
  return { ...factsOf(description, () => open(description)), lesson: { game: name }, file: `data/games/${name}.morpion` };
}

/** Worth of a position with moves: the worth of its best move. A draw can continue forever if a move that keeps it can. */
function worth(moves) {
  const [{ value, plies }] = moves;
  const draws = moves.filter((move) => move.value === "draw");
  return { value, plies, draw: value === "draw" ? (draws.some(({ draw }) => draw === "cycle") ? "cycle" : "end") : null };
}

async function answer(table, text) {
  const at = table.position(text), position = String(at);
  const after = new Map(table.successors(at).map((next) => [next.move, table.format(next.position, other(at.side))]));
  const over = table.over(position), moves = await table.moves(position);
  // The moves are one row of the table; the position itself is in another row, which would have to be fetched too.
  const { value, plies, draw } = moves.length > 0 ? worth(moves) : await table.probe(position);
  const [first] = moves;
  return {
    game: table.name, position, value, plies, ...(draw && { draw }), ...(over && { over }),
    best: moves.filter((move) => move.value === first.value && move.plies === first.plies).map(({ move }) => move),
    moves: moves.map(({ move, value, plies, draw }) => ({ move, value, plies, ...(draw && { draw }), position: after.get(move) })),
  };
}

/** The answer at a position of a game for its card, or `null` if the table is large and the file server sends no parts of it. */
export async function onCard(description, text) {
  if (description.bytes <= SMALL) return answer(await open(description), text);
  return (await hasRanges(`data/games/${description.game}.morpion`)) ? answer(await openTable(description, SMALL), text) : null;
}

/** Time in which the page does not answer clicks, in milliseconds. */
const STEP = 40;

/**
 * Adds to each drawing move of an answer how hard it is to answer, counted as `Trap` of the interface. Of a table that is not loaded as
 * a whole, each reply would have to be fetched, so that its moves have no such numbers.
 */
async function ranked(table, answer) {
  if (answer.value !== "draw" || !(table instanceof Table)) return answer;
  let began = performance.now();
  const moves = [];
  for (const move of answer.moves) {
    const trap = { replies: 0, losing: 0, own_moves: 0, own_losing: 0 };
    const after = move.value === "draw" ? table.position(move.position) : null;
    for (const reply of after ? table.moves(after) : []) {
      trap.replies += 1;
      if (reply.value !== "draw") {
        trap.losing += 1;
        continue;
      }
      const own = table.moves(after.after(reply.move));
      trap.own_moves += own.length;
      trap.own_losing += own.filter(({ value }) => value !== own[0].value).length;
      if (performance.now() - began < STEP) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    moves.push(after ? { ...move, trap } : move);
  }
  return { ...answer, moves };
}

/**
 * Questions about a game, answered from `open`, which gives its table or promises it: `answer` answers about a position, and `position`
 * also ranks its drawing moves; `line` is a perfect line. A table that is loaded as a whole has a judgement, too.
 */
function factsOf(game, open, isWhole = game.bytes <= LARGEST_WHOLE) {
  const ofWorker = async (question, { signal, onProgress } = {}) => {
    const stop = untilLeft(signal);
    return ofTable(await open(), question, stop, onProgress);
  };
  return {
    game, isWhole,
    answer: async (text) => answer(await open(), text),
    position: async (text) => {
      const table = await open();
      return ranked(table, await answer(table, text));
    },
    ranked: async (found) => ranked(await open(), found),
    line: async (text) => {
      const { positions, moves, over, cycle } = await (await open()).line(text);
      return { positions: positions.map(String), moves, ...(over ? { over } : { cycle }) };
    },
    ...(isWhole && {
      count: (symmetry) => ofWorker({ ask: "count", symmetry }),
      page: (side, position) => ofWorker({ ask: "lesson", for: side, position, page: true }),
      sheet: (number, grade) => ofWorker({ ask: "sheet", number, grade }),
      bytes: async () => loaded.get(await open()),
      ...(game.encoding !== "wdl" && { judge: (options) => ofWorker({ ask: "judge", games: GAMES }, options) }),
    }),
  };
}

// Questions that the module answers.

/** Ends the questions of a page when it is left. A question takes the signal before it waits, since the next page has another one. */
let leaving = new AbortController();

/** The signal that this page is left, or that `signal` aborts. */
const untilLeft = (signal) => (signal ? AbortSignal.any([leaving.signal, signal]) : leaving.signal);

export function rest() {
  leaving.abort();
  leaving = new AbortController();
}

/** Asks about a table that is loaded as a whole, in a worker of its own: no question ends or delays another one. */
const ofTable = (table, question, signal, onProgress) => once(signal, async (solver) => {
  await solver.open(loaded.get(table));
  return solver.ask(question, { onProgress });
});

/** The worker for questions without a table. */
let desk = null;

async function ask(question) {
  if (!desk || desk.isEnded) desk = new Solver();
  return desk.ask(question);
}

/** A board to print, with its pieces. */
export const board = (rules) => ask({ ask: "board", rules });

/** The errors of the moves of a game, each with its `side`, and with the `chosen` and the `best` move of an answer. */
export const review = (moves) => ask({ ask: "review", moves });

/** The game that rules describe, and whether it can be solved here. `signal` gives the question up. */
export const outline = (rules, signal) => once(untilLeft(signal), async (solver) => {
  const game = await solver.ask({ ask: "describe", rules });
  const isSmall = game.memory <= MOST_MEMORY;
  return { ...game, seconds: game.entries / speed, isSolvable: isSmall, isAtOnce: isSmall && game.entries <= AT_ONCE };
});

/** Entries that this machine solves in a second: a guess until it has solved a game. */
let speed = 8_000_000;

/** The tables that were solved or opened here, by their rules: the last ones. */
const own = new Map();
const [KEPT, WARM] = [3, 500_000];

function keep(rules, description, bytes) {
  const table = tableOf(bytes);
  own.delete(rules);
  own.set(rules, { ...factsOf({ ...description, rule_file: false }, () => table, true), rules, lesson: { rules } });
  if (own.size > KEPT) own.delete(own.keys().next().value);
  return own.get(rules);
}

/** The facts about a game of one's own, if it has been solved or opened. */
export const solved = (rules) => own.get(rules);

/** Solves a game. `signal` cancels by ending the worker. */
export const solve = (rules, { onProgress, signal = leaving.signal } = {}) => once(signal, async (solver) => {
  const began = performance.now();
  const { description, table } = await solver.solve(rules, { onProgress });
  if (description.entries > WARM) speed = (1000 * description.entries) / (performance.now() - began);
  return keep(rules, description, table);
});

/** Solves and judges a variant of rules, with another value of a key: its rules, its description and the facts. */
export const variant = (rules, key, value, signal) => once(signal, async (solver) => {
  const variant = await solver.ask({ ask: "vary", rules, key, value });
  const { memory, unsolved } = await solver.ask({ ask: "describe", rules: variant });
  if (unsolved || memory > MOST_MEMORY) throw new Error(unsolved ?? "too large for a page: use morpion judge FILE --vary");
  const { description } = await solver.solve(variant);
  return { variant, description, facts: await solver.ask({ ask: "judge", games: GAMES }) };
});

/** Opens the file of a table, plain or packed. Returns its rules with name and title. */
export const opened = (file) => once(undefined, async (solver) => {
  const description = await solver.open(new Uint8Array(await file.arrayBuffer())), bytes = await solver.table();
  // The text of a table does not have them.
  const rules = `name = ${JSON.stringify(description.game)}\ntitle = ${JSON.stringify(description.title)}\n\n${new Table(bytes).rules}`;
  keep(rules, description, bytes);
  return rules;
});

/** A game without a table here, by its rules: its moves have no values, and its opponents look a few plies ahead. */
export function unsolved(rules, outlined) {
  const name = outlined.game;
  const turn = (position, player = {}) => ask({ ask: "turn", rules, position, ...player });
  const at = async (position) => {
    const { over, value, moves, ...rest } = await turn(position);
    return { game: name, position: rest.position, value, plies: null, ...(over && { over }), best: [], moves: moves.map((move) => ({ ...move, value: null, plies: null })) };
  };
  return {
    game: { ...outlined, short_title: outlined.title.split(/[:,]/)[0], encoding: "none", images: [], census: null, rule_file: false },
    rules, isUntabled: true, answer: at, position: at, ranked: async (found) => found,
    move: async (position, player, seed) => (await turn(position, { player, seed })).chosen,
  };
}

/** Address of the rule file of a game that has one, and its text. */
export const ruleFile = (name) => `data/games/${name}.toml`;
export const rules = async (name) => (await load(ruleFile(name))).text();

/** The puzzle of a number; `game` and `grade` are empty for any. A game that has no such puzzle is passed over. */
export async function puzzle(number, { game: name, grade } = {}) {
  const { signal } = leaving, all = (await games()).filter((each) => (name ? each.game === name : each.bytes <= MIDDLE));
  if (name && all.length === 0) throw new Error(`no game ${JSON.stringify(name)} here`);
  for (let tried = 0; tried < all.length; tried += 1) {
    const table = await open(all[(number + tried) % all.length]);
    const found = loaded.has(table) && (await ofTable(table, { ask: "puzzle", number, grade: Number(grade) || undefined }, signal));
    if (found) return found;
  }
  throw new Error("no such puzzle here; choose another game or grade");
}

/** The grades of a game's puzzles. */
export async function puzzleGrades(name) {
  const { signal } = leaving, table = await open(await game(name));
  return loaded.has(table) ? ofTable(table, { ask: "grades" }, signal) : [];
}

/** The games of heaps, the facts about one, and the value of a sum in it. */
export const heapGames = () => ask({ ask: "heap_games" });
export async function heapGame(name) {
  const { facts, ...game } = await ask({ ask: "heap_game", game: name });
  return { ...facts, ...game };
}
export const heaps = (game, heaps) => ask({ ask: "heaps", game, heaps });

/** The facts about a position on a board of cram. */
export const cram = (board, position) => ask({ ask: "cram", board, position });
