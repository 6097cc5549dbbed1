// Where the page gets its facts. It reads the table of a game by itself, from a server and from plain files alike: a table of at most
// 64 MB as a whole, of a larger one the parts that an answer needs. `data/games.json` lists the games with the fingerprints of their rules,
// which description and table must have too. A server also answers questions for which a table is not enough.
//
// Answers have the form of the interface, without `hands`, `ages`, `take`, `also` and `push`: the page reads them from the texts of positions
// and moves.

import { MorpionError } from "./reader/error.js";
import { openRemote } from "./reader/remote.js";
import { Table } from "./reader/table.js";
import { other } from "./words.js";

/** The largest table in bytes that is loaded as a whole. */
const LARGEST_WHOLE = 64 << 20;

/** The largest one that is loaded as a whole for a card. */
const SMALL = 256 << 10;

/** Loads a file, and asks again whether a kept copy is the current one. */
async function load(path, options = {}) {
  const response = await fetch(new URL(path, document.baseURI), { cache: "no-cache", ...options });
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.error ?? `no file ${path} here`);
  return response;
}

const json = async (path) => (await load(path)).json();
const segment = encodeURIComponent;

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

/** The description of a game whose rules are those of the list. */
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

async function openTable({ game, bytes, fingerprint }, largest) {
  const path = `data/games/${game}.morpion`;
  const table = bytes > largest ? await openRemote(new URL(path, document.baseURI)) : new Table(await (await load(path)).arrayBuffer());
  return agreed(game, { fingerprint }, table);
}

/** The open tables by name and fingerprint; one that could not be opened is tried again. */
const tables = new Map();

function open(description) {
  const key = `${description.game} ${description.fingerprint}`;
  if (!tables.has(key)) {
    const table = openTable(description, LARGEST_WHOLE);
    table.catch(() => tables.delete(key));
    tables.set(key, table);
  }
  return tables.get(key);
}

/** Facts about a game with a table. */
export async function facts(name) {
  const description = await game(name), { server } = await list();
  const judge = () => json(server ? `api/v1/games/${name}/judge` : `data/games/${name}.judge.json`);
  return { ...factsOf(description, () => open(description)), ...(description.encoding !== "wdl" && { judge }) };
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

/** The answer at a position of a game for its card, or `null`: plain files need not come from a server that knows ranges. */
export async function onCard(description, text) {
  if (description.bytes <= SMALL) return answer(await open(description), text);
  return (await hasServer()) ? answer(await openTable(description, SMALL), text) : null;
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
 * Questions about a game, answered from `open`, which gives its table or promises it: a position, with drawing moves ranked; positions, of
 * which impossible ones get an error; the positions after each of some moves, until one is not legal, which gets an error; a perfect line.
 */
function factsOf(game, open) {
  return {
    game,
    position: async (text) => {
      const table = await open();
      return ranked(table, await answer(table, text));
    },
    ranked: async (found) => ranked(await open(), found),
    positions: async (texts) => {
      const table = await open(), answers = [];
      for (const text of texts) {
        answers.push(await answer(table, text).catch((error) => {
          if (error instanceof MorpionError) return { error: error.message, input: text };
          throw error;
        }));
      }
      return answers;
    },
    replay: async (text, moves) => {
      const table = await open(), answers = [];
      let at = table.position(text);
      for (const move of moves) {
        if (!at.legalMoves.some((each) => each.move === move)) return [...answers, { error: "not a legal move here", input: move }];
        at = at.after(move);
        answers.push(await answer(table, String(at)));
      }
      return answers;
    },
    line: async (text) => {
      const { positions, moves, over, cycle } = await (await open()).line(text);
      return { positions: positions.map(String), moves, ...(over ? { over } : { cycle }) };
    },
  };
}

// Questions that a server answers.

async function ask(path, fields = {}) {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined));
  return json(`api/v1/${path}${query.size ? `?${query}` : ""}`);
}

const post = async (path, body) => (await load(`api/v1/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();

/** True if a server answers questions. Plain files do not. */
export const hasServer = async () => (await list()).server;

/** A visitor's own games: the game that rules describe, and the facts about it, from a table that the server makes. */
export const outline = (rules) => post("rules", { rules });

export async function solved(rules) {
  const { description, table } = await post("rules/table", { rules });
  const own = new Table(Uint8Array.from(atob(table), (letter) => letter.charCodeAt(0)));
  return { ...factsOf(description, () => own), judge: () => post("rules/judge", { rules }) };
}

/**
 * A standard game without a table here, which is played by its rules: its moves have no values, and its opponents look a few plies
 * ahead.
 */
export async function untabled(name) {
  const text = await rules(name), described = await outline(text);
  const at = async (position, player = {}) => {
    const { over, value, moves, chosen, ...rest } = await post("rules/moves", { rules: text, position, ...player });
    return { game: name, position: rest.position, value, plies: null, ...(over && { over }), best: [], moves: moves.map((move) => ({ ...move, value: null, plies: null })), chosen };
  };
  return {
    game: { ...described, short_title: described.title.split(/[:,]/)[0], encoding: "none", images: [], census: null, rule_file: true },
    isUntabled: true, position: at, ranked: async (found) => found,
    positions: (texts) => Promise.all(texts.map((text) => at(text).catch((error) => ({ error: error.message, input: text })))),
    replay: async (position, moves) => {
      const answers = [];
      let answer = await at(position);
      for (const move of moves) {
        const next = answer.moves.find((each) => each.move === move);
        if (!next) return [...answers, { error: "not a legal move here", input: move }];
        answer = await at(next.position);
        answers.push(answer);
      }
      return answers;
    },
    move: async (position, player, seed) => (await at(position, { player, seed })).chosen,
  };
}

/** Address of the lesson of a game. */
export const lesson = (name) => `api/v1/games/${name}/lesson`;

/** Address of the rule file of a game that has one, and its text. */
export const ruleFile = (name) => `data/games/${name}.toml`;
export const rules = async (name) => (await load(ruleFile(name))).text();

/** The puzzle of a number; an export has the puzzles of a year. `game` and `grade` are empty for any. */
export async function puzzle(number, { game, grade } = {}) {
  if (await hasServer()) return ask(`puzzles/${number}`, { game: game || undefined, grade: grade || undefined });
  const { puzzles } = await json("data/puzzles.json");
  const wanted = puzzles.filter((each) => (!game || each.game === game) && (!grade || each.grade === Number(grade)));
  if (wanted.length === 0) throw new Error("no such puzzle here; choose another game or grade");
  return wanted[number % wanted.length];
}

/** The grades that each game's puzzles have, for games with puzzles. A server keeps those that it found before its time was over. */
export async function puzzleGrades() {
  if (await hasServer()) return (await ask("puzzles").catch(() => ask("puzzles"))).games;
  const { puzzles } = await json("data/puzzles.json");
  const grades = new Map();
  for (const { game, grade } of puzzles) grades.set(game, new Set(grades.get(game)).add(grade));
  return [...grades].map(([game, found]) => ({ game, grades: [...found].sort() }));
}

/** The games of heaps, the facts about one, and the value of a sum in it. */
export const heapGames = async () => ((await hasServer()) ? (await ask("grundy")).games : []);
export const heapGame = (name) => ask(`grundy/${segment(name)}`);
export const heaps = (name, heaps) => ask(`grundy/${segment(name)}/position`, { heaps });

/** The boards of cram, and the facts about a position on one. */
export const cramBoards = async () => (await ask("cram")).boards;
export const cram = (board, position) => ask(`cram/${segment(board)}/position`, { position });
